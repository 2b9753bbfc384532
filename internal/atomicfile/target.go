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
type Refusal struct{ error }

func (r *Refusal) Unwrap() error { return errors.Unwrap(r.error) }

// Refuse returns a Refusal with a reason, which should name the fix too.
func Refuse(format string, args ...any) error { return &Refusal{fmt.Errorf(format, args...)} }

// Refused says whether an error is, or wraps, a Refusal.
func Refused(err error) bool { return errors.As(err, new(*Refusal)) }

// Check says whether the target can be written now: before a long work, say. It changes nothing.
func (t Target) Check() error {
	file, err := t.Create(0o600)
	if err != nil {
		return err
	}
	return file.Discard()
}

// IsStdout says whether the name stands for the standard output: "-", or another name of it, such as /dev/stdout. That
// is to be written to, not to be replaced.
func (t Target) IsStdout() bool {
	named, err1 := os.Stat(t.Name)
	ours, err2 := os.Stdout.Stat()
	return t.Name == "-" || err1 == nil && err2 == nil && os.SameFile(named, ours)
}

// Create begins the file that is to stand under the name. It is beside the target, where a rename is one step. A new
// file gets perm less the process's mask. Orphans of earlier files for the same target are removed.
func (t Target) Create(perm fs.FileMode) (*File, error) {
	path, err := Follow(t.Name)
	if err != nil {
		return nil, err
	}
	switch old, err := t.look(path); {
	case err != nil:
		return nil, err
	case old != nil:
		perm = 0o600 // until Keep knows the readers
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

// streams are the paths under which Unix shows what a process has open.
var streams = regexp.MustCompile(`^/(dev/(stdin|stdout|stderr|fd/.*)|proc/.*)$`)

// mostLinks is how many links are followed, as by Linux.
const mostLinks = 40

// Follow returns the path behind the links that a name leads to. The file need not be there, if no link leads to it.
func Follow(name string) (string, error) {
	for path, n := name, 0; ; n++ {
		info, err := os.Lstat(path)
		switch missing := errors.Is(err, fs.ErrNotExist); {
		case streams.MatchString(path):
			return "", Refuse("a stream of a process, not a file: name a file")
		case missing && n > 0:
			return "", Refuse("a link to nowhere: remove it, or give another name")
		case err != nil && !missing:
			return "", shorter(err)
		case missing, info.Mode()&fs.ModeSymlink == 0:
			return path, nil
		case n == mostLinks:
			return "", Refuse("links that lead in a circle: remove them, or give another name")
		}
		next, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		if !filepath.IsAbs(next) {
			dir, _ := filepath.Split(path)
			next = dir + next // not cleaned, as by temporary
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
		return nil, Refuse("a file with %d names (hard links), of which only this one would lead to the new content: "+
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
