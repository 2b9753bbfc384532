package atomicfile

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
)

// Whoever may write to a folder can plant there what stops or steers the next one who opens it: a pipe that nobody
// writes to, a link to somewhere else, a device. What is opened in such places is opened here. Nothing is read here:
// how much memory a file may take is for those to say who know what it should hold.

// Open opens a regular file to be read. Anything else is an error and is not waited for, a link too.
func Open(name string) (*os.File, error) {
	return open(name, os.O_RDONLY|noFollow, 0, os.Lstat, WantRegular)
}

// OpenNamed is Open for a name that the user has given: a link is followed, but to a regular file only.
func OpenNamed(name string) (*os.File, error) {
	return open(name, os.O_RDONLY, 0, os.Stat, WantRegular)
}

// openOwn is Open for files that we have made ourselves: one of another user is an error.
func openOwn(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return open(name, flag|noFollow, perm, os.Lstat, func(name string, info fs.FileInfo) error {
		if !Own(info) {
			return &fs.PathError{Op: "open", Path: name, Err: errForeign}
		}
		return WantRegular(name, info)
	})
}

// plantedError says that a name leads to something that we have not put there.
type plantedError string

func (e plantedError) Error() string { return string(e) }

const errForeign = plantedError("it belongs to another user")

// open opens a file that is what is wanted. It looks before, since to open some devices has effects, and after, since
// what has the name may have changed in between.
func open(
	name string, flag int, perm fs.FileMode,
	look func(string) (fs.FileInfo, error), want func(string, fs.FileInfo) error,
) (*os.File, error) {
	info, err := look(name)
	switch {
	case err == nil:
		err = want(name, info)
	case os.IsNotExist(err) && flag&os.O_CREATE != 0:
		err = nil
	}
	if err != nil {
		var system *fs.PathError
		if errors.As(err, &system) {
			system.Op = "open" // what the caller wanted
		}
		return nil, err
	}
	file, err := os.OpenFile(name, flag|noWait, perm)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err == nil {
		err = want(name, info)
	}
	if err != nil {
		_ = file.Close()
		return nil, err
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
		0: "a regular file", fs.ModeDir: "a folder", fs.ModeSymlink: "a link", fs.ModeNamedPipe: "a pipe", fs.ModeSocket: "a socket",
		fs.ModeDevice: "a device", fs.ModeDevice | fs.ModeCharDevice: "a device",
	}[info.Mode().Type()], "something special")
}

// Own says whether a file or folder belongs to the user of this process.
func Own(info fs.FileInfo) bool {
	uid, _, ok := Owner(info)
	return !ok || uid == os.Geteuid()
}

// OpenFolder opens a folder so that what is in it is reached through it alone, wherever its name leads meanwhile. A
// link is an error.
func OpenFolder(name string) (*os.Root, error) {
	info, err := os.Lstat(name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: plantedError("it is " + Kind(info) + ", not a folder")}
	}
	root, err := os.OpenRoot(name + string(os.PathSeparator) + ".") // a pipe that took its place would make us wait, but has no "."
	if err != nil {
		return nil, err
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(info, opened) {
		return nil, errors.Join(&fs.PathError{Op: "open", Path: name, Err: errSwapped}, root.Close())
	}
	return root, nil
}

// OpenIn is Open for a file in an open folder.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err != nil {
		return nil, err
	}
	if err := WantRegular(name, info); err != nil {
		return nil, err
	}
	file, err := root.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if opened, err := file.Stat(); err != nil || !os.SameFile(info, opened) {
		_ = file.Close()
		return nil, &fs.PathError{Op: "open", Path: name, Err: errSwapped}
	}
	return file, nil
}

const errSwapped = plantedError("another took its place while it was opened")
