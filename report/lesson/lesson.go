package lesson

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/internal/foreign"
	"github.com/siegebook/siegebook/report/site"
)

// TagHideCode folds the code of a cell.
const TagHideCode = "hide-code"

// Lesson is a notebook as a page of the report.
type Lesson struct {
	Page site.Page
	// Ran says whether the page shows the outputs of a run, now or earlier, rather than none.
	Ran bool
	// RanNow says that this run was not taken from the cache.
	RanNow bool

	origins []origin // of the lines of Page.Source
}

// Options say how a notebook becomes a page.
type Options struct {
	// Slug is the page's file name without ".html", in the form that package site wants.
	Slug string
	// File is the name of the notebook's file: the last part is that of the download, all of it stands in messages.
	File string
	// Download is the file that the page offers; nil means the notebook without its outputs.
	Download []byte
	// Trusted says that the outputs are those of our own run. Their classes may stay, and their Markdown becomes part of
	// the page. They are sanitised all the same.
	Trusted bool
	// Lessons leads links to other notebooks to their pages: names of files to slugs.
	Lessons map[string]string
	// Note, if not empty, is a remark at the top of the page, plain text.
	Note string
}

// Page makes a page of a notebook and the outputs that are in it. The error names the file, and the cell where there is
// one: prose that cannot be read, a <details> that is not closed. What only the whole site can tell, such as a link that
// leads nowhere, is found by [site.Render]; [Locate] tells its errors in the words of the notebook.
func Page(n *jupyter.Notebook, o Options) (Lesson, error) { return newLesson(n, n.Cells(), o) }

// newLesson makes a page of a notebook and cells that stand for its own.
func newLesson(n *jupyter.Notebook, cells []jupyter.Cell, o Options) (Lesson, error) {
	b := &builder{options: o, language: languageName(n.Language())}
	b.page = site.Page{
		Slug: o.Slug, File: o.File, Assets: map[string][]byte{}, Fragments: map[string]template.HTML{},
	}
	if err := b.build(n, cells); err != nil {
		return Lesson{}, fmt.Errorf("%s: %w", o.File, err)
	}
	b.page.Source = b.src.text.String()
	return Lesson{Page: b.page, origins: b.src.origins}, nil
}

// builder makes one page.
type builder struct {
	options  Options
	language string
	page     site.Page
	src      source
	anchors  map[string]bool // of cells

	// Of the cell at hand:
	number   int    // among the code cells, from 1
	cellName string // in messages
	parts    int    // of its output that have a name
	figures  int
	ofCell   tally

	ofPage tally // of all cells so far
}

func (b *builder) build(n *jupyter.Notebook, cells []jupyter.Cell) error {
	texts := map[int]*cellText{}
	var headings []*heading
	for i, c := range cells {
		if c.Kind != jupyter.Markdown {
			continue
		}
		text, err := readCell(cellName(c, i), c.Source)
		if err != nil {
			return fmt.Errorf("%s: %w", cellName(c, i), err)
		}
		texts[i] = text
		headings = append(headings, text.headings...)
	}
	title := outline(headings)
	b.describe(title, cells, texts)
	b.opening(n)
	l := links{lessons: b.options.Lessons, headings: jupyterAnchors(headings, title)}
	prose := false
	for i, c := range cells {
		b.cellName = cellName(c, i)
		var err error
		switch c.Kind {
		case jupyter.Markdown:
			if prose {
				b.src.wall()
			}
			l.attachments = b.attach(c, i)
			err = b.prose(texts[i], title, l)
		case jupyter.Code:
			err = b.code(c)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", b.cellName, err)
		}
		prose = c.Kind == jupyter.Markdown
	}
	return nil
}

// cellName names a cell in messages, by its id or, where it has none, by its place from 1.
func cellName(c jupyter.Cell, i int) string {
	if c.ID != "" {
		return fmt.Sprintf("cell %q", c.ID)
	}
	return fmt.Sprintf("cell %d", i+1)
}

// jupyterAnchors returns the anchors of the headings under the names that Jupyter gives them.
func jupyterAnchors(headings []*heading, title *heading) map[string]string {
	names := map[string]string{}
	for _, h := range headings {
		name := strings.ReplaceAll(h.plain, " ", "-")
		if _, taken := names[name]; taken || h.folded {
			continue
		}
		names[name] = h.anchor
		if h == title {
			names[name] = "top"
		}
	}
	return names
}

// attach makes assets of the images that are attached to a Markdown cell, and returns their names.
func (b *builder) attach(c jupyter.Cell, i int) map[string]string {
	names := map[string]string{}
	for k, name := range slices.Sorted(maps.Keys(c.Attachments)) {
		for _, mediaType := range c.Attachments[name].MediaTypes() {
			text, _ := c.Attachments[name].Text(mediaType)
			data, err := []byte(text), error(nil)
			if mediaType != "image/svg+xml" || !strings.HasPrefix(strings.TrimSpace(text), "<") {
				data, err = foreign.DecodeBase64(text)
			}
			if err != nil {
				continue
			}
			p, err := foreign.NewPicture(mediaType, data)
			if err != nil {
				continue // the link to it leads nowhere, which package site reports
			}
			names[name] = fmt.Sprintf("text-%d-%d.%s", i+1, k+1, p.Kind)
			b.page.Assets[names[name]] = p.Data
		}
	}
	return names
}

func (b *builder) prose(c *cellText, title *heading, l links) error {
	lines, err := c.markdown(title, l)
	if err != nil {
		return err
	}
	b.src.gap()
	for _, l := range lines {
		b.src.write(l.text, origin{c.name, l.from})
	}
	b.src.gap()
	return nil
}

// code shows a code cell: its number, its text, its outputs.
func (b *builder) code(c jupyter.Cell) error {
	b.number++
	b.parts, b.figures = 0, 0
	if strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0 {
		return nil
	}
	b.label(c)
	b.listing(c)
	return b.outputs(c.Outputs)
}

// label writes the number of the cell, which links to itself. The anchor begins with the page's slug, because all pages
// may be put into one file.
func (b *builder) label(c jupyter.Cell) {
	id := b.options.Slug + "." + cmp.Or(c.ID, "cell-"+strconv.Itoa(b.number))
	id = regexp.MustCompile(`[^A-Za-z0-9_.-]+`).ReplaceAllString(id, "-")
	if b.anchors[id] {
		id += "." + strconv.Itoa(b.number)
	}
	if b.anchors == nil {
		b.anchors = map[string]bool{}
	}
	b.anchors[id] = true
	count := b.number
	if c.ExecutionCount > 0 {
		count = c.ExecutionCount
	}
	b.fragment(fmt.Sprintf(`<p class="cell-label" id="%s"><a href="#%s" aria-label="Cell %d, permanent link">[%d]</a></p>`, id, id, count, count))
}

// listing writes the code of a cell.
func (b *builder) listing(c jupyter.Cell) {
	code := strings.Trim(clean(c.Source), "\n")
	if strings.TrimSpace(code) == "" {
		return
	}
	fence := "```"
	for strings.Contains(code, fence) {
		fence += "`"
	}
	lines := append([]string{fence + b.language}, strings.Split(code, "\n")...)
	lines = append(lines, fence)
	b.src.gap()
	mark := ""
	if hidesCode(c) {
		mark = "> "
		b.src.write("> [!DETAILS]- Code", origin{b.cellName, 0})
		b.src.write(">", origin{b.cellName, 0})
	}
	for i, l := range lines {
		b.src.write(mark+l, origin{b.cellName, max(min(i, len(lines)-2), 1)})
	}
	b.src.gap()
}

// hidesCode says whether the code of a cell is to be folded.
func hidesCode(c jupyter.Cell) bool {
	return c.HasTag(TagHideCode) || hiddenInJupyter(c.Metadata)
}

var languageForm = regexp.MustCompile(`^[a-z0-9+#-]+$`)

// languageName is the language of the listings, "" if it is none.
func languageName(name string) string {
	if !languageForm.MatchString(name) {
		return ""
	}
	return name
}

// fragment places a block of HTML.
func (b *builder) fragment(markup string) {
	name := "part-" + strconv.Itoa(len(b.page.Fragments)+1)
	b.page.Fragments[name] = template.HTML(markup)
	b.shows(len(markup), 0)
	b.src.gap()
	b.src.call(`{{ fragment "`+name+`" }}`, origin{b.cellName, 0})
	b.src.gap()
}

// figure places a picture of the cell's output.
func (b *builder) figure(p *foreign.Picture, alt, caption string) {
	b.figures++
	b.shows(len(p.Data), p.Drawn)
	name := fmt.Sprintf("cell-%d-%d", b.number, b.figures)
	alt = cmp.Or(strings.TrimSpace(clean(alt)), p.Title, "Picture that cell "+strconv.Itoa(b.number)+" shows")
	caption = cmp.Or(strings.TrimSpace(clean(caption)), p.Title, "Output of cell "+strconv.Itoa(b.number))
	b.src.gap()
	if p.Kind == "svg" || p.Kind == "png" {
		b.page.Figures = append(b.page.Figures, content.Figure{ID: name, Light: p.Data, Width: p.Width, Height: p.Height, Alt: alt})
		b.src.call(fmt.Sprintf("{{ figure %q %s }}", name, strconv.Quote(site.Escape(caption))), origin{b.cellName, 0})
	} else {
		b.page.Assets[name+"."+p.Kind] = p.Data
		b.src.write("!["+site.Escape(alt)+"]("+name+"."+p.Kind+")", origin{b.cellName, 0})
	}
	b.src.gap()
}
