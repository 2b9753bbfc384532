package castle

import (
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// guardWave is the last wave that the post's program plays of a battle that defenders first has not decided: it stops
// when more than 50 waves are over.
const guardWave = 51

// guardBox is where battles are searched that take longer.
var guardBox = box{30, 200, 30}

// guarded reports whether the guard stops a battle that defenders first would decide.
func guarded(b game.Battle) bool {
	result := b.Play(game.DefendersFirst)
	return result.Winner != game.Tie && result.Waves > guardWave
}

// guardValues finds out what the guard at 50 waves does, and checks what the page says about it.
func guardValues(tests []postTest, values map[string]any) error {
	var ties []string
	longest := tests[0]
	for _, test := range tests {
		switch result := test.Battle.Play(game.DefendersFirst); {
		case result.Winner == game.Tie:
			ties = append(ties, fmt.Sprint(test.Number))
		case result.Waves > longest.Battle.Play(game.DefendersFirst).Waves:
			longest = test
		}
		if err := chapter.Expect("the guard does no harm in the tests", !guarded(test.Battle), test.Battle); err != nil {
			return err
		}
	}
	first, ok := guardBox.first(guarded)
	misjudged := guardBox.count(guarded)
	exception, found := guardBox.first(func(b game.Battle) bool {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		return guarded(b) != (d < n && s > n+(guardWave-1)*(n-d))
	})
	if err := chapter.Expect("the guard stops a battle exactly if d < n and s > n + 50 (n - d)", ok && !found, exception); err != nil {
		return err
	}
	tied, found := guardBox.first(func(b game.Battle) bool { return b.Play(game.CastleFirst).Winner == game.Tie })
	if err := chapter.Expect("castle first never ties", !found, tied); err != nil {
		return err
	}
	won := first.Play(game.DefendersFirst)
	if err := chapter.Expect("the soldiers win the first battle that the guard stops", won.Winner == game.Soldiers, won); err != nil {
		return err
	}
	values["guard ties"] = listed(ties)
	values["guard"], values["guard hits"] = guardWave, guardWave-1
	values["guard longest test"], values["guard longest"] = longest.Number, longest.Battle.Play(game.DefendersFirst).Waves
	values["guard first"], values["guard first waves"] = triple(first), won.Waves
	values["guard misjudged"] = chapter.Thousands(misjudged)
	values["guard n"], values["guard s"], values["guard d"] = guardBox.n, guardBox.s, guardBox.d
	return strongestGuarded(values)
}

// strongestGuarded finds the strongest castle that two soldiers take from one defender a wave before the guard stops
// them.
func strongestGuarded(values map[string]any) error {
	strongest := int64(0)
	for s := int64(1); !guarded(game.Battle{Soldiers: 2, CastleHits: s, DefendersPerWave: 1}); s++ {
		strongest = s
	}
	values["guard strongest"] = strongest
	return chapter.Expect("two hits in wave 1, one in every other", strongest == 2+guardWave-1, strongest)
}
