package castle

import (
	"context"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Agreement compares an algorithm with the exact answers. It has a map, a download with a row for each battle, and
// sentences on how often the algorithm is right and where it errs.
type Agreement struct {
	Figure       content.Figure
	Shares, Text content.Markdown
	Title, Name  content.Markdown // the title and the anchor of an algorithm without a text on the page
	Program      content.Markdown // the program of an added algorithm
}

// Agreements returns an Agreement for each algorithm. It has the algorithms that the page explains by name, and the
// other algorithms in their order.
func (s *Survey) Agreements() (explained map[string]Agreement, others []Agreement) {
	explained = map[string]Agreement{}
	for _, a := range s.maps() {
		id := strings.ReplaceAll(a.Title, " ", "-")
		if isAdded(a.Algorithm) {
			id = anchor(a.Algorithm)
		}
		drawing := pictures.Agreement(s.Plane(), a.Algorithm, func(b game.Battle) game.Verdict {
			return a.verdicts[s.cell(b)]
		})
		drawing.Agreement.Data = s.tidyRows(context.Background(), a)
		shown := Agreement{Shares: s.sharesText(a), Figure: Drawn(id, drawing)}
		explain, known := explanations[a.Name]
		if !known {
			shown.Title = content.Markdown(content.Capital(titled(a.Algorithm)))
			shown.Name = content.Markdown(anchor(a.Algorithm))
			shown.Text = content.Markdown(a.tally.sentence(titled(a.Algorithm), "battles") + a.firstLost())
			shown.Program = content.Markdown(s.programText(a.Algorithm))
			shown.Figure.Title = content.Capital(a.Title) + " against the exact answer"
			others = append(others, shown)
			continue
		}
		if shown.Text = say(a.Name, explain(s, a)); a.tally[game.Right] == len(a.verdicts) {
			shown.Text = "On this grid it makes no mistake."
		}
		explained[a.Name] = shown
	}
	return explained, others
}

// SharesText describes how often an algorithm is right on the maps.
func (s *Survey) SharesText(a game.Algorithm) content.Markdown {
	return s.sharesText(algorithmMap{Algorithm: a})
}

// sharesText describes how often an algorithm is right.
func (s *Survey) sharesText(a algorithmMap) content.Markdown {
	total, _ := s.OfGrid.Of(a.Name)
	return say("shares", map[string]int64{
		"Right": total.Right, "Battles": s.OfGrid.Battles, "RightWinnable": total.RightWinnable,
		"Winnable": s.OfGrid.Winnable,
	})
}

// VerdictTable counts the verdicts, with the first battle of each kind.
func (s *Survey) VerdictTable() content.Table {
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
			if s.OfGrid.Winnable > 0 {
				won = figure.Share(int64(s.countWhere(a, v, canBeWon)), s.OfGrid.Winnable)
			}
			all := figure.Share(int64(a.tally[v]), s.OfGrid.Battles)
			table.Add(a.Title, pictures.Judged(content.Text(pictures.Words(v)), v), a.tally[v], all, won, first)
		}
	}
	return table
}

// The following sentences of the agreement page depend on the grid. The build checks their claims about all battles on
// the grid, and stops at a battle that contradicts a claim.

// explanations counts the errors of the algorithms that the page explains, by name.
var explanations = map[string]func(*Survey, algorithmMap) map[string]int{
	"castle-first": (*Survey).castleFirstErrors, "defenders-first": (*Survey).defendersFirstErrors,
	"published": (*Survey).publishedErrors,
}

// countWhere counts the battles with a verdict and a property.
func (s *Survey) countWhere(a algorithmMap, v game.Verdict, property func(game.Battle) bool) int {
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

func (s *Survey) castleFirstErrors(a algorithmMap) map[string]int {
	wrong := s.countWhere(a, game.WrongSide, outnumbered)
	chapter.Assert(chapter.Expect("castle-first wins all winnable battles with d >= n", wrong == 0))
	return map[string]int{"Wrong": a.tally[game.WrongSide], "Slow": a.tally[game.TooMany]}
}

func (s *Survey) defendersFirstErrors(a algorithmMap) map[string]int {
	strikes := func(b game.Battle) bool { return outnumbered(b) && b.CastleHits > b.Soldiers && canBeWon(b) }
	missed := s.countWhere(a, game.WrongSide, strikes)
	slips := missed == a.tally[game.WrongSide] && s.countWhere(a, game.Right, strikes)+s.countWhere(a, game.TooMany,
		strikes) == 0
	chapter.Assert(chapter.Expect("defenders-first loses just the winnable battles with d >= n and s > n",
		slips))
	return map[string]int{"Wrong": missed, "Slow": a.tally[game.TooMany]}
}

func (s *Survey) publishedErrors(a algorithmMap) map[string]int {
	return map[string]int{
		"Few":    s.countWhere(a, game.TooFew, case2a),
		"Hidden": s.countWhere(a, game.Right, case2a) + s.countWhere(a, game.TooMany, case2a),
		"Slow":   a.tally[game.TooMany],
	}
}
