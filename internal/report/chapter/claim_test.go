package chapter

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

func finds(f Finding) func(context.Context) (Finding, error) {
	return func(context.Context) (Finding, error) { return f, nil }
}

// TestEvidence checks that the standing of a claim follows from its evidence, and that a claim without evidence stops
// the build.
func TestEvidence(t *testing.T) {
	findings := map[string]Finding{
		"nothing": {}, "searched": {Checked: "everywhere"},
		"refuted": {Truth: "no", Example: "1", Checked: "everywhere"},
	}
	type row struct{ Verdict, Stands, Proof, Finds, Want, Kind, Error string }
	for at, row := range must.Table[row](t, "testdata/tables.txt", "TestEvidence") {
		claim := Claim{
			ID: "this", Where: "text", Printed: "a statement", Verdict: Verdict(row.Verdict),
			Stands: content.Standing(row.Stands), Proof: row.Proof, Check: finds(findings[row.Finds]),
		}
		built, err := Game{
			Name: "toy", Post: "The post, ",
			Claims: func() Claims { return Claims{Noted: []Claim{claim}} },
		}.Check(t.Context())
		switch {
		case row.Error != "":
			must.ErrorContains(t, err, `claim "this" (text): `+row.Error, at)
		case err != nil || len(built.Statements) != 1:
			t.Errorf("%s: %v", at, err)
		default:
			if e := built.Statements[0]; e.ID != "toy-this" || string(e.Stands) != row.Want ||
				e.Evidence.Kind != row.Kind || e.Source() != "The post, text" {
				t.Errorf("%s: %+v", at, e)
			}
		}
	}
}

// TestReading checks that a statement is always followed by its convention, and by its truth if shots may be wasted.
func TestReading(t *testing.T) {
	const link = "](claims.html#claim-toy-any-shots)"
	type read = content.Statement
	for _, c := range []struct {
		read
		want string
	}{
		{read{}, "all"},
		{read{Convention: AnyShots}, "all *(any shots)*"},
		{read{Convention: NoWaste}, "all *(no wasted shots)*"},
		{
			read{Convention: NoWaste, Otherwise: content.True, Stands: content.Refuted},
			"all *(no wasted shots; [true if shots may be wasted" + link + ")*",
		},
		{
			read{Convention: NoWaste, Otherwise: content.False, Stands: content.InProse, Except: "(1, 2)"},
			"all *(no wasted shots; [false if shots may be wasted" + link + ", as in (1, 2))*",
		},
		{
			read{Convention: NoWaste, Otherwise: content.False, Stands: content.Refuted},
			"all *(no wasted shots; [false, too, if shots may be wasted" + link + ")*",
		},
	} {
		c.ID, c.Text = "toy-this", "all"
		if got := Reading(c.read); string(got) != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestErrataSayHowTheyAreRead checks that an erratum and a confirmed row are printed with their convention. The verdict
// on an erratum that is true if shots may be wasted says that it is read without waste.
func TestErrataSayHowTheyAreRead(t *testing.T) {
	claim := func(id string, verdict Verdict, truth content.Truth) Claim {
		return Claim{
			ID: id, Where: "text", Printed: "all", Verdict: verdict, Convention: NoWaste, WithWaste: truth,
			Check: finds(Finding{Truth: "no", Example: "1", Checked: "everywhere"}),
		}
	}
	built, err := Game{Name: "toy", Post: "The post, ", Claims: func() Claims {
		return Claims{
			Errata:    []Claim{claim("a", Wrong, content.True), claim("b", Wrong, "")},
			Confirmed: []Claim{claim("c", "", content.False)},
		}
	}}.Check(t.Context())
	must.Do(t, err)
	for i, want := range []string{"wrong without waste", "wrong"} {
		entry := built.Errata.Entries[i]
		if said := Reading(built.Statements[i]); entry.Verdict.Text != want || entry.Parts[0].Text != said+"." {
			t.Errorf("%+v, want %q and %q", entry, want, said)
		}
	}
	if built.Verdicts[Wrong] != 2 || len(built.Verdicts) != 1 {
		t.Errorf("the verdicts are %v", built.Verdicts)
	}
	if got := built.Confirmed.Rows[0][1].Text; got != string(Reading(built.Statements[2])) {
		t.Errorf("the confirmed row is %q", got)
	}
}

func neverTrue(context.Context) (Finding, error) { return Finding{}, errors.New("no") }

// TestPlaces checks that a claim that does not hold names its place, if it has one, and the expectation that was not
// met.
func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		err   error
		place content.Place
		want  string
	}{
		{
			Expect("one is two", false, 1, 2),
			content.Place{File: "toy.star", Line: 3},
			`toy.star:3: claim "id" (post 1): one is two does not hold: 1 2`,
		},
		{HoldsAt(false, "n = %d", 7), content.Place{}, `claim "id" (post 1): does not hold at n = 7`},
	} {
		check := func(context.Context) (Finding, error) { return Finding{}, c.err }
		_, err := CheckClaims(t.Context(), []Claim{{ID: "id", Where: "post 1", Check: check, Place: c.place}})
		if err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
	if err := errors.Join(Expect("one is one", true), HoldsAt(true, "n = %d", 7)); err != nil {
		t.Errorf("what holds is an error: %v", err)
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

// TestGame reads the questions and claims of a game, and makes each of them fail.
func TestGame(t *testing.T) {
	torn := errors.New("the page is torn")
	var failing string // the name of the part that has to fail
	game := Game{
		Name: "toy", Title: "Toys",
		Texts: fstest.MapFS{
			"_questions.md": {Data: []byte("## toy-why: Why?\n\nThe post | page:toy\n\nSo?\n\nSo.\n")},
			"_open.md": {Data: []byte("## toy-open: Which?\n\nour page | page:toy\n\n{{ .some }}.\n\nBy hand.\n\n" +
				"More.\n")},
		},
		Open: func(context.Context) (map[string]Known, error) {
			if failing == "open" {
				return nil, torn
			}
			return map[string]Known{"toy-open": {Values: map[string]any{"some": "Some"}, Recompute: []int{2}}}, nil
		},
		Claims: func() Claims {
			check := finds(Finding{Checked: "all"})
			if failing == "claims" {
				check = neverTrue
			}
			return Claims{Noted: []Claim{{ID: "sum", Where: "text", Printed: "a sum", Check: check}}}
		},
		Post: "The post, ",
	}
	if all := game.Stated(); len(all) != 1 || all[0].ID != "toy-sum" || all[0].Stands != content.Verified ||
		all[0].Evidence.Kind != "" {
		t.Errorf("stated without a check: %+v", all)
	}
	r, err := NewRegister(t.Context(), game, Game{Name: "empty"})
	must.Do(t, err)
	open := r.Statements[0]
	if len(r.Statements) != 1 || open.ID != "toy-open" || open.Stands != content.Open || open.Post != Ours ||
		open.Ref != "sec:questions/toy-open" || open.Evidence.Kind != "bounds" ||
		string(open.Evidence.Check) != "[2]" ||
		open.Evidence.Text != "Some. By hand. What would settle it: More." {
		t.Errorf("the open question as a claim: %+v", r.Statements)
	}
	for text, want := range map[content.Markdown]content.Markdown{
		r.OpenTexts.Text: "### Which? {#toy-open}\n\nLeft open (our page)\n: Some.\n\n" +
			"How that was found ({{ ref \"page:toy\" }})\n: By hand.\n\nWhat would settle it\n: More.\n\n",
		r.AnsweredTexts.Text: "### Why? {#toy-why}\n\nAsked (The post)\n: So?\n\n" +
			"Answered ({{ ref \"page:toy\" }})\n: So.\n\n",
	} {
		if text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
	checked, err := game.Check(t.Context())
	must.Do(t, err)
	if claims := checked.Statements; len(claims) != 1 || claims[0].ID != "toy-sum" ||
		claims[0].Evidence.Text != "Checked: all." {
		t.Errorf("the claims: %+v", claims)
	}
	failing = "open"
	if _, err := NewRegister(t.Context(), game); !errors.Is(err, torn) {
		t.Errorf("the questions fail with %v", err)
	}
	failing = "claims"
	if _, err := game.Check(t.Context()); err == nil || err.Error() != `claim "sum" (text): no` {
		t.Errorf("the claims fail with %v", err)
	}
	failing = ""
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if _, err := game.Check(ctx); !errors.Is(err, enough) {
		t.Errorf("cancelled: %v", err)
	}
	for name, text := range map[string]string{
		"_questions.md": "## toy-why: Why?\n", "_open.md": "## a: B\n\nus | page:b\n\n{{\n\nd\n\ne\n",
	} {
		game.Texts = fstest.MapFS{name: {Data: []byte(text)}}
		if _, err := NewRegister(t.Context(), game); err == nil {
			t.Errorf("%s: %q is read", name, text)
		}
	}
}

// TestOnce checks that after an error, the next call computes the value again, and that later calls return that value.
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

// TestNothing checks that a game can have no claims.
func TestNothing(t *testing.T) {
	if all := (Game{Name: "toy"}).Stated(); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	if _, err := CheckClaims(t.Context(), nil); err != nil {
		t.Errorf("no claims: %v", err)
	}
}

// TestOpenQuestionOfAPost checks that a question that a post asks names the post as its source.
func TestOpenQuestionOfAPost(t *testing.T) {
	q := OpenQuestion{ID: "toy-open", Title: "Why?", Where: "The post, its end", Known: "k", How: "h", Settles: "s"}
	if e, err := q.statement(); err != nil || e.Post != "The post" || e.Where != "its end" {
		t.Errorf("%+v, %v", e, err)
	}
}
