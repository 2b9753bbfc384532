package tower

import (
	"cmp"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Strategy is a way to choose the targets that depends on the state alone.
type Strategy int8

// The strategies.
const (
	// Greedy destroys as many towers as possible in every round, the weakest first. No play wins in fewer rounds, and
	// none keeps more soldiers or leaves fewer towers in any round.
	Greedy Strategy = iota
	// Fewest destroys as few towers as possible without wasting a shot: the strongest are worn down first, so that all
	// are as strong as possible. No play without waste does worse for the soldiers.
	Fewest
	// Even gives every standing tower the same number of shots, without a look at the damage. The soldiers left over
	// fire at the first towers, one shot more for each; as that is so in every round, the first are the weakest. Shots
	// at a tower beyond its hits are wasted.
	Even
)

// strategies is the table of the strategies. Commands, chapters and lessons range over it.
var strategies = [...]strategy{
	Greedy: {"greedy", "destroys as many towers as possible in every round", greedyAims, newGreedyPool},
	Fewest: {"fewest", "destroys as few towers as possible without wasting a shot", fewestAims, newFewestPool},
	Even: {
		"even", "gives each tower the same number of shots, whatever its damage, and the soldiers left over fire at " +
			"the first towers",
		evenAims, newRanks,
	},
}

// strategy is a row of the table.
type strategy struct {
	name, does string
	aims       func(State) []Aim
	formation  func(Battle) formation // of the towers, for strides
}

var strategyNames = enum.Of[Strategy]("strategy", strategies[:], func(s strategy) string { return s.name })

// Strategies lists all strategies.
func Strategies() []Strategy { return strategyNames.All() }

// String returns greedy, fewest or even: the text that is also marshalled and read.
func (st Strategy) String() string                   { return strategyNames.String(st) }
func (st Strategy) MarshalText() ([]byte, error)     { return strategyNames.MarshalText(st) }
func (st *Strategy) UnmarshalText(text []byte) error { return strategyNames.UnmarshalText(st, text) }

// Description says what the strategy does, as what follows its name in a list of all of them.
func (st Strategy) Description() string {
	refuse(strategyNames.Validate(st))
	return strategies[st].does
}

// Aims returns the targets of the soldiers in an undecided state.
func (st Strategy) Aims(s State) []Aim {
	refuse(cmp.Or(strategyNames.Validate(st), s.undecided()))
	return strategies[st].aims(s)
}

func greedyAims(s State) []Aim {
	var aims []Aim
	left := s.Soldiers
	for i := len(s.Groups) - 1; i >= 0 && left > 0; i-- {
		group := s.Groups[i]
		destroyed := min(group.Towers, left/group.Hits)
		aims = addAim(aims, destroyed, group.Hits, group.Hits)
		left -= destroyed * group.Hits
		if destroyed < group.Towers && left > 0 {
			aims, left = addAim(aims, 1, group.Hits, left), 0
		}
	}
	return addSurplus(aims, left)
}

// fewestAims brings every tower down to its last hit before it destroys one.
func fewestAims(s State) []Aim {
	spare := s.hitsLeft().sub(wide(s.standing()))
	if !spare.less(wide(s.Soldiers)) {
		return levelAims(s)
	}
	left := s.Soldiers - int64(spare.low)
	var aims []Aim
	for _, group := range s.Groups {
		destroyed := min(group.Towers, left)
		aims = addAim(aims, destroyed, group.Hits, group.Hits)
		aims = addAim(aims, group.Towers-destroyed, group.Hits, group.Hits-1)
		left -= destroyed
	}
	return addSurplus(aims, left)
}

// levelAims wears down the strongest towers to a common level. There must be enough hits to do so without destroying
// one.
func levelAims(s State) []Aim {
	// The towers above the level are the first groups, high towers in all; left shots are not spent yet.
	left, level, high := s.Soldiers, s.Groups[0].Hits, int64(0)
	for i, group := range s.Groups {
		high += group.Towers
		floor := int64(1)
		if i+1 < len(s.Groups) {
			floor = s.Groups[i+1].Hits
		}
		if cost := mul(high, level-floor); !wide(left).less(cost) {
			left, level = left-int64(cost.low), floor
			continue
		}
		level, left = level-left/high, left%high
		break
	}
	var aims []Aim
	for _, group := range s.Groups {
		if group.Hits < level {
			break
		}
		lower := min(group.Towers, left) // these get one shot more
		aims = addAim(aims, lower, group.Hits, group.Hits-level+1)
		aims = addAim(aims, group.Towers-lower, group.Hits, group.Hits-level)
		left -= lower
	}
	return aims
}

func evenAims(s State) []Aim {
	towers := s.standing()
	each, extra := s.Soldiers/towers, s.Soldiers%towers
	var aims []Aim
	for i := len(s.Groups) - 1; i >= 0; i-- {
		group := s.Groups[i]
		first := min(group.Towers, extra)
		aims = addAim(aims, first, group.Hits, each+1)
		aims = addAim(aims, group.Towers-first, group.Hits, each)
		extra -= first
	}
	return aims
}

// addAim appends an aim unless it is empty.
func addAim(aims []Aim, towers, hits, shots int64) []Aim {
	if towers == 0 || shots == 0 {
		return aims
	}
	return append(aims, Aim{towers, hits, shots})
}

// addSurplus lets soldiers who find no target any more fire at the tower that fell last.
func addSurplus(aims []Aim, shots int64) []Aim {
	if shots == 0 {
		return aims
	}
	last := &aims[len(aims)-1]
	if last.Towers == 1 {
		last.Shots += shots
		return aims
	}
	last.Towers--
	return append(aims, Aim{1, last.Hits, last.Shots + shots})
}
