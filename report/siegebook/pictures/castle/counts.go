package castle

import (
	"context"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Ways returns the picture of the number of ways to win, by wave and side, for any battle whose ways can be counted in
// about a second.
func Ways() pictures.Picture {
	return pictures.Picture{Name: "castle-counts", Fields: append(battleFields(80, 250, 80),
		pictures.Field{
			Name: "convention", Label: "castle's ways", Options: pictures.Options(game.Conventions()),
			Start: game.Conventions()[0].String(),
		},
		pictures.Number("wave", "look at wave", 60, "wave", ""),
	), See: seeWays}
}

// These constants limit a count, because a reader waits for it. They limit cells, bytes and waves rather than time, so
// that the result does not depend on the machine. Within these limits, counting takes about a second at most on one of
// two busy cores.
const (
	mostCounted     = 9_000_000 // cells, each of one machine word
	mostCountMemory = 256 << 20
	mostCountWaves  = 10_000
)

type countKey struct {
	game.Battle
	game.Convention
}

// counted keeps the most recent counts: of all ways, and under the printed convention.
var counted [2]pictures.Last[countKey, game.Counts]

func countWays(b game.Battle, c game.Convention) (game.Counts, error) {
	last := &counted[0]
	if c != game.Complete {
		last = &counted[1]
	}
	return last.Of(countKey{b, c}, func() (game.Counts, error) {
		if b.CastleHits > b.Soldiers && b.CastleHits-b.Soldiers > mostCountWaves {
			return game.Counts{}, pictures.Refuse("s", "castle hits = %d: every hit beyond the %d of the first wave "+
				"may take a wave, and at most %d waves are counted here: use a weaker castle", b.CastleHits,
				b.Soldiers, mostCountWaves)
		}
		counts, err := b.Count(context.Background(), game.CountOptions{
			Convention: c, MemoryLimit: mostCountMemory, CellLimit: mostCounted,
		})
		return counts, tooMuchToCount(err)
	})
}

// tooMuchToCount converts the error about a count that is too large to a message for readers.
func tooMuchToCount(err error) error {
	switch limit := err.(type) {
	case *game.OutOfMemoryError:
		return pictures.Refuse("n", "%v: counting may take %v MB of memory, but at most %d MB are used here: take "+
			"fewer soldiers or a weaker castle",
			limit.Battle, new(big.Int).Rsh(limit.Estimate, 20), mostCountMemory>>20)
	case *game.TooManyCellsError:
		return pictures.Refuse("n", "%v: counting takes more than %d table cells, the maximum here: take fewer "+
			"soldiers or a weaker castle", limit.Battle, limit.Limit)
	}
	return err
}

func seeWays(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	convention := game.Conventions()[slices.IndexFunc(game.Conventions(),
		func(c game.Convention) bool { return c.String() == v["convention"] })]
	complete, err := countWays(b, game.Complete)
	if err != nil {
		return nil, err
	}
	counts, err := countWays(b, convention)
	if err != nil {
		return nil, err
	}
	rows, at := WavesOf(complete, counts), v.Int("wave")
	chosen := slices.IndexFunc(rows, func(row WaveWays) bool { return row.Wave == at })
	last := rows[len(rows)-1].Wave
	view := &pictures.View{
		Answer: waysText(counts.Soldiers.Total()) + " for the soldiers, " + waysText(counts.Castle.Total()) +
			" for the castle", Bounds: stretched(v, 80, 250, 80),
	}
	view.Bounds["wave"] = pictures.Bound{Least: 1, Most: max(last, 2)}
	inWave := pictures.Text("In wave %v nobody can win.", at)
	if chosen >= 0 {
		inWave = pictures.Text("In wave %v the soldiers can win in %v, and the castle in %v.", at,
			waysText(rows[chosen].Soldiers), waysText(rows[chosen].CastlePrinted))
	}
	view.ScreenReaderText = inWave
	drawing := Counts(b, near(counts, at))
	x := drawing.Keys
	view.Parts = []pictures.Part{
		{Plate: &pictures.Plate{
			Key:   fmt.Sprint(b, convention, x[0], len(x)),
			Label: "Ways to win by wave, for the soldiers and for the castle", Draw: drawing.Figure,
			Pick: &pictures.Pick{X: &pictures.Scale{
				Field: "wave", First: int64(x[0]), Step: 1, Count: int64(len(x)), Least: 1, Most: last,
				At: (float64(at-int64(x[0])) + 0.5) / float64(len(x)),
			}},
		}},
		pictures.Words(waysWords(counts, complete) + " " + inWave), waysTable(rows, at),
	}
	return view, nil
}

// near returns the counts for waves around the wave at. It returns no more waves than a drawing can show.
func near(c game.Counts, at int64) game.Counts {
	const most = 200
	first, last := int64(math.MaxInt64), int64(0)
	for _, h := range []game.Histogram{c.Soldiers, c.Castle} {
		for _, count := range h {
			first, last = min(first, count.Wave), max(last, count.Wave)
		}
	}
	from, to := window(at, min(most, last-first+1), first, last)
	cut := func(h game.Histogram) game.Histogram {
		return slices.DeleteFunc(slices.Clone(h), func(w game.WaveCount) bool { return w.Wave < from || w.Wave > to })
	}
	c.Soldiers, c.Castle = cut(c.Soldiers), cut(c.Castle)
	return c
}

func waysText(ways *big.Int) string {
	if ways.IsInt64() && ways.Int64() == 1 {
		return "1 way"
	}
	return pictures.Text("%v ways", ways)
}

// waysWords describes the picture in words.
func waysWords(counts, complete game.Counts) string {
	soldiers, castle := counts.Soldiers.Total(), counts.Castle.Total()
	left := new(big.Int).Sub(complete.Castle.Total(), castle)
	total := new(big.Int).Add(soldiers, castle)
	total.Add(total, counts.Ties)
	text := "There is only one path."
	if digits := total.String(); digits != "1" {
		share, _ := new(big.Float).Quo(new(big.Float).SetInt(new(big.Int).Mul(soldiers, big.NewInt(100))),
			new(big.Float).SetInt(total)).Float64()
		text = "There are " + content.Thousands(digits) + " paths."
		if len(digits) > 30 {
			text = fmt.Sprintf("The number of paths has %d digits.", len(digits))
		}
		text += fmt.Sprintf(" The soldiers win %s\u00a0%% of them.", figure.Fixed(share, 1))
	}
	if counts.Ties.Sign() > 0 {
		text += " One path ends in a tie."
	}
	switch {
	case left.IsInt64() && left.Int64() == 1:
		text += " One of the castle’s ways is left out."
	case left.Sign() > 0:
		text += pictures.Text(" %v of the castle’s ways are left out.", left)
	}
	return text
}

// waysTable returns a table of the counts for waves around the wave at.
func waysTable(rows []WaveWays, at int64) pictures.Part {
	const most, before = 60, 10
	shown := rows
	if len(rows) > most {
		middle := len(slices.DeleteFunc(slices.Clone(rows), func(row WaveWays) bool { return row.Wave >= at }))
		from := max(0, min(middle-before, len(rows)-2*before-1))
		shown = rows[from : from+2*before+1]
	}
	t := &pictures.Table{Caption: "Ways to win, wave by wave", Heads: pictures.Heads("wave", "soldiers", "castle")}
	omitted := slices.ContainsFunc(rows, func(row WaveWays) bool { return row.LeftOut().Sign() > 0 })
	if omitted {
		t.Heads = append(t.Heads, pictures.Say("left out"))
	}
	t.Chosen = slices.IndexFunc(shown, func(row WaveWays) bool { return row.Wave == at })
	for _, row := range shown {
		cells := []any{row.Wave, row.Soldiers, row.CastlePrinted}
		if omitted {
			cells = append(cells, row.LeftOut())
		}
		t.Add(cells...)
	}
	return pictures.Part{Table: t}
}

// Counts returns the drawing of the number of ways to win, by wave and side, on a logarithmic axis.
func Counts(b game.Battle, c game.Counts) figure.Histogram {
	ways := map[int64][2]*big.Int{}
	first, last := int64(math.MaxInt64), int64(0)
	for side, h := range []game.Histogram{c.Soldiers, c.Castle} {
		for _, count := range h {
			pair := ways[count.Wave]
			pair[side] = count.Ways
			ways[count.Wave] = pair
			first, last = min(first, count.Wave), max(last, count.Wave)
		}
	}
	histogram := figure.Histogram{
		Title: fmt.Sprintf("Ways to win %v by wave", b), XLabel: "wave in which the battle is won",
		// If there are more waves, bars side by side would be too thin to tell apart.
		YLabel: "ways (log scale)", Log: true, Mirrored: last-first >= 60,
		Series: []figure.BarSeries{{Name: "soldiers"}, {Name: "castle"}},
	}
	for wave := first; wave <= last; wave++ {
		histogram.Keys = append(histogram.Keys, int(wave))
		for side := range histogram.Series {
			histogram.Series[side].Counts = append(histogram.Series[side].Counts, ways[wave][side])
		}
	}
	return histogram
}

// Counted is a battle with the number of ways to win, counting all legal paths and counting as the posts do.
type Counted struct {
	Name              string
	Complete, Printed game.Counts
}

// AllCounts returns the drawing of the ways to win several battles, with a small histogram for each battle. A separate
// colour marks the castle's ways that the printed counts leave out.
func AllCounts(battles []Counted) figure.Histograms {
	all := figure.Histograms{Title: "Ways to win by wave"}
	for _, b := range battles {
		p := figure.Histogram{
			Title: b.Name, XLabel: "wave in which the battle is won", YLabel: "ways, log scale", Log: true,
			Mirrored: true, Series: []figure.BarSeries{
				{Name: "soldiers"}, {Name: "castle"}, {Name: "left out by the post"},
			},
		}
		for _, w := range WavesOf(b.Complete, b.Printed) {
			p.Keys = append(p.Keys, int(w.Wave))
			for i, n := range []*big.Int{w.Soldiers, w.Castle, w.LeftOut()} {
				p.Series[i].Counts = append(p.Series[i].Counts, n)
			}
		}
		all.Panels = append(all.Panels, p)
	}
	return all
}

// WaveWays holds the number of ways in which each side wins in a wave. CastlePrinted is the castle's number under the
// printed convention.
type WaveWays struct {
	Wave                            int64
	Soldiers, Castle, CastlePrinted *big.Int
}

// LeftOut returns the number of ways that the printed convention leaves out.
func (w WaveWays) LeftOut() *big.Int { return new(big.Int).Sub(w.Castle, w.CastlePrinted) }

// WavesOf returns the waves in which a battle can be won, in order.
func WavesOf(complete, printed game.Counts) []WaveWays {
	ways := map[int64]*WaveWays{}
	for i, h := range []game.Histogram{complete.Soldiers, complete.Castle, printed.Castle} {
		for _, c := range h {
			if ways[c.Wave] == nil {
				ways[c.Wave] = &WaveWays{c.Wave, new(big.Int), new(big.Int), new(big.Int)}
			}
			w := ways[c.Wave]
			[]*big.Int{w.Soldiers, w.Castle, w.CastlePrinted}[i].Set(c.Ways)
		}
	}
	var list []WaveWays
	for _, wave := range slices.Sorted(maps.Keys(ways)) {
		list = append(list, *ways[wave])
	}
	return list
}

// handUp adds two numbers to each box: the number of paths through the box that the soldiers win, and the number that
// the castle wins.
func handUp(n *game.Node, drawn *figure.Node) (soldiers, castle int) {
	switch n.Winner {
	case game.Soldiers:
		soldiers = 1
	case game.Castle:
		castle = 1
	}
	for i, child := range n.Children {
		s, c := handUp(child, drawn.Children[i])
		soldiers, castle = soldiers+s, castle+c
	}
	drawn.Lines = append(drawn.Lines, fmt.Sprintf("%d : %d", soldiers, castle))
	return soldiers, castle
}
