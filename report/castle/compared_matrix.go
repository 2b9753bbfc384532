package castle

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// affordable is how many operations a battle may take to be one that an algorithm can do.
const affordable = 1_000_000

// questionWords say in a few words what is answered.
var questionWords = map[game.Question]string{
	game.SoldiersFewest: "soldiers’ fewest waves",
	game.CastleFewest:   "castle’s fewest waves",
	game.PlaysLine:      "end of its own play",
	game.CountsWays:     "ways of each side",
}

// explainedAt is where the report explains an algorithm, as Markdown refers to it. Others are found on the page that
// shows where each goes wrong, if they are judged there.
var explainedAt = map[string]string{
	"exact": "castle-derivation.html", "exact-by-root": "castle-derivation.html#wait", "castle-side": "castle-side.html",
	"search": "castle-counts.html", "counting": "castle-counts.html",
}

// addMatrix makes the table with a row for each algorithm.
func addMatrix(ctx context.Context, s *survey, page *site.Page) error {
	costs, err := example.Operations(ctx, game.Algorithms())
	if err != nil {
		return err
	}
	largest, err := largestBattles(ctx)
	if err != nil {
		return err
	}
	table := chapter.Table("matrix", "algorithm", "all", "winnable", "side", "too few", "mean", "most", chapter.MD("%v", example), "law", chapter.MD("largest $s$"), "answers", "from")
	table.Groups = []content.Group{{Cell: content.Text(""), Span: 1}, {Cell: content.Text("right, share of"), Span: 2}, {Cell: content.Text("wrong"), Span: 2}, {Cell: content.Text("waves too many"), Span: 2}, {Cell: content.Text("operations"), Span: 3}, {Cell: content.Text(""), Span: 2}}
	for _, a := range game.Algorithms() {
		row := append(chapter.Row(linked(a)), tallyCells(s.compared, a)...)
		table.Rows = append(table.Rows, append(row, costCell(costs[a.Name]), content.Text(unbrokenTerms(a.Cost.Law)), castleCell(largest[a.Name]), content.Text(questionWords[a.Question]), content.Text(work(a.Source))))
	}
	page.Tables = append(page.Tables, table)
	page.Values["example"] = triple(example)
	page.Values["affordable"] = chapter.Thousands(affordable)
	page.Values["family"] = chapter.MD("$(%d, s, %d)$", family(0).Soldiers, family(0).DefendersPerWave)
	return nil
}

// linked names an algorithm, with a link to where it is explained, if it is.
func linked(a game.Algorithm) content.Markdown {
	address, known := explainedAt[a.Name]
	switch {
	case known:
	case a.Kind == game.Heuristic || a.Kind == game.Formula:
		address = "castle-agreement.html#" + a.Name
	default:
		return content.Markdown(a.Title)
	}
	return content.Markdown(fmt.Sprintf("[%s](%s)", a.Title, address))
}

// work is the part of Castle Defense that an algorithm is from, or that it is our own, without what is said of it
// there.
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

// tallyCells are what a survey says of an algorithm: shares of right answers, errors, waves too many.
func tallyCells(v game.Survey, a game.Algorithm) []content.Cell {
	const absent = "–"
	t, ok := v.Of(a.Name)
	switch {
	case !ok:
		return chapter.Row(absent, absent, absent, absent, absent, absent)
	case t.Battles == 0:
		return chapter.Row("not asked", absent, absent, absent, absent, absent)
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

// meanText writes a mean with three decimals.
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

// castleCell writes the largest castle that an algorithm can take on.
func castleCell(hits int64) content.Cell {
	switch hits {
	case 0:
		return content.Text("none")
	case math.MaxInt64:
		return content.Rich(`$2^{63} - 1$`)
	}
	return content.Int(hits)
}

// family is a battle of twelve soldiers against ten defenders a wave: the family of the page on costs in which battles
// grow as long as the castle.
func family(hits int64) game.Battle {
	b := growths[1].largest()
	b.CastleHits = hits
	return b
}

// largestKnown keeps what largestBattles has computed: it depends on nothing.
var largestKnown struct {
	sync.Mutex
	hits map[string]int64
}

// largestBattles returns for each algorithm the hits of the strongest castle of the family that it takes on with no
// more operations than are affordable, by bisection: the number of operations grows with the castle.
func largestBattles(ctx context.Context) (map[string]int64, error) {
	largestKnown.Lock()
	defer largestKnown.Unlock()
	if largestKnown.hits != nil {
		return largestKnown.hits, nil
	}
	hits := map[string]int64{}
	for _, a := range game.Algorithms() {
		within := func(hits int64) (bool, error) {
			if a.Cost.Count == nil {
				return true, nil
			}
			operations, err := a.Cost.Count(ctx, family(hits))
			if game.OutOfEffort(err) {
				return false, nil
			}
			return err == nil && operations.Cmp(big.NewInt(affordable)) <= 0, err
		}
		var err error
		if hits[a.Name], err = lastWithin(within); err != nil {
			return nil, err
		}
	}
	largestKnown.hits = hits
	return hits, nil
}

// lastWithin returns the last positive number for which a condition holds that holds up to there; 0 if it never holds.
// It looks no further than twice that number.
func lastWithin(within func(int64) (bool, error)) (int64, error) {
	low, high := int64(0), int64(1)
	for {
		ok, err := within(high)
		if err != nil {
			return 0, err
		}
		if !ok {
			break
		}
		if low = high; high == math.MaxInt64 {
			return high, nil
		}
		high += min(high, math.MaxInt64-high)
	}
	for high-low > 1 { // it holds at low, and not at high
		middle := low + (high-low)/2
		ok, err := within(middle)
		switch {
		case err != nil:
			return 0, err
		case ok:
			low = middle
		default:
			high = middle
		}
	}
	return low, nil
}
