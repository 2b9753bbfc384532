package ants

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
	"github.com/siegebook/siegebook/report/site"
)

func TestMain(m *testing.M) { chaptertest.Main(m) }

// TestCancelled: the battles of the box, each too small to notice the context, end with it.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := judgeBox(ctx, 3, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestChapter builds the chapter behind a front page, as the report does.
func TestChapter(t *testing.T) {
	c, err := Game.Build(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	front := site.Page{Slug: "index", Title: "Front", Source: "Front.\n"}
	tree, err := site.Render(t.Context(), site.Site{Title: "test", Pages: append([]site.Page{front}, c.Pages...)}, site.Options{Cache: chaptertest.Formulas})
	if err != nil {
		t.Fatal(err)
	}
	for i, slug := range Game.Slugs {
		page := tree[slug+".html"]
		if c.Pages[i].Slug != slug || len(page) == 0 || len(page) > 400_000 {
			t.Errorf("page %d is %s, %s has %d bytes", i, c.Pages[i].Slug, slug, len(page))
		}
	}
	for _, q := range c.Questions {
		kind, target, _ := strings.Cut(q.Ref, ":")
		slug, anchor, _ := strings.Cut(target, "/")
		if kind != "sec" || !strings.Contains(string(tree[slug+".html"]), `id="`+anchor+`"`) || !strings.HasPrefix(q.ID, "ants-") {
			t.Errorf("question %s refers to %s", q.ID, q.Ref)
		}
	}
	again, err := Game.Build(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, page := range c.Pages {
		for k, f := range page.Figures {
			if string(f.Light) != string(again.Pages[i].Figures[k].Light) || string(f.Data.CSV()) != string(again.Pages[i].Figures[k].Data.CSV()) {
				t.Errorf("%s: figure %s differs from build to build", page.Slug, f.ID)
			}
		}
	}
}

func TestCancel(t *testing.T) {
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(cause)
	if _, err := Game.Build(ctx, nil); !errors.Is(err, cause) {
		t.Errorf("error %v", err)
	}
}

func TestClaims(t *testing.T) {
	chaptertest.CheckClaims(t, "", append(claims(), confirmedFacts()...))
}

// TestFalseClaims makes sure that the checks can fail: a wrong survivor, wrong counts, a rule that is not the contest's.
func TestFalseClaims(t *testing.T) {
	false_ := fact("false", "nowhere", "the one of two against one dies", ".A.\nB.B", ".A.\nx.B")
	if _, err := chapter.CheckClaims(t.Context(), []chapter.Claim{false_}); err == nil || !strings.Contains(err.Error(), `claim "false" (nowhere)`) {
		t.Errorf("error %v", err)
	}
	p := picture("wall")
	p.Counts = strings.Replace(p.Counts, "6", "7", 1)
	if err := asPrinted(p); err == nil {
		t.Error("a picture with a wrong count passes")
	}
	if p = picture("wall"); asPrinted(p) != nil {
		t.Error("the wall does not pass")
	}
	p.After = strings.Replace(p.After, "B", "x", 1)
	if err := asPrinted(p); err == nil {
		t.Error("a picture with a wrong survivor passes")
	}
	for name, holds := range map[string]func(fight) bool{"kills": sameKills, "attention": byAttention} {
		if f := mustFight("A.B\nB..", game.Support); holds(f) {
			t.Errorf("%s: the rule support passes for focus", name)
		}
	}
}

// TestRecorded searches the box whose result the build takes as recorded.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at 21 million positions; leave out -short")
	}
	got, err := outlive(t.Context(), largest.rows, largest.cols)
	got.recorded = true
	if err != nil || got != largest {
		t.Errorf("%+v, %v; recorded is %+v", got, err, largest)
	}
}

// TestOneByOne, by hand: of two the first to be asked dies, and of three who meet the last is left alone. In a sandwich the middle dies
// in any order: its neighbours have fewer enemies.
func TestOneByOne(t *testing.T) {
	for _, test := range []struct {
		text  string
		order []int
		want  []bool
	}{
		{"A.B", []int{0, 1}, []bool{true, false}},
		{"A.B", []int{1, 0}, []bool{false, true}},
		{"A.B.C", []int{0, 1, 2}, []bool{false, true, false}},
		{"GR\nB.", []int{0, 1, 2}, []bool{true, true, false}},
	} {
		if got := mustFight(test.text, game.Focus).oneByOne(test.order); !slices.Equal(got, test.want) {
			t.Errorf("%q in the order %v: %v, want %v", test.text, test.order, got, test.want)
		}
	}
}
