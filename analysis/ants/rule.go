package ants

import "fmt"

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

var ruleNames = [...]string{Focus: "focus", Closest: "closest", Damage: "damage", Support: "support"}

// String returns focus, closest, damage or support.
func (r Rule) String() string {
	if r < Focus || r > Support {
		return fmt.Sprintf("Rule(%d)", int8(r))
	}
	return ruleNames[r]
}

// ParseRule returns the rule of the name.
func ParseRule(name string) (Rule, error) {
	for rule, known := range ruleNames {
		if name == known {
			return Rule(rule), nil
		}
	}
	return 0, fmt.Errorf("rule %q: unknown, use focus, closest, damage or support", name)
}
