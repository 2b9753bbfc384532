package browsertest

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

func init() {
	plays["castle-guess"] = playCastleGuess
	plays["castle-hunt"] = playCastleHunt
	plays["castle-wait"] = playCastleWait
	plays["castle-stairs"] = playCastleStairs
	plays["castle-counts"] = playCastleCounts
}

// commas writes digits as pages do: in groups of three, from five on.
func commas(digits string) string {
	if len(digits) < 5 {
		return digits
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// many writes a number of things as pages do.
func many(count int64, one string) string {
	if count == 1 {
		return "1 " + one
	}
	return commas(fmt.Sprint(count)) + " " + one + "s"
}

// huntVerdict plays a hunt by the rules, and says how it ends.
func huntVerdict(n, x int64) string {
	if x >= n {
		return "The castle wins with the fall of the castle"
	}
	home, waves, winner := n, int64(0), castle.Soldiers
	b, s := castle.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: 1}, castle.State{
		Soldiers:  n - x,
		Defenders: uint64(x),
	}
	for next := s; x > 0; s = next {
		_, all := s.Moves()
		waves++
		if next, winner = b.Step(s, all); winner != castle.Undecided {
			home = next.Soldiers
			break
		}
	}
	when := "with the fall of the castle"
	if waves > 0 {
		when = many(waves, "wave") + " after the fall"
	}
	switch {
	case winner == castle.Castle:
		return "The castle wins " + when
	case home == 1:
		return "The soldiers win " + when + ", and 1 comes home"
	}
	return "The soldiers win " + when + ", and " + commas(fmt.Sprint(home)) + " come home"
}

func playCastleHunt(p *player) {
	judged := func() {
		p.Helper()
		n, x := p.whole("n"), p.whole("x")
		p.wantsAnswer(huntVerdict(n, x))
		point := fmt.Sprintf(">(%s, %s)<", commas(fmt.Sprint(n)), commas(fmt.Sprint(x)))
		p.wants("the picture", "true", func() string {
			drawn := inHost[string](p, `return decodeURIComponent(host.querySelector(".x-plate > img").src);`)
			return fmt.Sprint(strings.Contains(drawn, point) ||
				strings.Contains(drawn, strings.Replace(point, ">", ">↑ ", 1)))
		})
	}
	p.begin("")
	judged()
	for range p.rounds(8) {
		n := p.number(5000)
		p.write("n", fmt.Sprint(n))
		p.write("x", fmt.Sprint(p.random.Int64N(n+2)))
		judged()
	}
	p.begin("n=100&x=50")
	p.slide("n", input.ArrowRight, input.PageDown)
	judged()
	p.slide("x", input.End)
	if judged(); p.whole("x") != p.whole("n") {
		p.Errorf("the slider ends at %d of %d soldiers", p.whole("x"), p.whole("n"))
	}
	for _, hand := range []pointer{mouse, touch} {
		p.tap(hand, ".x-plane", 0.2+0.6*p.random.Float64(), 0.3+0.4*p.random.Float64())
		judged()
		p.drag(hand, ".x-plane", point{0.5, 0.5}, point{0.5, 0.3}, point{0.5, 0.99})
		if judged(); p.whole("x") != 0 {
			p.Errorf("dragged to the foot: %d of %d", p.whole("x"), p.whole("n"))
		}
		before := p.whole("n")
		p.drag(hand, ".x-drag[data-field=n]", point{0.5, 0.5}, point{0.5, 0.5}, point{3, 0.5})
		if judged(); p.whole("n") <= before {
			p.Errorf("the number in the sentence was dragged from %d to %d", before, p.whole("n"))
		}
	}
	p.focus(".x-drag[data-field=x]")
	p.press(0, input.ArrowRight)
	judged()
	won, lost := castle.HuntBounds(p.whole("n"), 60)
	for label, want := range map[string]int64{"The last that is won": won, "The first that is lost": lost} {
		p.push(mouse, label)
		if judged(); p.whole("x") != want {
			p.Errorf("%s leaves %d defenders, want %d", label, p.whole("x"), want)
		}
	}
	p.push("", "The longest of so many")
	judged()
	p.choose("beside", "none")
	judged()
	// up to the ceiling of the plane, and beyond
	for _, x := range []string{"39", "40", "1000", "9223372036854775807"} {
		p.write("n", "40")
		p.write("x", x)
		judged()
	}
	p.push(touch, "Start again")
	judged()
	p.begin("n=9223372036854775807&x=5700357409661599242")
	judged()
}

// fallVerdict says what comes of a fall of the castle in a wave.
func fallVerdict(b castle.Battle, wave int64) string {
	name := func(wave int64) string { return commas(fmt.Sprint(wave)) }
	first, last := b.Falls()
	fall, ok := b.FallIn(wave)
	switch {
	case first == 0:
		return "The castle cannot fall"
	case !ok && first == last:
		return fmt.Sprintf("It cannot fall in wave %s, but only in wave %s", name(wave), name(first))
	case !ok:
		return fmt.Sprintf("It cannot fall in wave %s, but in waves %s to %s", name(wave), name(first), name(last))
	case fall.Result.Winner == castle.Soldiers:
		return fmt.Sprintf("Falls in wave %s: won in %s, %s of %s lost", name(wave), many(fall.Result.Waves, "wave"),
			name(b.Soldiers-fall.Result.SoldiersLeft), many(b.Soldiers, "soldier"))
	}
	return fmt.Sprintf("Falls in wave %s: lost in wave %s", name(wave), name(fall.Result.Waves))
}

func playCastleWait(p *player) {
	judged := func() { p.Helper(); p.wantsAnswer(fallVerdict(p.battle(), p.whole("f"))) }
	p.begin("")
	judged()
	for range p.rounds(8) {
		b := p.writeBattle(300)
		first, last := b.Falls()
		p.write("f", fmt.Sprint(max(1, first+p.random.Int64N(last-first+2))))
		judged()
	}
	p.push(mouse, "Start again")
	p.slide("f", input.Home, input.ArrowRight)
	judged()
	for _, hand := range []pointer{mouse, touch} {
		p.tap(hand, ".x-plane", 0.3+0.5*p.random.Float64(), 0.5)
		judged()
	}
	p.push(touch, "The bet: guess first")
	b := p.battle()
	p.wantsText("Guess a wave")
	first, last := b.Falls()
	for wave := last; wave >= first; wave-- { // until the fewest waves are found
		p.write("f", fmt.Sprint(wave))
		p.wantsAnswer(fmt.Sprintf("In wave %d? Try it", wave))
		p.push("", "Try this wave")
		judged()
		fall, _ := b.FallIn(wave)
		if fall.Result.Winner == castle.Soldiers && fall.Result.Waves == b.MinWaves() {
			p.wantsText(fmt.Sprintf("you have found them, with %d tries", last-wave+1))
			break
		}
		p.wantsText("Your fewest waves so far")
	}
	p.wants("the address", "true",
		func() string { return fmt.Sprint(strings.Contains(p.state().Hash, fmt.Sprintf(",%d", last))) })
	p.choose("rows", "all")
	p.wantsText(fmt.Sprintf("The fewest waves are %d", b.MinWaves()))
	p.begin("n=9223372036854775807&s=9223372036854775806&d=9223372036854775805&f=1")
	judged()
	p.begin("n=1000000000000000000&s=9000000000000000000&d=999999999999999990&f=800000000000000000")
	judged()
}

func playCastleStairs(p *player) {
	judged := func() {
		p.Helper()
		want := "The soldiers cannot win"
		if waves := p.battle().MinWaves(); waves > 0 {
			want = "The soldiers win in " + many(waves, "wave")
		}
		p.wantsAnswer(want)
	}
	p.begin("")
	judged()
	for range p.rounds(8) {
		p.writeBattle(300)
		judged()
	}
	p.push(mouse, "Start again")
	for range p.rounds(6) { // from stair to stair
		waves := p.battle().MinWaves()
		p.push("", "Strongest castle of this stair")
		judged()
		if b := p.battle(); b.MinWaves() != waves {
			p.Errorf("%v is not on the stair of %d waves", b, waves)
		}
		p.push(touch, "One wave more")
		judged()
		if b := p.battle(); b.MinWaves() != waves+1 {
			p.Errorf("%v is not on the stair of %d waves", b, waves+1)
		}
	}
	waves := p.battle().MinWaves()
	inHost[bool](p, `const more = [...host.querySelectorAll("button")].find((b) => b.textContent === "One wave more");
		more.click();
		more.click(); // while the first is drawn
		return true;`)
	p.wants("the waves after two buttons", fmt.Sprint(waves+2),
		func() string { return fmt.Sprint(p.battle().MinWaves()) })
	judged()
	p.slide("s", input.PageUp, input.ArrowLeft)
	judged()
	for _, hand := range []pointer{mouse, touch} {
		p.tap(hand, ".x-plane", p.random.Float64(), 0.5)
		judged()
		p.drag(hand, ".x-plane", point{0.2, 0.5}, point{0.6, 0.5})
		judged()
	}
	p.begin("n=1000000000000000000&s=9000000000000000000&d=999999999999999990")
	judged()
	p.begin(fmt.Sprintf("n=%d&s=%d&d=%d", int64(math.MaxInt64), int64(math.MaxInt64-1), int64(math.MaxInt64)))
	judged()
}

func playCastleCounts(p *player) {
	open := func() {
		inHost[bool](p, `for (let e = host; e; e = e.parentElement) if (e.tagName === "DETAILS") e.open = true; return true;`)
	}
	judged := func() {
		p.Helper()
		var convention castle.Convention
		must.Do(p, convention.UnmarshalText([]byte(p.field("convention"))))
		counts := must.Get(p.battle().Count(p.Context(), castle.CountOptions{Convention: convention}))
		ways := func(h castle.Histogram) string {
			if total := h.Total(); !total.IsInt64() || total.Int64() != 1 {
				return commas(total.String()) + " ways"
			}
			return "1 way"
		}
		p.wantsAnswer(ways(counts.Soldiers) + " for the soldiers, " + ways(counts.Castle) + " for the castle")
	}
	p.begin("")
	open()
	judged()
	for range p.rounds(6) {
		p.writeBattle(40)
		judged()
	}
	p.begin("n=12&s=30&d=11&convention=complete")
	open()
	p.choose("convention", "printed")
	judged()
	p.wantsText("are left out")
	p.slide("wave", input.Home)
	p.wantsText("In wave 1 nobody can win.")
	p.slide("wave", input.ArrowRight, input.ArrowRight)
	p.wantsText(fmt.Sprintf("In wave %d ", p.whole("wave")))
	for _, hand := range []pointer{mouse, touch} {
		p.tap(hand, ".x-plane", 0.3+0.4*p.random.Float64(), 0.5)
		p.wantsText(fmt.Sprintf("In wave %d ", p.whole("wave")))
	}
	p.begin("n=30&s=2000&d=20") // too many cells
	p.wants("the problem", "true",
		func() string { return fmt.Sprint(strings.Contains(p.state().Problem, "table cells")) })
	p.begin("n=150&s=450&d=75&convention=complete")
	open()
	judged()
	stopCount(p)
	p.writeBattle(20)
	judged()
	p.push(touch, "Start again")
	judged()
}

// stopCount counts twice what takes about a second, and stops that where there is time to. The page
// is at rest afterwards in both cases.
func stopCount(p *player) {
	stopped := inHost[bool](p, `
	const choice = host.querySelector("select[name=convention]");
	return new Promise((done) => {
		const seen = new MutationObserver(() => {
			const stop = [...host.querySelectorAll(".x-waiting button")].find((b) => b.textContent === "Stop");
			const over = host.dataset.drawing === undefined;
			if (!stop && !over) return;
			seen.disconnect();
			if (stop) stop.click();
			done(Boolean(stop));
		});
		seen.observe(host, {subtree: true, childList: true, attributes: true});
		choice.value = "printed";
		choice.dispatchEvent(new Event("change"));
	});`)
	if !stopped {
		p.Log("the count was over before it could be stopped")
		return
	}
	if !waittest.Comes(func() bool { return p.state().Problem == "Stopped." }) {
		p.Errorf("a count that is stopped says %q", p.state().Problem)
	}
}

// playCastleGuess draws the border by pointer and by keyboard, and compares the count of wrong battles with the
// library.
func playCastleGuess(p *player) {
	wrong := func(n int64, line []int64) string {
		all, few, many := 0, 0, 0
		for s := int64(1); s <= 3*n; s++ {
			for d := int64(1); d <= 2*n; d++ {
				all++
				won := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}.Solve().Winner == castle.Soldiers
				switch said := d <= line[s-1]; {
				case won && !said:
					few++
				case said && !won:
					many++
				}
			}
		}
		if few+many == 0 {
			return fmt.Sprintf("All %d battles are right.", all)
		}
		return fmt.Sprintf("%d of %d battles are wrong: %d that they win, and %d that they do not.", few+many, all, few,
			many)
	}
	line := func() (all []int64) {
		p.Helper()
		_, rest, _ := strings.Cut(p.state().Hash, "line=")
		rest, _, _ = strings.Cut(rest, "&")
		for text := range strings.SplitSeq(rest, ".") {
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				p.Fatalf("the line %q: %v", rest, err)
			}
			all = append(all, n)
		}
		return all
	}
	judged := func() {
		p.Helper()
		p.wantsInAddress("seen=yes")
		p.wantsAnswer(wrong(p.whole("n"), line()))
	}
	p.begin("")
	empty := p.answer("answer")
	p.push(mouse, "Show the border")
	p.wantsAnswer(empty)
	for _, hand := range []pointer{mouse, touch} {
		p.drag(hand, ".x-plane", point{0.02, 0.03}, point{0.4, 0.5}, point{0.98, 0.8})
		p.push(hand, "Show the border")
		judged()
		p.push(hand, "Start again")
		p.wantsInAddress("line=&")
	}
	p.focus(".x-plane")
	for range 9 {
		p.press(0, input.ArrowUp)
	}
	for range 5 {
		p.press(0, input.ArrowRight, input.ArrowUp)
	}
	p.push("", "Show the border")
	judged()
	var best []string
	for s := int64(1); s <= 12; s++ { // the true border of four soldiers
		d := int64(0)
		for d < 8 && (castle.Battle{Soldiers: 4, CastleHits: s, DefendersPerWave: d +
			1}).Solve().Winner == castle.Soldiers {
			d++
		}
		best = append(best, fmt.Sprint(d))
	}
	p.begin("n=4&line=" + strings.Join(best, ".") + "&seen=yes")
	p.wantsAnswer("All 96 battles are right.")
	p.slide("n", input.ArrowRight)
	p.wantsInAddress("n=5&s=1&d=1&line=&seen=")
	p.push("", "Start again")
}
