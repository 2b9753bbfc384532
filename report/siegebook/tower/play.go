package tower

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// Play is the end of a battle. The chapter's battles are small; one that were not is a fault of the chapter.
func Play(b game.Battle, strategy game.Strategy) game.Result {
	result, err := b.Play(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/siegebook/tower: %v", err))
	}
	return result
}

func Wins(b game.Battle, strategy game.Strategy) bool {
	return Play(b, strategy).Winner == game.Soldiers
}

// Need is how many soldiers it takes to win.
func Need(strategy game.Strategy, h, k, t int64) int64 {
	n, err := game.Battle{HitsPerTower: h, KillsPerTower: k, Towers: t}.MinSoldiers(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/siegebook/tower: %v", err))
	}
	return n
}

// borders are the soldiers from which on the best aim wins against the towers of a battle, and every aim without waste.
func borders(b game.Battle) (least, sure int64) {
	return Need(game.Greedy, b.HitsPerTower, b.KillsPerTower, b.Towers),
		Need(game.Fewest, b.HitsPerTower, b.KillsPerTower, b.Towers)
}

// AfterRound is the end of a round of a battle, the last one if it is shorter.
func AfterRound(b game.Battle, strategy game.Strategy, number int64) (found game.Round) {
	for round := range b.Rounds(strategy) {
		if found = round; round.Number == number {
			break
		}
	}
	return found
}

// RoundTable lists a battle with everything that the post tracks.
func RoundTable(id string, b game.Battle, aims aiming) content.Table {
	table := chapter.Table(id, "round", "shots", "soldiers", "towers", "hits of each", "hits", "kills")
	table.Groups = chapter.Groups("", 2, "left at the end of the round", 5)
	var before game.State
	for _, round := range roundsBy(b, aims) {
		name, fired := content.Int(round.Number), ""
		if round.Number == 0 {
			name = content.Text("start")
		} else {
			fired = shots(aims(before))
		}
		table.Add(name, fired, round.State.Soldiers, round.State.Towers(), standing(round.State.Groups),
			round.State.HitsLeft().Big(), round.KillsLeft.Big())
		before = round.State
	}
	return table
}

// measured is the battle on which the three methods are compared; sized are battles of growing size, for the method
// that is chosen by itself.
var (
	measured = Battle(18, 5, 3, 5)
	sized    = []game.Battle{FirstTest, Battle(32, 8, 4, 6), Battle(50, 5, 3, 14), Battle(330, 20, 1, 60)}
)

// samples is how many battles the chapter simulates.
const samples = 20_000

// addMethods computes one probability in three ways, and shows which way is chosen for which battle.
func addMethods(ctx context.Context, page *site.Page) {
	table := chapter.Table("methods", "method", "probability of a win", "what is known of its error")
	var exact game.Distribution
	for _, method := range game.Methods()[1:] { // not Automatic
		found := chapter.Get(
			measured.Random(ctx, game.Simultaneous, game.RandomOptions{Method: method, Samples: samples, Seed: Seed}))
		var value, known string
		holds := true
		switch method {
		case game.Exact:
			exact = found
			value, known = fmt.Sprintf("a fraction: %d digits above, %d below", len(found.Win.Exact.Num().String()),
				len(found.Win.Exact.Denom().String())), "none"
		case game.Float:
			value, known = digits(found.Win.Float, 12), "at most "+digits(found.Error, 2)+", proved"
			holds = found.Win.Float-exact.Win.Float <= found.Error && exact.Win.Float-found.Win.Float <= found.Error
		default:
			value = digits(found.Win.Float, 4)
			known = fmt.Sprintf("between %s and %s with %g\u00a0%% confidence", digits(found.Low, 4),
				digits(found.High, 4), 100*game.Confidence)
			holds = found.Low <= exact.Win.Float && exact.Win.Float <= found.High
			chapter.Set(page.Values, "samples", chapter.Thousands(found.Samples), "seed", Seed)
		}
		chapter.Expect("the truth within the error", holds, method, found.Win, found.Error)
		table.Add(method.String(), value, known)
	}
	page.Values["measured"] = Quad(measured)
	choice := chapter.Table("choice", chapter.MD("$(n, h, k, t)$"), "method chosen", "probability of a win", "error")
	for _, b := range sized {
		found := chapter.Get(
			b.Random(ctx, game.Simultaneous, game.RandomOptions{MaxSteps: choiceSteps, Samples: samples, Seed: Seed}))
		choice.Add(Quad(b), found.Method.String(), content.Decimal(digits(found.Win.Float, 6)),
			content.Decimal(digits(found.Error, 2)))
	}
	page.Values["choice steps"] = chapter.Thousands(int64(choiceSteps))
	page.Tables = append(page.Tables, table, choice)
}

// choiceSteps is the work that the chapter allows for one probability, so that building it stays quick.
const choiceSteps = 10_000_000

func digits(x float64, most int) string { return strconv.FormatFloat(x, 'g', most, 64) }

// scaledQ is hQ = hN² + kNH - kH² in whole numbers.
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
func addFalling(page *site.Page) {
	table := chapter.Table("falling", "round", chapter.MD("$N$"), chapter.MD("$H$"), chapter.MD("$T$"),
		chapter.MD("$hQ$"), chapter.MD("$N$"), chapter.MD("$H$"), chapter.MD("$H/h$"), chapter.MD("$hQ$"))
	table.Groups = chapter.Groups("", 1, "towers rounded up", 4, "fractions of towers", 4)
	smooth := unrounded{float64(duel.Soldiers), float64(duel.HitsPerTower * duel.Towers)}
	start, last := smooth.scaledQ(duel), int64(math.MaxInt64)
	for round := range duel.Rounds(game.Greedy) {
		if round.Winner != game.Undecided {
			break
		}
		soldiers := round.State.Soldiers
		hits, _ := round.State.HitsLeft().Int64()
		q := scaledQ(duel, soldiers, hits)
		row := content.Row(round.Number+1, soldiers, hits, round.State.Towers(), q)
		if smooth.hits > 0 {
			row = append(row, content.Decimal(fixed(smooth.soldiers)), content.Decimal(fixed(smooth.hits)),
				content.Decimal(fixed(smooth.hits/float64(duel.HitsPerTower))),
				content.Int(int64(math.Round(smooth.scaledQ(duel)))))
		} else {
			row = append(row, content.Row("", "", "", "")...)
		}
		table.Add(row)
		holds := q <= last && q > 0 && (smooth.hits <= 0 || math.Abs(smooth.scaledQ(duel)-start) < 1e-6*start)
		chapter.Expect("Q falls with rounding, and stays without", holds, round, q, last, smooth)
		last, smooth = q, smooth.next(duel)
	}
	page.Tables = append(page.Tables, table)
}

// Numbers of the exercises: towers of one hit and one kill, a Fibonacci number of them, and the hits of strong towers.
const (
	fibonacciTowers = 89
	strongHits      = 50
)

// addStrategyExercises computes the answers to the exercises on strategies.
func addStrategyExercises(page *site.Page) {
	enough := int64(1)
	for !exceeds(enough, 1, 1, fibonacciTowers) {
		enough++
	}
	below := enough - 1
	left := func(n int64) string { return chapter.Thousands(n * (n + fibonacciTowers)) }
	chapter.Set(page.Values, "ex1 t", fibonacciTowers,
		"ex1 square", chapter.Thousands(int64(fibonacciTowers*fibonacciTowers)), "ex1 n", enough, "ex1 below", below,
		"ex1 left", left(below), "ex1 right", left(enough))
	r := pictures.EvenRatio(strongHits, 1)
	chapter.Set(page.Values, "ex2 h", strongHits, "ex2 r", r, "ex2 sum", fallingSum(r), "ex2 enough",
		pictures.EvenShots(r, 1), "ex2 below", r-1, "ex2 less", pictures.EvenShots(r-1, 1))
	b := Battle(1, 1, 1, 2) // F(2) and F(3)
	for b.Towers < 1_000_000 {
		chapter.Expect("Q is -1 for neighbours among the Fibonacci numbers, and the towers win",
			scaledQ(b, b.Soldiers, b.Towers) == -1 && !Wins(b, game.Greedy), b)
		if b.Towers == fibonacciTowers && b.Soldiers != below {
			chapter.Expect("the exercise's battle is one of them", false, b, below)
		}
		b.Soldiers, b.Towers = b.Soldiers+b.Towers, b.Soldiers+2*b.Towers
	}
	chapter.Expect("the exercises on strategies", Need(game.Greedy, 1, 1, fibonacciTowers) == enough &&
		pictures.EvenShots(r-1, 1) < strongHits, enough, r)
}

// fallingSum writes r + (r-1) + ... + 1.
func fallingSum(r int64) string {
	terms := []string{strconv.FormatInt(r, 10), strconv.FormatInt(r-1, 10), "…", "1"}
	return chapter.NoBreak(strings.Join(terms, " + "))
}
