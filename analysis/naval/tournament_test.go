package naval

import (
	"context"
	"fmt"
	"math/bits"
	"reflect"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

func sample(players int) Tournament {
	return Tournament{Players: players, Placements: PostPlacements(), Moves: PostMoves(), Halo: true, Seed: 3}
}

// TestTournamentWorkers checks that the same seed gives the same tournament with any number of workers.
func TestTournamentWorkers(t *testing.T) {
	for _, players := range []int{2, 64, 4096} {
		for _, targeting := range []Targeting{AsCoded, Density} {
			tournament := sample(players)
			tournament.Targeting = targeting
			want, err := tournament.Play(t.Context(), Options{})
			if err != nil || want.Games != int64(players)-1 {
				t.Fatalf("%d players: %+v, %v", players, want, err)
			}
			for _, workers := range []int{1, 8} {
				if got, err := tournament.Play(t.Context(), Options{Workers: workers}); err != nil || got != want {
					t.Errorf("%d players, %d workers: %+v, %v, want %+v", players, workers, got, err, want)
				}
			}
			tournament.Seed++
			if got, _ := tournament.Play(t.Context(), Options{}); got == want {
				t.Errorf("%d players: another seed, the same tournament", players)
			}
		}
	}
}

// TestTournamentGameByGame plays small tournaments with the slow version, one game after another.
func TestTournamentGameByGame(t *testing.T) {
	for _, tournament := range []Tournament{
		sample(8),
		{Players: 4, Placements: []Placement{Random12, Left}, Moves: []Moves{Cross}, Targeting: AsDescribed, Seed: 9},
	} {
		var want Statistics
		alive := tournament.draw(tournament.Players)
		for number := uint64(0); len(alive) > 1; {
			var next []Placement
			for i := 0; i < len(alive); i += 2 {
				placements := [2]Placement{alive[i], alive[i+1]}
				var c chance
				c.restart(tournament.Seed, streamGame, number)
				_, players, winner := naiveGame(placements, tournament.Moves, tournament.Targeting, tournament.Halo, &c)
				number++
				next = append(next, placements[winner])
				won, lost := players[winner], players[1-winner]
				want.Games++
				want.WinnersMoves += int64(won.shots)
				want.LosersMoves += int64(lost.shots)
				want.LosersScore += int64(lost.hits)
				want.ByPlacement[placements[winner]].Wins++
				want.ByPlacement[placements[1-winner]].Losses++
				want.ByMoves[won.strategy.Moves].Wins++
				want.ByMoves[lost.strategy.Moves].Losses++
			}
			alive = next
		}
		if got, err := tournament.Play(t.Context(), Options{Workers: 3}); err != nil || got != want {
			t.Errorf("%+v, %v, want %+v", got, err, want)
		}
	}
}

// TestFirstGame checks that FirstGame plays the first game of a tournament, which is the only game if there are two
// players.
func TestFirstGame(t *testing.T) {
	for seed := range uint64(20) {
		tournament := sample(2)
		tournament.Seed = seed
		s := must.Get(tournament.Play(t.Context(), Options{}))
		g := must.Get(tournament.FirstGame())
		won, _ := g.Count(g.Winner)
		lost, score := g.Count(1 - g.Winner)
		if int64(won) != s.WinnersMoves || int64(lost) != s.LosersMoves || int64(score) != s.LosersScore ||
			s.ByMoves[g.Players[g.Winner].Strategy.Moves].Wins != 1 ||
			s.ByPlacement[g.Players[g.Winner].Placement].Wins != 1 {
			t.Errorf("seed %d: %+v, the game %+v", seed, s, g)
		}
		tournament.Players = 1024
		if same, err := tournament.FirstGame(); err != nil || !reflect.DeepEqual(same, g) {
			t.Errorf("seed %d: another first game with 1024 players", seed)
		}
	}
}

func TestTournamentRefuses(t *testing.T) {
	for players := -3; players <= 2*1024; players++ {
		err := sample(players).Validate()
		if isPower := players >= 2 && bits.OnesCount(uint(players)) == 1; isPower != (err == nil) {
			t.Errorf("%d players: %v", players, err)
		}
	}
	for _, test := range []struct {
		change func(*Tournament)
		want   string
	}{
		{func(t *Tournament) { t.Players = 1000 }, "1000 players: a knockout needs a power of two from 2 to 67108864"},
		{func(t *Tournament) { t.Players = 2 * MaxPlayers }, "134217728 players: a knockout"},
		{func(t *Tournament) { t.Placements = nil }, "0 placements and 3 move strategies"},
		{func(t *Tournament) { t.Moves = nil }, "8 placements and 0 move strategies"},
		{func(t *Tournament) { t.Placements = []Placement{Left, 99} }, "Placement(99): unknown placement"},
		{func(t *Tournament) { t.Moves = []Moves{-1} }, "Moves(-1): unknown move strategy"},
		{func(t *Tournament) { t.Targeting = 7 }, "Targeting(7): unknown targeting"},
	} {
		tournament := sample(8)
		test.change(&tournament)
		_, err := tournament.Play(t.Context(), Options{})
		_, errFirst := tournament.FirstGame()
		must.ErrorContains(t, err, test.want)
		must.ErrorContains(t, errFirst, fmt.Sprint(err))
	}
}

// TestTournamentStops checks that when the context is done, the work stops before the next game at the latest, and the
// cause is returned.
func TestTournamentStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	var last int64
	_, err := sample(1<<20).Play(ctx, Options{Workers: 2, Progress: func(done, all int64) {
		if all != 1<<20-1 || done < last || done > all {
			t.Errorf("%d of %d done, after %d", done, all, last)
		}
		last = done
		cancel(must.ErrEnough)
	}})
	if !must.Stopped(err) || last > 10*gamesPerBlock {
		t.Errorf("error %v after %d games", err, last)
	}
}
