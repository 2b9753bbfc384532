package atomicfile

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
)

// Target is a file to be written. An existing file is replaced according to these rules:
//
//   - A link is kept, and its target is replaced. A link without a target is refused.
//   - Only regular files are replaced; devices and the streams of a process, such as /dev/stdout, are refused.
//   - A file is refused if it is read-only for its owner, if it has several names (hard links), or if Ours returns an
//     error for its content.
//   - The new file gets the permissions of the old file, and its owner and group if the system allows it.
//
// The rules are checked at the beginning and again at the end.
type Target struct {
	// Name is the name that the user gave.
	Name string
	// Ours returns an error for a file whose content must not be lost. The error says why, and what to do. Ours gets
	// the open file, of any size, and need not close it. If Ours is nil, any content may be lost.
	Ours func(old *os.File) error
}

// Refusal is the error for a file that must not be replaced. The user has to name another file. The error does not
// contain the file's name.
type Refusal struct{ error }

func (r *Refusal) Unwrap() error { return errors.Unwrap(r.error) }

// Refuse returns a Refusal with a reason. The text should also say what to do.
func Refuse(format string, args ...any) error { return &Refusal{fmt.Errorf(format, args...)} }

// Refused reports whether an error is, or wraps, a Refusal.
func Refused(err error) bool { return errors.As(err, new(*Refusal)) }

// Check returns an error if the target cannot be written now. Callers use it before long work. It changes nothing.
func (t Target) Check() error {
	file, err := t.Create(0o600)
	if err != nil {
		return err
	}
	return file.Discard()
}

// IsStdout reports whether the name refers to the standard output: "-", or another name for it, such as /dev/stdout.
// Callers then write to it instead of replacing it.
func (t Target) IsStdout() bool {
	named, err1 := os.Stat(t.Name)
	ours, err2 := os.Stdout.Stat()
	return t.Name == "-" || err1 == nil && err2 == nil && os.SameFile(named, ours)
}

// Create creates a file that will replace the target. The temporary file is in the same folder, so that the rename is
// atomic. If there is no file to replace, the new file gets the permissions perm, without the process's umask. Create
// removes orphans of earlier files for the same target.
func (t Target) Create(perm fs.FileMode) (*File, error) {
	path, err := Follow(t.Name)
	if err != nil {
		return nil, err
	}
	switch old, err := t.look(path); {
	case err != nil:
		return nil, err
	case old != nil:
		perm = 0o600 // until Keep sets the permissions
	}
	dir, base := filepath.Split(path)
	dir = cmp.Or(dir, ".")
	Sweep(dir, base)
	file, err := CreateIn(dir, path, perm)
	if err == nil {
		file.look = t.look
	}
	return file, err
}

// Write replaces the content of the target with data.
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

// streams matches the paths of a process's open files on Unix.
var streams = regexp.MustCompile(`^/(dev/(stdin|stdout|stderr|fd/.*)|proc/.*)$`)

// mostLinks is the maximum number of links that Follow follows, as on Linux.
const mostLinks = 40

// Follow returns the path after following all links. If name is not a link, the file need not exist.
func Follow(name string) (string, error) {
	for path, n := name, 0; ; n++ {
		info, err := os.Lstat(path)
		switch missing := errors.Is(err, fs.ErrNotExist); {
		case streams.MatchString(path):
			return "", Refuse("a stream of a process, not a file: name a file")
		case missing && n > 0:
			return "", Refuse("a link to a missing file: remove it, or give another name")
		case err != nil && !missing:
			return "", shorter(err)
		case missing, info.Mode()&fs.ModeSymlink == 0:
			return path, nil
		case n == mostLinks:
			return "", Refuse("links that form a cycle: remove them, or give another name")
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			dir, _ := filepath.Split(path)
			next = dir + next // does not clean the path, as in temporary
		}
		path = next
	}
}

// shorter turns an error about a name that is too long into a Refusal. The name of the temporary file is longer than
// the target's name.
func shorter(err error) error {
	if errors.Is(err, syscall.ENAMETOOLONG) {
		return Refuse("the name, or the name of the temporary file, is too long: give a shorter name")
	}
	return err
}

// look returns information about the file at a path without links, or nil if nothing is there. It refuses a file that
// must not be replaced.
func (t Target) look(path string) (fs.FileInfo, error) {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, Refuse("%s, not a regular file: name a regular file", Kind(info))
	case info.Mode().Perm()&0o200 == 0:
		return nil, Refuse("read-only: make it writable, or name another file")
	case links(info) > 1:
		return nil, Refuse("a file with %d names (hard links), and only this one would get the new content: "+
			"remove it, or name another file", links(info))
	case t.Ours == nil:
		return info, nil
	}
	old, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer old.Close()
	return info, t.Ours(old)
}
