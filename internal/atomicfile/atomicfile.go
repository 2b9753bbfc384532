// Package atomicfile makes files and folders that are complete or absent: a file gets its name by a rename when all of
// it is written, so a reader sees the old file or the new one.
//
// A process that is killed leaves its temporary file. Every temporary file is locked while its process lives, by a lock
// that the system releases when the process ends in any way. A file with our kind of name and a free lock is an orphan,
// and the next process that writes to the same place removes it. No clock is asked.
//
// [Target] decides whether a file may be replaced. [Open] opens files in folders that others can write to.
package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// File is a file that is being written. Every File ends with Keep or Discard. Only its owner can open it before it is
// kept, because a lock that somebody else takes on it would make it look alive for ever.
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

// CreateIn begins a file that is to replace target, without a look at what stands there. The temporary file is in a
// folder of the same file system. No orphans are removed: see Sweep.
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

// finish gives the file permissions, owner and group of the file that it replaces, after another look at that.
func (f *File) finish() error {
	perm := f.perm &^ umask
	if f.look != nil {
		old, err := f.look(f.target)
		if err != nil {
			return err
		}
		if old != nil {
			perm = old.Mode().Perm()
			if !GiveOwner(f.Name(), old) {
				perm &^= 0o070
			}
		}
	}
	if info, err := f.Stat(); err == nil && HasModes && info.Mode().Perm() != perm {
		_ = f.Chmod(perm) // a file system without permissions is no reason to lose the file
	}
	return nil
}

// GiveOwner gives a file or folder owner and group of another one, as far as the system allows it, and says whether
// the group is that of the other one now.
func GiveOwner(name string, like fs.FileInfo) bool {
	info, err := os.Lstat(name)
	if err != nil {
		return false
	}
	user, group, known := Owner(like)
	haveUser, haveGroup, _ := Owner(info)
	if !known || haveUser == user && haveGroup == group {
		return true
	}
	return os.Lchown(name, user, group) == nil || haveGroup == group || os.Lchown(name, -1, group) == nil
}

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
