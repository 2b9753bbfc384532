package site

import (
	"bytes"
	"html/template"

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
	Legend        []LegendEntry
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
	Legend     []LegendEntry
	Tones      []Mark
	CSV        template.URL
	CSVName    string
}

// Class returns the class of a mark's colour.
func (m Mark) Class() string { return toneClasses[m.Tone] }

// dataRows is how many records of a figure's data a page shows where the figure does not say.
const dataRows = 60

// block renders a figure, table or fragment.
func (r *pageRenderer) block(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	b := r.chapter.placed[r.chapter.src.calls[n.(*blockCall).index]]
	var buf bytes.Buffer
	var err error
	switch b.call.kind {
	case callFigure:
		err = r.figure(&buf, b)
	case callTable:
		err = r.table(&buf, b)
	case callFragment:
		buf.WriteString(`<div class="fragment">` + b.fragment + "</div>\n")
	}
	if err != nil {
		return ast.WalkStop, err
	}
	_, err = w.Write(buf.Bytes())
	return ast.WalkContinue, err
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
		switch {
		case len(f.Summary) > 0:
			v.Data = viewRecords(f.Summary, len(f.Summary), "Summary of "+v.Number)
			v.Data.Note, v.DataName = f.SummaryNote, "Summary as a table"
			for _, row := range v.Data.Rows {
				row[0].RowHeader = true
			}
		case f.DataRows >= 0:
			v.DataName = "Data as a table"
			most := f.DataRows
			if most == 0 {
				most = dataRows
			}
			v.Data = viewRecords(b.records, most, "Data of "+v.Number)
		}
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
		Caption: template.HTML(caption), Table: table, Tones: b.table.marks(),
		CSV: r.fileURL(b.csvName(), b.csv), CSVName: b.csvName(),
	})
}

func (r *pageRenderer) fileURL(name string, data []byte) template.URL {
	return template.URL(r.book.assetURL(r.chapter, name, data))
}

// marks are the distinct marks of a table's cells, in the order in which they first appear.
func (t *Table) marks() []Mark {
	var marks []Mark
	seen := map[Mark]bool{}
	t.each(func(c *Cell) {
		if c.mark != nil && !seen[*c.mark] {
			seen[*c.mark] = true
			marks = append(marks, *c.mark)
		}
	})
	return marks
}

// DarkColour is the colour of the entry on dark screens.
func (e LegendEntry) DarkColour() string {
	if e.Dark == "" {
		return e.Light
	}
	return e.Dark
}

// ShapeName is the name of the swatch's form.
func (e LegendEntry) ShapeName() string {
	return [...]string{"area", "hatched", "line", "dashed", "dotted", "point"}[e.Shape]
}
