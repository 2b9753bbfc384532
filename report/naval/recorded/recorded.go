// Package recorded holds measurements of the naval battle that take too long for a build: how many shots strategies
// need for fleets that do not shoot back. The chapter and the lesson show them; the tests compute a part of them again.
package recorded

import "github.com/siegebook/siegebook/analysis/naval"

// The recorded measurements: all strategies of [naval.Contenders] against all placements of the post, the same fleets
// for all.
const (
	Fleets        = 5000     // per placement
	MeasuredSeed  = 1        // of [Measured]
	ConfirmedSeed = 20261121 // of [Confirmed]
	Head          = 2        // fleets of Measurement.Head
)

// Measurement is what [naval.Measure] has found for one strategy against one placement, with [Fleets] fleets.
type Measurement struct {
	Strategy  naval.Strategy
	Placement naval.Placement
	All       naval.Sample
	Head      naval.Sample // the first Head fleets, for a check that takes no time
}

// Measured returns the recorded measurements, in the order of Contenders and, for each, the placements of the post.
// They are the output of Measure, which takes minutes for [naval.Informed].
func Measured() []Measurement {
	return measurements(naval.Contenders(), naval.PostPlacements(), measured)
}

// Confirmed returns the measurements of [naval.Density] and [naval.Informed] against other fleets, those of
// [ConfirmedSeed]. The design of Informed was chosen while looking at the fleets of MeasuredSeed; these were first met
// when it was finished.
func Confirmed() []Measurement { return measurements(finalists(), naval.PostPlacements(), confirmed) }

// Even returns the measurements of the same two strategies against fleets that are all equally likely, under
// MeasuredSeed.
func Even() []Measurement { return measurements(finalists(), []naval.Placement{naval.Uniform}, even) }

// row is what is recorded of a measurement: shots and the sum of their squares, for all fleets and for the head.
type row [4]int64

// measurements gives the rows their strategies and placements.
func measurements(strategies []naval.Strategy, placements []naval.Placement, rows []row) []Measurement {
	list := make([]Measurement, len(rows))
	for i, r := range rows {
		list[i] = Measurement{
			strategies[i/len(placements)], placements[i%len(placements)],
			naval.Sample{Fleets: Fleets, Shots: r[0], Squares: r[1]},
			naval.Sample{Fleets: Head, Shots: r[2], Squares: r[3]},
		}
	}
	return list
}

// finalists are the strategies of Confirmed, the last of naval.Contenders.
func finalists() []naval.Strategy {
	list := naval.Contenders()
	return list[len(list)-2:]
}
