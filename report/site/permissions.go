package site

import (
	"errors"
	"io/fs"
	"os"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// permissions are those of everything in a report that is to be replaced, by name. Who could read that can read the new
// one, and nobody else, whatever the mask of the process is.
type permissions map[string]fs.FileMode

// permissionsOf reads the permissions of a report. Writing is for its owner alone.
func permissionsOf(dir string) (permissions, error) {
	root, err := atomicfile.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	found := permissions{}
	return found, fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		mode := info.Mode() & (fs.ModeType | fs.ModePerm)
		if atomicfile.OthersMayWrite(info) {
			mode &^= 0o022
		}
		found[name] = mode
		return nil
	})
}

// of returns the permissions of a file or folder of the new report: those that it had. What is new is as open as the
// front page, or as the folder where there is none. We ourselves can always read and remove it.
func (p permissions) of(name string, folder bool) fs.FileMode {
	mode, ok := p[name]
	if kept := ok && mode.Type() == wanted(folder); !kept {
		if mode, ok = p["index.html"]; !ok || !mode.IsRegular() {
			mode = p["."]
		}
		mode &= 0o666
		if folder {
			mode |= mode & 0o444 >> 2
		}
	}
	if folder {
		return mode.Perm() | 0o700
	}
	return mode.Perm() | 0o400
}

// wanted is the type of a folder, or of a regular file.
func wanted(folder bool) fs.FileMode {
	if folder {
		return fs.ModeDir
	}
	return 0
}

// adopt gives a new folder the permissions of the one that it is to replace, and its owner and group, with everything
// in it, as far as we may. Until then nobody else could look into it.
func adopt(root *os.Root, target string) error {
	if !atomicfile.HasModes {
		return nil
	}
	top, err := root.Open(".")
	if err != nil {
		return err
	}
	defer top.Close()
	old, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return top.Chmod(atomicfile.Masked(0o755))
	}
	if err != nil {
		return err
	}
	found, err := permissionsOf(target)
	if err != nil {
		return err
	}
	have, err := top.Stat()
	if err != nil {
		return err
	}
	limit := func(mode fs.FileMode) fs.FileMode { return mode }
	user, group, _ := atomicfile.Owner(old)
	if haveUser, haveGroup, _ := atomicfile.Owner(have); haveUser != user || haveGroup != group {
		if !giveAll(root, top, user, group) {
			limit = withoutGroup
		}
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		return root.Chmod(name, limit(found.of(name, entry.IsDir()))|info.Mode()&fs.ModeSetgid)
	})
	if err != nil {
		return err
	}
	return top.Chmod(limit(old.Mode() & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky)))
}

// withoutGroup gives a group that is not the old one no more than everybody.
func withoutGroup(mode fs.FileMode) fs.FileMode {
	forAll := mode & 0o007 << 3
	return mode&^(0o070|fs.ModeSetgid) | mode&forAll
}

// giveAll changes owner and group of a folder and everything in it, the folder last, and says whether the group is as
// it should be. Who may not give files away may often give them to another group.
func giveAll(root *os.Root, top *os.File, user, group int) bool {
	give := func(change func(user, group int) error) error {
		err := change(user, group)
		if err != nil {
			err = change(-1, group)
		}
		return err
	}
	_ = fs.WalkDir(root.FS(), ".", func(name string, _ fs.DirEntry, err error) error {
		if err == nil && name != "." {
			_ = give(func(user, group int) error { return root.Lchown(name, user, group) })
		}
		return err
	})
	return give(top.Chown) == nil
}
