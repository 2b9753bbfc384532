package browsertest

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

func init() {
	plays["castle-map"] = playCastleMap
	plays["castle-compared"] = playCastleCompared
}

// battle is that of the fields.
func (p *player) battle() castle.Battle {
	p.Helper()
	return castle.Battle{Soldiers: p.whole("n"), CastleHits: p.whole("s"), DefendersPerWave: p.whole("d")}
}

// judged compares the answer with the library's, for the battle in the fields.
func (p *player) judged() { p.Helper(); p.wantsAnswer(content.ForPeople(p.battle().Reach())) }

// writeBattle writes a random battle into the fields, and takes it for granted that they keep it.
func (p *player) writeBattle(most int64) castle.Battle {
	p.Helper()
	b := castle.Battle{Soldiers: p.number(most), CastleHits: p.number(most), DefendersPerWave: p.number(most)}
	for name, value := range map[string]int64{"n": b.Soldiers, "s": b.CastleHits, "d": b.DefendersPerWave} {
		p.write(name, fmt.Sprint(value))
	}
	if got := p.battle(); got != b {
		p.Fatalf("the fields have %v, %v was written", got, b)
	}
	return b
}

func playCastleMap(p *player) {
	const plane = ".x-plane"
	p.begin("")
	p.judged()
	start := p.battle()
	for range p.rounds(10) {
		b := p.writeBattle(400)
		p.judged()
		address := fmt.Sprintf("n=%d&s=%d&d=%d&view=", b.Soldiers, b.CastleHits, b.DefendersPerWave)
		if strings.Contains(p.start, "view=") { // the part that the page shows goes on as long as it has the battle
			p.wantsInAddress(address)
		} else {
			p.wantsAddress(address + "&play=exact")
		}
	}
	for name, keys := range map[string][]input.Key{
		"n": {input.Home, input.ArrowRight, input.PageUp},
		"s": {input.End, input.ArrowLeft}, "d": {input.PageDown, input.ArrowUp},
	} {
		p.slide(name, keys...)
		p.judged()
	}
	for _, hand := range []pointer{mouse, touch} {
		for range p.rounds(5) {
			x, y := p.random.Float64(), p.random.Float64()
			p.tap(hand, plane, x, y)
			p.judged()
			p.drag(hand, plane, point{x, y}, point{y, x}, point{p.random.Float64(), p.random.Float64()})
			p.judged()
		}
	}
	p.push(mouse, "Start again") // where a cell is one castle hit and one defender, as the keys' steps are
	p.tap(mouse, plane, 0.5, 0.5)
	before := p.battle()
	p.focus(plane)
	p.press(0, input.ArrowRight, input.ArrowRight, input.ArrowUp)
	p.press(input.ShiftLeft, input.ArrowLeft)
	if got, want := p.battle(), (castle.Battle{
		Soldiers: before.Soldiers, CastleHits: before.CastleHits + 2 - 10,
		DefendersPerWave: before.DefendersPerWave + 1,
	}); got != want {
		p.Errorf("the arrow keys lead from %v to %v, want %v", before, got, want)
	}
	p.judged()
	p.push(mouse, "Start again")
	if p.judged(); p.battle() != start {
		p.Errorf("it starts again with %v, want %v", p.battle(), start)
	}
	p.begin("n=9223372036854775807&s=9223372036854775806&d=9223372036854775805")
	p.judged()
	p.begin("n=100&s=211&d=121") // how fast the castle could win with their help is said last
	p.wantsAnswer("castle: the soldiers hold out until wave 4 at most")
	p.wantsText("If the soldiers helped it, without wasting a shot, the castle could win in wave 2.")
	if strings.Contains(p.start, "long=") { // a battle that the front page offers
		playLongSiege(p)
	}
}

// playLongSiege: numbers of 19 digits can be read, in the fields, at the axes and in the table.
func playLongSiege(p *player) {
	p.Helper()
	drawn := func() string {
		p.Helper()
		return inHost[string](p, drawnNow+`return decodeURIComponent(host.querySelector(".x-plate > img").src);`)
	}
	p.begin("")
	p.push(mouse, "a very long siege")
	p.judged()
	if cut := inHost[[]string](p,
		`return [...host.querySelectorAll("input[type=number]")].filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.value);`); len(cut) > 0 {
		p.Errorf("the numbers %q do not fit into their fields", cut)
	}
	if !strings.Contains(drawn(), ">4e+18<") {
		p.Errorf("the castle's axis has no ticks: %.2000s", drawn())
	}
	// On a telephone five columns of 19 digits do not fit; there they scroll.
	if over := inHost[int](p,
		`if (innerWidth < 700) return 0; const e = host.querySelector(".x-scroll"); return e.scrollWidth - e.clientWidth;`); over > 0 {
		p.Errorf("the battle wave by wave is %d pixels too wide", over)
	}
	p.begin("n=1000&s=4611686018427387903&d=999&view=4611686018427387878,987,1,1,50")
	if text := drawn(); !strings.Contains(text, ">castle hits s − 4,611,686,018,427,387,878<") ||
		!strings.Contains(text, ">40<") {
		p.Errorf("close by the axis does not count from its first number: %.2000s", text)
	}
}

// playCastleCompared chooses algorithms and battles, and compares the verdicts with the library's.
func playCastleCompared(p *player) {
	const plane = ".x-plane"
	p.begin("")
	p.compared()
	start := p.state().Fields
	for range p.rounds(6) {
		for _, choice := range []string{"algorithm", "measure"} {
			all := castle.DefaultSurveyed()
			p.choose(choice, all[p.random.IntN(len(all))].Name)
		}
		p.compared()
		for _, hand := range []pointer{mouse, touch} {
			p.tap(hand, plane, p.random.Float64(), p.random.Float64())
			p.compared()
		}
		p.writeBattle(100)
		p.compared()
	}
	p.push(mouse, "Start again")
	p.compared()
	if got := p.state().Fields; !maps.Equal(got, start) {
		p.Errorf("it starts again with %v, want %v", got, start)
	}
	p.push("", "Next difference")
	p.compared()
	if strings.HasSuffix(p.answer("answer"), ": right") {
		p.Errorf("the next difference is %q", p.answer("answer"))
	}
	p.begin("n=20&sa=9&sz=5")
	p.wants("the problem", "last castle hits (sz) = 5: the first are 9, choose that or more",
		func() string { return p.state().Problem })
	p.begin("")
	p.compared()
}

// compared compares the verdict that is shown with the library's, where one algorithm is right.
func (p *player) compared() {
	p.Helper()
	fields, b := p.state().Fields, p.battle()
	a, _ := castle.AlgorithmNamed(fields["algorithm"])
	by, _ := castle.AlgorithmNamed(fields["measure"])
	if by.Kind != castle.Exact || a.Affordable != nil {
		return
	}
	says := must.Get(a.Answer(p.Context(), b, castle.Effort{}))
	fewest := b.MinWaves()
	want := map[castle.Verdict]string{
		castle.Right: "right", castle.WrongSide: "✗ wrong side",
		castle.TooMany: "+ too many waves", castle.TooFew: "− too few waves",
	}[says.SoldiersVerdict(fewest)]
	if extra := says.ExtraWaves(fewest); extra > 0 {
		want += fmt.Sprintf(" (%d more)", extra)
	}
	p.wantsAnswer(a.Title + " by " + by.Title + ": " + want)
}

func init() { plays["castle-play"] = playCastlePlay }

// TestAnswerWithoutScript: where the battle stands is in the page, also where no script runs.
func TestAnswerWithoutScript(t *testing.T) {
	t.Parallel()
	data := must.Get(os.ReadFile(filepath.Join(report(t).dir, "castle-play.html")))
	found := regexp.MustCompile(`data-kind="castle-play" data-start="n=(\d+)&amp;s=(\d+)&amp;d=\d+"><output[^>]*>([^<]*)</output></div>`).FindSubmatch(data)
	if found == nil {
		t.Fatal("there is no answer")
	}
	if want := fmt.Sprintf("Wave 1: %s soldiers, 0 defenders, %s castle hits.", found[1],
		found[2]); string(found[3]) != want {
		t.Errorf("%q, want %q", found[3], want)
	}
}

// playedWaves is the table of the waves.
const playedWaves = "[aria-label='Your battle, wave by wave']"

// playCastlePlay plays battles wave by wave with random orders, which the rules of the library follow.
func playCastlePlay(p *player) {
	p.begin("")
	p.asksAndLoses()
	p.leavesGames()
	for range p.rounds(2) {
		p.begin("")
		p.writeBattle(math.MaxInt64)
		b := p.battle()
		p.push("", "Can I still win?")
		p.wantsText(content.ForPeople("From the start: " + b.Reach() + ". " + b.HelpedWin()))
	}
	for round, hand := range []pointer{mouse, touch, ""} {
		if !inTurn(p.window, round) {
			continue
		}
		b := castle.Battle{
			Soldiers: 5 + p.random.Int64N(40), CastleHits: 20 + p.random.Int64N(80),
			DefendersPerWave: 3 + p.random.Int64N(20),
		}
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d", b.Soldiers, b.CastleHits, b.DefendersPerWave))
		state, winner := b.Start(), castle.Undecided
		var moves []string
		for winner == castle.Undecided && len(moves) < 8 {
			low, high := state.Moves()
			order := low + p.random.Int64N(high-low+1)
			if round == 0 && low < high { // by the slider, from its one end to the other
				p.slide("order", input.Home, input.End)
				order = high
			} else {
				p.write("order", fmt.Sprint(order))
			}
			p.push(hand, fmt.Sprintf("Shoot! Wave %d", len(moves)+1))
			state, winner = b.Step(state, order)
			moves = append(moves, fmt.Sprint(order))
			if winner == castle.Undecided {
				p.wantsRow(playedWaves, fmt.Sprint(len(moves)), state.Soldiers, int64(state.Defenders),
					state.CastleHits)
			}
		}
		p.wantsInAddress(strings.Join(moves, ","))
		p.wantsText(map[castle.Winner]string{
			castle.Undecided: "Shoot!", castle.Soldiers: "You win in",
			castle.Castle: "The castle wins in wave", castle.Tie: "A tie:",
		}[winner])
		shown := p.state()
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d&moves=%s", b.Soldiers, b.CastleHits, b.DefendersPerWave,
			strings.Join(moves, ",")))
		if again := p.state(); again.Answers["answer"] != shown.Answers["answer"] || again.Problem != "" {
			p.Errorf("from its address it comes back as %+v, not as %+v", again, shown)
		}
	}
}

// asksAndLoses asks whether the battle can be won, and loses it: the answer is there before, is seen when it is asked
// for, and does not stand beside the defeat.
func (p *player) asksAndLoses() {
	p.Helper()
	seen := func(want string, is bool) {
		p.Helper()
		p.wants("that it says: "+want, fmt.Sprint(is),
			func() string { return fmt.Sprint(strings.Contains(p.state().Text, want)) })
	}
	table := func() float64 {
		p.settle()
		return inHost[float64](p,
			`return host.querySelector(given[0]).getBoundingClientRect().top - host.getBoundingClientRect().top;`,
			playedWaves)
	}
	b := castle.Battle{Soldiers: 19, CastleHits: 50, DefendersPerWave: 15}
	verdict := "From the start: " + b.Reach() + ". " + b.HelpedWin()
	seen(verdict, false)
	p.push(mouse, "Can I still win?")
	seen(verdict, true)
	p.begin("n=19&s=50&d=15")
	place := table()
	p.push(mouse, "Shoot! Wave 1")
	p.wantsRow(playedWaves, "1", 19, 15, 31)
	if now := table(); math.Abs(now-place) > 0.5 {
		p.Errorf("after wave 1 the table jumps from %v to %v", place, now)
	}
	for wave := 2; wave <= 3; wave++ {
		p.write("order", "8")
		p.push(mouse, fmt.Sprintf("Shoot! Wave %d", wave))
		if wave == 2 {
			p.wantsRow(playedWaves, "2", 12, 22, 20)
			p.wants("what has changed", "Castle hits: 20 (−11), Defenders: 22 (−8 +15), Soldiers: 12 (−7)",
				func() string {
					return inHost[string](p,
						`return host.querySelector(".x-plate > img").alt.match(/[A-Z][a-z ]+: \d+ \(.*?\)/g)?.join(", ") ?? "";`)
				})
			p.push("", "Can I still win?")
			p.wantsText("No, the castle wins. From here you can hold out until wave 4 at most.")
		}
	}
	p.wantsText("The castle wins in wave 3.")
	seen("From the start", false)
	p.wantsRemarks(", no choice, ✗ gave the win away, − 1 wave")
}

// wantsRemarks waits for what the table says of each order.
func (p *player) wantsRemarks(want string) {
	p.Helper()
	p.wants("what the orders were worth", want, func() string {
		return inHost[string](p,
			`return [...host.querySelectorAll(given[0] + " tbody tr")].map((row) => row.lastElementChild.textContent).join(", ");`, playedWaves)
	})
}

// leavesGames goes from a game to another battle and back, and plays what cannot be won, for which there is no praise.
func (p *player) leavesGames() {
	p.Helper()
	pressed := func(want string) {
		p.Helper()
		p.wants("the preset", want, func() string {
			p.settle()
			return inHost[string](p,
				`return [...host.querySelectorAll("[aria-pressed=true]")].map((e) => e.textContent).join();`)
		})
	}
	p.begin("n=19&s=50&d=15&moves=0,8")
	pressed("A fair fight")
	p.push(touch, "Hold out")
	p.wantsAddress("n=21&s=25&d=30&moves=&order=0")
	pressed("Hold out")
	p.push(touch, "Back to your game")
	p.wantsAddress("n=19&s=50&d=15&moves=0,8&order=0")
	pressed("A fair fight")
	p.write("s", "51")
	p.wantsAddress("n=19&s=51&d=15&moves=&order=0")
	pressed("")
	p.push("", "Back to your game")
	p.wantsAddress("n=19&s=50&d=15&moves=0,8&order=0")
	p.push("", "Hold out")
	p.push("", "Let best play finish")
	p.wantsText("nobody can hold out longer")
	p.wantsRemarks(", no choice, holds out longest, no choice, no choice, no choice")
}

// wantsRow waits until the last row of a table has the numbers left by a wave: the last cells but one that may hold
// words.
func (p *player) wantsRow(table, first string, left ...int64) {
	p.Helper()
	want := first
	for _, number := range left {
		want += " " + fmt.Sprint(number)
	}
	p.wants("the last row of "+table, want, func() string {
		p.settle()
		return inHost[string](p, `const cells = [...host.querySelector(given[0] + " tbody tr:last-child").cells].map((c) => c.textContent.replaceAll(",", ""));
		return [cells[0], ...cells.slice(3, 3 + given[1])].join(" ");`, table, len(left))
	})
}
