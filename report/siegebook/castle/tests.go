package castle

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// treeTests are the tests whose trees the posts draw.
var treeTests = []int{0, 1, 10}

func testsPage(ctx context.Context) site.Page {
	tests := PostTests()
	page := site.Page{Values: map[string]any{"tests": len(tests)}}
	table, tallies, right := testsTable(ctx, tests)
	page.Tables = append(page.Tables, table)
	page.Values["listing battles"] = chapter.Thousands(chapter.Get(CheckListings("tests")))
	guardValues(tests, page.Values)
	factValues(tests, page.Values)
	answerTests(tests, right, page.Values)
	addPaths(&page, tests)
	addWaves(ctx, &page, tests)
	addConventions(ctx, &page, tests)
	others := ""
	for _, a := range judged() {
		switch t := tallies[a.Name]; a.Name {
		case "castle-first":
			chapter.Set(page.Values, "castle-first red", t[game.WrongSide],
				"castle-first cyan", say("too slow", t[game.TooMany]))
		case "defenders-first":
			chapter.Set(page.Values, "defenders-first red", t[game.WrongSide], "defenders-first cyan", t[game.TooMany])
		case "published":
			chapter.Set(page.Values, "published low", t[game.TooFew], "published high", t[game.TooMany],
				"published right", t[game.Right])
		default:
			others += " " + t.sentence(a.Title, "tests")
		}
	}
	page.Values["others"] = content.Markdown(others)
	for _, number := range treeTests {
		test := tests[number]
		tree := pictures.Tree{Battle: test.Battle, Title: fmt.Sprintf("All paths of test %d, %v", number, test.Battle)}
		chapter.Draw(&page, fmt.Sprintf("tree-%d", number), tree)
		counts := chapter.Get(test.Battle.Count(ctx, game.CountOptions{}))
		prefix := fmt.Sprintf("tree %d ", number)
		page.Values[prefix+"battle"] = Triple(test.Battle)
		for name, ways := range map[string]*big.Int{
			"soldiers": counts.Soldiers.Total(),
			"castle":   counts.Castle.Total(), "ties": counts.Ties,
		} {
			if ways.Sign() > 0 { // the text does not speak of what a tree has none of
				page.Values[prefix+name] = ways
			}
		}
		if counts.Ties.Sign() > 0 {
			page.Values[prefix+"others"] = new(big.Int).Sub(allPaths(counts), counts.Ties)
		}
	}
	return page
}

// postsOwn are the algorithms of the posts.
var postsOwn = []string{"castle-first", "defenders-first", "published"}

// testsTable lists every algorithm on the tests, what it says first: that is what a narrow screen shows. The tallies
// are by the algorithms' names; right says in which tests all are.
func testsTable(ctx context.Context, tests []PostTest) (table content.Table, tallies map[string]tally, right []bool) {
	exact := game.AlgorithmsOf(game.Exact)[0]
	table = chapter.Table("tests", "test", exact.Name+": "+exact.Title)
	tallies, right = map[string]tally{}, make([]bool, len(tests))
	for _, a := range judged() {
		table.Header = append(table.Header, content.Text(a.Title))
		tallies[a.Name] = tally{}
	}
	table.Header = append(table.Header, content.Row(chapter.MD("$(n, s, d)$"), "ways: soldiers", "ways: castle")...)
	for i, test := range tests {
		b := test.Battle
		counts := chapter.Get(b.Count(ctx, game.CountOptions{}))
		soldiers, castle := game.ExactAnswers(b.MinWaves(), b.CastleMinWaves())
		row := content.Row(test.Number, best(soldiers, castle))
		right[i] = true
		for _, a := range judged() {
			answer := chapter.Get(a.Answer(ctx, b, game.Effort{}))
			v := answer.Verdict(soldiers, castle)
			tallies[a.Name][v]++
			right[i] = right[i] && (v == game.Right || !slices.Contains(postsOwn, a.Name))
			row = append(row, pictures.Marked(content.Text(answerText(a, answer)), v))
		}
		table.Add(row, Triple(b), counts.Soldiers.Total(), counts.Castle.Total())
	}
	return table, tallies, right
}

// best writes the posts' "Min Rounds": the soldiers' fewest waves, or else the castle's.
func best(soldiers, castle game.Answer) string {
	switch {
	case soldiers.Winner == game.Soldiers:
		return outcome(game.Soldiers, soldiers.Waves)
	case castle.Winner == game.Castle:
		return outcome(game.Castle, castle.Waves)
	}
	return outcome(game.Tie, 0)
}

// answerText writes an answer for a narrow column: "soldiers in 4, 2 left", or what a formula promises.
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

// answerTests computes the answers of the exercises. right says in which tests the posts' algorithms are all right.
func answerTests(tests []PostTest, right []bool, values map[string]any) {
	var numbers []string
	const wave = 2
	for _, test := range tests {
		if !right[test.Number] {
			continue
		}
		numbers = append(numbers, fmt.Sprint(test.Number))
		counts := waysOf(test.Battle)
		holds := allPaths(counts).Cmp(counts.Castle.Total()) == 0 && len(counts.Castle) == 1 &&
			counts.Castle[0].Wave == wave
		chapter.HoldsAt(holds, "test %d, in which all are right: %v", test.Number, counts)
	}
	chapter.Expect("there are tests in which all are right", len(numbers) > 1, numbers)
	values["all right"], values["all right wave"] = content.List(numbers), wave

	b := tests[1].Battle
	enough, fast := b, b
	for enough.MinWaves() == 0 {
		enough.Soldiers++
	}
	for fast.MinWaves() != 2 {
		fast.Soldiers++
	}
	chapter.Set(values, "enough", enough.Soldiers, "enough waves", enough.MinWaves(), "fast", fast.Soldiers,
		"tree 1 defenders", b.DefendersPerWave)
	holds := b.CastleHits+b.DefendersPerWave <= 2*fast.Soldiers && b.CastleHits+b.DefendersPerWave > 2*(fast.Soldiers-1)
	chapter.Expect("two waves are enough exactly if s + d <= 2n", holds && enough.MinWaves() > 2, enough, fast)
}

// factValues computes what the first post reads off its table of tests. The claims say what of it is true there.
func factValues(tests []PostTest, values map[string]any) {
	var agree, more, lost, late, tied []string
	for _, test := range tests {
		b, number := test.Battle, fmt.Sprint(test.Number)
		castleFirst, defendersFirst := b.Play(game.CastleFirst), b.Play(game.DefendersFirst)
		fewest, castle := b.MinWaves(), b.CastleMinWaves()
		if defendersFirst.Winner == game.Tie {
			tied = append(tied, number)
		}
		switch {
		case fewest == 0:
			lost = append(lost, number)
			if defendersFirst.Winner == game.Castle && defendersFirst.Waves == castle+1 {
				late = append(late, number)
			}
		case castleFirst.Winner == game.Soldiers && defendersFirst.Winner == game.Soldiers &&
			castleFirst.Waves == fewest && defendersFirst.Waves == fewest:
			agree = append(agree, number)
			if defendersFirst.SoldiersLeft > castleFirst.SoldiersLeft {
				more = append(more, number)
			}
		}
	}
	same := slices.DeleteFunc(slices.Clone(agree), func(number string) bool { return slices.Contains(more, number) })
	for name, numbers := range map[string][]string{
		"agree": agree, "more": more, "same": same, "lost": lost, "late": late, "tied": tied,
	} {
		values["facts "+name] = content.List(numbers)
	}
}

// guardWave is the last wave that the post's program plays of a battle that defenders first has not decided: it stops
// when more than 50 waves are over.
const guardWave = 51

// guardBox is where battles are searched that take longer.
var guardBox = box(30, 200, 30)

// guarded reports whether the guard stops a battle that defenders first would decide.
func guarded(b game.Battle) bool {
	result := b.Play(game.DefendersFirst)
	return result.Winner != game.Tie && result.Waves > guardWave
}

// guardValues finds out what the guard at 50 waves does, and checks what the page says about it.
func guardValues(tests []PostTest, values map[string]any) {
	var ties []string
	longest := tests[0]
	for _, test := range tests {
		switch result := test.Battle.Play(game.DefendersFirst); {
		case result.Winner == game.Tie:
			ties = append(ties, fmt.Sprint(test.Number))
		case result.Waves > longest.Battle.Play(game.DefendersFirst).Waves:
			longest = test
		}
		chapter.Expect("the guard does no harm in the tests", !guarded(test.Battle), test.Battle)
	}
	first, ok := guardBox.First(guarded)
	misjudged := guardBox.Count(guarded)
	exception, found := guardBox.First(func(b game.Battle) bool {
		n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
		return guarded(b) != (d < n && s > n+(guardWave-1)*(n-d))
	})
	chapter.Expect("the guard stops a battle exactly if d < n and s > n + 50 (n - d)", ok && !found, exception)
	won := first.Play(game.DefendersFirst)
	chapter.Expect("the soldiers win the first battle that the guard stops", won.Winner == game.Soldiers, won)
	chapter.Set(values, "guard ties", content.List(ties), "guard", guardWave, "guard hits", guardWave-1,
		"guard longest test", longest.Number, "guard longest", longest.Battle.Play(game.DefendersFirst).Waves,
		"guard first", Triple(first), "guard first waves", won.Waves, "guard misjudged", chapter.Thousands(misjudged))
	ends := guardBox.Ends()
	chapter.Set(values, "guard n", ends[0], "guard s", ends[1], "guard d", ends[2])
	strongestGuarded(values)
}

// strongestGuarded finds the strongest castle that two soldiers take from one defender a wave before the guard stops
// them.
func strongestGuarded(values map[string]any) {
	strongest := int64(0)
	for s := int64(1); !guarded(Battle(2, s, 1)); s++ {
		strongest = s
	}
	values["guard strongest"] = strongest
	chapter.Expect("two hits in wave 1, one in every other", strongest == 2+guardWave-1, strongest)
}

// pathTests are the tests of which the post prints paths, and whose wins they are.
var pathTests = []struct {
	number int
	side   game.Winner
}{{2, game.Soldiers}, {7, game.Castle}}

// addPaths puts the printed paths on the page. The claims say that they are those of the library.
func addPaths(page *site.Page, tests []PostTest) {
	for _, test := range pathTests {
		b := tests[test.number].Battle
		paths := chapter.Get(b.MinimumPaths(test.side))
		var found []game.Path
		for path := range paths {
			found = append(found, path.Clone())
		}
		chapter.Expect("there are two fastest wins", len(found) == 2, b, len(found))
		part := 0
		for found[0].States[part] == found[1].States[part] {
			part++
		}
		prefix := fmt.Sprintf("paths %d ", test.number)
		page.Values[prefix+"battle"] = Triple(b)
		if test.side == game.Soldiers {
			chapter.Set(page.Values, prefix+"part", part, prefix+"waves", found[0].Waves())
		}
		page.Tables = append(page.Tables, pathsTable(fmt.Sprintf("paths-%d", test.number), found))
	}
}

// pathsTable lists paths side by side.
func pathsTable(id string, paths []game.Path) content.Table {
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
