package tower

import (
	"context"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
)

func TestMain(m *testing.M) { chaptertest.Main(m) }

func TestChapter(t *testing.T) { chaptertest.CheckChapter(t, Game) }

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

// TestPublished plays the post's algorithm by hand: in whole numbers it wins the first test in round 2; with fractions
// of towers, 3 soldiers keep 4/3 against 5/3 towers and lose a battle that they win.
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
