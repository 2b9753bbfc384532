package castle

import (
	"context"
	"errors"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/totalstest"
)

// slowly adds up the battles of a survey by nested loops. The function fewest returns the fewest waves of a battle, or
// 0 if there are none. The function add adds the answer of an algorithm to its tally.
func slowly(s Survey, algorithms []Algorithm, fewest func(Battle) int64, add func(*Tally, Algorithm, Battle, int64),
) Totals {
	totals := Totals{MinWaves: map[int64]int64{}}
	for _, a := range algorithms {
		totals.Algorithms = append(totals.Algorithms, Tally{Name: a.Name})
	}
	for b := range battles(s.Soldiers, s.Castle, s.Defenders) {
		exact := fewest(b)
		totals.Battles++
		if exact > 0 {
			totals.Winnable++
			totals.MinWaves[exact]++
		}
		totals.Checksum += naiveChecksum(b, exact)
		for i, a := range algorithms {
			add(&totals.Algorithms[i], a, b, exact)
		}
	}
	return totals
}

// naiveSurvey surveys 1..n, 1..s, 1..d. It plays the heuristics wave by wave, and finds the exact answer by exhaustive
// search.
func naiveSurvey(t tester, n, s, d int64) Survey {
	t.Helper()
	survey := Survey{Soldiers: to(n), Castle: to(s), Defenders: to(d)}
	var searches []naiveSearch
	for i := range d + 1 {
		searches = append(searches, newNaiveSearch(i))
	}
	fewest := func(b Battle) int64 { return int64(searches[b.DefendersPerWave].battle(b).soldiers) }
	survey.Totals = slowly(survey, DefaultSurveyed(), fewest, func(tally *Tally, a Algorithm, b Battle, exact int64) {
		if win, waves, asked := naiveSays(t, a, b); asked {
			naiveTally(tally, b, exact, win, waves)
		}
	})
	return survey
}

// plainSurvey asks the library about one battle after another.
func plainSurvey(t tester, s Survey, algorithms []Algorithm) Totals {
	t.Helper()
	return slowly(s, algorithms, Battle.MinWaves, func(tally *Tally, a Algorithm, b Battle, exact int64) {
		if a.Affordable == nil || a.Affordable(b) {
			tally.count(b, must.Get(a.Answer(t.Context(), b, Effort{})), exact)
		}
	})
}

// naiveSays reports whether an algorithm predicts that the soldiers win, and in how many waves; asked is false if
// surveys do not use the algorithm for this battle.
func naiveSays(t tester, a Algorithm, b Battle) (win bool, waves float64, asked bool) {
	switch {
	case a.Affordable != nil && !a.Affordable(b):
		return false, 0, false
	case a.Question == PlaysLine:
		strategy, wave := a.Strategy(b), int64(0)
		line := naivePlay(b, func(s naiveState) int {
			wave++
			return int(strategy(wave, State{int64(s.soldiers), uint64(s.defenders), int64(s.hits)}).AtDefenders)
		})
		return line.Winner == Soldiers, float64(line.Waves), true
	case a.Name == "published":
		waves, _, ok := b.Published()
		return ok, waves, true // waves may be 0 or less
	}
	answer := must.Get(a.Answer(t.Context(), b, Effort{}))
	return answer.Winner == Soldiers, float64(answer.Waves), true
}

func naiveTally(t *Tally, b Battle, exact int64, win bool, waves float64) {
	t.Battles++
	first := func(at **Battle) {
		if *at == nil { // battles come in order, so this is the first
			*at = &b
		}
	}
	switch e := float64(exact); {
	case win != (exact > 0):
		t.WrongSide++
		first(&t.First.WrongSide)
	case !win || waves == e:
		t.Right++
		if win {
			t.RightWinnable++
		}
	case waves < e:
		t.TooFew++
		first(&t.First.TooFew)
	default:
		t.TooMany++
		first(&t.First.TooMany)
		extra := int64(waves - e)
		t.ExtraWavesSum.low += uint64(extra)
		if extra > t.ExtraWavesMax {
			t.ExtraWavesMax, t.ExtraWavesMaxAt = extra, &b
		}
	}
}

// naiveChecksum evaluates the formula of the documentation word by word.
func naiveChecksum(b Battle, waves int64) Checksum {
	mix := func(x uint64) uint64 {
		for range 2 {
			x = x * 0x9e3779b97f4a7c15
			x = x + x/(1<<32)
		}
		return x
	}
	n, s, d, w := uint64(b.Soldiers), uint64(b.CastleHits), uint64(b.DefendersPerWave), uint64(waves)
	return Checksum((2*mix(mix(mix(n)+d)+s) + 1) * (w + 1))
}

// tester is implemented by testing.T and rapid.T.
type tester interface {
	rapid.TB
	Context() context.Context
}

func mustSurvey(t tester, soldiers, castle, defenders grid.Range, options SurveyOptions) Survey {
	t.Helper()
	return must.Get(NewSurvey(t.Context(), soldiers, castle, defenders, options))
}

func TestSurveyAgainstDoubleLoop(t *testing.T) {
	want := naiveSurvey(t, 12, 60, 30)
	totalstest.Same(t, want, mustSurvey(t, want.Soldiers, want.Castle, want.Defenders, SurveyOptions{}))
	sum := func(c Tally) int64 { return c.Right + c.WrongSide + c.TooMany + c.TooFew }
	for _, c := range want.Algorithms {
		if all := c.Name != "search"; sum(c) != c.Battles || all != (c.Battles == 12*60*30) || c.Battles == 0 {
			t.Errorf("%s: %d verdicts on %d battles", c.Name, sum(c), c.Battles)
		}
	}
}

// TestSurveyOfManyBlocks checks a survey with more battles than a worker sums up at a time, with rows longer than a
// worker compares at a time, and with numbers of waves that are too large for the array of small numbers. A worker
// reuses memory, which must not keep numbers of the previous block.
func TestSurveyOfManyBlocks(t *testing.T) {
	want := Survey{Soldiers: grid.Range{First: 2, Last: 12}, Castle: to(5000), Defenders: to(5)}
	want.Totals = plainSurvey(t, want, withoutSearch())
	if _, beyond := want.MinWaves[4000]; want.Battles < 4*surveyBlock || !beyond {
		t.Fatalf("%d battles, in 4000 waves: %v", want.Battles, beyond)
	}
	for _, workers := range []int{1, 3} {
		totalstest.Same(t, want, mustSurvey(t, want.Soldiers, want.Castle, want.Defenders,
			SurveyOptions{Algorithms: withoutSearch(), Workers: workers}))
	}
	// This survey has more soldiers, with few defenders and with many.
	want.Soldiers, want.Castle, want.Defenders = grid.Range{First: 13, Last: 40}, to(200), to(90)
	want.Totals = plainSurvey(t, want, withoutSearch())
	totalstest.Same(t, want, mustSurvey(t, want.Soldiers, want.Castle, want.Defenders,
		SurveyOptions{Algorithms: withoutSearch()}))
}

// drawRange draws a short range of positive numbers anywhere.
func drawRange(t *rapid.T, label string, longest int64) grid.Range {
	first := drawPositive(t, label)
	return grid.Range{First: first, Last: first +
		min(rapid.Int64Range(0, longest-1).Draw(t, label+" more"), math.MaxInt64-first)}
}

// TestSurveyAnywhere compares surveys of any numbers up to the largest with single answers.
func TestSurveyAnywhere(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, s, d := drawRange(t, "n", 3), drawRange(t, "s", 40), drawRange(t, "d", 3)
		if rapid.Bool().Draw(t, "d below n") {
			d.First = max(1, n.First-rapid.Int64Range(1, 40).Draw(t, "n-d"))
			d.Last = d.First
		}
		want := Survey{Soldiers: n, Castle: s, Defenders: d}
		want.Totals = plainSurvey(t, want, DefaultSurveyed())
		got := must.Get(NewSurvey(t.Context(), n, s, d, SurveyOptions{Workers: 2}))
		totalstest.Same(t, want, got)
		must.Do(t, got.Validate())
		totalstest.RoundTrip(t, got)
	})
}

// TestExtraWavesBeyondAWord checks that the waves that a hundred battles waste are added up although they exceed an
// int64.
func TestExtraWavesBeyondAWord(t *testing.T) {
	n := int64(1) << 62
	survey := mustSurvey(t, grid.Range{First: n, Last: n}, grid.Range{First: math.MaxInt64 - 99, Last: math.MaxInt64},
		grid.Range{First: n - 1, Last: n - 1}, SurveyOptions{})
	tally, ok := survey.Of("defenders-first")
	want := new(big.Int)
	for b := range battles(survey.Soldiers, survey.Castle, survey.Defenders) {
		want.Add(want, big.NewInt(b.Play(DefendersFirst).Waves-b.MinWaves()))
	}
	if !ok || tally.TooMany != 100 || want.IsInt64() || tally.ExtraWavesSum.String() != want.String() {
		t.Errorf("%+v, want a sum of %v", tally, want)
	}
	totalstest.RoundTrip(t, survey)
}

// TestPartsInAnyOrder cuts a grid into parts of any size, which any number of workers survey. It adds the parts in any
// order, in pairs or one after another.
func TestPartsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := mustSurvey(t, drawRange20(t, "n"), drawRange20(t, "s"), drawRange20(t, "d"), SurveyOptions{Workers: 1})
		empty := Survey{Soldiers: whole.Soldiers, Castle: whole.Castle, Defenders: whole.Defenders}
		empty.Totals = totalstest.Sum(t, whole.Battles, func(block grid.Block) Totals {
			options := SurveyOptions{Workers: rapid.IntRange(0, 3).Draw(t, "workers")}
			part, err := empty.Part(t.Context(), block, options)
			if err != nil || part.Battles != block.Size {
				t.Fatalf("part of %d battles: %d, %v", block.Size, part.Battles, err)
			}
			return part
		})
		if got, want := totalstest.Text(empty), totalstest.Text(whole); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	})
}

func drawRange20(t *rapid.T, label string) grid.Range {
	first := rapid.Int64Range(1, 20).Draw(t, label)
	return grid.Range{First: first, Last: first + rapid.Int64Range(0, 12).Draw(t, label+" more")}
}

// TestAddLeavesItsArguments checks that Add does not change the totals that it adds.
func TestAddLeavesItsArguments(t *testing.T) {
	one, fifty := to(9), to(50)
	a := mustSurvey(t, one, fifty, one, SurveyOptions{})
	before := totalstest.Text(a)
	b := mustSurvey(t, grid.Range{First: 10, Last: 12}, fifty, one, SurveyOptions{})
	var sum Totals
	for _, u := range []Totals{a.Totals, b.Totals} {
		must.Do(t, sum.Add(u))
	}
	if after := totalstest.Text(a); after != before {
		t.Errorf("was %s\nis  %s", before, after)
	}
	// If the algorithms differ, each has answered only its own battles.
	exact, _ := AlgorithmNamed("exact")
	published, _ := AlgorithmNamed("published")
	mixed := mustSurvey(t, one, fifty, one, SurveyOptions{Algorithms: []Algorithm{published, exact}}).Totals
	if len(mixed.Algorithms) != 2 || mixed.Algorithms[0].Name != "exact" {
		t.Errorf("algorithms %v, want the order of the table", mixed.Algorithms)
	}
	must.Do(t, mixed.Add(b.Totals))
	only, _ := b.Of("castle-first")
	both, _ := mixed.Of("castle-first")
	if all, _ := mixed.Of("exact"); only != both || all.Battles != mixed.Battles ||
		len(mixed.Algorithms) != len(b.Algorithms) {
		t.Errorf("%+v", mixed.Algorithms)
	}
	full := Totals{Battles: math.MaxInt64}
	if err := full.Add(Totals{Battles: 1, Winnable: 1}); err == nil || full.Winnable != 0 {
		t.Errorf("%+v, %v", full, err)
	}
}

func surveyText() string {
	return strings.TrimSpace(string(must.Get(os.ReadFile("testdata/survey.json"))))
}

// TestSurveyJSON checks the names and the order of the members, and that numbers are in the order of their values.
func TestSurveyJSON(t *testing.T) {
	castleFirst, _ := AlgorithmNamed("castle-first")
	defendersFirst, _ := AlgorithmNamed("defenders-first")
	survey := mustSurvey(t, grid.Range{First: 9, Last: 10}, grid.Range{First: 11, Last: 43},
		grid.Range{First: 8, Last: 8}, SurveyOptions{Algorithms: []Algorithm{castleFirst, defendersFirst}})
	if got := totalstest.Text(survey); got != surveyText() {
		t.Errorf("got  %s\nwant %s", got, surveyText())
	}
	const empty = `{"soldiers":"1","castle_hits":"1","defenders_per_wave":"1","battles":0,"winnable":0,"by_min_waves":{},` +
		`"algorithms":[],"checksum":"0000000000000000"}`
	if got := totalstest.Text(Survey{Soldiers: to(1), Castle: to(1), Defenders: to(1)}); got != empty {
		t.Errorf("empty: %s", got)
	}
}

// TestBadSurveys changes a survey's text in one place at a time, and expects an error that names the place.
func TestBadSurveys(t *testing.T) { totalstest.Faults[Survey](t, tables, surveyText()) }

// FuzzSurveyJSON checks that a survey that can be read is written so that it can be read again.
func FuzzSurveyJSON(f *testing.F) { totalstest.Fuzz[Survey](f, surveyText()) }

// TestSurveyErrors checks that an invalid survey is refused in one line, before any work begins.
func TestSurveyErrors(t *testing.T) {
	type row struct {
		Soldiers, Castle, Defenders grid.Range
		Algorithms                  []string
	}
	must.Refusals(t, tables, func(row row) error {
		var options SurveyOptions
		for _, name := range row.Algorithms {
			a, _ := AlgorithmNamed(name)
			options.Algorithms = append(options.Algorithms, a)
		}
		survey, err := NewSurvey(t.Context(), row.Soldiers, row.Castle, row.Defenders, options)
		if survey.Battles != 0 {
			t.Errorf("%+v: %d battles", row, survey.Battles)
		}
		return err
	})
	five := Survey{Soldiers: to(1), Castle: to(5), Defenders: to(1)}
	for _, block := range []grid.Block{
		{First: -1, Size: 1},
		{First: 0, Size: 6},
		{First: 5, Size: 1},
		{First: 1, Size: -1},
		{First: 1, Size: math.MaxInt64},
	} {
		_, err := five.Part(t.Context(), block, SurveyOptions{})
		must.ErrorContains(t, err, "the battles are numbered 0 to 4", block)
	}
}

// TestSurveyStops checks that a survey that is canceled during its work returns the cause, and no totals.
func TestSurveyStops(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	calls := 0
	progress := func(done, all int64) {
		if calls++; done < 1 || done > all || all != 1e9 {
			t.Errorf("%d of %d done", done, all)
		}
		cancel(must.ErrEnough)
	}
	r := to(1000)
	survey, err := NewSurvey(ctx, r, r, r, SurveyOptions{Progress: progress})
	if !must.Stopped(err) || survey.Battles != 0 || calls != 1 {
		t.Errorf("%v, %d battles, %d calls", err, survey.Battles, calls)
	}
}

// TestAffordable checks that no search in the box of small battles examines more than 2^15 moves.
func TestAffordable(t *testing.T) {
	search, _ := AlgorithmNamed("search")
	counting, _ := AlgorithmNamed("counting")
	asked := 0
	for b := range upTo(13, 37, 25) {
		if search.Affordable(b) != counting.Affordable(b) {
			t.Fatalf("%v: affordable for one of them", b)
		}
		if !search.Affordable(b) {
			continue
		}
		asked++
		answer, err := search.Answer(t.Context(), b, Effort{Steps: 1 << 15})
		if err != nil || answer.SoldiersVerdict(b.MinWaves()) != Right {
			t.Fatalf("%v: %+v, %v", b, answer, err)
		}
	}
	if want := 12 * 36 * 24; asked != want {
		t.Errorf("asked about %d battles, want the box of %d", asked, want)
	}
	for _, b := range []Battle{{13, 1, 1}, {1, 37, 1}, {1, 1, 25}, {math.MaxInt64, math.MaxInt64, math.MaxInt64}} {
		if search.Affordable(b) {
			t.Errorf("%v is affordable", b)
		}
	}
}

// TestSurveyOutOfEffort checks that a survey leaves out the battles that an algorithm cannot finish. It leaves out the
// same battles on any number of cores and in any parts.
func TestSurveyOutOfEffort(t *testing.T) {
	search, _ := AlgorithmNamed("search")
	stubborn := Algorithm{
		Name: "stubborn", Question: PlaysLine,
		Answer: func(ctx context.Context, b Battle, effort Effort) (Answer, error) {
			if b.CastleHits > 20 {
				return Answer{}, &LimitError{b, effort.Steps}
			}
			return Answer{}, nil // no answer, which does not claim a win
		},
	}
	r := to(30)
	options := SurveyOptions{Algorithms: []Algorithm{stubborn, search}, Effort: Effort{Steps: 100}, Workers: 1}
	survey := mustSurvey(t, r, r, r, options)
	options.Workers = 4
	totalstest.Same(t, survey, mustSurvey(t, r, r, r, options))
	if search := survey.Algorithms[0]; search.Battles != search.Right || search.Battles < 1000 ||
		search.Battles >= 12*30*24 {
		t.Errorf("%+v", search)
	}
	lost := int64(0)
	for b := range upTo(30, 20, 30) {
		if b.MinWaves() == 0 {
			lost++
		}
	}
	want := Tally{
		Name: "stubborn", Battles: 30 * 20 * 30, Right: lost, WrongSide: 30*20*30 - lost,
		First: FirstErrors{WrongSide: &Battle{1, 1, 1}},
	}
	totalstest.Same(t, want, survey.Algorithms[1])
	broken := Algorithm{Name: "broken", Answer: func(context.Context, Battle, Effort) (Answer, error) {
		return Answer{}, errors.New("broken")
	}}
	if _, err := NewSurvey(t.Context(), r, r, r, SurveyOptions{Algorithms: []Algorithm{broken}}); err == nil ||
		err.Error() != `algorithm "broken", battle (1, 1, 1): broken` {
		t.Errorf("%v", err)
	}
}

// TestSoldiersVerdict checks the answers for which Verdict differs, and the edge cases.
func TestSoldiersVerdict(t *testing.T) {
	type row struct {
		Winner  Winner
		Waves   int64
		InFloat float64
		Fewest  int64
	}
	must.Answers(t, tables, func(row row) []any {
		answer := Answer{Winner: row.Winner, Waves: row.Waves, InFloat: row.InFloat}
		return []any{answer.SoldiersVerdict(row.Fewest)}
	})
	for _, test := range []struct {
		answer Answer
		want   int64
	}{
		{Answer{Winner: Soldiers, Waves: math.MaxInt64}, math.MaxInt64 - 1},
		{Answer{Winner: Soldiers, InFloat: 1 << 60}, 1<<60 - 1},
		{Answer{Winner: Soldiers, InFloat: 2.5}, 2},
		{Answer{Winner: Soldiers, InFloat: 1e30}, math.MaxInt64},
	} {
		if got := test.answer.extraWaves(1); got != test.want {
			t.Errorf("%+v: %d extra waves, want %d", test.answer, got, test.want)
		}
	}
}

// TestChecksum compares checksums with values that a program in another language has computed from the formula. It also
// checks that one changed answer always changes the checksum.
func TestChecksum(t *testing.T) {
	type row struct {
		Battle Battle
		Waves  int64
		Want   Checksum
	}
	for at, row := range must.Table[row](t, tables, "TestChecksum") {
		if got := checksumOf(row.Battle, row.Waves); got != row.Want || got != naiveChecksum(row.Battle, row.Waves) {
			t.Errorf("%s: %v, want %v", at, got, row.Want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		b := Battle{drawPositive(t, "n"), drawPositive(t, "s"), drawPositive(t, "d")}
		waves, other := drawPositive(t, "waves")-1, drawPositive(t, "other waves")-1
		if checksumOf(b, waves) != naiveChecksum(b, waves) || waves != other &&
			checksumOf(b, waves) == checksumOf(b, other) {
			t.Fatalf("%v in %d or %d waves: %v and %v", b, waves, other, checksumOf(b, waves), checksumOf(b, other))
		}
		var read Checksum
		if text, _ := checksumOf(b, waves).MarshalText(); read.UnmarshalText(text) != nil ||
			read != checksumOf(b, waves) {
			t.Fatalf("%s is read as %v", text, read)
		}
	})
}

// TestChecksumSwaps exchanges any two different answers of a grid. The checksum must change each time.
func TestChecksumSwaps(t *testing.T) {
	type known struct {
		b              Battle
		factor, answer uint64
	}
	var all []known
	for b := range upTo(12, 36, 24) {
		factor := checksumOf(b, 1) - checksumOf(b, 0)
		all = append(all, known{b, uint64(factor), uint64(b.MinWaves())})
	}
	for i, a := range all {
		for _, b := range all[:i] {
			if a.answer != b.answer && (a.factor-b.factor)*(a.answer-b.answer) == 0 {
				t.Fatalf("%v and %v can change places", a.b, b.b)
			}
		}
	}
}
