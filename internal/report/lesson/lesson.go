// Package lesson makes pages of the report from notebooks.
//
// [Course] runs the notebooks of a folder, or takes their outputs from the cache, and makes a page from each notebook.
// The page is a body of blocks: a Markdown cell becomes prose, a code cell a listing, and each of its outputs one block
// or more. [Page] does this for one notebook. Prose is in the dialect of package site, which reports faults with file,
// cell and line.
//
// # What code cells show
//
// The code of a cell is folded. The comment at its beginning is shown instead, to say what the code does. The code
// stays open if the cell is tagged [TagShowInput]. Outputs are open; they are folded if the cell is tagged
// [TagHideOutput]. An output is shown in the richest form that a page supports: a block of the report, then HTML,
// pictures, Markdown and plain text. Raw cells are left out.
//
// Outputs of cells are not trusted, not even the outputs of our own runs: drawings become images, HTML is sanitised,
// pictures are checked, text is escaped. A notebook can change only its own page.
package lesson

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// Lesson is a notebook as a page of the report.
type Lesson struct {
	Slug string
	// Omit has the meaning of the field of site.Page.
	Omit bool
	// Page makes the page. It is called only if a report is computed and not taken from the cache.
	Page func() (site.Page, error)
	// Digest is a hash of everything that the page depends on besides the program: notebook, outputs, options.
	Digest [sha256.Size]byte
	// Ran reports whether the page shows the outputs of a run, now or earlier.
	Ran bool
	// RanNow reports that this run was not taken from the cache.
	RanNow bool
	// Notebook and Cells are the notebook, and its cells with the outputs that the page shows.
	Notebook *jupyter.Notebook
	Cells    func() ([]jupyter.Cell, error)
	options  Options
}

// File returns the name of the notebook's file.
func (l Lesson) File() string { return l.options.File }

// WithLive returns the lesson with a live page.
func (l Lesson) WithLive(live *site.Live) Lesson {
	l.options.Live = live
	return l.changed([]byte(live.Data))
}

// WithCells returns the lesson with other outputs of its cells.
func (l Lesson) WithCells(cells []jupyter.Cell) (Lesson, error) {
	outputs, err := json.Marshal(cells)
	l.Cells = func() ([]jupyter.Cell, error) { return cells, nil }
	return l.changed(outputs), err
}

// changed returns the lesson with another page, which depends on more.
func (l Lesson) changed(by []byte) Lesson {
	l.Digest = sha256.Sum256(slices.Concat(l.Digest[:], by))
	l.Page = sync.OnceValues(func() (site.Page, error) {
		cells, err := l.Cells()
		page := Page(l.Notebook, cells, l.options)
		page.Omit = l.Omit
		return page, err
	})
	return l
}

// Options say how a notebook becomes a page.
type Options struct {
	// Slug is the page's file name without ".html", in the form that package site wants.
	Slug string
	// File is the name of the notebook's file. Its last part is the name of the download. Messages contain all of it.
	File string
	// Note, if not empty, is a remark at the top of the page, plain text.
	Note string
	// External means that the notebook is not in this repository.
	External bool
	// Words has the meaning of the field of site.Site.
	Words site.Words
	// Live makes the page live. Its cells have the names of CellName.
	Live *site.Live
}

// CellName returns the name in a live page of the cell with an index in its notebook.
func CellName(index int) string { return fmt.Sprint("cell-", index) }

// Page returns a page for a notebook and for cells that replace its own cells, with the outputs of a run or without
// any. [site.Render] reports faults of its prose, with file, cell and line.
func Page(n *jupyter.Notebook, cells []jupyter.Cell, o Options) site.Page {
	b := &builder{options: o, language: languageName(n.Language())}
	b.page = site.Page{Slug: o.Slug, File: o.File, Assets: map[string][]byte{}}
	b.opening(n)
	type mark struct {
		at    int // in the body
		block site.LiveMark
	}
	var marks []mark
	for i, c := range cells {
		b.place = content.Place{File: o.File, Cell: c.Name(i), Line: 1}
		switch c.Kind {
		case jupyter.Markdown:
			b.prose(content.Prose{Text: content.Markdown(clean(c.Source)), Place: b.place, Images: b.attach(c, i)})
		case jupyter.Code:
			begin := len(b.page.Body)
			b.code(c)
			if number, is := o.Live.Number(CellName(i)); is {
				marks = append(marks, mark{begin, site.LiveMark{Number: number}},
					mark{len(b.page.Body), site.LiveMark{Number: number, Ends: true}})
			}
		}
	}
	b.describe()
	for _, m := range slices.Backward(marks) {
		b.page.Body = slices.Insert(b.page.Body, m.at, content.Block(m.block))
	}
	b.page.Live = o.Live
	return b.page
}

// builder makes one page.
type builder struct {
	options  Options
	language string
	page     site.Page
	place    content.Place // of the current cell
	name     string        // that the author has given to the outputs of the current cell, "" for none
	ids      bool          // figures and tables may have names of their own
	sections bool          // the headings of texts are sections of the page

	// This is the state of the current code cell:
	number  int // among the code cells, from 1
	parts   int // of its output that have a name
	figures int
	tables  int
	claims  int
	ofCell  tally

	ofPage tally // of all cells so far
}

func (b *builder) add(blocks ...content.Block) { b.page.Body = append(b.page.Body, blocks...) }

// attach makes assets from the images that are attached to a Markdown cell, and returns their names by the names in the
// text.
func (b *builder) attach(c jupyter.Cell, i int) map[string]string {
	names := map[string]string{}
	for k, name := range slices.Sorted(maps.Keys(c.Attachments)) {
		for _, mediaType := range c.Attachments[name].MediaTypes() {
			text, _ := c.Attachments[name].Text(mediaType)
			data, err := []byte(text), error(nil)
			if mediaType != "image/svg+xml" || !strings.HasPrefix(strings.TrimSpace(text), "<") {
				data, err = sanitize.DecodeBase64(text)
			}
			if err != nil {
				continue
			}
			p, err := sanitize.NewPicture(mediaType, data)
			if err != nil {
				continue // the link to it leads nowhere, which package site reports
			}
			asset := fmt.Sprintf("text-%d-%d.%s", i+1, k+1, p.Kind)
			names["attachment:"+name], b.page.Assets[asset] = asset, p.Data
		}
	}
	return names
}

// code shows a code cell: its number, its text, its outputs.
func (b *builder) code(c jupyter.Cell) {
	b.number++
	b.parts, b.figures, b.tables, b.claims = 0, 0, 0, 0
	if strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0 {
		return
	}
	code := content.Code{
		Language: b.language, Folded: !c.HasTag(TagShowInput), Place: b.place, Number: b.number,
		ID: c.ID,
	}
	if c.ExecutionCount > 0 {
		code.Number = c.ExecutionCount
	}
	if text := strings.Trim(clean(c.Source), "\n"); strings.TrimSpace(text) != "" {
		code.Text = text + "\n"
	}
	if code.Folded {
		code.Summary = summary(c.Source, b.language, b.options.Words)
	}
	b.add(code)
	b.results(c)
}

// results shows the outputs of a code cell.
func (b *builder) results(c jupyter.Cell) {
	begin := len(b.page.Body)
	b.outputs(c.Outputs)
	if c.HasTag(TagHideOutput) {
		b.hideFrom(begin)
	}
}

var languageForm = regexp.MustCompile(`^[a-z0-9+#-]+$`)

// languageName returns the language of the listings, or "" if there is none.
func languageName(name string) string {
	if !languageForm.MatchString(name) {
		return ""
	}
	return name
}

// opening writes the text above the notebook, which says where to get it, and the note.
func (b *builder) opening(n *jupyter.Notebook) {
	name := assetName(path.Base(filepath.ToSlash(b.options.File)))
	stripped := n.Clone()
	stripped.Strip()
	b.page.Assets[name] = stripped.Bytes()
	text := "This page is a Jupyter notebook. To run it with values of your own, [download it](" +
		name + ") into the folder `notebooks` of the repository and type `make jupyter` there.\n"
	if b.options.External {
		text = b.options.Words.Say("notebook", name) + "\n"
	}
	if b.options.Note != "" {
		text += "\n> [!WARNING]\n> " + site.Escape(b.options.Note) + "\n"
	}
	b.add(content.Prose{Text: content.Markdown(text), Place: content.Place{File: b.options.File}})
}

var assetOther = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)

// assetName returns a name that a file of a page may have: the given name, or its valid parts.
func assetName(name string) string {
	const ending = ".ipynb"
	stem := strings.Trim(assetOther.ReplaceAllString(strings.TrimSuffix(name, ending), "-"), "-_.")
	if !site.ValidAsset(stem + ending) {
		return "notebook" + ending
	}
	return stem + ending
}

// partName returns the name of a part of the cell's output, for readers who do not see where it is.
func (b *builder) partName(what string) string {
	b.parts++
	name := b.options.Words.Say(what, b.number)
	if b.parts > 1 {
		name = b.options.Words.Say("part", name, b.parts)
	}
	return name
}

// used returns a hash of the packages of the module that the cells of a notebook use, directly or indirectly, and of
// the versions of all other modules.
//
// A cell need not be a complete Go file, and the kernel adds missing imports. So a package counts as used if its path
// is in the code, or if its name is before a dot and the cell does not import a package of that name. This sometimes
// finds too many packages, which costs a run, but never too few.
//
// The error is about a package that is used and cannot be read.
func used(m *gosource.Module, n *jupyter.Notebook) ([]byte, error) {
	var code strings.Builder
	guessed, imported := map[string]bool{}, map[string]bool{} // names of packages
	for _, c := range n.Cells() {
		if c.Kind != jupyter.Code {
			continue
		}
		code.WriteString(c.Source + "\n")
		for _, match := range importLine.FindAllStringSubmatch(c.Source, -1) {
			if p := m.Packages[match[1]]; p != nil {
				imported[p.Name] = true
			}
		}
		for _, match := range beforeDot.FindAllStringSubmatch(c.Source, -1) {
			guessed[match[1]] = guessed[match[1]] || !imported[match[1]]
		}
		if forgets.MatchString(c.Source) {
			clear(imported)
		}
	}
	roots := map[string]bool{}
	for name, p := range m.Packages {
		if guessed[p.Name] || strings.Contains(code.String(), `"`+name+`"`) ||
			strings.Contains(code.String(), "`"+name+"`") {
			roots[name] = true
		}
	}
	return m.Sum(slices.Collect(maps.Keys(roots)))
}

var (
	beforeDot = regexp.MustCompile(`\b([A-Za-z_][A-Za-z0-9_]*)\s*\.`)
	// importLine matches an import under the package's own name, alone on its line.
	importLine = regexp.MustCompile(
		"(?m)^[ \t]*(?:import[ \t]*\\(?[ \t]*)?[\"`]([^\"`\n]+)[\"`][ \t]*\\)?[ \t]*(?://.*)?$",
	)
	// forgets matches the kernel's commands after which imports may be gone.
	forgets = regexp.MustCompile(`(?m)^\s*%(?:reset|rm|remove)\b`)
)

// sumNamed returns a hash of the files whose names are texts in the code of a notebook, and that are in its folder or
// below it. Cells may read them.
func sumNamed(n *jupyter.Notebook, dir string) []byte {
	sum := sha256.New()
	for _, c := range n.Cells() {
		if c.Kind != jupyter.Code {
			continue
		}
		for _, match := range textInCode.FindAllStringSubmatch(c.Source, -1) {
			name := filepath.FromSlash(match[1])
			if !filepath.IsLocal(name) {
				continue
			}
			file, err := atomicfile.OpenNamed(filepath.Join(dir, name))
			if err != nil {
				continue // a text that is no name, or a file that a cell will not find
			}
			fmt.Fprintf(sum, "%q ", name)
			_, err = io.Copy(sum, file)
			fmt.Fprintf(sum, " %v\n", errors.Join(err, file.Close()) == nil)
		}
	}
	return sum.Sum(nil)
}

// textInCode matches a text between quotes that may be the name of a file.
var textInCode = regexp.MustCompile("[\"`]([^\"`\n]+\\.[^\"`\n]+)[\"`]")
