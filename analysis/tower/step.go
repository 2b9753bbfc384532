package tower

import (
	"cmp"
	"fmt"
	"slices"
)

// Aim is what a part of the soldiers shoot at: each of Towers towers that can take Hits hits gets Shots shots.
// More shots than hits are allowed; what is too many is wasted.
type Aim struct {
	Towers, Hits, Shots int64
}

// Left returns how many hits each of the towers can take after the shots: 0 if it is destroyed.
func (a Aim) Left() int64 {
	if a.Towers < 1 || min(a.Hits, a.Shots) < 0 {
		refuse(fmt.Errorf("aim %+v: must be at 1 tower or more, with natural numbers of hits and shots", a))
	}
	return max(0, a.Hits-a.Shots)
}

// Step plays one round: the soldiers fire at the towers as the aims say, all together, then each tower that still
// stands kills its number of soldiers.
//
// It returns the state at the end of the round, how many kills the towers have left when they have shot the last
// soldier (0 in any other round), and who has won. Step is the whole of the rules; all else in this package goes
// through it or is tested against it.
//
// Of the battle it needs KillsPerTower alone. It panics unless that is positive, the state is undecided, every soldier
// fires exactly once, and the towers aimed at exist.
func (b Battle) Step(s State, aims []Aim) (next State, killsLeft Uint128, winner Winner) {
	refuse(cmp.Or(b.validateKills(), s.undecided()))
	next = State{Soldiers: s.Soldiers, Groups: hit(s, aims)}
	towers := next.standing()
	if towers == 0 {
		return next, Uint128{}, Soldiers
	}
	kills := mul(b.KillsPerTower, towers)
	if alive := wide(s.Soldiers); kills.less(alive) {
		next.Soldiers = int64(alive.sub(kills).low)
		return next, Uint128{}, Undecided
	}
	next.Soldiers = 0
	return next, kills.sub(wide(s.Soldiers)), Towers
}

// hit returns the towers that stand after the shots.
func hit(s State, aims []Aim) []Group {
	untouched := slices.Clone(s.Groups)
	left, fired := make([]Group, 0, len(aims)+len(untouched)), Uint128{}
	for _, aim := range aims {
		at, ok := find(untouched, aim.Hits)
		if !ok || aim.Towers < 1 || aim.Towers > untouched[at].Towers || aim.Shots < 0 {
			panic(fmt.Sprintf("tower: the aim %+v finds no such towers in %+v", aim, s))
		}
		untouched[at].Towers -= aim.Towers
		fired = fired.add(mul(aim.Towers, aim.Shots))
		if hits := aim.Left(); hits > 0 {
			left = append(left, Group{aim.Towers, hits})
		}
	}
	if fired != wide(s.Soldiers) {
		panic(fmt.Sprintf("tower: %v shots in %+v: every soldier fires once, at a tower", fired, s))
	}
	return gather(append(left, untouched...))
}

// gather puts groups in order, strongest first, and joins equal ones.
func gather(groups []Group) []Group {
	var joined []Group
	for _, group := range groups {
		switch at, ok := find(joined, group.Hits); {
		case group.Towers == 0:
		case ok:
			joined[at].Towers += group.Towers
		default:
			joined = append(joined, group)
			copy(joined[at+1:], joined[at:])
			joined[at] = group
		}
	}
	return joined
}

// find returns where the group with so many hits is, or where it would be.
func find(groups []Group, hits int64) (at int, ok bool) {
	return slices.BinarySearchFunc(groups, hits, func(g Group, hits int64) int { return cmp.Compare(hits, g.Hits) })
}
