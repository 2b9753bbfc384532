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
	link  string // the content of the node's entry on the pages to which it does not lead
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

// setLinks sets the field link of all nodes.
func (b *book) setLinks(nodes []*menuNode) {
	for _, n := range nodes {
		n.link = b.menuLink(n, "")
		b.setLinks(n.sub)
	}
}

// menuLink returns the content of the entry for a node. If current is not empty, it is the value of the attribute
// aria-current.
func (b *book) menuLink(n *menuNode, current string) string {
	title, number := n.name, ""
	if n.sub == nil {
		title, number = n.first.nav(), numberHTML(n.first.number)
	}
	if current != "" {
		current = ` aria-current="` + current + `"`
	}
	href := hrefHTML(b.href(nil, n.first, ""))
	return `<a href="` + href + `"` + current + `>` + number + textHTML.Replace(title) + `</a>`
}

// place returns a menu that shows the place of a page. It contains the list around each node on the path to the page.
func (b *book) place(nodes []*menuNode, way []int) string {
	at := -1
	if len(way) > 0 {
		at = way[0]
	}
	begin, end := window(len(nodes), at)
	var entries []string
	if begin > 0 {
		entries = append(entries, b.more(begin))
	}
	for i, n := range nodes[begin:end] {
		switch {
		case begin+i != at:
			entries = append(entries, n.link)
		case n.sub == nil:
			entries = append(entries, b.menuLink(n, "page"))
		default:
			entries = append(entries, b.menuLink(n, "true")+"\n"+b.place(n.sub, way[1:])+"\n")
		}
	}
	if end < len(nodes) {
		entries = append(entries, b.more(len(nodes)-end))
	}
	return listHTML(entries)
}

// more returns the content of the entry that replaces omitted entries and leads to the list of all pages.
func (b *book) more(left int) string {
	return `<a class="more" href="search.html#chapters">` +
		textHTML.Replace(b.Words.Count(int64(left), "more-one", "more")) + `</a>`
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

// allEntries returns a menu with all nodes of a tree, as it is shown on the page from. The entries of parts and
// sections have no links. Their CSS class is class.
func (b *book) allEntries(from *chapter, nodes []*menuNode, class string) string {
	entries := make([]string, len(nodes))
	for i, n := range nodes {
		switch {
		case n.sub != nil:
			entries[i] = `<span class="` + class + `">` + textHTML.Replace(n.name) + "</span>\n" +
				b.allEntries(from, n.sub, "group") + "\n"
		case n.first == from:
			entries[i] = b.menuLink(n, "page")
		default:
			entries[i] = n.link
		}
	}
	return listHTML(entries)
}

// longest returns the length of the longest list in a tree.
func longest(nodes []*menuNode) int {
	most := len(nodes)
	for _, n := range nodes {
		most = max(most, longest(n.sub))
	}
	return most
}
