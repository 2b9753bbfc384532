package castle

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	explorable "github.com/siegebook/siegebook/report/pictures"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// These are the examples of the whole derivation, and the battle of greed and thrift.
var (
	Patient = Battle(12, 42, 10)
	Waiting = Battle(100, 221, 80)
	Thrifty = Battle(8, 14, 5)
)

// Drawn returns the figure of a drawing with the given id.
func Drawn(id string, drawing chapter.Drawing) content.Figure {
	return chapter.Must(drawing.Figure()).Named(id)
}

// Explored returns the figure of a picture with the given id. Readers can change it; it starts with the given settings.
func Explored(id string, picture explorable.Picture, start ...content.Setting) content.Figure {
	return chapter.Must(picture.Figure(start...)).Named(id)
}

// Strike describes a fall of the castle in wave Q + 1 and the hunt that follows. In the waves before the fall, the
// soldiers shot all defenders.
type Strike struct {
	Q      int64
	Left   int64 // x_q, the defenders left
	Square int64 // x_q² + d x_q
	Hunt   int64 // k(x_q), the waves of the hunt
	Waves  int64 // 1 + q + k(x_q); 0 if the hunt is lost
}

// StrikeAt returns the strike in wave q + 1.
func StrikeAt(b game.Battle, q int64) Strike {
	x := LeftAt(b, q)
	s := Strike{Q: q, Left: x, Square: x*x + b.DefendersPerWave*x}
	if k, won := huntWaves(b.Soldiers, x); won {
		s.Hunt, s.Waves = k, 1+q+k
	}
	return s
}

// BestStrike returns the strike at the best time. It requires d < n.
func BestStrike(b game.Battle) Strike { return StrikeAt(b, strikeAt(b)) }

// HuntAfter returns the soldiers and the defenders after i waves of a hunt. The hunt follows a wave in which n soldiers
// destroy the castle and leave x defenders.
func HuntAfter(n, x int64, i int) (soldiers, defenders int64) {
	return n*Fib(2*i+1) - x*Fib(2*i+2), x*Fib(2*i+1) - n*Fib(2*i)
}

// Widest returns the largest s + d against which n soldiers win if d >= n: (φ + 1) n, rounded down.
func Widest(n int64) int64 { return 2*n + int64(phi.FloorDiv(uint64(n))) }

// The recap uses these battles for the cases that no other example of the page covers.
var (
	atOnceBattle = Battle(10, 9, 8)
	hopeless     = Battle(10, 20, 11)
)

// CasesTable returns a table of the fewest waves in each case, with an example.
func CasesTable() content.Table {
	table := chapter.Table("recap", "case", "condition", "fewest waves", "example")
	fewest := []content.Markdown{`1`, `$1 + q + k(x_q)$`, `$2 + k(x_1)$`, `never`, `never`}
	for i, b := range []game.Battle{atOnceBattle, Patient, BarelyWon, BarelyLost, hopeless} {
		row := recapRows[i]
		chapter.Assert(chapter.HoldsAt(b.Case() == row.number, "%v is an example of case %v, but its case is %v", b,
			row.number, b.Case()))
		example := Triple(b) + ": "
		if w := b.MinWaves(); w > 0 {
			example += chapter.NoBreak(waves(w))
		} else {
			example += "lost " + chapter.NoBreak("in wave ") + chapter.Thousands(b.LongestResistance().Waves) +
				" at the latest"
		}
		table.Add(row.number.String(), row.condition, fewest[i], example)
	}
	return table
}

// WaitTable compares the waves in which the castle may fall.
func WaitTable(id string, b game.Battle, first, last int64) content.Table {
	n, d := b.Soldiers, b.DefendersPerWave
	table := chapter.Table(id, chapter.MD("$q$"), chapter.MD("$x_q$"), chapter.MD("$x_q^2 + d x_q$"),
		chapter.MD("$> %d$?", n*d), chapter.MD("$k(x_q)$"), "waves")
	for q := first; q <= last; q++ {
		s := StrikeAt(b, q)
		square, more, hunt, waves := content.Text(""), content.Text("nobody left"), content.Text("lost"),
			content.Text("")
		if s.Left > 0 {
			square, more = content.Int(s.Square), content.Text("no, strike")
			if s.Square > n*d {
				more = content.Text("yes, wait")
			}
		}
		if s.Waves > 0 {
			hunt, waves = content.Int(s.Hunt), content.Int(s.Waves)
			if s.Waves == b.MinWaves() {
				waves = pictures.MarkedFewest(waves)
			}
		}
		table.Add(q, s.Left, square, more, hunt, waves)
	}
	return table
}

// HuntTable shows the hunts of the two battles side by side.
func HuntTable() content.Table {
	var hunts []besides
	for _, b := range []game.Battle{BarelyWon, BarelyLost} {
		hunt := besides{name: chapter.MD("$n = %d$", b.Soldiers)}
		for _, w := range pictures.Hunt(b.Soldiers, LeftAt(b, 1)) {
			hunt.waves = append(hunt.waves, []any{w.Soldiers, w.Left, Form(w.Soldiers, w.Left)})
		}
		hunts = append(hunts, hunt)
	}
	return besideTable("hunts", 2, []any{
		chapter.MD("$N$ at the start"), chapter.MD("$x$ left"), chapter.MD("$N^2 - Nx - x^2$"),
	}, hunts...)
}

// ConvergentTable lists the fractions that approach 1/φ, and T(k) for the army of the example about waiting.
func ConvergentTable() content.Table {
	n := Waiting.Soldiers
	table := chapter.Table("convergents", chapter.MD("$k$"), chapter.MD("$F(2k)$"), chapter.MD("$F(2k+1)$"), "quotient",
		chapter.MD("$T(k)$"))
	for k := range 6 {
		low, _ := phi.Convergents(k)
		table.Add(k, Fib(2*k), Fib(2*k+1), content.Decimal(low.FloatString(5)), MostLeft(n, k))
	}
	return table
}

// Staircase returns the numbers A(w), w = 0..last, of a battle with d < n: a castle with at most n + A(w) hits falls
// within w waves.
func Staircase(n, d int64, last int) []int64 {
	reach := make([]int64, last+1)
	for w := 2; w <= last; w++ {
		reach[w] = n - d + max(reach[w-1], MostLeft(n, w-2))
	}
	return reach
}

// StrikeFigure draws the waves of a hunt, and compares them with waiting for one wave and hunting fewer defenders. The
// curves show the numbers before rounding up, and the steps show the rounded numbers.
func StrikeFigure(b game.Battle) figure.Lines {
	n, gain := b.Soldiers, b.Soldiers-b.DefendersPerWave
	last := float64(phi.FloorDiv(uint64(n)))
	// The x of a chart's points must increase, so a step is not quite vertical.
	const hair = 1e-6
	var steps []figure.Point
	for k, from := 1, 0.0; from < last; k++ {
		to := min(last, float64(n)*float64(Fib(2*k))/float64(Fib(2*k+1)))
		steps = append(steps, figure.Point{X: from + hair, Y: float64(k)}, figure.Point{X: to, Y: float64(k)})
		from = to
	}
	hunt := func(x float64) float64 {
		return math.Log((float64(n)+x/math.Phi)/(float64(n)-x*math.Phi)) / math.Log(math.Phi) / 4
	}
	limit := (math.Sqrt(float64(b.DefendersPerWave*b.DefendersPerWave+
		4*n*b.DefendersPerWave)) - float64(b.DefendersPerWave)) / 2
	return figure.Lines{
		Title: fmt.Sprintf("Strike or wait, n = %d, d = %d", n, b.DefendersPerWave),
		X:     figure.Axis{Label: "defenders left x", Min: 0, Max: last},
		Y:     figure.Axis{Label: "waves from here", Min: 0, Max: 3.5},
		Series: []figure.Series{
			{Name: "k(x)", Points: steps},
			{Name: "κ(x)", Points: figure.Sampled(hunt, 0, last)},
			{
				Name:   fmt.Sprintf("1 + κ(x − %d)", gain),
				Points: figure.Sampled(func(x float64) float64 { return 1 + hunt(x-float64(gain)) }, 0, last),
			},
			{Name: "limit", Points: []figure.Point{{X: limit, Y: 0}, {X: limit + hair, Y: 3.5}}},
		},
	}
}

// PrintedShort counts the battles of case 2a in which the printed formula, in exact arithmetic, is short by one wave or
// by more.
func PrintedShort() (battles, byOne, byMore int64) {
	for b := range SearchedBox.Each {
		if !case2a(b) {
			continue
		}
		battles++
		if short := b.MinWaves() - exactPrinted(b); short == 1 {
			byOne++
		} else {
			byMore++
		}
	}
	return battles, byOne, byMore
}

// PrintedParts returns q and max(0, k) of the printed case 2a, evaluated in integers. q is the smallest integer with
// x_q <= 0 or x_q² + d x_q <= nd; it need not be positive. k is the length of the hunt for x_q.
func PrintedParts(b game.Battle) (q, k int64) {
	n, d := b.Soldiers, b.DefendersPerWave
	q = (b.CastleHits-n)/(n-d) + 1 // at this q, no defender is left
	for x := LeftAt(b, q-1); x <= 0 || x*(x+d) <= n*d; x = LeftAt(b, q-1) {
		q--
	}
	return q, huntLength(n, LeftAt(b, q))
}

// huntLength returns k(x) of a hunt that the soldiers win.
func huntLength(n, x int64) int64 {
	k, _ := huntWaves(n, x)
	return k
}

// putRight evaluates the corrected formula that the page shows next to the printed one. It returns 0 if the soldiers
// cannot win.
func putRight(b game.Battle) int64 {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	switch {
	case s <= n:
		return 1
	case d < n:
		q, _ := PrintedParts(b)
		q = max(1, q)
		return 1 + q + huntLength(n, LeftAt(b, q))
	case s < 2*n && phi.Cmp(uint64(n), uint64(s+d-2*n)) > 0:
		return 2 + huntLength(n, LeftAt(b, 1))
	}
	return 0
}

// PrintedTable returns a table of the cases with the printed and the corrected formula. It marks differences.
func PrintedTable() content.Table {
	table := chapter.Table("printed", "case", "as printed", "corrected")
	for _, row := range chapter.Rows(say("printed formula", nil)) {
		printed := content.Rich(row[1])
		if verdict := chapter.Verdict(row[3]); verdict != "" {
			printed = printed.Marked(verdict.Mark())
		}
		table.Add(row[0], printed, row[2])
	}
	return table
}
