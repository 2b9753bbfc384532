package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Target is a file that is to get new content. It decides whether the file that is there may be replaced:
//
//   - A link is followed, and stays. A link that leads nowhere is refused.
//   - Only a regular file is replaced; devices and the streams of a process, such as /dev/stdout, are refused.
//   - A file that is read-only for its owner, one with several names (hard links), and one whose content Ours does not
//     give away are refused.
//   - The new file has the permissions of the old one, and its owner and group where the system allows it.
//
// The rules hold when the work begins, and again when it is done.
type Target struct {
	// Name is the name that the user has given.
	Name string
	// Ours returns an error for a file whose content must not be lost: why, and what to do. It gets the file open for
	// reading, whatever its size, and need not close it. If it is nil, any content may be lost.
	Ours func(old *os.File) error
}

// Refusal is the error for what must not be replaced: the user mends it with another name. It names no file.
type Refusal struct{ reason error }

func (r *Refusal) Error() string { return r.reason.Error() }

func (r *Refusal) Unwrap() error { return errors.Unwrap(r.reason) }

// Refuse returns a Refusal with a reason, which should name the fix too.
func Refuse(format string, args ...any) error { return &Refusal{fmt.Errorf(format, args...)} }

// Refused says whether an error is, or wraps, a Refusal.
func Refused(err error) bool {
	var refusal *Refusal
	return errors.As(err, &refusal)
}

// Check says whether the target can be written now: before a long work, say. It changes nothing.
func (t Target) Check() error {
	file, err := t.Create(0o600)
	if err != nil {
		return err
	}
	return file.Discard()
}

// IsStdout says whether the name stands for the standard output: "-", or a name such as /dev/stdout. That is to be
// written to, not to be replaced.
func (t Target) IsStdout() bool {
	if t.Name == "-" {
		return true
	}
	if _, err := Follow(t.Name); !errors.Is(err, errStream) {
		return false
	}
	named, err1 := os.Stat(t.Name)
	ours, err2 := os.Stdout.Stat()
	return err1 == nil && err2 == nil && os.SameFile(named, ours)
}

// Create begins the file that is to stand under the name. It is beside the target, where a rename is one step. A new
// file gets perm less the process's mask. Orphans of earlier files for the same target are removed.
func (t Target) Create(perm fs.FileMode) (*File, error) {
	path, err := Follow(t.Name)
	if err != nil {
		return nil, err
	}
	if _, err := t.look(path); err != nil {
		return nil, err
	}
	dir, base := filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	Sweep(dir, base)
	file, err := CreateIn(dir, path, perm)
	if err != nil {
		return nil, shorter(err)
	}
	file.look = t.look
	return file, nil
}

// Write makes data the content of the target.
func (t Target) Write(data []byte, perm fs.FileMode) error {
	file, err := t.Create(perm)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Keep()
}

// Errors of Follow.
var (
	errStream = Refuse("a stream of a process, not a file: name a file")
	errCircle = Refuse("links that lead in a circle: remove them, or give another name")
)

// mostLinks is how many links are followed, as by Linux.
const mostLinks = 40

// Follow returns the path behind the links that a name leads to. The file need not be there, if no link leads to it.
func Follow(name string) (string, error) {
	path := name
	for n := 0; ; n++ {
		if isStream(path) {
			return "", errStream
		}
		info, err := os.Lstat(path)
		switch {
		case errors.Is(err, fs.ErrNotExist) && n > 0:
			return "", Refuse("a link to nowhere: remove it, or give another name")
		case errors.Is(err, fs.ErrNotExist):
			return path, nil
		case err != nil:
			return "", shorter(err)
		case info.Mode()&fs.ModeSymlink == 0:
			return path, nil
		case n == mostLinks:
			return "", errCircle
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			dir, _ := filepath.Split(path)
			next = dir + next // not cleaned: ".." behind a link is not what it looks like
		}
		path = next
	}
}

// shorter makes a Refusal of the error that a name is too long, which temporary names beside it are sooner.
func shorter(err error) error {
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return Refuse("its name, or that of the temporary file beside it, is too long: give a shorter name")
	}
	return err
}

// isStream says whether a path is one of those under which Unix shows what a process has open.
func isStream(path string) bool {
	path, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	return slices.Contains([]string{"/dev/stdin", "/dev/stdout", "/dev/stderr"}, path) ||
		strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/")
}

// look returns what stands at a path without links, nil if there is nothing, and refuses what must not be replaced.
func (t Target) look(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, Refuse("%s, not a regular file: name one", Kind(info))
	case info.Mode().Perm()&0o200 == 0:
		return nil, Refuse("read-only, as its owner wants it: make it writable, or name another file")
	case links(info) > 1:
		return nil, Refuse(
			"a file with %d names (hard links), of which only this one would lead to the new content: remove it, or "+
				"name another file",
			links(info),
		)
	}
	if t.Ours == nil {
		return info, nil
	}
	old, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	return info, t.Ours(old)
}

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
