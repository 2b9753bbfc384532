package naval

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/analysis/listing"
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/naval/recorded"
)

// Repeats is the number of tournaments that we play for each tournament of the post.
const Repeats = 10

// Players is the number of players at the beginning of each tournament, as in the post.
const Players = 1024

// Tournaments has our tournaments in the post's settings.
type Tournaments struct {
	printed   [][]game.Statistics // for each of printedTrials, a tournament per seed
	alike     []game.Statistics   // the third update with equally likely placements
	described []game.Statistics   // the second update, played as the post's text says
}

// trial is a tournament for which the post prints numbers.
type trial struct {
	name, setting string
	placements    []game.Placement
	moves         []game.Moves
	halo          bool
	printed       [4]float64 // mean moves of all, of winners and of losers, and mean score of losers
}

// seven lists the placements of the third update.
var seven = []game.Placement{
	game.Left, game.Right, game.Top, game.Bottom, game.Square36, game.CenterVertical, game.CenterHorizontal,
}

// These are the trials with several placements.
const (
	secondUpdate = 1
	thirdUpdate  = 7
	fourthUpdate = 8
)

// printedTrials returns the tournaments of the post, in its order.
func printedTrials() []trial {
	random := []game.Moves{game.Random}
	one := func(p game.Placement) []game.Placement { return []game.Placement{p} }
	return []trial{
		{"update 1", "36, no halo", one(game.Square36), random, false, [4]float64{85.06, 85.95, 84.17, 17.75}},
		{"update 2", "36", one(game.Square36), random, true, [4]float64{58.91, 60.98, 56.83, 15.37}},
		{"update 3", "left", one(game.Left), random, true, [4]float64{63.18, 64.82, 61.54, 16.24}},
		{"update 3", "right", one(game.Right), random, true, [4]float64{62.58, 64.23, 60.93, 16.23}},
		{"update 3", "36 again", one(game.Square36), random, true, [4]float64{58.94, 61.02, 56.87, 15.35}},
		{"update 3", "bottom", one(game.Bottom), random, true, [4]float64{62.85, 64.55, 61.16, 16.15}},
		{"update 3", "center_vertical", one(game.CenterVertical), random, true, [4]float64{61.59, 63.37, 59.81, 15.95}},
		{"update 3", "seven placements", seven, random, true, [4]float64{61.03, 62.89, 59.18, 15.78}},
		{
			"update 4", "eight placements, three moves", game.PostPlacements(), game.PostMoves(), true,
			[4]float64{61.43, 63.23, 59.63, 15.93},
		},
	}
}

func (t trial) tournament() game.Tournament {
	// If players draw again when their placement fails, they have the shares of the third update. In later updates, the
	// post's placements have equal shares.
	redraw := len(t.placements) == len(seven)
	return game.Tournament{Players: Players, Placements: t.placements, Moves: t.moves, Halo: t.halo, Redraw: redraw}
}

// CountedFleets counts the legal fleets of the post's board.
var CountedFleets = chapter.Once(func(ctx context.Context) (uint64, error) {
	return game.CountFleets(ctx, game.Side, game.Side, game.Post.Lengths())
})

// Bound is a lower bound for all shooters if all legal fleets are equally likely.
type Bound struct {
	Mean  float64 // the mean number of shots, rounded down to a tenth
	Worst int     // the number of shots that some fleet takes
}

// LeastShots returns the bound for the post's board.
var LeastShots = chapter.Once(func(ctx context.Context) (Bound, error) {
	shots, err := game.ShotsBound(ctx, game.Side, game.Side, game.Post.Lengths())
	if err != nil {
		return Bound{}, err
	}
	mean, _ := shots.Float64()
	return Bound{down(mean), int(math.Ceil(mean))}, nil
})

// LeastClassic returns the recorded bound for the classic fleet, whose ships may touch, rounded down to a tenth.
func LeastClassic() float64 {
	mean, _ := recorded.ClassicBound().Float64()
	return down(mean)
}

// down rounds down to a tenth.
func down(mean float64) float64 { return math.Floor(10*mean) / 10 }

// PlayTournaments plays the tournaments in parallel.
var PlayTournaments = chapter.Once(func(ctx context.Context) (*Tournaments, error) {
	trials := printedTrials()
	tournaments := make([]game.Tournament, 0, len(trials)+2)
	for _, t := range trials {
		tournaments = append(tournaments, t.tournament())
	}
	equal, text := trials[thirdUpdate].tournament(), trials[secondUpdate].tournament()
	equal.Redraw, text.Targeting = false, game.AsDescribed
	tournaments = append(tournaments, equal, text)
	results := make([][]game.Statistics, len(tournaments))
	for i := range results {
		results[i] = make([]game.Statistics, Repeats)
	}
	err := chapter.Each(ctx, len(tournaments)*Repeats, func(i int) (err error) {
		setting, number := i/Repeats, i%Repeats
		t := tournaments[setting]
		t.Seed = Seed + uint64(number)
		results[setting][number], err = t.Play(ctx, game.Options{Workers: 1})
		return err
	})
	return &Tournaments{results[:len(trials)], results[len(trials)], results[len(trials)+1]}, err
})

// figures returns the four means that the post prints for a tournament.
func figures(s game.Statistics) [4]float64 {
	return [4]float64{s.MeanMoves(), s.MeanMovesWinners(), s.MeanMovesLosers(), s.MeanLosersScore()}
}

// collect returns one number for each tournament.
func collect(list []game.Statistics, number func(game.Statistics) float64) []float64 {
	var values []float64
	for _, s := range list {
		values = append(values, number(s))
	}
	return values
}

// meanOf returns the mean and the variance of values.
func meanOf(values []float64) (mean, variance float64) {
	n := float64(len(values))
	for _, v := range values {
		mean += v / n
	}
	for _, v := range values {
		variance += (v - mean) * (v - mean) / (n - 1)
	}
	return mean, variance
}

// standardErrors returns the distance of a printed value from our mean, in standard errors of the difference. extra is
// added to the variance of the printed value.
func standardErrors(printed float64, ours []float64, extra float64) float64 {
	mean, variance := meanOf(ours)
	return (printed - mean) / math.Sqrt(variance*(1+1/float64(len(ours)))+extra)
}

// worst returns the greatest distance of a trial's four printed means from ours.
func (s *Tournaments) worst(number int) float64 {
	worst := 0.0
	for k, printed := range printedTrials()[number].printed {
		z := standardErrors(printed,
			collect(s.printed[number], func(g game.Statistics) float64 { return figures(g)[k] }), 0)
		if math.Abs(z) > math.Abs(worst) {
			worst = z
		}
	}
	return worst
}

// Farthest returns the greatest distance of a printed mean from ours, in standard errors.
func (s *Tournaments) Farthest() (most float64) {
	for i := range printedTrials() {
		most = max(most, math.Abs(s.worst(i)))
	}
	return most
}

// Measurements has the recorded means of the strategies against fleets.
type Measurements []recorded.Measurement

// These are the recorded measurements: against the placements, against other fleets of the same placements, and against
// fleets that are all equally likely.
var (
	Measured  = sync.OnceValue(func() Measurements { return recorded.Measured() })
	Confirmed = sync.OnceValue(func() Measurements { return recorded.Confirmed() })
	Even      = sync.OnceValue(func() Measurements { return recorded.Even() })
)

// Of returns the measurement of a strategy, with halo, against a placement.
func (list Measurements) Of(moves game.Moves, targeting game.Targeting, p game.Placement) game.Sample {
	for _, m := range list {
		if m.Strategy == (game.Strategy{Moves: moves, Targeting: targeting, Halo: true}) && m.Placement == p {
			return m.All
		}
	}
	return game.Sample{}
}

// Overall returns the mean of a strategy over the eight placements, with equal weights, and half its 95 % interval.
func (list Measurements) Overall(moves game.Moves, targeting game.Targeting) (mean, margin float64) {
	all := game.PostPlacements()
	for _, p := range all {
		sample := list.Of(moves, targeting, p)
		mean += sample.Mean() / float64(len(all))
		margin += sample.Margin() * sample.Margin()
	}
	return mean, math.Sqrt(margin) / float64(len(all))
}

// found is the result of the post's search for combinations for ships of one length, and the number of steps that it
// takes.
type found struct {
	places, tries, looks int // a look compares a cell with a cell in a list
}

// combinations runs the post's search. It tries each cell of the waters as the first cell of a ship to the right and of
// a ship downwards. It looks up each cell in the list of the waters, from the beginning.
func combinations(waters []game.Cell, decks int) (f found) {
	isOpen := func(x, y int) bool {
		for _, c := range waters {
			f.looks++
			if c.X() == x && c.Y() == y {
				return true
			}
		}
		return false
	}
	for _, first := range waters {
		for _, step := range [][2]int{{1, 0}, {0, 1}} {
			f.tries++
			fits := true
			for i := 0; i < decks && fits; i++ {
				fits = isOpen(first.X()+i*step[0], first.Y()+i*step[1])
			}
			if fits {
				f.places++
			}
			if decks == 1 {
				break
			}
		}
	}
	return f
}

// waters returns the cells on which ships with the given number of decks may be.
func waters(p game.Placement, decks int) []game.Cell {
	region := p.Region()
	if decks == 1 && p != game.Anywhere {
		return cellsOf(region)
	}
	var list []game.Cell
	for x := range game.Side { // column by column, as the post does
		for y := range game.Side {
			if !region.Has(game.At(x, y)) {
				list = append(list, game.At(x, y))
			}
		}
	}
	return list
}

// listedText returns the listing of the page on placements.
func listedText() string { return chapter.Listings(texts, "placement") }

// listedPlaces counts the places that the listing of the search finds.
func listedPlaces(program *listing.Program, waters []game.Cell, decks int) int {
	cells := []any{}
	for _, c := range waters {
		cells = append(cells, listing.Tuple{int64(c.Y()), int64(c.X())})
	}
	return len(chapter.Must(program.Call("combinations", cells, int64(decks))).([]any))
}

// Search holds the results of the post's search for places.
type Search struct {
	Table                       content.Table // "places": the places for ships under each placement
	Cells, Places, Tries, Looks int           // for ships of two to four decks outside the square of 36
}

// FindPlaces returns a table of the places for ships under each placement, and the number of steps that the post's
// search takes for the first placement.
func FindPlaces() (s Search) {
	program := chapter.Must(listing.ReadProgram("listing", []byte(listedText()), listing.Limits{}))
	s.Table = chapter.Table("places", "placement", "cells", "1 deck", "2 decks", "3 decks", "4 decks")
	for _, p := range game.Placements() {
		if p == game.Random12 {
			continue // it has another region for each fleet
		}
		row := content.Row(p.String(), len(waters(p, 1)))
		for decks := 1; decks <= 4; decks++ {
			open := waters(p, decks)
			f, count := combinations(open, decks), 0
			for ship := range allShips(int8(decks)) {
				inside := true
				for c := range ship.Cells().All() {
					inside = inside && slices.Contains(open, c)
				}
				if inside {
					count++
				}
			}
			chapter.Assert(chapter.Expect("the post's search finds each place once", f.places == count, p, decks, f,
				count))
			listed := listedPlaces(program, open, decks)
			chapter.Assert(chapter.Expect("the listing finds each place once", decks == 1 || listed == count, p, decks,
				listed, count))
			row = append(row, content.Int(count))
			if p == game.Square36 && decks > 1 {
				s.Cells, s.Places, s.Tries, s.Looks = len(open), s.Places+f.places, s.Tries+f.tries, s.Looks+f.looks
			}
		}
		s.Table.Add(row)
	}
	return s
}
