package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Every File ends with Keep or Discard. Until it is kept, nobody but its owner
// can open it: a lock that somebody else takes on it would make it look alive for ever.
type File struct {
	*os.File
	target string
	perm   fs.FileMode
	look   func(path string) (fs.FileInfo, error) // what the new file replaces; nil if that is never looked at
}

// Write makes data the content of target, whatever is in it: see Target.
func Write(target string, data []byte, perm fs.FileMode) error {
	return Target{Name: target}.Write(data, perm)
}

// CreateIn begins a file that is to replace target, which is a name that only this program gives and is not looked at.
// The scratch file is in a folder of the same file system. No orphans are removed: see Sweep.
func CreateIn(dir, target string, perm fs.FileMode) (*File, error) {
	name := func(random string) string { return filepath.Join(dir, orphanPrefix(filepath.Base(target))+random) }
	for {
		file, err := openNew(name)
		if err != nil {
			return nil, err
		}
		if locked(file) {
			return &File{File: file, target: target, perm: perm}, nil
		}
		_ = file.Close() // somebody swept between our opening and our locking: nothing is lost
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
	SyncFolder(filepath.Dir(f.target))
	return nil
}

// KeepUnsynced gives the file its name without waiting for the disk: after a crash of the machine it may be damaged. It
// is for files that carry a checksum.
func (f *File) KeepUnsynced() error {
	if err := f.finish(); err != nil {
		return errors.Join(err, f.Discard())
	}
	return release(f.File, func() error {
		if err := os.Rename(f.Name(), f.target); err != nil {
			return errors.Join(err, os.Remove(f.Name()))
		}
		return nil
	})
}

// release gives up a file's lock, after a last step if the system allows that step with an open file.
func release(file *os.File, last func() error) error {
	if !keepsOpen {
		_ = file.Close()
		return last()
	}
	return errors.Join(last(), file.Close())
}

// finish gives the file what the one has that it replaces, after another look at that.
func (f *File) finish() error {
	if f.look != nil {
		old, err := f.look(f.target)
		if err != nil {
			return err
		}
		if old != nil {
			return adopt(f.File, old)
		}
	}
	_ = chmod(f.File, Masked(f.perm)) // a file system without permissions is no reason to lose the file
	return nil
}

// Masked returns the permissions that a new file or folder gets: perm less the process's mask.
func Masked(perm fs.FileMode) fs.FileMode { return perm &^ umask }

// Discard removes the file.
func (f *File) Discard() error {
	return release(f.File, func() error { return os.Remove(f.Name()) })
}

// SyncFolder waits until the names in a folder are on the disk, where the system can do that.
func SyncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
