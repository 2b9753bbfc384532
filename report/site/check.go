package site

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Diff is how a folder differs from a tree: slash-separated names, each list sorted.
type Diff struct {
	Missing, Extra, Different []string
}

// Empty tells that there is no difference.
func (d Diff) Empty() bool { return len(d.Missing)+len(d.Extra)+len(d.Different) == 0 }

// String lists the differences, one file a line.
func (d Diff) String() string {
	var b strings.Builder
	for _, part := range []struct {
		what  string
		names []string
	}{{"missing", d.Missing}, {"extra", d.Extra}, {"different", d.Different}} {
		for _, name := range part.names {
			fmt.Fprintf(&b, "%s: %s\n", part.what, name)
		}
	}
	return b.String()
}

// Check compares the folder dir with what Publish would write there. A dir that does not exist lacks every file. The
// error is one of reading.
func Check(dir string, tree Tree) (Diff, error) {
	var d Diff
	want := tree.withSums()
	found, err := listFiles(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
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
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return d, err
		}
		if !bytes.Equal(data, want[name]) {
			d.Different = append(d.Different, name)
		}
	}
	return d, nil
}
