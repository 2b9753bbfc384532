package ants

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

// TestPlayDecides compares counts with the enemies within the radius, counted one by one, and looks for the armies of
// the dead in what is said, on boards with edges and without.
func TestPlayDecides(t *testing.T) {
	chance := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		rows, cols := 1+chance.IntN(6), 1+chance.IntN(6)
		cells := make([]rune, rows*cols)
		for i := range cells {
			cells[i] = []rune{0, 0, 0, 'A', 'B', 'C'}[chance.IntN(6)]
		}
		edges := []string{"edges", "torus"}[chance.IntN(2)]
		radius := []int{1, 2, 5, 8}[chance.IntN(4)]
		v := picturetest.Values(t, Playing(), fmt.Sprintf("rows=%d&cols=%d&board=%s&edges=%s&radius=%d", rows, cols,
			writeRuns(cells, cols), edges, radius))
		p := newPlay(v)
		if !slices.Equal(p.cells, cells) {
			t.Fatalf("%v: %v", v, p)
		}
		for cell, sign := range cells {
			near := 0
			for other, enemy := range cells {
				dr, dc := cell/cols-other/cols, cell%cols-other%cols
				if edges == "torus" {
					dr, dc = min(abs(dr), rows-abs(dr)), min(abs(dc), cols-abs(dc))
				}
				if enemy != 0 && enemy != sign && dr*dr+dc*dc <= radius {
					near++
				}
			}
			if words := p.words(cell); sign != 0 && !strings.Contains(words, fmt.Sprintf(", %s in range, ",
				content.Counted(near, "enemy", "enemies"))) {
				t.Fatalf("%v: cell %d: %q, want %d enemies", v, cell, words, near)
			}
		}
		for i, rule := range game.Rules() {
			dead := map[rune]bool{}
			for ant, is := range p.outcomes[i].Dead {
				if is {
					dead[p.army[ant].Owner] = true
				}
			}
			text := p.fallen(i)
			for owner := range dead {
				if text != "everybody dies" && !strings.Contains(text, string(owner)+" ant") {
					t.Fatalf("%v by %v: %q lacks %c", v, rule, text, owner)
				}
			}
			if (len(dead) == 0) != (text == "nobody dies" || text == "there are no ants") {
				t.Fatalf("%v by %v: %q", v, rule, text)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// TestPlayFates: of each ant that can be chosen, the words name those who kill it and those whom it kills, by each
// rule.
func TestPlayFates(t *testing.T) {
	base := "rows=3&cols=9&board=AAAAAAAAA-3BBB-3BBB"
	for cell := range 27 {
		p := newPlay(picturetest.Values(t, Playing(), base+fmt.Sprintf("&at=%d.%d", cell/9, cell%9)))
		ant := p.ants[cell]
		if ant < 0 {
			continue
		}
		for i, o := range p.outcomes {
			text := p.fate(i)
			killers, killed, _ := strings.Cut(text, ", and it kills ")
			for kill := range o.Kills() {
				if kill.Victim == ant && !strings.Contains(killers, p.name(kill.Killer)) {
					t.Errorf("%s by rule %d: %q lacks its killer %s", p.name(ant), i, text, p.name(kill.Killer))
				}
				if kill.Killer == ant && !strings.Contains(killed, p.name(kill.Victim)) {
					t.Errorf("%s by rule %d: %q lacks its victim %s", p.name(ant), i, text, p.name(kill.Victim))
				}
			}
			if o.Dead[ant] == strings.HasPrefix(text, "it lives") {
				t.Errorf("%s by rule %d: %q", p.name(ant), i, text)
			}
		}
	}
}

// TestPlayEdits: pens, strokes, keys, carrying, removing, and taking back.
func TestPlayEdits(t *testing.T) {
	v := picturetest.Values(t, Playing(), "rows=2&cols=4&board=")
	for _, step := range must.Rows(t, tables, "ants edits") {
		if v = picturetest.Done(t, Playing(), v, step[0]); v["board"] != step[1] {
			t.Fatalf("after %s the board is %q, want %q", step[0], v["board"], step[1])
		}
	}
	v["tool"] = toolRemove
	if v = picturetest.Done(t, Playing(), v, "press 0"); v["board"] != "" {
		t.Errorf("removed: %q", v["board"])
	}
	next := picturetest.Done(t, Playing(), picturetest.Done(t, Playing(), v, random), random)
	if next["board"] != random || next["seed"] != "2" || next["rows"] != "6" {
		t.Errorf("boards at random: %v", next)
	}
}

// TestGuess: before there is a guess nothing is told, a right one has all points, and what is changed afterwards is not
// judged again.
func TestGuess(t *testing.T) {
	v := picturetest.Values(t, Playing(), "rows=3&cols=4&board=1AAA-ABBA-BABB&guess=yes")
	hidden := picturetest.See(t, Playing(), v)
	if text := fmt.Sprintf("%+v", hidden.Parts); strings.Contains(text, "dies,") || strings.Contains(text,
		"killed by") || !strings.HasPrefix(hidden.Answer, "Who dies by focus?") {
		t.Errorf("%q: the answer is there before the guess", hidden.Answer)
	}
	p := newPlay(v)
	for cell, ant := range p.ants {
		if ant >= 0 && p.dies(0, cell) {
			v = picturetest.Done(t, Playing(), v, fmt.Sprintf("press %d", cell))
		}
	}
	seen := picturetest.Done(t, Playing(), v, "reveal")
	answer := picturetest.See(t, Playing(), seen).Answer
	if want := fmt.Sprintf("You had %d of %d ants right.", len(p.army), len(p.army)); !strings.HasPrefix(answer, want) {
		t.Errorf("%q, want %q", answer, want)
	}
	if want := fmt.Sprintf("%d.%d.1", len(p.army), len(p.army)); seen["score"] != want {
		t.Errorf("score %q, want %q", seen["score"], want)
	}
	maps.Copy(seen, picturetest.See(t, Playing(), seen).Set) // as a page does
	for name, value := range map[string]string{"rule": "power", "radius": "8", "rows": "4", "edges": "torus"} {
		if name == "rule" {
			value = game.Rules()[3].String()
		}
		other := maps.Clone(seen)
		other[name] = value
		view := picturetest.See(t, Playing(), other)
		if !strings.HasPrefix(view.Answer, "By ") || view.Set["guess"] != "no" {
			t.Errorf("%s = %s: %q, %v", name, value, view.Answer, view.Set)
		}
	}
	next := picturetest.See(t, Playing(), picturetest.Done(t, Playing(), seen, random))
	if !strings.HasPrefix(next.Answer, "Who dies by focus?") {
		t.Errorf("on another board: %q", next.Answer)
	}
}

// TestPlayRefuses: what an address may not have, and what cannot be done, is said in one line.
func TestPlayRefuses(t *testing.T) {
	picturetest.Refuses(t, Playing(), must.Rows(t, tables, "ants refuses"))
	if p := newPlay(picturetest.Values(t, Playing(), "rows=2&cols=2&board=3A-A-A")); p.outside != 2 {
		t.Errorf("%+v: two ants are outside", p)
	}
}
