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

	"github.com/siegebook/siegebook/report/content"
)

// link is a Markdown link in the text.
type link struct {
	node  *ast.Link
	dest  string
	place content.Place
	href  string // resolved
	// omitted is set where the page it leads to is left out.
	omitted bool
	// download is the name of the page's file that it leads to, if any.
	download string
}

// picture is a Markdown image in the text.
type picture struct {
	name, alt     string
	width, height int // 0 where unknown
}

// checkScheme reports links that leave for anything but the web or mail.
func checkScheme(dest string) (external bool, fault string) {
	u, err := url.Parse(dest)
	switch {
	case err != nil:
		return false, "is no valid address"
	case u.Scheme == "" && u.Host == "":
		return false, ""
	case u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "mailto":
		return true, ""
	}
	return false, "has a scheme other than http, https and mailto"
}

func (c *chapter) checkAutoLink(n *ast.AutoLink, p *prose) {
	if n.AutoLinkType == ast.AutoLinkEmail {
		return
	}
	if external, fault := checkScheme(string(n.URL(p.text))); !external {
		c.errs.addf(p.at(n.Pos()), "the link <%s> %s", n.URL(p.text), cmp.Or(fault, "is no address of another site"))
	}
}

func (c *chapter) collectImage(n *ast.Image, p *prose) {
	at := p.at(n.Pos())
	img := &picture{name: unmarked(string(n.Destination)), alt: strings.TrimSpace(c.plainText(n, p.text))}
	if name, ok := p.images[unescaped(img.name)]; ok {
		img.name = name
	}
	data, ok := c.asset(img.name)
	switch {
	case !ok:
		c.errs.addf(at, "there is no image %q among the page's assets: add it to Page.Assets", img.name)
		return
	case img.alt == "":
		c.errs.addf(at, "the image %q has no alt text: write ![what it shows](%s)", img.name, img.name)
	case !slices.Contains([]string{".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}, path.Ext(img.name)):
		c.errs.addf(at, "the asset %q is no image: it ends in none of .png, .svg, .jpg, .jpeg, .gif, .webp", img.name)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err == nil {
		img.width, img.height = size.Width, size.Height
	}
	c.images[n] = img
}

// resolveLinks checks the links of a chapter against all pages, and makes them relative addresses.
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
		settings := "" // of an explorable: page.html#fig-name:n=13&s=17
		if figure, values, ok := strings.Cut(anchor, ":"); ok && strings.Contains(values, "=") {
			anchor, settings = figure, ":"+values
		}
		if data, ok := c.asset(file); ok && anchor == "" {
			l.href, l.download = b.assetURL(c, file, data), file
			continue
		}
		to := b.linked(c, file)
		if to != nil && to.Body != nil {
			anchor = to.anchorOf(anchor)
		}
		switch {
		case to == nil:
			c.errs.addf(l.place, "the link to %q leads nowhere: there is no such page among %s, and no such asset",
				l.dest, near(strings.TrimSuffix(file, ".html"), slices.Sorted(maps.Keys(b.bySlug))))
		case to.Omit: // its anchors are not known
			l.href, l.omitted = b.href(c, to, anchor), b.gone(to)
		case anchor != "" && to.unread: // its fault is the cause
		case anchor != "" && !to.hasAnchor(anchor) && to.awaits(anchor[strings.Index(anchor, "-")+1:]):
			l.href = b.href(c, to, "")
		case anchor != "" && !to.hasAnchor(anchor):
			c.errs.addf(l.place, "the link to %q leads nowhere: page %q has no anchor #%s", l.dest, to.Slug, anchor)
		default:
			l.href = b.href(c, to, anchor) + settings
		}
	}
}

// linked returns the page that an address leads to: the one at hand, that of a slug, or that of the file of a body; nil
// for none.
func (b *book) linked(c *chapter, file string) *chapter {
	switch strings.ToLower(path.Ext(file)) {
	case ".html":
		return b.bySlug[strings.TrimSuffix(file, ".html")]
	case ".ipynb", ".md", ".markdown":
		file = path.Clean(unescaped(file))
		return cmp.Or(b.byFile[path.Join(path.Dir(filepath.ToSlash(c.File)), file)], b.byName[file])
	}
	if file == "" {
		return c
	}
	return nil
}

// anchorOf returns the anchor of a body that an address means, which may be as Jupyter writes it.
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

// reference is one {{ ref "kind:id" }} or {{ picture "fig:id" "text" }} in the text.
type reference struct {
	kind   callKind
	target string
	text   string // given by the author, or ""
	place  content.Place
	to     *target
}

// target is something that can be referred to.
type target struct {
	chapter *chapter
	anchor  string // "" for a page
	text    string // what a reference says, e.g. "Figure 3.2"
	block   *block // of a figure or table
}

// targets are all that can be referred to, by "kind:id" within each chapter.
type targets map[string][]*target

func (t targets) add(name string, c *chapter, anchor, text string) *target {
	to := &target{chapter: c, anchor: anchor, text: text}
	t[name] = append(t[name], to)
	return to
}

// register adds everything on the chapter's page that has a name.
func (t targets) register(c *chapter) {
	page := c.Title
	if c.Omit {
		page = c.words.Say("quoted", c.Title)
	}
	t.add("page:"+c.Slug, c, "", page)
	for _, h := range c.headings {
		text := c.words.Say("quoted", h.title)
		if h.number != "" {
			text = c.words.Say("section", h.number)
		}
		t.add("sec:"+h.anchor, c, h.anchor, text)
	}
	for _, b := range c.blocks {
		t.add(b.name.target(), c, b.anchor, b.label()).block = b
	}
	for _, claim := range c.claims {
		t.add("claim:"+claim.ID, c, claim.anchor, claim.label)
	}
	for _, f := range c.math {
		for _, e := range f.numbers {
			if name, ok := strings.CutPrefix(e.anchor, "eq-"); ok {
				t.add("eq:"+name, c, e.anchor, e.number)
			}
		}
	}
}

// calledRefs are the references of a page in the order of their calls.
func (c *chapter) calledRefs() []*inlineCall {
	return slices.SortedFunc(maps.Keys(c.refs), func(a, b *inlineCall) int { return a.index - b.index })
}

// resolve finds what the references of a chapter mean: "fig:id" the chapter's own figure, "fig:slug/id" the one on a
// certain page, so that what they mean does not depend on what other pages hold. The anchors of a page whose text could
// not be read are unknown: references to it are not judged, as that page has a fault already. A reference to a part of
// a page that is left out leads to the page.
func (t targets) resolve(c *chapter, pages map[string]*chapter) {
	for _, n := range c.calledRefs() {
		r := c.refs[n]
		name := r.target
		kind, id, ok := strings.Cut(name, ":")
		if !ok || !slices.Contains([]string{"fig", "tbl", "eq", "sec", "claim", "page"}, kind) {
			c.errs.addf(r.place, "{{ %s %q }}: a target is fig:, tbl:, eq:, sec:, claim: or page: and a name", r.kind,
				name)
			continue
		}
		if r.kind == callPicture && kind != "fig" {
			c.errs.addf(r.place, "{{ picture %q }}: a picture is that of a figure, fig: and a name", name)
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
			c.errs.addf(r.place, "{{ %s %q }}: there is no such target; near it are %s", r.kind, r.target,
				near(r.target, t.names(kind, c)))
		}
	}
}

// names lists the targets of a kind as the chapter refers to them, its own first.
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

// The addresses of a site: in an edition of many files they are relative paths; in an edition of one file they lead to
// anchors, which carry their page's slug, and files are inlined.

// id returns the name of an anchor of a chapter in the output.
func (b *book) id(c *chapter, anchor string) string {
	if b.single {
		return c.Slug + "--" + anchor
	}
	return anchor
}

// href returns the address of an anchor ("": the page itself) as seen from another chapter.
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

// embeds says whether a file of a chapter is inside of the page. A drawing that a notebook has put out is harmless as
// an image, and would not be as a file that somebody opens: see package sanitize.
func (c *chapter) embeds(name string) bool {
	return (c.Body != nil || c.Blocks != nil) && path.Ext(name) == ".svg"
}

// assetURL returns the address of a file of a chapter.
func (b *book) assetURL(c *chapter, name string, data []byte) string {
	if b.single || c.embeds(name) {
		return dataURL(name, data)
	}
	return c.assetPath(name)
}

// assetPath is where a chapter's file is published: a download beside the pages; else the slug keeps chapters apart.
func (c *chapter) assetPath(name string) string {
	if _, ok := c.Downloads[name]; ok {
		return name
	}
	return path.Join("assets", c.Slug, name)
}

// svgType is the media type of drawings.
const svgType = "image/svg+xml"

// mediaType knows the types that sites publish. The system's table is not asked, because it differs between systems.
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

// near lists what an author may have meant by a name that does not exist: those of the names that are nearest to it,
// the nearest first.
func near(name string, names []string) string {
	const most = 5
	distance := map[string]int{}
	for _, other := range names {
		distance[other] = edits(name, other)
	}
	sorted := slices.Clone(names)
	slices.SortStableFunc(sorted, func(a, b string) int { return distance[a] - distance[b] })
	switch {
	case len(names) == 0:
		return "none"
	case len(names) > most:
		return strings.Join(sorted[:most], ", ") + " and others"
	}
	return strings.Join(sorted, ", ")
}

// edits is the Levenshtein distance of two names: how many letters have to be inserted, left out or replaced to make
// one of the other.
func edits(a, b string) int {
	row := make([]int, len(b)+1) // from a[:i] to each b[:j]
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
	number   string // "3.1.2"; "" below level 3 and on unnumbered pages
	title    string // plain text
	anchor   string
	place    content.Place
	answered bool // an answer follows before the next heading
	entry    bool // the title of an entry: without a node, a number and a place in the contents
}

// numberedLevels is the deepest level of headings that has numbers and stands in the table of contents.
const numberedLevels = 3

// collectTitle takes the first heading of level 1 out of a body, which stands in the page's frame as plain text.
func (c *chapter) collectTitle(n *ast.Heading, p *prose) bool {
	words := strings.Join(strings.Fields(c.plainText(n, p.text)), " ")
	if c.Body == nil || c.title != nil || p.inner || n.Level > 1 || n.Parent().Kind() != ast.KindDocument ||
		words == "" {
		return false
	}
	c.title, c.titleText = n, words
	c.jupyter[jupyterName(words)] = "top"
	return true
}

func (c *chapter) collectHeading(n *ast.Heading, p *prose) {
	h := &heading{node: n, prose: p, level: n.Level, title: c.plainText(n, p.text), place: p.at(n.Pos())}
	for _, a := range n.Attributes() {
		if string(a.Name) != "id" {
			c.errs.addf(h.place, "the heading %q has the attribute %q: only {#name} is known", h.title, a.Name)
		}
	}
	if id, ok := n.AttributeString("id"); ok {
		h.anchor = string(id.([]byte))
	}
	switch {
	case p.inner, c.Body != nil && n.Parent().Kind() != ast.KindDocument && inFolds(n):
		return // no section, see pageRenderer.heading
	case n.Parent().Kind() != ast.KindDocument:
		c.errs.addf(h.place, "the heading %q stands inside of another block: move it out", h.title)
	}
	c.headings = append(c.headings, h)
	c.byNode[n] = h
}

// inFolds says whether nothing but folds and lists is around a node.
func inFolds(n ast.Node) bool {
	for p := n.Parent(); p != nil; p = p.Parent() {
		switch p.Kind() {
		case ast.KindDocument, ast.KindList, ast.KindListItem, kindFold:
		default:
			return false
		}
	}
	return true
}

// outline checks the levels of a text's headings and names them. A body is not written for that: there it finds levels,
// and names that are not taken.
func (c *chapter) outline() {
	if c.Body == nil {
		c.checkLevels()
		for _, h := range c.headings {
			h.anchor = cmp.Or(h.anchor, Slug(h.title))
			c.nameHeading(h)
		}
		return
	}
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
	if !content.ValidID(h.anchor) {
		c.errs.addf(h.place, "the heading %q has the anchor %q: give it a name of lower-case letters, digits and "+
			"single hyphens, as in ## Title {#name}", h.title, h.anchor)
		return
	}
	c.anchor(h.anchor, h.place)
}

// checkLevels refuses headings that leave out a level.
func (c *chapter) checkLevels() {
	before := 1
	for _, h := range c.headings {
		switch {
		case h.level == 1:
			c.errs.addf(h.place, "the heading %q has level 1, which is Page.Title: start with ##", h.title)
		case h.level > before+1:
			c.errs.addf(h.place, "the heading %q jumps from level %d to %d: leave out no level", h.title, before,
				h.level)
		}
		before = h.level
	}
}

// liftHeadings gives the headings of a body the levels from 2 on, in their order and without gaps.
func (c *chapter) liftHeadings() {
	top := 6
	for _, h := range c.headings {
		top = min(top, h.level)
	}
	before := 1
	for _, h := range c.headings {
		h.level = min(h.level-top+2, before+1, 6)
		before = h.level
	}
}

// numberHeadings counts sections within the chapter and subsections within the section.
func (c *chapter) numberHeadings() {
	if c.number == "" {
		return
	}
	section, sub := 0, 0
	for _, h := range c.headings {
		switch {
		case h.entry:
		case h.level == 2:
			section, sub = section+1, 0
			h.number = fmt.Sprintf("%s.%d", c.number, section)
		case h.level == 3:
			sub++
			h.number = fmt.Sprintf("%s.%d.%d", c.number, section, sub)
		}
	}
}
