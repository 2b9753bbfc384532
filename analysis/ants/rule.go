package ants

import "github.com/siegebook/siegebook/analysis/internal/enum"

// Rule decides which ants die. All rules look at the ants as they stand before the battle; e(a) is the number of
// enemies, ants of any other owner, that ant a has in range.
type Rule int8

// The rules of the contest's engine, as it was shipped.
const (
	// Focus is the rule of the contest: a dies if an enemy b in range has e(b) <= e(a).
	Focus Rule = iota
	// Closest lets distances grow: at each squared distance in turn, all ants left die that have an enemy left at
	// exactly this distance. The engine stops one short of the attack radius: radius2 itself is not reached.
	Closest
	// Damage lets each ant spread a damage of 1 evenly over the enemies in range: a dies if the sum of 1/e(b) over its
	// enemies b in range is 1 or more.
	Damage
	// Support was meant to kill an ant with more enemies than friends in range. As shipped friends are never counted:
	// a dies if it has any enemy in range.
	Support
)

// rules is the table of the rules. Commands, chapters and lessons range over it.
var rules = [...]rule{
	Focus: {
		"focus", "kills an ant if an enemy in range has no more enemies in range than it has itself", (*Solver).focus,
		(*Solver).noBusier,
	},
	Closest: {
		"closest", "takes the distances in turn, and at each kills all ants that still have an enemy there; it stops " +
			"one short of the attack radius",
		(*Solver).closest, (*Solver).fellTogether,
	},
	Damage: {"damage", "lets each ant share a damage of 1 among the enemies in range, and kills an ant that gets 1 " +
		"or more", (*Solver).damage, everyEnemy},
	Support: {"support", "kills every ant with an enemy in range", (*Solver).support, everyEnemy},
}

// rule is a row of the table.
type rule struct {
	name, does string
	decide     func(*Solver) // sets who is dead, from the enemies in range
	// whether an enemy in range of a dead ant is one of its killers
	kills func(s *Solver, victim, enemy int32) bool
}

func everyEnemy(*Solver, int32, int32) bool { return true }

var ruleNames = enum.Of[Rule]("rule", rules[:], func(r rule) string { return r.name })

// Rules lists all rules, the contest's own first.
func Rules() []Rule { return ruleNames.All() }

// String returns focus, closest, damage or support: the text that is also marshalled and read.
func (r Rule) String() string                   { return ruleNames.String(r) }
func (r Rule) MarshalText() ([]byte, error)     { return ruleNames.MarshalText(r) }
func (r *Rule) UnmarshalText(text []byte) error { return ruleNames.UnmarshalText(r, text) }

// Description says what the rule does, as what follows its name in a list of all of them.
func (r Rule) Description() string {
	refuse(ruleNames.Validate(r))
	return rules[r].does
}
