package browsertest

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// plays has for every kind of explorable how it is played. What it answers is compared with the library.
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
				do(&player{t, w, g, rand.New(rand.NewPCG(1, uint64(len(g.kind))))})
			})
		}
	}
}

// TestPlays plays with every explorable, in the folder and in the edition of one file, in both browsers, from the disk
// and without network.
func TestPlays(t *testing.T) {
	t.Parallel()
	r := report(t)
	source := axeSource(t)
	pages := append(pagesToPlay(t, r), r.single)
	for _, browser := range browsers {
		t.Run(browser.name, func(t *testing.T) {
			t.Parallel()
			w := browser.start(t, false)
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
				if p.page != r.single { // the same elements, in a page of another size
					p.lookAround(source)
				}
				for _, problem := range p.problems() {
					p.Error(problem)
				}
				played[p.kind] = true
			})
			for kind := range plays {
				if !played[kind] {
					t.Errorf("%s is played, and on no page", kind)
				}
			}
		})
	}
}
