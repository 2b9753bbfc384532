package ants

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

// TestPlayWords: what is told of cells, with the enemies in range, of the dead, and of who kills whom, by each rule, on
// boards with edges and without.
func TestPlayWords(t *testing.T) {
	for _, row := range must.Rows(t, tables, "ants words") {
		p := newPlay(picturetest.Values(t, Playing(), row[0]))
		name, number, _ := strings.Cut(row[1], " ")
		tell := map[string]func(int) string{"words": p.words, "fallen": p.fallen, "fate": p.fate}[name]
		if got := tell(must.Get(strconv.Atoi(number))); got != row[2] {
			t.Errorf("%s: %s: %q, want %q", row[0], row[1], got, row[2])
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
