package naval

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
	"github.com/siegebook/siegebook/report/site"
)

func TestMain(m *testing.M) { chaptertest.Main(m) }

func TestChapter(t *testing.T) { chaptertest.CheckChapter(t, Game) }

// surveyed is the survey, made once for all tests.
var surveyed = sync.OnceValues(func() (*survey, error) { return newSurvey(context.Background()) })

func surveyFor(t *testing.T) *survey {
	t.Helper()
	s, err := surveyed()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSame makes the numbers of a survey and of the races again, and expects the same.
func TestSame(t *testing.T) {
	s := surveyFor(t)
	first := printedTrials()[fourthUpdate].tournament()
	first.Seed = Seed + repeats - 1
	again, err := first.Play(t.Context(), game.Options{Workers: 3})
	if err != nil || again != s.printed[fourthUpdate][repeats-1] {
		t.Errorf("a tournament differs: %v", err)
	}
	for _, strategy := range racers()[:2] {
		a, err1 := shotsFor(t.Context(), strategy, 80, 5)
		b, err2 := shotsFor(t.Context(), strategy, 80, 5)
		if err := errors.Join(err1, err2); err != nil || !slices.Equal(a, b) || !slices.IsSorted(a) {
			t.Errorf("%v: shots differ: %v", strategy, err)
		}
	}
}

func TestClaims(t *testing.T) {
	s := surveyFor(t)
	chaptertest.CheckClaims(t, "naval-", append(claims(s), confirmedFacts(s)...))
}

// TestFalseClaims spoils what the claims rest on, one thing at a time: each has to be noticed.
func TestFalseClaims(t *testing.T) {
	s := surveyFor(t)
	spoiled := func(change func(*survey)) *survey {
		other := *s
		other.measured, other.printed = slices.Clone(s.measured), slices.Clone(s.printed)
		change(&other)
		return &other
	}
	slower := func(o *survey) { // informed as slow as density on one placement
		for i, m := range o.measured {
			if m.Strategy.Targeting == game.Informed && m.Placement == game.Top {
				o.measured[i].All = o.of(game.Random, game.Density, game.Top)
			}
		}
	}
	if _, _, err := informedBeats(spoiled(slower).measured); err == nil {
		t.Error("informed is no better than density, and nobody noticed")
	}
	exchanged := spoiled(func(o *survey) { o.printed[2], o.printed[1] = o.printed[1], o.printed[2] })
	if _, err := chapter.CheckClaims(t.Context(), confirmedFacts(exchanged)); err == nil || !strings.Contains(err.Error(), `claim "naval-trial-1" (update 2)`) {
		t.Errorf("error %v", err)
	}
	head := spoiled(func(o *survey) { o.measured[5].Head.Shots++ })
	page := site.Page{Values: map[string]any{}}
	if err := checkHeads(t.Context(), head, &page); err == nil {
		t.Error("a head differs, and nobody noticed")
	}
}

// TestRace compares the share of wins with all pairs, one by one, and its variance with that of a fair comparison of
// equals.
func TestRace(t *testing.T) {
	mine, others := []int64{30, 40, 40, 55}, []int64{30, 35, 40, 60, 60}
	wins := 0.0
	for _, a := range mine {
		for _, b := range others {
			switch {
			case a < b:
				wins++
			case a == b:
				wins += 0.5
			}
		}
	}
	share, margin := race(mine, others)
	if math.Abs(share-wins/20) > 1e-12 || margin <= 0 || margin > 1 {
		t.Errorf("%g ± %g, want %g", share, margin, wins/20)
	}
	if share, margin := race([]int64{20, 21, 22}, []int64{50, 51}); share != 1 || margin != 0 {
		t.Errorf("always faster: %g ± %g", share, margin)
	}
}

// TestRacePlayed lets two strategies, alike but for their lists, play whole games: the winner's share agrees with that
// of their shots.
func TestRacePlayed(t *testing.T) {
	wins, games := 0, 0
	for seed := range uint64(8000) {
		g, err := game.Tournament{Players: 2, Placements: []game.Placement{game.Top}, Moves: []game.Moves{game.Random, game.Linear}, Targeting: game.AsDescribed, Halo: true, Seed: seed}.FirstGame()
		if err != nil {
			t.Fatal(err)
		}
		if g.Players[0].Strategy.Moves != g.Players[1].Strategy.Moves {
			games++
			if g.Players[g.Winner].Strategy.Moves == game.Linear {
				wins++
			}
		}
	}
	var lists [2][]int64
	for i, m := range []game.Moves{game.Linear, game.Random} {
		for seed := range uint64(4000) {
			sample, err := game.Measure(t.Context(), game.Strategy{Moves: m, Targeting: game.AsDescribed, Halo: true}, game.Top, 1, seed+uint64(i)*otherFleets, game.Options{Workers: 1})
			if err != nil {
				t.Fatal(err)
			}
			lists[i] = append(lists[i], sample.Shots)
		}
		slices.Sort(lists[i])
	}
	share, margin := race(lists[0], lists[1])
	played := float64(wins) / float64(games)
	if math.Abs(share-played) > 1.6*(margin+1.96*math.Sqrt(played*(1-played)/float64(games))) {
		t.Errorf("linear wins %.3f of %d games, %.3f ± %.3f by its shots", played, games, share, margin)
	}
}
