package tower

import (
	"fmt"
	"math"
)

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
