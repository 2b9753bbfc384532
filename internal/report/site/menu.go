package site

import "slices"

// The menu of a page shows the reader's place: the parts of the site, the sections of the current part, and the pages
// of the current section. Long lists are cut, so that the size of a page does not grow with the site.
const (
	mostSiblings = 15  // the maximum length of a list that is not cut
	mostAround   = 5   // entries on each side of the current entry in a cut list
	mostInMenu   = 100 // the maximum number of pages in a complete menu for narrow screens
)

// menuNode is a page, a section or a part in the tree of a site's menu. The link of a part leads to its first page.
type menuNode struct {
	first *chapter
	name  string // the name of a part or section; "" for a page
	sub   []*menuNode
}

// menuEntry is the data for the template of a menu entry.
type menuEntry struct {
	navEntry
	Class string // the CSS class of a part or section without a link
	Holds bool   // the current page is below the entry
	Sub   []menuEntry
	// More is the text that replaces omitted entries and links to the list of all entries.
	More string
}

// tree groups pages by part, and the pages of each part by section. If a part consists of a single section, the tree
// has no level for the section.
func tree(pages []*chapter) []*menuNode {
	var parts []*menuNode
	last := &chapter{Page: &Page{}}
	for _, c := range pages {
		page := &menuNode{first: c}
		if c.Part != "" && c.Part != last.Part {
			parts = append(parts, &menuNode{first: c, name: c.Part})
		}
		switch {
		case c.Part == "":
			parts = append(parts, page)
		case c.Group == "":
			parts[len(parts)-1].add(page)
		default:
			part := parts[len(parts)-1]
			if c.Part != last.Part || c.Group != last.Group {
				part.add(&menuNode{first: c, name: c.Group})
			}
			part.sub[len(part.sub)-1].add(page)
		}
		last = c
	}
	for _, part := range parts {
		if len(part.sub) == 1 && part.sub[0].sub != nil {
			part.sub = part.sub[0].sub
		}
	}
	return parts
}

func (n *menuNode) add(below *menuNode) { n.sub = append(n.sub, below) }

// places records the path to each page of a tree in of. A path has an index for each level.
func places(nodes []*menuNode, above []int, of map[*chapter][]int) {
	for i, n := range nodes {
		way := append(slices.Clip(above), i)
		if n.sub == nil {
			of[n.first] = way
		}
		places(n.sub, way, of)
	}
}

// entry returns the entry for a node in the menu of the page from.
func (b *book) entry(from *chapter, n *menuNode) menuEntry {
	e := menuEntry{navEntry: *b.navEntry(from, n.first)}
	if e.Title = n.first.nav(); n.sub != nil {
		e.Title, e.Number, e.Current = n.name, "", false
	}
	return e
}

// place returns a menu that shows the place of a page. It contains the list around each node on the path to the page.
func (b *book) place(from *chapter, nodes []*menuNode, way []int) []menuEntry {
	at := -1
	if len(way) > 0 {
		at = way[0]
	}
	begin, end := window(len(nodes), at)
	var entries []menuEntry
	if begin > 0 {
		entries = append(entries, b.more(begin))
	}
	for i := begin; i < end; i++ {
		e := b.entry(from, nodes[i])
		if i == at && nodes[i].sub != nil {
			e.Holds, e.Sub = true, b.place(from, nodes[i].sub, way[1:])
		}
		entries = append(entries, e)
	}
	if end < len(nodes) {
		entries = append(entries, b.more(len(nodes)-end))
	}
	return entries
}

// more returns the entry that replaces omitted entries.
func (b *book) more(left int) menuEntry {
	return menuEntry{More: b.Words.Count(int64(left), "more-one", "more")}
}

// window returns the range of entries to show in a list of the given length. at is the index of the current entry, or
// -1 if no entry is current.
func window(length, at int) (begin, end int) {
	if length <= mostSiblings {
		return 0, length
	}
	begin = max(0, at-mostAround)
	end = min(length, begin+2*mostAround+1)
	return max(0, end-2*mostAround-1), end
}

// allEntries returns entries for all nodes of a tree. The entries of parts and sections have no links.
func (b *book) allEntries(from *chapter, nodes []*menuNode, class string) []menuEntry {
	entries := make([]menuEntry, len(nodes))
	for i, n := range nodes {
		entries[i] = b.entry(from, n)
		if n.sub != nil {
			entries[i].Class, entries[i].Sub = class, b.allEntries(from, n.sub, "group")
		}
	}
	return entries
}

// longest returns the length of the longest list in a tree.
func longest(nodes []*menuNode) int {
	most := len(nodes)
	for _, n := range nodes {
		most = max(most, longest(n.sub))
	}
	return most
}
