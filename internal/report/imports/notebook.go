package imports

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/lesson"
)

// piece is a cell of a notebook that the import keeps as a notebook.
type piece struct{ cell jupyter.Cell }

// addNotebook reads a notebook. A Go notebook for a kernel that books support stays a notebook. Other Go notebooks
// become pages with cells. All other notebooks become text that shows the code and the stored outputs.
func (c *importer) addNotebook(d *document, data []byte) error {
	n, err := jupyter.Parse(data)
	if err != nil {
		return err
	}
	stays := lesson.RunsInOurs(n.Kernel()) && (n.Language() == "go" || n.Language() == "") && n.Kernel() != ""
	if stays {
		d.to, d.notebook = c.renamed(d, ".ipynb"), data
	}
	inGo := n.Language() == "go" && !stays
	runs := inGo && !slices.ContainsFunc(n.Cells(), func(cell jupyter.Cell) bool {
		return cell.Kind == jupyter.Code && !isGo(cell)
	})
	name := n.Language()
	if name == "" {
		name = "text"
	}
	switch {
	case stays:
	case runs:
		c.note(d, 1, "the notebook for %s becomes a page whose cells run as one program", n.Kernel())
	default:
		c.note(d, 1, "the notebook for %s becomes a page that runs nothing: it shows the code in %s and the stored "+
			"outputs", n.Kernel(), name)
	}
	images := 0
	for i, cell := range n.Cells() {
		number := i + 1
		add := func(text ...string) {
			for _, t := range text {
				for _, l := range linesOf(strings.ReplaceAll(t, "\r\n", "\n"), number) {
					d.lines = append(d.lines, line{l.text, number})
				}
			}
		}
		for _, file := range slices.Sorted(maps.Keys(cell.Attachments)) {
			forms := cell.Attachments[file]
			for _, kind := range forms.MediaTypes() {
				if stays {
					break
				}
				c.keepPicture(d, "attachment:"+file, kind, forms, &images)
			}
		}
		if stays {
			d.cells = append(d.cells, &piece{cell})
		}
		switch cell.Kind {
		case jupyter.Markdown:
			add(cell.Source, "")
		case jupyter.Raw:
			add(fenced("text", cell.Source), "")
		case jupyter.Code:
			if stays {
				continue
			}
			if strings.TrimSpace(cell.Source) == "" {
				continue
			}
			if runs {
				add(fenced(runMark, cell.Source), "")
				continue
			}
			add(fenced(name, cell.Source), "")
			for _, o := range cell.Outputs {
				c.addOutput(d, o, number, &images, add)
			}
		}
	}
	return nil
}

// renamed returns the name of a document with another ending.
func (c *importer) renamed(d *document, ext string) string {
	if d.to == "index.md" {
		return "index-notebook" + ext
	}
	return strings.TrimSuffix(d.to, path.Ext(d.to)) + ext
}

// runMark marks the fence of a cell that a page runs.
const runMark = "siegebook-run"

// isGo reports whether a cell can be a cell of a page: it must be Go without kernel commands, and must not have failed.
func isGo(cell jupyter.Cell) bool {
	if slices.ContainsFunc(cell.Outputs, func(o jupyter.Output) bool { return o.Type == jupyter.ErrorOutput }) {
		return false
	}
	var statements []string
	for l := range strings.Lines(cell.Source) {
		trimmed := strings.TrimSpace(l)
		if strings.HasPrefix(trimmed, "$") || strings.HasPrefix(trimmed, "%") || strings.HasPrefix(trimmed, ":") {
			return false
		}
		statements = append(statements, l)
	}
	if strings.Contains(cell.Source, "display.") || strings.Contains(cell.Source, "Display(") {
		return false // only the notebook's kernel has these functions
	}
	source := strings.Join(statements, "")
	for _, whole := range []string{"package p\n" + source, "package p\nfunc _() {\n" + source + "\n}"} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", whole, 0); err == nil {
			return true
		}
	}
	// Imports and declarations may precede the statements.
	for at := range statements {
		head, tail := strings.Join(statements[:at], ""), strings.Join(statements[at:], "")
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+head+"\nfunc _() {\n"+tail+"\n}",
			0); err == nil {
			return true
		}
	}
	return false
}

func fenced(language, text string) string {
	mark := "```"
	for strings.Contains(text, mark) {
		mark += "`"
	}
	return mark + language + "\n" + strings.TrimRight(text, "\n") + "\n" + mark
}

var escapeCodes = regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]")

var htmlRow = regexp.MustCompile(`(?i)<t[rd][\s>]`)

// addOutput adds an output of a cell to the page.
func (c *importer) addOutput(d *document, o jupyter.Output, number int, images *int, add func(...string)) {
	text := func(words string) {
		words = escapeCodes.ReplaceAllString(words, "")
		if at := strings.LastIndex(words, "\r"); at >= 0 && !strings.HasSuffix(words, "\r\n") {
			words = strings.ReplaceAll(words, "\r", "\n")
		}
		if strings.TrimSpace(words) != "" {
			add(fenced("text", words), "")
		}
	}
	switch o.Type {
	case jupyter.Stream:
		text(o.Text)
		return
	case jupyter.ErrorOutput:
		words := strings.Join(o.Traceback, "\n")
		if words == "" {
			words = o.ErrorName + ": " + o.ErrorValue
		}
		text(words)
		return
	}
	html, _ := o.Data.Text("text/html")
	plain, _ := o.Data.Text("text/plain")
	if markdown, ok := o.Data.Text("text/markdown"); ok {
		add(markdown, "")
		return
	}
	for _, kind := range []string{"image/svg+xml", "image/png", "image/jpeg", "image/gif"} {
		name := fmt.Sprintf("output-%d-%d", number, *images+1)
		if _, ok := o.Data[kind]; ok && c.keepPicture(d, name, kind, o.Data, images) {
			add(fmt.Sprintf("![output of cell %d](%s)", number, name), "")
			return
		}
	}
	if latex, ok := o.Data.Text("text/latex"); ok && strings.Trim(latex, "$ \n") != "" && plain == "" {
		add("$$\n"+strings.Trim(latex, "$ \n")+"\n$$", "")
		return
	}
	switch {
	case htmlRow.MatchString(html):
		add(styleTag.ReplaceAllString(html, ""), "")
	case plain != "":
		text(plain)
	case html != "":
		add("<div>\n"+emptyLines.ReplaceAllString(styleTag.ReplaceAllString(html, ""), "\n")+"\n</div>", "")
	}
}

var styleTag = regexp.MustCompile(`(?is)<(style|script)\b.*?</(?:style|script)>`)

var endingOf = map[string]string{
	"image/svg+xml": ".svg", "image/png": ".png", "image/jpeg": ".jpg", "image/gif": ".gif",
}

// keepPicture stores a picture of a notebook as a file of the book, under the name that the text uses. It returns false
// if the data are not a picture of the given kind.
func (c *importer) keepPicture(d *document, name, kind string, forms jupyter.Bundle, images *int) bool {
	ext := endingOf[kind]
	text, ok := forms.Text(kind)
	if !ok || ext == "" {
		return false
	}
	data := []byte(text)
	if ext != ".svg" {
		var err error
		if data, err = base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), "")); err != nil {
			return false
		}
	}
	if !isPicture(kind, data) {
		return false
	}
	*images++
	file := strings.TrimSuffix(d.to, path.Ext(d.to)) + fmt.Sprintf("-%d%s", *images, ext)
	c.files[file] = data
	d.places[name] = file
	return true
}

// convertNotebook rewrites the text cells of a notebook that stays a notebook.
func (c *importer) convertNotebook(d *document) {
	n, err := jupyter.Parse(d.notebook)
	if err != nil {
		return
	}
	p := c.newPage(d)
	rewritten := func(source string, number int) string {
		var lines []line
		for _, l := range linesOf(source, 1) {
			lines = append(lines, line{l.text, number})
		}
		p.define(lines)
		made := p.blocks(lines)
		for j := range made {
			made[j].text = c.resolve(d, made[j])
		}
		return strings.TrimSuffix(textOf(made), "\n")
	}
	var work []int
	var outputs [][]jupyter.Output
	for i, piece := range d.cells {
		if piece.cell.Kind == jupyter.Markdown {
			if text := rewritten(piece.cell.Source, i+1); text != piece.cell.Source {
				n.SetSource(i, text)
			}
		}
		if piece.cell.Kind != jupyter.Code {
			continue
		}
		changed := slices.Clone(piece.cell.Outputs)
		for j, o := range changed {
			if text, ok := o.Data.Text("text/markdown"); ok {
				changed[j].Data = maps.Clone(o.Data)
				changed[j].Data["text/markdown"], _ = json.Marshal(rewritten(text, i+1))
			}
		}
		work, outputs = append(work, i), append(outputs, changed)
	}
	c.files[d.to] = n.WithOutputs(work, outputs).Bytes()
}
