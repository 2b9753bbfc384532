package book

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// Book describes a report: games with chapters, other pages, and the order of all pages.
type Book struct {
	// Title is the name of the book. Every page shows it in its header.
	Title string
	// Lang, Author, Theme, Address, Icon, Logo, Redirects and Words have the same meanings as in site.Site.
	Lang, Author, Theme, Address string
	Icon, Logo                   *site.Icon
	Redirects                    []site.Redirect
	Words                        site.Words
	// Languages has the same meaning as in site.Site.
	Languages []site.Language
	// Stamp holds the first fields of the stamp on every page.
	Stamp []site.Field
	// Digest returns a hash that identifies a book that is not compiled into the program; nil means that the book is
	// compiled in. The hash is part of the cache keys.
	Digest func() []byte
	// Macros has the same meaning as in site.Site.
	Macros map[string]string
	// HeaderLinks and Terms have the same meanings as in site.Site.
	HeaderLinks []string
	Terms       []site.Term
	// Kits has the same meaning as in site.Site.
	Kits []site.Kit
	// Games are the games that have chapters.
	Games []chapter.Game
	// Folder is the folder of the book in its repository. If Cells is true, the Markdown files there are pages with
	// cells, except the files that Pages already lists; see With.
	Folder string
	Cells  bool
	// Explorables are the explorables of the pages.
	Explorables explore.Set
	// Pages are the pages that belong to no game. One of them is the front page, "index".
	Pages []Page
	// Order is the order of all pages, in parts and sections.
	Order []Part
	// Heads maps slugs to the information below the title, for pages whose texts do not contain it.
	Heads map[string]Head
	// Statements are the claims that cells of pages have shown.
	Statements content.Statements
	// Mark, if not nil, is called with all pages of a report. It returns changed copies, and leaves the given pages
	// unchanged.
	Mark func(*Contents, []site.Page) ([]site.Page, error)
}

// Page is a page of a book that belongs to no game.
type Page struct {
	Slug string
	File string // the name of the page's text in the repository
	Text string // the text as compiled into the program
	// Needs lists the slugs of pages whose cells have to run before Fill, because Fill uses the book's Statements.
	Needs []string
	// Fill adds the values and blocks that the text shows. It is nil for a page that is only text.
	Fill func(*Contents, *site.Page) error
	// Read returns the page from its text; nil means site.ReadText.
	Read func(file, text string) site.Page
	// Made is the finished page, if it already exists. Text is then empty.
	Made *site.Page
}

// With returns the book with the pages and explorables of another book added.
func (b Book) With(other Book) Book {
	b.Pages = slices.Clip(b.Pages)
	for _, p := range other.Pages {
		if b.page(p.Slug) == nil { // skips, for example, the front page of the other book
			b.Pages = append(b.Pages, p)
		}
	}
	for _, m := range other.Explorables.Modules {
		if !slices.ContainsFunc(b.Explorables.Modules, func(o explore.Module) bool { return o.Name == m.Name }) {
			b.Explorables.Modules = append(slices.Clip(b.Explorables.Modules), m)
		}
	}
	if len(other.Explorables.Modules) > 0 {
		b.Explorables.Heights += strings.TrimPrefix(other.Explorables.Heights, b.Explorables.Heights)
	}
	b.Statements = slices.Concat(b.Statements, other.Statements)
	if other.Explorables.Live != nil {
		b.Explorables.Live = other.Explorables.Live
	}
	first := b
	b.Digest = func() []byte {
		sum := sha256.Sum256(slices.Concat(first.Hash(), other.Hash()))
		return sum[:]
	}
	return b
}

// Hash returns the hash of the book, or nil for a book that is compiled into the program.
func (b Book) Hash() []byte {
	if b.Digest == nil {
		return nil
	}
	return b.Digest()
}

// Contents holds the pages and the data of a report for Fill.
type Contents struct {
	context.Context
	Options Options
	// Pages are the pages of the report in reading order, after the front page, without the content that Fill adds.
	Pages []site.Page
	book  Book
}

// Title returns the title of the page with a slug, or "" if there is none.
func (c *Contents) Title(slug string) string {
	if i := slices.IndexFunc(c.Pages, func(p site.Page) bool { return p.Slug == slug }); i >= 0 {
		return c.Pages[i].Title
	}
	return ""
}

// Book returns the book itself.
func (c *Contents) Book() Book { return c.book }

// List returns a Markdown list of the pages after the front page, grouped by part and section.
func (c *Contents) List() string { return contents(c.Pages) }

// functions returns the template functions of a page. It adds contents, link and part if the text calls them: {{
// contents }}, {{ link "a" "b" }}, {{ part "title" "text" }}. The text of a page without functions can be kept between
// builds.
func (c *Contents) functions(p *site.Page) map[string]any {
	funcs := p.Funcs
	for name, does := range map[string]any{
		"contents": c.List,
		"link":     func(slugs ...string) (string, error) { return linkToFirst(c.Pages, slugs) },
		"part":     c.ofPart,
	} {
		if strings.Contains(p.Source, "{{ "+name+" ") {
			funcs = maps.Clone(funcs)
			if funcs == nil {
				funcs = map[string]any{}
			}
			funcs[name] = does
		}
	}
	return funcs
}

// ofPart replaces {} in a text with the number of pages in a part. It returns "" if the part has no page.
func (c *Contents) ofPart(title, text string) string {
	pages := 0
	for _, p := range c.Pages {
		if p.Part == title {
			pages++
		}
	}
	if pages == 0 {
		return ""
	}
	return strings.ReplaceAll(text, "{}", strconv.Itoa(pages))
}

// linkToFirst returns a link to the first page that exists.
func linkToFirst(pages []site.Page, slugs []string) (string, error) {
	for _, slug := range slugs {
		if i := slices.IndexFunc(pages, func(p site.Page) bool { return p.Slug == slug }); i >= 0 {
			return linkTo(pages[i]), nil
		}
	}
	return "", fmt.Errorf("none of the pages %q is in the report: name one of its pages", slugs)
}

// Parameters returns the parameters of the chapters, in the order of the games.
func (b Book) Parameters() []chapter.Parameter {
	var all []chapter.Parameter
	for _, g := range b.Games {
		all = append(all, g.Parameters...)
	}
	return all
}

// Chapters returns the names that Options.Only accepts: first games and groups of pages whose slugs begin alike, then
// single pages.
func (b Book) Chapters() []string {
	var names, slugs []string
	for _, g := range b.Games {
		names = append(names, g.Name)
	}
	for _, p := range b.Pages {
		if group, _, several := strings.Cut(p.Slug, "-"); several && !slices.Contains(names, group) {
			names = append(names, group)
		}
		if p.Slug != FrontSlug {
			slugs = append(slugs, p.Slug)
		}
	}
	for _, slug := range b.Slugs() {
		lesson := strings.HasPrefix(slug, "lesson-")
		if b.Cells && !lesson && !slices.Contains(slugs, slug) {
			slugs = append(slugs, slug)
		}
	}
	return append(names, slugs...)
}

// FrontSlug is the slug of the front page.
const FrontSlug = "index"

// mostText is the maximum number of bytes in a text.
const mostText = 16 * limitedread.MiB

// PageTexts returns the pages of the book except lessons, as read from their texts, with the front page first. The
// texts are read from the folder or, if it is nil, from the program.
func (b Book) PageTexts(folder fs.FS) ([]site.Page, error) {
	var pages []site.Page
	var faults site.Errors
	for _, p := range b.Pages {
		page, err := p.read(folder)
		if err != nil {
			faults = append(faults, err...)
			continue
		}
		if p.Slug == FrontSlug {
			pages = slices.Insert(pages, 0, page)
		} else {
			pages = append(pages, page)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return pages, nil
}

// read returns the page as read from its text. The text is read from a folder or, if it is nil, from the program.
func (p Page) read(folder fs.FS) (site.Page, site.Errors) {
	if p.Made != nil {
		return *p.Made, nil
	}
	text := p.Text
	if folder != nil {
		data, err := limitedread.ReadFS(folder, p.File, mostText)
		if err != nil {
			fault := &site.Error{File: p.File, Msg: "the page's text cannot be read: " + err.Error()}
			return site.Page{}, site.Errors{fault}
		}
		text = string(data)
	}
	if p.Read != nil {
		return p.Read(p.File, text), nil
	}
	page, err := site.ReadText(p.Slug, p.File, text)
	if err != nil {
		return page, err.(site.Errors) // ReadText returns no other errors
	}
	return page, nil
}

// page returns the book's own page with the given slug, or nil if there is none.
func (b Book) page(slug string) *Page {
	if i := slices.IndexFunc(b.Pages, func(p Page) bool { return p.Slug == slug }); i >= 0 {
		return &b.Pages[i]
	}
	return nil
}

// assemble makes the site of a report: it reads the texts of all pages, and fills in the wanted pages.
func (b Book) assemble(
	ctx context.Context, explorer func() *site.Explorer, o Options, lessons []lesson.Lesson,
) (site.Site, error) {
	pages, err := b.PageTexts(o.Texts)
	if err != nil {
		return site.Site{}, err
	}
	others, err := Notebooks(lessons)
	if err != nil {
		return site.Site{}, err
	}
	front := pages[0]
	c := &Contents{
		Context: ctx, Options: o, Pages: b.InOrder(append(pages[1:len(pages):len(pages)], others...)), book: b,
	}
	all := append([]site.Page{front}, c.Pages...)
	fills := map[string]func(*Contents, *site.Page) error{}
	for _, p := range b.Pages {
		fills[p.Slug] = p.Fill
	}
	for i := range all {
		p := &all[i]
		if p.Omit = !o.Wants(p.Slug); p.Omit {
			continue
		}
		if fill := fills[p.Slug]; fill != nil {
			if err := fill(c, p); err != nil {
				return site.Site{}, err
			}
		}
		p.Funcs = c.functions(p)
	}
	if b.Mark != nil {
		if all, err = b.Mark(c, all); err != nil {
			return site.Site{}, err
		}
	}
	s := site.Site{
		Title: b.Title, Lang: b.Lang, Languages: b.Languages, Words: b.Words, Author: b.Author, Theme: b.Theme,
		Macros:      b.Macros,
		HeaderLinks: b.HeaderLinks, Terms: b.Terms, LinkOmitted: o.LinkOmitted, Pages: all, Stamp: o.stamp(b),
		DataField: b.Words.Say(stampData), Address: b.Address, Icon: b.Icon, Kits: slices.Clone(b.Kits),
		Logo: b.Logo, Redirects: b.Redirects,
	}
	for i, k := range s.Kits {
		if k.Lang != "" {
			s.Kits[i].Words, _ = site.NewWords(k.Lang, nil) // cannot fail: NewWords rejects only words of an author
		}
	}
	if len(o.Engines) > 0 {
		s.Explorer, s.Previews = explorer(), true
	} else if b.Explorables.Live != nil {
		s.Explorer = explorer()
	}
	return s, nil
}

// Draft is a report that is being written. Each build reads the texts from files again.
type Draft struct {
	book     Book
	options  Options
	explorer func() *site.Explorer
}

// NewDraft begins a draft. It returns the errors of Validate, except errors about lessons, because lessons are passed
// to Build.
func NewDraft(b Book, o Options) (*Draft, error) {
	only := o.Only
	o.Only = nil
	o, err := b.normal(o)
	o.Only, o.Memo = only, new(site.Memo)
	return newDraft(b, o), err
}

func newDraft(b Book, o Options) *Draft { return &Draft{b, o, b.explorer(o)} }

// Build calls the function Build with the draft's options, these lessons and the kernel that ran them. It reads the
// texts each time.
func (d *Draft) Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error) {
	o := d.options
	o.Lessons, o.Kernel = lessons, kernel
	o, err := d.book.normal(o)
	if err != nil {
		return nil, err
	}
	return d.build(ctx, o)
}

// BuildOnly builds some of the pages, as named in Options.Only. Their links still lead to the other pages. It is safe
// for concurrent use.
func (d *Draft) BuildOnly(
	ctx context.Context, lessons []lesson.Lesson, kernel string, only []string,
) (site.Tree, error) {
	o := d.options
	o.Lessons, o.Kernel, o.Only, o.LinkOmitted, o.Memo = lessons, kernel, only, true, nil
	o, err := d.book.normal(o)
	if err != nil {
		return nil, err
	}
	return d.build(ctx, o)
}

// With returns a draft of the book with the pages of another book added, and with the given engines.
func (d *Draft) With(pages Book, engines explore.Engines) *Draft {
	if maps.EqualFunc(engines, d.options.Engines, bytes.Equal) {
		return &Draft{pages, d.options, d.explorer}
	}
	o := d.options
	o.Engines = engines
	return newDraft(pages, o)
}

func (d *Draft) build(ctx context.Context, o Options) (site.Tree, error) {
	s, err := d.book.assemble(ctx, d.explorer, o, o.Lessons)
	if err != nil {
		return nil, err
	}
	return site.Render(ctx, s, o.rendering())
}

// TextFiles returns the names of all texts of the book in its repository. The text of the front page comes first.
func (b Book) TextFiles() []string {
	var files []string
	for _, p := range b.Pages {
		if p.Made == nil {
			files = append(files, p.File)
		}
	}
	return files
}

// textsDigest returns a hash of all texts in a folder, or nil if the texts come from the program.
func (b Book) textsDigest(folder fs.FS) []byte {
	if folder == nil {
		return nil
	}
	hash := sha256.New()
	for _, name := range b.TextFiles() {
		text, err := limitedread.ReadFS(folder, name, mostText)
		fmt.Fprintf(hash, "%s %d %v\n%s", name, len(text), err, text)
	}
	return hash.Sum(nil)
}
