package castle

import (
	"context"
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/site"
)

// comparedPage puts all algorithms side by side.
func comparedPage(ctx context.Context, s *survey) (site.Page, error) {
	if ctx.Err() != nil {
		return site.Page{}, canceled.Cause(ctx)
	}
	page := site.Page{
		Values: map[string]any{"n": s.params.Soldiers, "grid": content.Markdown("`" + s.params.String() + "`")},
	}
	for _, add := range []func(context.Context, *survey, *site.Page) error{addLearned, addMatrix, addWavesLost, addSideBySide, addShares, addPrinted, addDownloads} {
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
	text, err := s.betterOfBoth()
	if err != nil {
		return err
	}
	page.Values["better of both"] = text
	return chapter.Draw(page, "waves-lost", maps)
}

// betterOfBoth says how good it is to play both heuristics of the posts in one's head and to take the better one.
func (s *survey) betterOfBoth() (content.Markdown, error) {
	castleFirst, defendersFirst := s.verdictsOf("castle-first"), s.verdictsOf("defenders-first")
	var right int64
	for cell, fewest := range s.minWaves {
		if fewest == 0 {
			continue
		}
		b, safe := s.battle(cell), defendersFirst[cell]
		if outnumbered(b) {
			safe = castleFirst[cell]
		}
		if err := chapter.HoldsAt(safe != game.WrongSide, "%v, which one of both heuristics wins", b); err != nil {
			return "", err
		}
		if castleFirst[cell] == game.Right || defendersFirst[cell] == game.Right {
			right++
		}
	}
	if s.ofGrid.Winnable == 0 {
		return "", nil
	}
	return content.Markdown("The two heuristics fail in different places: whatever can be won, castle first wins if $d \\ge n$, and defenders first if $d < n$. " +
		"Soldiers who play both in their heads and take the better one win all that can be won on this map, and " + figure.Share(right, s.ofGrid.Winnable) + " of it in the fewest waves."), nil
}

// verdictsOf returns the verdicts on an algorithm for each battle of the maps.
func (s *survey) verdictsOf(name string) []game.Verdict {
	return s.algorithms[slices.IndexFunc(s.algorithms, func(a algorithmMap) bool { return a.Name == name })].verdicts
}

// bestPlay is the algorithm by which the others are judged.
func bestPlay() []game.Algorithm { return game.AlgorithmsOf(game.Exact)[:1] }

// addDownloads offers the survey itself, and says by which command to have it again.
func addDownloads(_ context.Context, s *survey, page *site.Page) error {
	page.Assets = map[string][]byte{surveyDownload: []byte(line(s.compared))}
	if s.made != nil && s.made.shards != nil {
		page.Assets[shardsDownload] = []byte(line(s.made.shards))
	}
	page.Values["origin"] = s.originText()
	page.Values["checksum"] = s.compared.Checksum.String()
	page.Values["command"] = content.Markdown("`" + surveyCommand(s.compared) + "`")
	page.Values["rows"] = content.Markdown(s.rowsText())
	return nil
}

// surveyCommand is the command that computes a survey.
func surveyCommand(v game.Survey) string {
	var usual []string
	for _, a := range game.DefaultSurveyed() {
		usual = append(usual, a.Name)
	}
	asked, algorithms := askedOf(v), ""
	if !slices.Equal(asked, usual) {
		algorithms = " --algorithms " + strings.Join(asked, ",")
	}
	return fmt.Sprintf("siegebook survey castle --soldiers %v --castle %v --defenders %v%s --json", v.Soldiers, v.Castle, v.Defenders, algorithms)
}
