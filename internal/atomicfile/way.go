package atomicfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// longest is how many bytes the last element of a path may have on nearly every file system.
const longest = 255

// mostDigits is how many digits the number in the name of a scratch file has at most.
const mostDigits = len("18446744073709551615")

// RoomBeside refuses a path whose name is so long that more bytes, which the names of our own beside it need, do not
// fit.
func RoomBeside(path string, more int) error {
	have := len(filepath.Base(path))
	if have+more <= longest {
		return nil
	}
	return Refuse("its name has %d bytes, and at most %d leave room for the names beside it while it is written: give a shorter name", have, longest-more)
}

// resolve is filepath.EvalSymlinks for a folder, and refuses every link on the way that another user may have planted.
func resolve(dir string) (string, error) {
	if !HasModes {
		return filepath.EvalSymlinks(dir)
	}
	const sep = string(filepath.Separator)
	target := sep
	if !filepath.IsAbs(dir) {
		here, err := os.Getwd()
		if err != nil {
			return "", err
		}
		if target, err = filepath.EvalSymlinks(here); err != nil {
			return "", err
		}
	}
	rest := strings.Split(dir, sep)
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			target = filepath.Dir(target) // there is no link in it any more
			continue
		}
		full := filepath.Join(target, name)
		info, err := os.Lstat(full)
		if err != nil {
			return "", err
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			target = full
			continue
		}
		if links++; links > mostLinks {
			return "", errCircle
		}
		if !trusted(info, target) {
			return "", errPlantedLink
		}
		to, err := os.Readlink(full)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(to) {
			target = sep
		}
		rest = append(strings.Split(to, sep), rest...)
	}
	return target, nil
}
