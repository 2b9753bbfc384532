package site

import (
	"html/template"

	"github.com/siegebook/siegebook/report/content"

	"github.com/yuin/goldmark/ast"
)

// blockView is a figure or table as its template sees it.
type blockView struct {
	ID, Number string
	CaptionID  string
	Caption    template.HTML
	CSV        template.URL
	CSVName    string
	Table      *tableView // of a figure: its numbers, folded

	Tones []content.Mark // of a table

	Figure    *content.Figure
	Light     template.URL
	Dark      template.Srcset // "" for a drawing that has no dark form
	Wide      bool            // scrolls sideways on a narrow screen, where it would be too small to read
	TableName string
}

// block renders the figure or table that a call has placed.
func (r *pageRenderer) block(n ast.Node, _ []byte) element {
	return whole(r.chapter.placed[r.chapter.calls[n.(*blockCall).index]].render(r))
}

// wideFigure is the width in pixels from which a figure is not shrunk to a phone's screen.
const wideFigure = 600

func (b *block) render(r *pageRenderer) string {
	v := blockView{
		ID: r.id(b.anchor), CaptionID: r.id(b.anchor + captionSuffix), Number: b.label(), Caption: r.inline(b.caption), Figure: b.figure,
	}
	if b.csv != nil {
		v.CSV, v.CSVName = r.fileURL(b.csvName(), b.csv), b.csvName()
	}
	if b.figure == nil {
		v.Table, v.Tones = r.viewTable(b), marks(b.table)
		v.Table.LabelledBy = v.CaptionID
		return fill("table-block", v)
	}
	v.Light, v.Wide = r.fileURL(b.imageName(false), b.figure.Light), b.figure.Width > wideFigure
	if b.figure.Dark != nil {
		v.Dark = template.Srcset(r.fileURL(b.imageName(true), b.figure.Dark))
	}
	if numbers := b.figure.Numbers(); len(numbers.Table.Header) > 0 {
		v.Table, v.TableName = r.viewNumbers(b, numbers), numbers.Name+" as a table"
	}
	return fill("figure", v)
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
