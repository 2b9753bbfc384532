package castle

import (
	"cmp"
	"fmt"
	"math"
)

// Values that are not valid get no answer. A method that has an error returns that of Validate; any other calls one of
// the functions below, which panic with a line that names the value and the rule. They are so small that the compiler
// inlines them. Where a method is called for each wave of a line there is a form without the check, whose name begins
// with a small letter.

// must panics unless the battle is valid.
func (b Battle) must() {
	if b.Soldiers < 1 || b.CastleHits < 1 || b.DefendersPerWave < 1 {
		b.refuse()
	}
}

//go:noinline
func (b Battle) refuse() { refuse(b.Validate()) }

// must panics unless the state is undecided.
func (s State) must() {
	if s.Soldiers < 1 || s.CastleHits < 0 || s.CastleHits == 0 && s.Defenders == 0 {
		s.refuse()
	}
}

//go:noinline
func (s State) refuse() {
	refuse(fmt.Errorf("state %v: must be undecided, with 1 soldier or more, and a castle or defenders", s))
}

// must panics unless the solution is one that Solve can return.
func (s Solution) must() {
	s.Battle.must()
	if s.Winner == Soldiers && (s.FallWave < 1 || s.MinWaves < s.FallWave) {
		refuse(fmt.Errorf("solution of %v: must have a fall wave, and no fewer waves, as Solve returns it", s.Battle))
	}
}

// must panics unless the answer is one that an algorithm can give.
func (a Answer) must() {
	if a.Winner < 0 || a.Winner > Tie || a.Waves < 0 || a.SoldiersLeft < 0 {
		a.refuse()
	}
}

//go:noinline
func (a Answer) refuse() { refuse(a.validate()) }

func (a Answer) validate() error {
	return cmp.Or(winners.Validate(a.Winner), natural("waves", a.Waves), natural("soldiers left", a.SoldiersLeft))
}

// mustBeIn panics unless battle and state are valid, and the state has no more soldiers and castle hits than the
// battle. Together they are no more than 2^63-1 as soon as there are defenders: the first wave has cost the castle a
// hit for each soldier.
func (s State) mustBeIn(b Battle) {
	b.must()
	s.must()
	switch {
	case s.Soldiers > b.Soldiers || s.CastleHits > b.CastleHits:
		refuse(fmt.Errorf("state %v: must not have more soldiers or castle hits than the battle %v", s, b))
	case s.Defenders > 0 && s.CastleHits > math.MaxInt64-s.Soldiers:
		refuse(fmt.Errorf("state %v: must not have defenders yet with so many soldiers and castle hits", s))
	}
}

// natural returns an error if a number is negative.
func natural[N int | int64](name string, number N) error {
	if number < 0 {
		return fmt.Errorf("%s = %d: must not be negative, use 0 or more", name, number)
	}
	return nil
}

// refuse panics with an error, if there is one.
func refuse(err error) {
	if err != nil {
		panic("castle: " + err.Error())
	}
}
