package castle

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
)

// naiveSurvey is a survey of 1..n, 1..s, 1..d by one loop inside the other, with each algorithm's own road: the
// heuristics wave by wave, and the exact answer by exhaustive search.
func naiveSurvey(t tester, n, s, d int64) Survey {
	t.Helper()
	survey := Survey{
		Soldiers: grid.Range{First: 1, Last: n}, Castle: grid.Range{First: 1, Last: s},
		Defenders: grid.Range{First: 1, Last: d},
	}
	survey.MinWaves = map[int64]int64{}
	for _, a := range DefaultSurveyed() {
		survey.Algorithms = append(survey.Algorithms, Tally{Name: a.Name})
	}
	searches := make([]naiveSearch, d+1)
	for i := range searches {
		searches[i] = newNaiveSearch(i)
	}
	for soldiers := int64(1); soldiers <= n; soldiers++ {
		for hits := int64(1); hits <= s; hits++ {
			for defenders := int64(1); defenders <= d; defenders++ {
				b := Battle{soldiers, hits, defenders}
				exact := int64(searches[defenders].battle(int(soldiers), int(hits)).soldiers)
				survey.Battles++
				if exact > 0 {
					survey.Winnable++
					survey.MinWaves[exact]++
				}
				survey.Checksum += naiveChecksum(b, exact)
				for i, a := range DefaultSurveyed() {
					if win, waves, asked := naiveSays(t, a, b); asked {
						naiveTally(&survey.Algorithms[i], b, exact, win, waves)
					}
				}
			}
		}
	}
	return survey
}

// naiveSays returns whether an algorithm says that the soldiers win, and in how many waves; asked is false if a survey
// does not ask it.
func naiveSays(t tester, a Algorithm, b Battle) (win bool, waves float64, asked bool) {
	switch {
	case a.Affordable != nil && !a.Affordable(b):
		return false, 0, false
	case a.Question == PlaysLine:
		strategy, wave := a.Strategy(b), int64(0)
		line := naivePlay(int(b.Soldiers), int(b.CastleHits), int(b.DefendersPerWave), func(s naiveState) int {
			wave++
			return int(strategy(wave, State{int64(s.soldiers), uint64(s.defenders), int64(s.hits)}).AtDefenders)
		})
		return line.Winner == Soldiers, float64(line.Waves), true
	case a.Name == "published":
		waves, _, ok := b.Published()
		return ok, waves, true // which may be 0 waves or fewer
	}
	answer := must.Get(a.Answer(t.Context(), b, Effort{}))
	return answer.Winner == Soldiers, float64(answer.Waves), true
}

func naiveTally(t *Tally, b Battle, exact int64, win bool, waves float64) {
	t.Battles++
	first := func(at **Battle) {
		if *at == nil { // battles come in their order
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

// naiveChecksum is the formula of the documentation, word by word.
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

// tester is a testing.T or a rapid.T.
type tester interface {
	Helper()
	Context() context.Context
	Fatalf(format string, args ...any)
}

// sameSurvey compares every number of two surveys.
func sameSurvey(t tester, want, got Survey) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(WaveSum{}), cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("(-want +got)\n%s", diff)
	}
}

func mustSurvey(t tester, soldiers, castle, defenders grid.Range, options SurveyOptions) Survey {
	t.Helper()
	return must.Get(NewSurvey(t.Context(), soldiers, castle, defenders, options))
}

func TestSurveyAgainstDoubleLoop(t *testing.T) {
	want := naiveSurvey(t, 12, 60, 30)
	sameSurvey(t, want, mustSurvey(t, want.Soldiers, want.Castle, want.Defenders, SurveyOptions{}))
	sum := func(c Tally) int64 { return c.Right + c.WrongSide + c.TooMany + c.TooFew }
	for _, c := range want.Algorithms {
		if all := c.Name != "search"; sum(c) != c.Battles || all != (c.Battles == 12*60*30) || c.Battles == 0 {
			t.Errorf("%s: %d verdicts on %d battles", c.Name, sum(c), c.Battles)
		}
	}
}

// TestSurveyOfManyBlocks takes more battles than a worker sums up at a time, rows longer than are compared at a time,
// and more numbers of waves than are common. The memory that a worker reuses must not keep the previous block.
func TestSurveyOfManyBlocks(t *testing.T) {
	want := Survey{
		Soldiers: grid.Range{First: 2, Last: 12}, Castle: grid.Range{First: 1, Last: 5000},
		Defenders: grid.Range{First: 1, Last: 5},
	}
	want.Totals = plainSurvey(t, want, withoutSearch())
	if _, beyond := want.MinWaves[4000]; want.Battles < 4*surveyBlock || !beyond {
		t.Fatalf("%d battles, in 4000 waves: %v", want.Battles, beyond)
	}
	for _, workers := range []int{1, 3} {
		sameSurvey(t, want, mustSurvey(t, want.Soldiers, want.Castle, want.Defenders,
			SurveyOptions{Algorithms: withoutSearch(), Workers: workers}))
	}
	// More soldiers, with few defenders and with many.
	want.Soldiers, want.Castle, want.Defenders = grid.Range{First: 13, Last: 40}, grid.Range{First: 1, Last: 200},
		grid.Range{First: 1, Last: 90}
	want.Totals = plainSurvey(t, want, withoutSearch())
	sameSurvey(t, want, mustSurvey(t, want.Soldiers, want.Castle, want.Defenders,
		SurveyOptions{Algorithms: withoutSearch()}))
}

// drawRange draws a short range of positive numbers anywhere.
func drawRange(t *rapid.T, label string, longest int64) grid.Range {
	first := drawPositive(t, label)
	return grid.Range{First: first, Last: first +
		min(rapid.Int64Range(0, longest-1).Draw(t, label+" more"), math.MaxInt64-first)}
}

// TestSurveyAnywhere compares surveys of any numbers up to the largest with one answer after the other.
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
		sameSurvey(t, want, got)
		must.Do(t, got.Validate())
		checkRoundTrip(t, got)
	})
}

// everyBattle calls a function for each battle of a survey, the defenders fastest.
func everyBattle(s Survey, f func(Battle)) {
	all := must.Get(grid.Product(s.Soldiers, s.Castle, s.Defenders))
	for point := range all.Points(grid.Block{Size: all.Size()}) {
		f(Battle{point[0], point[1], point[2]})
	}
}

// TestExtraWavesBeyondAWord: waves that are lost by a hundred battles do not fit in an int64.
func TestExtraWavesBeyondAWord(t *testing.T) {
	n := int64(1) << 62
	survey := mustSurvey(t, grid.Range{First: n, Last: n}, grid.Range{First: math.MaxInt64 - 99, Last: math.MaxInt64},
		grid.Range{First: n - 1, Last: n - 1}, SurveyOptions{})
	tally, ok := survey.Of("defenders-first")
	want := new(big.Int)
	everyBattle(survey, func(b Battle) {
		want.Add(want, big.NewInt(b.Play(DefendersFirst).Waves-b.MinWaves()))
	})
	if !ok || tally.TooMany != 100 || want.IsInt64() || tally.ExtraWavesSum.String() != want.String() {
		t.Errorf("%+v, want a sum of %v", tally, want)
	}
	checkRoundTrip(t, survey)
}

// TestPartsInAnyOrder cuts a grid into parts of any size, which are surveyed by any number of workers and added in any
// order, in pairs or one after the other.
func TestPartsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := mustSurvey(t, drawRange20(t, "n"), drawRange20(t, "s"), drawRange20(t, "d"), SurveyOptions{Workers: 1})
		want := marshal(t, whole)
		empty := Survey{Soldiers: whole.Soldiers, Castle: whole.Castle, Defenders: whole.Defenders}
		var parts []Totals
		for first := int64(0); first < whole.Battles; {
			size := rapid.Int64Range(0, whole.Battles-first).Draw(t, "size")
			part, err := empty.Part(t.Context(), grid.Block{First: first, Size: size},
				SurveyOptions{Workers: rapid.IntRange(0, 3).Draw(t, "workers")})
			if err != nil || part.Battles != size {
				t.Fatalf("part of %d battles: %d, %v", size, part.Battles, err)
			}
			parts = append(parts, part)
			first += size
		}
		for parts = rapid.Permutation(parts).Draw(t, "order"); len(parts) > 1; {
			i := rapid.IntRange(0, len(parts)-2).Draw(t, "pair")
			var sum Totals
			for _, part := range []Totals{parts[i], {}, parts[i+1]} {
				must.Do(t, sum.Add(part))
			}
			parts = append(append(slices.Clone(parts[:i]), sum), parts[i+2:]...)
		}
		empty.Totals = parts[0]
		if got := marshal(t, empty); got != want {
			t.Fatalf("got %s\nwant %s", got, want)
		}
	})
}

func drawRange20(t *rapid.T, label string) grid.Range {
	first := rapid.Int64Range(1, 20).Draw(t, label)
	return grid.Range{First: first, Last: first + rapid.Int64Range(0, 12).Draw(t, label+" more")}
}

func marshal(t tester, s Survey) string {
	t.Helper()
	text := must.Get(json.Marshal(s))
	return string(text)
}

// checkRoundTrip reads back what is written.
func checkRoundTrip(t tester, s Survey) {
	t.Helper()
	var read Survey
	if err := json.Unmarshal([]byte(marshal(t, s)), &read); err != nil {
		t.Fatalf("%v", err)
	}
	sameSurvey(t, s, read)
}

// TestAddLeavesItsArguments: the totals that are added stay as they were.
func TestAddLeavesItsArguments(t *testing.T) {
	one, fifty := grid.Range{First: 1, Last: 9}, grid.Range{First: 1, Last: 50}
	a := mustSurvey(t, one, fifty, one, SurveyOptions{})
	before := marshal(t, a)
	b := mustSurvey(t, grid.Range{First: 10, Last: 12}, fifty, one, SurveyOptions{})
	var sum Totals
	for _, u := range []Totals{a.Totals, b.Totals} {
		must.Do(t, sum.Add(u))
	}
	if after := marshal(t, a); after != before {
		t.Errorf("was %s\nis  %s", before, after)
	}
	// Different algorithms: each has answered its own battles.
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

const surveyText = `{"soldiers":"9:10","castle":"11:43","defenders":"8","battles":66,"winnable":66,"min_waves":{"2":2,"3":9,"4":3,"5":3,"6":3,"7":3,"8":3,"9":3,"10":3,"11":3,"12":3,"13":3,"14":3,"15":3,"16":3,"17":1,"18":1,"19":1,"20":1,"21":1,"22":1,"23":1,"24":1,"25":1,"26":1,"27":1,"28":1,"29":1,"30":1,"31":1,"32":1},` +
	`"algorithms":[{"name":"castle-first","battles":66,"right":13,"right_winnable":13,"wrong_side":53,"too_many":0,"too_few":0,"extra_waves_sum":"0","extra_waves_max":0,"extra_waves_max_at":null,"first":{"wrong_side":[9,16,8],"too_many":null,"too_few":null}},` +
	`{"name":"defenders-first","battles":66,"right":5,"right_winnable":5,"wrong_side":0,"too_many":61,"too_few":0,"extra_waves_sum":"136","extra_waves_max":3,"extra_waves_max_at":[9,14,8],"first":{"wrong_side":null,"too_many":[9,12,8],"too_few":null}}],"checksum":"ee7249e2cfd2726f"}`

// TestSurveyJSON looks at the names of the members and their order, and at numbers in the order of their values.
func TestSurveyJSON(t *testing.T) {
	castleFirst, _ := AlgorithmNamed("castle-first")
	defendersFirst, _ := AlgorithmNamed("defenders-first")
	survey := mustSurvey(t, grid.Range{First: 9, Last: 10}, grid.Range{First: 11, Last: 43},
		grid.Range{First: 8, Last: 8}, SurveyOptions{Algorithms: []Algorithm{castleFirst, defendersFirst}})
	if got := marshal(t, survey); got != surveyText {
		t.Errorf("got  %s\nwant %s", got, surveyText)
	}
	if got := marshal(t, Survey{
		Soldiers: grid.Range{First: 1, Last: 1}, Castle: grid.Range{First: 1, Last: 1},
		Defenders: grid.Range{First: 1, Last: 1},
	}); got !=
		`{"soldiers":"1","castle":"1","defenders":"1","battles":0,"winnable":0,"min_waves":{},"algorithms":[],"checksum":"0000000000000000"}` {
		t.Errorf("empty: %s", got)
	}
}

// TestBadSurveys changes a survey's text in one place, and expects an error that says where.
func TestBadSurveys(t *testing.T) {
	for _, test := range []struct{ old, wrong, want string }{
		{`"9:10"`, `"10:9"`, `range "10:9": runs backwards`},
		{`"9:10"`, `"0:10"`, `"0": too small, use 1 or more`},
		{`"battles":66,"winnable":66`, `"battles":67,"winnable":66`, "battles = 67: must be from 0 to the 66 of the " +
			"grid"},
		{`"winnable":66`, `"winnable":65`, "must be positive numbers whose sum is winnable = 65"},
		{`{"2":2,`, `{"2":1,`, "winnable = 66: must be the sum of min_waves, 65"},
		{`{"2":2,`, `{"0":2,`, "min_waves 0: 2: must be positive"},
		{
			`"right":13,`, `"right":14,`,
			`algorithm "castle-first": wrong_side = 53: the verdicts must be natural numbers ` +
				`whose sum is battles = 66`,
		},
		{`"right_winnable":13`, `"right_winnable":14`, "right_winnable = 14: must be from 0 to right = 13"},
		{`"too_many":61`, `"too_many":60`, "battles = 66: must be the sum of the verdicts"},
		{
			`"extra_waves_sum":"136"`, `"extra_waves_sum":"184"`,
			"extra_waves_sum = 184: not possible for too_many = 61 of at most extra_waves_max = 3",
		},
		{`"extra_waves_sum":"136"`, `"extra_waves_sum":"-1"`, `sum of waves "-1": not a whole number`},
		{`"extra_waves_sum":"136"`, `"extra_waves_sum":136`, "cannot unmarshal"},
		{`"extra_waves_max":3`, `"extra_waves_max":0`, "extra_waves_max = 0: must be positive"},
		{`[9,14,8]`, `null`, "extra_waves_max = 3: must be positive and have its battle"},
		{`[9,14,8]`, `[9,14]`, "battle [9,14]: write three numbers"},
		{`[9,14,8]`, `[9,14,9]`, "extra_waves_max_at = (9, 14, 9): not in the grid"},
		{`[9,16,8]`, `null`, "first wrong_side: must be there"},
		{`[9,16,8]`, `[8,16,8]`, "first wrong_side = (8, 16, 8): not in the grid"},
		{`"defenders-first"`, `"castle-first"`, `algorithm "castle-first": named twice`},
		{`"ee7249e2cfd2726f"`, `"EE7249E2CFD2726F"`, `checksum "EE7249E2CFD2726F": not 16 hexadecimal digits`},
		{`"checksum"`, `"check":1,"checksum"`, `unknown field "check"`},
		{`"too_many":null,`, ``, `member "algorithms"`},
		{`"9:10"`, `"09:10"`, `member "soldiers"`},
		{surveyText, surveyText + "{}", "after top-level value"},
	} {
		text := strings.Replace(surveyText, test.old, test.wrong, 1)
		survey := Survey{Totals: Totals{Battles: 7}}
		err := json.Unmarshal([]byte(text), &survey)
		if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") ||
			survey.Battles != 7 {
			t.Errorf("%s for %s: %v, want %q", test.wrong, test.old, err, test.want)
		}
	}
}

// FuzzSurveyJSON: whatever is read is written as it can be read again.
func FuzzSurveyJSON(f *testing.F) {
	f.Add(surveyText)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		var survey Survey
		if json.Unmarshal([]byte(text), &survey) == nil {
			checkRoundTrip(t, survey)
		}
	})
}

// TestSurveyErrors: what cannot be surveyed is refused in one line, before anything begins.
func TestSurveyErrors(t *testing.T) {
	castleSide, _ := AlgorithmNamed("castle-side")
	exact, _ := AlgorithmNamed("exact")
	one, none, more := grid.Range{First: 1, Last: 1}, grid.Range{}, func(last int64) grid.Range {
		return grid.Range{First: 1, Last: last}
	}
	for want, test := range map[string]struct {
		n, s, d    grid.Range
		algorithms []Algorithm
	}{
		"soldiers = 5:1: must be a rising range of positive whole numbers, such as 1:20": {
			grid.Range{First: 5, Last: 1}, one, one, nil,
		},
		"castle = 0:1: must be":  {one, grid.Range{Last: 1}, one, nil},
		"defenders = 0: must be": {one, one, none, nil},
		"grid 1:1099511627776 × 1:2 × 1:1099511627776: more than 9223372036854775807 points": {
			more(1 << 40), more(2), more(1 << 40), nil,
		},
		"castle = 1:1099511627776: the battles may take up to 1099511627774 different numbers of waves, more than " +
			"the 4194304 that a survey lists, use fewer castle hits": {
			grid.Range{First: 2, Last: 2}, more(1 << 40), one, nil,
		},
		`algorithm "castle-side": says when the castle can win, and a survey is about the soldiers, use some of ` +
			`exact,castle-first,`: {one, one, one, []Algorithm{exact, castleSide}},
		`algorithm "exact": named twice, name it once`: {one, one, one, []Algorithm{exact, exact}},
	} {
		survey, err := NewSurvey(t.Context(), test.n, test.s, test.d, SurveyOptions{Algorithms: test.algorithms})
		if err == nil || !strings.HasPrefix(err.Error(), want) || survey.Battles != 0 {
			t.Errorf("%v, %v, %v: %d battles, %v\nwant %s", test.n, test.s, test.d, survey.Battles, err, want)
		}
	}
	five := Survey{Soldiers: one, Castle: more(5), Defenders: one}
	for _, block := range []grid.Block{
		{First: -1, Size: 1},
		{First: 0, Size: 6},
		{First: 5, Size: 1},
		{First: 1, Size: -1},
		{First: 1, Size: math.MaxInt64},
	} {
		if _, err := five.Part(t.Context(), block, SurveyOptions{}); err == nil ||
			!strings.Contains(err.Error(), "the grid has the numbers 0 to 4") {
			t.Errorf("%+v: %v", block, err)
		}
	}
}

// TestSurveyStops: a survey that is cancelled while it is at work ends with the cause, and has no totals.
func TestSurveyStops(t *testing.T) {
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	calls := 0
	progress := func(done, all int64) {
		if calls++; done < 1 || done > all || all != 1e9 {
			t.Errorf("%d of %d done", done, all)
		}
		cancel(why)
	}
	r := grid.Range{First: 1, Last: 1000}
	survey, err := NewSurvey(ctx, r, r, r, SurveyOptions{Progress: progress})
	if !errors.Is(err, why) || !errors.Is(err, context.Canceled) || survey.Battles != 0 || calls != 1 {
		t.Errorf("%v, %d battles, %d calls", err, survey.Battles, calls)
	}
}

// TestAffordable: within the box of small battles no search looks at more than 2^15 moves, as its comment says.
func TestAffordable(t *testing.T) {
	search, _ := AlgorithmNamed("search")
	counting, _ := AlgorithmNamed("counting")
	asked := 0
	box := Survey{
		Soldiers: grid.Range{First: 1, Last: 13}, Castle: grid.Range{First: 1, Last: 37},
		Defenders: grid.Range{First: 1, Last: 25},
	}
	everyBattle(box, func(b Battle) {
		if search.Affordable(b) != counting.Affordable(b) {
			t.Fatalf("%v: affordable for one of them", b)
		}
		if !search.Affordable(b) {
			return
		}
		asked++
		answer, err := search.Answer(t.Context(), b, Effort{Steps: 1 << 15})
		if err != nil || answer.SoldiersVerdict(b.MinWaves()) != Right {
			t.Fatalf("%v: %+v, %v", b, answer, err)
		}
	})
	if want := 12 * 36 * 24; asked != want {
		t.Errorf("asked about %d battles, want the box of %d", asked, want)
	}
	for _, b := range []Battle{{13, 1, 1}, {1, 37, 1}, {1, 1, 25}, {math.MaxInt64, math.MaxInt64, math.MaxInt64}} {
		if search.Affordable(b) {
			t.Errorf("%v is affordable", b)
		}
	}
}

// TestSurveyOutOfEffort: battles that an algorithm does not come to the end of are left out, the same on any number of
// cores and in any parts.
func TestSurveyOutOfEffort(t *testing.T) {
	search, _ := AlgorithmNamed("search")
	stubborn := Algorithm{
		Name: "stubborn", Question: PlaysLine,
		Answer: func(ctx context.Context, b Battle, effort Effort) (Answer, error) {
			if b.CastleHits > 20 {
				return Answer{}, &LimitError{b, effort.Steps}
			}
			return Answer{}, nil // says nothing, which is not that they win
		},
	}
	r := grid.Range{First: 1, Last: 30}
	options := SurveyOptions{Algorithms: []Algorithm{stubborn, search}, Effort: Effort{Steps: 100}, Workers: 1}
	survey := mustSurvey(t, r, r, r, options)
	options.Workers = 4
	sameSurvey(t, survey, mustSurvey(t, r, r, r, options))
	if search := survey.Algorithms[0]; search.Battles != search.Right || search.Battles < 1000 ||
		search.Battles >= 12*30*24 {
		t.Errorf("%+v", search)
	}
	lost := int64(0)
	everyBattle(Survey{Soldiers: r, Castle: grid.Range{First: 1, Last: 20}, Defenders: r}, func(b Battle) {
		if b.MinWaves() == 0 {
			lost++
		}
	})
	want := Tally{
		Name: "stubborn", Battles: 30 * 20 * 30, Right: lost, WrongSide: 30*20*30 - lost,
		First: FirstErrors{WrongSide: &Battle{1, 1, 1}},
	}
	if diff := cmp.Diff(want, survey.Algorithms[1], cmp.AllowUnexported(WaveSum{})); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	broken := Algorithm{Name: "broken", Answer: func(context.Context, Battle, Effort) (Answer, error) {
		return Answer{},
			errors.New("broken")
	}}
	if _, err := NewSurvey(t.Context(), r, r, r, SurveyOptions{Algorithms: []Algorithm{broken}}); err == nil ||
		err.Error() != `algorithm "broken", battle (1, 1, 1): broken` {
		t.Errorf("%v", err)
	}
}

// TestSoldiersVerdict takes what other verdicts see otherwise, and the edges.
func TestSoldiersVerdict(t *testing.T) {
	for _, test := range []struct {
		answer Answer
		fewest int64
		want   Verdict
	}{
		{Answer{Winner: Soldiers, Waves: 3}, 3, Right},
		{Answer{Winner: Soldiers, Waves: 4}, 3, TooMany},
		{Answer{Winner: Soldiers, Waves: 2}, 3, TooFew},
		{Answer{Winner: Soldiers, Waves: 2}, 0, WrongSide},
		{Answer{Winner: Castle, Waves: 17}, 0, Right}, // however long they last
		{Answer{Winner: Castle}, 3, WrongSide},
		{Answer{Winner: Tie, Waves: 2}, 0, Right},
		{Answer{Winner: Tie, Waves: 2}, 3, WrongSide},
		{Answer{}, 0, Right}, // has no answer, so it does not say that they win
		{Answer{}, 3, WrongSide},
		{Answer{Winner: Soldiers, InFloat: 3}, 3, Right},
		{Answer{Winner: Soldiers, InFloat: -1}, 3, TooFew},
		{Answer{Winner: Soldiers, InFloat: 5}, 3, TooMany},
		{Answer{Winner: Soldiers, InFloat: 1 << 53}, 1<<53 + 1, Right}, // as near as it comes
	} {
		if got := test.answer.SoldiersVerdict(test.fewest); got != test.want {
			t.Errorf("%+v where %d are the fewest: %v, want %v", test.answer, test.fewest, got, test.want)
		}
	}
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

// TestChecksum knows values that a program in another language has computed from the formula, and that no answer can
// change alone.
func TestChecksum(t *testing.T) {
	const most = math.MaxInt64
	for _, test := range []struct {
		b     Battle
		waves int64
		want  string
	}{
		{Battle{1, 1, 1}, 1, "578c44e49700c806"},
		{Battle{10, 43, 8}, 16, "89a1f3b7ec6624ed"},
		{Battle{3, 10, 3}, 0, "2dc8551b4001cc8f"},
		{Battle{most, most, most}, 1, "2ec5ac1abe7baa5e"},
		{Battle{1 << 62, most, 1<<62 - 1}, 1 << 62, "fa6bed9c60e464c1"},
	} {
		if got := checksumOf(test.b, test.waves); got.String() != test.want ||
			got != naiveChecksum(test.b, test.waves) {
			t.Errorf("%v in %d waves: %v, want %s", test.b, test.waves, got, test.want)
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

// TestChecksumSwaps exchanges each two different answers of a grid: the checksum changes each time.
func TestChecksumSwaps(t *testing.T) {
	type known struct {
		b              Battle
		factor, answer uint64
	}
	var all []known
	everyBattle(Survey{
		Soldiers: grid.Range{First: 1, Last: 12}, Castle: grid.Range{First: 1, Last: 36},
		Defenders: grid.Range{First: 1, Last: 24},
	}, func(b Battle) {
		factor := checksumOf(b, 1) - checksumOf(b, 0)
		all = append(all, known{b, uint64(factor), uint64(b.MinWaves())})
	})
	for i, a := range all {
		for _, b := range all[:i] {
			if a.answer != b.answer && (a.factor-b.factor)*(a.answer-b.answer) == 0 {
				t.Fatalf("%v and %v can change places", a.b, b.b)
			}
		}
	}
}
