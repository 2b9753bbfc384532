package tower

import (
	"context"
	"fmt"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
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

// Borders are the soldiers from which on the best aim wins against the towers of a battle, and every aim without waste.
func Borders(b game.Battle) (least, sure int64) {
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
	for _, round := range RoundsBy(b, aims) {
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
