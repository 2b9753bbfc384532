// Package lesson makes pages of the report from notebooks.
//
// [Course] runs the notebooks of a folder, or takes their outputs from the cache, and makes a page from each notebook.
// The page is a list of blocks: a Markdown cell becomes prose, a code cell becomes a listing, and each of its outputs
// becomes one or more blocks. [Page] makes the page of one notebook. Prose is written in the dialect of package site,
// which reports faults with file, cell and line.
//
// # What code cells show
//
// The code of a cell is folded, and the page shows the comment at its beginning as a summary. The code is open if the
// cell is tagged [TagShowInput]. Outputs are open unless the cell is tagged [TagHideOutput]. An output is shown in the
// richest form that the page supports: a block of the report, then HTML, pictures, Markdown and plain text. Raw cells
// are left out.
//
// Outputs of cells are not trusted, even if they come from our own runs: drawings become images, HTML is sanitised,
// pictures are checked, and text is escaped. A notebook can change only its own page.
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

// Lesson is a notebook that becomes a page of the report.
type Lesson struct {
	Slug string
	// Omit is the field Omit of the page; see site.Page.
	Omit bool
	// Page makes the page. It is called only if the report is not in the cache.
	Page func() (site.Page, error)
	// Digest is a hash of everything, apart from the program, that the page depends on: notebook, outputs and options.
	Digest [sha256.Size]byte
	// Ran reports whether the page shows the outputs of a run, now or earlier.
	Ran bool
	// RanNow reports whether the notebook was run now, and its outputs did not come from the cache.
	RanNow bool
	// Notebook is the notebook. Cells returns its cells with the outputs that the page shows.
	Notebook *jupyter.Notebook
	Cells    func() ([]jupyter.Cell, error)
	options  Options
}

// File returns the name of the notebook's file.
func (l Lesson) File() string { return l.options.File }

// WithLive returns the lesson with a live page, whose cells readers can edit.
func (l Lesson) WithLive(live *site.Live) Lesson {
	l.options.Live = live
	return l.changed([]byte(live.Data))
}

// WithCells returns the lesson with its cells replaced by cells with other outputs.
func (l Lesson) WithCells(cells []jupyter.Cell) (Lesson, error) {
	outputs, err := json.Marshal(cells)
	l.Cells = func() ([]jupyter.Cell, error) { return cells, nil }
	return l.changed(outputs), err
}

// changed returns the lesson with its page made again, and with by added to its digest.
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

// Options specifies how a notebook becomes a page.
type Options struct {
	// Slug is the page's file name without ".html", in the form that package site requires.
	Slug string
	// File is the name of the notebook's file. Its last element is the name of the download. Messages contain the full
	// name.
	File string
	// Note, if not empty, is a remark in plain text at the top of the page.
	Note string
	// External means that the notebook is not in this repository.
	External bool
	// Words is the field Words of site.Site.
	Words site.Words
	// Live, if not nil, makes the page live. It names cells as CellName does.
	Live *site.Live
}

// CellName returns the name that a live page uses for the notebook's cell with the given index.
func CellName(index int) string { return fmt.Sprint("cell-", index) }

// Page returns the page of a notebook. cells, which may have the outputs of a run, replace the notebook's own cells.
// [site.Render] reports faults in the prose, with file, cell and line.
func Page(n *jupyter.Notebook, cells []jupyter.Cell, o Options) site.Page {
	b := &builder{options: o, language: languageName(n.Language())}
	b.page = site.Page{Slug: o.Slug, File: o.File, Assets: map[string][]byte{}}
	b.opening(n)
	type mark struct {
		at    int // the index in the body
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
	place    content.Place // the place of the current cell
	name     string        // the author's name for the outputs of the current cell; "" if there is none
	ids      bool          // figures and tables may have names of their own
	sections bool          // headings in outputs begin sections of the page

	// The next fields are the state of the current code cell.
	number  int // its number among the code cells, from 1
	parts   int // the number of named parts of its output
	figures int
	tables  int
	claims  int
	ofCell  tally

	ofPage tally // the tally of all cells so far
}

func (b *builder) add(blocks ...content.Block) { b.page.Body = append(b.page.Body, blocks...) }

// attach turns the images that are attached to a Markdown cell into assets. It returns a map from the names in the text
// to the names of the assets.
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
				continue // package site reports the link, which has no target
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

// languageName returns name if it is valid as the language of listings, and "" otherwise.
func languageName(name string) string {
	if !languageForm.MatchString(name) {
		return ""
	}
	return name
}

// opening adds the text above the notebook: a link to the notebook, and the note.
func (b *builder) opening(n *jupyter.Notebook) {
	name := assetName(path.Base(filepath.ToSlash(b.options.File)))
	stripped := n.Clone()
	stripped.Strip()
	b.page.Assets[name] = stripped.Bytes()
	text := "This page is a Jupyter notebook. To run it with your own values, [download it](" +
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

// assetName returns a valid name for a file of a page. It replaces invalid parts of the given name.
func assetName(name string) string {
	const ending = ".ipynb"
	stem := strings.Trim(assetOther.ReplaceAllString(strings.TrimSuffix(name, ending), "-"), "-_.")
	if !site.ValidAsset(stem + ending) {
		return "notebook" + ending
	}
	return stem + ending
}

// partName returns the label of a part of the cell's output, for readers who cannot see where the part is.
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
// A cell need not be a complete Go file, and the kernel adds missing imports. So a package counts as used if the code
// contains its path, or contains its name before a dot and imports no package of that name. This may count too many
// packages, which only costs a run, but never too few.
//
// The error names a package that is used but cannot be read.
func used(m *gosource.Module, n *jupyter.Notebook) ([]byte, error) {
	var code strings.Builder
	guessed, imported := map[string]bool{}, map[string]bool{} // sets of package names
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
	// forgets matches the kernel's commands that may remove earlier imports.
	forgets = regexp.MustCompile(`(?m)^\s*%(?:reset|rm|remove)\b`)
)

// sumNamed returns a hash of the files, in or below the notebook's folder, whose names occur as strings in the code.
// Cells may read these files.
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
				continue // the string is not a file name, or the cell cannot read the file either
			}
			fmt.Fprintf(sum, "%q ", name)
			_, err = io.Copy(sum, file)
			fmt.Fprintf(sum, " %v\n", errors.Join(err, file.Close()) == nil)
		}
	}
	return sum.Sum(nil)
}

// textInCode matches a string literal that may be the name of a file.
var textInCode = regexp.MustCompile("[\"`]([^\"`\n]+\\.[^\"`\n]+)[\"`]")
