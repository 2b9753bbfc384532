package chapter

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// TestPlan builds a chapter, and lets each of its parts fail.
func TestPlan(t *testing.T) {
	torn := errors.New("the page is torn")
	var failing string // which part fails
	fail := func(part string) error {
		if part == failing {
			return torn
		}
		return nil
	}
	size := Parameter{Name: "size", Default: "2"}
	page := func(name string) Page[string] {
		return Page[string]{Name: name, Build: func(_ context.Context, data string) (site.Page, error) {
			return site.Page{Title: name + " of " + data}, fail(name)
		}}
	}
	game := Plan[string]{
		Name: "toy", Title: "Toys", Seed: 3, Parameters: []Parameter{size},
		Data:      func(_ context.Context, s Settings) (string, error) { return s.Of(size), fail("data") },
		Front:     func(data string) (Front, error) { return Front{Values: map[string]any{"size": data}}, fail("front") },
		Pages:     []Page[string]{page("rules"), page("errata")},
		Questions: func() []Question { return []Question{{ID: "toy-why"}} },
		Open: func(_ context.Context, data string) ([]OpenQuestion, error) {
			return []OpenQuestion{{ID: "toy-open", Title: data, Where: "our page", Known: "Some.", How: "By hand.", Settles: "More.", Recompute: data}}, fail("open")
		},
	}.Game()
	if game.Name != "toy" || game.Title != "Toys" || game.Seed != 3 || len(game.Parameters) != 1 || !slices.Equal(game.Slugs, []string{"toy-rules", "toy-errata"}) {
		t.Errorf("%+v", game)
	}
	for settings, want := range map[string]string{"": "2", "5": "5"} {
		chosen := Settings{}
		if settings != "" {
			chosen["size"] = settings
		}
		c, err := game.Build(t.Context(), chosen)
		if err != nil || len(c.Pages) != 2 || c.Pages[1].Slug != "toy-errata" || c.Pages[1].Title != "errata of "+want || c.Front.Values["size"] != want || len(c.Questions) != 1 || len(c.Open) != 1 || c.Open[0].Title != want {
			t.Errorf("settings %q: %+v, %v", settings, c, err)
		}
	}
	for _, failing = range []string{"data", "front", "rules", "errata", "open"} {
		c, err := game.Build(t.Context(), nil)
		var faulty *PageError
		if !errors.Is(err, torn) || len(c.Pages) > 0 {
			t.Errorf("%s: %v", failing, err)
		}
		if isPage := failing == "rules" || failing == "errata"; errors.As(err, &faulty) != isPage || isPage && faulty.Slug != "toy-"+failing {
			t.Errorf("%s: the error %q does not name the page", failing, err)
		}
	}
	failing = ""
	if c, err := game.Build(t.Context(), nil); err != nil || len(c.Ledger) != 1 || c.Ledger[0].ID != "toy-open" || c.Ledger[0].Stands != Open || c.Ledger[0].Post != Ours || c.Ledger[0].Ref != "sec:questions/toy-open" ||
		c.Ledger[0].Evidence.Kind != "bounds" || c.Ledger[0].Evidence.Recompute != "2" || c.Ledger[0].Evidence.Text != "Some. By hand. What would settle it: More." {
		t.Errorf("the open question in the ledger: %+v, %v", c.Ledger, err)
	}
	enough := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(enough)
	if _, err := game.Build(ctx, nil); !errors.Is(err, enough) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestPlanOfNothing: a chapter needs no data and no part of the front page.
func TestPlanOfNothing(t *testing.T) {
	c, err := Plan[Nothing]{Name: "toy", Questions: func() []Question { return nil }}.Game().Build(t.Context(), nil)
	if err != nil || len(c.Pages) > 0 || len(c.Front.Figures) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := CheckClaims(t.Context(), nil); err != nil || PlaceOf(nil) != (content.Place{}) {
		t.Errorf("no claims: %v", err)
	}
}

// TestOpenQuestionsSayWhatIsKnown: a question that leaves a part out stops the build; one of a post has the post as its
// source.
func TestOpenQuestionsSayWhatIsKnown(t *testing.T) {
	whole := OpenQuestion{ID: "toy-open", Title: "Why?", Where: "The post, its end", Known: "k", How: "h", Settles: "s"}
	if e, err := whole.entry(); err != nil || e.Post != "The post" || e.Where != "its end" {
		t.Errorf("%+v, %v", e, err)
	}
	for name, leaveOut := range map[string]func(*OpenQuestion){
		"id": func(q *OpenQuestion) { q.ID = "" }, "title": func(q *OpenQuestion) { q.Title = "" }, "where": func(q *OpenQuestion) { q.Where = "" },
		"known": func(q *OpenQuestion) { q.Known = "" }, "how": func(q *OpenQuestion) { q.How = "" }, "settles": func(q *OpenQuestion) { q.Settles = "" },
	} {
		q := whole
		leaveOut(&q)
		if _, err := q.entry(); err == nil {
			t.Errorf("a question without %s passes", name)
		}
	}
}
