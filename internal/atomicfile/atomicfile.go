// Package atomicfile writes files and folders that are complete or absent. A file is renamed to its final name only
// after it is completely written, so a reader sees either the old file or the new file.
//
// A killed process leaves its temporary file or folder behind. Each is locked while its process runs. The system
// releases the lock however the process ends. A temporary file whose lock is free is an orphan, and the next process
// that writes to the same place removes it. The package uses no timestamps.
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

// HasModes reports whether files have permissions for their owner, a group and others.
const HasModes = runtime.GOOS != "windows"

// File is a file that is being written. Every File must end with Keep or Discard.
type File struct {
	*os.File
	path string
	look func(path string) (fs.FileInfo, error) // returns the file to be replaced; nil if nobody needs to know
}

// CreateIn creates a file that will replace path, without checking what is there. The temporary file is in dir, which
// must be on the same file system. It removes no orphans: see Sweep.
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
		_ = file.Close() // another process removed the file as an orphan before it was locked; nothing is lost
	}
}

// Keep gives the file its name after its whole content is on the disk.
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

// KeepUnsynced gives the file its name without waiting for the disk. After a crash of the machine the file may be
// damaged, so it should have a checksum.
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
			_ = f.Chmod(perm) // ignores the error: the file system may not support permissions
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

// release releases a file's lock. It calls last before releasing the lock if the system allows that while the file is
// open, and otherwise afterwards.
func release(file *os.File, last func() error) error {
	if runtime.GOOS == "windows" {
		_ = file.Close()
		return last()
	}
	return errors.Join(last(), file.Close())
}

// GiveOwner gives a file or folder the owner and group of another file, as far as the system allows. It reports whether
// both now have the same group.
func GiveOwner(name string, like fs.FileInfo) bool {
	user, group, known := Owner(like)
	return !known || os.Lchown(name, user, group) == nil || os.Lchown(name, -1, group) == nil
}

// SyncFolder waits until the names in a folder are on the disk, if the system supports that.
func SyncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}

// Open opens a regular file for reading. For anything else, including a link, it returns an error without blocking.
func Open(name string) (*os.File, error) { return open(name, os.Lstat) }

// OpenNamed opens a file with a name that the user has given. Unlike Open it follows links, but only to a regular file.
func OpenNamed(name string) (*os.File, error) { return open(name, os.Stat) }

func open(name string, look func(string) (fs.FileInfo, error)) (*os.File, error) {
	if info, err := look(name); err == nil {
		if err := WantRegular(name, info); err != nil {
			return nil, err
		}
	}
	return os.Open(name)
}

// WantRegular returns an error that describes the kind of a file, unless it is a regular file.
func WantRegular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: name, Err: errors.New(Kind(info) + ", not a regular file")}
}

// Kind returns the kind of a file in words, such as "a link".
func Kind(info fs.FileInfo) string {
	return cmp.Or(map[fs.FileMode]string{
		0: "a regular file", fs.ModeDir: "a folder", fs.ModeSymlink: "a link", fs.ModeNamedPipe: "a pipe",
		fs.ModeSocket: "a socket", fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
	}[info.Mode().Type()], "a special file")
}

// Folder is a temporary folder.
type Folder struct {
	// Path is the absolute path.
	Path string
	lock *os.File
}

// NewFolder creates a folder in parent, and removes orphans of the same name there. If parent is "", it uses the
// system's folder for temporary files.
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
		case errors.Is(err, fs.ErrNotExist): // another process removed the folder as an orphan before it was locked
		case err != nil:
			return nil, errors.Join(err, os.Remove(path))
		case locked(lock):
			return &Folder{path, lock}, nil
		default:
			_ = lock.Close()
		}
	}
}

// Remove removes the folder and everything in it.
func (f *Folder) Remove() error {
	return release(f.lock, func() error { return os.RemoveAll(f.Path) })
}

// temporary returns a path in dir for a temporary file or folder. The pattern scratch matches the path's last element.
// temporary does not clean the path, because ".." after a link may not lead to the folder that contains the link.
func temporary(dir, name string) string {
	return fmt.Sprintf("%s%c.%s.siegebook-part-%020d", dir, filepath.Separator, name, rand.Uint64())
}

var scratch = regexp.MustCompile(`^\.(.*)\.siegebook-part-\d{16,}$`)

// Sweep removes the orphans of a name in a folder, or all orphans if name is "", as far as it can.
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

// locked takes the lock on a file or folder. It returns false if another process holds the lock or has removed the
// file. On file systems without locks, it returns true, and files are never removed as orphans.
func locked(file *os.File) bool {
	_, busy := tryLock(file)
	return !busy && hasName(file)
}

// hasName reports whether an open file still has the name under which it was opened.
func hasName(file *os.File) bool {
	ours, err1 := file.Stat()
	named, err2 := os.Lstat(file.Name())
	return err1 == nil && err2 == nil && os.SameFile(ours, named)
}

// lockPoll is the pause between two attempts to take a lock.
const lockPoll = 20 * time.Millisecond

// Lock waits for the exclusive lock on a file. It creates the file if necessary, and unlock removes it. If the file is
// not empty, it belongs to somebody else, and unlock does not remove it. The lock excludes other goroutines and
// processes. The system releases it however the process ends. The error comes from the context or from the file system.
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
