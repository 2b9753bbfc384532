package site

import (
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestPaper checks that the table of contents shows the printed pages of chapters and sections, and that a missing page
// number is an error.
func TestPaper(t *testing.T) {
	s := sampleSite(t)
	s.Author = "Ada Example"
	paper, err := RenderPaper(t.Context(), s, Options{Cache: testCache})
	must.Do(t, err)
	blank := must.Get(paper.HTML(nil))
	checkPolicy(t, "paper", blank)
	readDocument(t, "paper", blank)
	pages := map[string]int{}
	for i, m := range onPage.FindAllStringSubmatch(paper.text, -1) {
		pages[m[1]] = i + 3
	}
	text := string(must.Get(paper.HTML(pages)))
	for _, want := range []string{
		`<p class="title">Siegebook</p>` + "\n" + `<p class="author">Ada Example</p>`,
		`<a href="#rules--top"><span class="number">1</span> <span class="toc-title">The tank game</span>` +
			`<span class="leader"></span><span class="on-page">5</span></a>`,
		`<article class="chapter" id="rules--top">`, "@page{size:A4",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the edition on paper has no %s", want)
		}
	}
	if strings.Contains(text, "<script") || strings.Contains(text, `class="explorable"`) {
		t.Error("the edition on paper has scripts")
	}
	delete(pages, "rules--top")
	_, err = paper.HTML(pages)
	must.ErrorContains(t, err, `does not report which page "rules--top" is on`)
	for lang, letter := range map[string]bool{"": false, "en": false, "en-US": true, "fr-CA": true, "de-DE": false} {
		if isLetter(lang) != letter {
			t.Errorf("%q: letter paper: %t", lang, !letter)
		}
	}
}
