package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"html/template"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/gohugoio/hugo-goldmark-extensions/passthrough"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	gohtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"
	"golang.org/x/sync/errgroup"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/report/site/internal/tex"
)

// Options controls how a site is rendered. It does not affect the result.
type Options struct {
	// Cache stores converted formulas from one build to the next; nil means no cache.
	Cache *cache.Cache
	// Memo stores pages from one rendering to the next in this process; nil means no memo. RenderSingle ignores it.
	Memo *Memo
}

// Tree is a set of files: slash-separated paths below the output folder, and their contents.
type Tree map[string][]byte

// book is a site that is being turned into HTML.
type book struct {
	*Site
	opts     Options
	chapters []*chapter // the chapters to write
	menu     []*chapter // the chapters to which menus lead
	tree     []*menuNode
	cut      bool               // menus omit pages
	ways     map[*chapter][]int // the paths to the pages in the tree
	newest   []*chapter         // pages with a date
	bySlug   map[string]*chapter
	byFile   map[string]*chapter // the pages with a body or with blocks, by the path of their file
	byName   map[string]*chapter // the same pages by file name; nil if several files have this name
	targets  targets
	single   bool
	kit      *Kit // the kit that is being made, if any
	epub     bool
	layout   *template.Template // the templates with the words of the site
}

// Render returns the files of a site: its pages, the style sheet, figures and downloads. The result depends only on the
// site. If the site or its pages have faults, the error is an Errors, which lists all faults that could be found. Other
// errors come from ctx, or mean that rendering itself failed.
func Render(ctx context.Context, s Site, opts Options) (Tree, error) {
	kits := s
	s = s.withoutKits()
	if opts.Memo != nil {
		opts.Memo.begin(s)
		defer opts.Memo.mu.Unlock()
	}
	b, err := prepare(ctx, &s, opts, false)
	if err != nil {
		return nil, err
	}
	texts, err := b.renderChapters(ctx)
	if err != nil {
		return nil, err
	}
	searching := Tree{}
	var search sync.WaitGroup
	search.Go(func() { b.addSearch(searching, texts) })
	shown := make(chan []previews, 1)
	go func() { shown <- b.previewParts(texts) }()
	pages, views := make([][]byte, len(texts)), make([]*pageView, len(texts))
	err = b.eachChapter(ctx, func(i int, c *chapter) {
		views[i] = b.view(i, texts[i])
		known := false
		if pages[i], known = opts.Memo.page(c.Slug, views[i]); !known {
			pages[i] = []byte(b.fill("page", views[i]))
		}
	})
	previewed := <-shown
	search.Wait()
	if err != nil {
		return nil, err
	}
	tree := Tree{
		styleName: []byte(style + b.Theme), mathFontLicenseName: mathFontLicense,
	}
	maps.Copy(tree, searching)
	for i, c := range b.chapters {
		tree[c.Slug+".html"] = pages[i]
		if err := c.addFiles(tree); err != nil {
			return nil, err
		}
	}
	if b.Address != "" {
		tree["sitemap.xml"] = b.sitemap()
	}
	for _, picture := range []*Icon{b.Icon, b.Logo} {
		if picture != nil {
			tree[picture.Name] = picture.Data
		}
	}
	if b.feeds() {
		tree[feedName] = b.feed()
	}
	if err := b.addRedirects(tree); err != nil {
		return nil, err
	}
	b.addExplorer(tree)
	b.addPreviews(tree, previewed)
	if err := kits.addKits(ctx, tree, opts); err != nil {
		return nil, err
	}
	if opts.Memo != nil {
		opts.Memo.keep(b, texts, previewed, views, pages)
	}
	return tree, nil
}

// rendered is the text of a chapter as HTML, with data for the table of contents, the search and links.
type rendered struct {
	body     template.HTML
	heading  headingView
	toc      []*tocEntry
	contents template.HTML // the table of contents; "" if there are no sections
	sections []section
	minutes  int         // the reading time
	slides   bool        // the chapter has something for the projector view
	leads    [][2]string // the pages and ids to which links with previews lead
	shown    []string    // everything from other pages that the text shows
}

func (b *book) renderChapters(ctx context.Context) ([]rendered, error) {
	texts := make([]rendered, len(b.chapters))
	renderers := sync.Pool{New: func() any { return newPageRenderer(b, nil) }} // creating one takes time
	return texts, b.eachChapter(ctx, func(i int, c *chapter) {
		var shown []string
		if b.opts.Memo != nil {
			shown = b.shown(c)
		}
		if text, ok := b.opts.Memo.text(c, shown); ok {
			texts[i] = text
			return
		}
		r := renderers.Get().(*pageRenderer)
		defer renderers.Put(r)
		r.chapter = c
		body := b.Words.groupNumbers(r.body())
		linked := b.linkTerms(c, body)
		texts[i] = rendered{
			body: template.HTML(linked), heading: r.title(), toc: r.contents(), sections: b.sectionsOf(c, body),
			slides: slide.MatchString(body), leads: b.previewTargets(c, linked), shown: shown,
		}
		if len(texts[i].toc) > 0 {
			texts[i].contents = contentsHTML(texts[i].toc)
		}
		if c.Level != Unlevelled && c.Level != Reference {
			texts[i].minutes = minutes(body)
		}
	})
}

// prepare does everything that must precede rendering: it reads the pages, converts the formulas, numbers all items,
// and resolves references and links.
func prepare(ctx context.Context, s *Site, opts Options, single bool) (*book, error) {
	b := &book{
		Site:    s,
		opts:    opts,
		targets: targets{},
		bySlug:  map[string]*chapter{},
		byFile:  map[string]*chapter{},
		byName:  map[string]*chapter{},
		single:  single,
		layout:  template.Must(layout.Clone()).Funcs(template.FuncMap{"say": s.Words.Say}),
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	b.chapters = make([]*chapter, len(s.Pages))
	numbers := chapterNumbers(s.Pages)
	err := b.eachChapter(ctx, func(i int, _ *chapter) {
		if b.chapters[i] = opts.Memo.chapter(&s.Pages[i], numbers[i]); b.chapters[i] == nil {
			b.chapters[i] = readChapter(&s.Pages[i], numbers[i], s.Words)
		}
	})
	if err != nil {
		return nil, err
	}
	if err := b.convertMath(ctx); err != nil {
		return nil, err
	}
	for _, c := range b.chapters {
		b.bySlug[c.Slug] = c
		if c.Body != nil || c.Blocks != nil {
			file := path.Clean(filepath.ToSlash(c.File))
			b.byFile[file] = c
			if _, several := b.byName[path.Base(file)]; several {
				b.byName[path.Base(file)] = nil
			} else {
				b.byName[path.Base(file)] = c
			}
		}
		if !c.known {
			c.numberHeadings()
			c.numberEquations()
			if c.title != nil {
				c.Title = c.reading(c.titleNode, c.title.text, false)
			}
		}
		b.targets.register(c)
	}
	if s.DataField != "" {
		s.Stamp = append(slices.Clip(s.Stamp), Field{s.DataField, dataHash(b.chapters)})
	}
	var errs errorList
	for _, c := range b.chapters {
		b.targets.resolve(c, b.bySlug)
		b.resolveLinks(c)
		c.errs.sort(c.cells)
		errs.list = append(errs.list, c.errs.list...)
	}
	b.menu = slices.DeleteFunc(slices.Clone(b.chapters), b.gone)
	b.tree, b.ways = tree(b.menu), map[*chapter][]int{}
	places(b.tree, nil, b.ways)
	b.setLinks(b.tree)
	b.cut = len(b.menu) > mostInMenu || longest(b.tree) > mostSiblings
	b.chapters = slices.DeleteFunc(b.chapters, func(c *chapter) bool { return c.Omit })
	b.newest = b.dated()
	return b, errs.err()
}

// gone reports whether a page cannot be the target of links.
func (b *book) gone(c *chapter) bool { return c.Kit || c.Omit && !b.LinkOmitted }

// chapterNumbers returns the numbers of the pages. Each series is numbered separately. The number of an unnumbered page
// is "".
func chapterNumbers(pages []Page) []string {
	numbers := make([]string, len(pages))
	count := map[string]int{}
	for i := range pages {
		if !pages[i].Unnumbered {
			series := pages[i].Series
			count[series]++
			numbers[i] = series + strconv.Itoa(count[series])
		}
	}
	return numbers
}

// eachChapter calls f for every chapter, for several chapters at the same time.
func (b *book) eachChapter(ctx context.Context, f func(i int, c *chapter)) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, c := range b.chapters {
		group.Go(func() error {
			err := groupCtx.Err()
			if err == nil {
				f(i, c)
			}
			return err
		})
	}
	return group.Wait()
}

// convertMath converts the formulas of newly read pages. It converts each distinct formula only once.
func (b *book) convertMath(ctx context.Context) error {
	var distinct []tex.Formula
	place := map[tex.Formula]int{} // the index in distinct
	fresh := slices.DeleteFunc(slices.Clone(b.chapters), func(c *chapter) bool { return c.known })
	for _, c := range fresh {
		for _, f := range c.math {
			if _, seen := place[f.Formula]; !seen {
				place[f.Formula] = len(distinct)
				distinct = append(distinct, f.Formula)
			}
		}
	}
	converted, err := tex.Convert(ctx, b.Macros, b.opts.Cache, distinct)
	if err != nil {
		return err
	}
	for _, c := range fresh {
		for _, f := range c.math {
			c.setResult(f, &converted[place[f.Formula]])
		}
	}
	return nil
}

// dataHash returns a short hash of the numbers in all figures, tables and values.
func dataHash(chapters []*chapter) string {
	hash := sha256.New()
	for _, c := range chapters {
		hash.Write(c.sum)
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// dataSum returns a hash of the numbers in the figures, tables and values of one page.
func (c *chapter) dataSum() []byte {
	hash := sha256.New()
	for _, b := range c.blocks {
		fmt.Fprintf(hash, "%s/%s %d\n", c.Slug, b.anchor, len(b.csv))
		hash.Write(b.csv)
	}
	for _, name := range slices.Sorted(maps.Keys(c.Values)) {
		fmt.Fprintf(hash, "%s %q = %q\n", c.Slug, name, unmarked(fmt.Sprint(c.Values[name])))
	}
	return hash.Sum(nil)
}

// addFiles adds the page's figures, their data, its assets and its downloads to the tree.
func (c *chapter) addFiles(tree Tree) error {
	for _, name := range slices.Sorted(maps.Keys(c.Assets)) {
		if !c.embeds(name, c.Assets[name]) {
			tree[c.assetPath(name)] = c.Assets[name]
		}
	}
	var errs errorList
	for _, name := range slices.Sorted(maps.Keys(c.Downloads)) {
		if _, taken := tree[name]; taken {
			errs.addf(c.start(), "download %q: the site has a file with this name: use another name", name)
		}
		tree[name] = c.Downloads[name]
	}
	add := func(b *block, name string, data []byte) {
		if _, taken := c.asset(name); taken {
			errs.addf(b.place, "the asset %q has the name of a file of %s %q: rename it", name, b.name.kind, b.name.id)
		}
		if !c.embeds(name, data) {
			tree[c.assetPath(name)] = data
		}
	}
	for _, b := range c.blocks {
		if b.figure != nil {
			add(b, b.imageName(false), b.figure.Light)
			if b.figure.Dark != nil {
				add(b, b.imageName(true), b.figure.Dark)
			}
		}
		if b.csv != nil {
			add(b, b.csvName(), b.csv)
		}
	}
	return errs.err()
}

// singleView is the data for the template of an edition of one file.
type singleView struct {
	Frame    pageView
	Hosted   template.HTML // the element of a kit that shows its address
	Style    template.CSS
	Chapters []chapterView
	Search   template.HTML
	Explorer template.HTML
	Previews template.HTML
}

type chapterView struct {
	ID, Number string
	Heading    headingView
	Head       pageHead
	Body       template.HTML
	Classes    string
}

// RenderSingle returns the site as a single HTML file that does not need other files: it contains the images, the style
// sheet and the downloads. The last line is the file's checksum; see Untouched. Pages and their parts have the same
// numbers as in Render's result. Anchors begin with the slug of their page. RenderSingle reports faults as Render does.
func RenderSingle(ctx context.Context, s Site, opts Options) ([]byte, error) {
	return renderSingle(ctx, s.withoutKits(), opts, nil)
}

// renderSingle returns the site as a single file or, if kit is not nil, the kit.
func renderSingle(ctx context.Context, s Site, opts Options, kit *Kit) ([]byte, error) {
	opts.Memo = nil
	b, err := prepare(ctx, &s, opts, true)
	if err != nil {
		return nil, err
	}
	b.kit = kit
	texts, err := b.renderChapters(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]chapterView, len(texts))
	toc := make([]*tocEntry, len(texts))
	for i, c := range b.chapters {
		views[i] = chapterView{
			ID:      b.id(c, "top"),
			Number:  c.number,
			Heading: texts[i].heading,
			Head:    b.pageHead(c, texts[i]),
			Body:    texts[i].body,
			Classes: c.classes(),
		}
		toc[i] = &tocEntry{
			Href:   b.href(c, c, ""),
			Number: c.number,
			Title:  template.HTML(template.HTMLEscapeString(c.nav())),
			Sub:    texts[i].toc,
		}
		if kit != nil && len(texts) == 1 {
			toc = texts[i].toc
			continue
		}
		for _, section := range toc[i].Sub {
			section.Sub = nil
		}
	}
	front := b.bySlug["index"]
	if kit != nil {
		front = b.chapters[0]
	}
	v := singleView{
		Frame:    b.frame(front, b.singlePolicy()),
		Style:    template.CSS(b.singleStyle()),
		Chapters: views,
		Explorer: b.explorerParts(),
		Previews: b.previewElement(),
	}
	v.Frame.Description = cmp.Or(front.Description, b.Title)
	if kit == nil {
		v.Search, toc = b.searchInside(texts), b.byPart(toc)
	} else if v.Hosted, err = b.hosted(kit); err != nil {
		return nil, err
	}
	v.Frame.TOC = contentsHTML(toc)
	page := sealed([]byte(b.fill("single", v)))
	return page, nil
}

// byPart groups the entries of chapters by part. It leaves out the sections of chapters that are in a part.
func (b *book) byPart(entries []*tocEntry) []*tocEntry {
	var grouped []*tocEntry
	last := ""
	for i, c := range b.chapters {
		if c.Part == "" {
			grouped = append(grouped, entries[i])
		} else {
			if c.Part != last {
				grouped = append(grouped, &tocEntry{
					Href:  entries[i].Href,
					Title: template.HTML(template.HTMLEscapeString(c.Part)),
				})
			}
			entries[i].Sub = nil
			part := grouped[len(grouped)-1]
			part.Sub = append(part.Sub, entries[i])
		}
		last = c.Part
	}
	return grouped
}

// singlePolicy returns the content security policy of an edition of one file. It allows the font, which is in the file,
// and, by their hashes, the style sheet and the scripts for the search, the previews and the explorables.
func (b *book) singlePolicy() string {
	policy := "default-src 'none'; img-src data:; font-src data:; style-src '" + sourceHash(b.singleStyle()) +
		"'; base-uri 'none'; form-action 'none'"
	var scripts []string
	if b.kit == nil {
		scripts = append(scripts, searchScript)
	}
	if b.Previews {
		scripts = append(scripts, b.singlePreviews())
	}
	if b.explores() {
		scripts = append(scripts, inXML(b.Explorer.Script))
	}
	sources := "'none'"
	if len(scripts) > 0 {
		for i, script := range scripts {
			scripts[i] = "'" + sourceHash(script) + "'"
		}
		sources = strings.Join(scripts, " ")
	}
	if !b.explores() {
		return policy + quietPolicy(sources)
	}
	return policy + scriptPolicy(sources)
}

// A single file does not come with a file of checksums, so it ends with its own checksum, in a comment that readers do
// not see.
const (
	sealStart = "<!-- siegebook: the SHA-256 of all before this line is "
	sealEnd   = " -->\n"
)

// sealed returns a page with its checksum appended.
func sealed(page []byte) []byte {
	sum := sha256.Sum256(page)
	return fmt.Appendf(page, "%s%s%s", sealStart, hex.EncodeToString(sum[:]), sealEnd)
}

// unsealed returns a page without its checksum, and whether the checksum exists and is correct.
func unsealed(page []byte) (content []byte, ok bool) {
	at := bytes.LastIndex(page, []byte(sealStart))
	if at < 0 {
		return page, false
	}
	content = page[:at]
	return content, bytes.Equal(sealed(bytes.Clone(content)), page)
}

// Untouched returns nil if RenderSingle made the file and the file has not been changed since. Otherwise it returns an
// error with the reason.
func Untouched(page []byte) error {
	_, err := ReadStamp(page)
	if _, ok := unsealed(page); ok && err == nil {
		return nil
	}
	if err != nil {
		return errors.New("siegebook did not write this file")
	}
	return errors.New("the file was changed since siegebook wrote it, or an earlier version wrote it")
}

var (
	stampStart = []byte(`<dl class="stamp">`)
	stampField = regexp.MustCompile(`(?s)<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>`)
)

// ReadStamp returns the stamp of a page made by Render or RenderSingle, which records how to make the page again. The
// stamp is the last element on a page, and text that looks like a stamp is escaped.
func ReadStamp(page []byte) ([]Field, error) {
	start := bytes.LastIndex(page, stampStart)
	if start < 0 {
		return nil, errors.New("there is no stamp: the file is not a page of a report")
	}
	list, _, ok := bytes.Cut(page[start:], []byte("</dl>"))
	if !ok {
		return nil, errors.New("the stamp is incomplete: the page is damaged")
	}
	var fields []Field
	for _, match := range stampField.FindAllSubmatch(list, -1) {
		fields = append(fields, Field{html.UnescapeString(string(match[1])), html.UnescapeString(string(match[2]))})
	}
	return fields, nil
}

var (
	kindPassthroughInline = passthrough.KindPassthroughInline
	kindPassthroughBlock  = passthrough.KindPassthroughBlock
)

// pageRenderer renders those nodes of a chapter that goldmark does not support, or would render differently.
type pageRenderer struct {
	book    *book
	chapter *chapter
	md      renderer.Renderer
	toc     bool     // headings are rendered for the table of contents, without links
	ends    []string // the end tags of the open elements
}

func newPageRenderer(b *book, c *chapter) *pageRenderer {
	r := &pageRenderer{book: b, chapter: c}
	r.md = goldmark.New(
		goldmark.WithExtensions(
			extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
			extension.Strikethrough, extension.DefinitionList,
		),
		goldmark.WithRendererOptions(gohtml.WithXHTML(), renderer.WithNodeRenderers(util.Prioritized(r, 10))),
	).Renderer()
	return r
}

// element is the markup of a node: either the markup before and after its children, or its complete markup.
type element struct {
	start, end string
	whole      bool // the children are left out
}

func wholeElement(markup string) element { return element{start: markup, whole: true} }

// RegisterFuncs registers with goldmark the nodes that r renders.
func (r *pageRenderer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	for kind, render := range map[ast.NodeKind]func(n ast.Node, src []byte) element{
		ast.KindHeading:             r.heading,
		ast.KindBlockquote:          r.blockquote,
		kindCalloutTitle:            r.calloutTitle,
		kindFold:                    r.fold,
		kindPassthroughInline:       r.math,
		kindPassthroughBlock:        r.math,
		kindEnvironment:             r.math,
		kindBlockCall:               r.block,
		kindInlineCall:              r.ref,
		ast.KindLink:                r.link,
		ast.KindAutoLink:            r.autoLink,
		ast.KindImage:               r.image,
		ast.KindHTMLBlock:           r.nothing,
		ast.KindRawHTML:             r.nothing,
		kindTagged:                  r.tagged,
		ast.KindFencedCodeBlock:     r.code,
		ast.KindCodeBlock:           r.code,
		extast.KindTaskCheckBox:     r.task,
		kindCaptioned:               r.captioned,
		kindOnly:                    r.only,
		kindCaption:                 r.caption,
		extast.KindTable:            r.markdownTable,
		extast.KindTableCell:        r.markdownCell,
		extast.KindFootnoteLink:     r.footnoteRef,
		extast.KindFootnoteBacklink: r.footnoteBacklink,
		kindInlineNote:              r.nothing,
		kindNoted:                   r.noted,
	} {
		reg.Register(kind, func(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
			if !entering {
				last := len(r.ends) - 1
				w.WriteString(r.ends[last])
				r.ends = r.ends[:last]
				return ast.WalkContinue, nil
			}
			e := render(n, src)
			w.WriteString(e.start)
			r.ends = append(r.ends, e.end)
			if e.whole {
				return ast.WalkSkipChildren, nil
			}
			return ast.WalkContinue, nil
		})
	}
}

// buffer is a string builder to which goldmark writes directly, without another buffer.
type buffer struct{ strings.Builder }

func (*buffer) Available() int { return 0 }
func (*buffer) Buffered() int  { return 0 }
func (*buffer) Flush() error   { return nil }

// html renders a tree to a string.
func (r *pageRenderer) html(src []byte, doc ast.Node) string {
	var out buffer
	if err := r.md.Render(&out, src, doc); err != nil {
		panic("site: rendering Markdown: " + err.Error())
	}
	return out.String()
}

// inline renders a caption or cell.
func (r *pageRenderer) inline(in *prose) template.HTML {
	return template.HTML(strings.TrimSpace(r.html(in.text, in.doc)))
}

func (r *pageRenderer) id(anchor string) string { return r.book.id(r.chapter, anchor) }

func (r *pageRenderer) words() Words { return r.book.Words }

// label returns an attribute that names an element for readers who cannot see its place on the page.
func (r *pageRenderer) label(key string, values ...any) string {
	return ` aria-label="` + html.EscapeString(r.words().Say(key, values...)) + `"`
}

func (r *pageRenderer) nothing(ast.Node, []byte) element { return wholeElement("") }

func (r *pageRenderer) heading(n ast.Node, _ []byte) element {
	h := r.chapter.byNode[n]
	switch {
	case n == r.chapter.framed:
		return wholeElement("")
	case h == nil: // the heading does not begin a section
		return element{start: "<p><strong>", end: "</strong></p>\n"}
	}
	level, id, number, class := strconv.Itoa(h.level), r.id(h.anchor), "", ""
	if h.number != "" {
		number = `<span class="number">` + h.number + `</span> `
	}
	if h.answered {
		class = ` class="answered"`
	}
	return element{
		start: "<h" + level + ` id="` + id + `"` + class + `>` + number,
		end: ` <a class="permalink" href="#` + id + `"` + r.label("permalink", r.chapter.headingText(h, true)) +
			`></a></h` + level + ">\n",
	}
}

func (r *pageRenderer) blockquote(n ast.Node, _ []byte) element {
	title, ok := n.FirstChild().(*calloutTitle)
	if !ok {
		return element{start: "<blockquote>\n", end: "</blockquote>\n"}
	}
	more := title.kind + `"`
	if title.label != "" {
		more += ` id="` + r.id(title.anchor()) + `"`
	}
	if title.folded {
		return element{start: `<details class="callout callout-` + more + ">\n", end: "</details>\n"}
	}
	return element{start: `<aside class="callout callout-` + more + ` role="note">` + "\n", end: "</aside>\n"}
}

func (r *pageRenderer) fold(n ast.Node, src []byte) element {
	e := element{start: `<details class="callout callout-details">` + "\n", end: "</details>\n"}
	if first := n.FirstChild(); first == nil || first.Kind() != kindCalloutTitle {
		untitled := r.calloutTitle(&calloutTitle{kind: titleOnly, folded: true}, src)
		e.start += untitled.start + untitled.end
	}
	return e
}

func (r *pageRenderer) calloutTitle(n ast.Node, _ []byte) element {
	title := n.(*calloutTitle)
	tag := "p"
	if title.folded {
		tag = "summary"
	}
	e := element{start: "<" + tag + ` class="callout-title">`, end: "</" + tag + ">\n"}
	if title.kind != titleOnly || !title.HasChildren() {
		words := html.EscapeString(cmp.Or(title.label, r.words().Say(title.kind)))
		if title.label != "" && !title.folded {
			words = `<a href="#` + r.id(title.anchor()) + `">` + words + "</a>"
		}
		e.start += `<span class="callout-kind">` + words + `</span>`
		if title.HasChildren() {
			e.start += " "
		}
	}
	return e
}

func (r *pageRenderer) math(n ast.Node, _ []byte) element {
	return wholeElement(r.chapter.formulas[n].mathHTML(r))
}

func (r *pageRenderer) ref(n ast.Node, _ []byte) element {
	call := n.(*inlineCall)
	if named := r.chapter.calls[call.index]; named.kind == callAnchor {
		return wholeElement(`<span id="` + r.id(named.id) + `"></span>`)
	}
	return wholeElement(r.refHTML(r.chapter.refs[call]))
}

func (r *pageRenderer) refHTML(ref *reference) string {
	text := html.EscapeString(cmp.Or(ref.text, ref.to.text))
	switch {
	case ref.kind == callPicture && ref.to.block == nil:
		return ""
	case r.toc || r.book.gone(ref.to.chapter):
		return text
	case ref.kind == callPicture:
		return r.thumbnail(ref)
	}
	return `<a class="ref" href="` + r.book.href(r.chapter, ref.to.chapter, ref.to.anchor) + `">` + text + "</a>"
}

// buttonTitle is the title of a link that looks like a button. Such links are for actions that readers should take.
const buttonTitle = "button"

func (r *pageRenderer) link(n ast.Node, _ []byte) element {
	i := slices.IndexFunc(r.chapter.links, func(l *link) bool { return l.node == n })
	if r.toc || i < 0 || r.chapter.links[i].omitted {
		return element{}
	}
	l, more := r.chapter.links[i], ""
	switch {
	case string(l.node.Title) == buttonTitle:
		more = ` class="button"`
	case l.node.Title != nil:
		more = ` title="` + html.EscapeString(string(resolved(l.node.Title))) + `"`
	}
	if l.download != "" { // without it, browsers refuse to open files inside an edition of one file
		more += ` download="` + html.EscapeString(l.download) + `"`
	}
	return element{
		start: `<a href="` + html.EscapeString(string(util.URLEscape([]byte(l.href), false))) + `"` + more + ">",
		end:   "</a>",
	}
}

// task renders the check box before an item of a task list.
func (r *pageRenderer) task(n ast.Node, _ []byte) element {
	sign, words := "☐", "to-do"
	if n.(*extast.TaskCheckBox).IsChecked {
		sign, words = "☑", "done"
	}
	return wholeElement(`<span class="task" role="img"` + r.label(words) + `>` + sign + "</span> ")
}

func (r *pageRenderer) autoLink(n ast.Node, src []byte) element {
	link := n.(*ast.AutoLink)
	address, label := unmarked(string(link.URL(src))), unmarked(string(link.Label(src)))
	if r.toc {
		return wholeElement(html.EscapeString(label))
	}
	if link.AutoLinkType == ast.AutoLinkEmail {
		address = "mailto:" + address
	}
	return wholeElement(`<a href="` + html.EscapeString(string(util.URLEscape([]byte(address), false))) + `">` +
		html.EscapeString(label) + "</a>")
}

func (r *pageRenderer) image(n ast.Node, _ []byte) element {
	img := r.chapter.images[n.(*ast.Image)]
	if img == nil {
		return wholeElement("")
	}
	size := ""
	if img.width > 0 {
		size = fmt.Sprintf(` width="%d"`, img.width)
	}
	if img.height > 0 {
		size += fmt.Sprintf(` height="%d"`, img.height)
	}
	data, _ := r.chapter.asset(img.name)
	src := r.book.assetURL(r.chapter, img.name, data)
	return wholeElement(`<img src="` + quoted.Replace(src) + `" alt="` + html.EscapeString(img.alt) + `"` + size + " />")
}
