package site

import (
	"fmt"
	"html/template"
	"math"

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
	CSVSize    string     // of a large download: "3.3 MB"
	Table      *tableView // of a figure: its numbers, folded

	Tones   []content.Mark // of a table or of entries
	Entries []entryView

	Figure    *content.Figure
	Light     template.URL
	Dark      template.Srcset // "" for a drawing that has no dark form
	Wide      bool            // goes on into the margin; a figure also scrolls sideways where it would be too small to read
	TableName string

	Links []linkView // of a figure

	Width, Height int // of a figure, as it is shown where there is room

	Explore   *content.Explorable // where scripts may run
	Elsewhere *elsewhereView      // where they may not, and another page has such an explorable
}

// elsewhereView leads to a page where a figure can be moved.
type elsewhereView struct {
	Href  template.URL
	Title string
}

// linkView is a place of a figure that leads elsewhere.
type linkView struct {
	content.Link
	Href template.URL
}

// largeDownload is the size in bytes from which on a download names its size, and stays out of an edition of one file,
// which everybody who reads it has to load with all that is inside.
const largeDownload = 1_000_000

// block renders the figure or table that a call has placed.
func (r *pageRenderer) block(n ast.Node, _ []byte) element {
	return whole(r.chapter.placed[r.chapter.calls[n.(*blockCall).index]].render(r))
}

// What is wider than the column of the text goes on into the margin.
const (
	wideFigure = 800 // pixels
	wideTable  = 100 // letters
)

// How much a drawing of lines and letters is enlarged at most, so that its small letters come to the size of the text,
// and the height in pixels up to which it is.
const (
	mostScale  = 1.4
	mostHeight = 720
)

// shownSize returns the size of a figure where there is room for it. Photographs and the like keep theirs.
func shownSize(f *content.Figure) (width, height int) {
	scale := 1.0
	if kind, _ := imageKind(f.Light); kind == "svg" { // which was checked
		scale = max(1, min(mostScale, mostHeight/float64(f.Height)))
	}
	return int(math.Round(scale * float64(f.Width))), int(math.Round(scale * float64(f.Height)))
}

func (b *block) render(r *pageRenderer) string {
	v := blockView{
		ID: r.id(b.anchor), CaptionID: r.id(b.anchor + captionSuffix), Number: b.label(), Caption: r.inline(b.caption), Figure: b.figure,
	}
	if b.csv != nil {
		v.CSVName = b.csvName()
		if len(b.csv) >= largeDownload {
			v.CSVSize = fmt.Sprintf("%.1f MB", float64(len(b.csv))/1e6)
		}
		if v.CSVSize == "" || !r.book.single {
			v.CSV = r.fileURL(b.csvName(), b.csv)
		}
	}
	if b.entries != nil {
		v.Entries, v.Tones = r.viewEntries(b)
		return fill("entries", v)
	}
	if b.figure == nil {
		v.Table, v.Tones = r.viewTable(b), marks(b.table)
		v.Table.LabelledBy = v.CaptionID
		v.Wide = recordsWidth(b.plainRecords().All()) > wideTable
		return fill("table-block", v)
	}
	v.Light = r.fileURL(b.imageName(false), b.figure.Light)
	v.Width, v.Height = shownSize(b.figure)
	if r.book.explorable(b) {
		v.Explore = b.figure.Explore
	} else if there := r.book.explorableOf(b.figure.Explore); there != nil {
		v.Elsewhere = &elsewhereView{template.URL(r.book.hrefExplored(there, b.figure.Explore)), there.chapter.Title}
	}
	v.Wide = v.Width > wideFigure
	for i, l := range b.links {
		if !l.omitted {
			v.Links = append(v.Links, linkView{b.figure.Links[i], template.URL(l.href)})
		}
	}
	if b.figure.Dark != nil {
		v.Dark = template.Srcset(r.fileURL(b.imageName(true), b.figure.Dark))
	}
	if numbers := b.figure.Numbers(); len(numbers.Table.Header) > 0 {
		v.Table, v.TableName = r.viewNumbers(b, numbers), numbers.Name+" as a table"
	}
	return fill("figure", v)
}

// thumbnailView is a small picture of a figure, which leads to it.
type thumbnailView struct {
	Href  template.URL
	Text  string
	Light template.URL
	Dark  template.Srcset // "" for a drawing that has no dark form
}

// thumbnail renders the picture of a figure where a text has asked for it. The files are those of the figure's page.
func (r *pageRenderer) thumbnail(ref *reference) string {
	b := ref.to.block
	url := func(dark bool, data []byte) string { return r.book.assetURL(b.chapter, b.imageName(dark), data) }
	v := thumbnailView{Href: template.URL(r.book.href(r.chapter, b.chapter, b.anchor)), Text: ref.text, Light: template.URL(url(false, b.figure.Light))}
	if b.figure.Dark != nil {
		v.Dark = template.Srcset(url(true, b.figure.Dark))
	}
	return fill("thumbnail", v)
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
