package castle

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed agreement.md
var agreementSource string

func agreementPage(s *survey) (site.Page, error) {
	page := site.Page{
		Slug: "castle-agreement", Title: "Where each algorithm goes wrong", Nav: "Agreement",
		Description: "Both heuristics and the published formula against the exact answer over the whole grid.",
		Source:      agreementSource, File: "report/castle/agreement.md",
		Values: map[string]any{
			"n":       s.params.Soldiers,
			"battles": chapter.Thousands(len(s.minWaves)),
			"castle":  span(s.params.Castle.First, s.params.Castle.Last),
			"dpw":     span(s.params.Defenders.First, s.params.Defenders.Last),
		},
	}
	for _, a := range s.algorithms {
		title := fmt.Sprintf("The %s against the exact answer, n = %d", a.name, s.params.Soldiers)
		f, err := pictures.Agreement(title, s.plane(), a.verdicts).Figure()
		if err != nil {
			return site.Page{}, err
		}
		id := strings.ReplaceAll(a.name, " ", "-")
		page.Figures = append(page.Figures, f.Named(id))
		page.Values[a.name+" right share"] = figure.Percent(a.count[right], len(a.verdicts), 1)
	}
	var err error
	if page.Values["castle-first text"], err = s.castleFirstText(s.algorithms[0]); err != nil {
		return site.Page{}, err
	}
	if page.Values["defenders-first text"], err = s.defendersFirstText(s.algorithms[1]); err != nil {
		return site.Page{}, err
	}
	page.Values["published text"] = s.publishedText(s.algorithms[2])
	page.Tables = []content.Table{verdictTable(s)}
	return page, nil
}

// verdictTable counts the verdicts, with the first battle of each kind.
func verdictTable(s *survey) content.Table {
	table := content.Table{ID: "verdicts", RowHeader: true, Header: []content.Cell{content.Text("algorithm"), content.Text("verdict"), content.Text("battles"), content.Text("share"), content.Text("first such battle")}}
	for _, a := range s.algorithms {
		for v := right; v < verdicts; v++ {
			if a.count[v] == 0 {
				continue
			}
			first := "–"
			if v != right {
				first = s.battle(a.first(v)).String()
			}
			share := figure.Percent(a.count[v], len(a.verdicts), 2) + " %"
			table.Rows = append(table.Rows, []content.Cell{
				content.Text(a.name), pictures.Marked(content.Text(v.String()), v), content.Int(a.count[v]), content.Text(share), content.Text(first),
			})
		}
	}
	return table
}
