package tower

import (
	"context"
	"errors"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
	"github.com/siegebook/siegebook/report/site"
)

func TestMain(m *testing.M) { chaptertest.Main(m) }

// TestChapter builds the pages as the report does, on one core's goroutines and on several.
func TestChapter(t *testing.T) {
	var trees []site.Tree
	for _, workers := range []int{1, 5} {
		c, err := Game.Build(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		front := site.Page{Slug: "index", Title: "Front", Source: "Text.\n"}
		macros := map[string]string{`\ceil`: `\left\lceil #1\right\rceil`}
		tree, err := site.Render(t.Context(), site.Site{Title: "test", Macros: macros, Pages: append([]site.Page{front}, c.Pages...)}, site.Options{Cache: chaptertest.Formulas, Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	const limit = 400_000
	for _, slug := range Game.Slugs {
		page := trees[0][slug+".html"]
		if len(page) == 0 || len(page) > limit {
			t.Errorf("page %s has %d bytes", slug, len(page))
		}
	}
	for name, data := range trees[0] {
		if string(data) != string(trees[1][name]) {
			t.Errorf("%s differs between two builds", name)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Game.Build(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestClaims(t *testing.T) {
	chaptertest.CheckClaims(t, "tower-", append(claims(), confirmedFacts()...))
}

// TestFalseClaim makes sure that a claim that does not hold stops the build and is named.
func TestFalseClaim(t *testing.T) {
	untrue := chapter.Claim{ID: "false", Where: "nowhere", Check: func(context.Context) (chapter.Finding, error) {
		found, ok := wide.first(func(b game.Battle) bool { return play(b, game.Greedy).Rounds > 5 })
		return chapter.Finding{}, chapter.Expect("no battle takes more than 5 rounds", !ok, found)
	}}
	_, err := chapter.CheckClaims(t.Context(), []chapter.Claim{claims()[0], untrue})
	if err == nil || !strings.Contains(err.Error(), `claim "false" (nowhere)`) {
		t.Errorf("error %v", err)
	}
}

func TestQuestions(t *testing.T) {
	ids := map[string]bool{}
	for _, q := range questions() {
		if !strings.HasPrefix(q.ID, "tower-") || ids[q.ID] || q.Title == "" || q.Where == "" || q.Asked == "" || q.Answer == "" || q.Ref == "" {
			t.Errorf("question %+v is incomplete, or its id is taken", q)
		}
		ids[q.ID] = true
	}
}

// TestPublished plays the post's algorithm by hand: in whole numbers it wins the first test in round 2; with fractions of towers, 3 soldiers
// keep 4/3 against 5/3 towers and lose a battle that they win.
func TestPublished(t *testing.T) {
	for _, test := range []struct {
		battle game.Battle
		divide func(float64) float64
		winner game.Winner
		rounds int64
	}{
		{firstTest, whole, game.Soldiers, 2},
		{evenDiffers, whole, game.Soldiers, 3},
		{evenDiffers, fractional, game.Towers, 3},
	} {
		if winner, rounds := published(test.battle, test.divide); winner != test.winner || rounds != test.rounds {
			t.Errorf("%v: %v in round %d, want %v in round %d", test.battle, winner, rounds, test.winner, test.rounds)
		}
	}
}

func TestWords(t *testing.T) {
	aims := []game.Aim{{Towers: 1, Hits: 2, Shots: 2}, {Towers: 5, Hits: 3, Shots: 2}, {Towers: 1, Hits: 3, Shots: 1}, {Towers: 4, Hits: 3}}
	if got := shots(aims); got != "6\u00a0×\u00a02, 1\u00a0×\u00a01" {
		t.Errorf("shots %q", got)
	}
	if got := standing(nil); got != "–" {
		t.Errorf("no towers: %q", got)
	}
	if got := standing([]game.Group{{Towers: 2, Hits: 3}, {Towers: 1, Hits: 1}}); got != "2\u00a0×\u00a03, 1\u00a0×\u00a01" {
		t.Errorf("towers %q", got)
	}
}

// TestBox counts a box by hand, and compares its search with a plain one.
func TestBox(t *testing.T) {
	small := box{3, 2, 2, 2}
	if got := small.count(func(game.Battle) bool { return true }); got != 3*2*2*2 {
		t.Errorf("%d battles", got)
	}
	found, ok := small.first(func(b game.Battle) bool { return b.Soldiers+b.HitsPerTower+b.Towers == 6 })
	if want := (game.Battle{Soldiers: 2, HitsPerTower: 2, KillsPerTower: 1, Towers: 2}); !ok || found != want {
		t.Errorf("first %v, want %v", found, want)
	}
	if _, ok := small.first(func(b game.Battle) bool { return b.Soldiers > 3 }); ok {
		t.Error("a battle outside was found")
	}
}
