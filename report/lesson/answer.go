package lesson

import (
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// seeAnswer opens the results of a cell that follows a bet, where the text has no title for them.
const seeAnswer = "See the answer"

// hideFrom folds the blocks of the page from an index on, if there are any.
func (b *builder) hideFrom(begin int) {
	if hidden := b.page.Body[begin:]; len(hidden) > 0 {
		b.page.Body = append(b.page.Body[:begin:begin], content.Fold{Title: seeAnswer, Body: slices.Clone(hidden)})
	}
}

// prose adds a text. If it begins with a folded answer, and results stand folded right before it, both become one fold:
// the results, what is said about them, and the title of the text.
func (b *builder) prose(p content.Prose) {
	if last := len(b.page.Body) - 1; last >= 0 {
		results, folded := b.page.Body[last].(content.Fold)
		title, answer, rest := cutAnswer(p)
		if folded && title != "" {
			results.Title, results.Body = title, append(results.Body, answer)
			b.page.Body[last] = results
			p = rest
		}
	}
	if strings.TrimSpace(string(p.Text)) != "" {
		b.add(p)
	}
}

// answerStart matches a fold whose title is plain text in one line.
var answerStart = regexp.MustCompile(`^<details><summary[^<>]*>([^<>&*_$` + "`" + `\[\]\\]+)</summary>\n`)

const answerEnd = "\n</details>\n"

// cutAnswer cuts a text that begins with a fold into the title of the fold, what is in it, and what comes behind it.
// The title is empty if there is no such fold, or one around another.
func cutAnswer(p content.Prose) (title string, answer, rest content.Prose) {
	text := string(p.Text) + "\n"
	start := answerStart.FindStringSubmatchIndex(text)
	if start == nil {
		return "", answer, rest
	}
	inside, behind, closed := strings.Cut(text[start[1]:], answerEnd)
	if !closed || strings.Contains(inside, "<details") {
		return "", answer, rest
	}
	part := func(text string, from int) content.Prose {
		q := p
		q.Text = content.Markdown(text)
		q.Place.Line += strings.Count(string(p.Text)[:min(from, len(p.Text))], "\n")
		return q
	}
	return text[start[2]:start[3]], part(
			inside,
			start[1],
		), part(
			strings.TrimSuffix(behind, "\n"),
			start[1]+len(inside)+len(answerEnd),
		)
}
