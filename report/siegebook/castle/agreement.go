package castle

import (
	"context"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

func agreementPage(ctx context.Context, s *survey) site.Page {
	page := site.Page{
		Values: map[string]any{
			"n":        s.Params.Soldiers,
			"battles":  chapter.Thousands(s.ofGrid.Battles),
			"winnable": chapter.Thousands(s.ofGrid.Winnable),
			"castle":   span(s.Params.Castle.First, s.Params.Castle.Last),
			"dpw":      span(s.Params.Defenders.First, s.Params.Defenders.Last),
		},
	}
	var others []map[string]string // algorithms of which the page has no text of its own
	for _, a := range s.maps() {
		id := strings.ReplaceAll(a.Title, " ", "-")
		if isAdded(a.Algorithm) {
			id = anchor(a.Algorithm)
		}
		drawing := pictures.Agreement(s.Plane(), a.Algorithm, func(b game.Battle) game.Verdict {
			return a.verdicts[s.cell(b)]
		})
		drawing.Agreement.Data = s.tidyRows(ctx, a)
		chapter.Draw(&page, id, drawing)
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
		text := say(a.Name, explain(s, a))
		if a.tally[game.Right] == len(a.verdicts) {
			text = "On this grid it makes no mistake."
		}
		page.Values[a.Name+" text"] = text
	}
	page.Lists = map[string][]map[string]string{"others": others}
	page.Tables = []content.Table{verdictTable(s)}
	return page
}

// sharesText says how often an algorithm is right.
func (s *survey) sharesText(a algorithmMap) content.Markdown {
	total, _ := s.ofGrid.Of(a.Name)
	return say("shares", map[string]int64{
		"Right": total.Right, "Battles": s.ofGrid.Battles, "RightWinnable": total.RightWinnable,
		"Winnable": s.ofGrid.Winnable,
	})
}

// verdictTable counts the verdicts, with the first battle of each kind.
func verdictTable(s *survey) content.Table {
	table := chapter.Table("verdicts", "algorithm", "verdict", "battles", "of all", "of those that can be won",
		"first such battle")
	for _, a := range s.maps() {
		for _, v := range game.Verdicts() {
			if a.tally[v] == 0 {
				continue
			}
			first, won := "–", "–"
			if b := a.first.Of(v); b != nil {
				first = Triple(*b)
			}
			if s.ofGrid.Winnable > 0 {
				won = figure.Share(int64(s.countWhere(a, v, canBeWon)), s.ofGrid.Winnable)
			}
			all := figure.Share(int64(a.tally[v]), s.ofGrid.Battles)
			table.Add(a.Title, pictures.Judged(content.Text(pictures.Words(v)), v), a.tally[v], all, won, first)
		}
	}
	return table
}

// The sentences of the agreement page that depend on the grid. Their claims about every battle are checked on the grid,
// and a battle that contradicts one stops the build.

// explanations compute what is said of the errors of algorithms that the page explains, by their names.
var explanations = map[string]func(*survey, algorithmMap) map[string]int{
	"castle-first": (*survey).castleFirstErrors, "defenders-first": (*survey).defendersFirstErrors,
	"published": (*survey).publishedErrors,
}

// countWhere counts the battles with a verdict and a property.
func (s *survey) countWhere(a algorithmMap, v game.Verdict, property func(game.Battle) bool) int {
	total := 0
	for cell, got := range a.verdicts {
		if got == v && property(s.battle(cell)) {
			total++
		}
	}
	return total
}

func outnumbered(b game.Battle) bool { return b.DefendersPerWave >= b.Soldiers }

func canBeWon(b game.Battle) bool { return b.MinWaves() > 0 }

func (s *survey) castleFirstErrors(a algorithmMap) map[string]int {
	chapter.Expect("castle-first wins what can be won where d >= n", s.countWhere(a, game.WrongSide, outnumbered) == 0)
	return map[string]int{"Wrong": a.tally[game.WrongSide], "Slow": a.tally[game.TooMany]}
}

func (s *survey) defendersFirstErrors(a algorithmMap) map[string]int {
	strikes := func(b game.Battle) bool { return outnumbered(b) && b.CastleHits > b.Soldiers && canBeWon(b) }
	missed := s.countWhere(a, game.WrongSide, strikes)
	slips := missed == a.tally[game.WrongSide] && s.countWhere(a, game.Right, strikes)+s.countWhere(a, game.TooMany,
		strikes) == 0
	chapter.Expect("defenders-first loses just the battles with d >= n and s > n that can be won", slips)
	return map[string]int{"Wrong": missed, "Slow": a.tally[game.TooMany]}
}

func (s *survey) publishedErrors(a algorithmMap) map[string]int {
	return map[string]int{
		"Few":    s.countWhere(a, game.TooFew, case2a),
		"Hidden": s.countWhere(a, game.Right, case2a) + s.countWhere(a, game.TooMany, case2a),
		"Slow":   a.tally[game.TooMany],
	}
}
