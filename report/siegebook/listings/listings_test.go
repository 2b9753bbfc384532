package listings_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/listings"
)

const tables = "testdata/tables.txt"

const address = "n=14&sa=1&sz=56&da=1&dz=28&s=20&d=9"

func see(t *testing.T, text string, battles int, hand pictures.Hand) pictures.View {
	t.Helper()
	return look(t, "castle-own", fmt.Sprintf("%s&steps=%d", address, battles), text, hand)
}

// example returns the source of the castle example with the given title.
func example(t *testing.T, title string) string {
	t.Helper()
	return exampleOf(t, listings.CastleExamples, title)
}

// TestOwnProgress checks that the result is the same for any number of battles per step, and that the map is coarse
// until the end.
func TestOwnProgress(t *testing.T) {
	text := example(t, "Strike when few are left")
	want := see(t, text, 0, pictures.Hand{})
	see(t, example(t, "Castle first"), 0, pictures.Hand{}) // makes the module forget the first program
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

// look returns a view of a picture for a program.
func look(t *testing.T, name, settings, text string, hand pictures.Hand) pictures.View {
	t.Helper()
	reply, err := listings.Module.See(name, settings+"&text="+pictures.WrittenOwn(text), "", hand)
	must.Do(t, err)
	var view pictures.View
	must.Do(t, json.Unmarshal([]byte(reply.Text), &view))
	return view
}

// exampleOf returns the source of the example with the given title.
func exampleOf(t *testing.T, all []module.Example, title string) string {
	t.Helper()
	at := slices.IndexFunc(all, func(e module.Example) bool { return e.Title == title })
	if at < 0 {
		t.Fatalf("no example is called %s", title)
	}
	return all[at].Text
}

// examples contains the examples for each picture.
var examples = map[string][]module.Example{
	"castle-own": listings.CastleExamples, "tower-own": listings.TowerExamples, "ants-own": listings.AntsExamples,
	"naval-own": listings.NavalExamples,
}

// TestOwnViews checks the tables and the text of drawings for readers' programs.
func TestOwnViews(t *testing.T) {
	for _, row := range must.Rows(t, tables, "TestOwnViews") {
		view := look(t, row[0], row[1], exampleOf(t, examples[row[0]], row[2]), pictures.Hand{})
		all := view.Answer + "\n" + words(view.Parts)
		for _, want := range row[3:] {
			if !strings.Contains(all, want) {
				t.Errorf("%s of %s: no %q in\n%s", row[2], row[0], want, all)
			}
		}
	}
}

// words returns the rows of the tables in parts, and the text in the drawings.
func words(parts []pictures.Part) (all string) {
	for _, p := range parts {
		if p.Plate != nil {
			all += p.Plate.Drawn.Alt + "\n"
		}
		if p.Table != nil {
			for _, row := range p.Table.Rows {
				for i, cell := range row {
					all += strings.Repeat(" | ", min(i, 1)) + cell.Text
				}
				all += "; "
			}
		}
		for _, beside := range p.Beside {
			all += words(beside)
		}
	}
	return all
}

// TestOwnFaults checks that an error in a program names its position and, if there is one, the battle.
func TestOwnFaults(t *testing.T) {
	for _, row := range must.Rows(t, tables, "TestOwnFaults") {
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

// TestNavalTurns checks that if a program is allowed only a few shots per step, fewer than sinking a fleet takes, the
// result is the same.
func TestNavalTurns(t *testing.T) {
	const settings = "fa=1&fz=2&f=1&p=1"
	text := exampleOf(t, listings.NavalExamples, "Chequered")
	want := look(t, "naval-own", settings, text, pictures.Hand{})
	look(t, "naval-own", settings, exampleOf(t, listings.NavalExamples, "Row by row"), pictures.Hand{}) // forgets text
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
