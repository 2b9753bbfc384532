package browsertest

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/waittest"
)

// notNumbers are values in an address that are not valid numbers of any explorable.
var notNumbers = []string{
	"<img src=x onerror=" + strike("address") + ">", "%3Cimg%20src%3Dx%20onerror%3D" + strike("escaped") + "%3E",
	"<script>" + strike("script") + "</script>", "99999999999999999999", "9223372036854775808", "-5", "0",
	"-9223372036854775809", "NaN", "Infinity", "1e999", "1e3", "0x10", "1.5", "", "%", "%E0%A4%A", "%00", "１２", "1 2",
	"javascript:" + strike("javascript"), "${" + strike("template") + "}", "constructor", "%F0%9F%92%A3",
	strings.Repeat("9", 5000),
}

// otherAddresses returns strings that somebody may write into an address instead of a state.
func otherAddresses() []string {
	return []string{
		"<img src=x onerror=" + strike("hash") + ">", "n", "=", "&&&", "=5&=6", "n=1&n=2&n=%", "__proto__=1",
		"__proto__.struck=1&constructor=x", "constructor=1&toString=2&hasOwnProperty=3", "unknown=5",
		"moves=" + strings.Repeat("1,", 3000), "n=" + strings.Repeat("<b>", 500_000), strings.Repeat("n=5&", 400_000),
		"%", "%zz=%zz", "gone:n=5", "constructor:n=5", ":n=5", "::::", "fig-phase:", strings.Repeat("a", 2_000_000),
	}
}

// after is a script that follows an address, and returns the result once the explorable is drawn.
const after = followed + `
	const problem = host.querySelector(".x-problem");
	const foreign = document.querySelectorAll("script, iframe, object, embed, form, base, link, meta, style, audio, video, img:not([src^='data:image/svg+xml']), template, [onerror], [onload], [onclick]").length;
	return {problem: problem.hidden ? "" : problem.textContent, shown: !problem.hidden, foreign, struck: globalThis.struck ?? [], polluted: ({}).struck !== undefined || ({})[1] !== undefined, text: host.innerText.length};`

// told is the page's reaction to an address.
type told struct {
	Problem         string
	Shown, Polluted bool
	Foreign, Text   int
	Struck          []string
}

// names returns the names of all parts of an explorable's state. It reads them from the address after a restart.
func (p *player) names() []string {
	p.Helper()
	p.push("", "Start again")
	var names []string
	for setting := range strings.SplitSeq(p.addressed(), "&") {
		name, _, _ := strings.Cut(setting, "=")
		names = append(names, name)
	}
	return names
}

// addressed waits for a state in the address, and returns it.
func (p *player) addressed() string {
	p.Helper()
	state := ""
	p.wants("an address with a state", "true", func() string {
		_, state, _ = strings.Cut(p.address("="), "#")
		state = strings.TrimPrefix(state, p.block+":")
		return fmt.Sprint(strings.Contains(state, "="))
	})
	return state
}

// harm follows addresses on the open page, and fails the test if an address does any harm. mustComplain reports whether
// the explorable must show what is wrong with an address.
func (p *player) harm(addresses []string, mustComplain func(address string) bool) (slowest time.Duration) {
	p.Helper()
	before := inHost[told](p, after, "")
	for _, address := range addresses {
		begin := time.Now()
		got := inHost[told](p, after, address)
		slowest = max(slowest, time.Since(begin))
		short := address[:min(len(address), 90)]
		switch {
		case len(got.Struck) > 0:
			p.Errorf("#%s runs a script: %q", short, got.Struck)
		case got.Polluted:
			p.Errorf("#%s changes all objects of the page", short)
		case got.Foreign > before.Foreign:
			p.Errorf("#%s makes elements: %d, before %d", short, got.Foreign, before.Foreign)
		case len(got.Problem) > 400 || strings.Contains(got.Problem, "\n"):
			p.Errorf("#%s: the message is no line: %q", short, got.Problem)
		case strings.Contains(got.Problem, "cannot be drawn") || strings.Contains(got.Problem, "cannot be played"):
			p.Errorf("#%s breaks it: %q", short, got.Problem)
		case mustComplain(address) && got.Problem == "":
			p.Errorf("#%s: no message", short)
		}
		before.Foreign = min(before.Foreign, got.Foreign) // the page may replace a drawing late
	}
	return slowest
}

// TestHostileAddresses checks that a link cannot inject code, that nonsense in a link leads to a message, and that the
// explorable still works. The test tries each kind in only one of the browsers, because the same script reads addresses
// in both, and TestPlays has it read some addresses in each. All kinds share one script. So only the first two kinds in
// a browser are tried with all addresses; for each other kind, the test skips two thirds of the addresses that never
// reach the engine.
func TestHostileAddresses(t *testing.T) {
	t.Parallel()
	r := report(t)
	pages := pagesToPlay(t, r)
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		tried := map[string]bool{}
		each(t, w, pages, func(p *player) {
			if tried[p.kind] || isFilm(p.kind) {
				return
			}
			tried[p.kind] = true
			if !inTurn(w, len(tried)) {
				return
			}
			p.begin("")
			inHost[bool](p, allDrawn) // waits until scripts have replaced the drawings of the page
			names := p.names()
			p.addressed()
			want := p.state()
			if want.Problem != "" {
				p.Fatalf("at the start it says %q", want.Problem)
			}
			inHost[bool](p, `globalThis.requestAnimationFrame = (work) => setTimeout(work); // nobody looks
	return true;`)
			var wrong, extreme []string
			others, third := otherAddresses(), func(i int) bool { return len(tried) <= 4 || i%3 == len(tried)/2%3 }
			if len(tried) > 2 { // a browser takes seconds to handle megabytes
				others = slices.DeleteFunc(others, func(address string) bool { return len(address) > 100_000 })
			}
			// Each value is given to all parts of the state at once. Then only one part gets a value, which the
			// explorable must refuse.
			for i := range notNumbers {
				if !third(i) {
					continue
				}
				var settings []string
				for j, name := range names {
					settings = append(settings, name+"="+notNumbers[(i+j)%len(notNumbers)])
				}
				wrong = append(wrong, p.block+":"+strings.Join(settings, "&"))
			}
			for i, name := range names {
				wrong = append(wrong, p.block+":"+name+"="+notNumbers[(i+len(tried))%len(notNumbers)])
			}
			kept := others[:0]
			for i, address := range others {
				if third(i) {
					kept = append(kept, address)
				}
			}
			others = kept
			for range 15 {
				var settings []string
				for _, name := range names {
					settings = append(settings, fmt.Sprintf("%s=%d", name, extremes[p.random.IntN(len(extremes))]))
				}
				extreme = append(extreme, p.block+":"+strings.Join(settings, "&"))
			}
			numbers := inHost[map[string]string](p,
				`return Object.fromEntries([...host.querySelectorAll("input[type=number]")].map((e) => [e.name, e.min]));`)
			slowest := max(
				p.harm(wrong, func(address string) bool {
					for setting := range strings.SplitSeq(strings.TrimPrefix(address, p.block+":"), "&") {
						name, value, _ := strings.Cut(setting, "=")
						if least, isNumber := numbers[name]; isNumber && (value != "0" || least != "0") {
							return true
						}
					}
					return false
				}),
				p.harm(extreme, func(string) bool { return false }),
				p.harm(others, func(string) bool { return false }),
			)
			p.push("", "Start again")
			again := ""
			if !waittest.Comes(func() bool {
				got := p.state()
				again = fmt.Sprint(got.Problem, got.Answers, got.Fields)
				return again == fmt.Sprint("", want.Answers, want.Fields)
			}) {
				p.Errorf("after all this it starts with %s, before with %+v", again, want)
			}
			// A page that opens with such an address reads it with the same script.
			for _, first := range []string{
				"n=<img src=x onerror=" + strike("load") + ">", "n=" + strings.Repeat("9", 100_000),
				p.block + ":" + names[0] + "=99999999999999999999",
			} {
				if len(tried) > 4 {
					break
				}
				w.open(fileURL(p.page) + "#" + first)
				p.settle()
				if struck := inHost[[]string](p, `return globalThis.struck ?? [];`); len(struck) > 0 {
					p.Errorf("opened with %.60s it runs %q", first, struck)
				}
			}
			p.quiet()
			t.Logf("%d addresses, the slowest took %v", len(wrong)+len(extreme)+len(others), slowest)
		})
	})
}

// extremes are integers that may break a function of the engine.
var extremes = []int64{
	0, 1, 2, 3, 7, 100, 1000, 65536, 1 << 31, 1 << 32, 1 << 53, 1<<53 + 1, 1 << 62,
	math.MaxInt64 - 1, math.MaxInt64, -1,
}

// TestHostileAddressesFail checks that the addresses do harm on a page that inserts them without checking them.
func TestHostileAddressesFail(t *testing.T) {
	t.Parallel()
	page := badPage(t, `<div class="figure-block" id="fig-a"><div class="explorable" data-kind="a" data-start="n=1" data-drawn="1"><p class="x-problem" hidden></p><p></p></div></div>
<script>addEventListener("hashchange", () => { document.querySelector(".explorable > p + p").innerHTML = decodeURIComponent(location.hash); });</script>`)
	p := &player{T: t, window: startChromium(t, false), game: game{page, "fig-a", "a", "n=1"}}
	p.open(fileURL(page))
	got := inHost[told](p, after, "n=<img src=x onerror="+strike("address")+">")
	if got.Foreign == 0 || got.Problem != "" {
		t.Errorf("%+v", got)
	}
	p.wants("what ran", "[address]",
		func() string { return fmt.Sprint(inHost[[]string](p, `return globalThis.struck ?? [];`)) })
}
