package naval

import (
	"context"
	"errors"
	"maps"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/analysis/listing"
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/chaptertest"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

func TestQuestions(t *testing.T) { chaptertest.CheckQuestions(t, Game) }

// TestSameNumbersTwice computes the numbers of a survey and of the races twice, and compares them.
func TestSameNumbersTwice(t *testing.T) {
	s := must.Get(PlayTournaments(t.Context()))
	first := printedTrials()[fourthUpdate].tournament()
	first.Seed = Seed + Repeats - 1
	again, err := first.Play(t.Context(), game.Options{Workers: 3})
	if err != nil || again != s.printed[fourthUpdate][Repeats-1] {
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
	all := claimTable().Claims()
	chaptertest.CheckClaims(t, "naval-", append(all.Errata, all.Confirmed...))
}

// TestFalseClaims changes the data behind the claims, one thing at a time. The checks have to notice each change.
func TestFalseClaims(t *testing.T) {
	for better, worse := range map[game.Targeting]game.Targeting{
		game.Informed: game.Density, game.AsDescribed: game.AsCoded,
	} {
		alike := slices.Clone(Measured()) // the two strategies have equal results against one placement
		for i, m := range alike {
			if m.Strategy.Targeting == better && m.Strategy.Moves == game.Random && m.Placement == game.Top {
				alike[i].All = alike.Of(game.Random, worse, game.Top)
			}
		}
		_, _, before := Measured().Fewer(better, worse)
		if least, _, always := alike.Fewer(better, worse); always || !before || least > 0 {
			t.Errorf("%v is no better than %v, and nobody noticed", better, worse)
		}
	}
	head := slices.Clone(Measured())
	head[5].Head.Shots++
	if err := CheckHeads(t.Context(), head); err == nil {
		t.Error("a head differs, and nobody noticed")
	}
	honest := PlayTournaments
	defer func() { PlayTournaments = honest }()
	exchanged := *must.Get(honest(t.Context()))
	exchanged.printed = slices.Clone(exchanged.printed)
	exchanged.printed[2], exchanged.printed[1] = exchanged.printed[1], exchanged.printed[2]
	PlayTournaments = func(context.Context) (*Tournaments, error) { return &exchanged, nil }
	_, err := chapter.CheckClaims(t.Context(), claimTable().Claims().Confirmed)
	must.ErrorContains(t, err, `claim "naval-trial-1" (update 2)`)
}

// TestRace compares the share of wins with a count over all pairs, and its variance with the variance of a fair
// comparison of equal players.
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

// TestRacePlayed plays whole games between two strategies that differ only in their lists. The share of wins agrees
// with the share that race computes from their shots.
func TestRacePlayed(t *testing.T) {
	wins, games := 0, 0
	for seed := range uint64(8000) {
		g := must.Get(game.Tournament{
			Players: 2, Placements: []game.Placement{game.Top}, Moves: []game.Moves{game.Random, game.Linear},
			Targeting: game.AsDescribed, Halo: true, Seed: seed,
		}.FirstGame())
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
			sample := must.Get(game.Measure(t.Context(),
				game.Strategy{Moves: m, Targeting: game.AsDescribed, Halo: true}, game.Top, 1,
				seed+uint64(i)*otherFleets, game.Options{Workers: 1}))
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

// TestPool checks pools by hand: the first hit adds four neighbours, the second one adds the cells of the slip, and no
// cell is off the board.
func TestPool(t *testing.T) {
	before, added, next := Slipped()
	if !slices.Equal(before, []game.Cell{game.At(5, 4), game.At(4, 3), game.At(4, 5)}) || next != game.At(5, 4) ||
		!slices.Equal(added, []game.Cell{game.At(6, 7), game.At(3, 2)}) {
		t.Errorf("pool %v, added %v, next %v", before, added, next)
	}
	var p pool
	p.learn(game.At(0, 9), func(game.Cell) bool { return true })
	if !slices.Equal(p.cells, []game.Cell{game.At(1, 9), game.At(0, 8)}) {
		t.Errorf("in the corner: %v", p.cells)
	}
}

// TestFollowPool checks that the comparison fails for a player who aims as the post's text describes.
func TestFollowPool(t *testing.T) {
	g := must.Get(game.Tournament{
		Players: 2, Placements: []game.Placement{game.Square36}, Moves: []game.Moves{game.Random},
		Targeting: game.AsDescribed, Halo: true, Seed: 3,
	}.FirstGame())
	_, first := followPool(g, 0, 0)
	_, second := followPool(g, 1, 0)
	if first == nil && second == nil {
		t.Error("a game as described passes for one as coded")
	}
}

// TestStrip compares the count on strips with a search of all placements of the two ships, and with the library.
func TestStrip(t *testing.T) {
	for cells := 1; cells <= 9; cells++ {
		want := 0
		for two := 0; two+2 <= cells; two++ {
			for one := range cells {
				if one < two-1 || one > two+2 {
					want++
				}
			}
		}
		got := 0
		for p, ways := range stripCounts(cells)[cells] {
			if p.two && p.one {
				got += ways
			}
		}
		library, err := game.CountFleets(t.Context(), cells, 1, []int{2, 1})
		if err != nil || got != want || uint64(got) != library {
			t.Errorf("%d cells: %d, want %d, the library %d, %v", cells, got, want, library, err)
		}
	}
}

// TestLastDeck tries all places of ships with two and three decks.
func TestLastDeck(t *testing.T) {
	for cells := int64(3); cells <= 8; cells++ {
		two, three, pairs, triples := int64(0), int64(0), int64(0), int64(0)
		for a := int64(1); a <= cells; a++ {
			for b := a + 1; b <= cells; b++ {
				two, pairs = two+b, pairs+1
				for c := b + 1; c <= cells; c++ {
					three, triples = three+c, triples+1
				}
			}
		}
		if LastDeck(cells, 2).Cmp(big.NewRat(two, pairs)) != 0 ||
			LastDeck(cells, 3).Cmp(big.NewRat(three, triples)) != 0 {
			t.Errorf("%d cells: %v and %v", cells, LastDeck(cells, 2), LastDeck(cells, 3))
		}
	}
}

// TestListingInPython checks that the listing of the search, copied from the page, gives the same answers in Python as
// here.
func TestListingInPython(t *testing.T) {
	program := must.Get(listing.ReadProgram("listing", []byte(listedText()), listing.Limits{}))
	cells := []any{}
	for x := range int64(3) {
		for y := range x + 2 {
			cells = append(cells, listing.Tuple{x, y})
		}
	}
	var calls []chaptertest.Call
	for decks := range int64(5) {
		calls = append(calls, chaptertest.Call{Function: "combinations", Arguments: []any{cells, decks}})
	}
	chaptertest.SameInPython(t, program, listedText(), calls)
}

// TestProfile checks a profile by hand: an upright ship closes its column for the remaining rows of the ship and its
// halo.
func TestProfile(t *testing.T) {
	ships := []game.Ship{{First: game.At(4, 0), Decks: 3, Upright: true}}
	if got := Profile(ships, game.At(6, 1)); !slices.Equal(got, []int{0, 0, 0, 2, 2, 2, 0, 0, 0, 0}) {
		t.Errorf("profile %v", got)
	}
}

// TestSecondList checks that after the ship of four decks has sunk, a player who hunts by diagonals shoots at every
// second one, as long as a ship of more than one deck is left.
func TestSecondList(t *testing.T) {
	list := EverySecond()
	hunts := 0
	for seed := range uint64(200) {
		g := must.Get(game.Tournament{
			Players: 2, Placements: []game.Placement{game.Top}, Moves: []game.Moves{game.Diagonal},
			Targeting: game.Proper, Halo: true, Seed: seed,
		}.FirstGame())
		known, left, wounded := map[game.Cell]bool{}, map[int8]int{4: 1, 3: 2, 2: 3, 1: 4}, false
		for _, shot := range g.Shots {
			if shot.Player != 0 {
				continue
			}
			shortest := int8(1)
			for left[shortest] == 0 {
				shortest++
			}
			if larger := left[2]+left[3] > 0; !wounded && left[4] == 0 && larger && shortest == 1 {
				open := slices.ContainsFunc(list, func(c game.Cell) bool { return !known[c] })
				if open && !slices.Contains(list, shot.At) {
					t.Fatalf("seed %d: a shot at %v", seed, shot.At)
				}
				hunts++
			}
			known[shot.At], wounded = true, shot.Outcome == game.Hit || wounded && shot.Outcome == game.Miss
			for _, ship := range g.Fleets[1] {
				if shot.Outcome == game.Sunk && ship.Cells().Has(shot.At) {
					left[ship.Decks]--
					for c := range ship.Zone().All() {
						known[c] = true
					}
				}
			}
		}
	}
	if hunts < 500 {
		t.Errorf("only %d shots", hunts)
	}
}

// TestEvenOut checks that the maps of left and right become mirror images, a cell in the map of 36 has the same value
// as its mirror images, and the mean of a map stays.
func TestEvenOut(t *testing.T) {
	m := figure.HeatMaps{Cols: game.Side, Rows: game.Side}
	mean := func(shares []float64) float64 {
		sum := 0.0
		for _, v := range shares {
			sum += v
		}
		return sum / float64(len(shares))
	}
	placements := game.Placements()
	before := map[game.Placement]float64{}
	for i, p := range placements {
		panel := figure.HeatPanel{Name: p.String()}
		for c := range BoardCells {
			panel.Shares = append(panel.Shares, float64((c*c+7*i)%101)/101)
		}
		m.Panels = append(m.Panels, panel)
		before[p] = mean(panel.Shares)
	}
	evenOut(&m, placements)
	at := func(p game.Placement, x, y int) float64 { return m.Panels[p].Shares[game.At(x, y)] }
	for y := range game.Side {
		for x := range game.Side {
			sides := []float64{
				at(game.Left, x, y), at(game.Right, last-x, y), at(game.Left, x, last-y), at(game.Top, y, x),
				at(game.Bottom, y, last-x),
			}
			square := []float64{
				at(game.Square36, x, y), at(game.Square36, y, x), at(game.Square36, last-x, y),
				at(game.Anywhere, x, y) - at(game.Anywhere, last-y, last-x) + at(game.Square36, x, last-y),
			}
			half := []float64{at(game.CenterHorizontal, x, y), at(game.CenterHorizontal, x, last-y)}
			for _, list := range [][]float64{sides, square, half} {
				if slices.Max(list)-slices.Min(list) > 1e-12 {
					t.Fatalf("(%d, %d): %v", x, y, list)
				}
			}
		}
	}
	for _, p := range []game.Placement{
		game.Square36, game.CenterVertical, game.CenterHorizontal, game.Random12, game.Anywhere,
	} {
		if got := mean(m.Panels[p].Shares); math.Abs(got-before[p]) > 1e-12 {
			t.Errorf("%v: mean %g, was %g", p, got, before[p])
		}
	}
	if at(game.CenterHorizontal, 0, 0) == at(game.CenterHorizontal, last, 0) {
		t.Error("center_horizontal is mirrored, though its region is not")
	}
}

// TestPlaces counts the places of ships by rows and columns, and checks by hand how many places meet a list.
func TestPlaces(t *testing.T) {
	for decks := int8(2); decks <= 4; decks++ {
		if got, want := Places(decks), 2*game.Side*(game.Side+1-int(decks)); got != want {
			t.Errorf("%d decks: %d places, want %d", decks, got, want)
		}
	}
	if got := Places(1); got != BoardCells {
		t.Errorf("one deck: %d places", got)
	}
	got := Met([]game.Cell{game.At(0, 0), game.At(1, 0), game.At(9, 9)}, 2)
	if want := map[int]int{0: 180 - 3 - 2 - 1, 1: 3 + 2, 2: 1}; !maps.Equal(got, want) {
		t.Errorf("met %v, want %v", got, want)
	}
	if corner, middle := DensityAt(game.At(0, 9)), DensityAt(game.At(4, 5)); corner != 2*(1+2+3)+4 ||
		middle != 2*(4*1+3*2+2*3)+4 {
		t.Errorf("%d ways on a corner, %d in the middle", corner, middle)
	}
}

// TestBesideDiagonal checks that the cells next to the main diagonal are counted separately from all other cells.
func TestBesideDiagonal(t *testing.T) {
	var counts pictures.Counts
	for c := range counts {
		switch d := c%game.Side - c/game.Side; {
		case d == 1 || d == -1:
			counts[c] = ShotGames
		case c == 7:
			counts[c] = 2 * ShotGames
		}
	}
	got := besideDiagonal(counts)
	if math.Abs(got.Diagonal-0.5) > 1e-12 || math.Abs(got.Others-1.0/82) > 1e-12 || got.Most != 1 {
		t.Errorf("got %+v", got)
	}
}
