package castle

import (
	"context"
	_ "embed"
	"fmt"
	"math/big"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed tests.md
var testsSource string

// treeTests are the tests whose trees the posts draw.
var treeTests = []int{0, 1, 10}

func testsPage(ctx context.Context) (site.Page, error) {
	tests, err := readPosts()
	if err != nil {
		return site.Page{}, err
	}
	page := site.Page{
		Slug: "castle-tests", Title: "The posts' 27 tests", Nav: "The 27 tests",
		Description: "Every algorithm on the 27 tests of the castle posts, and the trees of the small ones.",
		Source:      testsSource, File: "report/castle/tests.md",
		Values: map[string]any{"tests": len(tests)},
	}
	table, tally, err := testsTable(ctx, tests)
	if err != nil {
		return site.Page{}, err
	}
	page.Tables = append(page.Tables, table)
	for i, name := range []string{"castle-first", "defenders-first"} {
		page.Values[name+" red"], page.Values[name+" cyan"] = tally[i][wrongSide], tally[i][tooMany]
	}
	page.Values["published low"] = tally[2][tooFew]
	page.Values["published high"] = tally[2][tooMany]
	page.Values["published right"] = tally[2][right]
	for _, number := range treeTests {
		test := tests[number]
		f, err := pictures.Tree{Battle: test.Battle, Title: fmt.Sprintf("All paths of test %d, %v", number, test.Battle)}.Figure()
		if err != nil {
			return site.Page{}, err
		}
		page.Figures = append(page.Figures, f.Named(fmt.Sprintf("tree-%d", number)))
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

// testsTable lists every algorithm on the tests. The tally counts verdicts by algorithm: castle-first, defenders-first,
// published.
func testsTable(ctx context.Context, tests []postTest) (content.Table, [3][verdicts]int, error) {
	table := content.Table{
		ID: "tests", RowHeader: true,
		Header: []content.Cell{
			content.Text("test"), content.Rich("$(n, s, d)$"), content.Text("exact: best play"), content.Text("castle first"), content.Text("defenders first"),
			content.Text("published formula"), content.Text("ways: soldiers"), content.Text("ways: castle"),
		},
	}
	var tally [3][verdicts]int
	for _, test := range tests {
		b := test.Battle
		soldiers, castle := b.MinWaves(), b.CastleMinWaves()
		counts, err := b.Count(ctx, game.CountOptions{})
		if err != nil {
			return table, tally, err
		}
		row := []content.Cell{content.Int(test.Number), content.Text(triple(b)), content.Text(best(soldiers, castle))}
		for i, strategy := range []game.Strategy{game.CastleFirst, game.DefendersFirst} {
			result := b.Play(strategy)
			v := judgeLine(result, soldiers, castle)
			tally[i][v]++
			row = append(row, pictures.Marked(content.Text(lineEnd(result)), v))
		}
		v := judgePublished(b, soldiers, castle)
		tally[2][v]++
		row = append(row, pictures.Marked(publishedCell(b), v), wayCell(counts.Soldiers.Total()), wayCell(counts.Castle.Total()))
		table.Rows = append(table.Rows, row)
	}
	return table, tally, nil
}

// best writes the posts' "Min Rounds": the soldiers' fewest waves, or else the castle's.
func best(soldiers, castle int64) string {
	if soldiers > 0 {
		return outcome(game.Soldiers, soldiers)
	}
	return outcome(game.Castle, castle)
}

func lineEnd(r game.Result) string {
	end := outcome(r.Winner, r.Waves)
	if r.Winner == game.Soldiers {
		end += fmt.Sprintf(", %d\u00a0left", r.SoldiersLeft)
	}
	return end
}

func publishedCell(b game.Battle) content.Cell {
	waves, _, ok := b.Published()
	if !ok {
		return content.Text("cannot win")
	}
	return content.Text(fmt.Sprintf("soldiers in\u00a0%.0f", waves))
}

func wayCell(ways *big.Int) content.Cell { return content.BigInt(ways) }
