package report

import (
	_ "embed"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed questions.md
var questionsSource string

const questionsSlug = "questions"

// questionsPage lists the questions of all games.
func questionsPage(questions []chapter.Question) site.Page {
	return site.Page{
		Slug: questionsSlug, Title: "Open questions, answered", Nav: "Questions", Part: aboutPart, Unnumbered: true,
		Description: "What the posts asked, left as an exercise or suspected, and the answers.",
		Source:      questionsSource, File: "report/questions.md",
		Funcs: map[string]any{"questions": func() []chapter.Question { return questions }},
	}
}
