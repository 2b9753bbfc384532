package limitedread

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "a")
	for size, fits := range map[int]bool{0: true, 1: true, 1000: true, 1001: false, 1 << 20: false} {
		text := strings.Repeat("x", size)
		must.Write(t, name, text)
		for _, read := range []func() ([]byte, error){
			func() ([]byte, error) { return ReadFile(name, 1000) },
			func() ([]byte, error) { return ReadFS(os.DirFS(dir), "a", 1000) },
			func() ([]byte, error) { return ReadFS(fstest.MapFS{"a": {Data: []byte(text)}}, "a", 1000) },
		} {
			data, err := read()
			var large *TooLarge
			if fits && (err != nil || string(data) != text) ||
				!fits && (data != nil || !errors.As(err, &large) || large.Most != 1000) {
				t.Errorf("%d bytes: %d read, %v", size, len(data), err)
			}
		}
	}
	_, err := ReadFile(filepath.Join(dir, "none"), 1)
	var path *fs.PathError
	if !errors.As(err, &path) || !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	_, err = ReadFS(fstest.MapFS{"pipe": {Mode: fs.ModeNamedPipe}}, "pipe", 1)
	if err == nil || !strings.HasSuffix(err.Error(), "pipe: a pipe, not a regular file") {
		t.Error(err)
	}
}

// TestEndless checks that an endless device, whose reported size is 0, is rejected.
func TestEndless(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no such device")
	}
	zero := must.Get(os.Open("/dev/zero"))
	var large *TooLarge
	if _, err := Read(zero, "/dev/zero", MiB); !errors.As(err, &large) ||
		err.Error() != "/dev/zero: larger than 1 MiB, the maximum for such a file: check that it is the right "+
			"one" {
		t.Error(err)
	}
}
