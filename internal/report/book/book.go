package book

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/explore"
)

// Book has the contents of a report: games with chapters, pages of its own, and the order of all pages.
type Book struct {
	// Title is the name of the book, in the head of every page.
	Title string
	// Lang, Author, Theme, Address, Icon and Words are as in site.Site.
	Lang, Author, Theme, Address string
	Icon                         *site.Icon
	Words                        site.Words
	// Stamp has the first fields of the stamp of every page.
	Stamp []site.Field
	// Digest identifies a book that is not compiled into the program, for the cache.
	Digest []byte
	// Macros are as in site.Site.
	Macros map[string]string
	// HeaderLinks and Terms are as in site.Site.
	HeaderLinks []string
	Terms       []site.Term
	// Games have chapters. The texts of a game's pages are in a folder with the game's name, in Folder.
	Games []chapter.Game
	// Folder is the folder of the book in its repository. If Cells is true, the other Markdown files there are pages
	// with cells, see With.
	Folder string
	Cells  bool
	// Explorables are the explorables of the pages.
	Explorables explore.Set
	// Pages are the pages that belong to no game. One of them is the front page, "index".
	Pages []Page
	// Order is the order of all pages, in parts and sections.
	Order []Part
	// Heads has what is shown below the titles of pages whose texts do not say it, by slug.
	Heads map[string]Head
	// Units are computed for the book's own pages.
	Units []chapter.Unit
	// Mark, if not nil, is called with all pages of a report. It returns changed pages, and leaves the given ones as
	// they are.
	Mark func(*Contents, []site.Page) ([]site.Page, error)
}

// Page is a page of a book that belongs to no game.
type Page struct {
	Slug string
	File string // its name in the repository
	Text string // the contents of that file, as compiled into the program
	// Needs are the names of units that have to be computed before Fill; see Book.Units and chapter.Unit.
	Needs []string
	// Fill adds what the text shows; nil for a page that is only text.
	Fill func(*Contents, *site.Page) error
	// Read returns the page for its text; nil means site.ReadText.
	Read func(file, text string) site.Page
	// Made is the finished page, if it has been made already. The page then has no Text.
	Made *site.Page
}

// With returns the book with the pages of another one, and with their explorables.
func (b Book) With(other Book) Book {
	b.Pages = slices.Clip(b.Pages)
	for _, p := range other.Pages {
		if b.page(p.Slug) == nil { // the other book has a front page too
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
	sum := sha256.Sum256(slices.Concat(b.Digest, other.Digest))
	b.Digest = sum[:]
	return b
}

// Contents has the pages of a report, and what was computed for it, for Fill.
type Contents struct {
	Options Options
	// Pages are the pages of the report in reading order, after the front page, without the content that is filled in.
	Pages []site.Page
	book  Book
	work  *work
}

// Title returns the title of the page with a slug, "" if there is none.
func (c *Contents) Title(slug string) string {
	if i := slices.IndexFunc(c.Pages, func(p site.Page) bool { return p.Slug == slug }); i >= 0 {
		return c.Pages[i].Title
	}
	return ""
}

// Part returns the result of a unit that the page needs.
func (c *Contents) Part(unit string) chapter.Part { return c.work.part(unit) }

// Book returns the book itself.
func (c *Contents) Book() Book { return c.book }

// Lessons returns the pages of the lessons, as their notebooks have them.
func (c *Contents) Lessons() ([]site.Page, error) { return Notebooks(c.Options.Lessons) }

// List returns a list in Markdown of the pages after the front page, by their parts and sections.
func (c *Contents) List() string { return contents(c.Pages) }

// functions returns the functions of a page, with those among {{ contents }} and {{ link "a" "b" }} that it calls. The
// text of a page without functions can be kept between builds.
func (c *Contents) functions(p *site.Page) map[string]any {
	funcs := p.Funcs
	for name, does := range map[string]any{
		"contents": c.List,
		"link":     func(slugs ...string) (string, error) { return linkToFirst(c.Pages, slugs) },
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

// linkToFirst returns a link to the first page that is there.
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

// Chapters returns the names that Options.Only accepts: games, the common beginnings of slugs, then pages.
func (b Book) Chapters() []string {
	var names, slugs []string
	for _, g := range b.Games {
		names, slugs = append(names, g.Name), append(slugs, g.Slugs...)
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

// mostText is the most bytes of a text.
const mostText = 16 * limitedread.MiB

// PageTexts returns the pages of the book that are not lessons, as their texts have them, the front page first. The
// texts are read from the folder or, if it is nil, from the program.
func (b Book) PageTexts(folder fs.FS) ([]site.Page, error) {
	var pages []site.Page
	var faults site.Errors
	own := func(p Page, add func(slug, file, part, text string, read func(file, text string) site.Page)) {
		if p.Made != nil {
			pages = append(pages, *p.Made)
			return
		}
		add(p.Slug, p.File, "", p.Text, p.Read)
	}
	add := func(slug, file, part, text string, read func(file, text string) site.Page) {
		if folder != nil {
			data, err := limitedread.ReadFS(folder, file, mostText)
			if err != nil {
				faults = append(faults, &site.Error{File: file, Msg: "the page's text cannot be read: " + err.Error()})
				return
			}
			text = string(data)
		}
		var page site.Page
		if read != nil {
			page = read(file, text)
		} else {
			var err error
			if page, err = site.ReadText(slug, file, text); err != nil {
				faults = append(faults, err.(site.Errors)...) // ReadText returns no other errors
				return
			}
		}
		page.Part = part
		pages = append(pages, page)
	}
	for _, p := range b.Pages {
		if p.Slug == FrontSlug {
			own(p, add)
		}
	}
	for _, g := range b.Games {
		for _, slug := range g.Slugs {
			file := b.gameFile(g, slug)
			text, err := fs.ReadFile(g.Texts, path.Base(file))
			if err != nil {
				return nil, err
			}
			add(slug, file, g.Title, string(text), nil)
		}
	}
	for _, p := range b.Pages {
		if p.Slug != FrontSlug {
			own(p, add)
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return pages, nil
}

// units returns the units of all games for some settings, and the book's own units.
func (b Book) units(settings chapter.Settings) []chapter.Unit {
	var units []chapter.Unit
	for _, g := range b.Games {
		units = append(units, g.Units(settings)...)
	}
	return append(units, b.Units...)
}

// page returns the book's own page with a slug, nil if there is none.
func (b Book) page(slug string) *Page {
	if i := slices.IndexFunc(b.Pages, func(p Page) bool { return p.Slug == slug }); i >= 0 {
		return &b.Pages[i]
	}
	return nil
}

// assemble makes the site of a report: it reads the texts of all pages, and computes the wanted pages.
func (b Book) assemble(ctx context.Context, w *work, o Options, lessons []lesson.Lesson) (site.Site, error) {
	pages, err := b.PageTexts(o.Texts)
	if err != nil {
		return site.Site{}, err
	}
	others, err := Notebooks(lessons)
	if err != nil {
		return site.Site{}, err
	}
	front := pages[0]
	c := &Contents{Options: o, Pages: b.InOrder(append(pages[1:len(pages):len(pages)], others...)), book: b, work: w}
	all := append([]site.Page{front}, c.Pages...)
	needed := map[string]bool{}
	for i := range all {
		p := &all[i]
		if p.Omit = !o.Wants(p.Slug); p.Omit {
			continue
		}
		needed[p.Slug] = true
		if own := b.page(p.Slug); own != nil {
			for _, unit := range own.Needs {
				needed[unit] = true
			}
		}
	}
	if err := w.want(ctx, func(name string) bool { return needed[name] }); err != nil {
		return site.Site{}, err
	}
	for i := range all {
		p := &all[i]
		if p.Omit {
			continue
		}
		if made := w.part(p.Slug).Page; made.Slug == p.Slug {
			p.CopyContent(made)
		}
		if own := b.page(p.Slug); own != nil && own.Fill != nil {
			if err := own.Fill(c, p); err != nil {
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
		Title: b.Title, Lang: b.Lang, Words: b.Words, Author: b.Author, Theme: b.Theme, Macros: b.Macros,
		HeaderLinks: b.HeaderLinks, Terms: b.Terms, LinkOmitted: o.LinkOmitted, Pages: all, Stamp: o.stamp(b),
		DataField: b.Words.Say(stampData), Address: b.Address, Icon: b.Icon,
	}
	if len(o.Engines) > 0 {
		s.Explorer, s.Previews = w.explorer(), true
	}
	return s, nil
}

// Draft is a report that is being written. The data, claims and figures of its pages are computed once, when a page is
// wanted; after that a build takes the texts from files.
type Draft struct {
	book    Book
	options Options
	work    *work
}

// NewDraft begins a draft. It returns the errors of Validate, except errors about lessons, which are passed to Build.
func NewDraft(b Book, o Options) (*Draft, error) {
	only := o.Only
	o.Only = nil
	o, err := b.normal(o)
	o.Only, o.Memo = only, new(site.Memo)
	return newDraft(b, o), err
}

func newDraft(b Book, o Options) *Draft { return &Draft{b, o, newWork(b, o)} }

// Build returns the result of the function Build for the draft's options with these lessons, run by this kernel. Texts
// are read each time.
func (d *Draft) Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error) {
	o := d.options
	o.Lessons, o.Kernel = lessons, kernel
	o, err := d.book.normal(o)
	if err != nil {
		return nil, err
	}
	return d.build(ctx, o)
}

// BuildOnly builds some of the pages, as named in Options.Only. It computes only what they show; their links lead to
// the other pages nevertheless. It may be called while another goroutine builds.
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

// With returns the draft for the book with other pages of its own. The drafts share what has been computed.
func (d *Draft) With(pages Book) *Draft { return &Draft{pages, d.options, d.work} }

func (d *Draft) build(ctx context.Context, o Options) (site.Tree, error) {
	s, err := d.book.assemble(ctx, d.work, o, o.Lessons)
	if err != nil {
		return nil, err
	}
	return site.Render(ctx, s, o.rendering())
}

// gameFile returns the name of the text of a game's page in the repository.
func (b Book) gameFile(g chapter.Game, slug string) string {
	return path.Join(b.Folder, g.Name, strings.TrimPrefix(slug, g.Name+"-")+".md")
}

// TextFiles returns the names of all texts in the repository of the book, the text of the front page first.
func (b Book) TextFiles() []string {
	var files []string
	for _, p := range b.Pages {
		if p.Made == nil {
			files = append(files, p.File)
		}
	}
	for _, g := range b.Games {
		for _, slug := range g.Slugs {
			files = append(files, b.gameFile(g, slug))
		}
	}
	return files
}

// textsDigest returns a hash of all texts in a folder; nil if the texts come from the program.
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
