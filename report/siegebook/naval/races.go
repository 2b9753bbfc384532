package naval

import (
	"context"
	"math"
	"slices"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// These are the numbers of fleets that each strategy sinks for the curves and the races. Informed takes a thousand
// times as long as the other strategies.
const (
	RaceFleets     = 8000
	InformedFleets = 160
	otherFleets    = 1 << 20 // where the seeds of the second set of fleets begin
)

// racers returns the strategies of the race, from the worst to the best: the contenders except the post's lists, which
// hardly differ from random shots.
func racers() []game.Strategy {
	return slices.DeleteFunc(
		game.Contenders(), func(s game.Strategy) bool { return s.Moves == game.Cross || s.Moves == game.Linear },
	)
}

// shotsFor returns the sorted numbers of shots that a strategy needs for a number of fleets. Placements alternate; seed
// is the first seed.
func shotsFor(ctx context.Context, s game.Strategy, fleets int, seed uint64) ([]int64, error) {
	all := game.PostPlacements()
	shots := make([]int64, fleets)
	err := chapter.Each(ctx, fleets, func(i int) error {
		sample, err := game.Measure(ctx, s, all[i%len(all)], 1, seed+uint64(i/len(all)), game.Options{Workers: 1})
		shots[i] = sample.Shots
		return err
	})
	slices.Sort(shots)
	return shots, err
}

// Races says how soon strategies sink fleets, and which strategy wins.
type Races struct {
	Table    content.Table   // "races": who wins against whom
	Informed string          // how many of 100 games informed wins against the post's program, with its 95 % interval
	Survival content.Figure  // "survival": the strategies that are far apart
	Sooner   content.Figure  // "sooner": how many more fleets the others sink than random, as described
	Leads    map[string]Lead // the greatest leads in Sooner
}

// Lead says how many more of 100 fleets are sunk within the given number of shots.
type Lead struct {
	Fleets string
	Shots  int
}

// Race plays the races.
func Race(ctx context.Context) (r Races, err error) {
	list := racers()
	mine, other := make([][]int64, len(list)), make([][]int64, len(list))
	for i, s := range list {
		fleets := RaceFleets
		if s.Targeting == game.Informed {
			fleets = InformedFleets
		}
		if mine[i], err = shotsFor(ctx, s, fleets, Seed); err != nil {
			return r, err
		}
		if s.Targeting == game.Informed {
			continue // the strategy has a row, but no column
		}
		if other[i], err = shotsFor(ctx, s, fleets, Seed+otherFleets); err != nil {
			return r, err
		}
	}
	r.Table = chapter.Table("races", "wins, %, of … against")
	for i, s := range list[:len(list)-1] {
		r.Table.Header = append(r.Table.Header, content.Text(pictures.Label(s)))
		row := content.Row(pictures.Label(list[i+1]))
		for k := range list[:len(list)-1] {
			if k > i {
				row = append(row, content.Text(""))
				continue
			}
			share, margin := race(mine[i+1], other[k])
			row = append(row, content.Text(PlusMinus(100*share, 100*margin, 1)))
			if k == 0 && i == len(list)-2 {
				r.Informed = PlusMinus(100*share, 100*margin, 0)
			}
		}
		r.Table.Add(row)
	}
	r.draw(list, mine)
	return r, nil
}

// draw draws two charts: how long fleets last against three strategies that differ much, and how much sooner similar
// strategies sink fleets than the middle one of the three.
func (r *Races) draw(list []game.Strategy, shots [][]int64) {
	var apart, near []figure.Series
	base := slices.Index(list, game.Strategy{Moves: game.Random, Targeting: game.AsDescribed, Halo: true})
	low, high := 0.0, 0.0
	r.Leads = map[string]Lead{}
	for i, s := range list {
		series := figure.Series{Name: pictures.Label(s)}
		if i == base || s.Targeting == game.AsCoded || s.Targeting == game.Informed {
			for k := int64(30); k <= 90; k += 2 {
				series.Points = append(series.Points, figure.Point{X: float64(k), Y: 100 - sunkBy(shots[i], k)})
			}
			apart = append(apart, series)
			continue
		}
		best := figure.Point{Y: math.Inf(-1)}
		for k := int64(30); k <= 90; k += 2 {
			p := figure.Point{X: float64(k), Y: sunkBy(shots[i], k) - sunkBy(shots[base], k)}
			low, high = min(low, math.Floor(p.Y)), max(high, math.Ceil(p.Y))
			if series.Points = append(series.Points, p); p.Y > best.Y {
				best = p
			}
		}
		near = append(near, series)
		r.Leads[series.Name] = Lead{places(best.Y, 1), int(best.X)}
		chapter.Assert(chapter.Expect("it sinks fleets sooner", best.Y > 1, s, best))
	}
	r.Survival = Drawn("survival", figure.Lines{
		Title: "Fleets that are still afloat",
		X:     figure.Axis{Label: "shots"}, Y: figure.Axis{Label: "fleets not yet sunk, %"},
		Series: apart,
	})
	name := pictures.Label(list[base])
	r.Sooner = Drawn("sooner", figure.Lines{
		Title: "Fleets sunk within the given shots, compared with " + name, X: figure.Axis{Label: "shots"},
		Y:      figure.Axis{Label: "percentage points more than " + name, Min: low, Max: high},
		Series: near, References: []figure.Reference{{Label: name, Y: 0}},
	})
}

// sunkBy returns the share of fleets, in percent, that are sunk within by shots. shots is sorted.
func sunkBy(shots []int64, by int64) float64 {
	sunk, _ := slices.BinarySearch(shots, by+1)
	return 100 * float64(sunk) / float64(len(shots))
}

// race returns the share of wins over all pairs of one player who needs a number of shots in mine and one who needs a
// number in others. The player who needs fewer shots has missed less often and wins. If both need the same number, each
// wins half the games, because a coin toss decides who begins. Both lists are sorted. The margin is half the 95 %
// interval. It follows from the variance of a U-statistic, which is the sum of the variances of the means of each
// list's shares.
func race(mine, others []int64) (share, margin float64) {
	share, first := scores(mine, others)
	_, second := scores(others, mine)
	return share, 1.96 * math.Sqrt(first/float64(len(mine))+second/float64(len(others)))
}

// scores compares each number in the first list with all numbers in the second list. It returns the mean and the
// variance of the shares that the numbers beat, where a tie counts half.
func scores(mine, others []int64) (mean, variance float64) {
	shares := make([]float64, len(mine))
	for i, shots := range mine {
		below, _ := slices.BinarySearch(others, shots)
		upTo, _ := slices.BinarySearch(others, shots+1)
		shares[i] = (float64(len(others)-upTo) + float64(upTo-below)/2) / float64(len(others))
	}
	return meanOf(shares)
}
