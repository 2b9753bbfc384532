//go:build unix

package limitedread

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestPipe: a pipe that nobody writes to is not waited for, under a link neither. A link to a file is read.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, err := range []error{
		syscall.Mkfifo(at("pipe"), 0o666), os.Symlink("pipe", at("to a pipe")),
		os.WriteFile(at("file"), []byte("text"), 0o600), os.Symlink("file", at("to a file")),
	} {
		must.Do(t, err)
	}
	waittest.Ends(t, "the reading", func() bool {
		for _, name := range []string{"pipe", "to a pipe"} {
			_, err1 := ReadFile(at(name), MiB)
			_, err2 := ReadFS(os.DirFS(dir), name, MiB)
			for _, err := range []error{err1, err2} {
				if err == nil || !strings.HasSuffix(err.Error(), name+": it is a pipe, not a regular file") {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		if data, err := ReadFile(at("to a file"), MiB); err != nil || string(data) != "text" {
			t.Errorf("%q, %v", data, err)
		}
		return true
	})
}
