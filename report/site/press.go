package site

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/report/site/internal/tex"
)

// Press renders a site again and again while it is being written. It keeps what an edit has not touched: converted
// formulas, the trees of pages that say the same as before, and the HTML of those whose surroundings are the same too. The zero
// value is ready. It is not safe for concurrent use.
type Press struct {
	mu        sync.Mutex // the chapters of a site are read and rendered by several goroutines
	macros    map[string]string
	converter *tex.Converter
	formulas  map[tex.Formula]*tex.Result
	kept      map[string]*keptChapter // by slug
	pages     map[string]pressed      // of the last site that had no fault
	outward   digest
	touched   []string
}

// pressed is a chapter with its page.
type pressed struct {
	chapter *chapter
	page    renderedPage
}

// Render returns what the function Render returns for the site, and the slugs of the pages that it had to render, in reading order. What
// a page says is compared after its template has run, so that Values and Funcs may change from call to call.
func (p *Press) Render(ctx context.Context, s Site, opts Options) (Tree, []string, error) {
	if p.converter == nil || !maps.Equal(p.macros, s.Macros) {
		p.Close()
		*p = Press{macros: maps.Clone(s.Macros), converter: tex.NewConverter(s.Macros, opts.Cache), kept: map[string]*keptChapter{}}
	}
	p.touched = nil
	opts.press = p
	tree, err := Render(ctx, s, opts)
	if err != nil {
		return nil, nil, err
	}
	var touched []string
	for i := range s.Pages {
		if slices.Contains(p.touched, s.Pages[i].Slug) {
			touched = append(touched, s.Pages[i].Slug)
		}
	}
	return tree, touched, nil
}

// Close frees what Render keeps.
func (p *Press) Close() {
	if p.converter != nil {
		p.converter.Close()
		p.converter = nil
	}
}

// Warm makes the first formula that is new as fast as those after it.
func (p *Press) Warm(ctx context.Context) error {
	_, err := tex.NewConverter(nil, nil).Convert(ctx, []tex.Formula{{TeX: "x"}}, 1)
	return err
}

// chapter returns the chapter of a page: the kept one, if the page says what it said before. On a nil Press it reads the
// page anew.
func (p *Press) chapter(page *Page, number string) *chapter {
	src, err := execute(page)
	if p == nil || err != nil {
		return readChapter(page, number, src, err)
	}
	key := pageDigest(page, number, src)
	p.mu.Lock()
	kept := p.kept[page.Slug]
	p.mu.Unlock()
	if kept != nil && kept.key == key {
		kept.reset(page)
		return kept.chapter
	}
	c := readChapter(page, number, src, nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept[page.Slug] = keep(c, key)
	return c
}

// convert converts formulas, those that it has not converted before. On a nil Press it converts them all.
func (p *Press) convert(ctx context.Context, b *book, formulas []tex.Formula) (map[tex.Formula]*tex.Result, error) {
	results := make(map[tex.Formula]*tex.Result, len(formulas))
	var missing []tex.Formula
	for _, f := range formulas {
		if p != nil && p.formulas[f] != nil {
			results[f] = p.formulas[f]
		} else {
			missing = append(missing, f)
		}
	}
	converted, err := b.convert(ctx, missing)
	if err != nil {
		return nil, err
	}
	for i, f := range missing {
		results[f] = &converted[i]
	}
	if p != nil {
		p.formulas = results
	}
	return results, nil
}

// convert runs the converter, which is the press's where there is one.
func (b *book) convert(ctx context.Context, formulas []tex.Formula) ([]tex.Result, error) {
	if p := b.opts.press; p != nil {
		return p.converter.Convert(ctx, formulas, b.workers())
	}
	converter := tex.NewConverter(b.Macros, b.opts.Cache)
	defer converter.Close()
	return converter.Convert(ctx, formulas, b.workers())
}

// renderPages returns the pages of all chapters. A page whose chapter is the kept one is kept too, unless something has
// changed that pages tell about each other.
func (p *Press) renderPages(ctx context.Context, b *book) ([]renderedPage, error) {
	pages := make([]renderedPage, len(b.chapters))
	var outward digest
	if p != nil {
		outward = b.outward()
	}
	err := b.eachChapter(ctx, func(i int, c *chapter) error {
		if p != nil && outward == p.outward && p.pages[c.Slug].chapter == c {
			pages[i] = p.pages[c.Slug].page
			return nil
		}
		page, err := b.renderPage(c)
		pages[i] = page
		if p != nil {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.touched = append(p.touched, c.Slug)
		}
		return err
	})
	if err != nil || p == nil {
		return pages, err
	}
	p.outward, p.pages = outward, map[string]pressed{}
	for i, c := range b.chapters {
		p.pages[c.Slug] = pressed{c, pages[i]}
	}
	return pages, nil
}

// keptChapter is a chapter and what it was before it was numbered and linked.
type keptChapter struct {
	*chapter
	key     digest
	errs    []*Error
	anchors map[string]int
}

func keep(c *chapter, key digest) *keptChapter {
	return &keptChapter{c, key, slices.Clone(c.errs.list), maps.Clone(c.anchors)}
}

// reset makes the chapter ready to be numbered and linked again.
func (k *keptChapter) reset(page *Page) {
	c := k.chapter
	c.Page = page
	c.errs.list, c.anchors = slices.Clone(k.errs), maps.Clone(k.anchors)
	for _, f := range c.math {
		f.result, f.numbers = nil, nil
	}
	for _, h := range c.headings {
		h.number = ""
	}
	for _, r := range c.refs {
		r.to = nil
	}
	for _, l := range c.links {
		l.href, l.omitted = "", false
	}
}

// pageDigest tells pages apart that do not say the same, or not in the same chapter.
func pageDigest(page *Page, number string, src *source) digest {
	rest := *page
	rest.Source, rest.Values, rest.Funcs = "", nil, nil // all that they do is in src
	return digestOf(reflect.ValueOf(rest), reflect.ValueOf(number), reflect.ValueOf(src.text), reflect.ValueOf(src.marks), reflect.ValueOf(src.calls),
		reflect.ValueOf(src.dead))
}

// outward is a digest of all that pages tell about the site and each other.
func (b *book) outward() digest {
	type name struct{ name, slug, anchor, text string }
	type face struct {
		slug, title, nav, part, description, number string
		omit                                        bool
		anchors                                     []string
	}
	var names []name
	for _, key := range slices.Sorted(maps.Keys(b.targets)) {
		for _, to := range b.targets[key] {
			names = append(names, name{key, to.chapter.Slug, to.anchor, to.text})
		}
	}
	var faces []face
	for _, c := range b.chapters {
		faces = append(faces, face{
			c.Slug, c.Title, c.nav(), c.Part, c.Description, c.number, c.Omit, slices.Sorted(maps.Keys(c.anchors)),
		})
	}
	shared := []any{b.Title, b.Lang, b.Stamp, b.Macros, names, faces}
	return digestOf(reflect.ValueOf(shared))
}
