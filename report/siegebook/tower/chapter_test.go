package tower

import (
	"cmp"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/siegebook/chaptertest"
	"github.com/siegebook/siegebook/report/siegebook/listings"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

func TestQuestions(t *testing.T) { chaptertest.CheckQuestions(t, Game) }

func TestClaims(t *testing.T) {
	all := claimTable().Claims()
	chaptertest.CheckClaims(t, "tower-", append(append(all.Errata, all.Confirmed...), all.Noted...))
}

// TestPublished compares the post's algorithm with plays by hand. In whole numbers it wins the first test in round 2.
// With fractions of towers, 3 soldiers are reduced to 4/3 against 5/3 towers, and lose a battle that they really win.
func TestPublished(t *testing.T) {
	for _, test := range []struct {
		battle game.Battle
		divide func(float64) float64
		winner game.Winner
		rounds int64
	}{
		{FirstTest, roundDown, game.Soldiers, 2},
		{Battle(3, 3, 1, 2), roundDown, game.Soldiers, 3},
		{Battle(3, 3, 1, 2), fractional, game.Towers, 3},
	} {
		if winner, rounds := published(test.battle, test.divide); winner != test.winner || rounds != test.rounds {
			t.Errorf("%v: %v in round %d, want %v in round %d", test.battle, winner, rounds, test.winner, test.rounds)
		}
	}
}

func TestWords(t *testing.T) {
	aims := []game.Aim{
		{Towers: 1, Hits: 2, Shots: 2},
		{Towers: 5, Hits: 3, Shots: 2},
		{Towers: 1, Hits: 3, Shots: 1},
		{Towers: 4, Hits: 3},
	}
	if got := shots(aims); got != "6\u00a0×\u00a02, 1\u00a0×\u00a01" {
		t.Errorf("shots %q", got)
	}
	if got := standing(nil); got != "–" {
		t.Errorf("no towers: %q", got)
	}
	if got := standing([]game.Group{{Towers: 2, Hits: 3}, {Towers: 1, Hits: 1}}); got != "2\u00a0×\u00a03, "+
		"1\u00a0×\u00a01" {
		t.Errorf("towers %q", got)
	}
}

// TestWaste plays the battle of the strategies page by hand: the two plays differ from round 4 on, with 6 soldiers
// against two towers of 4 hits.
func TestWaste(t *testing.T) {
	b := Battle(24, 4, 2, 5)
	var soldiers []int64
	for _, round := range RoundsBy(b, Waste) {
		soldiers = append(soldiers, round.State.Soldiers)
	}
	if !slices.Equal(soldiers, []int64{24, 16, 10, 6, 2, 0}) || WinsBy(b, Waste) {
		t.Errorf("Waste leaves %v", soldiers)
	}
	if end := EndBy(b, AllAtOne); end.Winner != game.Soldiers || end.Number != 5 || end.State.Soldiers != 4 {
		t.Errorf("all at one tower: %+v", end)
	}
	for _, test := range []struct {
		aims aiming
		want int64
	}{{AllAtOne, 23}, {Waste, 25}} {
		if got := NeedBy(test.aims, 4, 2, 5, 40); got != test.want {
			t.Errorf("%d soldiers needed, want %d", got, test.want)
		}
	}
}

// TestPriced checks the bounds on the number of soldiers needed against battles that are played.
func TestPriced(t *testing.T) {
	ends := []int64{priced[0].To, priced[1].To, priced[2].To}
	for at := range chapter.Points(nil, ends) {
		h, k, towers := at[0], at[1], at[2]
		needs := func(s game.Strategy) int64 { return Need(s, h, k, towers) }
		greedy, fewest, even := needs(game.Greedy), needs(game.Fewest), needs(game.Even)
		r := pictures.EvenRatio(h, k)
		if !Exceeds(greedy, h, k, towers) || (r-1)*towers >= min(fewest, even) || max(fewest, even) > r*towers {
			t.Errorf("%v: greedy needs %d, fewest %d, even %d; r = %d", at, greedy, fewest, even, r)
		}
		rho, _ := WorstRatio(h, k)
		if border := rho * float64(towers); float64(fewest-1) >= border || border >= float64(fewest) {
			t.Errorf("%v: fewest needs %d, and the border is %v", at, fewest, border)
		}
		won, lost := Battle(fewest, h, k, towers), Battle(fewest-1, h, k, towers)
		if !Wins(won, game.Fewest) || fewest > 1 && Wins(lost, game.Fewest) {
			t.Errorf("%v is not the border", won)
		}
	}
}

// TestFibonacci checks that Q is -1 for neighbours among the Fibonacci numbers, and the towers win.
func TestFibonacci(t *testing.T) {
	for b := Battle(1, 1, 1, 2); b.Towers < 1_000_000; { // F(2) and F(3)
		if q := ScaledQ(b, b.Soldiers, b.Towers); q != -1 || Wins(b, game.Greedy) {
			t.Errorf("%v: Q = %d", b, q)
		}
		b.Soldiers, b.Towers = b.Soldiers+b.Towers, b.Soldiers+2*b.Towers
	}
}

// TestFallingTable checks that the table notices a Q that is not positive, which occurs in lost battles.
func TestFallingTable(t *testing.T) {
	for b, want := range map[game.Battle]bool{Battle(225, 20, 1, 40): true, Battle(55, 1, 1, 89): false} {
		if _, falls := FallingTable("falling", b); falls != want {
			t.Errorf("%v: %v", b, falls)
		}
	}
}

// TestWorstOfAll compares Waste with every choice of targets. In small battles, no play is worse than Waste. In the
// battle Levelled, Waste wins and another play loses.
func TestWorstOfAll(t *testing.T) {
	everyWins := func(b game.Battle) bool {
		return everyPlayWins(b, b.Soldiers, slices.Repeat([]int64{b.HitsPerTower}, int(b.Towers)))
	}
	small := box(8, 3, 2, 3)
	for b := range small.Each {
		worst := b.Soldiers >= NeedAnyPlay(b.HitsPerTower, b.KillsPerTower, b.Towers)
		if all := everyWins(b); all != WinsBy(b, Waste) || all != worst {
			t.Errorf("%v: every play wins: %v, the worst does: %v", b, all, worst)
		}
	}
	if everyWins(Levelled) || !WinsBy(Levelled, Waste) {
		t.Errorf("%v: Waste is the worst play", Levelled)
	}
}

// everyPlayWins tries every distribution of the shots in every round.
func everyPlayWins(b game.Battle, soldiers int64, hits []int64) bool {
	var share func(tower int, left int64, after []int64) bool
	share = func(tower int, left int64, after []int64) bool {
		if tower == len(hits)-1 {
			standing := slices.DeleteFunc(append(slices.Clone(after), hits[tower]-left),
				func(h int64) bool { return h <= 0 })
			rest := soldiers - b.KillsPerTower*int64(len(standing))
			return len(standing) == 0 || rest > 0 && everyPlayWins(b, rest, standing)
		}
		for shots := int64(0); shots <= left; shots++ {
			if !share(tower+1, left-shots, append(slices.Clone(after), hits[tower]-shots)) {
				return false
			}
		}
		return true
	}
	return share(0, soldiers, nil)
}

// TestNearest compares the counted probability of the graphical game with all placements of two and three towers, and
// plays each with towers that have cells instead of ranges.
func TestNearest(t *testing.T) {
	for _, b := range []game.Battle{Battle(5, 4, 2, 2), Battle(7, 4, 2, 2), Battle(8, 5, 2, 3), Battle(9, 5, 2, 3)} {
		won, all := int64(0), int64(0)
		var place func(from int, cells []int)
		place = func(from int, cells []int) {
			if len(cells) == int(b.Towers) {
				all++
				if walksUp(b, cells) {
					won++
				}
				return
			}
			for cell := from; cell < FieldSide*FieldSide; cell++ {
				place(cell+1, append(slices.Clone(cells), cell))
			}
		}
		place(1, nil)
		if got := NearestWins(b); got.Cmp(big.NewRat(won, all)) != 0 {
			t.Errorf("%v: %v, want %d of %d", b, got, won, all)
		}
	}
}

// TestNearestIsBetween checks that soldiers who shoot at the nearest tower win at least as often if there are more of
// them. They never win where Greedy loses, and always win where Fewest wins.
func TestNearestIsBetween(t *testing.T) {
	b, last := Graphical, new(big.Rat)
	least, sure := Borders(b)
	for b.Soldiers = least - 1; b.Soldiers <= sure; b.Soldiers++ {
		p := NearestWins(b)
		certain := p.IsInt() && p.Sign() > 0
		if p.Cmp(last) < 0 || b.Soldiers < least && p.Sign() != 0 || b.Soldiers >= sure && !certain {
			t.Errorf("%v is won with the probability %v, one soldier fewer with %v", b, p, last)
		}
		last = p
	}
}

// walksUp plays the graphical game with a tower in each of the cells, and reports whether the soldiers win.
func walksUp(b game.Battle, cells []int) bool {
	hits := map[int]int64{}
	for _, cell := range cells {
		hits[cell] = b.HitsPerTower
	}
	away := func(cell int) int { return int(math.Hypot(float64(cell/FieldSide), float64(cell%FieldSide))) }
	for soldiers := b.Soldiers; soldiers > 0; soldiers -= b.KillsPerTower * int64(len(hits)) {
		for range soldiers {
			target := -1
			for _, cell := range cells {
				better := target < 0 || away(cell) < away(target) || away(cell) == away(target) &&
					hits[cell] > hits[target]
				if hits[cell] > 0 && better {
					target = cell
				}
			}
			if target < 0 {
				return true
			}
			if hits[target]--; hits[target] == 0 {
				delete(hits, target)
			}
		}
		if len(hits) == 0 {
			return true
		}
	}
	return false
}

// TestWalk compares the Markov chain of the pages with the library, for both readings.
func TestWalk(t *testing.T) {
	small := box(6, 3, 2, 3)
	for b := range small.Each {
		for _, reading := range game.Readings() {
			found := must.Get(b.Random(t.Context(), reading, game.RandomOptions{Method: game.Exact}))
			if got := WinByHand(b, reading); got.Cmp(found.Win.Exact) != 0 {
				t.Errorf("%v, %v: %v, want %v", b, reading, got, found.Win)
			}
		}
	}
}

// TestChainTable checks that each column of shots adds up to 1, and the last column has the probability of a win.
func TestChainTable(t *testing.T) {
	for b := range box(5, 3, 2, 3).Each {
		for _, reading := range game.Readings() {
			table, total := ChainTable("chain", b, reading), new(big.Rat)
			sums := make([]*big.Rat, b.Soldiers+1)
			for _, row := range table.Rows {
				p := new(big.Rat)
				for i := range sums {
					sums[i] = cmp.Or(sums[i], new(big.Rat))
					p.SetString(cmp.Or(row[1+i].Text, "0"))
					sums[i].Add(sums[i], p)
				}
				then, _ := new(big.Rat).SetString(cmp.Or(row[len(row)-1].Text, "0"))
				total.Add(total, p.Mul(p, then))
			}
			for i, sum := range sums {
				if sum.RatString() != "1" {
					t.Errorf("%v, %v: the lists after shot %d have the probability %v", b, reading, i, sum)
				}
			}
			if want := WinByHand(b, reading); total.Cmp(want) != 0 {
				t.Errorf("%v, %v: %v, want %v", b, reading, total, want)
			}
		}
	}
}

// TestTwoFields checks that towers are left on both fields, and more on the field where the towers win.
func TestTwoFields(t *testing.T) {
	b := Graphical
	b.Soldiers, _ = Borders(b)
	if _, stand := TwoFields(b); len(stand) != 2 || stand[game.Soldiers] >= stand[game.Towers] {
		t.Errorf("towers that stand: %v", stand)
	}
}

// TestFirstLost checks that the best aim loses no battle that can be won, and spreading the shots evenly loses one.
func TestFirstLost(t *testing.T) {
	p := pictures.Plane{
		HitsPerTower: 6, KillsPerTower: 2,
		Soldiers: grid.Range{First: 1, Last: 30}, Towers: grid.Range{First: 1, Last: 9},
	}
	if lost, end, found := FirstLost(p, listings.TowerExamples[2].Text); found {
		t.Errorf("greedy aim loses %v: %v", lost, end)
	}
	lost, end, found := FirstLost(p, listings.TowerExamples[0].Text)
	if !found || end.Winner != game.Towers || !Wins(lost, game.Greedy) {
		t.Errorf("even spreading loses %v: %v", lost, end)
	}
}

// TestListings checks that the listings run, and the test notices a mistake in any of them.
func TestListings(t *testing.T) {
	text := listedText()
	if battles, err := ListingsRun(); err != nil || battles != len(listedBattles()) {
		t.Errorf("%d battles, %v", battles, err)
	}
	chaptertest.Slips(t, "tower", text, func(_ []string, spoiled string) error {
		_, err := runListings(spoiled)
		return err
	})
}

// TestListingsInPython checks that the listings, copied from the pages, give the same answers in Python as here.
func TestListingsInPython(t *testing.T) {
	program := must.Get(listing.ReadProgram("listings", []byte(listedText()), listing.Limits{}))
	var calls []chaptertest.Call
	for b := range box(9, 4, 2, 3).Each {
		for _, function := range []string{"greedy_by_sums", "fewest_by_sums", "any_aim"} {
			calls = append(calls, chaptertest.Call{Function: function, Arguments: numbersOf(b)})
		}
		left := []any{b.HitsPerTower, b.Towers, int64(3)}
		for _, function := range []listing.Function{"greedy", "fewest", "even", "waste"} {
			calls = append(calls, chaptertest.Call{Function: "one_round", Arguments: []any{
				b.KillsPerTower, b.Soldiers,
				left, function,
			}})
		}
		calls = append(calls, chaptertest.Call{Function: "nearest", Arguments: []any{
			b.Soldiers, left,
			[]any{int64(2), int64(1), int64(2)},
		}})
	}
	chaptertest.SameInPython(t, program, listedText(), calls)
}
