package ants

import (
	"context"
	"slices"
	"testing"
)

// fight decides a battle as the post draws it.
func fight(t *testing.T, text string) (Map, Outcome) {
	t.Helper()
	m, err := ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	outcome, err := Solve(m.World(ContestRadius2, true), m.Ants(), Focus)
	if err != nil {
		t.Fatal(err)
	}
	return m, outcome
}

// wall is the largest battle that the post draws.
const wall = "AAAAAAAAA\n...BBB...\n...BBB..."

// TestTwoWordings: the post has the rule from the side of the dead and from the side of the killer, and once more with
// attention: an ant that is busy with fewer enemies than each of them lives. Every position of three armies on 2 x 4
// cells obeys all.
func TestTwoWordings(t *testing.T) {
	box := Box{Rows: 2, Cols: 4, Owners: 3, Radius2: ContestRadius2}
	_, err := Search(context.Background(), box, func(p *Position) (int, bool) {
		m, outcome := fight(t, p.drawn().String())
		army := m.Ants()
		world := m.World(ContestRadius2, true)
		var kills []Kill
		for b := range army { // b kills an enemy in range that has as many enemies as b, or more
			for a := range army {
				if army[a].Owner != army[b].Owner &&
					world.Distance2(army[a].Row, army[a].Col, army[b].Row, army[b].Col) <= ContestRadius2 &&
					outcome.Enemies[a] >= outcome.Enemies[b] {
					kills = append(kills, Kill{a, b})
				}
			}
		}
		slices.SortStableFunc(kills, func(x, y Kill) int { return x.Victim - y.Victim })
		if got := slices.Collect(outcome.Kills()); !slices.Equal(got, kills) {
			t.Fatalf("%v: kills %v, from the killers' side %v", m, got, kills)
		}
		for a := range army {
			lives := true
			for b := range army {
				if army[a].Owner != army[b].Owner &&
					world.Distance2(army[a].Row, army[a].Col, army[b].Row, army[b].Col) <= ContestRadius2 {
					lives = lives && outcome.Enemies[a] < outcome.Enemies[b]
				}
			}
			if lives == outcome.Dead[a] {
				t.Fatalf("%v: ant %d dead %v, by attention alive %v", m, a, outcome.Dead[a], lives)
			}
		}
		return 0, true
	})
	if err != nil {
		t.Fatal(err)
	}
}
