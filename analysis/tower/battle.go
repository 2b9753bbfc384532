package tower

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Battle is a tower defense game before its first round.
//
// All four numbers are positive; the whole int64 range is allowed.
type Battle struct {
	Soldiers      int64 // n, the soldiers that attack
	HitsPerTower  int64 // h, the hits that a tower can take
	KillsPerTower int64 // k, the soldiers that a standing tower kills each round
	Towers        int64 // t, the towers at the start
}

// Validate returns an error that names the first number that is not positive, if there is one. Of a battle that is not
// valid the other methods return this error, or panic with it if they return none; String prints any.
func (b Battle) Validate() error {
	for _, field := range []struct {
		name  string
		value int64
	}{
		{"soldiers", b.Soldiers},
		{"hits per tower", b.HitsPerTower},
		{"kills per tower", b.KillsPerTower},
		{"towers", b.Towers},
	} {
		if field.value < 1 {
			return fmt.Errorf("%s = %d: must be a positive whole number, use 1 or more", field.name, field.value)
		}
	}
	return nil
}

// String returns "(n, h, k, t)".
func (b Battle) String() string {
	return fmt.Sprintf("(%d, %d, %d, %d)", b.Soldiers, b.HitsPerTower, b.KillsPerTower, b.Towers)
}

// Start returns the state before the first round.
func (b Battle) Start() State {
	refuse(b.Validate())
	return State{Soldiers: b.Soldiers, Groups: []Group{{Towers: b.Towers, Hits: b.HitsPerTower}}}
}

// Group is a number of towers that can take the same number of hits each.
type Group struct {
	Towers, Hits int64
}

// State is a moment between two rounds. A million towers are no burden: equal ones form a group.
type State struct {
	Soldiers int64
	Groups   []Group // the towers that stand, strongest first; no two groups have the same hits
}

// Towers returns the number of towers that stand.
func (s State) Towers() int64 {
	refuse(s.validate())
	return s.standing()
}

func (s State) standing() int64 {
	towers := int64(0)
	for _, group := range s.Groups {
		towers += group.Towers
	}
	return towers
}

// HitsLeft returns how many hits all towers together can take.
func (s State) HitsLeft() Uint128 {
	refuse(s.validate())
	return s.hitsLeft()
}

func (s State) hitsLeft() Uint128 {
	hits := Uint128{}
	for _, group := range s.Groups {
		hits = hits.add(mul(group.Towers, group.Hits))
	}
	return hits
}

// Winner says how a battle ends.
type Winner int8

// The outcomes.
const (
	Undecided Winner = iota
	Soldiers
	Towers
)

var winners = enum.New[Winner]("winner", "undecided", "soldiers", "towers")

// String returns undecided, soldiers or towers: the text that is also marshalled and read.
func (w Winner) String() string                   { return winners.String(w) }
func (w Winner) MarshalText() ([]byte, error)     { return winners.MarshalText(w) }
func (w *Winner) UnmarshalText(text []byte) error { return winners.UnmarshalText(w, text) }
