package castle

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"testing"
)

// TestAlgorithmsAreWhole checks that every algorithm says all that those who range over the table need.
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

// TestAlgorithmsAgree asks all of them about every small battle. All roads to an exact answer lead to the same, the
// oracle's; a strategy plays the battle that the answer speaks of.
func TestAlgorithmsAgree(t *testing.T) {
	for n := int64(1); n <= 6; n++ {
		for s := int64(1); s <= 14; s++ {
			for d := int64(1); d <= 9; d++ {
				b := Battle{n, s, d}
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
				want := newNaiveSearch(int(d)).solve(naiveState{int(n), 0, int(s)})
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
					if got.Winner != soldiers.Winner || got.Waves != soldiers.Waves ||
						got.Verdict(soldiers, castle) != Right {
						t.Errorf("%s of %v: %+v, want %+v", a.Name, b, got, soldiers)
					}
				}
			}
		}
	}
}

// TestVerdicts takes the examples of the posts and of the documents.
func TestVerdicts(t *testing.T) {
	for _, c := range []struct {
		algorithm string
		b         Battle
		want      Verdict
	}{
		{"castle-first", Battle{10, 43, 8}, WrongSide},
		{"castle-first", Battle{13, 23, 11}, TooMany},
		{"castle-first", Battle{10, 11, 15}, Right},
		{"defenders-first", Battle{10, 11, 15}, WrongSide},
		{"defenders-first", Battle{13, 39, 13}, TooMany}, // a tie where nobody can win
		{"defenders-first", Battle{5, 8, 5}, WrongSide},  // a tie that could be won
		{"defenders-first", Battle{3, 100, 5}, TooMany},  // lost, and the castle wins later than it could
		{"published", Battle{10, 43, 8}, TooFew},
		{"published", Battle{10, 11, 15}, TooMany},
		{"published", Battle{3, 10, 3}, Right},
		{"exact", Battle{10, 43, 8}, Right},
	} {
		ask := func(name string) Answer {
			a, _ := AlgorithmNamed(name)
			answer, err := a.Answer(t.Context(), c.b, Effort{})
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		if got := ask(c.algorithm).Verdict(ask("exact"), ask("castle-side")); got != c.want {
			t.Errorf("%s of %v: %v, want %v", c.algorithm, c.b, got, c.want)
		}
	}
	soldiers := Answer{Winner: Soldiers, Waves: 1<<53 + 1}
	for answer, want := range map[Answer]Verdict{
		{}:                                   NoAnswer,
		{Winner: Soldiers, Waves: 1 << 53}:   TooFew,
		{Winner: Soldiers, InFloat: 1 << 53}: Right, // as near as it comes
	} {
		if got := answer.Verdict(soldiers, Answer{Winner: Castle, Waves: 2}); got != want {
			t.Errorf("%+v: %v, want %v", answer, got, want)
		}
	}
}

// TestEffort gives every algorithm that takes effort too little of it, and the slow ones a context that is over.
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
	// A heuristic may give its orders wave by wave: here more waves than anybody waits for.
	stubborn := func(_ int64, s State) Orders { return Orders{AtDefenders: min(s.Soldiers, clampInt64(s.Defenders))} }
	if _, err := (Battle{10, 1 << 62, 9}).PlayWithin(t.Context(), stubborn, Effort{Steps: 1000}); !OutOfEffort(err) {
		t.Errorf("1000 steps: %v", err)
	}
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(why)
	if _, err := (Battle{10, 1 << 62, 9}).PlayWithin(ctx, stubborn, Effort{}); !errors.Is(err, why) ||
		!errors.Is(err, context.Canceled) {
		t.Errorf("a line: %v, want the cause", err)
	}
	for _, name := range []string{"search", "counting"} {
		a, _ := AlgorithmNamed(name)
		if _, err := a.Answer(ctx, long, Effort{}); !errors.Is(err, why) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, want the cause", name, err)
		}
	}
}
