package chapter

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/template"

	"github.com/siegebook/siegebook/report/content"
)

// OpenQuestion is a question that is still open.
type OpenQuestion struct {
	ID      string           // the anchor of its entry; begins with the game's name
	Title   string           // the heading of its entry, a question
	Where   string           // who leaves it open
	Known   content.Markdown // the best known result, with bounds
	How     content.Markdown // how the bounds were found
	Settles content.Markdown // what would settle the question
	Ref     string           // where to read more, as an argument of ref

	Recompute any // the numbers behind the bounds, see Finding
}

// Question is a question with its answer. A post asks it or leaves it to its readers, or a page of the report left it
// open. The page that Ref names computes or checks the answer.
type Question struct {
	ID     string           // the anchor of its entry; begins with the game's name
	Title  string           // the heading of its entry
	Where  string           // the post and the place in it
	Asked  content.Markdown // one sentence, in the report's words
	Answer content.Markdown // sentences
	Ref    string           // where the answer is shown, as an argument of ref
}

// asked reads a text of questions, if there is one. Each question has a fixed number of paragraphs: first its ID and
// title, then who asks it and where to read more, then the paragraphs that others returns.
func (g Game) asked(name string, paragraphs int) (all []Question, others [][]string, err error) {
	if g.Texts == nil {
		return nil, nil, nil
	}
	text, err := fs.ReadFile(g.Texts, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	for _, question := range strings.Split(string(text), "## ")[1:] {
		parts := strings.Split(strings.TrimSpace(question), "\n\n")
		if len(parts) != paragraphs {
			return nil, nil, fmt.Errorf("%s of %s: a question has %d paragraphs, but needs %d: %s", name, g.Name,
				len(parts), paragraphs, parts[0])
		}
		var q Question
		q.ID, q.Title, _ = strings.Cut(parts[0], ": ")
		q.Where, q.Ref, _ = strings.Cut(parts[1], " | ")
		all, others = append(all, q), append(others, parts[2:])
	}
	return all, others, err
}

// Questions reads the text _questions.md: the questions and the answers.
func (g Game) Questions() ([]Question, error) {
	all, others, err := g.asked("_questions.md", 4)
	for i, parts := range others {
		all[i].Asked, all[i].Answer = content.Markdown(parts[0]), content.Markdown(parts[1])
	}
	return all, err
}

// OpenQuestions reads the text _open.md: what is known, how it was found, and what would settle the question.
func (g Game) OpenQuestions(ctx context.Context) (open []OpenQuestion, err error) {
	all, others, err := g.asked("_open.md", 5)
	if err != nil || g.Open == nil && len(all) == 0 {
		return nil, err
	}
	known, err := g.Open(ctx)
	if err != nil {
		return nil, fmt.Errorf("open questions of %s: %w", g.Name, err)
	}
	if len(all) != len(known) {
		return nil, fmt.Errorf("_open.md of %s has %d questions, but %d are computed", g.Name, len(all), len(known))
	}
	for i, q := range all {
		var parts [3]content.Markdown
		for k, part := range others[i] {
			var text strings.Builder
			t, err := template.New(q.ID).Option("missingkey=error").Parse(part)
			if err == nil {
				err = t.Execute(&text, known[q.ID].Values)
			}
			if err != nil {
				return nil, fmt.Errorf("open question %s: %w", q.ID, err)
			}
			parts[k] = content.Markdown(text.String())
		}
		open = append(open, OpenQuestion{
			ID: q.ID, Title: q.Title, Where: q.Where, Ref: q.Ref, Known: parts[0], How: parts[1], Settles: parts[2],
			Recompute: known[q.ID].Recompute,
		})
	}
	return open, nil
}

// statement returns an open question as a claim, with its bounds as the evidence.
func (q OpenQuestion) statement() (content.Statement, error) {
	s := content.Statement{
		ID: q.ID, Text: content.Markdown(q.Title), Stands: content.Open, Ref: "sec:" + QuestionsSlug + "/" + q.ID,
	}
	s.Post, s.Where, _ = strings.Cut(q.Where, ", ")
	if strings.HasPrefix(q.Where, "our ") {
		s.Post, s.Where = Ours, q.Where
	}
	numbers, err := Plainly(q.Recompute)
	s.Evidence = content.Evidence{Kind: "bounds", Check: numbers}
	s.Evidence.Text = q.Known + " " + q.How + recomputed(q.Recompute) + " What would settle it: " + q.Settles
	return s, err
}

// QuestionsSlug is the slug of the page of questions. Each open question has its anchor there.
const QuestionsSlug = "questions"

// Register contains the questions of several games for a page: a section for each game, with the open questions as
// claims.
type Register struct {
	Open, Answered           int
	OpenTexts, AnsweredTexts content.Prose
	Statements               content.Statements
}

// NewRegister reads and computes the questions of games.
func NewRegister(ctx context.Context, games ...Game) (r Register, err error) {
	var open, answered strings.Builder
	for _, g := range games {
		all, err := g.OpenQuestions(ctx)
		if err != nil {
			return r, err
		}
		for _, q := range all {
			s, err := q.statement()
			if err != nil {
				return r, fmt.Errorf("open question %s: %w", q.ID, err)
			}
			r.Open, r.Statements = r.Open+1, append(r.Statements, s)
			fmt.Fprintf(&open, "### %s {#%s}\n\nLeft open (%s)\n: %s\n\nHow that was found ({{ ref %q }})\n: %s\n\n"+
				"What would settle it\n: %s\n\n", q.Title, q.ID, q.Where, q.Known, q.Ref, q.How, q.Settles)
		}
		questions, err := g.Questions()
		if err != nil {
			return r, err
		}
		for _, q := range questions {
			r.Answered++
			fmt.Fprintf(&answered, "### %s {#%s}\n\nAsked (%s)\n: %s\n\nAnswered ({{ ref %q }})\n: %s\n\n", q.Title,
				q.ID, q.Where, q.Asked, q.Ref, q.Answer)
		}
	}
	r.OpenTexts.Text, r.AnsweredTexts.Text = content.Markdown(open.String()), content.Markdown(answered.String())
	return r, nil
}
