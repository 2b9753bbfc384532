package castle

import (
	"context"
	_ "embed"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed agreement.md
var agreementSource string

func agreementPage(_ context.Context, s *survey) (site.Page, error) {
	page := site.Page{
		Title: "Where each algorithm goes wrong", Nav: "Agreement",
		Description: "Both heuristics and the published formula against the exact answer over the whole grid.",
		Source:      agreementSource, File: "report/castle/agreement.md",
		Values: map[string]any{
			"n":       s.params.Soldiers,
			"battles": chapter.Thousands(len(s.minWaves)),
			"castle":  span(s.params.Castle.First, s.params.Castle.Last),
			"dpw":     span(s.params.Defenders.First, s.params.Defenders.Last),
		},
	}
	var others []otherAlgorithm
	for _, a := range s.algorithms {
		id := strings.ReplaceAll(a.Title, " ", "-")
		if err := chapter.Draw(&page, id, pictures.Agreement(s.plane(), a.Algorithm, found(s, a.verdicts))); err != nil {
			return site.Page{}, err
		}
		share := figure.Percent(a.tally[game.Right], len(a.verdicts), 1)
		explain, known := explanations[a.Name]
		if !known {
			others = append(others, otherAlgorithm{a.Name, sentenceCase(a.Title), id, share, a.tally.sentence(a.Title, "battles")})
			continue
		}
		page.Values[a.Name+" right share"] = share
		text, err := explain(s, a)
		if err != nil {
			return site.Page{}, err
		}
		page.Values[a.Name+" text"] = text
	}
	page.Funcs = map[string]any{"others": func() []otherAlgorithm { return others }}
	page.Tables = []content.Table{verdictTable(s)}
	return page, nil
}

// otherAlgorithm is what the page says of an algorithm of which it has no text.
type otherAlgorithm struct{ Name, Title, Figure, Share, Text string }

// verdictTable counts the verdicts, with the first battle of each kind.
func verdictTable(s *survey) content.Table {
	table := chapter.Table("verdicts", "algorithm", "verdict", "battles", "share", "first such battle")
	for _, a := range s.algorithms {
		for _, v := range game.Verdicts() {
			if a.tally[v] == 0 {
				continue
			}
			first := "–"
			if v != game.Right {
				first = s.battle(a.first(v)).String()
			}
			share := figure.Percent(a.tally[v], len(a.verdicts), 2) + " %"
			table.Rows = append(table.Rows, chapter.Row(a.Title, pictures.Marked(content.Text(pictures.Words(v)), v), a.tally[v], share, first))
		}
	}
	return table
}
