package site

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// Diff is how a folder differs from a tree: slash-separated names, each list sorted.
type Diff struct {
	Missing, Extra, Different []string
	// NoFile are names that lead to something else than a regular file, a link to an equal file included.
	NoFile []string
	// Writable may be written by more than their owner: see atomicfile.OthersMayWrite. Unreadable are closed to some to
	// whom the most readable file of the folder is open: a first build makes all of them alike, and later ones keep
	// what they find.
	Writable, Unreadable []string
}

// Empty tells that there is no difference.
func (d Diff) Empty() bool { return len(d.Lines()) == 0 }

// Lines lists the differences, a file a line. A name may hold any characters, a line feed too.
func (d Diff) Lines() []string {
	var lines []string
	add := func(what string, names []string) {
		for _, name := range names {
			lines = append(lines, what+": "+name)
		}
	}
	add("missing", d.Missing)
	add("extra", d.Extra)
	add("different", d.Different)
	add("not a file", d.NoFile)
	add("others may write", d.Writable)
	add("not as readable as the rest", d.Unreadable)
	return lines
}

// Check compares the folder dir with what Publish would write there. A dir that does not exist lacks every file. The
// error is one of reading.
func Check(dir string, tree Tree) (Diff, error) {
	want := tree.withSums()
	target, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Diff{Missing: slices.Sorted(maps.Keys(want))}, nil
	}
	if err != nil {
		return Diff{}, err
	}
	root, err := atomicfile.OpenFolder(target)
	if err != nil {
		return Diff{}, err
	}
	defer root.Close()
	return compare(root, want)
}

func compare(root *os.Root, want Tree) (Diff, error) {
	var d Diff
	found, err := listFiles(root.FS())
	if err != nil {
		return d, err
	}
	for _, name := range found {
		if _, ok := want[name]; !ok {
			d.Extra = append(d.Extra, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !slices.Contains(found, name) {
			d.Missing = append(d.Missing, name)
			continue
		}
		info, err := root.Lstat(name)
		if err != nil {
			return d, err
		}
		if !info.Mode().IsRegular() {
			d.NoFile = append(d.NoFile, name)
			continue
		}
		same, err := hasContent(root, name, info.Size(), want[name])
		if err != nil {
			return d, err
		}
		if !same {
			d.Different = append(d.Different, name)
		}
	}
	if atomicfile.HasModes {
		d.Writable, d.Unreadable, err = oddModes(root)
	}
	return d, err
}

// hasContent says whether a regular file of a size holds what it should. One of another size is not read.
func hasContent(root *os.Root, name string, size int64, want []byte) (bool, error) {
	if size != int64(len(want)) {
		return false, nil
	}
	data, err := readIn(root, name, int64(len(want)))
	var grown *limitedread.TooLarge
	if errors.As(err, &grown) {
		return false, nil
	}
	return bytes.Equal(data, want), err
}

// oddModes looks at the permissions of everything in a folder. Those of the folder itself are its owner's business.
func oddModes(root *os.Root) (writable, unreadable []string, err error) {
	modes := map[string]fs.FileMode{}
	most := map[bool]fs.FileMode{} // by whether it is a folder
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." || entry.Type()&^fs.ModeDir != 0 {
			return err
		}
		info, err := root.Lstat(name)
		if err != nil {
			return err
		}
		modes[name] = info.Mode()
		if atomicfile.OthersMayWrite(info) {
			writable = append(writable, name)
		}
		most[info.IsDir()] |= info.Mode().Perm()
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(modes)) {
		mode := modes[name]
		needed := most[mode.IsDir()] & 0o444
		if mode.IsDir() {
			needed = most[true] & 0o555
		}
		if mode&needed != needed {
			unreadable = append(unreadable, name)
		}
	}
	slices.Sort(writable)
	return writable, unreadable, err
}
