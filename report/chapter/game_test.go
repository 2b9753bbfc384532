package chapter

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// TestPlan computes the units of a chapter, and lets each of them fail.
func TestPlan(t *testing.T) {
	torn := errors.New("the page is torn")
	var failing string // which part fails
	fail := func(part string) error {
		if part == failing {
			return torn
		}
		return nil
	}
	computed := 0
	size := Parameter{Name: "size", Default: "2"}
	game := Plan[string]{
		Name: "toy", Title: "Toys", Seed: 3, Parameters: []Parameter{size},
		Data: func(_ context.Context, s Settings) (string, error) {
			computed++
			return s.Of(size), fail("data")
		},
		Front: func(data string) (Front, error) { return Front{Values: map[string]any{"size": data}}, fail("front") },
		Pages: []Page[string]{
			{Name: "rules", Build: func(_ context.Context, data string) (site.Page, error) {
				return site.Page{Values: map[string]any{"size": data}}, fail("rules")
			}},
			{Name: "proof", Fixed: func(context.Context) (site.Page, error) { return site.Page{}, fail("proof") }},
		},
		Questions: func() []Question { return []Question{{ID: "toy-why"}} },
		Open: func(context.Context) ([]OpenQuestion, error) {
			return []OpenQuestion{
				{
					ID: "toy-open", Title: "Which?", Where: "our page", Known: "Some.", How: "By hand.",
					Settles: "More.", Recompute: []int{2},
				},
			}, fail("open")
		},
		Claims: func() Claims {
			return Claims{Noted: []Claim{{
				ID: "sum", Where: "text", Printed: "a sum",
				Check: finds(Finding{Checked: "all"}),
			}}}
		},
		Errata: func(Checked) (site.Page, error) { return site.Page{}, fail("errata") },
		Post:   "The post, ",
	}.Game()
	if game.Name != "toy" || game.Title != "Toys" || game.Seed != 3 || len(game.Parameters) != 1 ||
		!slices.Equal(game.Slugs, []string{"toy-rules", "toy-proof", "toy-errata"}) {
		t.Errorf("%+v", game)
	}
	if all := game.Stated(); len(all) != 1 || all[0].ID != "toy-sum" || all[0].Stands != Verified ||
		all[0].Evidence.Kind != "" {
		t.Errorf("stated without a check: %+v", all)
	}
	needs := map[string]int{"toy/front": 1, "toy-rules": 1, "toy-proof": 0, "toy-errata": 0, "toy/open": 0}
	parts := map[string]Part{}
	for settings, want := range map[string]string{"": "2", "5": "5"} {
		chosen := Settings{}
		if settings != "" {
			chosen["size"] = settings
		}
		computed = 0
		for _, u := range game.Units(chosen) {
			part, err := u.Compute(t.Context())
			if n, known := needs[u.Name]; err != nil || !known || len(u.Needs) != n {
				t.Errorf("unit %s needs %+v, %v", u.Name, u.Needs, err)
			}
			parts[u.Name] = part
		}
		if rules := parts["toy-rules"].Page; rules.Slug != "toy-rules" || rules.Values["size"] != want ||
			parts["toy/front"].Front.Values["size"] != want || computed != 1 {
			t.Errorf("settings %q: %+v, the data was computed %d times", settings, parts, computed)
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
		"data": {"toy/front", "toy-rules"}, "front": {"toy/front"}, "rules": {"toy-rules"}, "proof": {"toy-proof"},
		"errata": {"toy-errata"}, "open": {"toy/open"},
	}
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

// TestOnce: what is computed once is computed again after an error, and by nobody else meanwhile.
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
	game := Plan[Nothing]{Name: "toy", Questions: func() []Question { return nil }}.Game()
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
