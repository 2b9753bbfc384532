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

// killersAt returns the signs of the ants that kill the one at (row, col), in the order of the map.
func killersAt(t *testing.T, text string, row, col int) string {
	t.Helper()
	m, outcome := fight(t, text)
	army := m.Ants()
	signs := ""
	for kill := range outcome.Kills() {
		if victim := army[kill.Victim]; victim.Row == row && victim.Col == col {
			signs += string(army[kill.Killer].Owner)
		}
	}
	return signs
}

// TestClaims checks what the post says in words.
func TestClaims(t *testing.T) {
	const among = "......C\nC.A.B.C\n......C"
	const apart = ".......C\nC.A..B.C\n.......C" // as there, a and b out of range of each other
	for _, claim := range []struct {
		says     string
		text     string
		row, col int
		killers  string
	}{
		{"two alone kill each other", "A.B", 0, 0, "B"},
		{"two alone kill each other", "A.B", 0, 2, "A"},
		{"one against two dies", ".A.\nB.B", 0, 1, "BB"},
		{"the two live", ".A.\nB.B", 1, 0, ""},
		{"three colours in range of each other all die", "GR\nB.", 0, 0, "RB"},
		{"three colours in range of each other all die", "GR\nB.", 0, 1, "GB"},
		{"three colours in range of each other all die", "GR\nB.", 1, 0, "GR"},
		{"green between red and blue dies", "R.G.B", 0, 2, "RB"},
		{"red lives, too far from blue", "R.G.B", 0, 0, ""},
		{"blue lives, too far from red", "R.G.B", 0, 4, ""},
		{"a can kill b, and the ants c kill b", among, 1, 4, "CACC"},
		{"the ants c kill a", among, 1, 2, "C"},
		{"the ants c kill a even if b is not so close", apart, 1, 2, "C"},
		{"the ants c kill b even if a is not so close", apart, 1, 5, "CCC"},
		{"but then a kills the c on its side", apart, 1, 0, "A"},
		{"which lives if b is close", among, 1, 0, ""},
		{"the b that lives is attacked by more distracted ants", wall, 2, 4, ""},
		{"that b helps to kill the middle a", wall, 0, 4, "BBBBBB"},
		{"the a near the edge lives", wall, 0, 1, ""},
	} {
		if got := killersAt(t, claim.text, claim.row, claim.col); got != claim.killers {
			t.Errorf("%s: (%d, %d) of\n%s\nis killed by %q, want %q", claim.says, claim.row, claim.col, claim.text, got,
				claim.killers)
		}
	}
}

// TestKillAndBeKilled: an ant can kill several, be killed by several, and do both in one turn.
func TestKillAndBeKilled(t *testing.T) {
	_, outcome := fight(t, wall)
	kills, deaths := map[int]int{}, map[int]int{}
	for kill := range outcome.Kills() {
		kills[kill.Killer]++
		deaths[kill.Victim]++
	}
	both := false
	for ant, n := range kills {
		both = both || n > 1 && deaths[ant] > 1
	}
	if !both {
		t.Errorf("kills %v, deaths %v: no ant kills several and is killed by several", kills, deaths)
	}
}

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
