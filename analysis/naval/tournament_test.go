package naval

import (
	"context"
	"encoding"
	"errors"
	"math"
	"math/bits"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

func sample(players int) Tournament {
	return Tournament{Players: players, Placements: PostPlacements(), Moves: PostMoves(), Halo: true, Seed: 3}
}

// TestTournamentWorkers: the same seed gives the same tournament, however many workers there are.
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

// TestTournamentGameByGame plays small tournaments with the slow version, one game after the other.
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

// TestStatisticsAddUp: every game has one winner and one loser, in each of the tables, and the means are those of the
// sums.
func TestStatisticsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tournament := sample(1 << rapid.IntRange(1, 6).Draw(t, "rounds"))
		tournament.Seed = rapid.Uint64().Draw(t, "seed")
		s := must.Get(tournament.Play(t.Context(), Options{Workers: rapid.IntRange(-1, 3).Draw(t, "workers")}))
		var placements, moves Record
		for _, p := range PostPlacements() {
			placements.add(s.ByPlacement[p])
		}
		for _, m := range PostMoves() {
			moves.add(s.ByMoves[m])
		}
		if games := (Record{s.Games, s.Games}); placements != games || moves != games {
			t.Fatalf("%d games, %+v by placement, %+v by moves", s.Games, placements, moves)
		}
		if math.Abs(2*s.MeanMoves()-s.MeanMovesWinners()-s.MeanMovesLosers()) > 1e-9 {
			t.Fatalf("the mean of %v and %v is %v", s.MeanMovesWinners(), s.MeanMovesLosers(), s.MeanMoves())
		}
		if s.MeanLosersScore() >= 20 || s.MeanMovesLosers() > 100 || s.MeanMovesWinners() < 20 {
			t.Fatalf("%+v", s)
		}
	})
}

// TestFirstGame: it is that of the tournament, whose only game it is if there are two players.
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
		{func(t *Tournament) { t.Placements = []Placement{Left, 99} }, "Placement(99): no placement"},
		{func(t *Tournament) { t.Moves = []Moves{-1} }, "Moves(-1): no move strategy"},
		{func(t *Tournament) { t.Targeting = 7 }, "Targeting(7): no targeting"},
	} {
		tournament := sample(8)
		test.change(&tournament)
		_, err := tournament.Play(t.Context(), Options{})
		_, errFirst := tournament.FirstGame()
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || errFirst == nil ||
			errFirst.Error() != err.Error() {
			t.Errorf("error %v and %v, want %q", err, errFirst, test.want)
		}
	}
}

// TestTournamentStops: the end of the context ends the work, between two games at the latest, and its cause is
// returned.
func TestTournamentStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	var last int64
	_, err := sample(1<<20).Play(ctx, Options{Workers: 2, Progress: func(done, all int64) {
		if all != 1<<20-1 || done < last || done > all {
			t.Errorf("%d of %d done, after %d", done, all, last)
		}
		last = done
		cancel(why)
	}})
	if !errors.Is(err, why) || !errors.Is(err, context.Canceled) || last > 10*gamesPerBlock {
		t.Errorf("error %v after %d games", err, last)
	}
}

// TestNames: what is listed reads back from its name, also the last of each list, and a name that there is not is
// refused with the choices.
func TestNames(t *testing.T) {
	if last := Placements()[len(Placements())-1]; last != Anywhere {
		t.Errorf("the last placement is %v", last)
	}
	if all := AllMoves(); all[len(all)-1] != Diagonal || Targetings()[len(Targetings())-1] != Informed {
		t.Errorf("%v, %v", all, Targetings())
	}
	var s Strategy
	var p Placement
	for text, into := range map[string]encoding.TextUnmarshaler{"37": &p, "": &s.Moves, "AS_CODED": &s.Targeting} {
		if err := into.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), ", use one of ") {
			t.Errorf("error %v", err)
		}
	}
	for _, o := range []Outcome{Miss, Hit, Sunk, 3} {
		if want := [...]string{"miss", "hit", "sunk", "Outcome(3)"}[o]; o.String() != want {
			t.Errorf("%v, want %s", o, want)
		}
	}
}

// TestLists: sizes of the lists, and the picture of cross.
func TestLists(t *testing.T) {
	for m, want := range map[Moves]int{Random: 100, Cross: 32, Linear: 24, Diagonal: 24} {
		if got := m.Cells().Count(); got != want {
			t.Errorf("%v has %d cells, want %d", m, got, want)
		}
	}
	for c := range Cell(boardCells) {
		if Cross.Cells().Has(c) != (crossPicture[c.Y()][c.X()] == 'x') {
			t.Errorf("cell %d", c)
		}
	}
}
