package faulttest

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

// SmallDisk returns the folder of a file system of a size such as "2m". The test is skipped if mounting is not
// allowed.
func SmallDisk(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size+",mode=0755", "siegebook-test",
		dir).CombinedOutput(); err != nil {
		t.Skipf("no small disk here: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	})
	return dir
}

// ReadOnly makes a SmallDisk read-only, and writable again at the end of the test.
func ReadOnly(t testing.TB, dir string) {
	t.Helper()
	if out, err := exec.Command("mount", "-o", "remount,ro", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Fill fills the disk of a folder with one file, up to about so many bytes, and returns a function that removes it.
func Fill(t testing.TB, dir string, leave int) func() {
	t.Helper()
	name := filepath.Join(dir, "ballast")
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for block := make([]byte, 4096); err == nil; size += int64(len(block)) {
		_, err = file.Write(block)
	}
	must.Do(t, errors.Join(file.Truncate(max(size-int64(leave), 0)), file.Close()))
	return func() {
		must.Do(t, os.Remove(name))
	}
}

// Age gives everything below a folder times far in the past and far in the future, as if the clock had jumped.
func Age(t testing.TB, dir string) {
	t.Helper()
	n := 0
	must.Do(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		n++
		then := time.Date([]int{1971, 2199}[n%2], 1, 1, 0, 0, 0, 0, time.UTC)
		return os.Chtimes(path, then, then)
	}))
}
