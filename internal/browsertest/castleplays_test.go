package browsertest

import (
	"fmt"
	"maps"
	"strings"

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
