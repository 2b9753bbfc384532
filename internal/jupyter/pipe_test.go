//go:build unix

package jupyter

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// TestPipes: pipes that nobody writes to, in the places of the kernel's files and of a repository's, are named and not
// waited for.
func TestPipes(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if err := os.Mkdir(at("bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"kernel.json", "go.mod", "bin/gonb", "bin/goimports", "a.ipynb"} {
		if err := syscall.Mkfifo(at(name), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, read := range []func() error{
		func() error { _, err := readKernelspec(dir); return err },
		func() error { _, err := openRepository(dir); return err },
		func() error { _, err := Read(at("a.ipynb")); return err },
		func() error { _, err := readBuildInfo(at("bin/gonb")); return err },
	} {
		if err := waittest.Ends(t, "the reading", read); err == nil ||
			!strings.HasSuffix(err.Error(), "it is a pipe, not a regular file") {
			t.Errorf("err = %v", err)
		}
	}
	_ = waittest.Ends(t, "the reading", func() error {
		s := setup{SetupOptions: SetupOptions{Dir: dir}}
		if s.installed(nil) || s.havePrograms(at("bin")) {
			t.Error("a pipe counts as installed")
		}
		return nil
	})
	err := waittest.Ends(t, "the reading", func() error { return checkOwn(dir) })
	if err == nil ||
		!strings.HasSuffix(err.Error(), "kernel.json: it is a pipe, not a regular file: move it away, then try again") {
		t.Errorf("err = %v", err)
	}
}
