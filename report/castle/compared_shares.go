package castle

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/site"
)

// armies are the numbers of soldiers for which the algorithms are compared as armies grow.
var armies = []int64{5, 10, 20, 30, 40, 60, 80, 100, 125, 150, 175, 200}

// Castle hits and defenders per wave go up to so many for each soldier, as in the report's own grid.
const (
	hitsPerSoldier      = 4
	defendersPerSoldier = 2
)

// armiesKnown keeps what armySurveys has computed: it depends on nothing.
var armiesKnown struct {
	sync.Mutex
	surveys []game.Survey
}

// armySurveys compares the algorithms for each of the armies.
func armySurveys(ctx context.Context) ([]game.Survey, error) {
	armiesKnown.Lock()
	defer armiesKnown.Unlock()
	if armiesKnown.surveys != nil {
		return armiesKnown.surveys, nil
	}
	var surveys []game.Survey
	for _, n := range armies {
		up := func(last int64) grid.Range { return grid.Range{First: 1, Last: last} }
		v, err := game.NewSurvey(ctx, grid.Range{First: n, Last: n}, up(hitsPerSoldier*n), up(defendersPerSoldier*n), game.SurveyOptions{Algorithms: judged()})
		if err != nil {
			return nil, err
		}
		surveys = append(surveys, v)
	}
	armiesKnown.surveys = surveys
	return surveys, nil
}

// addShares draws how the share of right answers changes as armies grow.
func addShares(ctx context.Context, _ *survey, page *site.Page) error {
	surveys, err := armySurveys(ctx)
	if err != nil {
		return err
	}
	lines := figure.Lines{
		Title: "Battles that can be won, and are in the fewest waves", X: figure.Axis{Label: "soldiers n"},
		Y: figure.Axis{Label: "right, % of the battles that can be won", Min: 0, Max: 100},
	}
	var total int64
	for _, v := range surveys {
		total += v.Battles
	}
	whole := func(a game.Algorithm) bool { // asked about all battles
		return !slices.ContainsFunc(surveys, func(v game.Survey) bool {
			t, _ := v.Of(a.Name)
			return t.Battles < v.Battles
		})
	}
	asked := slices.DeleteFunc(judged(), func(a game.Algorithm) bool { return !whole(a) })
	partly := slices.DeleteFunc(judged(), whole)
	drawn, left := plotted(asked)
	left = append(left, partly...)
	var changes []string
	moved := 0.0
	for _, a := range drawn {
		series := figure.Series{Name: a.Title}
		for _, v := range surveys {
			series.Points = append(series.Points, figure.Point{X: float64(v.Soldiers.First), Y: 100 * rightShare(v, a)})
		}
		lines.Series = append(lines.Series, series)
		changes = append(changes, fmt.Sprintf("%s from %s to %s", a.Title, winnableShare(surveys[0], a), winnableShare(surveys[len(surveys)-1], a)))
		moved = max(moved, spread(series.Points))
	}
	page.Values["armies"], page.Values["army battles"] = len(armies), chapter.Thousands(total)
	text := fmt.Sprintf("From %d soldiers to %d, the shares of right answers change: %s.", armies[0], armies[len(armies)-1], strings.Join(changes, ", "))
	text += fmt.Sprintf(" From %d soldiers on, no line moves by more than %.1f points", manySoldiers, moved)
	if moved < 5 {
		text += ": what decides is the shape of a battle, not its size"
	}
	page.Values["changes"] = content.Markdown(text + "." + leftOut(left))
	return chapter.Draw(page, "shares", lines)
}

// manySoldiers are an army from which on its size should make little difference.
const manySoldiers = 60

// spread is how far the heights of points with many soldiers lie apart.
func spread(points []figure.Point) float64 {
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range points {
		if p.X >= manySoldiers {
			low, high = min(low, p.Y), max(high, p.Y)
		}
	}
	return high - low
}

// rightShare is the share of right answers among the battles that can be won.
func rightShare(v game.Survey, a game.Algorithm) float64 {
	t, _ := v.Of(a.Name)
	return float64(t.RightWinnable) / float64(v.Winnable)
}

func winnableShare(v game.Survey, a game.Algorithm) string {
	t, _ := v.Of(a.Name)
	return figure.Share(t.RightWinnable, v.Winnable)
}

// plotted chooses the algorithms that a chart with a line for each draws: the first of them, as many as there are looks
// of lines.
func plotted(algorithms []game.Algorithm) (drawn, left []game.Algorithm) {
	n := min(len(algorithms), figure.MaxSeries)
	return algorithms[:n], algorithms[n:]
}

// leftOut names the algorithms that a chart does not draw.
func leftOut(left []game.Algorithm) string {
	if len(left) == 0 {
		return ""
	}
	text := " The figure has no line for "
	for i, a := range left {
		if i > 0 {
			text += ", "
		}
		text += a.Title
	}
	return text + "."
}
