package browsertest

import (
	"bytes"
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
)

// plays has a function for every kind of explorable that plays it and compares its answers with the library.
var plays = map[string]func(p *player){}

var explorableElement = regexp.MustCompile(`<div class="explorable" data-kind="([^"]*)"`)

// pagesToPlay returns the pages of a report that have an explorable.
func pagesToPlay(t *testing.T, r *edition) []string {
	t.Helper()
	var pages []string
	for _, page := range r.pages {
		data := must.Get(os.ReadFile(page))
		if explorableElement.Match(data) {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		t.Fatal("there is nothing to explore on any page")
	}
	return pages
}

// each calls a function for every explorable of pages, none of which it opens.
func each(t *testing.T, w window, pages []string, do func(p *player)) {
	t.Helper()
	for _, page := range pages {
		for _, g := range gamesOf(t, page) {
			t.Run(filepath.Base(page)+" "+g.block, func(t *testing.T) {
				defer w.serve(w.serve(t))
				seed := uint64(0) // of this browser
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
		attributes := map[string]string{}
		for _, a := range n.Attr {
			attributes[a.Key] = a.Val
		}
		classes := strings.Fields(attributes["class"])
		if slices.Contains(classes, "figure-block") {
			block = attributes["id"]
		}
		if slices.Contains(classes, "explorable") {
			games = append(games, game{page, block, attributes["data-kind"], attributes["data-start"]})
		}
	}
	return games
}

// inTurn says whether a window has the n-th of the things that one browser shows as well as the other: Chromium has the
// even ones, and with -short all.
func inTurn(w window, n int) bool {
	return isChromium(w) == (n%2 == 0) || testing.Short()
}

func isChromium(w window) bool {
	_, is := w.(*chromiumWindow)
	return is
}

// TestPlays plays with every explorable in both browsers, from the disk and without network: in Chromium on the dark
// screen of a telephone, for somebody who wants nothing to move, in Firefox on the light screen of a desktop.
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
			for _, problem := range p.problems() {
				p.Error(problem)
			}
			played[p.kind] = true
		})
		for kind := range plays {
			if !played[kind] && !testing.Short() {
				t.Errorf("%s is played, and on no page", kind)
			}
		}
	})
}

// TestPlaysInOneFile: the edition of one file has every explorable of the folder, with the same behaviour.
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
			folder[strings.TrimSuffix(filepath.Base(p.page), ".html")+"--"+p.block] = p.touchSliders()
		})
	}
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		want := maps.Clone(folder)
		w.open(fileURL(r.single))
		each(t, w, []string{r.single}, func(p *player) {
			compare(p.T, p.block, seenIn(w, p.touchSliders()), seenIn(w, want[p.block]))
			delete(want, p.block)
			for _, problem := range p.problems() {
				p.Error(problem)
			}
		})
		for block := range want {
			t.Errorf("the report as one file has no %s", block)
		}
	})
}

// seenIn are the states of a folder, which Chromium has shown, as far as another browser's are the same: only Chromium
// counts the options of a choice as text.
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
		states[i].Hash = "" // it names the block, where a page has several
	}
	return states
}

func compare(t *testing.T, what string, got, want []state) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: the folder and the one file differ (-folder +file):\n%s", what, diff)
	}
}

// TestAnswerWithoutScript: where the battle stands is in the page, also where no script runs.
func TestAnswerWithoutScript(t *testing.T) {
	t.Parallel()
	const want = `data-kind="castle-play" data-start="n=19&amp;s=50&amp;d=15">` +
		`<output class="hidden" aria-hidden="true">Wave 1: 19 soldiers, 0 defenders, 50 castle hits.</output></div>`
	page := must.Get(os.ReadFile(filepath.Join(report(t).dir, "castle-play.html")))
	if !bytes.Contains(page, []byte(want)) {
		t.Errorf("there is no %s", want)
	}
}
