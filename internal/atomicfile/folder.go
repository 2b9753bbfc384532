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

// Folder is a temporary folder.
type Folder struct {
	// Path is its absolute path.
	Path string
	lock *os.File
}

// lockName is the file in a temporary folder that is locked while its process lives.
const lockName = ".lock"

// NewFolder makes a folder in parent, the system's folder for temporary files if it is empty, and removes the orphans
// of the same name there.
func NewFolder(parent, name string) (*Folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	Sweep(parent, name)
	for {
		path, err := os.MkdirTemp(parent, orphanPrefix(name))
		if err != nil {
			return nil, shorter(err)
		}
		lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, os.ErrNotExist): // swept before it was locked
		case err != nil:
			return nil, errors.Join(err, os.RemoveAll(path))
		case locked(lock):
			return &Folder{path, lock}, nil
		default:
			_ = lock.Close()
		}
	}
}

// Remove removes the folder and all that is in it.
func (f *Folder) Remove() error {
	return release(f.lock, func() error { return removeLocked(f.Path) })
}

// removeLocked removes a folder, its lock last: a folder whose removal is killed is still known as an orphan.
func removeLocked(path string) error {
	entries, err := os.ReadDir(path)
	for _, entry := range entries {
		if entry.Name() != lockName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(path, entry.Name())))
		}
	}
	return errors.Join(err, os.RemoveAll(path))
}

// orphanPrefix begins the names of temporary files and folders of a name; a random number follows.
func orphanPrefix(name string) string { return "." + name + ".siegebook-part-" }

// leastNumber is the least number of a temporary file. A user's file with such a name and a year or a date at its
// end is none.
const leastNumber = 1e15

// openNew opens a file that did not exist, for its owner alone.
func openNew(name func(random string) string) (*os.File, error) {
	for {
		file, err := os.OpenFile(
			name(strconv.FormatUint(leastNumber+rand.Uint64N(math.MaxUint64-leastNumber), 10)),
			os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600,
		)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}

// locked takes the lock of a file that was just made. It is false if another process has taken the file for an orphan
// before. On file systems without locks nothing is ever taken for an orphan.
func locked(file *os.File) bool { return !errors.Is(tryLock(file), errBusy) && hasName(file) }

// Sweep removes the orphans of a name in a folder, those of all names if it is empty, as far as they can be removed.
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

// isScratch says whether an entry has the name of a temporary file or folder for name.
func isScratch(entry fs.DirEntry, name string) bool {
	before, number, ok := strings.Cut(entry.Name(), ".siegebook-part-")
	if !ok || !strings.HasPrefix(before, ".") || name != "" && before != "."+name {
		return false
	}
	n, err := strconv.ParseUint(number, 10, 64)
	return err == nil && (entry.IsDir() || n >= leastNumber)
}

// removeOrphan removes a temporary file or folder of this user whose process has ended.
func removeOrphan(path string) {
	info, err := os.Lstat(path)
	if err != nil || !own(info) {
		return
	}
	lockFile := path
	switch {
	case info.IsDir():
		lockFile = filepath.Join(path, lockName)
	case !info.Mode().IsRegular():
		return
	}
	lock, err := Open(lockFile)
	if errors.Is(err, fs.ErrNotExist) && info.IsDir() {
		_ = os.Remove(path) // killed before it was locked, so it is empty
		return
	}
	if err != nil {
		return
	}
	defer lock.Close()
	switch {
	case tryLock(lock) != nil:
	case info.IsDir():
		_ = removeLocked(path)
	default:
		_ = os.Remove(path)
	}
}
