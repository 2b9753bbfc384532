package site

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// How long a reader takes, in seconds. A page's time is the sum over what it shows; what is folded away as data, and
// code in a fold, is not counted.
const (
	perWord    = 60.0 / 200
	perSign    = 2  // a formula within a line
	perFormula = 15 // one that has a line of its own
	perFigure  = 30
	perTable   = 20
	perCode    = 2 // a line of code, or of what it puts out
)

// minutes returns how long it takes to read the body of a page: whole minutes up to twenty, then steps of five.
func minutes(body string) int {
	whole := readingTime(body) / 60
	if whole > 20 {
		return 5 * int(math.Round(whole/5))
	}
	return max(1, int(math.Round(whole)))
}

// readingTime adds up the seconds.
func readingTime(body string) float64 {
	seconds := 0.0
	folds, skipped, code := 0, 0, false // elements around the text: folds, and those that count as one thing
	t := html.NewTokenizer(strings.NewReader(body))
	for {
		kind := t.Next()
		switch kind {
		case html.ErrorToken: // the end: the tokens are in memory
			return seconds
		case html.TextToken:
			switch {
			case code:
				seconds += perCode * float64(strings.Count(string(t.Text()), "\n"))
			case skipped == 0:
				seconds += perWord * float64(len(strings.Fields(string(t.Text()))))
			}
		case html.StartTagToken:
			token := t.Token()
			if token.DataAtom == atom.Details {
				folds++
			}
			if skipped > 0 {
				skipped++
			} else if cost, one := timeOf(token); one {
				skipped, code = 1, token.DataAtom == atom.Pre && folds == 0
				seconds += cost
			}
		case html.EndTagToken:
			if t.Token().DataAtom == atom.Details {
				folds--
			}
			if skipped > 0 {
				skipped--
			}
			code = code && skipped > 0
		}
	}
}

// timeOf returns what an element takes that counts as one thing, whatever its text.
func timeOf(t html.Token) (seconds float64, one bool) {
	switch {
	case t.DataAtom == atom.Table:
		return perTable, true
	case t.DataAtom == atom.Picture:
		return perFigure, true
	case t.DataAtom == atom.Math && attributeOf(t, "display") == "block":
		return perFormula, true
	case t.DataAtom == atom.Math:
		return perSign, true
	case t.DataAtom == atom.Pre:
		return 0, true
	}
	return 0, slices.ContainsFunc(strings.Fields(attributeOf(t, "class")), func(class string) bool { return slices.Contains(unread, class) })
}

// unread are the classes of elements that nobody reads as prose: data behind a figure, and what goes with a formula or
// a cell.
var unread = []string{"data", "legend", "hidden", "math-links", "cell-label"}
