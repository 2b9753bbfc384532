package scratch

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Every File ends with Keep or Discard.
type File struct {
	*os.File
	target string
}

// Create begins a file that is to replace target. It is beside it, where a rename is one step, and has target's
// permissions if there is a target, else perm less the process's mask. Orphans of earlier files for the same target are
// removed.
func Create(target string, perm fs.FileMode) (*File, error) {
	dir, base := filepath.Split(target)
	if dir == "" {
		dir = "."
	}
	Sweep(dir, base)
	file, err := CreateIn(dir, target, perm)
	if err != nil {
		return nil, err
	}
	if info, err := os.Stat(target); err == nil && info.Mode().IsRegular() {
		if err := file.Chmod(info.Mode().Perm()); err != nil {
			return nil, errors.Join(err, file.Discard())
		}
	}
	return file, nil
}

// CreateIn is Create with the scratch file in a folder of the same file system. It removes no orphans: see Sweep.
func CreateIn(dir, target string, perm fs.FileMode) (*File, error) {
	name := func(random string) string { return filepath.Join(dir, orphanPrefix(filepath.Base(target))+random) }
	for {
		file, err := openNew(name, perm)
		if err != nil {
			return nil, err
		}
		if locked(file) {
			return &File{file, target}, nil
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

// KeepUnsynced gives the file its name without waiting for the disk: after a crash of the machine it may be damaged. It is
// for files that carry a checksum.
func (f *File) KeepUnsynced() error {
	if err := os.Rename(f.Name(), f.target); err != nil {
		return errors.Join(err, f.Discard())
	}
	return f.Close() // and with it the lock
}

// Discard removes the file.
func (f *File) Discard() error {
	return errors.Join(os.Remove(f.Name()), f.Close())
}

// Write makes data the content of target.
func Write(target string, data []byte, perm fs.FileMode) error {
	file, err := Create(target, perm)
	if err != nil {
		return err
	}
	if _, err := file.Write(data); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Keep()
}

// SyncFolder waits until the names in a folder are on the disk, where the system can do that.
func SyncFolder(dir string) {
	if folder, err := os.Open(dir); err == nil {
		_ = folder.Sync()
		_ = folder.Close()
	}
}
