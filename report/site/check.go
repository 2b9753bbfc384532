package site

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// Diff is how a report differs from another one: the names of files, or of parts of a single file, each list sorted.
type Diff struct {
	Missing, Extra, Different []string
	// NoFile are names that lead to something else than a regular file, a link to an equal file included.
	NoFile []string
}

// Empty tells that there is no difference.
func (d Diff) Empty() bool { return len(d.Lines()) == 0 }

// Lines lists the differences, a file a line. A name may hold any characters, a line feed too.
func (d Diff) Lines() []string {
	var lines []string
	for _, list := range []struct {
		what  string
		names []string
	}{{"missing", d.Missing}, {"extra", d.Extra}, {"different", d.Different}, {"not a file", d.NoFile}} {
		for _, name := range list.names {
			lines = append(lines, list.what+": "+name)
		}
	}
	return lines
}

// Check compares the folder dir with what Publish would write there. A dir that does not exist lacks every file. The
// error is one of reading.
func Check(dir string, tree Tree) (Diff, error) {
	var d Diff
	want := tree.withManifest()
	dir, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Diff{Missing: slices.Sorted(maps.Keys(want))}, nil
	}
	if err != nil {
		return d, err
	}
	found := map[string]bool{}
	err = filepath.WalkDir(dir, func(full string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, full)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		data, wanted := want[name]
		switch {
		case wanted && !entry.Type().IsRegular():
			d.NoFile = append(d.NoFile, name)
		case wanted:
			same, err := hasContent(full, data)
			if err != nil {
				return err
			}
			if !same {
				d.Different = append(d.Different, name)
			}
		case !entry.IsDir():
			d.Extra = append(d.Extra, name)
		}
		found[name] = true
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !found[name] {
			d.Missing = append(d.Missing, name)
		}
	}
	return d, err
}

// hasContent says whether a file holds what it should. A file of another size is not read.
func hasContent(name string, want []byte) (bool, error) {
	file, err := atomicfile.Open(name)
	if err != nil {
		return false, err
	}
	if info, err := file.Stat(); err != nil || info.Size() != int64(len(want)) {
		return false, errors.Join(err, file.Close())
	}
	data, err := limitedread.Read(file, name, int64(len(want)))
	if large := new(limitedread.TooLarge); errors.As(err, &large) {
		return false, nil
	}
	return bytes.Equal(data, want), err
}

// CheckSingle compares a single file with what RenderSingle returns: the slugs of chapters that are missing, extra or
// different, and the same of the parts around them.
func CheckSingle(have, want []byte) Diff {
	var d Diff
	if bytes.Equal(have, want) {
		return d
	}
	// A checksum differs wherever anything does, which is no news.
	bareHave, _ := unsealed(have)
	bareWant, _ := unsealed(want)
	theirs, ours := partsOfSingle(bareHave), partsOfSingle(bareWant)
	for name := range maps.Keys(ours) {
		switch part, ok := theirs[name]; {
		case !ok:
			d.Missing = append(d.Missing, name)
		case !bytes.Equal(part, ours[name]):
			d.Different = append(d.Different, name)
		}
	}
	for name := range maps.Keys(theirs) {
		if _, ok := ours[name]; !ok {
			d.Extra = append(d.Extra, name)
		}
	}
	switch {
	case d.Empty() && bytes.Equal(bareHave, bareWant):
		d.Different = []string{partFoot}
	case d.Empty():
		d.Different = []string{"order of the chapters"}
	}
	for _, names := range [][]string{d.Missing, d.Extra, d.Different} {
		slices.Sort(names)
	}
	return d
}

var articleStart = regexp.MustCompile(`<article class="chapter" id="([^"]+)--top">`)

// The parts of a single file beside its chapters, as CheckSingle names them.
const (
	partHead = "head, style and contents"
	partFoot = "stamp and end"
)

// partsOfSingle takes a single file apart: its chapters by their slugs, and the parts around them. A chapter that is
// there twice has both texts.
func partsOfSingle(page []byte) map[string][]byte {
	parts := map[string][]byte{}
	name, start := partHead, 0
	add := func(end int) { parts[name] = append(parts[name], page[start:end]...) }
	for _, at := range articleStart.FindAllSubmatchIndex(page, -1) {
		add(at[0])
		name, start = string(page[at[2]:at[3]]), at[0]
	}
	end := start + max(bytes.LastIndex(page[start:], []byte("</main>")), 0)
	add(end)
	name, start = partFoot, end
	add(len(page))
	return parts
}
