package report

import (
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed questions.md
var questionsSource string

const questionsSlug = chapter.QuestionsSlug

// questionsPage lists the questions of all games, those that are still open first.
func questionsPage(questions []chapter.Question, open []chapter.OpenQuestion) site.Page {
	return site.Page{
		Slug: questionsSlug, Title: "Questions, open and answered", Nav: "Questions", Part: aboutPart, Unnumbered: true,
		Description: "What the posts and our own pages have left open: what is known of it, what would settle it, and the answers that were found.",
		Source:      questionsSource, File: "report/questions.md",
		Values: map[string]any{"open": len(open), "answered": len(questions)},
		Funcs: map[string]any{
			"questions": func() []chapter.Question { return questions },
			"open":      func() []chapter.OpenQuestion { return open },
		},
	}
}
