// Package atomicfile makes files and folders that are complete or absent: a file gets its name by a rename when all of
// it is written, so a reader sees the old file or the new one.
//
// A process that is killed leaves its temporary file or folder. Each is locked while its process lives, by a lock that
// the system releases when the process ends in any way. One with our kind of name and a free lock is an orphan, and the
// next process that writes to the same place removes it. No clock is asked.
package atomicfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"time"
)

// HasModes says whether files have permissions for their owner, a group and others.
const HasModes = runtime.GOOS != "windows"

// File is a file that is being written. Every File ends with Keep or Discard.
type File struct {
	*os.File
	path string
	look func(path string) (fs.FileInfo, error) // what the new file replaces; nil if that is never looked at
}

// CreateIn begins a file that is to replace another one, without a look at what stands there. The temporary file is in
// a folder of the same file system. No orphans are removed: see Sweep.
func CreateIn(dir, path string, perm fs.FileMode) (*File, error) {
	for {
		name := temporary(dir, filepath.Base(path))
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, perm)
		if err != nil {
			return nil, shorter(err)
		}
		if locked(file) {
			return &File{File: file, path: path}, nil
		}
		_ = file.Close() // another process took it for an orphan before it was locked: nothing is lost
	}
}

// Keep gives the file its name, when all of it is on the disk.
func (f *File) Keep() error {
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Discard())
	}
	if err := f.KeepUnsynced(); err != nil {
		return err
	}
	SyncFolder(filepath.Dir(f.path))
	return nil
}

// KeepUnsynced gives the file its name without waiting for the disk: after a crash of the machine it may be damaged. It
// is for files that carry a checksum.
func (f *File) KeepUnsynced() error {
	if f.look != nil {
		old, err := f.look(f.path)
		if err != nil {
			return errors.Join(err, f.Discard())
		}
		if old != nil {
			perm := old.Mode().Perm()
			if !GiveOwner(f.Name(), old) {
				perm &^= 0o070
			}
			_ = f.Chmod(perm) // a file system without permissions is no reason to lose the file
		}
	}
	return release(f.File, func() error {
		err := os.Rename(f.Name(), f.path)
		if err != nil {
			_ = os.Remove(f.Name())
		}
		return err
	})
}

// Discard removes the file.
func (f *File) Discard() error {
	return release(f.File, func() error { return os.Remove(f.Name()) })
}

// release gives up a file's lock, after a last step if the system allows that step with an open file.
func release(file *os.File, last func() error) error {
	if runtime.GOOS == "windows" {
		_ = file.Close()
		return last()
	}
	return errors.Join(last(), file.Close())
}

// GiveOwner gives a file or folder owner and group of another one, as far as the system allows it, and says whether
// the group is that of the other one now.
func GiveOwner(name string, like fs.FileInfo) bool {
	user, group, known := Owner(like)
	return !known || os.Lchown(name, user, group) == nil || os.Lchown(name, -1, group) == nil
}

// SyncFolder waits until the names in a folder are on the disk, where the system can do that.
func SyncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// Open opens a regular file to be read. Anything else is an error and is not waited for, a link too.
func Open(name string) (*os.File, error) { return open(name, os.Lstat) }

// OpenNamed is Open for a name that the user has given: a link is followed, but to a regular file only.
func OpenNamed(name string) (*os.File, error) { return open(name, os.Stat) }

func open(name string, look func(string) (fs.FileInfo, error)) (*os.File, error) {
	if info, err := look(name); err == nil {
		if err := WantRegular(name, info); err != nil {
			return nil, err
		}
	}
	return os.Open(name)
}

// WantRegular returns an error that says what a file is if it is no regular one.
func WantRegular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is " + Kind(info) + ", not a regular file")}
}

// Kind names the kind of a file: "a link".
func Kind(info fs.FileInfo) string {
	return cmp.Or(map[fs.FileMode]string{
		0: "a regular file", fs.ModeDir: "a folder", fs.ModeSymlink: "a link", fs.ModeNamedPipe: "a pipe",
		fs.ModeSocket: "a socket", fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
	}[info.Mode().Type()], "something special")
}

// Folder is a temporary folder.
type Folder struct {
	// Path is its absolute path.
	Path string
	lock *os.File
}

// NewFolder makes a folder in parent, the system's folder for temporary files if it is empty, and removes the orphans
// of the same name there.
func NewFolder(parent, name string) (*Folder, error) {
	parent, err := filepath.Abs(cmp.Or(parent, os.TempDir()))
	if err != nil {
		return nil, err
	}
	Sweep(parent, name)
	for {
		path := temporary(parent, name)
		if err := os.Mkdir(path, 0o700); err != nil {
			return nil, shorter(err)
		}
		lock, err := os.Open(path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // swept before it was locked
		case err != nil:
			return nil, errors.Join(err, os.Remove(path))
		case locked(lock):
			return &Folder{path, lock}, nil
		default:
			_ = lock.Close()
		}
	}
}

// Remove removes the folder and all that is in it.
func (f *Folder) Remove() error {
	return release(f.lock, func() error { return os.RemoveAll(f.Path) })
}

// temporary returns a path in dir for a temporary file or folder of a name; scratch is the form of its last part. The
// path is not cleaned: ".." behind a link is not what it looks like.
func temporary(dir, name string) string {
	return fmt.Sprintf("%s%c.%s.siegebook-part-%020d", dir, filepath.Separator, name, rand.Uint64())
}

var scratch = regexp.MustCompile(`^\.(.*)\.siegebook-part-\d{16,}$`)

// Sweep removes the orphans of a name in a folder, those of all names if it is empty, as far as they can be removed.
func Sweep(dir, name string) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		form := scratch.FindStringSubmatch(entry.Name())
		if form == nil || name != "" && name != form[1] || !entry.IsDir() && !entry.Type().IsRegular() {
			continue
		}
		if file, err := os.Open(dir + string(filepath.Separator) + entry.Name()); err == nil {
			if free, _ := tryLock(file); free && hasName(file) {
				_ = os.RemoveAll(file.Name())
			}
			_ = file.Close()
		}
	}
}

// locked takes the lock of a file or folder. It is false if another process has the lock, or has removed the name. On
// file systems without locks it is true, and nothing is ever taken for an orphan.
func locked(file *os.File) bool {
	_, busy := tryLock(file)
	return !busy && hasName(file)
}

// hasName says whether an open file still has the name under which it was opened.
func hasName(file *os.File) bool {
	ours, err1 := file.Stat()
	named, err2 := os.Lstat(file.Name())
	return err1 == nil && err2 == nil && os.SameFile(ours, named)
}

// lockPoll is how long one waits before trying again for a lock that somebody has.
const lockPoll = 20 * time.Millisecond

// Lock waits for the exclusive lock on a file, which it makes and, on unlock, removes; one that is not empty, and so
// not ours, stays. It keeps goroutines and processes apart, and is free again when its process ends, however it ends.
// The errors are ctx's and those of the file system.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return nil, err
		}
		if locked(file) {
			return func() {
				info, err := file.Stat()
				_ = release(file, func() error {
					if err != nil || info.Size() > 0 {
						return err
					}
					return os.Remove(name)
				})
			}, nil
		}
		_ = file.Close()
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}
