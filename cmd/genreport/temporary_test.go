//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestTemporaryOfOthers: no kernel is built or started where others could put another in its place, with a cache or
// without.
func TestTemporaryOfOthers(t *testing.T) {
	open := filepath.Join(t.TempDir(), "open")
	must.Do(t, os.Mkdir(open, 0o700))
	must.Do(t, os.Chmod(open, 0o777))
	repo, cached := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", open)
	for _, folder := range []string{"", cached} {
		kernel, err := newOwnKernel(folder, repo, "", cellImports)
		must.Do(t, err)
		_, err = kernel.spec(t.Context())
		want := "TMPDIR: others may write to " + open + ", and so put wrong results and programs there: chmod go-w " +
			"it, or name another folder"
		for _, err := range []error{err, kernel.modules(t.Context())} {
			if err == nil || !strings.HasSuffix(err.Error(), want) {
				t.Errorf("err = %v, want %s", err, want)
			}
		}
		kernel.close()
	}
}
