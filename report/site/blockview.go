package site

import (
	"bytes"
	"html/template"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// figureView is a figure as its template sees it.
type figureView struct {
	ID, Number    string
	CaptionID     string
	Light         template.URL
	Dark          template.Srcset
	Width, Height int
	Alt           string
	OnLight       bool // the drawing has no dark form
	Wide          bool // scrolls sideways on a narrow screen, where it would be too small to read
	Legend        []content.LegendEntry
	Caption       template.HTML
	CSV           template.URL
	CSVName       string
	Data          *tableView
	DataName      string // of the folded table
}

// tableBlockView is a table with its caption.
type tableBlockView struct {
	ID, Number string
	CaptionID  string
	Caption    template.HTML
	Table      *tableView
	Tones      []content.Mark
	CSV        template.URL
	CSVName    string
}

// block renders the figure or table that a call has placed.
func (r *pageRenderer) block(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text, err := r.chapter.placed[r.chapter.calls[n.(*blockCall).index]].render(r)
	if err != nil {
		return ast.WalkStop, err
	}
	_, err = w.WriteString(text)
	return ast.WalkContinue, err
}

func (b *block) render(r *pageRenderer) (string, error) {
	var buf bytes.Buffer
	var err error
	if b.figure != nil {
		err = r.figure(&buf, b)
	} else {
		err = r.table(&buf, b)
	}
	return buf.String(), err
}

// wideFigure is the width in pixels from which a figure is not shrunk to a phone's screen.
const wideFigure = 600

func (r *pageRenderer) figure(buf *bytes.Buffer, b *block) error {
	caption, err := r.inline(b.caption)
	if err != nil {
		return err
	}
	f := b.figure
	v := figureView{
		ID: r.id(b.anchor), CaptionID: r.id(b.anchor + captionSuffix), Number: "Figure " + b.number,
		Light: r.fileURL(b.imageName(false), f.Light), Width: f.Width, Height: f.Height, Alt: f.Alt,
		Legend: f.Legend, Caption: template.HTML(caption), OnLight: f.Dark == nil,
		Wide: f.Width > wideFigure,
	}
	if f.Dark != nil {
		v.Dark = template.Srcset(r.fileURL(b.imageName(true), f.Dark))
	}
	if b.csv != nil {
		v.CSV, v.CSVName = r.fileURL(b.csvName(), b.csv), b.csvName()
	}
	if numbers := f.Numbers(); len(numbers.Table.Header) > 0 {
		v.Data, v.DataName = viewNumbers(numbers, v.Number), numbers.Name+" as a table"
	}
	return layout.ExecuteTemplate(buf, "figure", v)
}

func (r *pageRenderer) table(buf *bytes.Buffer, b *block) error {
	caption, err := r.inline(b.caption)
	if err != nil {
		return err
	}
	table, err := r.viewTable(b)
	if err != nil {
		return err
	}
	return layout.ExecuteTemplate(buf, "table-block", tableBlockView{
		ID: r.id(b.anchor), CaptionID: r.id(b.anchor + captionSuffix), Number: "Table " + b.number,
		Caption: template.HTML(caption), Table: table, Tones: marks(b.table),
		CSV: r.fileURL(b.csvName(), b.csv), CSVName: b.csvName(),
	})
}

func (r *pageRenderer) fileURL(name string, data []byte) template.URL {
	return template.URL(r.book.assetURL(r.chapter, name, data))
}

// marks are the distinct marks of a table's cells, in the order in which they first appear.
func marks(t *content.Table) []content.Mark {
	var found []content.Mark
	seen := map[content.Mark]bool{}
	t.Each(func(c *content.Cell) {
		if c.Mark != nil && !seen[*c.Mark] {
			seen[*c.Mark] = true
			found = append(found, *c.Mark)
		}
	})
	return found
}
