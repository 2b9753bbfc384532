package games

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/canceled"
)

// AntsSignature is the function that a listing for the ants must define. It returns whether an ant dies. Ants are
// numbered from 0. For each ant, the list enemies has a list of the enemies in range, the nearest first, as pairs
// (squared distance, ant). radius2 is the square of the attack radius.
var AntsSignature = listing.Signature{
	Name: "dies", Parameters: []string{"ant", "enemies", "radius2"}, Lists: []string{"enemies"},
}

var antsGame = listing.Game{
	Name: "ants", Signature: AntsSignature, Axes: []string{"rows", "columns", "owners", "radius2"},
	Own: func(l *listing.Listing) listing.Judge {
		return judged(l, func(l asked) listing.Judge { return judgeAnts(l.deaths) })
	},
	Library: func() (all []listing.Player) {
		for _, rule := range ants.Rules() {
			play := func(_ context.Context, world ants.World, army []ants.Ant) ([]bool, error) {
				outcome, err := ants.Solve(world, army, rule)
				return outcome.Dead, err
			}
			all = append(all, listing.Player{Name: rule.String(), Judge: judgeAnts(play)})
		}
		return all
	},
}

// mostAnts limits the size of an army, because Deaths compares all pairs of ants.
const mostAnts = 2000

// Deaths calls a listing for each ant and returns which ants die. The error is a *listing.Error, the context's error,
// or an error about the world or the army.
func Deaths(ctx context.Context, l *listing.Listing, world ants.World, army []ants.Ant) ([]bool, error) {
	return ask(l, nil).deaths(ctx, world, army)
}

func (l asked) deaths(ctx context.Context, world ants.World, army []ants.Ant) ([]bool, error) {
	if _, err := ants.Solve(world, army, ants.Focus); err != nil {
		return nil, err
	}
	if len(army) > mostAnts {
		return nil, l.Fault("there are %d ants: a listing can decide battles of at most %d", len(army), mostAnts)
	}
	type enemy struct {
		distance2 int64
		ant       int
	}
	var all []starlark.Value
	pairs := 0
	for _, a := range army {
		var near []enemy
		for j, b := range army {
			if d := world.Distance2(a.Row, a.Col, b.Row, b.Col); a.Owner != b.Owner && d <= world.Radius2 {
				near = append(near, enemy{d, j})
			}
		}
		slices.SortStableFunc(near, func(a, b enemy) int { return int(a.distance2 - b.distance2) })
		var values []starlark.Value
		for _, e := range near {
			values = append(values, starlark.Tuple{starlark.MakeInt64(e.distance2), starlark.MakeInt(e.ant)})
		}
		if pairs += len(near); pairs > l.limits.Items {
			return nil, l.Fault("more than %d pairs of ants are in range: use a smaller army or radius",
				l.limits.Items)
		}
		all = append(all, starlark.NewList(values))
	}
	enemies := starlark.NewList(all)
	enemies.Freeze() // all calls share the list
	dead := make([]bool, len(army))
	for i, a := range army {
		if err := canceled.Cause(ctx); err != nil {
			return nil, err
		}
		value, err := l.call(starlark.MakeInt(i), enemies, starlark.MakeInt64(world.Radius2))
		dies, ok := value.(starlark.Bool)
		if err == nil && !ok {
			err = l.Refuse(value, "it must return True or False")
		}
		if err != nil {
			return nil, listing.In(err, "ant %d at row %d, column %d, enemies in range: %d",
				i, a.Row, a.Col, all[i].(*starlark.List).Len())
		}
		dead[i] = bool(dies)
	}
	return dead, nil
}

// position is a battle of ants whose text is one line.
type position struct{ ants.Map }

func (p position) String() string { return strings.ReplaceAll(p.Map.String(), "\n", "/") }

// antsPlay returns which ants die.
type antsPlay func(ctx context.Context, world ants.World, army []ants.Ant) ([]bool, error)

// judgeAnts counts the ants whose fate differs from the contest's rule, in all positions of a box.
func judgeAnts(play antsPlay) listing.Judge {
	return func(ctx context.Context, at []int64, t *listing.Tally) error {
		const most = 1 << 22 // boxes with more positions are refused
		size := func(axis int) int { return int(min(at[axis], most)) }
		box := ants.Box{Rows: size(0), Cols: size(1), Owners: size(2), Radius2: at[3]}
		if positions, err := box.Positions(); err != nil {
			return err
		} else if positions > most {
			return fmt.Errorf("a box of %d x %d cells has %d positions: use one with at most %d",
				box.Rows, box.Cols, positions, most)
		}
		for m := range box.Maps() {
			world, army := m.World(box.Radius2, true), m.Ants()
			outcome, err := ants.Solve(world, army, ants.Focus)
			if err != nil {
				return err
			}
			want := slices.Clone(outcome.Dead)
			dead, err := play(ctx, world, army)
			if err != nil {
				return listing.In(err, "position %v", position{m})
			}
			others := int64(0)
			for i := range dead {
				if dead[i] != want[i] {
					others++
				}
			}
			t.Count(position{m}, 1+others, 1)
		}
		return nil
	}
}
