package castle

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/totalstest"
)

// TestAlgorithmsAreWhole checks that every algorithm fills in the fields that all users of the table need.
func TestAlgorithmsAreWhole(t *testing.T) {
	var names []string
	for _, a := range Algorithms() {
		names = append(names, a.Name)
		if !regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`).MatchString(a.Name) || a.Title == "" || a.Source == "" ||
			a.Answer == nil || a.Cost.Law == "" {
			t.Errorf("%+v", a)
		}
		if (a.Cost.Count == nil) != (a.Cost.Each == "") || (a.Question == PlaysLine) && a.Strategy == nil {
			t.Errorf("%s: a cost that is half there, or a line without a strategy", a.Name)
		}
		if found, ok := AlgorithmNamed(a.Name); !ok || found.Title != a.Title {
			t.Errorf("%s is not found by its name", a.Name)
		}
	}
	want := []string{
		"exact", "castle-side", "castle-first", "defenders-first", "published", "exact-by-root", "search", "counting",
	}
	if known := slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return !slices.Contains(want, name) }); !slices.Equal(known, want) {
		t.Errorf("the table is %v, want %v among them in this order, each once", names, want)
	}
	if slices.Sort(names); len(slices.Compact(names)) != len(Algorithms()) {
		t.Errorf("two algorithms have the same name, of %v", names)
	}
	if a, ok := AlgorithmNamed("castle_first"); ok {
		t.Errorf("found %s", a.Name)
	}
}

// TestAlgorithmsAgree runs all algorithms on every small battle. All exact algorithms must give the oracle's answer,
// and playing with a strategy must give its algorithm's answer.
func TestAlgorithmsAgree(t *testing.T) {
	for b := range upTo(6, 14, 9) {
		answers := map[string]Answer{}
		for _, a := range Algorithms() {
			answer, err := a.Answer(t.Context(), b, Effort{})
			if err != nil {
				t.Fatalf("%s of %v: %v", a.Name, b, err)
			}
			answers[a.Name] = answer
			if a.Strategy != nil {
				played := b.Play(a.Strategy(b))
				same := played.Winner == answer.Winner && played.Waves == answer.Waves
				if !same && (a.Question == PlaysLine || answer.Winner == Soldiers) {
					t.Errorf("%s of %v: %+v, but it plays %+v", a.Name, b, answer, played)
				}
			}
		}
		want := newNaiveSearch(b.DefendersPerWave).battle(b)
		soldiers, castle := answers["exact"], answers["castle-side"]
		if soldiers.Waves != int64(want.soldiers) || castle.Waves != int64(want.castle) ||
			(castle.Winner == Castle) != (want.castle > 0) {
			t.Errorf("%v: %+v and %+v, want %+v", b, soldiers, castle, want)
		}
		for _, a := range Algorithms() {
			if a.Question == PlaysLine || a.Question == CastleFewest || a.Kind == Formula {
				continue
			}
			got := answers[a.Name]
			if got.Winner != soldiers.Winner || got.Waves != soldiers.Waves || got.Verdict(soldiers, castle) != Right {
				t.Errorf("%s of %v: %+v, want %+v", a.Name, b, got, soldiers)
			}
		}
	}
}

// TestVerdicts checks the examples of the posts and of the documents.
func TestVerdicts(t *testing.T) {
	type row struct {
		Algorithm string
		Battle    Battle
	}
	must.Answers(t, tables, func(row row) []any {
		ask := func(name string) Answer {
			a, _ := AlgorithmNamed(name)
			return must.Get(a.Answer(t.Context(), row.Battle, Effort{}))
		}
		return []any{ask(row.Algorithm).Verdict(ask("exact"), ask("castle-side"))}
	})
	soldiers := Answer{Winner: Soldiers, Waves: 1<<53 + 1}
	for answer, want := range map[Answer]Verdict{
		{}:                                   NoAnswer,
		{Winner: Soldiers, Waves: 1 << 53}:   TooFew,
		{Winner: Soldiers, InFloat: 1 << 53}: Right, // as close as a float gets
	} {
		if got := answer.Verdict(soldiers, Answer{Winner: Castle, Waves: 2}); got != want {
			t.Errorf("%+v: %v, want %v", answer, got, want)
		}
	}
}

// TestEffort gives too little effort to every algorithm whose effort can be bounded, and a canceled context to the slow
// algorithms.
func TestEffort(t *testing.T) {
	long := Battle{19, 50, 15}
	for name, effort := range map[string]Effort{
		"castle-first": {Steps: 2}, "defenders-first": {Steps: 2}, "search": {Steps: 1000}, "counting": {Memory: 1000},
	} {
		a, _ := AlgorithmNamed(name)
		if _, err := a.Answer(t.Context(), long, effort); !OutOfEffort(err) {
			t.Errorf("%s: %v", name, err)
		}
		if OutOfEffort(context.Canceled) || OutOfEffort(nil) {
			t.Error("these are no bounds")
		}
	}
	for _, name := range []string{"search", "counting"} {
		a, _ := AlgorithmNamed(name)
		if _, err := a.Answer(must.CanceledContext(t), long, Effort{}); !must.Stopped(err) {
			t.Errorf("%s: %v, want the cause", name, err)
		}
	}
}

// waveByWave plays DefendersFirst, but never gives orders for more than one wave.
func waveByWave(wave int64, s State) Orders {
	return Orders{AtDefenders: DefendersFirst(wave, s).AtDefenders}
}

// TestOwnAlgorithm checks that surveys and spot checks treat a caller's algorithm like one from the table.
func TestOwnAlgorithm(t *testing.T) {
	r := to(12)
	own := must.Get(NewAlgorithm("wave-by-wave", waveByWave))
	survey := mustSurvey(t, r, r, r, SurveyOptions{Algorithms: append(DefaultSurveyed(), own)})
	got, _ := survey.Of(own.Name)
	want, _ := survey.Of("defenders-first")
	if want.Name = own.Name; got.Battles != 12*12*12 {
		t.Errorf("%+v", got)
	}
	totalstest.Same(t, want, got)
	var read Survey
	must.Do(t, json.Unmarshal([]byte(totalstest.Text(survey)), &read))
	if _, err := read.SpotCheck(t.Context(), 100, 1, own); err != nil {
		t.Error(err)
	}
	if _, err := read.SpotCheck(t.Context(), 100, 1, must.Get(NewAlgorithm(own.Name, CastleFirst))); err == nil {
		t.Error("another algorithm of that name agrees with the survey")
	}
	_, err := read.SpotCheck(t.Context(), 100, 1)
	must.ErrorContains(t, err, `"wave-by-wave": unknown here`)
	if err != nil && strings.Contains(err.Error(), "siegebook ") {
		t.Errorf("%v; want no command", err)
	}

	// For a copy of an algorithm of the table with another Answer, the survey calls this Answer, not the algorithm's
	// row function.
	altered, _ := AlgorithmNamed("exact")
	altered.Name, altered.Answer = "altered", own.Answer
	survey = mustSurvey(t, r, r, r, SurveyOptions{Algorithms: []Algorithm{altered}})
	if got, _ := survey.Of("altered"); got.WrongSide != want.WrongSide || got.WrongSide == 0 {
		t.Errorf("%+v, want that of defenders first", got)
	}
}

// TestOwnAlgorithmRefused checks that the error about a faulty algorithm contains its name. If an order is illegal, the
// error also contains the battle, the wave and the order.
func TestOwnAlgorithmRefused(t *testing.T) {
	answering := func(name string, answer func(Battle) (Answer, error)) Algorithm {
		ask := func(_ context.Context, b Battle, _ Effort) (Answer, error) { return answer(b) }
		return Algorithm{Name: name, Answer: ask}
	}
	exact := func(b Battle) (Answer, error) { return fewest(Soldiers, Castle, b.MinWaves()), nil }
	rash := func(wave int64, s State) Orders { return Orders{AtDefenders: (wave - 1) * 7} }
	r := grid.Range{First: 2, Last: 20}
	saying := func(answer Answer) func(Battle) (Answer, error) {
		return func(Battle) (Answer, error) { return answer, nil }
	}
	ofNoBattle := func(b Battle) (Answer, error) { return exact(Battle{b.Soldiers, 0, 1}) }
	for want, algorithms := range map[string][]Algorithm{
		`algorithm "mine" has no Answer: set it to the function that decides a battle`: {{Name: "mine"}},
		`algorithm 1 of 1: name "": use lower-case letters, digits and hyphens, such as even-split`: {
			answering("", exact),
		},
		`algorithm 1 of 1: name "my own": use lower-case letters`: {answering("my own", exact)},
		`algorithm 7 of 7: name "My\nown": use lower-case letters`: append(DefaultSurveyed(),
			answering("My\nown", exact)),
		`algorithm "exact": another algorithm has this name, choose one that Algorithms does not list`: {
			answering("exact", exact),
		},
		`algorithm "counting": another algorithm has this name`: {answering("counting", exact)},
		`algorithm "mine": named twice, name it once`: {
			answering("mine", exact), answering("mine", exact),
		},
		`algorithm "mine", battle (2, 2, 2): Winner(9): unknown winner`: {
			answering("mine", saying(Answer{Winner: 9})),
		},
		`algorithm "mine", battle (2, 2, 2): waves = -1: must not be negative`: {
			answering("mine", saying(Answer{Waves: -1})),
		},
		`algorithm "rash": battle (2, 3, 2), wave 2: 7 of the soldiers cannot shoot at defenders in N=2 S=1 D=2`: {
			must.Get(NewAlgorithm("rash", rash)),
		},
		`panic: algorithm "mine", battle (2, 2, 2): castle: castle hits = 0: must be a positive whole number`: {
			answering("mine", ofNoBattle),
		},
	} {
		_, err := NewSurvey(t.Context(), r, r, r, SurveyOptions{Algorithms: algorithms})
		must.ErrorContains(t, err, want)
	}
	if _, err := NewSurvey(t.Context(), r, r, r, SurveyOptions{Effort: Effort{Steps: -1}}); err == nil ||
		err.Error() != "steps = -1: must not be negative, use 0 or more" {
		t.Error(err)
	}
}

// TestNewAlgorithmRefuses checks that an algorithm needs a strategy and a new name that fits a flag and a column.
func TestNewAlgorithmRefuses(t *testing.T) {
	_, err := NewAlgorithm("mine", nil)
	must.ErrorContains(t, err, `algorithm "mine": strategy = nil: give a function`)
	for _, name := range []string{"My own", "exact"} {
		_, err := NewAlgorithm(name, CastleFirst)
		must.ErrorContains(t, err, "name")
	}
	own := must.Get(NewAlgorithm("wave-by-wave", waveByWave))
	if own.Title != "wave by wave" || own.Kind != Heuristic || own.Question != PlaysLine {
		t.Errorf("%+v", own)
	}
	if _, err := own.Answer(t.Context(), Battle{5, 100, 4}, Effort{Steps: 9}); !OutOfEffort(err) {
		t.Error(err)
	}
}

// TestPlayWithin checks that a line of 10^15 or more waves ends early at its bound, or when its context is done.
func TestPlayWithin(t *testing.T) {
	long := Battle{10, math.MaxInt64, 9}
	var bound *LimitError
	if _, err := long.PlayWithin(t.Context(), waveByWave, Effort{Steps: 1000}); !errors.As(err, &bound) ||
		bound.Limit != 1000 {
		t.Error(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	waves := 0
	_, err := long.PlayWithin(ctx, func(wave int64, s State) Orders {
		if waves++; waves == 1000 {
			cancel(must.ErrEnough)
		}
		return waveByWave(wave, s)
	}, Effort{})
	if !must.Stopped(err) || waves > 100_000 {
		t.Errorf("%v after %d waves", err, waves)
	}
	if _, err := long.PlayWithin(t.Context(), CastleFirst, Effort{Steps: -1}); err == nil || OutOfEffort(err) {
		t.Errorf("less than no steps: %v", err)
	}
	const order = "battle (4, 9, 3), wave 2: 5 of the soldiers cannot shoot at defenders in N=4 S=5 D=3: use 0 " +
		"to 3"
	rash := func(wave int64, _ State) Orders { return Orders{AtDefenders: (wave - 1) * 5} }
	var illegal *OrderError
	_, err = Battle{4, 9, 3}.PlayWithin(t.Context(), rash, Effort{})
	if !errors.As(err, &illegal) || err.Error() != order ||
		*illegal != (OrderError{Battle{4, 9, 3}, 2, State{4, 3, 5}, 5}) {
		t.Error(err)
	}
	if value := must.Panic(func() { _ = slices.Collect(Battle{4, 9, 3}.Runs(rash)) }); value != "castle: "+order {
		t.Errorf("panic: %v", value)
	}
}
