package browsertest

import (
	"bytes"
	_ "embed"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/engine"
)

// plays maps each kind of explorable to a function that plays it, and compares its answers with the library.
var plays = map[string]func(p *player){}

var explorableElement = regexp.MustCompile(`<div class="explorable" data-kind="([^"]*)"`)

// pagesToPlay returns the pages of a report that have an explorable, without kits, because their explorables are also
// on pages; see TestLessonKit.
func pagesToPlay(t *testing.T, r *edition) []string {
	t.Helper()
	return slices.DeleteFunc(explorablePages(t, r), func(page string) bool { return isKit(filepath.Base(page)) })
}

// explorablePages returns the pages of a report that have an explorable, including kits.
func explorablePages(t *testing.T, r *edition) []string {
	t.Helper()
	var pages []string
	for _, page := range r.pages {
		if explorableElement.Match(must.Get(os.ReadFile(page))) {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		t.Fatal("there is nothing to explore on any page")
	}
	return pages
}

// isFilm reports whether a kind plays itself, and has no button to start again. TestFilm and TestPlays test films.
func isFilm(kind string) bool {
	all := engine.Module.Pictures
	at := slices.IndexFunc(all, func(p pictures.Picture) bool { return p.Name == kind })
	return at >= 0 && slices.ContainsFunc(all[at].Fields, func(f pictures.Field) bool { return f.Film })
}

// each calls a function for every explorable on the pages. It does not open the pages.
func each(t *testing.T, w window, pages []string, do func(p *player)) {
	t.Helper()
	for _, page := range pages {
		for _, g := range gamesOf(t, page) {
			t.Run(filepath.Base(page)+" "+g.block, func(t *testing.T) {
				defer w.serve(w.serve(t))
				seed := uint64(0) // the seed of this browser
				if isChromium(w) {
					seed = 1
				}
				do(&player{T: t, window: w, game: g, random: rand.New(rand.NewPCG(seed, uint64(len(g.kind))))})
			})
		}
	}
}

// gamesOf returns the explorables of a page, in order.
func gamesOf(t *testing.T, page string) (games []game) {
	t.Helper()
	data := must.Get(os.ReadFile(page))
	root := must.Get(html.Parse(bytes.NewReader(data)))
	block := ""
	for n := range root.Descendants() {
		classes := strings.Fields(attribute(n, "class"))
		if slices.Contains(classes, "figure-block") {
			block = attribute(n, "id")
		}
		if slices.Contains(classes, "explorable") {
			games = append(games, game{page, block, attribute(n, "data-kind"), attribute(n, "data-start")})
		}
	}
	return games
}

// inTurn reports whether a window tests the nth of several things that need only one browser. Chromium tests those with
// even n, and with -short all of them.
func inTurn(w window, n int) bool {
	return isChromium(w) == (n%2 == 0) || testing.Short()
}

func isChromium(w window) bool {
	_, is := w.(*chromiumWindow)
	return is
}

// TestPlays plays with every explorable in both browsers, from the disk and without a network: in Chromium on the dark
// screen of a phone, for a reader who prefers no motion, and in Firefox on the light screen of a desktop.
func TestPlays(t *testing.T) {
	t.Parallel()
	r := some(t)
	source := axeSource(t)
	pages := pagesToPlay(t, r)
	inBrowsers(t, true, func(t *testing.T, w window) {
		played := map[string]bool{}
		telephone, still := w.(*chromiumWindow)
		if still {
			calm(t, telephone.tab)
		}
		each(t, w, pages, func(p *player) {
			play := plays[p.kind]
			if w.resize(1280, 1000); still {
				w.resize(390, 800)
			}
			if p.before = played[p.kind]; play != nil {
				play(p)
			} else {
				p.Errorf("nobody plays with %s: add how to testdata/plays.txt", p.kind)
				p.begin("")
			}
			if moving := evaluate[int](p.T, w, `() => document.getAnimations().length`); still && moving > 0 {
				p.Errorf("%d things move for those who want no motion", moving)
			}
			p.lookAround(source)
			if still {
				p.onPaper(telephone)
			}
			p.quiet()
			played[p.kind] = true
		})
		for kind := range plays {
			if !played[kind] && !testing.Short() {
				t.Errorf("%s is played, and on no page", kind)
			}
		}
	})
}

// TestPlaysInOneFile checks that the edition in one file has every explorable of the folder, with the same behaviour.
func TestPlaysInOneFile(t *testing.T) {
	t.Parallel()
	r := report(t)
	pages := pagesToPlay(t, r)
	folder := map[string][]state{}
	w := startChromium(t, false)
	w.resize(1280, 1000)
	for _, page := range pages {
		w.open(fileURL(page))
		each(t, w, []string{page}, func(p *player) {
			if isFilm(p.kind) {
				return
			}
			folder[strings.TrimSuffix(filepath.Base(p.page), ".html")+"--"+p.block] = p.touchSliders()
		})
	}
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		want := maps.Clone(folder)
		w.open(fileURL(r.single))
		each(t, w, []string{r.single}, func(p *player) {
			if isFilm(p.kind) {
				return
			}
			compare(p.T, p.block, seenIn(w, p.touchSliders()), seenIn(w, want[p.block]))
			delete(want, p.block)
			p.quiet()
		})
		for block := range want {
			t.Errorf("the report as one file has no %s", block)
		}
	})
}

// seenIn returns the states that Chromium showed for the folder, without the parts that look different in the window's
// browser. Only Chromium counts the options of a choice as text.
func seenIn(w window, states []state) []state {
	if isChromium(w) {
		return states
	}
	states = slices.Clone(states)
	for i := range states {
		states[i].Text = ""
	}
	return states
}

// touchSliders returns what an explorable shows at the start, and after a step of each of its sliders.
func (p *player) touchSliders() []state {
	p.Helper()
	p.rest()
	states := []state{p.state()}
	for _, name := range inHost[[]string](p,
		`return [...host.querySelectorAll(".x-number:has([type=range]) [type=number]")].filter((e) => e.checkVisibility() && !e.disabled).map((e) => e.name);`) {
		p.slide(name, input.ArrowRight)
		p.rest()
		states = append(states, p.state())
	}
	for i, s := range states {
		states[i].Text, states[i].Said = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(s.Text),
			strings.TrimSpace(s.Said))), ""
		states[i].Hash = "" // it names the block if a page has several
	}
	return states
}

func compare(t *testing.T, what string, got, want []state) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: the folder and the one file differ (-folder +file):\n%s", what, diff)
	}
}

// TestAnswerWithoutScript checks that the page contains the state of the battle even if scripts do not run.
func TestAnswerWithoutScript(t *testing.T) {
	t.Parallel()
	const want = `data-kind="castle-play" data-start="n=12&amp;s=20&amp;d=10&amp;order=7">` +
		`<output class="hidden" aria-hidden="true">10 defenders are out, the castle has 8 hits left. ` +
		`Divide your 12 soldiers.</output></div>`
	page := must.Get(os.ReadFile(filepath.Join(report(t).dir, "castle-play.html")))
	if !bytes.Contains(page, []byte(want)) {
		t.Errorf("there is no %s", want)
	}
}

//go:embed fields.js
var fieldsPlay string

// TestFields sets each field of each explorable to both ends, to random values, and to texts that are not numbers. It
// also presses each button while a field is wrong, from random states; the field must not block the button. A reader
// must not see an exception or a mixture of two states, a refusal must be next to its field, and nothing may fail
// without a message. The test finds the fields and buttons in the page. It plays each kind in only one of the browsers,
// because its events do not come from a real keyboard or pointer. TestButtons of report/siegebook/engine presses the
// buttons from more states, without a browser.
func TestFields(t *testing.T) {
	t.Parallel()
	r := some(t)
	pages := pagesToPlay(t, r)
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		played := map[string]bool{}
		each(t, w, pages, func(p *player) {
			if played[p.kind] || isFilm(p.kind) {
				return
			}
			played[p.kind] = true
			if !inTurn(w, len(played)) {
				return
			}
			// All fields are wrong when the page opens. Then the explorable starts again.
			wrong := valueOfSetting.ReplaceAllString(p.start, "=1e9")
			p.begin(wrong)
			for _, address := range []string{wrong, p.start} {
				if address == p.start {
					p.push("", "Start again")
					p.wants("the problem", "", func() string { return p.state().Problem })
				}
				for _, fault := range inHost[[]string](p, fieldsPlay, len(p.kind)) {
					p.Errorf("#%s: %s", address, fault)
				}
				for _, problem := range p.problems() {
					p.Errorf("#%s: %s", address, problem)
				}
			}
		})
	})
}

var valueOfSetting = regexp.MustCompile(`=[^&]*`)

// TestFieldsFail checks that TestFields finds things that readers should not see, and uncaught errors.
func TestFieldsFail(t *testing.T) {
	t.Parallel()
	page := badPage(t, `<div class="figure-block" id="fig-a"><div class="explorable" data-kind="a" data-start="n=1" data-drawn="1">
<p class="x-problem" hidden></p><div class="x-row"><input type="number" name="n" value="1"><input type="range" min="0" max="7"></div><p id="words"></p><button>Go</button></div></div>
<script>
const [box, slider, words, button] = ["[name=n]", "[type=range]", "#words", "button"].map((name) => document.querySelector(name));
slider.addEventListener("input", () => { words.textContent = slider.value === "7" ? "undefined is not iterable" : ""; });
box.addEventListener("input", () => box.setAttribute("aria-invalid", String(box.value === "")));
button.addEventListener("click", () => { if (box.value !== "1") BigInt(1.5); });
</script>`)
	p := &player{T: t, window: startChromium(t, false), game: game{page, "fig-a", "a", "n=1"}}
	p.open(fileURL(page))
	found := strings.Join(append(inHost[[]string](p, fieldsPlay, 1), p.problems()...), "\n")
	for _, want := range []string{
		`range = "7": it shows “`, `n = "": nobody says what is wrong`,
		"a script fails: ",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("not found is %s in:\n%s", want, found)
		}
	}
}

// TestLinkWins checks that a link that is followed just after a change leads to its target, even if the page is about
// to write the change into the address when the link is followed. From there, the reader can go back to the change.
func TestLinkWins(t *testing.T) {
	t.Parallel()
	r := report(t)
	inBrowsers(t, false, func(t *testing.T, w window) {
		each(t, w, []string{filepath.Join(filepath.Dir(r.pages[0]), "castle-play.html")}, func(p *player) {
			p.begin("")
			start := p.state().Fields["n"]
			for _, link := range []string{"21", "22"} {
				hash := inHost[string](p, `const wait = setTimeout, due = [];
	globalThis.setTimeout = (write, ms, ...rest) => ms === 300 ? due.push(write) && -1 : wait(write, ms, ...rest);
	[...host.querySelectorAll("button")].find((b) => b.textContent.trim() === "Start again").click();
	globalThis.setTimeout = wait;
	if (due.length === 0) throw Error("nothing is to be written");
	location.hash = given[0];
	due[0]();
	`+drawnNow+"return location.hash;", p.block+":n="+link)
				if n := p.state().Fields["n"]; n != link || hash != "#"+p.block+":n="+link {
					p.Errorf("a link to n=%s leads to %s, and n is %s", link, hash, n)
				}
			}
			p.again("n=23") // the page writes the start into the address that the link to 22 has set
			inHost[bool](p, `const heard = new Promise((done) => addEventListener("hashchange", done, {once: true}));
	history.back();
	await heard;
	`+drawnNow+"return true;")
			if n := p.state().Fields["n"]; n != start {
				p.Errorf("back from n=23, n is %s, want %s", n, start)
			}
		})
	})
}
