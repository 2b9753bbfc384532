package post

import (
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/ants"
)

// fight returns the counts and the survivors of a picture, drawn as the post does.
func fight(t *testing.T, text string) (m ants.Map, outcome ants.Outcome, counts, after string) {
	t.Helper()
	m, err := ants.ParseMap(text)
	if err != nil {
		t.Fatal(err)
	}
	army := m.Ants()
	outcome, err = ants.Solve(m.World(ants.ContestRadius2, true), army, ants.Focus)
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
		world := ants.World{Rows: m.Rows + 3, Cols: m.Cols + 3, Radius2: ants.ContestRadius2}
		got, err := ants.Solve(world, m.Ants(), ants.Focus)
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
	world := m.World(ants.ContestRadius2, true)
	sid, kite := m.Ants()[0], m.Ants()[3]
	if world.Distance2(sid.Row, sid.Col, kite.Row, kite.Col) <= ants.ContestRadius2 {
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
	world := ants.World{Rows: 7, Cols: 7, Bounded: true, Radius2: ants.ContestRadius2}
	inRange, digits := strings.Split(cells, "\n"), strings.Split(distances, "\n")
	for row := range 7 {
		for col := range 7 {
			d := world.Distance2(3, 3, row, col)
			if (d > 0 && d <= ants.ContestRadius2) != (inRange[row][col] == 'x') {
				t.Errorf("(%d, %d) is %c at distance %d", row, col, inRange[row][col], d)
			}
			if digit := digits[row][col]; digit != '.' && int64(digit-'0') != d || digit == '.' && d <= 9 {
				t.Errorf("(%d, %d) is printed as %c at distance %d", row, col, digit, d)
			}
		}
	}
}
