package castle

import (
	"context"
	_ "embed"
	"fmt"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed tests.md
var testsSource string

// treeTests are the tests whose trees the posts draw.
var treeTests = []int{0, 1, 10}

func testsPage(ctx context.Context, _ *survey) (site.Page, error) {
	tests := posts()
	page := site.Page{
		Title: "The posts' 27 tests", Nav: "The 27 tests",
		Description: "Every algorithm on the 27 tests of the castle posts, and the trees of the small ones.",
		Source:      testsSource, File: "report/castle/tests.md",
		Values: map[string]any{"tests": len(tests)},
	}
	table, tallies, err := testsTable(ctx, tests)
	if err != nil {
		return site.Page{}, err
	}
	page.Tables = append(page.Tables, table)
	others := ""
	for _, a := range judged() {
		switch t := tallies[a.Name]; a.Name {
		case "castle-first", "defenders-first":
			page.Values[a.Name+" red"], page.Values[a.Name+" cyan"] = t[game.WrongSide], t[game.TooMany]
		case "published":
			page.Values["published low"], page.Values["published high"] = t[game.TooFew], t[game.TooMany]
			page.Values["published right"] = t[game.Right]
		default:
			others += " " + t.sentence(a.Title, "tests")
		}
	}
	page.Funcs = map[string]any{"others": func() string { return others }}
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
	}
	return page, nil
}

// testsTable lists every algorithm on the tests. The tallies are by the algorithms' names.
func testsTable(ctx context.Context, tests []postTest) (content.Table, map[string]tally, error) {
	exact := game.AlgorithmsOf(game.Exact)[0]
	table := chapter.Table("tests", "test", chapter.MD("$(n, s, d)$"), exact.Name+": "+exact.Title)
	tallies := map[string]tally{}
	for _, a := range judged() {
		table.Header = append(table.Header, content.Text(a.Title))
		tallies[a.Name] = tally{}
	}
	table.Header = append(table.Header, content.Text("ways: soldiers"), content.Text("ways: castle"))
	for _, test := range tests {
		b := test.Battle
		counts, err := b.Count(ctx, game.CountOptions{})
		if err != nil {
			return table, nil, err
		}
		soldiers, castle := game.ExactAnswers(b.MinWaves(), b.CastleMinWaves())
		row := chapter.Row(test.Number, triple(b), best(soldiers, castle))
		for _, a := range judged() {
			answer, err := a.Answer(ctx, b, game.Effort{})
			if err != nil {
				return table, nil, err
			}
			v := answer.Verdict(soldiers, castle)
			tallies[a.Name][v]++
			row = append(row, pictures.Marked(content.Text(answerText(a, answer)), v))
		}
		table.Rows = append(table.Rows, append(row, content.BigInt(counts.Soldiers.Total()), content.BigInt(counts.Castle.Total())))
	}
	return table, tallies, nil
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
		return fmt.Sprintf("soldiers in\u00a0%.0f", answer.InFloat)
	case answer.Winner == game.Soldiers:
		return outcome(answer.Winner, answer.Waves)
	}
	return "cannot win"
}
