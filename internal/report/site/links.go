package site

import (
	"bytes"
	"cmp"
	"fmt"
	"image/png"
	"maps"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/report/content"
)

// link is a Markdown link in the text.
type link struct {
	node  *ast.Link
	dest  string
	place content.Place
	href  string // the resolved address
	// omitted is set if the link leads to a page that is left out.
	omitted bool
	// download is the name of the page's file that the link leads to, or "".
	download string
}

// picture is a Markdown image in the text.
type picture struct {
	name, alt     string
	width, height int // 0 if unknown
}

// checkScheme reports whether an address leads to another site. If the address has a scheme, it must be http, https or
// mailto. fault is a phrase that describes what is wrong with the address, or "".
func checkScheme(dest string) (external bool, fault string) {
	u, err := url.Parse(dest)
	switch {
	case err != nil:
		return false, "is not a valid address"
	case u.Scheme == "" && u.Host == "":
		return false, ""
	case u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "mailto":
		return true, ""
	}
	return false, "has a scheme other than http, https and mailto"
}

// checkLink reports a link without words or without an address.
func (c *chapter) checkLink(n *ast.Link, p *prose) {
	switch {
	case !n.HasChildren():
		c.errs.addf(p.placeAt(n.Pos()), "the link to %q has no words: write [words](address)", n.Destination)
	case len(n.Destination) == 0:
		c.errs.addf(p.placeAt(n.Pos()), "the link %q has no address: write it between the parentheses, or put a "+
			"backslash before the bracket", c.titleOf(n, p.text))
	}
}

func (c *chapter) checkAutoLink(n *ast.AutoLink, p *prose) {
	if n.AutoLinkType == ast.AutoLinkEmail {
		return
	}
	if external, fault := checkScheme(string(n.URL(p.text))); !external {
		c.errs.addf(p.placeAt(n.Pos()), "the link <%s> %s", n.URL(p.text),
			cmp.Or(fault, "is not an address of another site"))
	}
}

func (c *chapter) collectImage(n *ast.Image, p *prose) {
	at := p.placeAt(n.Pos())
	img := &picture{name: unmarked(string(resolved(n.Destination))), alt: strings.TrimSpace(c.plainText(n, p.text))}
	if name, ok := p.images[unescaped(img.name)]; ok {
		img.name = name
	}
	name, data, ok := c.assetAt(img.name)
	if external, _ := checkScheme(img.name); external {
		c.errs.addf(at, "the picture %q is on the network: save it in the folder of the page", img.name)
		return
	}
	if img.name = name; !ok {
		c.errs.addf(at, "there is no picture %q in the folder of the page: add the file, or correct its name", img.name)
		return
	}
	switch {
	case img.alt == "":
		c.errs.addf(at, "the picture %q has no alternative text: write ![what it shows](%s)", img.name, img.name)
	case !slices.Contains([]string{".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}, path.Ext(img.name)):
		c.errs.addf(at, "the file %q is not a picture: the name of a picture must end in .png, .svg, .jpg, .jpeg, "+
			".gif or .webp", img.name)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err == nil {
		img.width, img.height = size.Width, size.Height
	}
	if img.width, img.height, ok = sizeOf(n, img.width, img.height); !ok {
		c.errs.addf(at, "the picture %q: write the size as a number of pixels, or as a percentage of the text's "+
			"width such as 50%%",
			img.name)
	}
	c.images[n] = img
}

// resolveLinks checks the links of a chapter against all pages, and converts them to relative addresses.
func (b *book) resolveLinks(c *chapter) {
	for _, l := range c.links {
		external, fault := checkScheme(l.dest)
		if fault != "" {
			c.errs.addf(l.place, "the link to %q %s", l.dest, fault)
			continue
		}
		if external {
			l.href = l.dest
			continue
		}
		file, anchor, _ := strings.Cut(l.dest, "#")
		settings := "" // the settings of an explorable, as in page.html#fig-name:n=13&s=17
		if figure, values, ok := strings.Cut(anchor, ":"); ok && strings.Contains(values, "=") {
			anchor, settings = figure, ":"+values
		}
		if name, data, ok := c.assetAt(file); ok && anchor == "" {
			l.href, l.download = b.assetURL(c, name, data), name
			continue
		}
		if k := b.kitAt(file); k != nil {
			l.href, l.omitted = file, b.single || !b.canMake(*k)
			continue
		}
		to := b.linked(c, file)
		if to != nil {
			anchor = to.anchorOf(anchor)
		}
		switch {
		case to == nil:
			c.errs.addf(l.place, "the link to %q leads nowhere: there is no such page among %s, and no such file in "+
				"the folder of the page", l.dest,
				near(strings.TrimSuffix(file, ".html"), slices.Sorted(maps.Keys(b.bySlug))))
		case to.Omit: // the anchors of an omitted page are unknown
			l.href, l.omitted = b.href(c, to, anchor), b.gone(to)
		case anchor != "" && to.unread: // that page's own fault is reported instead
		case anchor != "" && !to.hasAnchor(anchor) && to.awaits(anchor[strings.Index(anchor, "-")+1:]):
			l.href = b.href(c, to, "")
		case anchor != "" && !to.hasAnchor(anchor):
			c.errs.addf(l.place, "the link to %q leads nowhere: page %q has no anchor #%s", l.dest, to.Slug, anchor)
		default:
			l.href = b.href(c, to, anchor) + settings
		}
	}
}

// linked returns the page that an address leads to, or nil if there is none. file is "", a page's slug with ".html", or
// the file of a page with a body or blocks.
func (b *book) linked(c *chapter, file string) *chapter {
	switch strings.ToLower(path.Ext(file)) {
	case ".html":
		return b.bySlug[strings.TrimPrefix(unescaped(strings.TrimSuffix(file, ".html")), "./")]
	case ".ipynb", ".md", ".markdown":
		file = path.Clean(unescaped(file))
		return cmp.Or(b.byFile[path.Join(path.Dir(filepath.ToSlash(c.File)), file)], b.byName[file])
	}
	if file == "" {
		return c
	}
	return nil
}

// anchorOf returns the anchor that a fragment stands for. The fragment may be in Jupyter's form.
func (c *chapter) anchorOf(fragment string) string {
	name := unescaped(fragment)
	if anchor, ok := c.jupyter[name]; ok {
		return anchor
	}
	if slug := Slug(name); !c.hasAnchor(fragment) && c.hasAnchor(slug) {
		return slug
	}
	return fragment
}

func unescaped(address string) string {
	if text, err := url.PathUnescape(address); err == nil {
		return text
	}
	return address
}

func (c *chapter) hasAnchor(name string) bool {
	_, ok := c.anchors[name]
	return ok
}

// reference is a {{ ref "kind:id" }} or {{ picture "fig:id" "text" }} in the text.
type reference struct {
	kind   callKind
	target string
	text   string // the author's text, or ""
	place  content.Place
	to     *target
}

// target is a page or a part of a page that references can lead to.
type target struct {
	chapter *chapter
	anchor  string // "" for a page
	text    string // the default text of references, such as "Figure 3.2"
	block   *block // set for a block, such as a figure or table
}

// targets maps "kind:id" to the targets with that name. Several chapters may have targets with the same name.
type targets map[string][]*target

func (t targets) add(name string, c *chapter, anchor, text string) *target {
	to := &target{chapter: c, anchor: anchor, text: text}
	t[name] = append(t[name], to)
	return to
}

// register adds the page and all its parts that have names.
func (t targets) register(c *chapter) {
	page := c.Title
	if c.Omit {
		page = c.words.Say("quoted", c.Title)
	}
	t.add("page:"+c.Slug, c, "", page)
	for _, h := range c.headings {
		t.add("sec:"+h.anchor, c, h.anchor, h.label)
	}
	for _, b := range c.blocks {
		t.add(b.name.target(), c, b.anchor, b.label()).block = b
	}
	for _, claim := range c.claims {
		t.add("claim:"+claim.ID, c, claim.anchor, claim.label)
	}
	for _, n := range c.captioned {
		t.add(n.kind.prefix()+":"+n.name, c, n.anchor, n.label)
	}
	for _, s := range c.statements {
		t.add("thm:"+s.name, c, s.anchor(), s.label)
	}
	for _, f := range c.math {
		for _, e := range f.numbers {
			if name, ok := strings.CutPrefix(e.anchor, "eq-"); ok {
				t.add("eq:"+name, c, e.anchor, e.number)
			}
		}
	}
}

// headingText returns the title of a section as readers see it, with or without the texts of its references.
func (c *chapter) headingText(h *heading, refs bool) string {
	if h.node == nil {
		return h.title
	}
	return c.reading(h.node, h.prose.text, refs)
}

// calledRefs returns the references of a page in the order of their calls.
func (c *chapter) calledRefs() []*inlineCall {
	return slices.SortedFunc(maps.Keys(c.refs), func(a, b *inlineCall) int { return a.index - b.index })
}

// resolve finds the targets of a chapter's references. "fig:id" is the chapter's own figure, and "fig:slug/id" is a
// figure on another page, so that the meaning does not depend on the contents of other pages. If the text of a page
// could not be read, resolve does not check references to its anchors, because that page already has a fault. A
// reference to a part of an omitted page leads to the page itself.
func (t targets) resolve(c *chapter, pages map[string]*chapter) {
	for _, n := range c.calledRefs() {
		r := c.refs[n]
		name := r.target
		kind, id, ok := strings.Cut(name, ":")
		if !ok || !slices.Contains([]string{"fig", "tbl", "eq", "sec", "thm", "claim", "page"}, kind) {
			c.errs.addf(r.place, "{{ %s %q }}: a target must be fig:, tbl:, eq:, sec:, thm:, claim: or page: "+
				"followed by a name",
				r.kind, name)
			continue
		}
		if r.kind == callPicture && kind != "fig" {
			c.errs.addf(r.place, "{{ picture %q }}: name a figure, as in fig:NAME", name)
			continue
		}
		page, slug, rest := c, c.Slug, id
		if kind == "page" {
			page, slug = pages[id], id
		} else if at, anchor, elsewhere := strings.Cut(id, "/"); elsewhere {
			page, slug, rest = pages[at], at, anchor
		}
		if page != nil && page.Omit {
			r.to = t["page:"+slug][0]
			continue
		}
		found := slices.IndexFunc(t[kind+":"+rest], func(to *target) bool { return to.chapter == page })
		switch {
		case found >= 0:
			r.to = t[kind+":"+rest][found]
		case page != nil && kind != "page" && page.awaits(rest):
			r.to = t["page:"+slug][0]
		case page != nil && page.unread && kind != "page":
		default:
			c.errs.addf(r.place, "{{ %s %q }}: there is no such target; %s", r.kind, r.target,
				among("closest names:", r.target, t.names(kind, c)))
		}
	}
}

// names lists the targets of the given kind in the form in which the chapter would refer to them, its own targets
// first.
func (t targets) names(kind string, c *chapter) []string {
	var own, others []string
	for _, name := range slices.Sorted(maps.Keys(t)) {
		id, ok := strings.CutPrefix(name, kind+":")
		if !ok {
			continue
		}
		for _, to := range t[name] {
			if to.chapter == c || kind == "page" {
				own = append(own, name)
			} else {
				others = append(others, kind+":"+to.chapter.Slug+"/"+id)
			}
		}
	}
	slices.Sort(others)
	return append(own, slices.Compact(others)...)
}

// The following functions return addresses of a site. In an edition of many files, addresses are relative paths. In an
// edition of one file, they are anchors that begin with the slug of their page, or contain the data of a file.

// id returns the name that an anchor of a chapter has in the output.
func (b *book) id(c *chapter, anchor string) string {
	if b.single {
		return c.Slug + "--" + anchor
	}
	return anchor
}

// href returns the address of an anchor, as seen from another chapter. If anchor is "", it returns the address of the
// page itself.
func (b *book) href(from, to *chapter, anchor string) string {
	switch {
	case b.single && anchor == "":
		return "#" + b.id(to, "top")
	case b.single, from == to && anchor != "":
		return "#" + b.id(to, anchor)
	case anchor == "":
		return to.Slug + ".html"
	}
	return to.Slug + ".html#" + anchor
}

// embeds reports whether the page must contain the data of a chapter's file. A drawing from the output of a cell is
// harmless as an image, but may be harmful if it is opened as a file; see package sanitize.
func (c *chapter) embeds(name string, data []byte) bool {
	if c.Body == nil && c.Blocks == nil || path.Ext(name) != ".svg" {
		return false
	}
	if inert, known := c.inert.Load(name); known {
		return !inert.(bool)
	}
	inert := sanitize.Inert(data)
	c.inert.Store(name, inert)
	return !inert
}

// assetURL returns the address of a file of a chapter.
func (b *book) assetURL(c *chapter, name string, data []byte) string {
	if b.single || c.embeds(name, data) {
		return dataURL(name, data)
	}
	return c.assetPath(name)
}

// assetPath returns the path at which a chapter's file is published. Downloads are next to the pages; other files are
// in the chapter's folder.
func (c *chapter) assetPath(name string) string {
	if _, ok := c.Downloads[name]; ok {
		return name
	}
	return path.Join("assets", c.Slug, name)
}

// svgType is the media type of drawings.
const svgType = "image/svg+xml"

// mediaType returns the media type of a file, for the types that sites publish. It does not use the operating system's
// table, which differs between systems.
func mediaType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".svg":
		return svgType
	case ".csv":
		return "text/csv"
	case ".json":
		return "application/json"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".png", ".gif", ".webp":
		return "image/" + ext[1:]
	}
	return "application/octet-stream"
}

func (b *block) imageName(dark bool) string {
	kind := "." + imageKind(b.figure.Light)
	if dark {
		kind = ".dark" + kind
	}
	return b.anchor + kind
}

func (b *block) csvName() string { return b.anchor + ".csv" }

// near lists the names that an author may have meant by an unknown name, most similar first.
func near(name string, names []string) string {
	const most = 5
	distance := map[string]int{}
	for _, other := range names {
		distance[other] = edits(name, other)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return distance[a] - distance[b] })
	if len(names) > most {
		return strings.Join(sorted[:most], ", ") + " and others"
	}
	return strings.Join(sorted, ", ")
}

// among returns words followed by the names that are most similar to name, or a phrase for an empty list if names is
// empty.
func among(words, name string, names []string) string {
	if len(names) == 0 {
		return "there are none"
	}
	return words + " " + near(name, names)
}

// Among returns words followed by the names that are most similar to name, or a phrase for an empty list if names is
// empty.
func Among(words, name string, names []string) string { return among(words, name, names) }

// edits returns the Levenshtein distance between two names: the minimum number of bytes that must be inserted, deleted
// or replaced to turn one name into the other.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // the distances from a[:i] to each b[:j]
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// heading is a section of a page.
type heading struct {
	node     *ast.Heading
	prose    *prose
	level    int    // 2 to 6
	number   string // such as "3.1.2"; "" below level 3 and on unnumbered pages
	label    string // the text of references to the section
	title    string // plain text
	anchor   string
	place    content.Place
	answered bool // an answer follows before the next heading
	entry    bool // the title of an entry, which has no node or number, and is not in the contents
}

// numberedLevels is the deepest level of headings that are numbered and listed in the table of contents.
const numberedLevels = 3

// titleOf returns the plain text of a title.
func (c *chapter) titleOf(n ast.Node, src []byte) string {
	return strings.Join(strings.Fields(c.plainText(n, src)), " ")
}

// collectTitle reports whether the page's frame shows the heading n, and if so, records it. The frame shows the first
// heading of level 1 in a body, or the heading in a text that equals the page's title.
func (c *chapter) collectTitle(n *ast.Heading, p *prose) bool {
	words := c.titleOf(n, p.text)
	if c.titleText != "" || p.inner || n.Level > 1 || n.Parent().Kind() != ast.KindDocument || words == "" ||
		c.Body == nil && words != c.Title {
		return false
	}
	c.titleText = words
	c.jupyter[jupyterName(words)], c.jupyter[Slug(words)] = "top", "top"
	switch id := c.headingName(n, words, p.placeAt(n.Pos())); {
	case id == "" || id == c.titleID:
	case !validName(id):
		c.errs.addf(p.placeAt(n.Pos()), badName, words, id)
	default:
		c.titleID = id
		c.anchor(id, p.placeAt(n.Pos()))
	}
	if words == c.Title {
		c.title, c.titleNode = p, n
	}
	c.framed = n
	return true
}

// headingName returns the name that the author has given to a heading, or "" if it has none.
func (c *chapter) headingName(n *ast.Heading, title string, at content.Place) (name string) {
	for _, a := range n.Attributes() {
		if string(a.Name) != "id" {
			c.errs.addf(at, "the heading %q has the attribute %q: only {#name} is allowed", title, a.Name)
		}
	}
	if id, ok := n.AttributeString("id"); ok {
		name = string(id.([]byte))
	}
	return name
}

// validName reports whether a name can be an anchor: it must consist of lower-case letters of any script and digits,
// separated by single hyphens.
func validName(name string) bool { return name != "" && Slug(name) == name }

const badName = "the heading %q has the anchor %q: give it a name of lower-case letters, digits and single hyphens, " +
	"as in ## Title {#name}"

func (c *chapter) collectHeading(n *ast.Heading, p *prose) {
	h := &heading{node: n, prose: p, level: n.Level, title: c.plainText(n, p.text), place: p.placeAt(n.Pos())}
	h.anchor = c.headingName(n, h.title, h.place)
	if p.inner || n.Parent().Kind() != ast.KindDocument { // it does not begin a section; see pageRenderer.heading
		if h.anchor != "" {
			c.errs.addf(h.place, "the heading %q is inside another block, where it is bold text without a number: "+
				"move it out, or leave {#%s} out", h.title, h.anchor)
		}
		return
	}
	c.headings = append(c.headings, h)
	c.byNode[n] = h
}

// outline sets the levels of the headings, and gives an anchor to each heading that has none: the slug of the heading's
// text, with a number if that slug is taken.
func (c *chapter) outline() {
	c.liftHeadings()
	for _, h := range c.headings {
		if h.anchor != "" {
			c.nameHeading(h)
		}
	}
	for _, h := range c.headings {
		if h.anchor == "" {
			h.anchor = c.unused(cmp.Or(Slug(h.title), "section"), "-")
			c.anchor(h.anchor, h.place)
		}
		if name := jupyterName(h.title); c.jupyter[name] == "" {
			c.jupyter[name] = h.anchor
		}
	}
}

func (c *chapter) nameHeading(h *heading) {
	if !validName(h.anchor) {
		c.errs.addf(h.place, badName, h.title, h.anchor)
		return
	}
	c.anchor(h.anchor, h.place)
}

// liftHeadings sets the levels of the headings, which begin at 2 and have no gaps: each heading is one level below the
// nearest earlier heading with fewer # signs. The title of an entry has level 2 if no section precedes it, and level 3
// otherwise.
func (c *chapter) liftHeadings() {
	var around []int // the written levels of the headings around the current one
	for _, h := range c.headings {
		if h.entry {
			h.level = min(len(around)+2, 3)
			continue
		}
		written := h.level
		for len(around) > 0 && around[len(around)-1] >= written {
			around = around[:len(around)-1]
		}
		around = append(around, written)
		h.level = min(len(around)+1, 6)
	}
}

// numberHeadings numbers sections within the chapter, and subsections within their section. It also sets the labels of
// the headings. The page's formulas must have been converted.
func (c *chapter) numberHeadings() {
	section, sub := 0, 0
	for _, h := range c.headings {
		switch {
		case h.entry, c.number == "":
		case h.level == 2:
			section, sub = section+1, 0
			h.number = fmt.Sprintf("%s.%d", c.number, section)
		case h.level == 3:
			sub++
			h.number = fmt.Sprintf("%s.%d.%d", c.number, section, sub)
		}
		if h.number != "" {
			h.label = c.words.Say("section", h.number)
		} else {
			h.label = c.words.Say("quoted", c.headingText(h, false))
		}
	}
}
