package castle

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// noted matches the note about steps in a page.
const noted = "`go: castle\\.Checked(?:Too)?\\((?:fmt\\.Sprintf\\(.*\\), )?((?:\"[a-z0-9-]*\",? ?)*)\\)`"

// derivedTexts returns the texts that have notes for steps of the derivation.
func derivedTexts() string {
	var all strings.Builder
	for _, page := range []string{"hunt", "border", "short", "derivation", "side"} {
		all.WriteString(chapter.TextOf(texts, page) + "\n")
	}
	return all.String()
}

// TestDerivationSteps runs the check of each step. Each check must have as many cases as the page says.
func TestDerivationSteps(t *testing.T) {
	all, left := searchAll(), checksInGo()
	var ids []string
	for _, s := range steps() {
		if slices.Contains(ids, s.id) {
			t.Errorf("two steps are called %q", s.id)
		}
		ids = append(ids, s.id)
		count, err := casesOf(checkOf(t, s), all)
		if err != nil || int64(count) != s.cases || count == 0 || s.says == "" || s.over == "" || s.unit == "" {
			t.Errorf("step %q: %v; its test goes through %d cases, and _steps.md says %s", s.id, err, count, s.tested())
		}
		delete(left, s.id)
	}
	if len(left) > 0 {
		t.Errorf("_steps.md has no rows for checks: %v", slices.Collect(maps.Keys(left)))
	}
	// The number of battles with n <= 30 and d < n < s <= 100 is 30·29/2·99 - (1² + ... + 29²).
	if at := slices.IndexFunc(steps(), func(s step) bool { return s.id == "case-2a" }); steps()[at].cases != 34510 {
		t.Errorf("case 2a has %d battles, want 34510", steps()[at].cases)
	}

	var notes []string
	for _, m := range regexp.MustCompile(noted).FindAllStringSubmatch(derivedTexts(), -1) {
		for id := range strings.SplitSeq(m[1], ", ") {
			if id = strings.Trim(id, `"`); !slices.Contains(notes, id) {
				notes = append(notes, id)
			}
		}
	}
	slices.Sort(ids)
	slices.Sort(notes)
	if !slices.Equal(ids, notes) {
		t.Errorf("the steps are\n%v\nbut the page notes\n%v", ids, notes)
	}
}

// TestDerivationStepsCanFail changes an answer of the search. The check that uses the answer must name the battle.
func TestDerivationStepsCanFail(t *testing.T) {
	spoiled := searchAll()
	spoil := func(b game.Battle, change func(*answer)) { change(&spoiled.answers[searchedIndex(b)]) }
	for _, c := range []struct {
		step   string
		b      game.Battle
		change func(*answer)
	}{
		{"case-2a", Battle(10, 43, 8), func(a *answer) { a.soldiers-- }},
		{"recap", Battle(10, 43, 8), func(*answer) {}}, // the change above spoils this step, too
		{
			"case-2bcd",
			Battle(10, 11, 15),
			func(a *answer) { a.soldiers++ },
		},
		{"survivors", Battle(9, 30, 4), func(a *answer) { a.survivors++ }},
		{"castle-two", Battle(5, 10, 5), func(a *answer) { a.castle = 3 }},
		{"resistance", Battle(7, 30, 8), func(a *answer) { a.longest++ }},
		{"tie", Battle(6, 7, 6), func(a *answer) { a.tie = false }},
	} {
		spoil(c.b, c.change)
		s := steps()[slices.IndexFunc(steps(), func(s step) bool { return s.id == c.step })]
		_, err := casesOf(checkOf(t, s), spoiled)
		must.ErrorContains(t, err, c.b.String(), c.step, c.b)
	}
}

// TestFastestCastleLine checks that the line ends with the castle's fastest win, and leaves as many defenders as the
// rules say.
func TestFastestCastleLine(t *testing.T) {
	must.Answers(t, tables, func(row struct{ N, S, D, Wave int64 }) []any {
		b := Battle(row.N, row.S, row.D)
		line := FastestCastleLine(b)
		if len(line) != int(b.CastleMinWaves())+1 || line[0].State != b.Start() || line[0].Left != 0 {
			t.Errorf("%v: the line is %v", b, line)
		}
		return []any{line[row.Wave].Left}
	})
}

// TestGreedTable checks that the soldiers win by caution a battle that the castle wins by greed, but not every battle.
func TestGreedTable(t *testing.T) {
	table, careful, decides := GreedTable(Thrifty)
	if !decides || len(careful) != 4 || careful[3].Start.Soldiers != 7 || len(table.Rows) != 6 {
		t.Errorf("%v, %+v, %d rows", decides, careful, len(table.Rows))
	}
	if _, _, decides := GreedTable(Battle(10, 15, 15)); decides {
		t.Error("caution decides a battle that the castle wins at once")
	}
}

// TestDaysTable checks that the plays agree with the table as long as the castle can fall on these days.
func TestDaysTable(t *testing.T) {
	for b, want := range map[game.Battle]bool{Battle(100, 120, 103): true, Battle(100, 220, 103): false} {
		if _, played := DaysTable(b); played != want {
			t.Errorf("%v: %v", b, played)
		}
	}
}

// TestStrikes checks the strikes that the text uses. TestDerivationSteps compares all of them with a search.
func TestStrikes(t *testing.T) {
	must.Answers(t, tables, func(row struct{ N, S, D, Q int64 }) []any {
		s := StrikeAt(Battle(row.N, row.S, row.D), row.Q)
		return []any{s.Left, s.Hunt, s.Waves}
	})
	if q := BestStrike(Patient).Q; q != 12 {
		t.Errorf("the running example strikes with q = %d", q)
	}
}

// TestStaircase checks that a castle falls within w waves exactly when its hits exceed the soldiers by at most A(w).
func TestStaircase(t *testing.T) {
	for n := int64(2); n <= 12; n++ {
		for d := int64(1); d < n; d++ {
			for w, reach := range Staircase(n, d, 9)[1:] {
				strongest, next := Battle(n, n+reach, d), Battle(n, n+reach+1, d)
				if within := int64(w + 1); strongest.MinWaves() > within || next.MinWaves() <= within {
					t.Errorf("n = %d, d = %d: A(%d) = %d", n, d, within, reach)
				}
			}
		}
	}
}

// TestPrintedShort checks that the printed formula is always short by one or more waves in case 2a.
func TestPrintedShort(t *testing.T) {
	battles, byOne, byMore := PrintedShort()
	if byOne+byMore != battles || battles != 34510 || byMore == 0 {
		t.Errorf("printed formula: %d battles, %d short by one, %d by more", battles, byOne, byMore)
	}
}

// TestFloatStrike checks that 16 digits are enough for small battles.
func TestFloatStrike(t *testing.T) {
	for b := range SearchedBox.Each {
		if case2a(b) && FloatStrike(b) != printedStrike(b) {
			t.Errorf("%v: q = %d, and %d in floating point", b, printedStrike(b), FloatStrike(b))
		}
	}
}

func TestGolden(t *testing.T) {
	for k := range 20 {
		if got, want := goldenRatio.power(k), (golden{fibAt(k - 1), fibAt(k)}); got != want {
			t.Errorf("φ^%d = %+v, want %+v", k, got, want)
		}
	}
	if signFactor(1, 1).sign() >= 0 || positiveFactor(1, 1).sign() <= 0 {
		t.Error("1 - φ is negative and 1 + 1/φ is positive")
	}
}

func fibAt(k int) int64 {
	if k < 0 {
		return 1 // F(-1)
	}
	return Fib(k)
}

// TestGreedyBut checks that greedyBut rejects a line in which the castle falls in wave 5: it is as fast, but is not the
// line that the text describes.
func TestGreedyBut(t *testing.T) {
	b := Thrifty
	fallsEarly := func(wave int64, s game.State) game.Orders {
		if wave == 5 {
			return game.Orders{AtDefenders: s.Soldiers - s.CastleHits}
		}
		return game.Orders{AtDefenders: int64(s.Defenders) - most(wave, s)}
	}
	if r := b.Play(fallsEarly); r.Winner != game.Castle || r.Waves != b.CastleMinWaves() {
		t.Fatalf("%+v", r)
	}
	err := greedyBut(b, fallsEarly, b.CastleMinWaves())
	must.ErrorContains(t, err, "wave 5 of the line that is shown leaves 3, greed leaves 2")
}

// TestCheckedEndsSentences checks that a note on a checked step is never within a sentence.
func TestCheckedEndsSentences(t *testing.T) {
	for _, m := range regexp.MustCompile("(.{0,30})"+noted).FindAllStringSubmatch(derivedTexts(),
		-1) {
		if !regexp.MustCompile(`[.?!][*)$]* $`).MatchString(m[1]) && !strings.HasSuffix(m[1], ".** ") &&
			!strings.HasSuffix(m[1], "$. ") {
			t.Errorf("the note %q stands behind %q", m[2], m[1])
		}
	}
}

// TestHunts compares the hunts in the drawings with the rules.
func TestHunts(t *testing.T) {
	for n := int64(2); n <= 60; n++ {
		for _, x := range []int64{0, n, n + 1} { // the first wave decides
			if drawn := pictures.Hunt(n, x); !slices.Equal(drawn, []pictures.HuntWave{{Soldiers: n, Left: x}}) {
				t.Fatalf("n = %d, x = %d: %v is drawn", n, x, drawn)
			}
		}
		for x := int64(1); x < n; x++ {
			b := Battle(n, n+1, n+x-1)
			drawn, played := pictures.Hunt(n, LeftAt(b, 1)), []pictures.HuntWave{{Soldiers: n, Left: LeftAt(b, 1)}}
			playHunt(n, LeftAt(b, 1), func(_ int, s game.State) {
				left := int64(s.Defenders)
				played = append(played, pictures.HuntWave{Soldiers: s.Soldiers + left, Left: left})
			})
			end := played[len(played)-1]
			left := end.Soldiers - end.Left
			played = append(played, pictures.HuntWave{Soldiers: left, Left: end.Left - left})
			if !slices.Equal(drawn, played) {
				t.Fatalf("n = %d, x = %d: %v is drawn, the rules give %v", n, x, drawn, played)
			}
		}
	}
}

// TestRecapCanFail checks that the test of the recap detects a wrong line of play.
func TestRecapCanFail(t *testing.T) {
	b := Battle(10, 43, 8)
	if got := recapWaves(b); got != 16 {
		t.Errorf("%v takes 16 waves, not %d", b, got)
	}
}

// printedStrike returns the q that the post prints, in whole numbers. d must be below n.
func printedStrike(b game.Battle) int64 {
	return ceilDiv(b.CastleHits-b.Soldiers-MostStruck(b), b.Soldiers-b.DefendersPerWave)
}
