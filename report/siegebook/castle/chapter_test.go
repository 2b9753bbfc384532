package castle

import (
	"context"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/siegebook/chaptertest"
	"github.com/siegebook/siegebook/report/siegebook/listings"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

const tables = "testdata/tables.txt"

func span2(first, last int64) grid.Range { return grid.Range{First: first, Last: last} }

// data returns the data that pages show with the given settings.
func data(settings chapter.Settings) (*Survey, error) {
	return SurveyOf(settings.Of(gridParameter), settings.Of(surveyParameter), settings.Of(algorithmParameter))
}

// TestDrawnWin compares DrawnWin with the sum of the probabilities of the soldiers' paths. The probability of a path is
// the product of the probabilities of its orders.
func TestDrawnWin(t *testing.T) {
	for _, b := range []game.Battle{Battle(10, 11, 15), Battle(5, 8, 5), Battle(3, 10, 4), Battle(8, 14, 5)} {
		want := 0.0
		for path, err := range b.Paths(t.Context(), game.PathOptions{Side: game.Soldiers}) {
			must.Do(t, err)
			p := 1.0
			for _, state := range path.States[:len(path.Moves)] {
				low, high := state.Moves()
				p /= float64(high - low + 1)
			}
			want += p
		}
		if got := DrawnWin(b); math.Abs(got-want) > 1e-12 {
			t.Errorf("%v: %v, adding up the paths gives %v", b, got, want)
		}
	}
}

func TestQuestions(t *testing.T) { chaptertest.CheckQuestions(t, Game) }

// TestParameters reads the grid of the maps and the battles of a comparison in the forms that users write.
func TestParameters(t *testing.T) {
	for _, row := range must.Rows(t, tables, "TestParameters") {
		p := map[string]chapter.Parameter{"grid": gridParameter, "survey": surveyParameter}[row[0]]
		got, err := p.Normal(row[1])
		if err == nil && got != row[2] {
			t.Errorf("%s %q: %s, want %s", row[0], row[1], got, row[2])
		}
		if err != nil {
			must.ErrorContains(t, err, row[2], row[0], row[1])
			if _, err := data(chapter.Settings{row[0]: row[1]}); err == nil {
				t.Errorf("%s %q: it was computed", row[0], row[1])
			}
		}
	}
}

// TestSurvey compares the maps with direct answers, and their tallies with the survey's. TestDownloadsAgree compares
// the verdicts of their cells.
func TestSurvey(t *testing.T) {
	p := Params{Soldiers: 13, Castle: span2(5, 40), Defenders: span2(3, 20)}
	s := must.Get(newSurvey(context.Background(), p))
	for cell := range s.MinWaves {
		b := s.battle(cell)
		if s.cell(b) != cell || s.MinWaves[cell] != b.MinWaves() || s.tied(cell) != (b.Solve().Winner == game.Tie) {
			t.Fatalf("%v: map says %d, %v", b, s.MinWaves[cell], s.tied(cell))
		}
	}
	if s.OfGrid.Battles != int64(len(s.MinWaves)) || len(s.algorithms) < 3 {
		t.Errorf("the survey has %d battles, the maps %d, of %d algorithms", s.OfGrid.Battles, len(s.MinWaves),
			len(s.algorithms))
	}
	for _, a := range s.algorithms {
		total, ok := s.OfGrid.Of(a.Name)
		for _, v := range game.Verdicts() {
			if !ok || a.tally[v] != int(total.Count(v)) {
				t.Errorf("%s: %d cells are %v, the survey has %d", a.Name, a.tally[v], v, total.Count(v))
			}
		}
	}
}

func TestClaims(t *testing.T) {
	all := allClaims()
	chaptertest.CheckClaims(t, "", append(append(all.Errata, all.Confirmed...), all.Noted...))
}

// TestErrataInOrder checks that the errata are in the order of the posts.
func TestErrataInOrder(t *testing.T) {
	var posts []string
	for _, e := range allClaims().Errata {
		post, _, _ := strings.Cut(e.Where, ",")
		first, _, _ := strings.Cut(post, " ")
		posts = append(posts, first)
	}
	if len(posts) < 10 || !slices.IsSorted(posts) { // I, II and III are in order as texts, too
		t.Errorf("the errata are in the order %v", posts)
	}
}

// TestListings checks that the listings of every page run, and each function of a listing is tested.
func TestListings(t *testing.T) {
	program := must.Get(listedProgram())
	run := map[string]bool{}
	for _, page := range slices.Sorted(maps.Keys(listingsOf)) {
		if battles, err := CheckListings(page); err != nil || battles < 500 {
			t.Errorf("%s: %d battles, %v", page, battles, err)
		}
		for _, l := range listingsOf[page] {
			for _, name := range strings.Split(l.functions, " and ") {
				run[name] = true
			}
		}
	}
	used := "left hunt fibonacci lost add" // functions that the other listings call
	for _, name := range program.Functions() {
		if !run[name] && !strings.Contains(" "+used+" ", " "+name+" ") {
			t.Errorf("%s is on a page, but nothing compares it with the library", name)
		}
	}
}

// TestFalseListings checks that the checks find mistakes in listings. Each case changes a page's text in a way that a
// tired author might.
func TestFalseListings(t *testing.T) {
	chaptertest.Slips(t, "castle", listedText(), func(row []string, spoiled string) error {
		program, err := listing.ReadProgram("listings", []byte(spoiled), listedLimits)
		if err != nil {
			t.Errorf("%q: %v", row, err)
			return err
		}
		_, err = runListings(program, row[0])
		return err
	})
}

// TestBrokenListing checks that a listing that cannot be read is an error of the page that runs it.
func TestBrokenListing(t *testing.T) {
	must.Refusals(t, tables, func(row struct{ Text string }) error {
		program := must.Get(listing.ReadProgram("listings", []byte(row.Text), listing.Limits{Steps: 1000}))
		_, err := runListings(program, "rules")
		return err
	})
}

// TestListingsInPython checks that the listings, copied from the pages, give the same answers in Python as here.
func TestListingsInPython(t *testing.T) {
	program := must.Get(listedProgram())
	var calls []chaptertest.Call
	box(5, 9, 4).Each(func(b game.Battle) bool {
		numbers := numbersOf(b)
		add := func(function string, arguments ...any) {
			calls = append(calls, chaptertest.Call{Function: function, Arguments: arguments})
		}
		for _, function := range []string{"fewest", "castle_fastest", "count_states", "count_lines"} {
			add(function, numbers...)
		}
		for _, rule := range []listing.Function{"castle_first", "defenders_first", "best_play"} {
			add("play", append(numbersOf(b), rule)...)
			add("play_to_50", append(numbersOf(b), rule)...)
		}
		add("search", b.DefendersPerWave, b.Soldiers, b.CastleHits, int64(0), int64(1))
		return true
	})
	chaptertest.SameInPython(t, program, listedText(), calls)
}

// TestDecidingColumnsFirst checks that on a narrow screen, the answers of the algorithms come before the numbers of the
// battle.
func TestDecidingColumnsFirst(t *testing.T) {
	table, _, right := TestsTable(PostTests()[:3])
	var header []string
	for _, cell := range table.Header[:5] {
		header = append(header, cell.Text)
	}
	if got := strings.Join(header, "|"); got != "test|exact: best play|castle first|defenders first|published formula" {
		t.Errorf("the first columns are %s", got)
	}
	if len(right) != 3 || right[0] || right[1] || right[2] {
		t.Errorf("all algorithms are right: %v", right)
	}
}

// TestWalkTable checks that the paths that the search stores are all paths, in their order.
func TestWalkTable(t *testing.T) {
	for _, b := range []game.Battle{PostTests()[WalkedTest].Battle, SmallSearch, Battle(5, 8, 5)} {
		var want []string
		for path, err := range b.Paths(t.Context(), game.PathOptions{}) {
			must.Do(t, err)
			var states []string
			for _, s := range path.States {
				states = append(states, bare(s))
			}
			want = append(want, strings.ReplaceAll(strings.Join(states, " → "), " ", "\u00a0"))
		}
		var got []string
		rows := WalkTable(b).Rows
		for _, row := range rows {
			if strings.HasSuffix(row[1].Text, "save the list") {
				got = append(got, row[2].Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%v: kept %q, want %q", b, got, want)
		}
		if first, last := rows[0][2].Text, rows[len(rows)-1][2].Text; first != last || first != bare(b.Start()) {
			t.Errorf("%v: the search begins with %s and ends with %s", b, first, last)
		}
	}
}

func TestByWave(t *testing.T) {
	var waves []pictures.WaveWays
	for wave, ways := range map[int64]int64{2: 0, 3: 7, 4: 7, 5: 7, 7: 7, 8: 1200, 9: 0} {
		waves = append(waves, pictures.WaveWays{Wave: wave, Castle: big.NewInt(ways)})
	}
	slices.SortFunc(waves, func(a, b pictures.WaveWays) int { return int(a.Wave - b.Wave) })
	got := byWave(waves, func(w pictures.WaveWays) *big.Int { return w.Castle })
	if want := "3 to 5: 7, 7: 7, 8: 1200"; strings.ReplaceAll(got, "\u00a0", " ") != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestPrintedWaves checks that the comparison finds numbers in the post's list that disagree with the post's rule, and
// missing waves.
func TestPrintedWaves(t *testing.T) {
	test := PostTests()[4]
	complete := WaysOf(test.Battle)
	printed := PrintedWaysOf(test.Battle)
	waves := pictures.WavesOf(complete, printed)
	good := &PrintedWaves{}
	good.compare(test, waves)
	if good.Entries != 20 || good.Right != 20 || len(good.Wrong)+len(good.Gaps) > 0 || good.Last != 13 ||
		good.LastTest != 4 {
		t.Errorf("%+v", good)
	}
	test.Printed.CastleWins = maps.Clone(test.Printed.CastleWins)
	test.Printed.CastleWins["5"]++
	delete(test.Printed.CastleWins, "8")
	spoiled := &PrintedWaves{}
	spoiled.compare(test, waves)
	if len(spoiled.Wrong) != 1 || !strings.Contains(spoiled.Wrong[0], "116 ways for the castle in wave 5, but "+
		"there are 115") || !slices.Equal(spoiled.Gaps, []string{"4, castle, wave 8"}) {
		t.Errorf("%+v", spoiled)
	}
}

// TestFacts checks that the lists of tests are consistent, and each list has a test as an example.
func TestFacts(t *testing.T) {
	tests := PostTests()
	f := FactsOf(tests)
	both := slices.Sorted(slices.Values(slices.Concat(f.More, f.Same)))
	if len(f.More) == 0 || len(f.Same) == 0 || !slices.Equal(both, f.Agree) {
		t.Errorf("more %v, same %v, of %v", f.More, f.Same, f.Agree)
	}
	longest := LongestGuarded(tests).Battle.Play(game.DefendersFirst).Waves
	for _, test := range tests {
		b := test.Battle
		if lost := b.Solve().Winner != game.Soldiers; lost != slices.Contains(f.Lost, test.Number) {
			t.Errorf("test %d is lost: %v", test.Number, lost)
		}
		tied := b.DefendersPerWave == b.Soldiers && b.CastleHits > b.Soldiers
		if tied != slices.Contains(f.Tied, test.Number) {
			t.Errorf("defenders first ties test %d: %v", test.Number, tied)
		}
		if waves := b.Play(game.DefendersFirst).Waves; waves > longest {
			t.Errorf("test %d takes %d waves", test.Number, waves)
		}
	}
	if got := Listed(f.Lost); got != "1, 7, 13, 14, 16 and 19" {
		t.Errorf("lost are %s", got)
	}
}

// TestGuard checks that the castle that the guard saves from two soldiers takes two hits in wave 1 and one in each
// other wave.
func TestGuard(t *testing.T) {
	if got := StrongestGuarded(); got != 2+GuardWave-1 {
		t.Errorf("up to %d hits", got)
	}
	if b, found := GuardedOtherwise(); found {
		t.Errorf("%v is stopped, or not, against the rule", b)
	}
}

// TestFirstLost checks that the program plays like the registered heuristic, so it loses the same battle in the same
// wave.
func TestFirstLost(t *testing.T) {
	p := Params{Soldiers: 9, Castle: span2(1, 40), Defenders: span2(1, 20)}
	found := FirstLost(p, listings.CastleExamples[0].Text)
	for s := p.Castle.First; s <= p.Castle.Last; s++ {
		for d := p.Defenders.First; d <= p.Defenders.Last; d++ {
			b := Battle(p.Soldiers, s, d)
			line := b.Play(game.CastleFirst)
			if b.MinWaves() == 0 || line.Winner == game.Soldiers {
				continue
			}
			if found != (LostByProgram{b, line.Waves, 40 * 20}) {
				t.Errorf("found %+v, the first is %v, lost in wave %d", found, b, line.Waves)
			}
			return
		}
	}
	t.Error("castle first loses nothing there")
}

// TestTwoSoldiers checks the law of an exercise; tests 2 and 24 are examples of it.
func TestTwoSoldiers(t *testing.T) {
	const strongest = 60
	for _, number := range []int{2, 24} {
		if b := PostTests()[number].Battle; b.Soldiers != 2 || b.DefendersPerWave != 1 || b.CastleHits > strongest {
			t.Errorf("test %d is %v, not two soldiers against one defender", number, b)
		}
	}
	two := big.NewInt(2)
	for s := int64(4); s <= strongest; s++ {
		counts := WaysOf(Battle(2, s, 1))
		holds := len(counts.Soldiers) == 1 && counts.Soldiers[0].Wave == s-1 && counts.Soldiers[0].Ways.Cmp(two) == 0 &&
			int64(len(counts.Castle)) == s-4
		for i, c := range counts.Castle {
			holds = holds && c.Wave == int64(i+3) && c.Ways.Cmp(two) == 0
		}
		if !holds {
			t.Errorf("two soldiers, %d hits: %v", s, counts)
		}
	}
}

// TestWastefulPaths checks that battles in which no shot can be wasted have the same number of paths with and without
// waste.
func TestWastefulPaths(t *testing.T) {
	for _, b := range []game.Battle{Battle(3, 10, 4), Battle(5, 37, 5), PostTests()[WalkedTest].Battle} {
		counts := WaysOf(b)
		all, won := WastefulPaths(b, b.Start())
		if legal := AllPaths(counts).Int64(); int64(all) < legal || int64(won) < counts.Castle.Total().Int64() ||
			b.CastleHits > 3*b.Soldiers && int64(all) != legal {
			t.Errorf("%v: %d paths with waste, %d of them the castle's; %d without", b, all, won, legal)
		}
	}
}
