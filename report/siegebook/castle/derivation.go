package castle

import (
	"context"
	"fmt"
	"math"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// The battles that run through the derivation, by the names that the text calls them by. The pair with one soldier more
// and one less is the front page's.
var (
	patientBattle = Battle(12, 42, 10)
	waitBattle    = Battle(100, 221, 80)
	reachBattle   = Battle(6, 13, 1)
	roundBattle   = Battle(10, 11, 15)
	evenBattle    = Battle(5, 10, 5)
	thriftyBattle = Battle(8, 14, 5)
	postedBattle  = Battle(19, 50, 15)
	trialBattle   = Battle(7, 12, 5)
)

// derivedPage returns a page with the numbers of the derivation's examples, and with the notes of its steps.
func derivedPage() site.Page {
	page := site.Page{Lookups: map[string]map[string]string{"checked": stepNotes(), "form": forms()}}
	for name, numbers := range derivationNumbers() {
		texts := map[string]string{}
		for name, number := range numbers {
			texts[name] = string(site.Number(strconv.FormatInt(number, 10)))
		}
		page.Lookups[name] = texts
	}
	return page
}

// derivationPage is the derivation's rest: what the pages on the hunt and on the border leave to prove.
func derivationPage(context.Context) site.Page {
	page := derivedPage()
	page.Tables = []content.Table{booksTable(), detourTable(), stepTable()}
	page.Values = map[string]any{}
	for name, count := range printedNumbers() {
		page.Values["printed "+name] = chapter.Thousands(count)
	}
	addPrinted(&page)
	chapter.Draw(&page, "strike", strikeFigure(waitBattle))
	chapter.Explore(&page, "staircase", pictures.Staircase(),
		pictures.Settings(Battle(stairSoldiers, stairHits, stairDefenders))...)
	return page
}

func huntPage(context.Context) site.Page {
	page := derivedPage()
	page.Tables = []content.Table{huntTable(), convergentTable()}
	chapter.Draw(&page, "successors", pictures.Successors(barelyWon.Soldiers, leftAt(barelyWon, 1)))
	chapter.Draw(&page, "ratio", pictures.Tolls(barelyWon, barelyLost))
	chapter.Pose(&page, "most", pictures.AskMost)
	chapter.Pose(&page, "form", pictures.AskForm)
	chapter.Explore(&page, "hyperbola", pictures.HuntPicture(),
		content.Settings("n", nearBattle.Soldiers, "x", leftAt(nearBattle, 1))...)
	return page
}

func borderPage(context.Context) site.Page {
	page := derivedPage()
	recap := casesTable()
	page.Tables = []content.Table{
		waitTable("patient", patientBattle, strikeAt(patientBattle)-3, strikeAt(patientBattle)+3),
		waitTable("waiting", waitBattle, 1, 6), recap,
	}
	first, _ := waitBattle.Falls()
	bet := fmt.Sprintf("%d.%d.%d", patientBattle.Soldiers, patientBattle.CastleHits, patientBattle.DefendersPerWave)
	chapter.Explore(&page, "falls", pictures.Waiting(), pictures.Settings(waitBattle, "f", first, "bet", bet)...)
	page.Values = map[string]any{
		"map n": mapBattle.Soldiers, "listing battles": chapter.Thousands(chapter.Get(CheckListings("border"))),
	}
	chapter.Pose(&page, "waves", pictures.AskWaves, pictures.Settings(postedBattle)...)
	chapter.Pose(&page, "army", pictures.AskArmy)
	chapter.Explore(&page, "guess", pictures.Guess(), content.Settings("n", 8)...)
	view := pictures.View(mapBattle, grid.Range{First: 1, Last: 400}, grid.Range{First: 1, Last: 200})
	chapter.Explore(&page, "map", pictures.Map(), pictures.Settings(mapBattle, "view", view)...)
	return page
}

// mapBattle is the battle that the map of the border begins with: on the border, by one defender.
var mapBattle = Battle(100, 150, 111)

// widest returns the largest s + d against which n soldiers win if d >= n: the whole part of (φ + 1) n.
func widest(n int64) int64 { return 2*n + int64(phi.FloorDiv(uint64(n))) }

// forms writes n² - nx - x² for two Fibonacci numbers that follow each other, under both of them.
func forms() map[string]string {
	texts := map[string]string{}
	for k := 2; k <= 10; k++ {
		n, x := int64(phi.Fib(k+1)), int64(phi.Fib(k))
		texts[fmt.Sprint(n, x)] = string(site.Number(strconv.FormatInt(form(n, x), 10)))
	}
	return texts
}

// The battles with which the recap shows the cases that no other example of the page is in.
var (
	atOnceBattle = Battle(10, 9, 8)
	hopeless     = Battle(10, 20, 11)
)

// casesTable is who wins by case, and in how many waves.
func casesTable() content.Table {
	table := chapter.Table("recap", "case", "condition", "fewest waves", "example")
	fewest := []content.Markdown{`1`, `$1 + q + k(x_q)$`, `$2 + k(x_1)$`, `never`, `never`}
	for i, b := range []game.Battle{atOnceBattle, patientBattle, barelyWon, barelyLost, hopeless} {
		row := recapRows[i]
		chapter.HoldsAt(b.Case() == row.number, "%v is an example of case %v, but its case is %v", b,
			row.number, b.Case())
		example := Triple(b) + ": "
		if w := b.MinWaves(); w > 0 {
			example += chapter.NoBreak(waves(w))
		} else {
			example += "lost, at the latest " + chapter.NoBreak("in wave ") +
				chapter.Thousands(b.LongestResistance().Waves)
		}
		table.Add(row.number.String(), row.condition, fewest[i], example)
	}
	return table
}

// waitTable compares the waves in which the castle may fall.
func waitTable(id string, b game.Battle, first, last int64) content.Table {
	n, d := b.Soldiers, b.DefendersPerWave
	table := chapter.Table(id, chapter.MD("$q$"), chapter.MD("$x_q$"), chapter.MD("$x_q^2 + d x_q$"),
		chapter.MD("$> %d$?", n*d), chapter.MD("$k(x_q)$"), "waves")
	for q := first; q <= last; q++ {
		x := leftAt(b, q)
		square, more, hunt, waves := content.Text(""), content.Text("nobody left"), content.Text("lost"),
			content.Text("")
		if x > 0 {
			square, more = content.Int(x*x+d*x), content.Text("no, strike")
			if x*x+d*x > n*d {
				more = content.Text("yes, wait")
			}
		}
		if k, ok := huntWaves(n, x); ok {
			hunt, waves = content.Int(k), content.Int(1+q+k)
			if 1+q+k == b.MinWaves() {
				waves = pictures.MarkedFewest(waves)
			}
		}
		table.Add(q, x, square, more, hunt, waves)
	}
	return table
}

// huntTable plays the hunts of the pair of battles side by side.
func huntTable() content.Table {
	var hunts []besides
	for _, b := range []game.Battle{barelyWon, barelyLost} {
		hunt := besides{name: chapter.MD("$n = %d$", b.Soldiers)}
		for _, w := range pictures.Hunt(b.Soldiers, leftAt(b, 1)) {
			hunt.waves = append(hunt.waves, []any{w.Soldiers, w.Left, form(w.Soldiers, w.Left)})
		}
		hunts = append(hunts, hunt)
	}
	return besideTable("hunts", 2, []any{
		chapter.MD("$N$ at the start"), chapter.MD("$x$ left"), chapter.MD("$N^2 - Nx - x^2$"),
	}, hunts...)
}

// convergentTable lists the fractions that close in on 1/φ, and T(k) for the wait example's soldiers.
func convergentTable() content.Table {
	n := waitBattle.Soldiers
	table := chapter.Table("convergents", chapter.MD("$k$"), chapter.MD("$F(2k)$"), chapter.MD("$F(2k+1)$"), "quotient",
		chapter.MD("$T(k)$"))
	for k := range 6 {
		low, _ := phi.Convergents(k)
		table.Add(k, fib(2*k), fib(2*k+1), content.Decimal(low.FloatString(5)), mostLeft(n, k))
	}
	return table
}

// The two hunts that the text shows as points in a plane: one defender sets them apart.
var (
	nearBattle = Battle(40, 60, 44)
	farBattle  = Battle(40, 60, 45)
)

// The staircase that is drawn.
const (
	stairSoldiers  = 100
	stairDefenders = 95
	stairWaves     = 8
	stairHits      = 150 // of the castle that a reader begins with
)

// stairNumbers are what the text says about the staircase.
func stairNumbers() numbers {
	const n, gain = stairSoldiers, stairSoldiers - stairDefenders
	reach := map[int]int64{1: 0}
	m := numbers{"n": n, "d": stairDefenders, "gain": gain}
	for w := 2; w <= stairWaves; w++ {
		reach[w] = gain + max(reach[w-1], mostLeft(n, w-2))
		m[fmt.Sprintf("A%d", w)], m[fmt.Sprintf("T%d", w-2)] = reach[w], mostLeft(n, w-2)
	}
	m["last"] = n + reach[stairWaves]
	hunts := m["T1"] > reach[2] && m["T2"] > reach[3] && m["T3"] < reach[4]
	chapter.Expect("the staircase's first stairs end with a hunt, the others with waiting", hunts, m)
	return m
}

// strikeFigure draws the waves that a hunt takes against those of waiting once and hunting fewer defenders. The curves
// are before rounding up, the steps after.
func strikeFigure(b game.Battle) figure.Lines {
	n, gain := b.Soldiers, b.Soldiers-b.DefendersPerWave
	last := float64(phi.FloorDiv(uint64(n)))
	// A chart's points go to the right, so a step is drawn a hair's breadth off the vertical.
	const hair = 1e-6
	var steps []figure.Point
	for k, from := 1, 0.0; from < last; k++ {
		to := min(last, float64(n)*float64(fib(2*k))/float64(fib(2*k+1)))
		steps = append(steps, figure.Point{X: from + hair, Y: float64(k)}, figure.Point{X: to, Y: float64(k)})
		from = to
	}
	hunt := func(x float64) float64 {
		return math.Log((float64(n)+x/math.Phi)/(float64(n)-x*math.Phi)) / math.Log(math.Phi) / 4
	}
	limit := (math.Sqrt(float64(b.DefendersPerWave*b.DefendersPerWave+
		4*n*b.DefendersPerWave)) - float64(b.DefendersPerWave)) / 2
	return figure.Lines{
		Title: fmt.Sprintf("Strike or wait, n = %d, d = %d", n, b.DefendersPerWave),
		X:     figure.Axis{Label: "defenders left x", Min: 0, Max: last},
		Y:     figure.Axis{Label: "waves from here", Min: 0, Max: 3.5},
		Series: []figure.Series{
			{Name: "k(x)", Points: steps},
			{Name: "κ(x)", Points: figure.Sampled(hunt, 0, last)},
			{
				Name:   fmt.Sprintf("1 + κ(x − %d)", gain),
				Points: figure.Sampled(func(x float64) float64 { return 1 + hunt(x-float64(gain)) }, 0, last),
			},
			{Name: "limit", Points: []figure.Point{{X: limit, Y: 0}, {X: limit + hair, Y: 3.5}}},
		},
	}
}

// numbers are what the text may say of an example, by short names.
type numbers map[string]int64

// derivationNumbers computes every number of the text, by the name of its lookup in the page.
func derivationNumbers() map[string]numbers {
	expectExamples()
	return map[string]numbers{
		"trap": trapNumbers(), "patient": patientNumbers(), "wait": waitNumbers(waitBattle),
		"reach": waitNumbers(reachBattle), "won": outnumberedNumbers(barelyWon),
		"lost": outnumberedNumbers(barelyLost), "round": outnumberedNumbers(roundBattle),
		"even": outnumberedNumbers(evenBattle), "thrifty": castleNumbers(thriftyBattle), "books": booksNumbers(),
		"trial": castleNumbers(trialBattle),
		"near":  outnumberedNumbers(nearBattle), "far": outnumberedNumbers(farBattle),
		"stairs": stairNumbers(), "caution": cautionNumbers(), "F": fibonacciNumbers(),
		"searched": {"n": searchedSoldiers, "s": searchedHits, "d": searchedDefenders},
	}
}

// expectExamples checks what the text says in words about its examples.
func expectExamples() {
	strikes := func(b game.Battle, q int64) int64 {
		k, ok := huntWaves(b.Soldiers, leftAt(b, q))
		if !ok {
			return 0
		}
		return 1 + q + k
	}
	q := strikeAt(patientBattle)
	chapter.Expect("a wave too early loses the running example, a wave too late is slower",
		strikes(patientBattle, q-1) == 0 && strikes(patientBattle, q+1) > strikes(patientBattle, q), q)
	q = strikeAt(waitBattle)
	first := strikes(waitBattle, q-2) == 0 && strikes(waitBattle, q-1) > strikes(waitBattle, q) &&
		strikes(waitBattle, q+1) > strikes(waitBattle, q)
	chapter.Expect("the first strike that can be won is too early, and only once", first, q)
	never, longest := barelyLost.Play(game.DefendersFirst).Waves, barelyLost.LongestResistance().Waves
	longer := never < longest && FallOf(barelyLost, barelyLost.LongestResistance().Strategy()) == 2
	chapter.Expect("in some battles of case 2c a fall in wave 2 lasts longer than defenders only", longer,
		never, longest)
	chapter.Expect("one soldier makes the difference",
		barelyWon.MinWaves() > 0 && barelyLost.MinWaves() == 0 && barelyWon.Soldiers == barelyLost.Soldiers+1)
}

func battleNumbers(b game.Battle) numbers {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	return numbers{
		"n": n, "s": s, "d": d, "gain": n - d, "nd": n * d, "2n": 2 * n, "3n": 3 * n, "s+d": s + d,
		"s-n": s - n, "d-n": d - n,
	}
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
	m["best"] = b.MinWaves()
	m["square sum"], m["root"], m["X"] = d*d+4*n*d, rootOf(b), mostStruck(b)
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
		m[name+" N"], m[name+" S"], m[name+" D"] = first.Soldiers, first.CastleHits, int64(first.Defenders)
		m[name+" N2"], m[name+" S2"] = second.Soldiers, second.CastleHits
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
	m["border"] = widest(n)
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
		m[fmt.Sprintf("N%d", i)] = n*fib(int(2*i+1)) - x*fib(int(2*i+2))
	}
	m["resistance"] = b.LongestResistance().Waves
	m["castle"] = b.CastleMinWaves()
	return m
}

// castleNumbers follows the castle's fastest win of a battle.
func castleNumbers(b game.Battle) numbers {
	win := b.FastestCastleWin()
	m := battleNumbers(b)
	m["castle"] = win.Waves
	for wave := range b.Waves(win.Strategy()) {
		state := wave.State
		m[fmt.Sprintf("N%d", wave.Number)], m[fmt.Sprintf("S%d", wave.Number)] = state.Soldiers, state.CastleHits
		m[fmt.Sprintf("D%d", wave.Number)] = int64(state.Defenders)
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
	for b := range searchedBox.Each {
		if !case2a(b) {
			continue
		}
		m["battles"]++
		if short := b.MinWaves() - exactPrinted(b); short == 1 {
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

// printedParts are q and max(0, k) of the printed case 2a, evaluated in whole numbers: q is the least whole number, not
// necessarily positive, with x_q <= 0 or x_q² + d x_q <= nd, and k is the length of the hunt for x_q.
func printedParts(b game.Battle) (q, k int64) {
	n, d := b.Soldiers, b.DefendersPerWave
	q = (b.CastleHits-n)/(n-d) + 1 // nobody is left
	for x := leftAt(b, q-1); x <= 0 || x*(x+d) <= n*d; x = leftAt(b, q-1) {
		q--
	}
	return q, huntLength(n, leftAt(b, q))
}

// huntLength is k(x) of a hunt that the soldiers win.
func huntLength(n, x int64) int64 {
	k, _ := huntWaves(n, x)
	return k
}

// putRight is the formula as the page has it beside the printed one; 0 where the soldiers cannot win.
func putRight(b game.Battle) int64 {
	n, s, d := b.Soldiers, b.CastleHits, b.DefendersPerWave
	switch {
	case s <= n:
		return 1
	case d < n:
		q, _ := printedParts(b)
		q = max(1, q)
		return 1 + q + huntLength(n, leftAt(b, q))
	case s < 2*n && phi.Cmp(uint64(n), uint64(s+d-2*n)) > 0:
		return 2 + huntLength(n, leftAt(b, 1))
	}
	return 0
}

// addPrinted writes the published formula as it is printed, beside what is right.
func addPrinted(page *site.Page) {
	q, k := printedParts(Example)
	printed, _, ok := Example.Published()
	holds := ok && printed == float64(q+k) && Example.MinWaves() == 1+q+k
	chapter.Expect("the printed formula is one wave short of the example", holds, printed, q, k)
	chapter.Set(page.Values, "box", wide.String(), "example", Triple(Example), "printed q", q, "printed k", waves(k),
		"printed x", leftAt(Example, q), "printed waves", q+k, "right waves", Example.MinWaves())
	page.Tables = append(page.Tables, printedTable())
}

// printedTable has the formula case by case. Differences are marked.
func printedTable() content.Table {
	table := chapter.Table("printed", "case", "as printed", "put right")
	for _, row := range chapter.Rows(say("printed formula", nil)) {
		printed := content.Rich(row[1])
		if verdict := chapter.Verdict(row[3]); verdict != "" {
			printed = printed.Marked(verdict.Mark())
		}
		table.Add(row[0], printed, row[2])
	}
	return table
}
