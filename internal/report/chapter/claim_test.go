package chapter

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

func finds(f Finding) func(context.Context) (Finding, error) {
	return func(context.Context) (Finding, error) { return f, nil }
}

// TestEvidence: the standing of a claim follows from its evidence, and a claim without evidence stops the build.
func TestEvidence(t *testing.T) {
	findings := map[string]Finding{
		"nothing": {}, "searched": {Checked: "everywhere"},
		"refuted": {Truth: "no", Example: "1", Checked: "everywhere"},
	}
	type row struct{ Verdict, Stands, Proof, Finds, Want, Kind, Error string }
	for at, row := range must.Table[row](t, "testdata/tables.txt", "TestEvidence") {
		claim := Claim{
			ID: "this", Where: "text", Printed: "a statement", Verdict: Verdict(row.Verdict),
			Stands: Standing(row.Stands), Proof: row.Proof, Check: finds(findings[row.Finds]),
		}
		built, err := Plan{
			Name: "toy", Post: "The post, ",
			Claims: func() Claims { return Claims{Noted: []Claim{claim}} },
		}.Game().Units(nil)[0].Compute(t.Context())
		switch {
		case row.Error != "":
			must.ErrorContains(t, err, `claim "this" (text): `+row.Error, at)
		case err != nil || len(built.Ledger) != 1:
			t.Errorf("%s: %v", at, err)
		default:
			if e := built.Ledger[0]; e.ID != "toy-this" || string(e.Stands) != row.Want ||
				e.Evidence.Kind != row.Kind || e.Source() != "The post, text" {
				t.Errorf("%s: %+v", at, e)
			}
		}
	}
}

// TestReading: a statement is always followed by its convention, and by what is true if shots may be wasted.
func TestReading(t *testing.T) {
	const link = "](claims.html#claim-toy-any-shots)"
	for _, c := range []struct {
		Entry
		want string
	}{
		{Entry{}, "all"},
		{Entry{Convention: AnyShots}, "all *(any shots)*"},
		{Entry{Convention: NoWaste}, "all *(no wasted shots)*"},
		{
			Entry{Convention: NoWaste, WithWaste: True, Stands: Refuted},
			"all *(no wasted shots; [true if shots may be wasted" + link + ")*",
		},
		{
			Entry{Convention: NoWaste, WithWaste: False, Stands: InProse, Wasted: "(1, 2)"},
			"all *(no wasted shots; [false if shots may be wasted" + link + ", as in (1, 2))*",
		},
		{
			Entry{Convention: NoWaste, WithWaste: False, Stands: Refuted},
			"all *(no wasted shots; [false, too, if shots may be wasted" + link + ")*",
		},
	} {
		c.ID, c.Statement = "toy-this", "all"
		if got := c.Reading(); string(got) != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestErrataSayHowTheyAreRead: an erratum and a confirmed row are printed with their convention. The verdict on an
// erratum that is true if shots may be wasted says that it is read without waste.
func TestErrataSayHowTheyAreRead(t *testing.T) {
	claim := func(id string, verdict Verdict, truth Truth) Claim {
		return Claim{
			ID: id, Where: "text", Printed: "all", Verdict: verdict, Convention: NoWaste, WithWaste: truth,
			Check: finds(Finding{Truth: "no", Example: "1", Checked: "everywhere"}),
		}
	}
	built, err := Plan{Name: "toy", Post: "The post, ", Claims: func() Claims {
		return Claims{
			Errata:    []Claim{claim("a", Wrong, True), claim("b", Wrong, "")},
			Confirmed: []Claim{claim("c", "", False)},
		}
	}}.Game().Units(nil)[0].Compute(t.Context())
	must.Do(t, err)
	for i, want := range []string{"wrong without waste", "wrong"} {
		entry := built.Page.Entries[0].Entries[i]
		if said := built.Ledger[i].Reading(); entry.Verdict.Text != want || entry.Parts[0].Text != said+"." {
			t.Errorf("%+v, want %q and %q", entry, want, said)
		}
	}
	if got := built.Page.Tables[0].Rows[0][1].Text; got != string(built.Ledger[2].Reading()) {
		t.Errorf("the confirmed row is %q", got)
	}
}

func neverTrue(context.Context) (Finding, error) { return Finding{}, errors.New("no") }

// TestPlaces: a claim that does not hold names the line of the expectation that was not met, or its own place if there
// is none.
func TestPlaces(t *testing.T) {
	_, _, line, _ := runtime.Caller(0)
	expected := func(context.Context) (Finding, error) {
		_, err := Stopped(func() (int, error) { Expect("one is two", 1 == 2, 1, 2); return 0, nil }) // line + 2
		return Finding{}, fmt.Errorf("in context: %w", err)
	}
	refuted := func(context.Context) (Finding, error) {
		HoldsAt(false, "n = %d", 7) // line + 6
		return Finding{}, nil
	}
	for _, c := range []struct {
		check func(context.Context) (Finding, error)
		at    content.Place
		want  string
	}{
		{expected, here(line + 2), `claim "id" (post 1): in context: one is two does not hold: 1 2`},
		{refuted, here(line + 6), `claim "id" (post 1): does not hold at n = 7`},
		{neverTrue, content.Place{File: "toy.star", Line: 3}, `claim "id" (post 1): no`},
	} {
		claim := Claim{ID: "id", Where: "post 1", Check: c.check, Place: content.Place{File: "toy.star", Line: 3}}
		_, err := CheckClaims(t.Context(), []Claim{claim})
		err = &PageError{Slug: "game-errata", Err: err}
		if place := PlaceOf(err); place != c.at || err.Error() != "page game-errata: "+c.want {
			t.Errorf("%v: at %+v, want %+v: %s", err, place, c.at, c.want)
		}
	}
	if place := PlaceOf(errors.New("no")); place != (content.Place{}) {
		t.Errorf("an error without a place is at %+v", place)
	}
}

func here(line int) content.Place {
	return content.Place{File: "internal/report/chapter/claim_test.go", Line: line}
}

// TestPlacesElsewhere: places are paths in the repository even if the program was built without the paths of its
// sources, or runs in another folder.
func TestPlacesElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("links the test twice")
	}
	root := must.Get(filepath.Abs(filepath.Join("..", "..", "..")))
	// The compiler gets the flag that -trimpath gives it for packages of this module, but only for this package: with
	// -trimpath itself, Go would compile all packages that it imports, and the standard library, again.
	trimmed := "-gcflags=-trimpath=" + root + "=>github.com/siegebook/siegebook"
	for _, flags := range [][]string{nil, {trimmed}} {
		program := filepath.Join(t.TempDir(), "places.test")
		if out, err := exec.CommandContext(t.Context(), "go",
			append(append([]string{"test", "-c", "-o", program}, flags...), ".")...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", flags, err, out)
		}
		run := exec.CommandContext(t.Context(), program, "-test.run", "^TestPlaces$", "-test.v")
		run.Dir = filepath.Dir(program)
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("built with %q: %v\n%s", flags, err, out)
		}
	}
}

type fakeBattle struct{}

func (fakeBattle) Validate() error { return nil }
func (fakeBattle) String() string  { return "(1, 2)" }

func TestMDKeepsBattlesOnOneLine(t *testing.T) {
	if got, want := MD("%v in %d waves", fakeBattle{}, 3), content.Markdown("(1,\u00a02) in 3 waves"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEach(t *testing.T) {
	var done [50]bool
	if err := Each(t.Context(), len(done), func(i int) error { done[i] = true; return nil }); err != nil ||
		slices.Contains(done[:], false) {
		t.Errorf("%v, error %v", done, err)
	}
	one, two := errors.New("one"), errors.New("two")
	if err := Each(t.Context(), 9, func(i int) error { return map[int]error{3: one, 7: two}[i] }); !errors.Is(err,
		one) {
		t.Errorf("error %v", err)
	}
}

// TestPlan computes the units of a chapter, and makes each of them fail.
func TestPlan(t *testing.T) {
	torn := errors.New("the page is torn")
	var failing string // which part fails
	var ends bool      // by Do, which panics
	fail := func(part string) error {
		if part == failing {
			if ends {
				Do(torn)
			}
			return torn
		}
		return nil
	}
	size := Parameter{Name: "size", Default: "2"}
	game := Plan{
		Name: "toy", Title: "Toys", Seed: 3, Parameters: []Parameter{size},
		Front: func(_ context.Context, s Settings) Front {
			Do(fail("front"))
			return Front{Values: map[string]any{"size": s.Of(size)}}
		},
		Texts: fstest.MapFS{
			"_questions.md": {Data: []byte("## toy-why: Why?\n\nThe post | page:toy\n\nSo?\n\nSo.\n")},
			"_open.md": {Data: []byte("## toy-open: Which?\n\nour page | page:toy\n\n{{ .some }}.\n\nBy hand.\n\n" +
				"More.\n")},
		},
		Open: func(context.Context) map[string]Known {
			Do(fail("open"))
			return map[string]Known{"toy-open": {Values: map[string]any{"some": "Some"}, Recompute: []int{2}}}
		},
		Claims: func() Claims {
			return Claims{Noted: []Claim{{
				ID: "sum", Where: "text", Printed: "a sum",
				Check: finds(Finding{Checked: "all"}),
			}}}
		},
		Errata: func(*site.Page) { Do(fail("errata")) },
		Post:   "The post, ",
	}.Game()
	if game.Name != "toy" || game.Title != "Toys" || game.Seed != 3 || len(game.Parameters) != 1 ||
		!slices.Equal(game.Slugs, []string{"toy-errata"}) {
		t.Errorf("%+v", game)
	}
	why := Question{ID: "toy-why", Title: "Why?", Where: "The post", Asked: "So?", Answer: "So.", Ref: "page:toy"}
	if all := game.Questions(); len(all) != 1 || all[0] != why {
		t.Errorf("the questions are %+v", all)
	}
	if all := game.Stated(); len(all) != 1 || all[0].ID != "toy-sum" || all[0].Stands != Verified ||
		all[0].Evidence.Kind != "" {
		t.Errorf("stated without a check: %+v", all)
	}
	needs := map[string]int{"toy/front": 1, "toy-errata": 0, "toy/open": 0}
	parts := map[string]Part{}
	for settings, want := range map[string]string{"": "2", "5": "5"} {
		chosen := Settings{}
		if settings != "" {
			chosen["size"] = settings
		}
		for _, u := range game.Units(chosen) {
			part, err := u.Compute(t.Context())
			if n, known := needs[u.Name]; err != nil || !known || len(u.Needs) != n {
				t.Errorf("unit %s needs %+v, %v", u.Name, u.Needs, err)
			}
			parts[u.Name] = part
		}
		if parts["toy/front"].Front.Values["size"] != want || parts["toy-errata"].Page.Slug != "toy-errata" {
			t.Errorf("settings %q: %+v", settings, parts)
		}
	}
	if open := parts["toy/open"]; len(open.Open) != 1 || len(open.Ledger) != 1 || open.Ledger[0].ID != "toy-open" ||
		open.Ledger[0].Stands != Open || open.Ledger[0].Post != Ours ||
		open.Ledger[0].Ref != "sec:questions/toy-open" || open.Ledger[0].Evidence.Kind != "bounds" ||
		string(open.Ledger[0].Evidence.Recompute) != "[2]" ||
		open.Ledger[0].Evidence.Text != "Some. By hand. What would settle it: More." {
		t.Errorf("the open question in the ledger: %+v", open)
	}
	if claims := parts["toy-errata"].Ledger; len(claims) != 1 || claims[0].ID != "toy-sum" ||
		claims[0].Evidence.Text != "Checked: all." {
		t.Errorf("the claims: %+v", claims)
	}
	fails := map[string][]string{
		"front": {"toy/front"}, "errata": {"toy-errata"}, "open": {"toy/open"},
	}
	for _, ends = range []bool{false, true} {
		for failing = range fails {
			for _, u := range game.Units(nil) {
				_, err := u.Compute(t.Context())
				if errors.Is(err, torn) != slices.Contains(fails[failing], u.Name) {
					t.Errorf("%s fails, and unit %s says %v", failing, u.Name, err)
				}
				var faulty *PageError
				if isPage := err != nil && !strings.Contains(u.Name, "/"); errors.As(err, &faulty) != isPage ||
					isPage && faulty.Slug != u.Name {
					t.Errorf("%s: the error %q does not name the page", failing, err)
				}
			}
		}
	}
	failing = ""
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	for _, u := range game.Units(nil) {
		if _, err := u.Compute(ctx); !errors.Is(err, enough) {
			t.Errorf("%s, cancelled: %v", u.Name, err)
		}
	}
}

// TestOnce: after an error, the value is computed again; meanwhile, other calls do not compute it.
func TestOnce(t *testing.T) {
	calls := 0
	f := Once(func(context.Context) (int, error) {
		if calls++; calls == 1 {
			return 0, errors.New("not yet")
		}
		return calls, nil
	})
	if _, err := f(t.Context()); err == nil {
		t.Error("the error is gone")
	}
	for range 2 {
		if v, err := f(t.Context()); v != 2 || err != nil {
			t.Errorf("%d, %v", v, err)
		}
	}
}

// TestPlanOfNothing: a chapter needs no data, no claims and no part of the front page.
func TestPlanOfNothing(t *testing.T) {
	game := Plan{Name: "toy"}.Game()
	if len(game.Stated()) > 0 || len(game.Slugs) > 0 {
		t.Errorf("%+v", game)
	}
	for _, u := range game.Units(nil) {
		if part, err := u.Compute(t.Context()); u.Name != OpenOf("toy") || len(part.Open)+len(part.Ledger) > 0 ||
			err != nil {
			t.Errorf("%s: %+v, %v", u.Name, part, err)
		}
	}
	if _, err := CheckClaims(t.Context(), nil); err != nil || PlaceOf(nil) != (content.Place{}) {
		t.Errorf("no claims: %v", err)
	}
}

// TestOpenQuestionOfAPost: a question of a post has the post as its source.
func TestOpenQuestionOfAPost(t *testing.T) {
	q := OpenQuestion{ID: "toy-open", Title: "Why?", Where: "The post, its end", Known: "k", How: "h", Settles: "s"}
	if e, err := q.entry(); err != nil || e.Post != "The post" || e.Where != "its end" {
		t.Errorf("%+v, %v", e, err)
	}
}
