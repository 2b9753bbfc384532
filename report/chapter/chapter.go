// Package chapter is what the chapters of all games have in common: what a chapter consists of, the claims of the posts
// and their checks, the questions that they leave open, and the way in which drawings and numbers are put on a page.
//
// A game's own chapter is in report/<game>. A number in its prose is computed, never typed; a claim that does not hold
// fails the build.
package chapter

import (
	"regexp"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Front is what the front page of the report shows of a game.
type Front struct {
	Figures []content.Figure
	Values  map[string]any
}

// OpenQuestion is one that is still open. Its numbers are computed, and what it claims is checked, by the chapter's
// builder.
type OpenQuestion struct {
	ID      string           // anchor of its entry, unique among all games: begins with the game's name
	Title   string           // heading of its entry, a question
	Where   string           // who leaves it open
	Known   content.Markdown // the best that is known, with bounds
	How     content.Markdown // how that was found
	Settles content.Markdown // what would settle it
	Ref     string           // where more is said, as in {{ ref }}

	Convention Convention // as of a claim

	Recompute any // numbers behind the bounds: see Finding
}

// Question is one that a post asks or leaves to its readers, or a page of ours has left open, with the answer. The
// chapter's builder computes or checks the answer.
type Question struct {
	ID     string           // anchor of its entry, unique among all games: begins with the game's name
	Title  string           // heading of its entry
	Where  string           // post and place
	Asked  content.Markdown // in our words, a sentence
	Answer content.Markdown // sentences
	Ref    string           // where the answer is shown, as in {{ ref }}
}

// listingRule finds the listings of a page's text.
var listingRule = regexp.MustCompile("(?ms)^```python\n(.*?)^```$")

// Listings returns the listings of a page's text as one program, with empty lines between them.
func Listings(text string) string {
	var all strings.Builder
	for _, match := range listingRule.FindAllStringSubmatch(text, -1) {
		all.WriteString(match[1] + "\n\n")
	}
	return all.String()
}
