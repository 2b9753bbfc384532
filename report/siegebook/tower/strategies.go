package tower

import (
	"fmt"
	"math"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// Chances is a battle that soldiers who do not aim may win or lose. On the page, readers aim in this battle themselves,
// too.
var Chances = Battle(27, 6, 2, 8)

// aimedSide is the side of the fields in which readers aim. The towers fill the cells that the soldiers leave.
const aimedSide = 3

// Aimed draws the fields of a battle in which readers can aim.
func Aimed(id string, b game.Battle, more string, fields ...figure.Grid) content.Figure {
	title := fmt.Sprintf("%s against %s of %s", content.Counted(b.Soldiers, "soldier", "soldiers"),
		content.Counted(b.Towers, "tower", "towers"), content.Counted(b.HitsPerTower, "hit", "hits"))
	drawn := chapter.Must(pictures.Fields(title+more, fields...).Figure())
	start := content.Settings("n", b.Soldiers, "h", b.HitsPerTower, "k", b.KillsPerTower, "t", b.Towers)
	return drawn.Named(id).Explored("tower-aim", start)
}

// AimedField draws the towers of a state. Fallen towers come last.
func AimedField(name string, b game.Battle, s game.State) figure.Grid {
	hits := make([]int64, 0, b.Towers)
	for _, group := range s.Groups {
		for range group.Towers {
			hits = append(hits, group.Hits)
		}
	}
	cells := make([]int, b.Towers)
	for i := range cells {
		cells[i] = aimedSide*aimedSide - len(cells) + i
	}
	return pictures.Field(name, aimedSide, cells, b.HitsPerTower, append(hits, make([]int64, len(cells)-len(hits))...))
}

// Exceeds reports exactly, without rounding, whether n > xt for the x of [pictures.WinRatio]: n(n + kt) > kht².
func Exceeds(n, h, k, t int64) bool { return n*(n+k*t) > k*h*t*t }

// priced has the ranges of towers for which a test compares the bounds on the number of soldiers with plays.
var priced = []chapter.Side{{Name: "h", To: 30}, {Name: "k", To: 4}, {Name: "t", To: 25}}

// Priced describes the ranges in priced.
func Priced() string { return chapter.Range(priced...) }

// WorstRatio returns the number of soldiers per tower that the worst aim without waste needs, and the round with the
// least bound (docs/derivations/tower.md, Theorem 13).
func WorstRatio(h, k int64) (rho float64, round int64) {
	root := math.Sqrt(float64(k*k + 4*k))
	c := (float64(k) + root) / 2
	u := 1.0
	for float64(k)*u*u+u*root <= 2*float64(h-1) {
		u++
	}
	return (float64(k)*(u-1) + c*(float64(h)+float64(k)*u*(u-1)/2)) / (1 + c*u), int64(u)
}

// ScaledQ returns hQ = hN² + kNH - kH² for the given soldiers and hits left.
func ScaledQ[T int64 | float64](b game.Battle, soldiers, hits T) T {
	h, k := T(b.HitsPerTower), T(b.KillsPerTower)
	return h*soldiers*soldiers + k*soldiers*hits - k*hits*hits
}

// FallingTable lists hQ in a battle that Greedy plays, and in the same battle with fractions of towers and soldiers. It
// reports whether Q never grows, stays positive, and does not change with fractions.
func FallingTable(id string, b game.Battle) (table content.Table, falls bool) {
	table = chapter.Table(id, "round", chapter.MD("$N$"), chapter.MD("$H$"), chapter.MD("$T$"),
		chapter.MD("$hQ$"), chapter.MD("$N$"), chapter.MD("$H$"), chapter.MD("$H/h$"), chapter.MD("$hQ$"))
	table.Groups = chapter.Groups("", 1, "towers rounded up", 4, "fractions of towers", 4)
	fixed := func(x float64) content.Cell { return content.Decimal(figure.Fixed(x, 3)) }
	n, hits := float64(b.Soldiers), float64(b.HitsPerTower*b.Towers)
	start, last := ScaledQ(b, n, hits), int64(math.MaxInt64)
	falls = true
	for round := range b.Rounds(game.Greedy) {
		if round.Winner != game.Undecided {
			break
		}
		left, _ := round.State.HitsLeft().Int64()
		q := ScaledQ(b, round.State.Soldiers, left)
		row := content.Row(round.Number+1, round.State.Soldiers, left, round.State.Towers(), q)
		if hits > 0 {
			smooth := ScaledQ(b, n, hits)
			row = append(row, fixed(n), fixed(hits), fixed(hits/float64(b.HitsPerTower)),
				content.Int(int64(math.Round(smooth))))
			falls = falls && math.Abs(smooth-start) < 1e-6*start
		} else {
			row = append(row, content.Row("", "", "", "")...)
		}
		table.Add(row)
		falls = falls && 0 < q && q <= last
		last, hits = q, hits-n
		n -= float64(b.KillsPerTower) / float64(b.HitsPerTower) * hits
	}
	return table, falls
}
