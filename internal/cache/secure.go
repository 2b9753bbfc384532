package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// Secure makes a folder unless it exists, and returns an error if anybody but the user can write to it. That is so if
// the folder, a file in one of the folders within, or a folder above it belongs to another user, or if others may write
// to one of them. The names of the folders within are slash-separated; these folders need not exist. A folder that
// cannot be made is not an error, because it contains nothing.
//
// A checksum does not help against somebody who can change an entry, so the folder has to be protected. The user root
// is trusted, and so is the private group of an owner, which has the owner's number. A parent folder like /tmp is safe,
// too, because users cannot rename each other's files there. On systems without Unix owners, nothing is checked.
func Secure(dir string, within ...string) error {
	err := secure(dir, within)
	var open insecure
	if errors.As(err, &open) {
		return fmt.Errorf("%w, or off", err)
	}
	return err
}

// SecureTemporary returns an error if another user can replace a folder that the user makes in dir. That is so if dir
// or a folder above it belongs to another user, or if others may rename files there, which the sticky bit of /tmp
// prevents. The error does not say what dir is for.
func SecureTemporary(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if err := secureAbove(dir); err != nil {
		return err
	}
	return secureAbove(existing(dir))
}

func secure(dir string, within []string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	_ = os.MkdirAll(dir, 0o755)
	if err := secureAbove(filepath.Dir(dir)); err != nil {
		return err
	}
	target, err := filepath.EvalSymlinks(dir)
	if err != nil { // the folder could not be created
		return secureAbove(existing(dir))
	}
	if err := secureAbove(filepath.Dir(target)); err != nil {
		return err
	}
	if err := secureOne(target, false); err != nil {
		return err
	}
	if info, err := os.Stat(target); err == nil && !info.IsDir() {
		return insecure(dir + " is a file: name a folder of your own")
	}
	for _, name := range within {
		if err := secureBelow(filepath.Join(target, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// existing returns the target of a path, or the last existing folder on the way to it.
func existing(path string) string {
	for {
		if target, err := filepath.EvalSymlinks(path); err == nil || filepath.Dir(path) == path {
			return target
		}
		path = filepath.Dir(path)
	}
}

// secureAbove checks a folder and all folders above it.
func secureAbove(dir string) error {
	for {
		if err := secureOne(dir, true); err != nil {
			return err
		}
		if filepath.Dir(dir) == dir {
			return nil
		}
		dir = filepath.Dir(dir)
	}
}

// secureBelow checks a folder and everything in it, if it exists.
func secureBelow(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err := secureOne(path, false); err != nil {
			return err
		}
		return err
	})
}

// insecure is an error that says why a folder must not contain a cache, for example who can write to it, and what to do
// about it.
type insecure string

func (e insecure) Error() string { return string(e) }

// outside is the id that containers show for users outside of the container. Folders above the cache may belong to
// them.
const outside = 65534

// trusted reports whether the files of a user are trusted.
func trusted(user int, above bool) bool {
	return user == 0 || user == os.Geteuid() || above && user == outside
}

// secureOne checks one file, link or folder. above means that it is a folder above the cache.
func secureOne(path string, above bool) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	owner, _, known := atomicfile.Owner(info)
	switch {
	case !known, above && info.Mode()&(fs.ModeDir|fs.ModeSymlink) == 0: // a file, so no cache can be below it
	case !trusted(owner, above):
		return insecure(fmt.Sprintf("%s belongs to another user (%d), who could put wrong results and programs "+
			"there: name a folder of your own", path, owner))
	case info.Mode()&fs.ModeSymlink != 0: // the mode of a link means nothing
	case above && info.Mode()&fs.ModeSticky != 0:
	case othersMayWrite(info):
		return insecure(fmt.Sprintf("others can write to %s, and could put wrong results and programs there: run "+
			"chmod go-w on it, or name another folder", path))
	}
	return nil
}

// othersMayWrite reports whether anybody but its owner may write to a file or folder. An owner's private group, whose
// id equals the owner's, counts as the owner. Its users have the umask 002, so the group may write to everything that
// they create.
func othersMayWrite(info fs.FileInfo) bool {
	owner, group, _ := atomicfile.Owner(info)
	return info.Mode()&0o002 != 0 || info.Mode()&0o020 != 0 && owner != group
}
