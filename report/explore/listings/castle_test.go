package listings_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/castle"
)

// shown is what the page gets of a view.
type shown struct {
	Answer   string
	Parts    []part
	Progress *pictures.Progress
}

type part struct {
	Plate *struct {
		Key   string
		Drawn *pictures.Drawn
	}
	Table  *pictures.Table
	Beside [][]part
}

const address = "n=14&sa=1&sz=56&da=1&dz=28&s=20&d=9"

func see(t *testing.T, text string, battles int, hand pictures.Hand) shown {
	t.Helper()
	reply, err := listings.Module.See("castle-own", fmt.Sprintf("%s&text=%s&steps=%d", address,
		pictures.WrittenOwn(text), battles), "", hand)
	if err != nil {
		t.Fatal(err)
	}
	var view shown
	must.Do(t, json.Unmarshal([]byte(reply.Text), &view))
	return view
}

// example is the text of an example by its title.
func example(t *testing.T, title string) string {
	t.Helper()
	return exampleOf(t, listings.CastleExamples, title)
}

// TestOwnRows: the row and the map of the examples that are heuristics of the library are those of the library's own.
func TestOwnRows(t *testing.T) {
	army, hits, defenders := grid.Range{First: 14, Last: 14}, grid.Range{First: 1, Last: 56},
		grid.Range{First: 1, Last: 28}
	survey, err := game.NewSurvey(t.Context(), army, hits, defenders, game.SurveyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for title, name := range map[string]string{"Castle first": "castle-first", "Defenders first": "defenders-first"} {
		view := see(t, example(t, title), 0, pictures.Hand{})
		table := view.Parts[len(view.Parts)-3].Table
		if view.Progress != nil || table == nil {
			t.Fatalf("%s: no table: %+v", title, view)
		}
		mine, theirs := table.Rows[table.Chosen], -1
		a, _ := game.AlgorithmNamed(name)
		for i, row := range table.Rows {
			if row[0].Text == a.Title {
				theirs = i
			}
		}
		tally, _ := survey.Of(name)
		if tally.WrongSide == 0 || mine[2].Text != pictures.People(tally.WrongSide) ||
			mine[3].Text != pictures.People(tally.TooMany) ||
			fmt.Sprint(mine[1:]) != fmt.Sprint(table.Rows[theirs][1:]) || len(table.Rows) != len(survey.Algorithms)+1 {
			t.Errorf("%s: the row %v, the library's %v", title, mine, tally)
		}
		maps := castle.WavesLost(castle.Plane{Soldiers: 14, CastleHits: hits, Defenders: defenders},
			[]game.Algorithm{a}, func(a game.Algorithm, b game.Battle) (game.Answer, bool) {
				answer, err := a.Answer(t.Context(), b, game.Effort{})
				return answer, err == nil
			})
		m := figure.PhaseMap{
			Title: "Waves lost by your algorithm, n = 14", X: maps.X, Y: maps.Y, W: maps.W, H: maps.H, One: maps.One,
			Many: maps.Many, Classes: maps.Classes, Cells: maps.Panels[0].Cells, Curves: castle.Plane{
				Soldiers:   14,
				CastleHits: hits, Defenders: defenders,
			}.Borders(),
		}
		want, err := m.Figure()
		if err != nil {
			t.Fatal(err)
		}
		if got := view.Parts[0].Plate.Drawn; got.SVG != string(want.Light) {
			t.Errorf("%s: the map is not that of the library", title)
		}
	}
}

// TestOwnProgress: however many battles are fought in one go, the end is the same; until then the map is coarse.
func TestOwnProgress(t *testing.T) {
	text := example(t, "Strike when few are left")
	want := see(t, text, 0, pictures.Hand{})
	see(t, example(t, "Castle first"), 0, pictures.Hand{}) // forgets it
	done := 0
	for {
		view := see(t, text, 100, pictures.Hand{Moving: true})
		if view.Progress == nil {
			break
		}
		if view.Progress.Done != done+100 || view.Progress.All != 56*28 || view.Parts[0].Plate.Drawn.Columns != 56 {
			t.Fatalf("%+v after %d battles", view.Progress, done)
		}
		done = view.Progress.Done
	}
	got := see(t, text, 100, pictures.Hand{})
	if done < 56*28-100 || got.Answer != want.Answer || got.Parts[0].Plate.Drawn.SVG != want.Parts[0].Plate.Drawn.SVG {
		t.Errorf("after %d battles %q, want %q", done, got.Answer, want.Answer)
	}
}

// TestOwnRefused: what is wrong with a program is told with its line and column.
func TestOwnRefused(t *testing.T) {
	for text, want := range map[string]string{
		example(t, "A mistake to look for"): "text 3 15: Line 3, column 15: / makes " +
			"fractions", "def at_defenders(n, s, d, wave, N, S, D):\n    return N + " +
			"1\n": "text: battle (14, 1, 1), wave 1, N = 14, S = 1, D = 0: at_defenders returns 15",
		"x = 1\n": "text: the function at_defenders is missing",
		"\xff":    "text: the listing is not UTF-8",
		"def at_defenders(n, s, d, wave, N, S, D):\n    while True:\n        " +
			"pass\n": "text 2 11: Line 2, column 11: battle (14, 1, 1), wave 1",
	} {
		_, err := listings.Module.See("castle-own", address+"&text="+pictures.WrittenOwn(text), "", pictures.Hand{})
		var refusal *pictures.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Field+": "+refusal.Words, want) ||
			strings.Contains(refusal.Words, "\n") {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, err := listings.Module.See("castle-own", address+"&text=!!", "", pictures.Hand{}); err == nil {
		t.Error("a text that is none is read")
	}
}
