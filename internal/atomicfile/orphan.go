package atomicfile

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// orphanPrefix is how the names of scratch files and folders of a name begin; a random number follows.
func orphanPrefix(name string) string { return "." + name + ".siegebook-part-" }

// leastNumber is the least number of a scratch file: a user's own file that is called alike, with a year or a date at
// its end, is none.
const leastNumber = 1e15

// openNew opens a file that did not exist, for its owner alone.
func openNew(name func(random string) string) (*os.File, error) {
	for {
		file, err := os.OpenFile(name(strconv.FormatUint(leastNumber+rand.Uint64N(math.MaxUint64-leastNumber), 10)), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// locked takes the lock of a file that was just made, and says whether it is ours: until it is locked, others may take
// it for an orphan. On file systems without locks nothing is ever taken for one.
func locked(file *os.File) bool { return !errors.Is(tryLock(file), errBusy) && hasName(file) }

// Sweep removes the orphans of a name in a folder, those of all names if it is empty. What cannot be removed stays.
func Sweep(dir, name string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, entry := range entries {
		if isScratch(entry, name) {
			removeOrphan(filepath.Join(dir, entry.Name()))
		}
	}
}

// isScratch says whether a scratch file or folder for name may be called so.
func isScratch(entry fs.DirEntry, name string) bool {
	before, number, ok := strings.Cut(entry.Name(), ".siegebook-part-")
	if !ok || !strings.HasPrefix(before, ".") || name != "" && before != "."+name {
		return false
	}
	n, err := strconv.ParseUint(number, 10, 64)
	return err == nil && (entry.IsDir() || n >= leastNumber)
}

// removeOrphan removes a scratch file or folder of ours whose process has ended. What belongs to another user is not
// opened.
func removeOrphan(path string) {
	info, err := os.Lstat(path)
	if err != nil || !Own(info) {
		return
	}
	lockFile := path
	switch {
	case info.IsDir():
		lockFile = filepath.Join(path, lockName)
	case !info.Mode().IsRegular():
		return
	}
	lock, err := openOwn(lockFile, os.O_RDONLY, 0)
	if errors.Is(err, fs.ErrNotExist) && info.IsDir() {
		_ = os.Remove(path) // killed before it was locked, so it is empty
		return
	}
	if err != nil {
		return
	}
	defer lock.Close()
	if tryLock(lock) == nil {
		_ = os.RemoveAll(path)
	}
}
