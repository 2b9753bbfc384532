//go:build unix

package lesson

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// TestPipeInPackage: a pipe that is called like a Go file is an error of its package, and is not waited for.
func TestPipeInPackage(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module example.com/m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("package m\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "b.go"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := waittest.Ends(t, "the reading", func() *module {
		m, err := openModule(dir)
		if err != nil {
			t.Error(err)
			return nil
		}
		return m
	})
	if m == nil {
		return
	}
	if err := m.packages["example.com/m"].err; err == nil ||
		!strings.Contains(err.Error(), "it is a pipe, not a regular file") {
		t.Errorf("err = %v", err)
	}
}
