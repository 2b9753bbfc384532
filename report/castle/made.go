package castle

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// surveyDownload is the name of the survey among the files of the page that compares.
const surveyDownload = "survey.json"

// surveyFile lets whoever builds the report hand over a survey that was made elsewhere.
var surveyFile = chapter.File{
	Most: 64 << 20,
	Is:   isMade,
	Read: func(text string) (string, error) {
		made, err := readMade(text)
		return madeText(made), err
	},
	Kept:    "assets/castle-compared/" + surveyDownload,
	Recheck: recheckMade,
}

// isMade reports whether a value of the parameter is a survey, and not the name of battles.
func isMade(text string) bool { return strings.HasPrefix(strings.TrimSpace(text), "{") }

// readMade reads a survey.
func readMade(text string) (game.Survey, error) {
	var made game.Survey
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		return game.Survey{}, fmt.Errorf("no survey of castle games: %w; name a file that siegebook survey castle --json has written", err)
	}
	return made, nil
}

// madeText returns a survey as the page offers it.
func madeText(v game.Survey) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // a survey always has a text
	}
	return string(text) + "\n"
}

// madeDraws is how many battles of a survey that was made elsewhere are drawn and computed again by a build, and
// checkDraws by a check; madeSeed is the build's seed.
const (
	madeDraws  = 1 << 16
	checkDraws = 1 << 20
	madeSeed   = 1
)

// take compares the algorithms by a survey that was made elsewhere. It is too large to be made again, so battles of it
// are. The error is that of the context, or a [*chapter.SettingError].
func (s *survey) take(ctx context.Context, made game.Survey) error {
	check, err := made.SpotCheck(ctx, madeDraws, madeSeed)
	if err == nil {
		err = exactIsRight(made)
	}
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return &chapter.SettingError{Name: surveyParameter.Name, Err: fmt.Errorf("the survey cannot be right: %w", err)}
	}
	s.compared, s.made = made, &check
	return nil
}

// recheckMade computes a survey that was made elsewhere again: all of it if a build would make one of that size, else
// battles that are drawn with the seed.
func recheckMade(ctx context.Context, value string, seed uint64) (string, error) {
	made, err := readMade(value)
	if err != nil {
		return "", err
	}
	if made.Battles > maxCompared {
		check, err := made.SpotCheck(ctx, checkDraws, seed)
		return fmt.Sprintf("%s, drawn with the seed %d", checkedText(check), seed), err
	}
	algorithms, err := made.Asked()
	if err != nil {
		return "", err
	}
	again, err := game.NewSurvey(ctx, made.Soldiers, made.Castle, made.Defenders, game.SurveyOptions{Algorithms: algorithms, Effort: game.Effort{Steps: game.SurveySteps}})
	if err != nil {
		return "", err
	}
	if madeText(again) != madeText(made) {
		return "", fmt.Errorf("computed again, the %d battles give another survey, with the checksum %v instead of %v", made.Battles, again.Checksum, made.Checksum)
	}
	return fmt.Sprintf("all %s battles", chapter.Thousands(made.Battles)), nil
}

// checkedText says what of a survey was computed again.
func checkedText(c game.SpotCheck) string {
	return fmt.Sprintf("the %s battles that it names, %s right before its first errors, and %s others", chapter.Thousands(c.Named), chapter.Thousands(c.Before), chapter.Thousands(c.Drawn))
}

// originText says where the survey of the page comes from, if it was not made by the build.
func (s *survey) originText() content.Markdown {
	if s.made == nil {
		return ""
	}
	return content.Markdown(fmt.Sprintf("The numbers of this report were computed elsewhere, and handed to its build as [a file](%s) with the checksum `%s`. "+
		"The build has computed %s, drawn at random, again. Nothing that they say contradicts the file; numbers in it that were wrong by less than two percent of the battles could go unnoticed.",
		surveyDownload, surveyParameter.Shown(madeText(s.compared)), checkedText(*s.made)))
}
