package castle

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/report/figure"
	pictures "github.com/siegebook/siegebook/report/pictures/castle"
)

// Compare judges a strategy of the reader's own on all battles of a plane, beside the algorithms of the library:
//
//	view.Compare(view.Plane(24, "1:96", "1:60"), "mine", func(wave int64, s castle.State) castle.Orders { ... })
//
// It ends the cell where castle.NewAlgorithm or [CompareAlgorithm] refuse.
func Compare(p pictures.Plane, name string, strategy game.Strategy) {
	mine, err := game.NewAlgorithm(name, strategy)
	if err != nil {
		show.Fail("%v", err)
	}
	CompareAlgorithm(p, mine)
}

// CompareListing judges a listing, a program in the syntax of Python that defines at_defenders: see package
// analysis/listing. It is given as a text, or as the name of a file that ends in .star:
//
//	view.CompareListing(view.Plane(24, "1:96", "1:60"), "mine.star")
//
// It ends the cell if the file cannot be read, if it is no such program, or where [CompareAlgorithm] refuses.
func CompareListing(p pictures.Plane, textOrFile string) {
	name, text := "listing", []byte(textOrFile)
	if strings.HasSuffix(textOrFile, ".star") && !strings.Contains(textOrFile, "\n") {
		file, err := os.Open(textOrFile)
		if err == nil {
			defer file.Close()
			name = textOrFile
			text, err = io.ReadAll(io.LimitReader(file, int64(listing.DefaultLimits.Text)+1))
		}
		if err != nil {
			show.Fail("%v; name a file that can be read", err)
		}
	}
	l, err := listing.Read(name, text, listing.CastleSignature, listing.Limits{})
	if err != nil {
		show.Fail("%v", err)
	}
	CompareAlgorithm(p, listing.Castle(l))
}

// CompareAlgorithm judges an algorithm of the reader's own that plays battles. It shows a table with a row for each
// algorithm, a map of the waves that the reader's loses, and the first battle that it plays worse than it could, beside
// best play. It ends the cell if the plane is not one that [Plane] makes, if castle.NewSurvey does not ask such an
// algorithm, or if that gives an order which is not legal.
func CompareAlgorithm(p pictures.Plane, mine game.Algorithm) {
	validPlane(p)
	if mine.Strategy == nil {
		show.Fail("algorithm %q plays no battles: take one of castle.NewAlgorithm", mine.Name)
	}
	army := grid.Range{First: p.Soldiers, Last: p.Soldiers}
	survey, err := game.NewSurvey(context.Background(), army, p.CastleHits, p.Defenders, game.SurveyOptions{
		Algorithms: append(game.DefaultSurveyed(), mine), Effort: game.Effort{Steps: game.SurveySteps},
	})
	if err != nil {
		show.Fail("%v", err)
	}
	comparison(survey, mine).Show()
	lost := pictures.WavesLost(p, []game.Algorithm{mine}, func(_ game.Algorithm, b game.Battle) (game.Answer, bool) {
		answer, err := mine.Answer(context.Background(), b, game.Effort{Steps: game.SurveySteps})
		return answer, err == nil
	})
	lost.Title = fmt.Sprintf("Waves lost by %s, n = %d", mine.Title, p.Soldiers)
	show.Figure(lost)
	tally, _ := survey.Of(mine.Name)
	first := cmp.Or(tally.First.WrongSide, tally.First.TooMany)
	if first == nil {
		show.Text("%s plays every battle of this map as well as best play.", mine.Title)
		return
	}
	show.Text("This is the first battle that %s plays worse than it could. Below it is best play:", mine.Title)
	Battle(*first, mine.Strategy(*first)).Show()
	Battle(*first, first.Solve().Strategy()).Show()
}

// comparison has a row for each algorithm of a survey, the reader's own first.
func comparison(survey game.Survey, mine game.Algorithm) *show.Table {
	title := fmt.Sprintf(
		"%d soldiers: %d battles, of which %d can be won",
		survey.Soldiers.First,
		survey.Battles,
		survey.Winnable,
	)
	t := show.NewTable(title, "algorithm", "right", "right where it can be won", "wrong side",
		"too few waves", "too many waves", "mean extra waves", "most")
	row := func(a game.Algorithm) {
		tally, _ := survey.Of(a.Name)
		won, mean, most := "–", "–", "0"
		if survey.Winnable > 0 && tally.Battles == survey.Battles {
			won = figure.Share(tally.RightWinnable, survey.Winnable)
		}
		if m := tally.MeanExtraWaves(); m != nil {
			mean = m.FloatString(3)
		}
		if at := tally.ExtraWavesMaxAt; at != nil {
			most = fmt.Sprintf("%d at %v", tally.ExtraWavesMax, *at)
		}
		right := "not asked"
		switch {
		case tally.Battles == survey.Battles:
			right = figure.Share(tally.Right, tally.Battles)
		case tally.Battles > 0:
			right = fmt.Sprintf("%s of %d", figure.Share(tally.Right, tally.Battles), tally.Battles)
		}
		t.Row(a.Title, right, won, tally.WrongSide, tally.TooFew, tally.TooMany, mean, most)
	}
	row(mine)
	for _, a := range game.DefaultSurveyed() {
		row(a)
	}
	return t
}
