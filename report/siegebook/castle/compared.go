package castle

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// WavesLost draws the lost waves of each algorithm on the maps.
func (s *Survey) WavesLost() content.Figure {
	answer := func(a game.Algorithm, b game.Battle) (game.Answer, bool) {
		answer, asked, err := ask(context.Background(), a, b)
		chapter.Assert(err) // the survey has already asked it
		return answer, asked
	}
	return Drawn("waves-lost", pictures.WavesLost(s.Plane(), append(bestPlay(), s.judged()...), answer))
}

// BetterOfBoth describes the results of a player who tries both heuristics of the posts mentally and chooses the better
// one. If the text is wrong, it also returns a winnable battle that this method loses.
func (s *Survey) BetterOfBoth() (text content.Markdown, other game.Battle) {
	castleFirst, defendersFirst := s.verdictsOf("castle-first"), s.verdictsOf("defenders-first")
	var right int64
	for cell, fewest := range s.MinWaves {
		if fewest == 0 {
			continue
		}
		b, safe := s.battle(cell), defendersFirst[cell]
		if outnumbered(b) {
			safe = castleFirst[cell]
		}
		if safe == game.WrongSide {
			return "", b
		}
		if castleFirst[cell] == game.Right || defendersFirst[cell] == game.Right {
			right++
		}
	}
	if s.OfGrid.Winnable == 0 {
		return "", game.Battle{}
	}
	return say("better of both", map[string]int64{"Right": right, "Winnable": s.OfGrid.Winnable}), game.Battle{}
}

// verdictsOf returns the verdicts on an algorithm for all battles of the maps.
func (s *Survey) verdictsOf(name string) []game.Verdict {
	return s.algorithms[slices.IndexFunc(s.algorithms, func(a algorithmMap) bool { return a.Name == name })].verdicts
}

// bestPlay returns the algorithm with which the others are compared.
func bestPlay() []game.Algorithm { return game.AlgorithmsOf(game.Exact)[:1] }

// Files returns the survey and the data with which a check can recompute the report.
func (s *Survey) Files() []content.File {
	files := []content.File{{Name: surveyDownload, Data: []byte(line(s.Compared))}}
	if s.made != nil {
		files[0].Data = []byte(line(s.made.Survey))
		if s.made.shards != nil {
			files = append(files, content.File{Name: shardsDownload, Data: []byte(line(s.made.shards))})
		}
	}
	if len(s.programs) > 0 {
		files = append(files, content.File{Name: addedDownload, Data: []byte(line(s.programs))})
	}
	return files
}

// RowsText says where readers find a row for each battle and algorithm.
func (s *Survey) RowsText() content.Markdown {
	return say("rows", map[string]int{"Cells": len(s.MinWaves), "Most": maxRows})
}

// Command returns the command that computes the survey of the comparison.
func (s *Survey) Command() string {
	v := s.Compared
	var usual []string
	for _, a := range game.DefaultSurveyed() {
		usual = append(usual, a.Name)
	}
	asked, algorithms := askedOf(v), ""
	if !slices.Equal(asked, usual) {
		for i, name := range asked {
			asked[i] = s.fileOf(name)
		}
		algorithms = " --algorithms " + strings.Join(asked, ",")
	}
	return fmt.Sprintf("siegebook survey castle --soldiers %v --castle %v --defenders %v%s --json", v.Soldiers,
		v.Castle, v.Defenders, algorithms)
}

// Affordable is the maximum number of operations for a battle that an algorithm counts as able to solve.
const Affordable = 1_000_000

// questionWords describes in a few words which question an algorithm answers.
var questionWords = map[game.Question]string{
	game.SoldiersFewest: "soldiers’ fewest waves",
	game.CastleFewest:   "castle’s fewest waves",
	game.PlaysLine:      "end of its own play",
	game.CountsWays:     "ways of each side",
}

// explainedAt has the places where the report explains algorithms, as targets of Markdown links. The page that shows
// where each algorithm errs explains the other judged algorithms.
var explainedAt = map[string]string{
	"exact": "castle-derivation.html", "exact-by-root": "castle-derivation.html#wait",
	"castle-side": "castle-side.html", "search": "castle-counts.html", "counting": "castle-counts.html",
}

// Matrix returns the table with a row for each algorithm. An error names the added program that caused it: see
// [Refused].
func (s *Survey) Matrix() (content.Table, error) {
	all := game.Algorithms()
	for _, a := range s.added {
		all = append(all, a.Algorithm)
	}
	costs, err := Example.Operations(context.Background(), all)
	if err != nil {
		return content.Table{}, atFault(err)
	}
	largest := largestBattles()
	table := chapter.Table("matrix", "algorithm", "all", "winnable", "side", "too few", "mean", "most",
		chapter.MD("%v", Example), "law", chapter.MD("largest $s$"), "answers", "from")
	table.Groups = chapter.Groups("", 1, "right, share of", 2, "wrong", 2, "waves too many", 2, "operations", 3, "", 2)
	for _, a := range all {
		row := append(content.Row(linked(a)), tallyCells(s.Compared, a)...)
		table.Add(row, costCell(costs[a.Name]), content.Text(unbrokenTerms(a.Cost.Law)), castleCell(largest, a),
			content.Text(questionWords[a.Question]), content.Text(work(a.Source)))
	}
	return table, nil
}

// linked returns the name of an algorithm, with a link to its explanation if there is one.
func linked(a game.Algorithm) content.Markdown {
	address, known := explainedAt[a.Name]
	switch {
	case known:
	case a.Kind == game.Heuristic || a.Kind == game.Formula:
		address = "castle-agreement.html#" + anchor(a)
	default:
		return content.Markdown(a.Title)
	}
	return content.Markdown(fmt.Sprintf("[%s](%s)", titled(a), address))
}

// work returns the part of Castle Defense that describes an algorithm, or a note that the algorithm is ours. It omits
// the rest of the source.
func work(source string) string {
	return strings.TrimPrefix(source[:strings.IndexAny(source+",", ",:")], "Castle Defense ")
}

// unbrokenTerms keeps the terms of a law on one line each.
func unbrokenTerms(law string) string {
	for _, sign := range []string{"−", "<"} {
		law = strings.ReplaceAll(law, " "+sign+" ", "\u00a0"+sign+"\u00a0")
	}
	return law
}

// tallyCells returns the cells for an algorithm in a survey: the shares of right answers, the errors and the extra
// waves.
func tallyCells(v game.Survey, a game.Algorithm) []content.Cell {
	const absent = "–"
	t, ok := v.Of(a.Name)
	switch {
	case !ok:
		return content.Row(absent, absent, absent, absent, absent, absent)
	case t.Battles == 0:
		return content.Row("not asked", absent, absent, absent, absent, absent)
	}
	all, won := content.Text(figure.Share(t.Right, t.Battles)), content.Text(absent)
	switch {
	case t.Battles < v.Battles:
		all = content.Text(fmt.Sprintf("%s of %s", figure.Share(t.Right, t.Battles), chapter.Thousands(t.Battles)))
	case v.Winnable > 0:
		won = content.Text(figure.Share(t.RightWinnable, v.Winnable))
	}
	wrong, few := content.Int(t.WrongSide), content.Int(t.TooFew)
	if t.WrongSide > 0 {
		wrong = pictures.Judged(wrong, game.WrongSide)
	}
	if t.TooFew > 0 {
		few = pictures.Judged(few, game.TooFew)
	}
	mean, most := content.Text(absent), content.Text("0")
	if m := t.MeanExtraWaves(); m != nil {
		mean = content.Decimal(meanText(m))
	}
	if t.ExtraWavesMaxAt != nil {
		at := chapter.NoBreak(fmt.Sprint(*t.ExtraWavesMaxAt))
		most = pictures.Judged(content.Text(chapter.Thousands(t.ExtraWavesMax)+" at "+at), game.TooMany)
	}
	return []content.Cell{all, won, wrong, few, mean, most}
}

// meanText formats a mean with three decimals.
func meanText(mean *big.Rat) string {
	switch {
	case mean.Sign() == 0:
		return "0"
	case mean.Cmp(big.NewRat(1, 2000)) < 0:
		return "< 0.001"
	}
	return mean.FloatString(3)
}

func costCell(operations *big.Int) content.Cell {
	if operations == nil {
		return content.Text("a few")
	}
	return content.BigInt(operations)
}

// castleCell returns a cell with the largest castle that an algorithm can solve.
func castleCell(largest map[string]int64, a game.Algorithm) content.Cell {
	hits, known := largest[a.Name]
	switch {
	case !known:
		return content.Text("–")
	case hits == 0:
		return content.Text("none")
	case hits == math.MaxInt64:
		return content.Rich(`$2^{63} - 1$`)
	}
	return content.Int(hits)
}

// Family returns a battle of twelve soldiers against ten defenders per wave. On the page on costs, battles of this
// family grow with the castle.
func Family(hits int64) game.Battle { return growths[1].battle(hits) }

// largestBattles returns, for each algorithm, the hits of the strongest castle of the family that it solves with an
// affordable number of operations. It uses bisection, because the number of operations grows with the castle.
var largestBattles = sync.OnceValue(func() map[string]int64 {
	hits := map[string]int64{}
	for _, a := range game.Algorithms() {
		within := func(hits int64) (bool, error) {
			if a.Cost.Count == nil {
				return true, nil
			}
			operations, err := a.Cost.Count(context.Background(), Family(hits))
			if game.OutOfEffort(err) {
				return false, nil
			}
			return err == nil && operations.Cmp(big.NewInt(Affordable)) <= 0, err
		}
		hits[a.Name] = lastWithin(within)
	}
	return hits
})

// lastWithin returns the last positive number for which within is true, or 0 if it never is. If within is true for a
// number, it must be true for all smaller numbers. No number larger than twice the result is tried.
func lastWithin(within func(int64) (bool, error)) int64 {
	low, high := int64(0), int64(1)
	for {
		if !chapter.Must(within(high)) {
			break
		}
		if low = high; high == math.MaxInt64 {
			return high
		}
		high += min(high, math.MaxInt64-high)
	}
	for high-low > 1 { // within is true at low and false at high
		middle := low + (high-low)/2
		if chapter.Must(within(middle)) {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// armies lists the numbers of soldiers for the comparison with growing armies.
var armies = []int64{5, 10, 20, 30, 40, 60, 80, 100, 125, 150, 175, 200}

// The ranges of castle hits and defenders per wave end at these multiples of the soldiers, as in the report's own grid.
const (
	hitsPerSoldier      = 4
	defendersPerSoldier = 2
)

// armySurveys returns a survey of the algorithms for each army.
var armySurveys = sync.OnceValue(func() (surveys []game.Survey) {
	for _, n := range armies {
		up := func(last int64) grid.Range { return grid.Range{First: 1, Last: last} }
		surveys = append(surveys, chapter.Must(game.NewSurvey(context.Background(), grid.Range{First: n, Last: n},
			up(hitsPerSoldier*n), up(defendersPerSoldier*n), game.SurveyOptions{Algorithms: judged()})))
	}
	return surveys
})

// Growth describes how the share of right answers changes as armies grow.
type Growth struct {
	Lines           figure.Lines
	Armies, Battles int64            // the number of armies, and of battles in all their surveys
	Changes         content.Markdown // sentences about the changes
}

// Growth surveys the armies. An error names the added program that caused it: see [Refused].
func (s *Survey) Growth() (g Growth, err error) {
	surveys := slices.Clone(armySurveys())
	for i := range surveys {
		if err := judgeAdded(context.Background(), &surveys[i], s.judged()[len(judged()):]); err != nil {
			return g, err
		}
	}
	g.Lines = figure.Lines{
		Title: "Winnable battles that are won in the fewest waves", X: figure.Axis{Label: "soldiers n"},
		Y: figure.Axis{Label: "right, % of the winnable battles", Min: 0, Max: 100},
	}
	for _, v := range surveys {
		g.Armies++
		g.Battles += v.Battles
	}
	whole := func(a game.Algorithm) bool { // reports whether an algorithm was asked about all battles
		return !slices.ContainsFunc(surveys, func(v game.Survey) bool {
			t, _ := v.Of(a.Name)
			return t.Battles < v.Battles
		})
	}
	asked := slices.DeleteFunc(s.judged(), func(a game.Algorithm) bool { return !whole(a) })
	partly := slices.DeleteFunc(s.judged(), whole)
	drawn, left := plotted(asked)
	left = append(left, partly...)
	var changes []string
	moved := 0.0
	for _, a := range drawn {
		series := figure.Series{Name: a.Title}
		for _, v := range surveys {
			series.Points = append(series.Points, figure.Point{X: float64(v.Soldiers.First), Y: 100 * rightShare(v, a)})
		}
		g.Lines.Series = append(g.Lines.Series, series)
		changes = append(
			changes,
			fmt.Sprintf("%s from %s to %s", titled(a), winnableShare(surveys[0], a),
				winnableShare(surveys[len(surveys)-1], a)),
		)
		moved = max(moved, spread(series.Points))
	}
	g.Changes = say("changes", map[string]any{
		"First": armies[0], "Last": armies[len(armies)-1], "Changes": strings.Join(changes, ", "), "Many": manySoldiers,
		"Moved": moved, "Left": left,
	})
	return g, nil
}

// manySoldiers is the size of an army above which more soldiers should make little difference.
const manySoldiers = 60

// spread returns the difference between the highest and the lowest point with many soldiers.
func spread(points []figure.Point) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		if p.X >= manySoldiers {
			low, high = min(low, p.Y), max(high, p.Y)
		}
	}
	return high - low
}

// rightShare returns the share of right answers among the winnable battles.
func rightShare(v game.Survey, a game.Algorithm) float64 {
	t, _ := v.Of(a.Name)
	return float64(t.RightWinnable) / float64(v.Winnable)
}

func winnableShare(v game.Survey, a game.Algorithm) string {
	t, _ := v.Of(a.Name)
	return figure.Share(t.RightWinnable, v.Winnable)
}

// plotted returns the algorithms that get a line in a chart, and the other algorithms. The first ones get the available
// line styles.
func plotted(algorithms []game.Algorithm) (drawn, left []game.Algorithm) {
	n := min(len(algorithms), figure.MaxSeries)
	return algorithms[:n], algorithms[n:]
}

// lesson says what readers learn about an algorithm from a survey: a summary and its evidence.
type lesson struct{ Lead, Text content.Markdown }

// Learned returns what readers learn from the comparison. It returns an error if an exact answer is wrong.
func (s *Survey) Learned() (list content.Prose, err error) {
	v := s.Compared
	for _, a := range s.judged() {
		if t, ok := v.Of(a.Name); ok && t.Battles > 0 && v.Winnable > 0 {
			said := learned(a, t, v)
			list.Text += "- **" + said.Lead + "** " + said.Text + "\n"
		}
	}
	return list, exactIsRight(v)
}

// BattlesText describes the compared battles. WinnableText says how many of them the soldiers can win.
func (s *Survey) BattlesText() content.Markdown  { return say("battles", s.Compared) }
func (s *Survey) WinnableText() content.Markdown { return say("winnable", s.Compared) }

// exactIsRight returns an error unless all exact answers of a survey are right: the closed form, its other form, and
// search in the battles for which the survey ran it.
func exactIsRight(v game.Survey) error {
	for _, a := range game.AlgorithmsOf(game.Exact, game.Check) {
		if t, ok := v.Of(a.Name); ok && t.Right != t.Battles {
			return chapter.Expect(a.Title+" is always right", false, t)
		}
	}
	return nil
}

// rangeText describes the range of one of a battle's numbers.
func rangeText(name string, r grid.Range) string {
	if r.First == r.Last {
		return fmt.Sprintf("$%s = %d$", name, r.First)
	}
	return fmt.Sprintf("$%s$ from %s", name, span(r.First, r.Last))
}

// learned returns what a survey shows about an algorithm. The survey must have winnable battles.
func learned(a game.Algorithm, t game.Tally, v game.Survey) lesson {
	title := content.Capital(titled(a))
	if a.Kind == game.Formula {
		title = "The " + a.Title
	}
	data := map[string]any{"Title": title, "Tally": t, "Survey": v, "Plays": a.Question == game.PlaysLine}
	return lesson{say("lead", data), say("learned", data)}
}

// SideBySide contains the battles that the comparison of two algorithms shows at the start. Their number is small
// enough for readers to see each cell.
var SideBySide = Params{Soldiers: 20, Castle: grid.Range{First: 1, Last: 80}, Defenders: grid.Range{First: 1, Last: 40}}
