package tower

import (
	"context"
	"fmt"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// play is the end of a battle. The chapter's battles are small; one that were not is a fault of the chapter.
func play(b game.Battle, strategy game.Strategy) game.Result {
	result, err := b.Play(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/tower: %v", err))
	}
	return result
}

func wins(b game.Battle, strategy game.Strategy) bool {
	return play(b, strategy).Winner == game.Soldiers
}

// need is how many soldiers it takes to win.
func need(strategy game.Strategy, h, k, t int64) int64 {
	n, err := game.Battle{HitsPerTower: h, KillsPerTower: k, Towers: t}.MinSoldiers(strategy, 0)
	if err != nil {
		panic(fmt.Sprintf("report/tower: %v", err))
	}
	return n
}

// afterRound is the end of a round of a battle, the last one if it is shorter.
func afterRound(b game.Battle, strategy game.Strategy, number int64) (found game.Round) {
	for round := range b.Rounds(strategy) {
		if found = round; round.Number == number {
			break
		}
	}
	return found
}

// roundTable lists a battle with everything that the post tracks.
func roundTable(id string, b game.Battle, aims aiming) content.Table {
	table := content.Table{
		ID: id, RowHeader: true,
		Groups: []content.Group{
			{Cell: content.Text(""), Span: 2}, {Cell: content.Text("left at the end of the round"), Span: 5},
		},
		Header: chapter.Row("round", "shots", "soldiers", "towers", "hits of each", "hits", "kills"),
	}
	var before game.State
	for _, round := range roundsBy(b, aims) {
		name, fired := content.Int(round.Number), ""
		if round.Number == 0 {
			name = content.Text("start")
		} else {
			fired = shots(aims(before))
		}
		table.Rows = append(
			table.Rows,
			chapter.Row(
				name, fired, round.State.Soldiers, round.State.Towers(), standing(round.State.Groups),
				round.State.HitsLeft().Big(), round.KillsLeft.Big(),
			),
		)
		before = round.State
	}
	return table
}

// measured is the battle on which the three methods are compared; sized are battles of growing size, for the method
// that is chosen by itself.
var (
	measured = game.Battle{Soldiers: 18, HitsPerTower: 5, KillsPerTower: 3, Towers: 5}
	sized    = []game.Battle{
		{Soldiers: 13, HitsPerTower: 2, KillsPerTower: 3, Towers: 8},
		{Soldiers: 32, HitsPerTower: 8, KillsPerTower: 4, Towers: 6},
		{Soldiers: 50, HitsPerTower: 5, KillsPerTower: 3, Towers: 14},
		{Soldiers: 330, HitsPerTower: 20, KillsPerTower: 1, Towers: 60},
	}
)

// samples is how many battles the chapter simulates.
const samples = 20_000

// addMethods computes one probability in three ways, and shows which way is chosen for which battle.
func addMethods(ctx context.Context, page *site.Page) error {
	table := chapter.Table("methods", "method", "probability of a win", "what is known of its error")
	var exact game.Distribution
	for _, method := range game.Methods()[1:] { // not Automatic
		found, err := measured.Random(
			ctx, game.Simultaneous, game.RandomOptions{Method: method, Samples: samples, Seed: Seed},
		)
		if err != nil {
			return err
		}
		var value, known string
		holds := true
		switch method {
		case game.Exact:
			exact = found
			value, known = fmt.Sprintf(
				"a fraction: %d digits above, %d below", len(found.Win.Exact.Num().String()),
				len(found.Win.Exact.Denom().String()),
			), "none"
		case game.Float:
			value, known = digits(found.Win.Float, 12), "at most "+digits(found.Error, 2)+", proved"
			holds = found.Win.Float-exact.Win.Float <= found.Error && exact.Win.Float-found.Win.Float <= found.Error
		default:
			value = digits(found.Win.Float, 4)
			known = fmt.Sprintf(
				"between %s and %s with %g\u00a0%% confidence", digits(found.Low, 4), digits(found.High, 4), 100*game.Confidence,
			)
			holds = found.Low <= exact.Win.Float && exact.Win.Float <= found.High
			page.Values["samples"], page.Values["seed"] = chapter.Thousands(found.Samples), Seed
		}
		if err := chapter.Expect("the truth within the error", holds, method, found.Win, found.Error); err != nil {
			return err
		}
		table.Rows = append(table.Rows, chapter.Row(method.String(), value, known))
	}
	page.Values["measured"] = quad(measured)
	choice := chapter.Table("choice", chapter.MD("$(n, h, k, t)$"), "method chosen", "probability of a win", "error")
	for _, b := range sized {
		found, err := b.Random(
			ctx, game.Simultaneous, game.RandomOptions{MaxSteps: choiceSteps, Samples: samples, Seed: Seed},
		)
		if err != nil {
			return err
		}
		choice.Rows = append(
			choice.Rows,
			chapter.Row(
				quad(b), found.Method.String(), content.Decimal(digits(found.Win.Float, 6)),
				content.Decimal(digits(found.Error, 2)),
			),
		)
	}
	page.Values["choice steps"] = chapter.Thousands(int64(choiceSteps))
	page.Tables = append(page.Tables, table, choice)
	return nil
}

// choiceSteps is the work that the chapter allows for one probability, so that building it stays quick.
const choiceSteps = 10_000_000

func digits(x float64, most int) string { return strconv.FormatFloat(x, 'g', most, 64) }
