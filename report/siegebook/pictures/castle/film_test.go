package castle

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/picturetest"
)

// rowOf returns the texts in the named row of a film's table.
func rowOf(t *testing.T, view *pictures.View, name string) (texts []string) {
	t.Helper()
	for _, part := range view.Parts {
		if part.Table == nil {
			continue
		}
		for _, row := range part.Table.Rows {
			if row[0].Text != name {
				continue
			}
			for _, cell := range row[1:] {
				texts = append(texts, cell.Text)
			}
			return texts
		}
	}
	t.Fatalf("no row %q", name)
	return nil
}

// TestDuel checks that one soldier makes the difference, and that the differences between the armies are every second
// Fibonacci number.
func TestDuel(t *testing.T) {
	end := picturetest.See(t, Duel(), picturetest.Values(t, Duel(), "wave=7"))
	if want := "3820 soldiers win, and 80 of them survive. 3819 never win, whatever they do."; end.Answer != want {
		t.Errorf("%q, want %q", end.Answer, want)
	}
	if got, want := strings.Join(rowOf(t, end, "difference"), " "), "1 1 3 8 21 55  "; got != want {
		t.Errorf("apart %q, want %q", got, want)
	}
	if got := rowOf(t, end, "right army"); got[5] != "45" || got[6] != "0" {
		t.Errorf("the right army is %q", got)
	}
	for n := duelLeast; n <= duelMost; n++ {
		v := picturetest.Values(t, Duel(), "n="+strconv.Itoa(n)+"&wave=99")
		view := picturetest.See(t, Duel(), v)
		for i, army := range []int64{int64(n), int64(n) - 1} {
			won := battle(army, duelHits, duelDefenders).MinWaves() > 0
			words := strings.SplitAfter(view.Answer, ". ")[i]
			if won != strings.Contains(words, "soldiers win") || won == strings.Contains(words, "never win") {
				t.Errorf("%d soldiers: %q", army, view.Answer)
			}
		}
		must.Get(view.Drawn(pictures.Hand{Tall: n%2 == 0, Dark: n%3 == 0}))
	}
}

// TestDuelCloser checks that from the second wave on, the view zooms in, so that readers can see the last soldiers
// individually.
func TestDuelCloser(t *testing.T) {
	view := picturetest.See(t, Duel(), picturetest.Values(t, Duel(), "wave=5"))
	must.Get(view.Drawn(pictures.Hand{}))
	if svg := view.Parts[0].Plate.Drawn.SVG; !strings.Contains(svg, "seen 6.9 × closer") ||
		strings.Count(svg, "<circle") != 55 {
		t.Errorf("%d rings", strings.Count(svg, "<circle"))
	}
}

// TestProofFilm checks that each gap is φ² times the previous one, and that its sign determines the winner.
func TestProofFilm(t *testing.T) {
	for n := duelLeast + 1; n <= duelMost; n++ {
		v := picturetest.Values(t, Proof(), "n="+strconv.Itoa(n)+"&step=99")
		view := picturetest.See(t, Proof(), v)
		for _, army := range []int64{int64(n), int64(n) - 1} {
			gaps := rowOf(t, view, strconv.FormatInt(army, 10)+": gap")
			last := 0.0
			for _, text := range gaps {
				if text == "" {
					continue
				}
				if text == "won" || text == "lost" {
					won := battle(army, duelHits, duelDefenders).MinWaves() > 0
					if (text == "won") != won || (last > 0) != won {
						t.Errorf("%d soldiers, gap %v: %s", army, last, text)
					}
					continue
				}
				gap := must.Get(strconv.ParseFloat(strings.Replace(text, "−", "-", 1), 64))
				if last != 0 && math.Abs(gap-math.Phi*math.Phi*last) > 0.2 {
					t.Errorf("%d soldiers: the gap %v follows %v", army, gap, last)
				}
				last = gap
			}
		}
		must.Get(view.Drawn(pictures.Hand{Tall: n%2 == 0}))
	}
	view := picturetest.See(t, Proof(), picturetest.Values(t, Proof(), "step=1&runs=on"))
	must.Get(view.Drawn(pictures.Hand{}))
	if view.Parts[0].Plate.Drawn.Moving == "" || !strings.Contains(view.Answer, "magnified 2.618 times") {
		t.Errorf("%q, and nothing moves", view.Answer)
	}
}

// TestPointed checks that the sentence about the castle at the point is true.
func TestPointed(t *testing.T) {
	for settings, want := range map[string][2]string{
		"n=100&s=161&d=100": {"100 soldiers win, in 5 waves at best", "One more hit, and they never win."},
		"n=100&s=162&d=100": {"A tie: 100 soldiers hold out for ever", "One hit fewer, and they would win."},
		"n=100&s=162&d=120": {"The castle holds: 100 soldiers never win", ""},
		"n=100&s=200&d=60":  {"100 soldiers win, in 4 waves at best", "patience wins."},
	} {
		view := picturetest.See(t, Pointed(), picturetest.Values(t, Pointed(), settings))
		if view.Answer != want[0] || !strings.HasSuffix(view.ScreenReaderText, want[1]) {
			t.Errorf("%s: %q, %q", settings, view.Answer, view.ScreenReaderText)
		}
	}
	for n := int64(1); n < 200; n++ {
		won, lost := battle(n, BarelyTaken(n), n), battle(n, BarelyTaken(n)+1, n)
		if won.MinWaves() == 0 || lost.MinWaves() != 0 {
			t.Errorf("%d soldiers do not barely take %d hits", n, BarelyTaken(n))
		}
	}
	view := picturetest.See(t, Pointed(), picturetest.Values(t, Pointed(), "n=100"))
	must.Get(view.Drawn(pictures.Hand{}))
	drawn := view.Parts[0].Plate.Drawn
	if len(drawn.Legend) != 0 || !strings.Contains(drawn.SVG, ">the castle holds<") {
		t.Errorf("a legend of %d", len(drawn.Legend))
	}
}
