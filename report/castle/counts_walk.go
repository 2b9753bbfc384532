package castle

import (
	"context"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// The battles of the search: one of which the whole tree is shown with its sums, and a test of which every step is.
var smallSearch = game.Battle{Soldiers: 6, CastleHits: 9, DefendersPerWave: 5}

const walkedTest = 0

// walkTable lists every step of a search that keeps the path on which it stands.
func walkTable(b game.Battle) content.Table {
	table := chapter.Table("walk", "step", "what happens", "list of states")
	list := []string{bare(b.Start())}
	add := func(what string, list []string) {
		table.Rows = append(table.Rows, chapter.Row(len(table.Rows)+1, what,
			chapter.NoBreak(strings.Join(list, " → "))))
	}
	add("start", list)
	var visit func(s game.State, wave int)
	visit = func(s game.State, wave int) {
		for i, high := s.Moves(); i <= high; i++ {
			next, winner := b.Step(s, i)
			list = append(list, bare(next))
			what := fmt.Sprintf("wave %d, i = %d", wave, i)
			if winner == game.Undecided {
				add(what, list)
				visit(next, wave+1)
			} else {
				add(what+": "+ending(winner)+", keep the list", list)
			}
			list = list[:len(list)-1]
			add("take back one state", list)
		}
	}
	visit(b.Start(), 1)
	return table
}

// ending says who has won.
func ending(w game.Winner) string {
	switch w {
	case game.Soldiers:
		return "the soldiers win"
	case game.Castle:
		return "the castle wins"
	}
	return "a tie"
}

// bare writes a state as (N, S, D).
func bare(s game.State) string {
	return chapter.NoBreak(fmt.Sprintf("(%d, %d, %d)", s.Soldiers, s.CastleHits, s.Defenders))
}

// searchValues computes what the page says about the search.
func searchValues(tests []postTest, values map[string]any) error {
	complete, err := waysOf(smallSearch)
	if err != nil {
		return err
	}
	values["small battle"], values["small soldiers"], values["small castle"] = triple(
		smallSearch,
	), complete.Soldiers.Total(), complete.Castle.Total()
	values["walk test"], values["walk battle"] = walkedTest, triple(tests[walkedTest].Battle)
	return chapter.Expect("the small battle has no tie", complete.Ties.Sign() == 0, complete)
}

// addConventions puts on the page which wins of the castle the posts do not count, and what wasted shots would add.
func addConventions(ctx context.Context, page *site.Page, tests []postTest) error {
	table, short, err := conventionTable(ctx, tests)
	if err != nil {
		return err
	}
	page.Tables = append(page.Tables, table)
	complete, err := waysOf(smallSearch)
	if err != nil {
		return err
	}
	printed, err := printedWaysOf(smallSearch)
	if err != nil {
		return err
	}
	dropped := complete.Castle.Total().Int64() - printed.Castle.Total().Int64()
	values := page.Values
	values["short"], values["small dropped"] = short, dropped
	values["small battle"], values["small castle"] = triple(smallSearch), complete.Castle.Total()
	if err := chapter.Expect("the post's rule drops a win of the small battle", dropped > 0, complete,
		printed); err != nil {
		return err
	}
	b := tests[walkedTest].Battle
	values["walk test"] = walkedTest
	legal, err := waysOf(b)
	if err != nil {
		return err
	}
	all, won := wastefulPaths(b, b.Start())
	values["wasted paths"], values["legal paths"], values["wasted castle"] = all, allPaths(legal), won
	second := stateAfter(b, game.DefendersFirst, 1)
	return chapter.Expect(
		"in wave 2 one shot finishes the castle", second.CastleHits == 1 && int64(all) > allPaths(legal).Int64(),
		second, all,
	)
}

// wastefulPaths counts the paths from a state, and those that the castle wins, if soldiers may waste shots at a castle
// that stands.
func wastefulPaths(b game.Battle, s game.State) (all, won int) {
	low, high := int64(0), min(s.Soldiers, int64(s.Defenders))
	if s.CastleHits == 0 {
		low = high
	}
	for i := low; i <= high; i++ {
		left, hits := int64(s.Defenders)-i, max(0, s.CastleHits-(s.Soldiers-i))
		switch {
		case left == 0 && hits == 0:
			all++
			continue
		case left >= s.Soldiers:
			all, won = all+1, won+1
			continue
		}
		next := game.State{Soldiers: s.Soldiers - left, Defenders: uint64(left), CastleHits: hits}
		if hits > 0 {
			next.Defenders += uint64(b.DefendersPerWave)
		}
		if next == s {
			all++
			continue
		}
		more, lost := wastefulPaths(b, next)
		all, won = all+more, won+lost
	}
	return all, won
}

// addWaves puts the ways of all tests on the page, wave by wave, and compares them with what the post prints.
func addWaves(ctx context.Context, page *site.Page, tests []postTest) error {
	table := chapter.Table("waves", "test", chapter.MD("$(n, s, d)$"), "soldiers", "castle", "left out")
	var all []pictures.Counted
	printed, more := &printedWaves{}, 0
	for _, test := range tests {
		complete, err := test.Battle.Count(ctx, game.CountOptions{})
		if err != nil {
			return err
		}
		asPrinted, err := test.Battle.Count(ctx, game.CountOptions{Convention: game.Printed})
		if err != nil {
			return err
		}
		all = append(
			all,
			pictures.Counted{
				Name: fmt.Sprintf("%d: %v", test.Number, test.Battle), Complete: complete,
				Printed: asPrinted,
			},
		)
		waves := pictures.WavesOf(complete, asPrinted)
		table.Rows = append(table.Rows, chapter.Row(test.Number, triple(test.Battle),
			byWave(waves, func(w pictures.WaveWays) *big.Int { return w.Soldiers }),
			byWave(waves, func(w pictures.WaveWays) *big.Int { return w.Castle }),
			byWave(waves, pictures.WaveWays.LeftOut)))
		table.Data.Rows = append(table.Data.Rows, waveRows(test, waves)...)
		printed.compare(test, waves)
		if complete.Castle.Total().Cmp(complete.Soldiers.Total()) > 0 {
			more++
		}
		if err := checkHills(test, complete, waves); err != nil {
			return err
		}
	}
	table.Data.Header = []string{"test", "n", "s", "d", "wave", "soldiers", "castle", "castle_as_printed"}
	page.Tables = append(page.Tables, table)
	page.Values["castle more"] = more
	if err := printed.report(page.Values); err != nil {
		return err
	}
	return chapter.Draw(page, "all-ways", pictures.AllCounts(all))
}

// byWave writes numbers of ways as "3: 26, 5 to 7: 73"; waves without any are left out.
func byWave(waves []pictures.WaveWays, ways func(pictures.WaveWays) *big.Int) string {
	var parts []string
	for i := 0; i < len(waves); {
		j := i
		for j+1 < len(waves) && waves[j+1].Wave == waves[j].Wave+1 && ways(waves[j+1]).Cmp(ways(waves[i])) == 0 {
			j++
		}
		if ways(waves[i]).Sign() > 0 {
			name := strconv.FormatInt(waves[i].Wave, 10)
			if j > i {
				name = span(waves[i].Wave, waves[j].Wave)
			}
			parts = append(parts, chapter.NoBreak(name+": "+chapter.BigThousands(ways(waves[i]))))
		}
		i = j + 1
	}
	return strings.Join(parts, ", ")
}

// waveRows are tidy rows: one for each wave of a test.
func waveRows(test postTest, waves []pictures.WaveWays) [][]string {
	var rows [][]string
	b := test.Battle
	for _, w := range waves {
		rows = append(rows, []string{
			fmt.Sprint(test.Number), fmt.Sprint(b.Soldiers), fmt.Sprint(b.CastleHits), fmt.Sprint(b.DefendersPerWave),
			fmt.Sprint(w.Wave), w.Soldiers.String(), w.Castle.String(), w.CastlePrinted.String(),
		})
	}
	return rows
}

// checkHills checks what the page says of the shapes: the castle's ways begin in wave 2 or 3, the soldiers' not before
// them, and in a wave in which both can win the castle has at least as many.
func checkHills(test postTest, counts game.Counts, waves []pictures.WaveWays) error {
	if len(counts.Castle) > 0 {
		first := counts.Castle[0].Wave
		holds := (first == 2 || first == 3) && (len(counts.Soldiers) == 0 || counts.Soldiers[0].Wave >= first)
		if err := chapter.Expect("the castle's ways begin in wave 2 or 3, and before the soldiers'", holds, test.Number,
			counts); err != nil {
			return err
		}
	}
	for _, w := range waves {
		holds := w.Soldiers.Sign() == 0 || w.Castle.Sign() == 0 || w.Soldiers.Cmp(w.Castle) <= 0
		if err := chapter.HoldsAt(holds, "test %d, wave %d: more ways for the soldiers", test.Number,
			w.Wave); err != nil {
			return err
		}
	}
	return nil
}

// printedWaves collects how the numbers that the post prints for single waves compare with those of its own rule.
type printedWaves struct {
	entries, right int
	wrong          []string
	gaps           []string // tests in whose list a single wave is missing
	last           int64    // the last wave of all
	lastTest       int
}

func (p *printedWaves) compare(test postTest, waves []pictures.WaveWays) {
	for _, side := range []struct {
		name    string
		printed map[string]int64
		ways    func(pictures.WaveWays) *big.Int
	}{
		{"soldiers", test.Printed.SoldierWins, func(w pictures.WaveWays) *big.Int { return w.Soldiers }},
		{"castle", test.Printed.CastleWins, func(w pictures.WaveWays) *big.Int { return w.CastlePrinted }},
	} {
		found := map[string]*big.Int{}
		for _, w := range waves {
			if ways := side.ways(w); ways.Sign() > 0 {
				found[fmt.Sprint(w.Wave)] = ways
			}
			if w.Wave > p.last {
				p.last, p.lastTest = w.Wave, test.Number
			}
		}
		for wave := int64(1); wave <= p.last; wave++ {
			text := fmt.Sprint(wave)
			number, isPrinted := side.printed[text]
			_, before := side.printed[fmt.Sprint(wave-1)]
			_, after := side.printed[fmt.Sprint(wave+1)]
			switch {
			case isPrinted && found[text] != nil && found[text].Cmp(big.NewInt(number)) == 0:
				p.entries, p.right = p.entries+1, p.right+1
			case isPrinted:
				p.entries++
				p.wrong = append(
					p.wrong,
					fmt.Sprintf(
						"test %d prints %d ways of the %s for wave %d, where there are %v.", test.Number, number,
						side.name, wave, found[text],
					),
				)
			case before && after && found[text] != nil:
				p.gaps = append(p.gaps, fmt.Sprintf("%d, %s, wave %d", test.Number, side.name, wave))
			}
		}
	}
}

func (p *printedWaves) report(values map[string]any) error {
	values["printed entries"], values["printed right"] = p.entries, p.right
	values["printed wrong"] = content.Markdown(strings.Join(p.wrong, " "))
	values["printed gaps"] = "18 and 20"
	values["last wave"], values["last wave test"] = p.last, p.lastTest
	holds := len(p.wrong) == 1 && strings.HasPrefix(p.wrong[0], "test 22 ") &&
		strings.Join(p.gaps, "; ") == "18, castle, wave 7; 20, castle, wave 7"
	return chapter.Expect("one number of the post's list is wrong, and two waves are missing", holds, p.wrong, p.gaps)
}
