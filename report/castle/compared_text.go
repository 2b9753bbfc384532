package castle

import (
	"context"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

// lesson is what one learns from a survey about an algorithm: a lead that sums it up, and what it rests on.
type lesson struct{ Lead, Text content.Markdown }

// addLearned says what one learns from the comparison.
func addLearned(_ context.Context, s *survey, page *site.Page) error {
	v := s.compared
	if err := exactIsRight(v); err != nil {
		return err
	}
	var lessons []map[string]string
	for _, a := range judged() {
		if t, ok := v.Of(a.Name); ok && t.Battles > 0 && v.Winnable > 0 {
			said := learned(a, t, v)
			lessons = append(lessons, map[string]string{"lead": string(said.Lead), "text": string(said.Text)})
		}
	}
	page.Lists = map[string][]map[string]string{"learned": lessons}
	page.Values["battles"] = battlesText(v)
	page.Values["winnable"] = winnableText(v)
	return nil
}

// exactIsRight returns an error unless all exact answers of a survey are right: by the closed form, by its other form,
// and by search wherever it was asked.
func exactIsRight(v game.Survey) error {
	for _, a := range game.AlgorithmsOf(game.Exact, game.Check) {
		if t, ok := v.Of(a.Name); ok {
			if err := chapter.Expect(a.Title+" is always right", t.Right == t.Battles, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// battlesText says which battles a survey has.
func battlesText(v game.Survey) content.Markdown {
	return content.Markdown(fmt.Sprintf("%s battles (%s, %s, %s)", chapter.Thousands(v.Battles), rangeText("n", v.Soldiers), rangeText("s", v.Castle), rangeText("d", v.Defenders)))
}

// rangeText says from where to where a number of the battles goes.
func rangeText(name string, r grid.Range) string {
	if r.First == r.Last {
		return fmt.Sprintf("$%s = %d$", name, r.First)
	}
	return fmt.Sprintf("$%s$ from %s", name, span(r.First, r.Last))
}

// winnableText says how many battles the soldiers can win, and what the exact answers are.
func winnableText(v game.Survey) content.Markdown {
	text := ""
	switch v.Winnable {
	case 0:
		return "The soldiers can win none of them. *Best play* says so, and there is nothing to learn about the other algorithms: choose other battles."
	case v.Battles:
		text = "The soldiers can win all of them. "
	default:
		text = fmt.Sprintf("The soldiers can win %s of them (%s). ", chapter.Thousands(v.Winnable), figure.Share(v.Winnable, v.Battles))
	}
	text += "*Best play* finds the fewest waves for each"
	if t, ok := v.Of("search"); ok && t.Battles > 0 {
		text += fmt.Sprintf(", and a search through all paths, which was asked about %s battles small enough for it, finds the same", chapter.Thousands(t.Battles))
	}
	return content.Markdown(text + ".")
}

// learned says what a survey with battles that can be won shows of an algorithm.
func learned(a game.Algorithm, t game.Tally, v game.Survey) lesson {
	title := sentenceCase(a.Title)
	if a.Kind == game.Formula {
		title = "The " + a.Title
	}
	switch {
	case t.Battles < v.Battles:
		text := fmt.Sprintf("It is right in %s of them.", figure.Share(t.Right, t.Battles))
		return lesson{content.Markdown(fmt.Sprintf("%s was asked about %s battles.", title, chapter.Thousands(t.Battles))), content.Markdown(text)}
	case t.Right == t.Battles:
		return lesson{content.Markdown(title + " makes no mistake here."), "It finds the fewest waves in every battle that can be won."}
	}
	text := fmt.Sprintf("It finds the fewest waves in %s of the battles that can be won.", figure.Share(t.RightWinnable, v.Winnable))
	if t.TooFew > 0 {
		text += fmt.Sprintf(" In %s it promises a win in fewer waves than any play can achieve.", chapter.Thousands(t.TooFew))
	}
	if a.Question == game.PlaysLine {
		return lesson{content.Markdown(title + " " + lead(t)), content.Markdown(text + playedText(t))}
	}
	if t.WrongSide > 0 {
		text += fmt.Sprintf(" In %s it is on the wrong side.", chapter.Thousands(t.WrongSide))
	}
	if t.TooMany > 0 {
		text += fmt.Sprintf(" In %s it asks for too many waves, at most %s more.", chapter.Thousands(t.TooMany), chapter.Thousands(t.ExtraWavesMax))
	}
	return lesson{content.Markdown(title + " " + lead(t)), content.Markdown(text)}
}

// playedText says what the play of an algorithm that makes mistakes loses: battles, or waves.
func playedText(t game.Tally) string {
	text := ""
	if t.WrongSide > 0 {
		text += fmt.Sprintf(" It loses %s that could be won, or merely ties them.", chapter.Thousands(t.WrongSide))
	}
	switch mean := t.MeanExtraWaves(); {
	case mean == nil:
		return text
	case t.ExtraWavesMaxAt == nil:
		return text + " Where it wins, it is never late."
	default:
		return text + fmt.Sprintf(" Where it wins, it is at most %s late, first in %s, and %s waves on average.", waves(t.ExtraWavesMax), triple(*t.ExtraWavesMaxAt), meanText(mean))
	}
}

// lead sums up the tally of an algorithm that makes mistakes.
func lead(t game.Tally) string {
	switch {
	case t.TooFew > 0:
		return "promises too much."
	case t.TooMany == 0:
		return "wins in the fewest waves, or not at all."
	case t.WrongSide == 0:
		return "wins whatever can be won, but not always in time."
	case t.ExtraWavesMax == 1:
		return "wins one wave late at most, or not at all."
	case t.TooMany > t.WrongSide:
		return "is late more often than it loses."
	}
	return "loses more often than it is late."
}
