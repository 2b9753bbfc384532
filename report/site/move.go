package site

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// mayMove refuses a folder that no other can take the place of, or that is not to be taken away from under somebody, so
// that this is known before a long computation.
func mayMove(target string) error {
	longest := sibling(target, "next-4294967295") // os.MkdirTemp adds up to ten digits
	if err := atomicfile.RoomBeside(target, len(filepath.Base(longest))-len(filepath.Base(target))); err != nil {
		return err
	}
	info, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return nil // refused for that
	}
	parent, err := os.Stat(filepath.Dir(target))
	if err != nil {
		return err
	}
	if isMount(target, info, parent) {
		return atomicfile.Refuse("the output folder is where a volume is mounted, and cannot be replaced as a whole: name a folder inside it, such as %s", filepath.Join(target, "site"))
	}
	if parent.Mode()&fs.ModeSticky != 0 && os.Geteuid() != 0 && !atomicfile.Own(info) && !atomicfile.Own(parent) {
		return atomicfile.Refuse("the output folder belongs to another user, who alone may replace it in %s: give another folder", filepath.Dir(target))
	}
	if holdsUs(info) {
		return atomicfile.Refuse("the output folder is the one that you work in, or above it, and would be taken away from under you: go elsewhere, and name it from there")
	}
	return nil
}

// otherDevice says whether a folder is on another file system than the one that it is in.
func otherDevice(folder, parent fs.FileInfo) bool {
	inside, ok1 := atomicfile.Device(folder)
	around, ok2 := atomicfile.Device(parent)
	return ok1 && ok2 && inside != around
}

// holdsUs says whether a folder is the working folder, or above it.
func holdsUs(folder fs.FileInfo) bool {
	here, err := os.Getwd()
	if err != nil {
		return false
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return false
	}
	for {
		if info, err := os.Stat(here); err == nil && os.SameFile(info, folder) {
			return true
		}
		if filepath.Dir(here) == here {
			return false
		}
		here = filepath.Dir(here)
	}
}
