package atomicfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
)

// In a folder that others can write to, a name can lead to a pipe that nobody writes to, to a link, or to a device. The
// functions below open regular files only, and wait for nothing.

// Open opens a regular file to be read. Anything else is an error and is not waited for, a link too.
func Open(name string) (*os.File, error) {
	return open(name, os.O_RDONLY|noFollow, 0, os.Lstat, WantRegular)
}

// OpenNamed is Open for a name that the user has given: a link is followed, but to a regular file only.
func OpenNamed(name string) (*os.File, error) {
	return open(name, os.O_RDONLY, 0, os.Stat, WantRegular)
}

// openOwn is Open for files that we have made ourselves: a file of another user is an error.
func openOwn(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return open(name, flag|noFollow, perm, os.Lstat, func(name string, info fs.FileInfo) error {
		if !own(info) {
			return &fs.PathError{Op: "open", Path: name, Err: errForeign}
		}
		return WantRegular(name, info)
	})
}

// plantedError says that a name leads to something that we have not put there.
type plantedError string

func (e plantedError) Error() string { return string(e) }

const errForeign = plantedError("it belongs to another user")

// open opens a file that is what is wanted, by a look before and after.
func open(
	name string, flag int, perm fs.FileMode,
	look func(string) (fs.FileInfo, error), want func(string, fs.FileInfo) error,
) (*os.File, error) {
	if info, err := look(name); err == nil {
		if err := want(name, info); err != nil {
			return nil, err
		}
	}
	file, err := os.OpenFile(name, flag|noWait, perm)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = want(name, info)
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
	return &fs.PathError{Op: "open", Path: name, Err: plantedError("it is " + Kind(info) + ", not a regular file")}
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
