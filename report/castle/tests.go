package castle

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// treeTests are the tests whose trees the posts draw.
var treeTests = []int{0, 1, 10}

func testsPage(ctx context.Context) (site.Page, error) {
	tests := posts()
	page := site.Page{
		Values: map[string]any{"tests": len(tests)},
	}
	table, tallies, right, err := testsTable(ctx, tests)
	if err != nil {
		return site.Page{}, err
	}
	page.Tables = append(page.Tables, table)
	battles, err := checkListings("tests")
	if err != nil {
		return site.Page{}, err
	}
	page.Values["listing battles"] = chapter.Thousands(battles)
	if err := guardValues(tests, page.Values); err != nil {
		return site.Page{}, err
	}
	if err := factValues(tests, page.Values); err != nil {
		return site.Page{}, err
	}
	if err := answerTests(tests, right, page.Values); err != nil {
		return site.Page{}, err
	}
	if err := addPaths(&page, tests); err != nil {
		return site.Page{}, err
	}
	others := ""
	for _, a := range judged() {
		switch t := tallies[a.Name]; a.Name {
		case "castle-first":
			page.Values["castle-first red"], page.Values["castle-first cyan"] = t[game.WrongSide], tooSlow(t[game.TooMany])
		case "defenders-first":
			page.Values["defenders-first red"], page.Values["defenders-first cyan"] = t[game.WrongSide], t[game.TooMany]
		case "published":
			page.Values["published low"], page.Values["published high"] = t[game.TooFew], t[game.TooMany]
			page.Values["published right"] = t[game.Right]
		default:
			others += " " + t.sentence(a.Title, "tests")
		}
	}
	page.Values["others"] = content.Markdown(others)
	for _, number := range treeTests {
		test := tests[number]
		tree := pictures.Tree{Battle: test.Battle, Title: fmt.Sprintf("All paths of test %d, %v", number, test.Battle)}
		if err := chapter.Draw(&page, fmt.Sprintf("tree-%d", number), tree); err != nil {
			return site.Page{}, err
		}
		counts, err := test.Battle.Count(ctx, game.CountOptions{})
		if err != nil {
			return site.Page{}, err
		}
		prefix := fmt.Sprintf("tree %d ", number)
		page.Values[prefix+"battle"] = triple(test.Battle)
		for name, ways := range map[string]*big.Int{"soldiers": counts.Soldiers.Total(), "castle": counts.Castle.Total(), "ties": counts.Ties} {
			if ways.Sign() > 0 { // the text does not speak of what a tree has none of
				page.Values[prefix+name] = ways
			}
		}
		if counts.Ties.Sign() > 0 {
			page.Values[prefix+"others"] = new(big.Int).Sub(allPaths(counts), counts.Ties)
		}
	}
	return page, nil
}

// postsOwn are the algorithms of the posts.
var postsOwn = []string{"castle-first", "defenders-first", "published"}

// tooSlow says in how many tests an algorithm is too slow.
func tooSlow(tests int) string {
	if tests == 0 {
		return "is never too slow"
	}
	return fmt.Sprintf("is too slow in %d", tests)
}

// testsTable lists every algorithm on the tests, what it says first: that is what a narrow screen shows. The tallies
// are by the algorithms' names; right says in which tests all are.
func testsTable(ctx context.Context, tests []postTest) (table content.Table, tallies map[string]tally, right []bool, err error) {
	exact := game.AlgorithmsOf(game.Exact)[0]
	table = chapter.Table("tests", "test", exact.Name+": "+exact.Title)
	tallies, right = map[string]tally{}, make([]bool, len(tests))
	for _, a := range judged() {
		table.Header = append(table.Header, content.Text(a.Title))
		tallies[a.Name] = tally{}
	}
	table.Header = append(table.Header, chapter.Row(chapter.MD("$(n, s, d)$"), "ways: soldiers", "ways: castle")...)
	for i, test := range tests {
		b := test.Battle
		counts, err := b.Count(ctx, game.CountOptions{})
		if err != nil {
			return table, nil, nil, err
		}
		soldiers, castle := game.ExactAnswers(b.MinWaves(), b.CastleMinWaves())
		row := chapter.Row(test.Number, best(soldiers, castle))
		right[i] = true
		for _, a := range judged() {
			answer, err := a.Answer(ctx, b, game.Effort{})
			if err != nil {
				return table, nil, nil, err
			}
			v := answer.Verdict(soldiers, castle)
			tallies[a.Name][v]++
			right[i] = right[i] && (v == game.Right || !slices.Contains(postsOwn, a.Name))
			row = append(row, pictures.Marked(content.Text(answerText(a, answer)), v))
		}
		table.Rows = append(table.Rows, append(row, chapter.Row(triple(b), counts.Soldiers.Total(), counts.Castle.Total())...))
	}
	return table, tallies, right, nil
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
