package tower

import (
	"math"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

// scaledQ is hQ = hS² + kSH - kH² in whole numbers.
func scaledQ(b game.Battle, soldiers, hits int64) int64 {
	return b.HitsPerTower*soldiers*soldiers + b.KillsPerTower*soldiers*hits - b.KillsPerTower*hits*hits
}

// unrounded is a battle in which fractions of towers stand and kill fractions of soldiers.
type unrounded struct{ soldiers, hits float64 }

// next is the state after a round that does not end the battle.
func (u unrounded) next(b game.Battle) unrounded {
	hits := u.hits - u.soldiers
	return unrounded{u.soldiers - float64(b.KillsPerTower)/float64(b.HitsPerTower)*hits, hits}
}

func (u unrounded) scaledQ(b game.Battle) float64 {
	h, k := float64(b.HitsPerTower), float64(b.KillsPerTower)
	return h*u.soldiers*u.soldiers + k*u.soldiers*u.hits - k*u.hits*u.hits
}

// addFalling tables Q in the duel: it falls where towers are rounded up, and stays where they are not.
func addFalling(page *site.Page) error {
	table := content.Table{
		ID: "falling", RowHeader: true,
		Groups: []content.Group{
			{
				Cell: content.Text(""), Span: 1,
			}, {Cell: content.Text("towers rounded up"), Span: 4}, {Cell: content.Text("fractions of towers"), Span: 4},
		},
		Header: chapter.Row(
			"round", content.Rich("$S$"), content.Rich("$H$"), content.Rich("$T$"), content.Rich("$hQ$"),
			content.Rich("$S$"), content.Rich("$H$"), content.Rich("$H/h$"), content.Rich("$hQ$"),
		),
	}
	smooth := unrounded{float64(duel.Soldiers), float64(duel.HitsPerTower * duel.Towers)}
	start, last := smooth.scaledQ(duel), int64(math.MaxInt64)
	for round := range duel.Rounds(game.Greedy) {
		if round.Winner != game.Undecided {
			break
		}
		soldiers := round.State.Soldiers
		hits, _ := round.State.HitsLeft().Int64()
		q := scaledQ(duel, soldiers, hits)
		row := chapter.Row(round.Number+1, soldiers, hits, round.State.Towers(), q)
		if smooth.hits > 0 {
			row = append(
				row, content.Decimal(fixed(smooth.soldiers)), content.Decimal(fixed(smooth.hits)),
				content.Decimal(fixed(smooth.hits/float64(duel.HitsPerTower))),
				content.Int(int64(math.Round(smooth.scaledQ(duel)))),
			)
		} else {
			row = append(row, chapter.Row("", "", "", "")...)
		}
		table.Rows = append(table.Rows, row)
		holds := q <= last && q > 0 && (smooth.hits <= 0 || math.Abs(smooth.scaledQ(duel)-start) < 1e-6*start)
		if err := chapter.Expect("Q falls with rounding, and stays without", holds, round, q, last, smooth); err != nil {
			return err
		}
		last, smooth = q, smooth.next(duel)
	}
	page.Tables = append(page.Tables, table)
	return nil
}

// Numbers of the exercises: towers of one hit and one kill, a Fibonacci number of them, and the hits of strong towers.
const (
	fibonacciTowers = 89
	strongHits      = 50
)

// addStrategyExercises computes the answers to the exercises on strategies.
func addStrategyExercises(page *site.Page) error {
	enough := int64(1)
	for !exceeds(enough, 1, 1, fibonacciTowers) {
		enough++
	}
	below := enough - 1
	left := func(n int64) string { return chapter.Thousands(n * (n + fibonacciTowers)) }
	page.Values["ex1 t"], page.Values["ex1 square"] = fibonacciTowers, chapter.Thousands(
		int64(fibonacciTowers*fibonacciTowers),
	)
	page.Values["ex1 n"], page.Values["ex1 below"], page.Values["ex1 left"], page.Values["ex1 right"] = enough, below, left(
		below,
	), left(enough)
	r := wholeRatio(strongHits, 1)
	page.Values["ex2 h"], page.Values["ex2 r"], page.Values["ex2 sum"] = strongHits, r, fallingSum(r)
	page.Values["ex2 enough"], page.Values["ex2 below"], page.Values["ex2 less"] = evenShots(r, 1), r-1, evenShots(r-1, 1)
	b := game.Battle{Soldiers: 1, HitsPerTower: 1, KillsPerTower: 1, Towers: 2} // F(2) and F(3)
	for b.Towers < 1_000_000 {
		if err := chapter.Expect("Q is -1 for neighbours among the Fibonacci numbers, and the towers win",
			scaledQ(b, b.Soldiers, b.Towers) == -1 && !wins(b, game.Greedy), b); err != nil {
			return err
		}
		if b.Towers == fibonacciTowers && b.Soldiers != below {
			return chapter.Expect("the exercise's battle is one of them", false, b, below)
		}
		b.Soldiers, b.Towers = b.Soldiers+b.Towers, b.Soldiers+2*b.Towers
	}
	return chapter.Expect(
		"the exercises on strategies", need(game.Greedy, 1, 1, fibonacciTowers) == enough && evenShots(r-1, 1) < strongHits,
		enough, r,
	)
}

// fallingSum writes r + (r-1) + ... + 1.
func fallingSum(r int64) string {
	terms := []string{strconv.FormatInt(r, 10), strconv.FormatInt(r-1, 10), "…", "1"}
	return chapter.NoBreak(strings.Join(terms, " + "))
}
