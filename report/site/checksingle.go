package site

import (
	"bytes"
	"regexp"
	"slices"
)

var articleStart = regexp.MustCompile(`<article class="chapter" id="([^"]+)--top">`)

// The parts of a single file beside its chapters, as CheckSingle names them.
const (
	partHead = "head, style and contents"
	partFoot = "stamp and end"
)

// singlePart is a part of a single file: a chapter, or what is before and after all of them.
type singlePart struct {
	name string
	data []byte
}

// splitSingle takes a single file apart.
func splitSingle(page []byte) []singlePart {
	name, start := partHead, 0
	var parts []singlePart
	for _, at := range articleStart.FindAllSubmatchIndex(page, -1) {
		parts = append(parts, singlePart{name, page[start:at[0]]})
		name, start = string(page[at[2]:at[3]]), at[0]
	}
	end := start + max(bytes.LastIndex(page[start:], []byte("</main>")), 0)
	return append(parts, singlePart{name, page[start:end]}, singlePart{partFoot, page[end:]})
}

// CheckSingle compares a single file with what RenderSingle returns: the slugs of chapters that are missing, extra or
// different, and the same of the parts around them.
func CheckSingle(have, want []byte) Diff {
	var d Diff
	if bytes.Equal(have, want) {
		return d
	}
	// A checksum differs wherever anything does, which is no news.
	bareWant, _ := unsealed(want)
	bareHave, _ := unsealed(have)
	ours, theirs := splitSingle(bareWant), splitSingle(bareHave)
	find := func(parts []singlePart, name string) int {
		return slices.IndexFunc(parts, func(p singlePart) bool { return p.name == name })
	}
	for _, part := range ours {
		switch i := find(theirs, part.name); {
		case i < 0:
			d.Missing = append(d.Missing, part.name)
		case !bytes.Equal(theirs[i].data, part.data):
			d.Different = append(d.Different, part.name)
		}
	}
	for _, part := range theirs {
		if find(ours, part.name) < 0 {
			d.Extra = append(d.Extra, part.name)
		}
	}
	switch {
	case d.Empty() && bytes.Equal(bareHave, bareWant):
		d.Different = append(d.Different, partFoot)
	case d.Empty():
		d.Different = append(d.Different, "order of the chapters") // or a chapter that is there twice
	}
	for _, names := range [][]string{d.Missing, d.Extra, d.Different} {
		slices.Sort(names)
	}
	return d
}
