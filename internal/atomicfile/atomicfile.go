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
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"time"
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
	name := filepath.Join(dir, orphanPrefix(filepath.Base(target)))
	for {
		random := strconv.FormatUint(leastNumber+rand.Uint64N(math.MaxUint64-leastNumber), 10)
		file, err := os.OpenFile(name+random, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600) // for its owner alone
		switch {
		case errors.Is(err, fs.ErrExist):
		case err != nil:
			return nil, err
		case locked(file):
			return &File{File: file, target: target, perm: perm}, nil
		default:
			_ = file.Close() // another process took it for an orphan before it was locked: nothing is lost
		}
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

// In a folder that others can write to, a name can lead to a pipe that nobody writes to, to a link, or to a device. The
// functions below open regular files only, and wait for nothing.

// Open opens a regular file to be read. Anything else is an error and is not waited for, a link too.
func Open(name string) (*os.File, error) {
	return open(name, os.O_RDONLY|noFollow, 0, os.Lstat)
}

// OpenNamed is Open for a name that the user has given: a link is followed, but to a regular file only.
func OpenNamed(name string) (*os.File, error) {
	return open(name, os.O_RDONLY, 0, os.Stat)
}

// open opens a regular file, by a look before and after.
func open(name string, flag int, perm fs.FileMode, look func(string) (fs.FileInfo, error)) (*os.File, error) {
	if info, err := look(name); err == nil {
		if err := WantRegular(name, info); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(name, flag|noWait, perm)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = WantRegular(name, info)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return file, nil
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
		fs.ModeSocket: "a socket",
		fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
	}[info.Mode().Type()], "something special")
}

// own says whether a file or folder belongs to the user of this process.
func own(info fs.FileInfo) bool {
	uid, _, ok := Owner(info)
	return !ok || uid == os.Geteuid()
}

// OthersMayWrite says whether anybody but its owner may write a file or folder. The private group of an owner, which
// has his number, is he himself: under a mask of 002, which its users have, all that is made is open to it.
func OthersMayWrite(info fs.FileInfo) bool {
	owner, group, known := Owner(info)
	switch info.Mode() & 0o022 {
	case 0:
		return false
	case 0o020:
		return !known || owner != group
	}
	return true
}

// lockPoll is how long one waits before trying again for a lock that somebody has.
const lockPoll = 20 * time.Millisecond

// Errors of tryLock, besides those of the file system.
var (
	errBusy    = errors.New("somebody else has the lock")
	errNoLocks = errors.New("the locks of this system are not known here")
)

// Lock waits for the exclusive lock on a file, which it makes and, on unlock, removes; one that is not empty, and so
// not ours, stays. It keeps goroutines and processes apart, and is free again when its process ends, however it ends.
// Nobody else can open the file, since who can open it can lock it. Lock refuses anything but a regular file; the other
// errors are ctx's and those of the file system.
func Lock(ctx context.Context, name string) (unlock func(), err error) {
	for {
		file, err := open(name, os.O_RDWR|os.O_CREATE|noFollow, 0o600, os.Lstat)
		if err != nil {
			return nil, err
		}
		if err := wait(ctx, file); err != nil {
			return nil, errors.Join(err, file.Close())
		}
		// The holder before us removed the file that we had opened: a lock on it excludes nobody.
		if hasName(file) {
			return func() {
				info, err := file.Stat()
				_ = release(file, func() error {
					if err == nil && info.Size() == 0 { // else the user has a file of that name
						_ = os.Remove(name)
					}
					return nil
				})
			}, nil
		}
		_ = file.Close()
	}
}

// wait waits until the file is locked, or until it is known that this system has no locks.
func wait(ctx context.Context, file *os.File) error {
	for {
		switch err := tryLock(file); {
		case err == nil, errors.Is(err, errNoLocks):
			return nil
		case !errors.Is(err, errBusy):
			return &os.PathError{Op: "lock", Path: file.Name(), Err: err}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lockPoll):
		}
	}
}

// hasName says whether an open file still has the name under which it was opened.
func hasName(file *os.File) bool {
	ours, err1 := file.Stat()
	named, err2 := os.Lstat(file.Name())
	return err1 == nil && err2 == nil && os.SameFile(ours, named)
}
