package castle

import (
	"fmt"
	"math"
	"slices"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Staircase returns the picture of the fewest waves against castles of all strengths. Each stair ends at the farther of
// two marks: one for soldiers who strike in wave 2, and one for soldiers who wait.
func Staircase() pictures.Picture {
	return pictures.Picture{Name: "castle-stairs", Fields: battleFields(200, 400, 200), See: seeStairs}
}

// The picture begins with the stair of wave 1 if that is near, and otherwise a few stairs before the castle's stair.
// From steadyWave on, soldiers never strike in wave 2, because their number fits into 63 bits, and all stairs have the
// same width.
const (
	shownStairs  = 8
	stairsBefore = 6
	stairsAfter  = 2
	steadyWave   = 60
)

// stair is a stair, from wave 2 on, with its two marks. One mark is the strongest castle that can be beaten within the
// stair's number of waves if the soldiers strike in wave 2; the other mark is for soldiers who wait in wave 2. A mark
// is 0 if there is no such castle. If d >= n, the soldiers cannot wait, because all of them are needed. The stair ends
// at the larger mark. Marks are at most the largest int64.
type stair struct {
	game.Stair
	struck, waited int64
}

// strike returns the castle at the mark for a strike in wave 2. The castle falls in this wave, so it has at most as
// many hits as there are shots in two waves, even if the soldiers could hunt down more defenders than arrive.
func (t stair) strike(soldiers int64) int64 { return min(t.struck, capped(soldiers, soldiers)) }

// stairsAround returns the stairs around a castle.
func stairsAround(b game.Battle) []stair {
	n, s, gain := b.Soldiers, b.CastleHits, b.Soldiers-b.DefendersPerWave
	waves := b.MinWaves()
	from, to := int64(1), max(shownStairs, capped(waves, stairsAfter))
	if waves > shownStairs {
		from = waves - stairsBefore
	}
	b.CastleHits = 1
	steady := waves > steadyWave
	if steady {
		b.CastleHits = s - (stairsBefore+1)*gain
	}
	var all []stair
	reach := int64(0) // the end of the previous stair
	for at := range b.Staircase(math.MaxInt64) {
		if at.Waves > to && waves > 0 {
			break
		}
		one := stair{Stair: at}
		if at.Waves >= 2 {
			hunted, _ := game.HuntBounds(n, at.Waves-2)
			one.struck = max(0, capped(n, gain, hunted))
			if gain > 0 {
				one.waited = capped(reach, gain)
			}
		}
		if whole := reach > 0 || !steady; whole && (at.Waves >= from || at.Waves == 0) {
			all = append(all, one)
		}
		reach = at.To
	}
	return all
}

// capped returns the sum of its arguments, or the largest int64 if the sum is larger. None of the numbers in more may
// be negative, except for the first one.
func capped(sum int64, more ...int64) int64 {
	for _, number := range more {
		if number > 0 && sum > math.MaxInt64-number {
			return math.MaxInt64
		}
		sum += number
	}
	return sum
}

func seeStairs(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	stairs := stairsAround(b)
	at := slices.IndexFunc(stairs, func(one stair) bool { return one.From <= b.CastleHits && b.CastleHits <= one.To })
	here := stairs[at]
	view := &pictures.View{Answer: "The soldiers cannot win", Bounds: stretched(v, 200, 400, 200)}
	words := pictures.Text("Every castle with {hit} or more is too strong for them.", here.From)
	if here.Waves > 0 {
		view.Answer = "The soldiers win in " + pictures.Plural(here.Waves, "wave")
		end := "."
		switch {
		case at+1 == len(stairs):
		case stairs[at+1].Waves == 0:
			end = ". With one more hit, they cannot win."
		default:
			end = pictures.Text(". One more hit takes {wave}.", stairs[at+1].Waves)
		}
		words = pictures.Text("The answer is the same for every castle of %v to {hit}%v", here.From, here.To, end)
	}
	view.ScreenReaderText = view.Answer + ". " + words
	drawing, base := stairsDrawing(b, stairs)
	row := &pictures.Row{}
	strongest, next := pictures.Button{Label: "Strongest castle on this stair"}, pictures.Button{Label: "One more wave"}
	if here.Waves > 0 {
		strongest = pictures.Preset(strongest.Label, v, pictures.With("s", here.To))
		if here.To < math.MaxInt64 {
			next.Set = pictures.With("s", here.To+1)
		}
	}
	row.Buttons = []pictures.Button{strongest, next}
	view.Parts = []pictures.Part{
		{Plate: &pictures.Plate{
			Key:   fmt.Sprint(b.Soldiers, b.DefendersPerWave, stairs[0].From, len(stairs), drawing.X.Max),
			Label: "Fewest waves by castle hits", Draw: drawing.Figure,
			Pick: &pictures.Pick{X: pictures.Along("s", drawing.X.Min, drawing.X.Max, base, 1, math.MaxInt64,
				b.CastleHits)},
		}},
		pictures.Words("{soldier} against {defender} a wave and a castle of {hit}. %v", pictures.Drag("n", v),
			pictures.Drag("d", v), pictures.Drag("s", v), words),
		{Row: row},
	}
	if formula := here.formula(b); formula.Text != nil {
		view.Parts = append(view.Parts, formula)
	}
	return view, nil
}

// formula shows the recursion with the numbers of a stair.
func (t stair) formula(b game.Battle) pictures.Part {
	if t.Waves == 0 || t.struck == math.MaxInt64 || t.waited == math.MaxInt64 {
		return pictures.Part{}
	}
	if t.Waves == 1 {
		return pictures.Words("There are at least as many soldiers as hits that the castle can take: it falls at once.")
	}
	gain := b.Soldiers - b.DefendersPerWave
	hunted, before := t.struck-b.Soldiers-gain, t.waited-b.Soldiers-gain
	sum := pictures.Text("%v + %v", b.Soldiers, gain)
	if gain < 0 {
		sum = pictures.Text("%v − %v", b.Soldiers, -gain)
	}
	const start = "The strongest castle that falls in `*w* = %v` waves: `*n* + A(w) = *n* + (*n* − *d*) + "
	if t.waited == 0 {
		return pictures.Words(start+"T(w − 2) = %v + %v = %v`. So many defenders come that the soldiers gain nothing "+
			"by waiting.", t.Waves, sum, hunted, t.To)
	}
	better := "Against it they have to wait in wave 2."
	switch {
	case before == hunted:
		better = "Striking and waiting are equally good here."
	case hunted > before:
		better = "Against it they have to strike in wave 2."
	}
	return pictures.Words(start+"max(A(w − 1), T(w − 2)) = %v + max(%v, %v) = %v`. %v", t.Waves, sum, before,
		hunted, t.To, better)
}

// farthestNote is the largest number of hunted defenders that the note at a mark mentions.
const farthestNote = 1e6

// stairsDrawing draws the fewest waves of a battle's soldiers against castles of many strengths. On each stair from the
// third on, one mark shows how far a strike in wave 2 reaches, and the other mark shows how far waiting in wave 2
// reaches. The stair ends at the farther mark. If castle hits are large but differ little, stairsDrawing subtracts a
// base from them.
func stairsDrawing(b game.Battle, stairs []stair) (w figure.Walks, base int64) {
	winnable := slices.DeleteFunc(slices.Clone(stairs), func(one stair) bool { return one.Waves == 0 })
	n, first, last := b.Soldiers, winnable[0], winnable[len(winnable)-1]
	low, high := first.From, last.To
	if first.Waves == 1 {
		low = n
	}
	margin := max(1, (high-low)/12)
	from, to := low, capped(max(high, min(b.CastleHits, capped(high, margin))), margin)
	if first.Waves == 1 {
		from = n - min(n-1, margin)
	}
	beyond := len(winnable) < len(stairs)
	if beyond {
		to = max(to, capped(high, 3*margin))
	}
	label := "castle hits s"
	if base = farOrigin(from, to); base > 0 {
		label += " − " + pictures.People(base)
	}
	waveBase, waves := farOrigin(first.Waves, last.Waves), "fewest waves"
	if waveBase > 0 {
		waves += " − " + pictures.People(waveBase)
	}
	at := func(s, waves int64) figure.Point {
		return figure.Point{X: float64(s - base), Y: float64(waves - waveBase)}
	}
	w = figure.Walks{
		Title: fmt.Sprintf("The staircase of n = %d, d = %d", n, b.DefendersPerWave),
		X:     figure.Axis{Label: label, Min: float64(from - base), Max: float64(to - base)},
		Y: figure.Axis{
			Label: waves, Min: float64(first.Waves-waveBase) - 0.6,
			Max: float64(last.Waves-waveBase) + 0.9,
		},
	}
	steps := figure.Walk{Name: "fewest waves", Plain: true}
	strike := figure.Walk{Name: "strike in wave 2, hunt in all remaining waves", Loose: true}
	wait := figure.Walk{Name: "wait in wave 2", Loose: true, Below: true}
	hunted := int64(-1)
	for _, one := range winnable {
		steps.Points = append(steps.Points, at(max(one.From, from), one.Waves), at(one.To, one.Waves))
		if one.Waves < 2 {
			continue
		}
		if mark := one.strike(n); mark >= from && mark <= to {
			note := ""
			if now := one.struck - 2*n + b.DefendersPerWave; mark == one.struck && (one.Waves == 2 || now > hunted) &&
				now < farthestNote && n < farthestNote {
				note = fmt.Sprintf("T(%d) = %s", one.Waves-2, pictures.People(now))
				hunted = now
			}
			strike.Points, strike.Notes = append(strike.Points, at(mark, one.Waves)), append(strike.Notes, note)
		}
		if one.Waves > 2 && one.waited >= from && one.waited <= to {
			wait.Points = append(wait.Points, at(one.waited, one.Waves))
		}
	}
	for _, walk := range []figure.Walk{steps, strike, wait} {
		if len(walk.Points) > 0 {
			w.Walks = append(w.Walks, walk)
		}
	}
	if left, right := at(high, 0).X, w.X.Max; beyond && left < right {
		w.Patches = []figure.Patch{{Class: pictures.Lost.Class(1, "cannot be won"), Corners: through(
			left, w.Y.Min, right, w.Y.Min, right, w.Y.Max, left, w.Y.Max)}}
	}
	return w, base
}
