// Package recorded contains measurements of the naval battle that take too long for a build: the numbers of shots that
// strategies need for fleets that do not shoot back. The chapter and the lesson show the measurements, and the tests
// recompute a part of them.
package recorded

import (
	_ "embed"
	"fmt"
	"math/big"
	"strings"

	"github.com/siegebook/siegebook/analysis/naval"
)

// These are the recorded measurements: all strategies of [naval.Contenders] against all placements of the post, with
// the same fleets for all strategies.
const (
	Fleets        = 5000     // fleets per placement
	MeasuredSeed  = 1        // the seed of [Measured]
	ConfirmedSeed = 20261121 // the seed of [Confirmed]
	Head          = 2        // the number of fleets in Measurement.Head
)

// Measurement is the result of [naval.Measure] for one strategy against one placement, with [Fleets] fleets.
type Measurement struct {
	Strategy  naval.Strategy
	Placement naval.Placement
	All       naval.Sample
	Head      naval.Sample // the first Head fleets, for a quick check
}

// Measured returns the recorded measurements, in the order of Contenders and, for each contender, of the post's
// placements. [naval.Measure] computed them, which takes minutes for [naval.Informed].
func Measured() []Measurement {
	return measurements("measured", naval.Contenders(), naval.PostPlacements())
}

// Confirmed returns the measurements of [naval.Density] and [naval.Informed] against the fleets of [ConfirmedSeed].
// These fleets are new to Informed: its author tuned it with the fleets of MeasuredSeed, and tried the others only
// afterwards.
func Confirmed() []Measurement { return measurements("confirmed", finalists(), naval.PostPlacements()) }

// Even returns the measurements of the same two strategies against fleets that are all equally likely, under
// MeasuredSeed.
func Even() []Measurement { return measurements("even", finalists(), []naval.Placement{naval.Uniform}) }

// ClassicBound returns [naval.TouchingShotsBound] for the classic fleet on its board, which takes many seconds to
// compute.
func ClassicBound() *big.Rat {
	bound := new(big.Rat)
	if _, err := fmt.Fscan(listed("classic"), bound); err != nil {
		panic(fmt.Sprintf("recorded: the bound: %v", err))
	}
	return bound
}

// data has a list for each function above, under a name. A measurement has the shots and the sum of their squares, for
// all fleets and for the head. The bound is one fraction. go test -run TestMeasured -update writes it.
//
//go:embed data.txt
var data string

// listed returns a reader at the beginning of the list with the given name.
func listed(name string) *strings.Reader {
	_, rows, _ := strings.Cut(data, "# "+name+"\n")
	return strings.NewReader(rows)
}

// measurements reads the list with the given name, and adds strategies and placements to its rows.
func measurements(name string, strategies []naval.Strategy, placements []naval.Placement) []Measurement {
	rest := listed(name)
	list := make([]Measurement, len(strategies)*len(placements))
	for i := range list {
		m := Measurement{
			strategies[i/len(placements)], placements[i%len(placements)],
			naval.Sample{Fleets: Fleets},
			naval.Sample{Fleets: Head},
		}
		_, err := fmt.Fscan(rest, &m.All.Shots, &m.All.Squares, &m.Head.Shots, &m.Head.Squares)
		if err != nil {
			panic(fmt.Sprintf("recorded: row %d of %s: %v", i+1, name, err))
		}
		list[i] = m
	}
	return list
}

// finalists returns the strategies of Confirmed, which are the last ones of naval.Contenders.
func finalists() []naval.Strategy {
	list := naval.Contenders()
	return list[len(list)-2:]
}
