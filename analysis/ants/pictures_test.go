package ants

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// fight returns the counts and the survivors of a picture, drawn as the post does.
func fight(t *testing.T, text string) (m Map, outcome Outcome, counts, after string) {
	t.Helper()
	m, err := ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	army := m.Ants()
	outcome, err = Solve(m.World(ContestRadius2, true), army, Focus)
	if err != nil {
		t.Fatal(err)
	}
	counts = m.Redrawn(func(ant int) rune { return '0' + rune(outcome.Enemies[ant]) })
	after = m.Redrawn(func(ant int) rune {
		if outcome.Dead[ant] {
			return 'x'
		}
		return army[ant].Owner
	})
	return m, outcome, counts, after
}

// TestPictures: counts and deaths are as the post says, in every picture but the one with a correction.
func TestPictures(t *testing.T) {
	pictures := Pictures()
	if len(pictures) != 11 {
		t.Fatalf("%d pictures, want 11", len(pictures))
	}
	for _, p := range pictures {
		text := p.Map
		if p.DetailOf != "" {
			text = picture(t, p.DetailOf).Map
		}
		_, _, counts, after := fight(t, text)
		if p.DetailOf != "" {
			counts = masked(counts, p.Map)
			if masked(text, p.Map) != p.Map {
				t.Errorf("%s: is not a part of %s", p.Name, p.DetailOf)
			}
		}
		if (counts != p.Counts) != (p.Correction != "") {
			t.Errorf("%s: counts\n%s\nthe post says\n%s\ncorrection %q", p.Name, counts, p.Counts, p.Correction)
		}
		if after != p.After {
			t.Errorf("%s: survivors\n%s\nthe post says\n%s", p.Name, after, p.After)
		}
	}
}

func picture(t *testing.T, name string) Picture {
	t.Helper()
	pictures := Pictures()
	i := slices.IndexFunc(pictures, func(p Picture) bool { return p.Name == name })
	if i < 0 {
		t.Fatalf("no picture %q", name)
	}
	return pictures[i]
}

// masked hides what the mask hides.
func masked(text, mask string) string {
	out := []byte(text)
	for i := range out {
		if mask[i] == '?' {
			out[i] = '?'
		}
	}
	return string(out)
}

// TestPicturesOnTori: three cells of land around a picture make the torus as good as a map with edges.
func TestPicturesOnTori(t *testing.T) {
	for _, p := range Pictures() {
		m, want, _, _ := fight(t, p.Map)
		world := World{m.Rows + 3, m.Cols + 3, false, ContestRadius2}
		got, err := Solve(world, m.Ants(), Focus)
		if err != nil || !slices.Equal(got.Dead, want.Dead) || !slices.Equal(got.Enemies, want.Enemies) {
			t.Errorf("%s: %v on the torus, %v with edges, %v", p.Name, got, want, err)
		}
	}
}

// TestSidAndSam: the first picture contradicts its text, the last does not.
func TestSidAndSam(t *testing.T) {
	_, _, counts, _ := fight(t, picture(t, "sid and sam, first").Map)
	if want := "0..\n...\n1.1\n...\n..0"; counts != want {
		t.Errorf("first picture: counts\n%s\nwant\n%s", counts, want)
	}
	m, outcome, _, _ := fight(t, picture(t, "sid and sam, last").Map)
	world := m.World(ContestRadius2, true)
	sid, kite := m.Ants()[0], m.Ants()[3]
	if world.Distance2(sid.Row, sid.Col, kite.Row, kite.Col) <= ContestRadius2 {
		t.Error("the top and the bottom ant reach each other")
	}
	deaths := map[rune]int{}
	for i, ant := range m.Ants() {
		if outcome.Dead[i] {
			deaths[ant.Owner]++
		}
	}
	if deaths['С'] != 1 || deaths['К'] != 1 { // Cyrillic
		t.Errorf("deaths %v, want one on each side", deaths)
	}
}

func TestRangePicture(t *testing.T) {
	cells, distances := RangePicture()
	world := World{7, 7, true, ContestRadius2}
	inRange, digits := strings.Split(cells, "\n"), strings.Split(distances, "\n")
	for row := range 7 {
		for col := range 7 {
			d := world.Distance2(3, 3, row, col)
			if (d > 0 && d <= ContestRadius2) != (inRange[row][col] == 'x') {
				t.Errorf("(%d, %d) is %c at distance %d", row, col, inRange[row][col], d)
			}
			if digit := digits[row][col]; digit != '.' && int64(digit-'0') != d || digit == '.' && d <= 9 {
				t.Errorf("(%d, %d) is printed as %c at distance %d", row, col, digit, d)
			}
		}
	}
}

// killersAt returns the signs of the ants that kill the one at (row, col), in the order of the map.
func killersAt(t *testing.T, text string, row, col int) string {
	t.Helper()
	m, outcome, _, _ := fight(t, text)
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
	among := picture(t, "a and b among c").Map
	apart := ".......C\nC.A..B.C\n.......C" // as there, a and b out of range of each other
	wall := picture(t, "wall").Map
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
			t.Errorf("%s: (%d, %d) of\n%s\nis killed by %q, want %q", claim.says, claim.row, claim.col, claim.text, got, claim.killers)
		}
	}
}

// TestKillAndBeKilled: an ant can kill several, be killed by several, and do both in one turn.
func TestKillAndBeKilled(t *testing.T) {
	_, outcome, _, _ := fight(t, picture(t, "wall").Map)
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

// TestTwoWordings: the post has the rule from the side of the dead and from the side of the killer, and once more with attention:
// an ant that is busy with fewer enemies than each of them lives. Every position of three armies on 2 x 4 cells obeys all.
func TestTwoWordings(t *testing.T) {
	box := Box{Rows: 2, Cols: 4, Owners: 3, Radius2: ContestRadius2}
	_, err := Search(context.Background(), box, func(p *Position) (int, bool) {
		m, outcome, _, _ := fight(t, p.drawn().String())
		army := m.Ants()
		world := m.World(ContestRadius2, true)
		var kills []Kill
		for b := range army { // b kills an enemy in range that has as many enemies as b, or more
			for a := range army {
				if army[a].Owner != army[b].Owner && world.Distance2(army[a].Row, army[a].Col, army[b].Row, army[b].Col) <= ContestRadius2 &&
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
				if army[a].Owner != army[b].Owner && world.Distance2(army[a].Row, army[a].Col, army[b].Row, army[b].Col) <= ContestRadius2 {
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
