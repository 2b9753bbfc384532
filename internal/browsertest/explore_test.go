package browsertest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"
	"github.com/google/go-cmp/cmp"
)

// plays has a function for every kind of explorable that plays it and compares its answers with the library.
var plays = map[string]func(p *player){}

var explorableElement = regexp.MustCompile(`<div class="explorable" data-kind="([^"]*)"`)

// pagesToPlay returns the pages of a report that have an explorable.
func pagesToPlay(t *testing.T, r *edition) []string {
	t.Helper()
	var pages []string
	for _, page := range r.pages {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if explorableElement.Match(data) {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		t.Fatal("there is nothing to explore on any page")
	}
	return pages
}

// each calls a function for every explorable of pages, in a browser that is light or dark.
func each(t *testing.T, w window, pages []string, do func(p *player)) {
	t.Helper()
	for _, page := range pages {
		w.open(fileURL(page))
		for _, g := range explorables(t, w, page) {
			t.Run(filepath.Base(page)+" "+g.block, func(t *testing.T) {
				defer w.serve(w.serve(t))
				do(&player{t, w, g, rand.New(rand.NewPCG(1, uint64(len(g.kind))))})
			})
		}
	}
}

// TestPlays plays with every explorable in both browsers, from the disk and without network.
func TestPlays(t *testing.T) {
	t.Parallel()
	r := some(t)
	source := axeSource(t)
	pages := pagesToPlay(t, r)
	inBrowsers(t, func(t *testing.T, w window) {
		played := map[string]bool{}
		each(t, w, pages, func(p *player) {
			play := plays[p.kind]
			w.resize(1280, 1000)
			if play != nil {
				play(p)
			} else {
				p.Errorf("nobody plays with %s: add how to plays", p.kind)
				p.begin("")
			}
			p.lookAround(source)
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
	inBrowsers(t, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		want := map[string][]state{}
		each(t, w, pages, func(p *player) {
			page := strings.TrimSuffix(filepath.Base(p.page), ".html")
			want[page+"--"+p.block] = p.touchSliders()
		})
		each(t, w, []string{r.single}, func(p *player) {
			compare(p.T, p.block, p.touchSliders(), want[p.block])
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
