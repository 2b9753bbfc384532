package castle

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// postsOwn names the algorithms of the posts.
var postsOwn = []string{"castle-first", "defenders-first", "published"}

// TestsTable lists the results of every algorithm on the tests. Each cell begins with the answer, because a narrow
// screen shows only the answer. tallies has the tally of each algorithm by name. right reports for each test whether
// all algorithms of the posts are right.
func TestsTable(tests []PostTest) (table content.Table, tallies map[string]map[game.Verdict]int, right []bool) {
	exact := game.AlgorithmsOf(game.Exact)[0]
	table = chapter.Table("tests", "test", exact.Name+": "+exact.Title)
	tallies, right = map[string]map[game.Verdict]int{}, make([]bool, len(tests))
	for _, a := range judged() {
		table.Header = append(table.Header, content.Text(a.Title))
		tallies[a.Name] = map[game.Verdict]int{}
	}
	table.Header = append(table.Header, content.Row(chapter.MD("$(n, s, d)$"), "ways: soldiers", "ways: castle")...)
	for i, test := range tests {
		b := test.Battle
		counts := WaysOf(b)
		soldiers, castle := game.ExactAnswers(b.MinWaves(), b.CastleMinWaves())
		row := content.Row(test.Number, best(soldiers, castle))
		right[i] = true
		for _, a := range judged() {
			answer := chapter.Must(a.Answer(context.Background(), b, game.Effort{}))
			v := answer.Verdict(soldiers, castle)
			tallies[a.Name][v]++
			right[i] = right[i] && (v == game.Right || !slices.Contains(postsOwn, a.Name))
			row = append(row, pictures.Marked(content.Text(answerText(a, answer)), v))
		}
		table.Add(row, Triple(b), counts.Soldiers.Total(), counts.Castle.Total())
	}
	return table, tallies, right
}

// OtherTallies describes the results of algorithms that are not from the posts. It returns "" if there are no such
// algorithms.
func OtherTallies(tallies map[string]map[game.Verdict]int) content.Markdown {
	others := ""
	for _, a := range judged() {
		if !slices.Contains(postsOwn, a.Name) {
			others += " " + tally(tallies[a.Name]).sentence(a.Title, "tests")
		}
	}
	return content.Markdown(others)
}

// best returns the posts' "Min Rounds" as text: the soldiers' fewest waves, or the castle's if the soldiers cannot win.
func best(soldiers, castle game.Answer) string {
	switch {
	case soldiers.Winner == game.Soldiers:
		return outcome(game.Soldiers, soldiers.Waves)
	case castle.Winner == game.Castle:
		return outcome(game.Castle, castle.Waves)
	}
	return outcome(game.Tie, 0)
}

// answerText returns an answer in a form for narrow columns: "soldiers in 4, 2 left", or the value of a formula.
func answerText(a game.Algorithm, answer game.Answer) string {
	switch {
	case a.Question == game.PlaysLine && answer.Winner == game.Soldiers:
		return fmt.Sprintf("%s, %d\u00a0left", outcome(answer.Winner, answer.Waves), answer.SoldiersLeft)
	case a.Question == game.PlaysLine:
		return outcome(answer.Winner, answer.Waves)
	case answer.Rounded():
		return "soldiers in\u00a0" + strings.Replace(fmt.Sprintf("%.0f", answer.InFloat), "-", "−", 1)
	case answer.Winner == game.Soldiers:
		return outcome(answer.Winner, answer.Waves)
	}
	return "cannot win"
}

// Facts lists the numbers of the tests on which the first post's conclusions are based.
type Facts struct {
	Agree      []int // tests in which both heuristics need the fewest waves
	More, Same []int // tests of Agree in which defenders first leaves more soldiers, or the same number
	Lost       []int // tests that the soldiers cannot win
	Late       []int // tests of Lost in which defenders first delays the castle's fastest win by one wave
	Tied       []int // tests in which defenders first ties
}

// FactsOf sorts tests by the results of the heuristics.
func FactsOf(tests []PostTest) (f Facts) {
	for _, test := range tests {
		b := test.Battle
		castleFirst, defendersFirst := b.Play(game.CastleFirst), b.Play(game.DefendersFirst)
		fewest, castle := b.MinWaves(), b.CastleMinWaves()
		add := func(list *[]int, holds bool) bool {
			if holds {
				*list = append(*list, test.Number)
			}
			return holds
		}
		add(&f.Tied, defendersFirst.Winner == game.Tie)
		if add(&f.Lost, fewest == 0) {
			add(&f.Late, defendersFirst.Winner == game.Castle && defendersFirst.Waves == castle+1)
		} else if add(&f.Agree, castleFirst.Winner == game.Soldiers && defendersFirst.Winner == game.Soldiers &&
			castleFirst.Waves == fewest && defendersFirst.Waves == fewest) {
			more := defendersFirst.SoldiersLeft > castleFirst.SoldiersLeft
			add(&f.More, more)
			add(&f.Same, !more)
		}
	}
	return f
}

// Listed returns numbers of tests for prose: "1, 2 and 7".
func Listed(tests []int) string {
	var texts []string
	for _, number := range tests {
		texts = append(texts, fmt.Sprint(number))
	}
	return content.List(texts)
}

// GuardWave is the last wave that the post's program plays if defenders first has not decided the battle before. The
// program stops after more than 50 waves.
const GuardWave = 51

// GuardBox is the box in which we search for battles that take longer.
var GuardBox = box(30, 200, 30)

// Guarded reports whether the post's program stops a battle at GuardWave that defenders first would decide later.
func Guarded(b game.Battle) bool {
	result := b.Play(game.DefendersFirst)
	return result.Winner != game.Tie && result.Waves > GuardWave
}

// LongestGuarded returns the test in which defenders first takes the most waves to decide.
func LongestGuarded(tests []PostTest) PostTest {
	return slices.MaxFunc(tests, func(a, b PostTest) int {
		waves := func(t PostTest) int64 {
			if result := t.Battle.Play(game.DefendersFirst); result.Winner != game.Tie {
				return result.Waves
			}
			return 0
		}
		return cmp.Compare(waves(a), waves(b))
	})
}

// GuardedOtherwise returns a battle in the box for which the page's statement about the guard is wrong, if there is
// one. The page says that the guard stops a battle exactly when d < n and s > n + 50 (n - d).
func GuardedOtherwise() (game.Battle, bool) {
	return GuardBox.First(func(b game.Battle) bool {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		return Guarded(b) != (d < n && s > n+(GuardWave-1)*(n-d))
	})
}

// StrongestGuarded returns the number of hits of the strongest castle that two soldiers can destroy before the guard
// stops them, if one defender arrives per wave.
func StrongestGuarded() (hits int64) {
	for !Guarded(Battle(2, hits+1, 1)) {
		hits++
	}
	return hits
}

// FewestSoldiers adds soldiers to a battle until enough returns true. enough gets the fewest waves, or 0 if the
// soldiers cannot win.
func FewestSoldiers(b game.Battle, enough func(waves int64) bool) game.Battle {
	for !enough(b.MinWaves()) {
		b.Soldiers++
	}
	return b
}

// FastestPaths returns the fastest wins of a side.
func FastestPaths(b game.Battle, side game.Winner) (found []game.Path) {
	for path := range chapter.Must(b.MinimumPaths(side)) {
		found = append(found, path.Clone())
	}
	return found
}

// PathsTable lists paths side by side.
func PathsTable(id string, paths []game.Path) content.Table {
	var lines []besides
	for i, path := range paths {
		line := besides{name: fmt.Sprintf("path %d", i+1)}
		for wave, state := range path.States {
			order := any("")
			if wave > 0 {
				order = path.Moves[wave-1]
			}
			line.waves = append(line.waves, []any{order, state.Soldiers, state.Defenders, state.CastleHits})
		}
		lines = append(lines, line)
	}
	return besideTable(id, 0, []any{chapter.MD("$i$"), "soldiers", "defenders", "hits"}, lines...)
}
