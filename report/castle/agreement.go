package castle

import (
	"context"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

func agreementPage(ctx context.Context, s *survey) (site.Page, error) {
	page := site.Page{
		Values: map[string]any{
			"n":        s.params.Soldiers,
			"battles":  chapter.Thousands(s.ofGrid.Battles),
			"winnable": chapter.Thousands(s.ofGrid.Winnable),
			"castle":   span(s.params.Castle.First, s.params.Castle.Last),
			"dpw":      span(s.params.Defenders.First, s.params.Defenders.Last),
		},
	}
	var others []map[string]string // algorithms of which the page has no text of its own
	for _, a := range s.maps() {
		id := strings.ReplaceAll(a.Title, " ", "-")
		if isAdded(a.Algorithm) {
			id = anchor(a.Algorithm)
		}
		drawing := pictures.Agreement(s.plane(), a.Algorithm, found(s, a.verdicts))
		var err error
		if drawing.Data, err = s.tidyRows(ctx, a); err != nil {
			return site.Page{}, err
		}
		if err := chapter.Draw(&page, id, drawing); err != nil {
			return site.Page{}, err
		}
		shares := s.sharesText(a)
		explain, known := explanations[a.Name]
		if !known {
			others = append(others, map[string]string{
				"name": anchor(a.Algorithm), "title": content.Capital(titled(a.Algorithm)), "figure": id,
				"shares": string(shares), "text": a.tally.sentence(titled(a.Algorithm), "battles") + a.firstLost(),
				"program": s.programText(a.Algorithm),
			})
			continue
		}
		page.Values[a.Name+" shares"] = shares
		text, err := explain(s, a)
		if err != nil {
			return site.Page{}, err
		}
		page.Values[a.Name+" text"] = text
	}
	page.Lists = map[string][]map[string]string{"others": others}
	page.Tables = []content.Table{verdictTable(s)}
	return page, nil
}

// sharesText says how often an algorithm is right.
func (s *survey) sharesText(a algorithmMap) content.Markdown {
	total, _ := s.ofGrid.Of(a.Name)
	text := "It is right in " + figure.Share(total.Right, s.ofGrid.Battles) + " of the battles"
	if s.ofGrid.Winnable > 0 {
		text += ", and in " + figure.Share(total.RightWinnable, s.ofGrid.Winnable) + " of those that can be won"
	}
	return content.Markdown(text + ".")
}

// verdictTable counts the verdicts, with the first battle of each kind.
func verdictTable(s *survey) content.Table {
	table := chapter.Table(
		"verdicts", "algorithm", "verdict", "battles", "of all", "of those that can be won", "first such battle",
	)
	for _, a := range s.maps() {
		for _, v := range game.Verdicts() {
			if a.tally[v] == 0 {
				continue
			}
			first, won := "–", "–"
			if b := a.first.Of(v); b != nil {
				first = triple(*b)
			}
			if s.ofGrid.Winnable > 0 {
				won = figure.Share(int64(s.countWhere(a, v, canBeWon)), s.ofGrid.Winnable)
			}
			all := figure.Share(int64(a.tally[v]), s.ofGrid.Battles)
			table.Rows = append(
				table.Rows,
				chapter.Row(a.Title, pictures.Judged(content.Text(pictures.Words(v)), v), a.tally[v], all, won, first),
			)
		}
	}
	return table
}
