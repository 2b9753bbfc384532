package site

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

var (
	longDigits  = regexp.MustCompile(`[0-9]{5,}`)
	percentSign = regexp.MustCompile(`([0-9]) %`) // it stays on the line of its number
)

// groupText gives form to the numbers in a piece of text, which may be escaped as HTML. Digits that belong to a word
// or an address, or stand behind a decimal point, are no number of their own.
func groupText(text string) string {
	text = percentSign.ReplaceAllString(text, "$1\u00a0%")
	var out strings.Builder
	end := 0
	for _, at := range longDigits.FindAllStringIndex(text, -1) {
		digits := text[at[0]:at[1]]
		if isNumber(text[:at[0]], text[at[1]:]) {
			digits = content.Thousands(digits)
		}
		out.WriteString(text[end:at[0]] + digits)
		end = at[1]
	}
	return out.String() + text[end:]
}

// isNumber says whether digits between two pieces of text are a number, or half of a fraction.
func isNumber(before, after string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	joins := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	if joins(last) || joins(next) || last == '#' || (last == '/' || next == '/') && strings.ContainsFunc(word(before, after), unicode.IsLetter) {
		return false
	}
	beforeLast, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !strings.ContainsRune(".-", last) || !joins(beforeLast)
}

// word returns what stands around a place up to the next spaces.
func word(before, after string) string {
	if start := strings.LastIndexFunc(before, unicode.IsSpace); start >= 0 {
		before = before[start:]
	}
	if end := strings.IndexFunc(after, unicode.IsSpace); end >= 0 {
		after = after[:end]
	}
	return before + after
}

// numberCell is a number in a table. Its commas are seen, heard and found, but not copied, so that what is copied is
// a number everywhere.
func numberCell(number string) string {
	return strings.ReplaceAll(html.EscapeString(content.Thousands(number)), ",", `<span class="comma">,</span>`)
}
