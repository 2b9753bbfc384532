// Package goplstest finds gopls for tests. internal/setup/gopls.sh installs it, outside of the tests.
package goplstest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/npmtest"
)

// OnPath puts the gopls that jupyter.Gopls names first on the PATH of a test. Without it the test is skipped, or fails
// if CI=true.
func OnPath(t *testing.T, gopls string) {
	t.Helper()
	store, err := npmtest.Store()
	_, version, _ := strings.Cut(gopls, "@")
	folder := filepath.Join(store, "gopls-"+version)
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, "gopls"))
	}
	if err == nil {
		t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
		return
	}
	const format = "no gopls for tests (%v): run make setup"
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, err)
	}
	t.Skipf(format, err)
}
