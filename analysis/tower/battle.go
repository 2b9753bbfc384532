package tower

import (
	"fmt"
	"math"

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

// Values that are not valid get no answer. A method that has an error returns one that names the value and the rule;
// any other calls one of the functions below, which panic with such a line.

// validateKills is Validate for a method that is given the state, and needs no more of the battle than what its towers
// do.
func (b Battle) validateKills() error { return Battle{1, 1, b.KillsPerTower, 1}.Validate() }

// validate returns an error unless there are as many soldiers and towers as a battle can have.
func (s State) validate() error {
	if s.Soldiers < 0 {
		return fmt.Errorf("state %+v: must not have fewer than 0 soldiers", s)
	}
	room := int64(math.MaxInt64) // for towers
	for i, group := range s.Groups {
		switch {
		case group.Towers < 1 || group.Hits < 1:
			return fmt.Errorf("state %+v: a group must have 1 tower or more, which can take 1 hit or more", s)
		case i > 0 && s.Groups[i-1].Hits <= group.Hits:
			return fmt.Errorf("state %+v: groups must come strongest towers first, no two with the same hits", s)
		case group.Towers > room:
			return fmt.Errorf("state %+v: must have no more than %d towers", s, int64(math.MaxInt64))
		}
		room -= group.Towers
	}
	return nil
}

// undecided returns an error unless the state is valid, and has soldiers and towers.
func (s State) undecided() error {
	if err := s.validate(); err != nil {
		return err
	}
	if s.Soldiers < 1 || len(s.Groups) == 0 {
		return fmt.Errorf("state %+v: must be undecided, with 1 soldier and 1 tower or more", s)
	}
	return nil
}

// natural returns an error if a number is negative.
func natural(name string, number int64) error {
	if number < 0 {
		return fmt.Errorf("%s = %d: must not be negative, use 0 or more", name, number)
	}
	return nil
}

// refuse panics with an error, if there is one.
func refuse(err error) {
	if err != nil {
		panic("tower: " + err.Error())
	}
}
