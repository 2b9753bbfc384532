package castle

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
)

// TestDownloadsAgree checks that the survey that the page offers equals the library's, and agrees with the sum of the
// rows below the maps.
func TestDownloadsAgree(t *testing.T) {
	s := must.Get(SurveyOf("soldiers=13,castle=5:60,defenders=3:30", comparesGrid, ""))
	files := s.Files()
	want := must.Get(game.NewSurvey(t.Context(), span2(13, 13), span2(5, 60), span2(3, 30), game.SurveyOptions{}))
	if want := mustJSON(t, want) + "\n"; len(files) != 1 || files[0].Name != "survey.json" ||
		string(files[0].Data) != want {
		t.Errorf("the page offers\n%s\nthe library has\n%s", files, want)
	}
	if s.Command() != "siegebook survey castle --soldiers 13 --castle 5:60 --defenders 3:30 --json" {
		t.Errorf("the command is %s", s.Command())
	}
	shown, _ := s.Agreements()
	for _, a := range judged() {
		rows := shown[a.Name].Figure.Data.All()
		if !slices.Equal(rows[0], rowsHeader) || len(rows) != 1+56*28 {
			t.Fatalf("%s: %d rows below %v", a.Name, len(rows)-1, rows[0])
		}
		verdicts := map[string]int64{}
		for _, row := range rows[1:] {
			var b game.Battle
			if _, err := fmt.Sscan(strings.Join(row[:3], " "), &b.Soldiers, &b.CastleHits,
				&b.DefendersPerWave); err != nil ||
				row[3] != a.Name {
				t.Fatalf("%v: %v", row, err)
			}
			answer := must.Get(a.Answer(t.Context(), b, game.Effort{}))
			if row[4] != answer.Winner.String() || row[6] != answer.SoldiersVerdict(b.MinWaves()).String() {
				t.Fatalf("%v, but the answer is %+v", row, answer)
			}
			verdicts[row[6]]++
		}
		tally, _ := want.Of(a.Name)
		for _, v := range game.Verdicts() {
			if verdicts[v.String()] != tally.Count(v) {
				t.Errorf("%s: %d rows are %v, the survey has %d", a.Name, verdicts[v.String()], v, tally.Count(v))
			}
		}
	}
}

func mustJSON(t *testing.T, value any) string {
	t.Helper()
	return string(must.Get(json.Marshal(value)))
}

// TestMatrix checks that every algorithm has a row in the table.
func TestMatrix(t *testing.T) {
	s := must.Get(SurveyOf("soldiers=13,castle=5:60,defenders=3:30", "soldiers=1:9,castle=1:30,defenders=1:20", ""))
	links := regexp.MustCompile(`^\[(.*)\]\(.*\)$`)
	var rows [][]string
	for _, cells := range must.Get(s.Matrix()).Rows {
		var row []string
		for _, cell := range cells {
			row = append(row, strings.Trim(links.ReplaceAllString(cell.Text, "$1"), "$"))
		}
		rows = append(rows, row)
	}
	if len(rows) != len(game.Algorithms()) {
		t.Errorf("%d rows of %d algorithms", len(rows), len(game.Algorithms()))
	}
	for _, want := range must.Rows(t, tables, "TestMatrix") {
		if !slices.ContainsFunc(rows, func(row []string) bool { return slices.Equal(row, want) }) {
			t.Errorf("no row %q in\n%q", want, rows)
		}
	}
	if got := s.BattlesText(); got != "5400 battles ($n$ from 1 to 9, $s$ "+
		"from 1 to 30, $d$ from 1 to 20)" {
		t.Errorf("the page speaks of %s", got)
	}
}

// TestDefaultGrid compares what readers learn from the default grid with recorded sentences.
func TestDefaultGrid(t *testing.T) {
	v := must.Get(game.NewSurvey(t.Context(), span2(100, 100), defaultParams.Castle, defaultParams.Defenders,
		game.SurveyOptions{}))
	must.Answers(t, tables, func(row struct{ Name string }) []any {
		a, _ := game.AlgorithmNamed(row.Name)
		tally, _ := v.Of(row.Name)
		got := learned(a, tally, v)
		return []any{got.Lead, strings.ReplaceAll(string(got.Text), "\u00a0", " ")}
	})
}

// TestPartlyAsked checks that the text on an algorithm that was asked about only some battles is about these battles.
func TestPartlyAsked(t *testing.T) {
	a, _ := game.AlgorithmNamed("castle-first")
	v := game.Survey{Totals: game.Totals{Battles: 100, Winnable: 60}}
	got := learned(a, game.Tally{Battles: 40, Right: 30, RightWinnable: 10, WrongSide: 10}, v)
	if want := (lesson{"Castle first was run on 40 battles.", "It is right in 75.0 % of them."}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	a.Affordable = func(b game.Battle) bool { return b.Soldiers < 7 }
	for n, want := range map[int64]bool{6: true, 7: false} {
		b := Battle(n, 20, 3)
		answer, asked, err := ask(t.Context(), a, b)
		must.Do(t, err)
		if asked != want || asked != (answer.Winner != game.Undecided) {
			t.Errorf("%v: %+v, %v", b, answer, asked)
		}
	}
}

// TestBetterOfBoth checks that BetterOfBoth returns a battle that contradicts its sentence.
func TestBetterOfBoth(t *testing.T) {
	s := must.Get(newSurvey(t.Context(), Params{Soldiers: 13, Castle: span2(5, 60), Defenders: span2(3, 30)}))
	text, other := s.BetterOfBoth()
	if !strings.Contains(string(text), ", 83.9 % of them in the fewest waves.") || other != (game.Battle{}) {
		t.Errorf("%s, %v", text, other)
	}
	won := slices.IndexFunc(s.MinWaves, func(fewest int64) bool { return fewest > 0 })
	s.verdictsOf("castle-first")[won], s.verdictsOf("defenders-first")[won] = game.WrongSide, game.WrongSide
	if _, other := s.BetterOfBoth(); other != s.battle(won) {
		t.Errorf("both lose what can be won, and %v is said to be it", other)
	}
}

// TestVerdictSentences checks that each sentence agrees with the tally.
func TestVerdictSentences(t *testing.T) {
	type errors struct{ TooFew, TooMany, ExtraWavesMax, WrongSide int64 }
	must.Answers(t, tables, func(row errors) []any { return []any{say("verdict", row)} })
}

// TestExactIsRight checks that a survey in which an exact answer is wrong stops the build.
func TestExactIsRight(t *testing.T) {
	v := must.Get(game.NewSurvey(t.Context(), span2(5, 5), span2(1, 20), span2(1, 9), game.SurveyOptions{}))
	if err := exactIsRight(v); err != nil {
		t.Error(err)
	}
	for i, tally := range v.Algorithms {
		if a, _ := game.AlgorithmNamed(tally.Name); a.Kind != game.Exact && a.Kind != game.Check {
			continue
		}
		bad := v
		bad.Algorithms = slices.Clone(v.Algorithms)
		bad.Algorithms[i].Right--
		bad.Algorithms[i].TooMany++
		if err := exactIsRight(bad); err == nil {
			t.Errorf("%s is wrong once, and nobody minds", tally.Name)
		}
	}
}

// TestLargest checks that the strongest castle is within the bound, and the next one is not.
func TestLargest(t *testing.T) {
	largest := largestBattles()
	bound := big.NewInt(Affordable)
	for _, a := range game.Algorithms() {
		hits, ok := largest[a.Name]
		switch {
		case !ok:
			t.Errorf("%s has none", a.Name)
		case a.Cost.Count == nil || a.Name == "exact":
			if hits != math.MaxInt64 {
				t.Errorf("%s: %d", a.Name, hits)
			}
		default:
			last, err := a.Cost.Count(t.Context(), Family(hits))
			if err != nil || last.Cmp(bound) > 0 {
				t.Errorf("%s: %v operations at %d, %v", a.Name, last, hits, err)
			}
			if next, err := a.Cost.Count(t.Context(), Family(hits+1)); err == nil && next.Cmp(bound) <= 0 {
				t.Errorf("%s: still %v operations at %d", a.Name, next, hits+1)
			}
		}
	}
}

func TestLastWithin(t *testing.T) {
	for _, want := range []int64{0, 1, 2, 3, 1000, 1<<40 + 7, math.MaxInt64 - 1, math.MaxInt64} {
		if got := lastWithin(func(n int64) (bool, error) { return n <= want, nil }); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
}

// TestPlotted checks that algorithms beyond the number of line styles are named instead of drawn.
func TestPlotted(t *testing.T) {
	many := make([]game.Algorithm, 8)
	for i := range many {
		many[i].Title = fmt.Sprint("algorithm ", i)
	}
	drawn, left := plotted(many)
	if len(drawn) != 6 || string(say("left out", left)) != " The figure has no line for algorithm 6, algorithm 7." {
		t.Errorf("%d drawn;%s", len(drawn), string(say("left out", left)))
	}
	if drawn, left := plotted(many[:3]); len(drawn) != 3 || string(say("left out", left)) != "" {
		t.Errorf("%d drawn;%s", len(drawn), string(say("left out", left)))
	}
}

// TestLinesOf checks that for any number of heuristics, search, counting and the closed form keep their lines, in the
// order of costs.
func TestLinesOf(t *testing.T) {
	names := func(algorithms []game.Algorithm) (list []string) {
		for _, a := range algorithms {
			list = append(list, a.Name)
		}
		return list
	}
	var many []game.Algorithm
	for i := range 7 {
		many = append(many, game.Algorithm{Name: fmt.Sprint("plan-", i), Kind: game.Heuristic})
	}
	many = slices.Concat([]game.Algorithm{{Name: "search", Kind: game.Check}}, many, []game.Algorithm{{Name: "exact"}})
	drawn, left := LinesOf(many)
	if got := names(drawn); !slices.Equal(got, []string{"search", "plan-0", "plan-1", "plan-2", "plan-3", "exact"}) {
		t.Errorf("drawn: %v", got)
	}
	if got := names(left); !slices.Equal(got, []string{"plan-4", "plan-5", "plan-6"}) {
		t.Errorf("left: %v", got)
	}
	if drawn, left := LinesOf(many[:4]); len(drawn) != 4 || len(left) != 0 {
		t.Errorf("%v, %v", names(drawn), names(left))
	}
}
