package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// Secure creates a folder unless it exists, and returns an error if anybody but the user can write to it. This is the
// case if the folder, a file in one of the folders within, or a parent folder belongs to another user, or if others may
// write to one of them. The names in within are slash-separated paths inside the folder; these folders need not exist.
// If the folder cannot be created, that is not an error, because there are no entries to protect.
//
// A checksum does not help against somebody who can change an entry, so the folder must be protected. The user root is
// trusted, and so is an owner's private group, whose ID equals the owner's ID. A parent folder like /tmp is safe, too,
// because users cannot rename each other's files there. On systems without Unix owners, nothing is checked.
func Secure(dir string, within ...string) error {
	err := secure(dir, within)
	var open insecure
	if errors.As(err, &open) {
		return fmt.Errorf("%w, or off", err)
	}
	return err
}

// SecureTemporary returns an error if another user can replace a folder that the user creates in dir. This is the case
// if dir or one of its parent folders belongs to another user, or if others may rename files there. (The sticky bit of
// /tmp prevents renaming.) The error does not mention what dir is for.
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

// existing resolves a path. If the path does not exist, it resolves the last folder on the path that does.
func existing(path string) string {
	for {
		if target, err := filepath.EvalSymlinks(path); err == nil || filepath.Dir(path) == path {
			return target
		}
		path = filepath.Dir(path)
	}
}

// secureAbove checks a folder and all its parent folders.
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

// secureBelow checks a folder, if it exists, and everything in it.
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

// insecure is an error that explains why a folder must not contain a cache, for example who can write to it, and what
// to do about it.
type insecure string

func (e insecure) Error() string { return string(e) }

// outside is the user ID that containers show for users outside the container. Folders above the cache may belong to
// them.
const outside = 65534

// trusted reports whether files that belong to a user are trusted.
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
	case !known, above && info.Mode()&(fs.ModeDir|fs.ModeSymlink) == 0: // a file, so no cache can be in it
	case !trusted(owner, above):
		return insecure(fmt.Sprintf("%s belongs to another user (%d), who could put wrong results and programs "+
			"there: name a folder of your own", path, owner))
	case info.Mode()&fs.ModeSymlink != 0: // the mode of a link has no effect
	case above && info.Mode()&fs.ModeSticky != 0:
	case othersMayWrite(info):
		return insecure(fmt.Sprintf("others can write to %s, and could put wrong results and programs there: run "+
			"chmod go-w on it, or name another folder", path))
	}
	return nil
}

// othersMayWrite reports whether anybody but its owner may write to a file or folder. An owner's private group, whose
// ID equals the owner's ID, counts as the owner. Systems with private groups set the umask to 002, so the group may
// write to every file that a user creates.
func othersMayWrite(info fs.FileInfo) bool {
	owner, group, _ := atomicfile.Owner(info)
	return info.Mode()&0o002 != 0 || info.Mode()&0o020 != 0 && owner != group
}
