package castle

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed compared.md
var comparedSource string

// comparedPage puts all algorithms side by side.
func comparedPage(ctx context.Context, s *survey) (site.Page, error) {
	if ctx.Err() != nil {
		return site.Page{}, context.Cause(ctx)
	}
	page := site.Page{
		Title: "All algorithms, compared", Nav: "Compared",
		Description: "What each algorithm answers, how often it is right, how many waves it loses, and what it costs.",
		Source:      comparedSource, File: "report/castle/compared.md",
		Values: map[string]any{"n": s.params.Soldiers, "grid": content.Markdown("`" + s.params.String() + "`")},
	}
	for _, add := range []func(context.Context, *survey, *site.Page) error{addLearned, addMatrix, addWavesLost, addShares, addPrinted, addDownloads} {
		if err := add(ctx, s, &page); err != nil {
			return site.Page{}, err
		}
	}
	return page, nil
}

// addWavesLost draws what each algorithm makes of the battles of the maps.
func addWavesLost(ctx context.Context, s *survey, page *site.Page) error {
	var failed error
	answer := func(a game.Algorithm, b game.Battle) (game.Answer, bool) {
		answer, asked, err := ask(ctx, a, b)
		if err != nil && failed == nil {
			failed = err
		}
		return answer, asked
	}
	maps := pictures.WavesLost(s.plane(), append(bestPlay(), judged()...), answer)
	if failed != nil {
		return failed
	}
	return chapter.Draw(page, "waves-lost", maps)
}

// bestPlay is the algorithm by which the others are judged.
func bestPlay() []game.Algorithm { return game.AlgorithmsOf(game.Exact)[:1] }

// addDownloads offers the survey itself, and says by which command to have it again.
func addDownloads(_ context.Context, s *survey, page *site.Page) error {
	file, err := json.Marshal(s.compared)
	if err != nil {
		return err
	}
	page.Assets = map[string][]byte{"survey.json": append(file, '\n')}
	page.Values["checksum"] = s.compared.Checksum.String()
	page.Values["command"] = content.Markdown("`" + surveyCommand(s.compared) + "`")
	page.Values["rows"] = content.Markdown(s.rowsText())
	return nil
}

// surveyCommand is the command that computes a survey.
func surveyCommand(v game.Survey) string {
	return fmt.Sprintf("siegebook survey castle --soldiers %v --castle %v --defenders %v --json", v.Soldiers, v.Castle, v.Defenders)
}
