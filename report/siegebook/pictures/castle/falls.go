package castle

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// fallsShown is the number of possible falls of the castle that the picture shows, each in a different wave.
const fallsShown = 24

// Waiting returns the picture that asks in which wave the castle should fall. Each wave has a cost, and one of them is
// the best. Readers can try individual waves before they see all of them.
func Waiting() pictures.Picture {
	return pictures.Picture{Name: "castle-wait", Fields: append(battleFields(200, 500, 200),
		pictures.Number("f", "castle falls in wave", 20, "wave", ""),
		pictures.Field{Name: "rows", Label: "show", Start: "all", Options: []pictures.Option{
			{Value: "all", Label: "all waves"}, {Value: "tried", Label: "only the waves I have tried"},
		}},
		pictures.Memory("tried", ""), pictures.Given("bet"),
	), See: seeWaiting}
}

// waiting holds the waves in which a reader has let the castle fall.
type waiting struct {
	game.Battle
	first, last  int64 // the first and the last wave in which the castle can fall; 0 if there is none
	fewest, best int64 // the fewest waves, and when the castle falls in the fastest win with the most survivors
	falls, shown []game.Fall
	at           int64 // the wave that the reader is looking at
	guessing     bool
}

func seeWaiting(v pictures.Values) (*pictures.View, error) {
	b := battleOf(v)
	w := waiting{Battle: b, fewest: b.MinWaves(), at: v.Int("f"), guessing: v["rows"] == "tried"}
	w.first, w.last = b.Falls()
	_, w.best = b.MostSurvivors()
	w.falls = fallsAround(b, w.at, w.best)
	w.shown = w.falls
	of, tried := triedWaves(v["tried"])
	if of != battleKey(b) {
		tried = nil
	}
	if w.guessing {
		w.shown = slices.DeleteFunc(slices.Clone(w.falls),
			func(f game.Fall) bool { return !slices.Contains(tried, f.Wave) })
	}
	view := &pictures.View{Answer: w.sentence(), Bounds: stretched(v, 200, 500, 200)}
	view.Bounds["f"] = pictures.Bound{Least: 1, Most: max(w.last, 2)}
	words := w.bestWords()
	if w.guessing {
		words = w.guessWords()
	}
	view.ScreenReaderText = view.Answer + ". " + words
	row := &pictures.Row{}
	if w.guessing {
		set := v["tried"]
		if !slices.Contains(tried, w.at) && len(tried) < 60 {
			all := []string{battleKey(b)}
			for _, wave := range append(tried, w.at) {
				all = append(all, strconv.FormatInt(wave, 10))
			}
			set = strings.Join(all, ",")
		}
		row.Buttons = append(row.Buttons, pictures.Button{Label: "Try this wave", Set: pictures.Values{"tried": set}})
	}
	if n := numbers(strings.ReplaceAll(v["bet"], ".", ","), 3); n != nil {
		bet := battle(n[0], n[1], n[2])
		set := setBattle(bet, "f", 2, "rows", "tried", "tried", "")
		row.Buttons = append(row.Buttons, pictures.Button{
			Label: "The bet: guess first", Set: set,
			Pressed: w.guessing && bet == b,
		})
	}
	if w.last > 0 {
		view.Parts = append(view.Parts, pictures.Part{Plate: w.plate(v)})
	}
	view.Parts = append(view.Parts, pictures.Part{Row: row}, pictures.Words(words))
	if len(w.shown) > 0 {
		view.Parts = append(view.Parts, w.table())
	}
	if i := w.chosen(); i >= 0 && b.Case() == game.Case2a {
		view.Parts = append(view.Parts, w.rule(w.shown[i]))
	}
	return view, nil
}

// battleKey returns the battle in the form that precedes a list of tried waves.
func battleKey(b game.Battle) string {
	return fmt.Sprintf("%d.%d.%d", b.Soldiers, b.CastleHits, b.DefendersPerWave)
}

// triedWaves parses a list of tried waves, such as 10.43.8,5,7. It skips words that are not waves.
func triedWaves(text string) (of string, waves []int64) {
	of, list, _ := strings.Cut(text, ",")
	for _, word := range strings.Split(list, ",") {
		if wave, err := strconv.ParseInt(word, 10, 64); err == nil && wave > 0 {
			waves = append(waves, wave)
		}
	}
	return of, waves
}

// fallsAround returns the falls in the waves around at, and the fall in the best wave.
func fallsAround(b game.Battle, at, best int64) []game.Fall {
	first, last := b.Falls()
	if first == 0 {
		return nil
	}
	from, to := window(at, fallsShown, first, last)
	var all []game.Fall
	add := func(wave int64) {
		if fall, ok := b.FallIn(wave); ok {
			all = append(all, fall)
		}
	}
	if best != 0 && best < from {
		add(best)
	}
	for wave := from; ; wave++ {
		add(wave)
		if wave == to {
			break
		}
	}
	if best > to {
		add(best)
	}
	return all
}

// window returns the ends of a range of count numbers around a number. The range is limited by first and last.
func window(around, count, first, last int64) (from, to int64) {
	around = max(first, min(last, around))
	from = first
	if around-first > count/2 {
		from = around - count/2
	}
	if last-from < count {
		return max(first, last-(count-1)), last
	}
	return from, from + count - 1
}

// chosen returns the index, among the falls that are shown, of the one that the reader has chosen, or -1.
func (w waiting) chosen() int {
	return slices.IndexFunc(w.shown, func(f game.Fall) bool { return f.Wave == w.at })
}

func (w waiting) sentence() string {
	switch i := w.chosen(); {
	case w.last == 0:
		return "The castle cannot fall"
	case (w.at < w.first || w.at > w.last) && w.first == w.last:
		return pictures.Text("It cannot fall in wave %v, but only in wave %v", w.at, w.first)
	case w.at < w.first || w.at > w.last:
		return pictures.Text("It cannot fall in wave %v, but in waves %v to %v", w.at, w.first, w.last)
	case i < 0:
		return pictures.Text("In wave %v? Try it", w.at)
	default:
		r := w.shown[i].Result
		if r.Winner != game.Soldiers {
			return pictures.Text("Falls in wave %v: lost in wave %v", w.at, r.Waves)
		}
		return pictures.Text("Falls in wave %v: won in {wave}, %v of {soldier} lost", w.at, r.Waves,
			w.Soldiers-r.SoldiersLeft, w.Soldiers)
	}
}

// fastest reports whether the soldiers win in the fewest waves if the castle falls like this.
func (w waiting) fastest(f game.Fall) bool {
	return f.Result.Winner == game.Soldiers && f.Result.Waves == w.fewest
}

func (w waiting) guessWords() string {
	least := int64(0)
	for _, f := range w.shown {
		if f.Result.Winner == game.Soldiers && (least == 0 || f.Result.Waves < least) {
			least = f.Result.Waves
		}
	}
	switch {
	case w.fewest == 0:
		return "Guess a wave, and try it."
	case len(w.shown) == 0:
		return "Guess a wave for the castle to fall in, and try it. In how few waves can the battle be won?"
	case least == 0:
		return "Not won yet."
	case least > w.fewest:
		return pictures.Text("Your fewest waves so far: %v. You can be faster.", least)
	}
	return pictures.Text("You have found the fewest possible waves, with {try|tries}.", len(w.shown))
}

func (w waiting) bestWords() string {
	switch {
	case w.fewest == 0 && len(w.falls) == 0:
		return "No shot can be spared for the castle: there are too many defenders."
	case w.fewest == 0:
		return "The soldiers cannot win, no matter when the castle falls."
	}
	var same []string
	cost := int64(0)
	for _, f := range w.falls {
		if w.fastest(f) {
			same = append(same, pictures.People(f.Wave))
		}
		if f.Wave == w.best {
			cost = w.Soldiers - f.Result.SoldiersLeft
		}
	}
	text := pictures.Text("The minimum is {wave}, with a fall in wave %v.", w.fewest, strings.Join(same, " or "))
	if len(same) > 1 {
		text += pictures.Text(" Of these, wave %v costs the fewest soldiers: %v.", w.best, cost)
	}
	return text
}

func (w waiting) table() pictures.Part {
	t := &pictures.Table{
		Caption: "The cost of each wave in which the castle may fall", Chosen: w.chosen(),
		Heads: pictures.Heads("falls in wave", "castle hits before", "defenders left, *x*", "waves of the hunt",
			"waves in all", "soldiers lost", "soldiers left", "result"),
	}
	for _, f := range w.shown {
		r, result := f.Result, "✗ lost"
		switch {
		case f.Wave == w.best:
			result = "✓ the best"
		case w.fastest(f):
			result = "✓ as fast"
		case r.Winner == game.Soldiers:
			result = "+ " + pictures.Plural(r.Waves-w.fewest, "wave")
		}
		t.Add(f.Wave, f.Hits, f.Left, r.Waves-f.Wave, r.Waves, w.Soldiers-r.SoldiersLeft, r.SoldiersLeft, result)
	}
	return pictures.Part{Table: t}
}

// rule shows the derivation's rule with the numbers for a fall.
func (w waiting) rule(f game.Fall) pictures.Part {
	x, d := new(big.Int).SetUint64(f.Left), big.NewInt(w.DefendersPerWave)
	square := new(big.Int).Mul(x, new(big.Int).Add(x, d))
	limit := new(big.Int).Mul(big.NewInt(w.Soldiers), d)
	than, so := " is at most ", ": that is late enough, and waiting longer gains nothing."
	if f.Wave < w.Solve().FallWave {
		than, so = " is more than ", ": too early, wait."
	}
	return pictures.Words("`*x*² + *d**x* = %v² + %v · %v = %v`%v`*nd* = %v`%v", f.Left, w.DefendersPerWave, f.Left,
		square, than, limit, so)
}

func (w waiting) plate(v pictures.Values) *pictures.Plate {
	drawing, base := w.drawing()
	return &pictures.Plate{
		Key:   strings.Join([]string{battleKey(w.Battle), v["rows"], v["tried"], fmt.Sprint(w.falls[0].Wave)}, ":"),
		Label: "The wave that decides the battle, by the wave in which the castle falls", Draw: drawing.Figure,
		Pick: &pictures.Pick{X: pictures.Along("f", drawing.X.Min, drawing.X.Max, base, 1, 1<<63-1, w.at)},
	}
}

// drawing draws the falls on common axes. If the numbers are long but differ little, it subtracts a base from them.
func (w waiting) drawing() (walks figure.Walks, base int64) {
	first, last := w.falls[0].Wave, w.falls[len(w.falls)-1].Wave
	latest := last
	for _, f := range w.falls {
		latest = max(latest, f.Result.Waves)
	}
	across, up := "wave in which the castle falls", "wave that decides the battle"
	if base = farOrigin(first, latest); base > 0 {
		across, up = across+" − "+pictures.People(base), up+" − "+pictures.People(base)
	}
	at := func(x, y int64) figure.Point { return figure.Point{X: float64(x - base), Y: float64(y - base)} }
	fall := figure.Walk{Name: "the castle falls", Plain: true, Points: []figure.Point{at(first, first), at(last, last)}}
	won, lost := figure.Walk{Name: "won", Loose: true}, figure.Walk{Name: "lost", Loose: true}
	for _, f := range w.shown {
		walk := &won
		if f.Result.Winner != game.Soldiers {
			walk = &lost
		}
		walk.Points = append(walk.Points, at(f.Wave, f.Result.Waves))
		walk.Notes = append(walk.Notes, pictures.People(f.Result.Waves))
	}
	walks = figure.Walks{
		Title: fmt.Sprintf("Waves in which the castle of %v may fall", w.Battle),
		X:     figure.Axis{Label: across, Min: float64(first-base) - 1, Max: float64(last-base) + 1},
		Y:     figure.Axis{Label: up, Min: float64(first-base) - 1, Max: float64(latest-base) + 1},
		Walks: []figure.Walk{fall},
	}
	for _, walk := range []figure.Walk{won, lost} {
		if len(walk.Points) > 0 {
			walks.Walks = append(walks.Walks, walk)
		}
	}
	return walks, base
}
