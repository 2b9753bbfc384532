package castle

import (
	"context"
	_ "embed"
	"fmt"
	"strconv"

	"github.com/siegebook/siegebook/report/content"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed derivation.md
var derivationSource string

// The battles that run through the derivation, by the names that the text calls them by. The pair with one soldier more
// and one less is the front page's.
var (
	patientBattle = game.Battle{Soldiers: 10, CastleHits: 43, DefendersPerWave: 8}
	waitBattle    = game.Battle{Soldiers: 100, CastleHits: 221, DefendersPerWave: 80}
	reachBattle   = game.Battle{Soldiers: 6, CastleHits: 13, DefendersPerWave: 1}
	roundBattle   = game.Battle{Soldiers: 10, CastleHits: 11, DefendersPerWave: 15}
	evenBattle    = game.Battle{Soldiers: 5, CastleHits: 10, DefendersPerWave: 5}
	thriftyBattle = game.Battle{Soldiers: 8, CastleHits: 14, DefendersPerWave: 5}
)

func derivationPage(ctx context.Context, _ *survey) (site.Page, error) {
	all := steps()
	checked, err := runSteps(ctx, all)
	if err != nil {
		return site.Page{}, err
	}
	notes := &stepNotes{steps: all, checked: checked}
	page := site.Page{
		Title: "How the formula is found", Nav: "Derivation",
		Description: "The soldiers' fewest waves, derived with school algebra, with numbers in every line and every step checked.",
		Source:      derivationSource, File: "report/castle/derivation.md",
		Funcs: map[string]any{"checked": notes.note}, Values: map[string]any{},
		Tables: []content.Table{
			waitTable("patient", patientBattle, 11, 17), waitTable("waiting", waitBattle, 1, 6),
			huntTable(), convergentTable(), notes.table(),
		},
	}
	for name, numbers := range derivationNumbers() {
		page.Funcs[name] = numbers.get
	}
	for name, count := range printedNumbers() {
		page.Values["printed "+name] = chapter.Thousands(count)
	}
	if err := chapter.Draw(&page, "ratio", ratioFigure()); err != nil {
		return site.Page{}, err
	}
	err = chapter.Draw(&page, "strike", strikeFigure(waitBattle))
	return page, err
}

// numbers are what the text may say of an example, by short names.
type numbers map[string]int64

func (m numbers) get(name string) (string, error) {
	v, ok := m[name]
	if !ok {
		return "", fmt.Errorf("the example has no number %q", name)
	}
	return strconv.FormatInt(v, 10), nil
}

// derivationNumbers computes every number of the text, by the name of its function in the page.
func derivationNumbers() map[string]numbers {
	return map[string]numbers{
		"patient": patientNumbers(), "wait": waitNumbers(waitBattle), "reach": waitNumbers(reachBattle),
		"won": outnumberedNumbers(barelyWon), "lost": outnumberedNumbers(barelyLost), "round": outnumberedNumbers(roundBattle),
		"even": outnumberedNumbers(evenBattle), "thrifty": thriftyNumbers(),
		"F": fibonacciNumbers(), "searched": {"n": searchedSoldiers, "s": searchedHits, "d": searchedDefenders},
	}
}

func battleNumbers(b game.Battle) numbers {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	return numbers{"n": n, "s": s, "d": d, "gain": n - d, "nd": n * d, "2n": 2 * n, "3n": 3 * n, "s+d": s + d, "s-n": s - n, "d-n": d - n}
}

// waitNumbers describes a battle with d < n: x_q and what goes with it at the strike, a wave before and a wave after.
func waitNumbers(b game.Battle) numbers {
	m := battleNumbers(b)
	n, d, q := b.Soldiers, b.DefendersPerWave, strikeAt(b)
	for suffix, at := range map[string]int64{"": q, " before": q - 1, " after": q + 1} {
		x := leftAt(b, at)
		k, _ := huntWaves(n, x) // of no use where the text says that the hunt is lost
		m["q"+suffix], m["q+1"+suffix], m["x"+suffix], m["k"+suffix], m["waves"+suffix] = at, at+1, x, k, 1+at+k
		m["square"+suffix] = x*x + d*x
		m["hits"+suffix] = x + n - d // what the castle has left at the start of wave q + 1
	}
	m["best"] = soldierWaves(b)
	m["left after first"] = b.CastleHits - n
	m["defenders-first"] = b.Play(game.DefendersFirst).Waves
	m["saved"] = m["defenders-first"] - m["best"]
	return m
}

// patientNumbers adds to the running example the detour that leaves one defender alive in wave 2.
func patientNumbers() numbers {
	m := waitNumbers(patientBattle)
	b, d := patientBattle, patientBattle.DefendersPerWave
	for name, left := range map[string]int64{"detour": 1, "straight": 0} {
		state, _ := b.Step(b.Start(), 0)
		first, _ := b.Step(state, d-left)
		second, _ := b.Step(first, int64(first.Defenders))
		m[name+" S"], m[name+" D"], m[name+" C"] = first.Soldiers, int64(first.Defenders), first.CastleHits
		m[name+" S2"], m[name+" C2"] = second.Soldiers, second.CastleHits
		m[name+" at castle"] = b.Soldiers - (d - left)
	}
	return m
}

// outnumberedNumbers describes a battle with d >= n, in which the castle falls in wave 2 if at all.
func outnumberedNumbers(b game.Battle) numbers {
	m := battleNumbers(b)
	n, x := b.Soldiers, leftAt(b, 1)
	m["x"], m["form"] = x, form(n, x)
	m["at defenders"] = 2*n - b.CastleHits
	m["border"] = 2*n + int64(phi.FloorDiv(uint64(n))) // the largest s + d that is won
	m["most left"] = int64(phi.FloorDiv(uint64(n)))
	if k, ok := huntWaves(n, x); ok {
		m["k"], m["waves"] = k, 2+k
		m["below"], m["above"] = x*fib(int(2*k+1)), n*fib(int(2*k))
		m["fib odd"], m["fib even"] = fib(int(2*k+1)), fib(int(2*k))
	}
	if waves, _, ok := b.Published(); ok {
		m["published"] = int64(waves)
	}
	for i := int64(0); i < 4; i++ {
		m[fmt.Sprintf("D%d", i)] = x*fib(int(2*i+1)) - n*fib(int(2*i))
		m[fmt.Sprintf("S%d", i)] = n*fib(int(2*i+1)) - x*fib(int(2*i+2))
	}
	m["resistance"] = b.LongestResistance().Waves
	m["castle"] = castleWaves(b)
	return m
}

// thriftyNumbers follows the castle's fastest win of an example.
func thriftyNumbers() numbers {
	b := thriftyBattle
	win := b.FastestCastleWin()
	m := battleNumbers(b)
	m["castle"] = win.Waves
	for wave := range b.Waves(win.Strategy()) {
		state := wave.State
		m[fmt.Sprintf("S%d", wave.Number)], m[fmt.Sprintf("D%d", wave.Number)] = state.Soldiers, int64(state.Defenders)
		m[fmt.Sprintf("C%d", wave.Number)] = state.CastleHits
		left := int64(state.Defenders)
		if wave.Winner == game.Undecided && state.CastleHits > 0 && wave.Number > 0 {
			left -= b.DefendersPerWave
		}
		m[fmt.Sprintf("x%d", wave.Number)] = left
	}
	return m
}

// printedNumbers counts by how much the formula as printed falls short in case 2a, in exact arithmetic.
func printedNumbers() numbers {
	m := numbers{"battles": 0, "by one": 0, "by more": 0}
	for b := range (box{searchedSoldiers, searchedHits, searchedDefenders}).each {
		if !case2a(b) {
			continue
		}
		m["battles"]++
		if short := soldierWaves(b) - exactPrinted(b); short == 1 {
			m["by one"]++
		} else {
			m["by more"]++
		}
	}
	return m
}

func fibonacciNumbers() numbers {
	m := numbers{}
	for k := range 13 {
		m[strconv.Itoa(k)] = fib(k)
	}
	return m
}

// waitTable compares the waves in which the castle may fall.
func waitTable(id string, b game.Battle, first, last int64) content.Table {
	n, d := b.Soldiers, b.DefendersPerWave
	table := chapter.Table(id, chapter.MD("$q$"), chapter.MD("$x_q$"), chapter.MD("$x_q^2 + d x_q$"),
		chapter.MD("more than $nd = %d$?", n*d), chapter.MD("$k(x_q)$"), chapter.MD("$1 + q + k(x_q)$"))
	for q := first; q <= last; q++ {
		x := leftAt(b, q)
		square, more, hunt, waves := content.Text(""), content.Text("nobody left"), content.Text("lost"), content.Text("")
		if x > 0 {
			square, more = content.Int(x*x+d*x), content.Text("no: strike")
			if x*x+d*x > n*d {
				more = content.Text("yes: wait")
			}
		}
		if k, ok := huntWaves(n, x); ok {
			hunt, waves = content.Int(k), content.Int(1+q+k)
			if 1+q+k == soldierWaves(b) {
				waves = pictures.MarkedFewest(waves)
			}
		}
		table.Rows = append(table.Rows, chapter.Row(q, x, square, more, hunt, waves))
	}
	return table
}

// huntTable plays the hunts of the pair of battles side by side.
func huntTable() content.Table {
	table := content.Table{
		ID: "hunts", RowHeader: true,
		Groups: []content.Group{{Cell: content.Text(""), Span: 1}}, Header: chapter.Row("wave"),
	}
	var hunts [2][]huntWave
	rows := 0
	for i, b := range []game.Battle{barelyWon, barelyLost} {
		table.Groups = append(table.Groups, content.Group{Cell: content.Rich(chapter.MD("$n = %d$", b.Soldiers)), Span: 3})
		table.Header = append(table.Header, content.Rich("$n$ at the start"), content.Rich("$x$ left"), content.Rich("$n^2 - nx - x^2$"))
		hunts[i] = huntPairs(b)
		rows = max(rows, len(hunts[i]))
	}
	for row := range rows {
		cells := chapter.Row(row + 2)
		for _, hunt := range hunts {
			if row >= len(hunt) {
				cells = append(cells, content.Text(""), content.Text(""), content.Text(""))
				continue
			}
			cells = append(cells, content.Int(hunt[row].n), content.Int(hunt[row].x), content.Int(form(hunt[row].n, hunt[row].x)))
		}
		table.Rows = append(table.Rows, cells)
	}
	return table
}

// huntWave is a wave from the fall on: the soldiers at its start and the defenders whom it leaves.
type huntWave struct{ n, x int64 }

// huntPairs follows the hunt after a fall in wave 2 up to the wave that decides it, by the rules.
func huntPairs(b game.Battle) []huntWave {
	pairs := []huntWave{{b.Soldiers, leftAt(b, 1)}}
	playHunt(b.Soldiers, leftAt(b, 1), func(_ int, s game.State) {
		pairs = append(pairs, huntWave{s.Soldiers + int64(s.Defenders), int64(s.Defenders)})
	})
	end := pairs[len(pairs)-1]
	return append(pairs, huntWave{end.n - end.x, 2*end.x - end.n})
}

// convergentTable lists the fractions that close in on 1/φ, and T(k) for the wait example's soldiers.
func convergentTable() content.Table {
	n := waitBattle.Soldiers
	table := chapter.Table("convergents", chapter.MD("$k$"), chapter.MD("$F(2k)$"), chapter.MD("$F(2k+1)$"), chapter.MD("$F(2k)/F(2k+1)$"), chapter.MD("$T(k)$ for $n = %d$", n))
	for k := range 6 {
		low, _ := phi.Convergents(k)
		table.Rows = append(table.Rows, chapter.Row(k, fib(2*k), fib(2*k+1), content.Decimal(low.FloatString(5)), mostLeft(n, k)))
	}
	return table
}
