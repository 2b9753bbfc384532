package naval

import "slices"

// The recorded measurements: all strategies of [Contenders] against all placements of the post, the same fleets for all.
const (
	MeasuredFleets = 5000     // per placement
	MeasuredSeed   = 1        // of [Measured]
	ConfirmedSeed  = 20261121 // of [Confirmed]
	MeasuredHead   = 2        // fleets of Measurement.Head
)

// Measurement is what [Measure] has found for one strategy against one placement, with [MeasuredFleets] fleets.
type Measurement struct {
	Strategy  Strategy
	Placement Placement
	All       Sample
	Head      Sample // the first MeasuredHead fleets, for a check that takes no time
}

// Measured returns the recorded measurements, in the order of Contenders and Placements. They are the output of Measure, which
// takes minutes for [Informed]; the tests compute a part of them again.
func Measured() []Measurement { return slices.Clone(measured) }

// Confirmed returns the measurements of [Density] and [Informed] against other fleets, those of [ConfirmedSeed], in the order of Placements. The
// design of Informed was chosen while looking at the fleets of MeasuredSeed; these were first met when it was finished.
func Confirmed() []Measurement { return slices.Clone(confirmed) }

// finalists are the strategies of Confirmed.
func finalists() []Strategy { return []Strategy{{Random, Density, true}, {Random, Informed, true}} }

// Contenders lists the strategies that are measured, all with halos: those of the post as coded and as described, then hunting and
// finishing done properly, then Density and Informed.
func Contenders() []Strategy {
	var list []Strategy
	for _, t := range []Targeting{AsCoded, AsDescribed} {
		for _, m := range AllMoves() {
			list = append(list, Strategy{m, t, true})
		}
	}
	list = append(list, Strategy{Random, Proper, true}, Strategy{Diagonal, Proper, true})
	return append(list, finalists()...)
}
