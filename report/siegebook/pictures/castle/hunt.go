package castle

import (
	"fmt"
	"math"
	"math/big"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// HuntWave describes a wave after or at the fall of the castle: the soldiers at its start and the defenders left at its
// end. If the number of defenders left is negative, it counts spare shots.
type HuntWave struct{ Soldiers, Left int64 }

// Hunt returns the waves of a hunt, from the fall of the castle, when all soldiers are alive, to the deciding wave. The
// fall must leave fewer defenders than soldiers.
func Hunt(soldiers, left int64) []HuntWave {
	waves := []HuntWave{{soldiers, left}}
	for 0 < left && left < soldiers {
		soldiers -= left
		left -= soldiers
		waves = append(waves, HuntWave{soldiers, left})
	}
	return waves
}

// toll returns the share of the soldiers that a wave kills: 0 if no defender is left, and 1 if there are as many
// defenders as soldiers.
func (w HuntWave) toll() float64 {
	return float64(max(0, min(w.Left, w.Soldiers))) / float64(w.Soldiers)
}

// Tolls returns the drawing of the share of the soldiers that each wave of a hunt kills, for battles in which the
// castle falls in wave 2. The lines move away from 1/φ; only a share of exactly 1/φ would never change. There may be at
// most six battles, with different numbers of soldiers. Battles that the soldiers win must come first.
func Tolls(battles ...game.Battle) figure.Walks {
	w := figure.Walks{
		Title: "The share of the soldiers that each wave kills",
		Y:     figure.Axis{Label: "killed in the wave, % of the soldiers", Min: -8, Max: 108},
	}
	last := 0
	for _, b := range battles {
		hunt := Hunt(b.Soldiers, b.CastleHits+b.DefendersPerWave-2*b.Soldiers)
		walk := figure.Walk{Name: fmt.Sprintf("n = %d: %s", b.Soldiers, End(outcome(hunt)))}
		for i, wave := range hunt {
			walk.Points = append(walk.Points, figure.Point{X: float64(i + 2), Y: 100 * wave.toll()})
			walk.Notes = append(walk.Notes, tollNote(wave))
		}
		walk.Below = hunt[len(hunt)-1].Left <= 0
		last = max(last, len(hunt)+1)
		w.Walks = append(w.Walks, walk)
	}
	w.X = figure.Axis{Label: "wave", Min: 1.6, Max: float64(last) + 0.4}
	golden := 100 / math.Phi
	w.Curves = []figure.Curve{{Label: "1/φ", Dashed: true, Points: through(w.X.Min, golden, w.X.Max, golden)}}
	return w
}

// outcome returns the result of a battle in which the castle falls in wave 2 and this hunt follows.
func outcome(hunt []HuntWave) game.Result {
	end := hunt[len(hunt)-1]
	if end.Left <= 0 {
		return game.Result{Winner: game.Soldiers, Waves: int64(len(hunt) + 1), SoldiersLeft: end.Soldiers}
	}
	return game.Result{Winner: game.Castle, Waves: int64(len(hunt) + 1)}
}

// tollNote returns the share as a percentage, or the outcome if the wave decides the battle.
func tollNote(w HuntWave) string {
	switch {
	case w.Left <= 0:
		return "none: won"
	case w.Left >= w.Soldiers:
		return "all: lost"
	}
	return figure.Percent(w.Left, w.Soldiers, 1) + " %"
}

// Hyperbola returns the drawing of hunts as points. The coordinates of a point are the number of soldiers at the start
// of a wave and the number of defenders left at its end. The points of a hunt are on a hyperbola near the line x = N/φ.
// It draws at most six hunts; each argument is the first wave of a hunt. A fall that leaves more defenders than
// soldiers is drawn at the upper edge.
func Hyperbola(hunts ...HuntWave) figure.Walks { return known.hyperbola(hunts...) }

// arms holds the number of shots that a soldier fires in a wave, and the number of soldiers that a defender kills.
type arms struct{ shots, kills int64 }

// known contains the arms in the known game.
var known = arms{1, 1}

// hunt returns the waves of a hunt with the arms a, as Hunt does. Numbers up to mostSiege cause no overflow.
func (a arms) hunt(soldiers, left int64) []HuntWave {
	waves := []HuntWave{{soldiers, left}}
	for 0 < left && a.kills*left < soldiers {
		soldiers -= a.kills * left
		left -= a.shots * soldiers
		waves = append(waves, HuntWave{soldiers, left})
	}
	return waves
}

// slope returns y for the border x = yN. Below this border, the soldiers win the hunt.
func (a arms) slope() float64 {
	if a == known {
		return 1 / math.Phi
	}
	k, m := float64(a.shots), float64(a.kills)
	return 2 * k / (math.Sqrt(k*m*(k*m+4)) + k*m)
}

// hyperbola draws hunts with the arms a, as Hyperbola does. A wave with more spare shots than soldiers is drawn at the
// lower edge.
func (a arms) hyperbola(hunts ...HuntWave) figure.Walks {
	most, least, highest := int64(0), int64(0), int64(0)
	for _, first := range hunts {
		for _, wave := range a.hunt(first.Soldiers, first.Left) {
			most, least = max(most, wave.Soldiers), min(least, wave.Left)
			highest = max(highest, min(wave.Left, first.Soldiers))
		}
	}
	least = max(least, -most)
	right, low := 1.12*float64(most), float64(least)-0.12*float64(most)
	top := min(right, max(0.75*right, 1.05*float64(highest)))
	line := figure.Curve{Label: "x = N/φ", Dashed: true, Points: through(0, 0, right, right*a.slope())}
	dead := through(0, 0, top, top, 0, top)
	if a != known {
		line.Label = "x = " + ratio(a.slope()) + " N"
		if dead = through(0, 0, float64(a.kills)*top, top, 0, top); float64(a.kills)*top > right {
			dead = through(0, 0, right, right/float64(a.kills), right, top, 0, top)
		}
	}
	w := figure.Walks{
		Title: "Hunts along their hyperbolas",
		X:     figure.Axis{Label: "soldiers at the start of the wave N", Min: 0, Max: right},
		Y:     figure.Axis{Label: "defenders left x", Min: low, Max: top},
		Patches: []figure.Patch{
			{
				Class:   pictures.Won.Class(1, "no defender is left"),
				Corners: through(0, 0, right, 0, right, low, 0, low),
			},
			{Class: pictures.Lost.Class(2, "no soldier is left"), Corners: dead},
		},
		Curves: []figure.Curve{line},
	}
	for _, first := range hunts {
		form := a.form(first)
		walk := figure.Walk{Below: form.Sign() > 0, Name: a.formWords(form) + ": "}
		for _, wave := range a.hunt(first.Soldiers, first.Left) {
			note := numbersOf(wave)
			switch {
			case float64(wave.Left) > top:
				note = "↑ " + note
			case wave.Left < least:
				note = "↓ " + note
			}
			y := max(float64(least), min(float64(wave.Left), top))
			walk.Points = append(walk.Points, figure.Point{X: float64(wave.Soldiers), Y: y})
			walk.Notes = append(walk.Notes, note)
		}
		outcome := "won"
		if form.Sign() < 0 {
			outcome = "lost"
		}
		walk.Name += outcome
		w.Walks = append(w.Walks, walk)
		w.Curves = append(w.Curves, figure.Curve{Points: a.orbit(first, right)})
	}
	return w
}

// form returns k N² - kmNx - mx², which stays the same during a hunt.
func (a arms) form(w HuntWave) *big.Int {
	n, x, k, m := big.NewInt(w.Soldiers), big.NewInt(w.Left), big.NewInt(a.shots), big.NewInt(a.kills)
	product := new(big.Int).Mul(m, x)
	form := new(big.Int).Sub(n, product)           // N - mx
	form.Mul(form, n).Mul(form, k)                 // k(N² - mNx)
	return form.Sub(form, product.Mul(product, x)) // minus mx²
}

// formWords returns the form and its value as text.
func (a arms) formWords(form *big.Int) string {
	of := func(factor int64) string {
		if factor == 1 {
			return ""
		}
		return fmt.Sprint(factor)
	}
	return pictures.Text("%vN² − %vNx − %vx² = %v", of(a.shots), of(a.shots*a.kills), of(a.kills), form)
}

// orbit returns the hyperbola through the point of a wave, up to right soldiers. The form is constant on it.
func (a arms) orbit(w HuntWave, right float64) []figure.Point {
	form, _ := new(big.Float).SetInt(a.form(w)).Float64()
	k, m := float64(a.shots), float64(a.kills)
	discriminant := k * m * (k*m + 4)
	left := func(soldiers float64) float64 {
		return (math.Sqrt(max(0, discriminant*soldiers*soldiers-4*m*form)) - k*m*soldiers) / (2 * m)
	}
	return figure.Sampled(left, 2*math.Sqrt(max(0, m*form)/discriminant), right)
}

// Successors returns the drawing of a hunt as a single sequence of numbers. Each number is the one two places before it
// minus the one just before it. soldiers is the number of soldiers at the start of wave 2, in which the castle falls.
func Successors(soldiers, left int64) figure.Ladder {
	l := figure.Ladder{
		Title:   fmt.Sprintf("The line of successors for n = %d, x = %d", soldiers, left),
		Columns: [2]string{"soldiers", "defenders left"},
		Kept:    "from this number", Less: "subtract this one",
	}
	before, at := int64(1), int64(0) // F(2i-1) and F(2i) after i waves
	for i, wave := range Hunt(soldiers, left) {
		after := before + at
		l.Rungs = append(l.Rungs,
			figure.Rung{
				Value: pictures.People(wave.Soldiers), Formula: less(before, "n", at, "x"),
				Group: fmt.Sprintf("wave %d", i+2),
			},
			figure.Rung{Value: pictures.People(wave.Left), Formula: less(after, "x", at, "n")})
		before, at = after, after+at
	}
	return l
}

// less returns the difference of two multiples as text, such as 5n − 8x.
func less(a int64, of string, b int64, from string) string {
	times := func(k int64, name string) string {
		if k == 1 {
			return name
		}
		return fmt.Sprint(k) + name
	}
	if b == 0 {
		return times(a, of)
	}
	return times(a, of) + " − " + times(b, from)
}

// HuntPicture returns the picture of the hunt that follows a wave in which n soldiers destroy the castle and leave x
// defenders. The hunt's points are on a hyperbola. The Fibonacci thresholds determine how long the hunt takes, and 1/φ
// determines who wins.
func HuntPicture() pictures.Picture {
	return pictures.Picture{Name: "castle-hunt", Fields: []pictures.Field{
		pictures.Number("n", "soldiers n", 200, "soldier", "soldiers"),
		{Name: "x", Label: "defenders left x", Most: 200, One: "defender left", Many: "defenders left", Start: "0"},
		{Name: "beside", Label: "also show", Start: "more", Options: []pictures.Option{
			{Value: "more", Label: "the hunt with one more defender"}, {Value: "none", Label: "no other hunt"},
		}},
	}, See: seeHunt}
}

func seeHunt(v pictures.Values) (*pictures.View, error) {
	n, x := v.Int("n"), v.Int("x")
	hunt := newChase(n, x)
	hunts := []HuntWave{{n, x}}
	if v["beside"] == "more" && x < n {
		hunts = append(hunts, HuntWave{n, x + 1})
	}
	limits := huntLimits(n)
	drawing := Hyperbola(hunts...)
	view := &pictures.View{Answer: hunt.verdict(), Bounds: map[string]pictures.Bound{
		"n": {Least: 1, Most: stretch(n, 200)}, "x": {Least: 0, Most: n},
	}}
	view.ScreenReaderText = view.Answer + "."
	low, top := drawing.Y.Min, drawing.Y.Max
	plate := &pictures.Plate{
		Key: fmt.Sprint(n, x, v["beside"]), Label: "The hunt as points of soldiers and defenders left",
		Draw: drawing.Figure, Pick: &pictures.Pick{Y: &pictures.Scale{
			Field: "x", From: low, To: top, Least: 0, Most: n, At: (min(float64(x), top) - low) / (top - low),
		}},
	}
	last := limits[len(limits)-1]
	row := &pictures.Row{Buttons: []pictures.Button{
		pictures.Preset("The last hunt that is won", v, pictures.With("x", last.won)),
		pictures.Preset("The first hunt that is lost", v, pictures.With("x", last.lost)),
	}}
	for i := len(limits) - 1; i >= 0; i-- {
		if l := limits[i]; l.odd <= uint64(n) {
			row.Buttons = append(row.Buttons, pictures.Preset("The longest hunt with up to n soldiers", v,
				pictures.With("n", l.odd, "x", l.even)))
			break
		}
	}
	view.Parts = []pictures.Part{
		{Plate: plate},
		pictures.Words("{soldier brings|soldiers bring} the castle down, and {defender is|defenders are} left. %v",
			pictures.Drag("n", v), pictures.Drag("x", v), hunt.shares()),
		{Row: row},
		hunt.table(),
	}
	view.Parts = append(view.Parts, thresholds(hunt, limits)...)
	return view, nil
}

// chase describes the hunt of the picture.
type chase struct {
	n, x   int64
	waves  []HuntWave
	won    bool
	digits int
}

func newChase(n, x int64) chase {
	waves := Hunt(n, x)
	return chase{n, x, waves, waves[len(waves)-1].Left <= 0, ratioDigits(waves[0])}
}

// later returns the number of waves in the hunt after the fall.
func (c chase) later() int { return len(c.waves) - 1 }

func (c chase) verdict() string {
	when := "with the fall of the castle"
	if c.later() > 0 {
		when = pictures.Text("{wave} after the fall", c.later())
	}
	if !c.won {
		return "The castle wins " + when
	}
	return pictures.Text("The soldiers win %v, and {comes home|come home}", when, c.waves[c.later()].Soldiers)
}

// shares describes how the share of soldiers that a wave kills moves away from 1/φ.
func (c chase) shares() string {
	switch {
	case c.later() == 0 && c.won:
		return "No defender is left, so there is no hunt."
	case c.later() == 0:
		return "At least as many defenders are left as there are soldiers, so nobody survives the fall."
	}
	var all []string
	for _, wave := range c.waves[:c.later()] {
		all = append(all, wave.ratio(c.digits))
	}
	first := all[0]
	if len(all) > 7 {
		all = append(append(all[:3:3], "…"), all[len(all)-3:]...)
	}
	form := pictures.Formula(pictures.Text("N² − Nx − x² = %v", phi.Form(big.NewInt(c.n), big.NewInt(c.x))))
	side, end, sign := "above", "everybody", "negative, so the castle wins."
	if c.won {
		side, end, sign = "below", "nobody", "positive, so the soldiers win."
	}
	return fmt.Sprintf("The wave of the fall kills %s of the soldiers. That is %s %s, and each wave moves it further "+
		"away: %s. The last wave kills %s. The number that stays the same is %s, which is %s",
		first, side, pictures.Formula("1/φ = "+golden(c.digits)), strings.Join(all, ", "), end, form, sign)
}

func (c chase) table() pictures.Part {
	t := &pictures.Table{
		Caption: "The hunt, wave by wave", Chosen: -1,
		Heads: pictures.Heads("wave", "soldiers at its start, *N*", "defenders left, *x* (below 0: soldiers to spare)",
			"share killed, *x*/*N*"),
	}
	for i, wave := range c.waves {
		when, killed := "the fall", wave.ratio(c.digits)
		if i > 0 {
			when = pictures.Text("{wave} later", i)
		}
		switch {
		case wave.Left <= 0:
			killed = "none: won ✓"
		case wave.Left >= wave.Soldiers:
			killed = "all: lost ✗"
		}
		t.Add(when, wave.Soldiers, wave.Left, killed)
	}
	return pictures.Part{Table: t}
}

// ratio returns the share of soldiers that the wave kills, with the given number of decimals, or "" for a deciding
// wave.
func (w HuntWave) ratio(digits int) string {
	if w.Left <= 0 || w.Left >= w.Soldiers {
		return ""
	}
	return decimal(big.NewInt(w.Left), big.NewInt(w.Soldiers), digits)
}

// ratioDigits returns the smallest number of decimals, at least 3, with which the share of a wave differs from 1/φ.
func ratioDigits(w HuntWave) int {
	digits := 3
	for w.ratio(digits) == golden(digits) { // the loop ends because x/n and 1/φ differ by more than 1/(3n²)
		digits++
	}
	return digits
}

// golden returns 1/φ with the given number of decimals. It uses a quotient of Fibonacci numbers that agrees with 1/φ in
// more decimals.
func golden(digits int) string { return decimal(phi.BigFib(500), phi.BigFib(501), digits) }

// decimal formats a/b with the given number of decimals, rounded down. a/b must be at least 0 and less than 1.
func decimal(a, b *big.Int, digits int) string {
	unit := big.NewInt(1)
	for range digits {
		unit.Mul(unit, big.NewInt(10))
	}
	scaled := new(big.Int).Mul(a, unit)
	return "0." + scaled.Quo(scaled, b).Add(scaled, unit).String()[1:]
}

// huntLimit holds the bounds for a hunt of k waves after the fall: the largest number of defenders that the soldiers
// have beaten by then, the smallest number with which the castle has won by then, and F(2k), F(2k+1), F(2k+2).
type huntLimit struct {
	k, won, lost    int64
	even, odd, next uint64
}

// huntLimits returns the bounds for n soldiers. In the last element, they are consecutive numbers.
func huntLimits(n int64) []huntLimit {
	var all []huntLimit
	for k := int64(0); ; k++ {
		won, lost := game.HuntBounds(n, k)
		even := int(2 * k)
		all = append(all, huntLimit{k, won, lost, phi.Fib(even), phi.Fib(even + 1), phi.Fib(even + 2)})
		if lost == won+1 {
			return all
		}
	}
}

// thresholds shows the numbers in the formula, and the thresholds up to the deciding threshold.
func thresholds(c chase, limits []huntLimit) []pictures.Part {
	shown := limits[:min(c.later()+1, len(limits))]
	last := shown[len(shown)-1]
	product := func(a int64, b uint64) string {
		return pictures.Text("%v · %v = %v", a, b, new(big.Int).Mul(big.NewInt(a), new(big.Int).SetUint64(b)))
	}
	compare := func(l huntLimit, sign string) string {
		if c.won {
			return pictures.Formula(product(c.x, l.odd)) + " " + sign + " " + pictures.Formula(product(c.n, l.even))
		}
		return pictures.Formula(product(c.x, l.next)) + " " + sign + " " + pictures.Formula(product(c.n, l.odd))
	}
	left, right, sign, other := "2k + 2", "2k + 1", "≥", "<"
	if c.won {
		left, right, sign, other = "2k + 1", "2k", "≤", ">"
	}
	end := "."
	if len(shown) > 1 {
		end = ", but " + compare(shown[len(shown)-2], other) + "."
	}
	formula := pictures.Words("`*k* = %v` is the smallest *k* with `*x* F(%v) %v *n* F(%v)`: %v%v", last.k, left, sign,
		right, compare(last, sign), end)

	heads := []string{"waves k", "`F(2k + 1)/F(2k + 2)`", "lost with"}
	if c.won {
		heads = []string{"waves k", "`F(2k)/F(2k + 1)`", "won with up to"}
	}
	t := &pictures.Table{
		Caption: "The thresholds, by the waves of the hunt", Chosen: len(shown) - 1,
		Heads: pictures.Heads(append(heads, pictures.Text("`x = %v`", c.x))...),
	}
	for i, l := range shown {
		part, whole, limit, words := l.odd, l.next, pictures.Text("%v or more", l.lost), "is fewer"
		if c.won {
			part, whole, limit, words = l.even, l.odd, pictures.People(l.won), "is more"
		}
		switch {
		case i == len(shown)-1 && c.won:
			words = "is within ✓"
		case i == len(shown)-1:
			words = "is as many ✗"
		}
		t.Add(l.k, pictures.Text("%v/%v", part, whole), limit, words)
	}
	return []pictures.Part{formula, {Table: t}}
}

// numbersOf returns the coordinates of a point of a hunt as text.
func numbersOf(w HuntWave) string {
	return pictures.Text("(%v, %v)", w.Soldiers, w.Left)
}
