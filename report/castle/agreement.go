package castle

import (
	"context"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

func agreementPage(ctx context.Context, s *survey) site.Page {
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
		drawing := pictures.Agreement(s.plane(), a.Algorithm, func(b game.Battle) game.Verdict {
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
		text := explain(s, a)
		if a.tally[game.Right] == len(a.verdicts) {
			text = "On this grid it makes no mistake."
		}
		page.Values[a.Name+" text"] = content.Markdown(text)
	}
	page.Lists = map[string][]map[string]string{"others": others}
	page.Tables = []content.Table{verdictTable(s)}
	return page
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
	table := chapter.Table("verdicts", "algorithm", "verdict", "battles", "of all", "of those that can be won",
		"first such battle")
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
			table.Add(a.Title, pictures.Judged(content.Text(pictures.Words(v)), v), a.tally[v], all, won, first)
		}
	}
	return table
}

// The sentences of the agreement page that depend on the grid. Their claims about every battle are checked on the grid,
// and a battle that contradicts one stops the build.

// explanations are the texts of the algorithms that the page explains, by their names.
var explanations = map[string]func(*survey, algorithmMap) string{
	"castle-first": (*survey).castleFirstText, "defenders-first": (*survey).defendersFirstText,
	"published": (*survey).publishedText,
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

// castleFirstText explains the errors of castle-first.
func (s *survey) castleFirstText(a algorithmMap) (text string) {
	chapter.Expect("castle-first wins what can be won where d >= n", s.countWhere(a, game.WrongSide, outnumbered) == 0)
	if wrong := a.tally[game.WrongSide]; wrong > 0 {
		text += fmt.Sprintf("One might expect errors near the border $d + s = (\\varphi + 1)n$, where battles are "+
			"close. But $d < n$ in all %s battles that it should win and does not: it brings the castle down as soon "+
			"as it can, and leaves more defenders than it can hunt down. Waiting longer would have won. ",
			chapter.Thousands(wrong))
	}
	if slow := a.tally[game.TooMany]; slow > 0 {
		text += fmt.Sprintf("In %s battles it wins, but too late. ", chapter.Thousands(slow))
	}
	return text + "For $d \\ge n$ there is nothing to wait for, and it wins every battle that can be won."
}

// defendersFirstText explains the errors of defenders-first.
func (s *survey) defendersFirstText(a algorithmMap) (text string) {
	strikes := func(b game.Battle) bool { return outnumbered(b) && b.CastleHits > b.Soldiers && canBeWon(b) }
	missed := s.countWhere(a, game.WrongSide, strikes)
	slips := missed == a.tally[game.WrongSide] && s.countWhere(a, game.Right, strikes)+s.countWhere(a, game.TooMany,
		strikes) == 0
	chapter.Expect("defenders-first loses just the battles with d >= n and s > n that can be won", slips)
	if slow := a.tally[game.TooMany]; slow > 0 {
		text += fmt.Sprintf("For $d < n$ it always wins, and loses nobody. But it is late wherever a bold strike "+
			"pays, in %s battles. ", chapter.Thousands(slow))
	}
	if missed > 0 {
		text += fmt.Sprintf("For $d \\ge n$ and $s > n$ it never wins: each wave brings at least as many defenders "+
			"as it shoots. %s battles that could be won there are lost or tied. ", chapter.Thousands(missed))
	}
	return text
}

// publishedText explains the errors of the published formula.
func (s *survey) publishedText(a algorithmMap) (text string) {
	if low := s.countWhere(a, game.TooFew, case2a); low > 0 {
		text = fmt.Sprintf("For $d < n < s$ the printed sum is short of a wave, and promises too much in %s battles",
			chapter.Thousands(low))
		if hidden := s.countWhere(a, game.Right, case2a) + s.countWhere(a, game.TooMany, case2a); hidden > 0 {
			text += fmt.Sprintf("; in %s more, rounding makes up for it", chapter.Thousands(hidden))
		}
		text += ". "
	}
	if high := a.tally[game.TooMany]; high > 0 {
		text += fmt.Sprintf("Where a hunt ends exactly, rounding makes it one wave too long: this happens in %s "+
			"battles. ", chapter.Thousands(high))
	}
	return text
}
