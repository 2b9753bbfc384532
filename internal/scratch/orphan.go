package scratch

import (
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// orphanPrefix is how the names of scratch files and folders of a name begin; a random number follows.
func orphanPrefix(name string) string { return "." + name + ".siegebook-part-" }

// openNew opens a file that did not exist.
func openNew(name func(random string) string, perm fs.FileMode) (*os.File, error) {
	for {
		file, err := os.OpenFile(name(strconv.FormatUint(rand.Uint64(), 10)), os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// locked takes the lock of a file that was just made, and says whether the file still has its name: until it is locked,
// others may take it for an orphan. On file systems without locks nothing is ever taken for one.
func locked(file *os.File) bool {
	_ = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
	return hasName(file)
}

// Sweep removes the orphans of a name in a folder, those of all names if it is empty. What cannot be removed stays.
func Sweep(dir, name string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if isScratch(entry.Name(), name) {
			removeOrphan(filepath.Join(dir, entry.Name()), entry)
		}
	}
}

// isScratch says whether a scratch file for name may be called so.
func isScratch(entry, name string) bool {
	before, number, ok := strings.Cut(entry, ".siegebook-part-")
	if !ok || !strings.HasPrefix(before, ".") || name != "" && before != "."+name {
		return false
	}
	_, err := strconv.ParseUint(number, 10, 64)
	return err == nil
}

// removeOrphan removes a scratch file or folder whose process has ended.
func removeOrphan(path string, entry fs.DirEntry) {
	lockFile := path
	switch {
	case entry.IsDir():
		lockFile = filepath.Join(path, lockName)
	case !entry.Type().IsRegular():
		return
	}
	lock, err := os.OpenFile(lockFile, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) && entry.IsDir() {
		_ = os.Remove(path) // killed before it was locked, so it is empty
		return
	}
	if err != nil {
		return
	}
	defer lock.Close()
	if syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		_ = os.RemoveAll(path)
	}
}
