package listings_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/ants"
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/castle"
)

const address = "n=14&sa=1&sz=56&da=1&dz=28&s=20&d=9"

func see(t *testing.T, text string, battles int, hand pictures.Hand) pictures.View {
	t.Helper()
	return look(t, "castle-own", fmt.Sprintf("%s&steps=%d", address, battles), text, hand)
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
	must.Do(t, err)
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
		m := maps.Map
		m.Title, m.Cells = "Waves lost by your algorithm, n = 14", maps.Panels[0].Cells
		m.Curves = castle.Plane{Soldiers: 14, CastleHits: hits, Defenders: defenders}.Borders()
		want, err := m.Figure()
		must.Do(t, err)
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

const towerAddress = "h=6&k=2&na=3&nz=40&ta=2&tz=9&n=6&t=2"

// look shows a picture of a program.
func look(t *testing.T, name, settings, text string, hand pictures.Hand) pictures.View {
	t.Helper()
	reply, err := listings.Module.See(name, settings+"&text="+pictures.WrittenOwn(text), "", hand)
	must.Do(t, err)
	var view pictures.View
	must.Do(t, json.Unmarshal([]byte(reply.Text), &view))
	return view
}

// exampleOf is the text of an example by its title.
func exampleOf(t *testing.T, all []listings.Example, title string) string {
	t.Helper()
	at := slices.IndexFunc(all, func(e listings.Example) bool { return e.Title == title })
	if at < 0 {
		t.Fatalf("no example is called %s", title)
	}
	return all[at].Text
}

// TestTowerRows: the rows of the strategies, and of those that are examples, are those of battles that are played one
// by one.
func TestTowerRows(t *testing.T) {
	for title, strategy := range map[string]tower.Strategy{"Even": tower.Even, "Greedy": tower.Greedy} {
		view := look(t, "tower-own", towerAddress, exampleOf(t, listings.TowerExamples, title), pictures.Hand{})
		at := slices.IndexFunc(view.Parts, func(p pictures.Part) bool { return p.Table != nil })
		table := view.Parts[at].Table
		mine, theirs := table.Rows[table.Chosen], table.Rows[strategy]
		if fmt.Sprint(mine[1:]) != fmt.Sprint(theirs[1:]) || theirs[0].Text != strategy.String() ||
			mine[0].Text != pictures.OwnTitle {
			t.Errorf("%s: %v, the library's %v", title, mine, theirs)
		}
		var right, wrong, tooMany, won, extra int64
		for towers := int64(2); towers <= 9; towers++ {
			for n := int64(3); n <= 40; n++ {
				b := tower.Battle{Soldiers: n, HitsPerTower: 6, KillsPerTower: 2, Towers: towers}
				var end, best tower.Round
				for end = range b.Rounds(strategy) { //nolint:revive // the last one counts
				}
				for best = range b.Rounds(tower.Greedy) { //nolint:revive // the last one counts
				}
				switch {
				case end.Winner != best.Winner:
					wrong++
				case end.Winner == tower.Soldiers && end.Number > best.Number:
					tooMany, won, extra = tooMany+1, won+1, extra+end.Number-best.Number
				case end.Winner == tower.Soldiers:
					won, right = won+1, right+1
				default:
					right++
				}
			}
		}
		want := []string{
			pictures.People(wrong), pictures.People(tooMany), big.NewRat(extra, won).FloatString(3),
		}
		got := []string{mine[2].Text, mine[3].Text, mine[4].Text}
		if !slices.Equal(got, want) || right+wrong+tooMany != 8*38 {
			t.Errorf("%s: %v, want %v", title, got, want)
		}
		if !strings.HasPrefix(view.Answer, "Right in ") {
			t.Errorf("%s: %s", title, view.Answer)
		}
	}
}

// TestTowerSides: a battle stands round by round, by the reader's aim and by the best.
func TestTowerSides(t *testing.T) {
	view := look(t, "tower-own", towerAddress, exampleOf(t, listings.TowerExamples, "Even"), pictures.Hand{})
	last := view.Parts[len(view.Parts)-1].Beside
	b := tower.Battle{Soldiers: 6, HitsPerTower: 6, KillsPerTower: 2, Towers: 2}
	if len(last) != 2 {
		t.Fatalf("%d sides", len(last))
	}
	for i, strategy := range []tower.Strategy{tower.Even, tower.Greedy} {
		var want []string
		for round := range b.Rounds(strategy) {
			hits, _ := round.State.HitsLeft().Int64()
			want = append(want, fmt.Sprint(round.State.Soldiers, round.State.Towers(), hits))
		}
		var got []string
		for _, row := range last[i][1].Table.Rows {
			got = append(got, row[2].Text+" "+row[3].Text+" "+row[4].Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %v: %q, want %q", strategy, got, want)
		}
	}
}

// TestOwnFaults: what is wrong with a program is told with its place, and with the battle where there is one.
func TestOwnFaults(t *testing.T) {
	examples := map[string][]listings.Example{
		"castle-own": listings.CastleExamples, "tower-own": listings.TowerExamples, "ants-own": listings.AntsExamples,
	}
	for _, row := range must.Rows(t, "testdata/faults.txt", "TestOwnFaults") {
		name, settings, text, want := row[0], row[1], row[2], row[3]
		for _, e := range examples[name] {
			if e.Title == text {
				text = e.Text
				break
			}
		}
		_, err := listings.Module.See(name, settings+"&text="+pictures.WrittenOwn(text), "", pictures.Hand{})
		var refusal *pictures.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Field+": "+refusal.Words, want) ||
			strings.Contains(refusal.Words, "\n") {
			t.Errorf("%s, %q: %v, want %s", name, text, err, want)
		}
	}
	if _, err := listings.Module.See("castle-own", address+"&text=!!", "", pictures.Hand{}); err == nil {
		t.Error("a text that is none is read")
	}
}

// TestAntsRows: the row of focus is that of a program that is the same, and the first position that a program judges
// otherwise stands beside its map.
func TestAntsRows(t *testing.T) {
	const settings = "rows=2&cols=3&a=1&b=1"
	view := look(t, "ants-own", settings, exampleOf(t, listings.AntsExamples, "Focus"), pictures.Hand{})
	at := slices.IndexFunc(view.Parts, func(p pictures.Part) bool { return p.Table != nil })
	table := view.Parts[at].Table
	mine, theirs := table.Rows[table.Chosen], table.Rows[0]
	positions, err := ants.Box{Rows: 2, Cols: 3, Owners: 2, Radius2: 5}.Positions()
	must.Do(t, err)
	if fmt.Sprint(mine[1:]) != fmt.Sprint(theirs[1:]) || theirs[0].Text != "focus" || mine[2].Text != "0" ||
		!strings.Contains(view.Answer, fmt.Sprintf("of %d positions", positions)) {
		t.Errorf("%s: %v, focus has %v", view.Answer, mine, theirs)
	}
	view = look(t, "ants-own", settings, exampleOf(t, listings.AntsExamples, "Outnumbered"), pictures.Hand{})
	want := "Your algorithm, 2 by 3 cells: Row 1: A in column 1: 1, B in column 2: 1. Focus, 2 by 3 cells: Row 1: A " +
		"in column 1: 1 (dies), B in column 2: 1 (dies)"
	if got := view.Parts[2].Plate.Drawn.Alt; !strings.Contains(got, want) {
		t.Errorf("beside the map stands %s", got)
	}
}

// TestNavalRows: a program takes the shots that a game by its rule takes, fleet by fleet.
func TestNavalRows(t *testing.T) {
	rows := exampleOf(t, listings.NavalExamples, "Row by row")
	view := look(t, "naval-own", "fa=3&fz=6&f=4&p=2", rows, pictures.Hand{})
	var shots []int
	for _, placement := range naval.PostPlacements() {
		for number := uint64(2); number < 6; number++ {
			ships, _, err := naval.PlaceFleet([]naval.Placement{placement}, 1, number)
			must.Do(t, err)
			last := 0
			for c := range ships.Cells().All() {
				last = max(last, c.Y()*naval.Side+c.X())
			}
			shots = append(shots, last+1)
		}
	}
	sum := int64(0)
	for _, each := range shots {
		sum += int64(each)
	}
	want := fmt.Sprintf("%s %d %d", big.NewRat(sum, int64(len(shots))).FloatString(2), slices.Min(shots),
		slices.Max(shots))
	at := slices.IndexFunc(view.Parts, func(p pictures.Part) bool { return p.Table != nil })
	table := view.Parts[at].Table
	mine := table.Rows[table.Chosen]
	if got := mine[1].Text + " " + mine[2].Text + " " + mine[3].Text; got != want || len(table.Rows) != 5 {
		t.Errorf("%s in %d rows, want %s", got, len(table.Rows), want)
	}
}

// TestNavalTurns: a program shoots a few times in one go, even if no fleet is sunk then, and the end is the same.
func TestNavalTurns(t *testing.T) {
	const settings = "fa=1&fz=2&f=1&p=1"
	text := exampleOf(t, listings.NavalExamples, "Chequered")
	want := look(t, "naval-own", settings, text, pictures.Hand{})
	look(t, "naval-own", settings, exampleOf(t, listings.NavalExamples, "Row by row"), pictures.Hand{}) // forgets
	got := look(t, "naval-own", settings+"&steps=8", text, pictures.Hand{})
	if p := got.Progress; p == nil || p.Done != 8 || p.All != 16*100 || got.Answer != "0 of 16 fleets are sunk." {
		t.Errorf("%s %+v", got.Answer, got.Progress)
	}
	for range 100 {
		if got.Progress == nil {
			break
		}
		got = look(t, "naval-own", settings+"&steps=77", text, pictures.Hand{})
	}
	if fmt.Sprint(got.Answer, got.Parts[0].Plate.Drawn.Alt, got.Parts[len(got.Parts)-2].Table.Rows) !=
		fmt.Sprint(want.Answer, want.Parts[0].Plate.Drawn.Alt, want.Parts[len(want.Parts)-2].Table.Rows) {
		t.Errorf("%s, want %s", got.Answer, want.Answer)
	}
}
