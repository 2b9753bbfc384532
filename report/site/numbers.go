package site

import (
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"golang.org/x/net/html"
)

// Numbers of a page have the form of content.Thousands, wherever they come from: the author's text, a value, a formula,
// a notebook. So the form is given to the rendered page, in one place.

// verbatim are the elements whose text is not prose but code, or what a program reads or has written.
var verbatim = []string{"code", "pre", "samp", "kbd", "script", "style", "annotation"}

// groupNumbers gives the numbers in the text of a page their form. The markup, with its attributes, stays as it is.
func groupNumbers(markup string) string {
	var out strings.Builder
	depth := 0 // of verbatim elements
	for t := html.NewTokenizer(strings.NewReader(markup)); ; {
		kind := t.Next()
		if kind == html.ErrorToken { // the end: the tokens are in memory
			return out.String()
		}
		raw := string(t.Raw())
		switch kind {
		case html.TextToken:
			if depth == 0 {
				raw = groupText(raw)
			}
		case html.StartTagToken, html.EndTagToken:
			if name, _ := t.TagName(); slices.Contains(verbatim, string(name)) {
				if depth--; kind == html.StartTagToken {
					depth += 2
				}
			}
		}
		out.WriteString(raw)
	}
}

var percentSign = regexp.MustCompile(`([0-9]) %`) // it stays on the line of its number

// groupText gives form to the numbers in a piece of text, which may be escaped as HTML.
func groupText(text string) string {
	return content.ForPeople(percentSign.ReplaceAllString(text, "$1\u00a0%"))
}

// numberCell is a number in a table. Its commas are seen, heard and found, but not copied, so that what is copied is
// a number everywhere.
func numberCell(number string) string {
	return strings.ReplaceAll(html.EscapeString(content.Thousands(number)), ",", `<span class="comma">,</span>`)
}
