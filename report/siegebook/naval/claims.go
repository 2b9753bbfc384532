package naval

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	starmath "go.starlark.net/lib/math"
	"go.starlark.net/starlark"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/claims"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/siegebook/naval/recorded"
)

//go:embed claims.star
var claimsText string

// claimTable returns the table of the claims. Its conditions are about measured means. Each is a pair of the mean and
// half its 95 % interval.
func claimTable() *claims.Game {
	var third []starlark.Value
	for _, r := range thirdRecords {
		third = append(third, claims.Numbers(r.Wins, r.Losses))
	}
	var trials []starlark.Value
	for _, t := range printedTrials() {
		var printed starlark.Tuple
		for _, mean := range t.printed {
			printed = append(printed, starlark.String(places(mean, 2)))
		}
		trials = append(trials, starlark.Tuple{
			starlark.String(t.name), starlark.String(site.Escape(t.setting)), printed,
		})
	}
	before, added, next := Slipped()
	slip := starlark.NewDict(0)
	for name, cells := range map[string][]game.Cell{
		"first": {FirstHit}, "second": {SecondHit}, "next": {next}, "added": added,
		"left": slices.Concat(before[1:], added),
	} {
		_ = slip.SetKey(starlark.String(name), starlark.String(CellNames(cells))) // the dictionary is not frozen
	}
	g := &claims.Game{
		Name: "naval", File: "report/siegebook/naval/claims.star", Table: claimsText, Computed: computedClaims,
		Names: starlark.StringDict{
			"math": starmath.Module, "players": starlark.MakeInt(Players), "repeats": starlark.MakeInt(Repeats),
			"fleets": starlark.MakeInt(recorded.Fleets), "race_games": starlark.MakeInt(RaceGames),
			"blind_mean": starlark.Float(game.BlindMean()), "lengths": claims.Numbers(game.Lengths()...),
			"third": starlark.NewList(third), "trials": starlark.NewList(trials), "slip": slip,
			"seven": named(seven), "placements": named(game.PostPlacements()), "post_moves": named(game.PostMoves()),
		},
	}
	for name, call := range calls {
		g.Names[name] = claims.Call(name, call)
	}
	return g
}

// named returns the names that conditions may use for values.
func named[T fmt.Stringer](values []T) starlark.Value {
	var names []starlark.Value
	for _, v := range values {
		names = append(names, starlark.String(v.String()))
	}
	return starlark.NewList(names)
}

// measured returns a mean and half its 95 % interval.
func measured(mean, margin float64) starlark.Value {
	return starlark.Tuple{starlark.Float(mean), starlark.Float(margin)}
}

// tournaments returns the tournaments of the trial with the given number or name.
func tournaments(ctx context.Context, which starlark.Value) ([]game.Statistics, error) {
	s, err := PlayTournaments(ctx)
	if err != nil {
		return nil, err
	}
	switch name, _ := starlark.AsString(which); name {
	case "alike":
		return s.alike, nil
	case "described":
		return s.described, nil
	}
	number, err := starlark.AsInt32(which)
	if err != nil {
		return nil, err
	}
	return s.printed[number], nil
}

func placementOf(name starlark.Value) (p game.Placement, err error) {
	text, _ := starlark.AsString(name)
	return p, p.UnmarshalText([]byte(text))
}

// calls contains the functions that texts and conditions may call. places(number, decimals) and thousands(number)
// return texts. games(trial) returns the number of games in tournaments, and played(trial, what) returns the mean of
// another number. trial_off(trial) and records_off(trial) return the distance of the post's numbers from ours, in
// standard errors. shots(moves, targeting) returns the mean shots over the post's placements, or for the placement in a
// third argument. won_share(placement) returns the share of wins in the fourth update's setting, and
// without_square(placement) in tournaments of the third update's other placements. bounds(placement) returns the bounds
// of its region. counted_fleets() returns the number of fleets. regions(placements) and knockout(records) are for the
// ledger's checker.
var calls = map[string]func(context.Context, starlark.Tuple) (starlark.Value, error){
	"places": func(_ context.Context, args starlark.Tuple) (starlark.Value, error) {
		number, _ := starlark.AsFloat(args[0])
		decimals, err := starlark.AsInt32(args[1])
		return starlark.String(places(number, decimals)), err
	},
	"thousands": func(_ context.Context, args starlark.Tuple) (starlark.Value, error) {
		whole, err := starlark.NumberToInt(args[0])
		number, _ := whole.Int64()
		return starlark.String(chapter.Thousands(number)), err
	},
	"played": func(ctx context.Context, args starlark.Tuple) (starlark.Value, error) {
		list, err := tournaments(ctx, args[0])
		if err != nil {
			return nil, err
		}
		what, _ := starlark.AsString(args[1])
		number := map[string]func(game.Statistics) float64{
			"moves": game.Statistics.MeanMoves, "winners": game.Statistics.MeanMovesWinners,
			"score": game.Statistics.MeanLosersScore,
		}[what]
		if number == nil {
			return nil, fmt.Errorf("not a number of tournaments: %s", what)
		}
		mean, variance := meanOf(collect(list, number))
		return measured(mean, 1.96*math.Sqrt(variance/float64(len(list)))), nil
	},
	"games": func(ctx context.Context, args starlark.Tuple) (starlark.Value, error) {
		list, err := tournaments(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return starlark.MakeInt64(list[0].Games), nil
	},
	"trial_off": func(ctx context.Context, args starlark.Tuple) (starlark.Value, error) {
		trial, err := starlark.AsInt32(args[0])
		if err != nil {
			return nil, err
		}
		s, err := PlayTournaments(ctx)
		if err != nil {
			return nil, err
		}
		return starlark.Float(s.worst(trial)), nil
	},
	"records_off": func(ctx context.Context, args starlark.Tuple) (starlark.Value, error) {
		list, err := tournaments(ctx, args[0])
		if err != nil {
			return nil, err
		}
		return starlark.Float(recordErrors(list)), nil
	},
	"shots": func(_ context.Context, args starlark.Tuple) (starlark.Value, error) {
		var moves game.Moves
		var targeting game.Targeting
		hunt, _ := starlark.AsString(args[0])
		aim, _ := starlark.AsString(args[1])
		err := errors.Join(moves.UnmarshalText([]byte(hunt)), targeting.UnmarshalText([]byte(aim)))
		if err != nil || len(args) == 2 {
			return measured(Measured().Overall(moves, targeting)), err
		}
		placement, err := placementOf(args[2])
		if err != nil {
			return nil, err
		}
		sample := Measured().Of(moves, targeting, placement)
		return measured(sample.Mean(), sample.Margin()), nil
	},
	"won_share": ofPlacement(func(ctx context.Context, p game.Placement) (starlark.Value, error) {
		s, err := PlayTournaments(ctx)
		if err != nil {
			return nil, err
		}
		share, _ := s.wonShare(p)
		return starlark.Float(share), nil
	}),
	"without_square": ofPlacement(func(ctx context.Context, p game.Placement) (starlark.Value, error) {
		records, err := withoutSquare(ctx)
		r := records[p]
		n := float64(r.Wins + r.Losses)
		mean := float64(r.Wins) / n
		return measured(mean, 1.96*math.Sqrt(mean*(1-mean)/n)), err
	}),
	"bounds": ofPlacement(func(_ context.Context, p game.Placement) (starlark.Value, error) {
		return claims.Numbers(boundsOf(p)...), nil
	}),
	"counted_fleets": func(ctx context.Context, _ starlark.Tuple) (starlark.Value, error) {
		fleets, err := CountedFleets(ctx)
		return starlark.MakeUint64(fleets), err
	},
	"regions": func(_ context.Context, args starlark.Tuple) (starlark.Value, error) {
		var rows [][]int
		for _, name := range args {
			p, err := placementOf(name)
			if err != nil {
				return nil, err
			}
			rows = append(rows, boundsOf(p))
		}
		return claims.Told(map[string]any{"game": "naval", "kind": "regions", "regions": rows}), nil
	},
	"knockout": func(_ context.Context, args starlark.Tuple) (starlark.Value, error) {
		records := [][]int64{}
		for _, record := range args {
			numbers, err := claims.WholeNumbers(record)
			if err != nil {
				return nil, err
			}
			records = append(records, numbers)
		}
		return claims.Told(map[string]any{
			"game": "naval", "kind": "knockout", "players": Players, "games": Players - 1, "records": records,
		}), nil
	},
}

// ofPlacement returns a function for conditions that calls f with the placement in the first argument.
func ofPlacement(
	value func(context.Context, game.Placement) (starlark.Value, error),
) func(context.Context, starlark.Tuple) (starlark.Value, error) {
	return func(ctx context.Context, args starlark.Tuple) (starlark.Value, error) {
		p, err := placementOf(args[0])
		if err != nil {
			return nil, err
		}
		return value(ctx, p)
	}
}

// withoutSquare plays tournaments with the third update's placements other than the square.
var withoutSquare = chapter.Once(func(ctx context.Context) (map[game.Placement]game.Record, error) {
	records := map[game.Placement]game.Record{}
	others := slices.DeleteFunc(slices.Clone(seven), func(p game.Placement) bool { return p == game.Square36 })
	for i := range Repeats {
		played, err := game.Tournament{
			Players: Players, Placements: others, Moves: []game.Moves{game.Random}, Halo: true, Redraw: true,
			Seed: Seed + uint64(i),
		}.Play(ctx, game.Options{Workers: 1})
		if err != nil {
			return nil, err
		}
		for _, p := range others {
			r := played.ByPlacement[p]
			records[p] = game.Record{Wins: records[p].Wins + r.Wins, Losses: records[p].Losses + r.Losses}
		}
	}
	return records, nil
})

// computedClaims contains the checks of the table that are not conditions.
var computedClaims = map[string]func(context.Context) (chapter.Finding, error){
	"third hit": func(context.Context) (chapter.Finding, error) {
		before, _, next := Slipped()
		inLine := next.Y() == FirstHit.Y() && next.Y() == SecondHit.Y() && next.X() == FirstHit.X()+1 &&
			SecondHit.X() == FirstHit.X()-1
		err := chapter.Expect("a third hit with targets left", inLine && len(before) > 1, next, before)
		return chapter.Finding{}, err
	},
	"powers": confirmPowers, "winners": confirmWinners, "square": checkSquare, "likeliest": checkLikeliest,
	"race": checkRace, "halos": checkHalos,
	"fleet": func(context.Context) (chapter.Finding, error) {
		f, _, err := game.PlaceFleet([]game.Placement{game.Anywhere}, Seed, 0)
		if err != nil {
			return chapter.Finding{}, err
		}
		return chapter.Finding{Recompute: fleetOf(f)}, nil
	},
	"blind": func(context.Context) (chapter.Finding, error) {
		mean := LastDeck(BoardCells, FleetDecks)
		if err := chapter.Expect("the mean of blind shooting", mean.RatString() == "2020/21", mean); err != nil {
			return chapter.Finding{}, err
		}
		return chapter.Finding{Recompute: blindOf()}, nil
	},
	"small boards": func(ctx context.Context) (chapter.Finding, error) {
		told, err := fleetsOf(ctx, game.Waters{Cols: 4, Rows: 5, Ships: []int{3, 2, 1}},
			game.Waters{Cols: 5, Rows: 5, Ships: []int{2, 2, 1}}, game.Waters{Cols: 6, Rows: 4, Ships: []int{4, 1, 1}})
		return chapter.Finding{Recompute: told}, err
	},
}

func confirmPowers(context.Context) (chapter.Finding, error) {
	const most = 4096
	for n := 2; n <= most; n++ {
		left := n
		for left > 1 && left%2 == 0 {
			left /= 2
		}
		t := game.Tournament{Players: n, Placements: game.PostPlacements(), Moves: game.PostMoves()}
		if err := chapter.Expect("powers of two", (t.Validate() == nil) == (left == 1), n); err != nil {
			return chapter.Finding{}, err
		}
	}
	return chapter.Finding{}, nil
}

// confirmWinners also checks the reason. Both sides have missed equally often, or the loser has missed once more. So
// the numbers of moves differ by the difference of the scores, which is 20 minus the loser's score, or by one less.
func confirmWinners(ctx context.Context) (chapter.Finding, error) {
	s, err := PlayTournaments(ctx)
	if err != nil {
		return chapter.Finding{}, err
	}
	least, most := math.Inf(1), 0.0
	for i, t := range printedTrials() {
		rows := [][4]float64{t.printed}
		for _, g := range s.printed[i] {
			rows = append(rows, figures(g))
		}
		for _, f := range rows {
			more := f[1] - f[2]
			least, most = min(least, more), max(most, more)
			if more > 20-f[3]+0.01 || more < 20-f[3]-1.01 {
				return chapter.Finding{}, chapter.Expect("moves differ as scores do", false, t.setting, f)
			}
		}
	}
	return chapter.Finding{
		Checked: fmt.Sprintf("winners make %s to %s more moves: in every tournament, 20 minus the losers' score, or "+
			"up to one fewer", places(least, 1), places(most, 1)),
	}, nil
}

// checkSquare places a fleet with its single decks in the square: the ships with more decks must fit around the square.
func checkSquare(context.Context) (chapter.Finding, error) {
	region := game.Square36.Region()
	f, _, err := game.PlaceFleet([]game.Placement{game.Square36}, Seed, 0)
	if err != nil {
		return chapter.Finding{}, err
	}
	holds := true
	for _, ship := range f {
		for c := range ship.Cells().All() {
			holds = holds && region.Has(c) == (ship.Decks == 1)
		}
	}
	if err := chapter.Expect("there is a fleet around the square", holds); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{Recompute: fleetOf(f)}, nil
}

// checkLikeliest compares the best shooter of small waters with a shooter who always chooses a likeliest cell. Among
// cells that tie, this shooter chooses the one with the lowest mean number of shots.
func checkLikeliest(context.Context) (chapter.Finding, error) {
	var checks []any
	var example string
	for _, w := range smallWaters {
		best, err := w.Mean(game.Optimal)
		if err != nil {
			return chapter.Finding{}, err
		}
		likeliest, err := w.Mean(game.Likeliest)
		if err != nil {
			return chapter.Finding{}, err
		}
		if best.Shots.Cmp(likeliest.Shots) == 0 {
			continue
		}
		all := big.NewRat(int64(best.Fleets), 1)
		total := func(mean *big.Rat) *big.Int { return new(big.Rat).Mul(mean, all).Num() } // whole, as shots are
		checks = append(checks, map[string]any{
			"game": "naval", "kind": "waters", "rows": w.Rows, "columns": w.Cols, "ships": w.Ships,
			"fleets": best.Fleets, "best": total(best.Shots), "likeliest": total(likeliest.Shots),
		})
		if example == "" {
			example = fmt.Sprintf("on %d × %d cells with ships of %s decks, sinking all %d fleets takes %v shots, and "+
				"%v if each shot is at a likeliest cell", w.Rows, w.Cols, chapter.Joined(w.Ships), best.Fleets,
				total(best.Shots), total(likeliest.Shots))
		}
	}
	if err := chapter.Expect("the likeliest cell is not always the best", len(checks) > 0); err != nil {
		return chapter.Finding{}, err
	}
	return chapter.Finding{
		Example:   chapter.MD("%s", example),
		Recompute: chapter.AllOf(checks...),
	}, nil
}

// DrawnGames returns a tournament of two players who place their fleets and shoot at random.
func DrawnGames() game.Tournament {
	return game.Tournament{
		Players: 2, Placements: game.PostPlacements(), Moves: game.PostMoves(), Halo: true,
		Seed: Seed,
	}
}

// boundsOf returns the bounds of a region: first and last column, first and last row, and the number of cells.
func boundsOf(p game.Placement) []int {
	left, right, top, bottom := game.Side, -1, game.Side, -1
	for c := range p.Region().All() {
		left, right = min(left, c.X()), max(right, c.X())
		top, bottom = min(top, c.Y()), max(bottom, c.Y())
	}
	return []int{left, right, top, bottom, p.Region().Count()}
}

// fleetOf returns the cells of a fleet for the checker.
func fleetOf(f game.Fleet) any {
	var ships [][][2]int
	var sums []int
	for _, ship := range f {
		var cells [][2]int
		sum := 0
		for c := range ship.Cells().All() {
			cells = append(cells, [2]int{c.X(), c.Y()})
			sum += 10*c.Y() + c.X()
		}
		ships, sums = append(ships, cells), append(sums, sum)
	}
	return map[string]any{"game": "naval", "kind": "fleet", "ships": ships, "cells": sums}
}

// blindOf returns the mean of blind shooting for the checker.
func blindOf() any {
	mean := LastDeck(BoardCells, FleetDecks)
	return map[string]any{
		"game": "naval", "kind": "blind", "cells": BoardCells, "decks": FleetDecks,
		"mean": []any{mean.Num(), mean.Denom()},
	}
}

// fleetsOf returns the numbers of fleets on small boards for the checker. The library counts them as it counts the
// fleets of the post's board.
func fleetsOf(ctx context.Context, boards ...game.Waters) (any, error) {
	var checks []any
	for _, w := range boards {
		fleets, err := game.CountFleets(ctx, w.Cols, w.Rows, w.Ships)
		if err != nil {
			return nil, err
		}
		checks = append(checks, map[string]any{
			"game": "naval", "kind": "waters", "rows": w.Rows, "columns": w.Cols, "ships": w.Ships, "fleets": fleets,
		})
	}
	return chapter.AllOf(checks...), nil
}
