package site

import (
	"cmp"
	"context"
	"html/template"
	"maps"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/site/internal/tex"
	"golang.org/x/sync/errgroup"
)

// Options are how a site is rendered; none of them changes a byte of the result.
type Options struct {
	// Cache keeps converted formulas from one build to the next; nil means none.
	Cache *cache.Cache
	// Workers is the number of goroutines; 0 means one per processor.
	Workers int
	// Progress, if not nil, is told after each step how many of the steps are done, and what is done next. It is
	// called from one goroutine at a time.
	Progress func(done, total int, next string)
}

// Tree is a set of files: slash-separated paths below the output folder, and their contents.
type Tree map[string][]byte

// book is a site on its way to HTML.
type book struct {
	*Site
	opts     Options
	chapters []*chapter // that are written
	menu     []*chapter // that menus lead to
	bySlug   map[string]*chapter
	byFile   map[string]*chapter // those with a body, by the names of their files
	targets  targets
	single   bool
	layout   *template.Template // in the words of the site
}

// Render returns the files of a site: its pages, the style sheet, figures and downloads. The
// result depends on the site alone. A fault in the site or its pages is an Errors, which lists all that could be found;
// other errors are ctx's or a failure of the machinery.
func Render(ctx context.Context, s Site, opts Options) (Tree, error) {
	b, err := prepare(ctx, &s, opts, false)
	if err != nil {
		return nil, err
	}
	texts, err := b.renderChapters(ctx)
	if err != nil {
		return nil, err
	}
	search := make(chan string, 1)
	go func() { search <- b.searchPage(texts) }()
	pages := make([]string, len(texts))
	if err := b.eachChapter(ctx, func(i int, _ *chapter) { pages[i] = b.page(i, texts[i]) }); err != nil {
		return nil, err
	}
	tree := Tree{
		styleName: []byte(style + b.Theme), mathFontLicenseName: mathFontLicense,
		searchSlug + ".html": []byte(<-search),
	}
	for i, c := range b.chapters {
		tree[c.Slug+".html"] = []byte(pages[i])
		if err := c.addFiles(tree); err != nil {
			return nil, err
		}
	}
	b.addExplorer(tree)
	b.addPreviews(tree, texts)
	b.progress(4, "done")
	return tree, nil
}

// rendered is the text of a chapter as HTML, and what contents and search know of it.
type rendered struct {
	body     template.HTML
	toc      []*tocEntry
	sections []section
}

func (b *book) renderChapters(ctx context.Context) ([]rendered, error) {
	texts := make([]rendered, len(b.chapters))
	return texts, b.eachChapter(ctx, func(i int, c *chapter) {
		r := newPageRenderer(b, c)
		body := groupNumbers(r.body())
		texts[i] = rendered{template.HTML(body), r.contents(), b.sectionsOf(c, body)}
	})
}

// prepare does all that comes before the HTML: it reads the pages, converts the formulas, numbers and links.
func prepare(ctx context.Context, s *Site, opts Options, single bool) (*book, error) {
	b := &book{
		Site:    s,
		opts:    opts,
		targets: targets{},
		bySlug:  map[string]*chapter{},
		byFile:  map[string]*chapter{},
		single:  single,
		layout:  layoutIn(s.Words),
	}
	if err := s.validate(); err != nil {
		return nil, err
	}
	b.progress(0, "reading the pages")
	b.chapters = make([]*chapter, len(s.Pages))
	numbers := chapterNumbers(s.Pages)
	err := b.eachChapter(ctx, func(i int, _ *chapter) {
		b.chapters[i] = readChapter(&s.Pages[i], numbers[i], s.Words)
	})
	if err != nil {
		return nil, err
	}
	b.progress(1, "converting the formulas")
	if err := b.convertMath(ctx); err != nil {
		return nil, err
	}
	b.progress(2, "numbering and linking")
	for _, c := range b.chapters {
		b.bySlug[c.Slug] = c
		if c.Body != nil || c.Blocks != nil {
			b.byFile[path.Base(filepath.ToSlash(c.File))] = c
		}
		c.numberHeadings()
		c.numberEquations()
		b.targets.register(c)
	}
	var errs errorList
	for _, c := range b.chapters {
		b.targets.resolve(c, b.bySlug)
		b.resolveLinks(c)
		c.sortFaults()
		errs.list = append(errs.list, c.errs.list...)
	}
	b.menu = slices.DeleteFunc(slices.Clone(b.chapters), b.gone)
	b.chapters = slices.DeleteFunc(b.chapters, func(c *chapter) bool { return c.Omit })
	b.progress(3, "writing HTML")
	return b, errs.err()
}

// gone says whether nothing can lead to a page.
func (b *book) gone(c *chapter) bool { return c.Omit && !b.Lazy }

func (b *book) progress(done int, next string) {
	if b.opts.Progress != nil {
		b.opts.Progress(done, 4, next)
	}
}

// chapterNumbers counts the numbered pages of each series.
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

// eachChapter calls f for every chapter, several at a time.
func (b *book) eachChapter(ctx context.Context, f func(i int, c *chapter)) error {
	group, groupCtx := errgroup.WithContext(ctx)
	group.SetLimit(b.workers())
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

func (b *book) workers() int { return cmp.Or(max(b.opts.Workers, 0), runtime.GOMAXPROCS(0)) }

// convertMath converts each distinct formula of the site once.
func (b *book) convertMath(ctx context.Context) error {
	var distinct []tex.Formula
	seen := map[tex.Formula]bool{}
	for _, c := range b.chapters {
		for _, f := range c.math {
			if !seen[f.Formula] {
				seen[f.Formula] = true
				distinct = append(distinct, f.Formula)
			}
		}
	}
	converter := tex.NewConverter(b.Macros, b.opts.Cache)
	defer converter.Close()
	converted, err := converter.Convert(ctx, distinct, b.workers())
	if err != nil {
		return err
	}
	results := make(map[tex.Formula]*tex.Result, len(distinct))
	for i, f := range distinct {
		results[f] = &converted[i]
	}
	for _, c := range b.chapters {
		for _, f := range c.math {
			c.setResult(f, results[f.Formula])
		}
	}
	return nil
}

// addFiles adds the figures of a page, their data, its assets and its downloads.
func (c *chapter) addFiles(tree Tree) error {
	for _, name := range slices.Sorted(maps.Keys(c.Assets)) {
		if !c.embeds(name) {
			tree[c.assetPath(name)] = c.Assets[name]
		}
	}
	maps.Copy(tree, c.Downloads)
	var errs errorList
	add := func(b *block, name string, data []byte) {
		if _, taken := c.asset(name); taken {
			errs.addf(b.place, "the asset %q has the name of a file of %s %q: rename it", name, b.name.kind, b.name.id)
		}
		if !c.embeds(name) {
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
