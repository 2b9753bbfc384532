// Package castle prepares battles of the castle game for a notebook cell: tables, and planes for maps. The drawings
// themselves are in report/siegebook/pictures/castle.
//
// Cells usually import it under the name view, because they also import analysis/castle.
package castle

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/notebooks/show"
	"github.com/siegebook/siegebook/notebooks/show/internal/axis"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/siegebook/explorables"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// Agreement returns the map that compares an algorithm's answers with the exact answers: whether the soldiers can win,
// and in how few waves. It ends the cell if the algorithm gives no answer for a battle.
func Agreement(p pictures.Plane, a game.Algorithm) figure.PhaseMap {
	validPlane(p)
	if a.Answer == nil {
		show.Fail("algorithm %q gives no answers: use one of castle.Algorithms()", a.Name)
	}
	return pictures.Agreement(p, a, func(b game.Battle) game.Verdict {
		answer, err := a.Answer(context.Background(), b, game.Effort{})
		if err != nil {
			show.Fail("%s: %v", a.Title, err)
		}
		return answer.SoldiersVerdict(b.MinWaves())
	})
}

// maxRows is the maximum number of rows in a table of a battle or of paths.
const maxRows = 200

// Battle returns a table of a battle played by a strategy. Equal waves share a row. If there are more than 200 rows,
// the table ends with a line that says so. Battle ends the cell if the battle is not valid or the strategy is nil.
func Battle(b game.Battle, strategy game.Strategy) *show.Table {
	if strategy == nil {
		show.Fail("%v: the strategy is nil: give one, such as castle.CastleFirst", valid(b))
	}
	result := valid(b).Play(strategy)
	table := show.NewTable(fmt.Sprintf("%v: %s", b, pictures.End(result)),
		"wave", "shots at defenders", "shots at the castle", "soldiers left", "defenders left", "castle hits left")
	table.Row("start", "", "", b.Soldiers, 0, b.CastleHits)
	rows := 0
	for run := range game.Folded(b.Runs(strategy)) {
		if rows++; rows > maxRows {
			return table.Row("and so on", "", "", "", "", "")
		}
		waves := fmt.Sprint(run.First)
		if run.Last > run.First {
			waves = fmt.Sprintf("%d to %d", run.First, run.Last)
		}
		table.Row(waves, run.AtDefenders, run.AtCastle, run.End.Soldiers, run.End.Defenders, run.End.CastleHits)
	}
	return table
}

// maxPaths is the maximum number of paths in a table.
const maxPaths = 10_000

// Paths returns a table of the first most paths (200 if most is 0). It shows how many soldiers shoot at defenders in
// each wave, and who wins.
func Paths(paths iter.Seq[game.Path], most int) *show.Table {
	show.Between("most", most, 0, maxPaths)
	if most == 0 {
		most = maxRows
	}
	table := show.NewTable("Paths", "shots at defenders, wave by wave", "winner", "in wave")
	rows := 0
	for path := range paths {
		if rows++; rows > most {
			return table.Row("and so on", "", "")
		}
		table.Row(fmt.Sprint(path.Moves), path.Winner, path.Waves())
	}
	return table
}

// Battles yields all battles with 1..n soldiers, 1..s castle hits and 1..d defenders per wave, in this order, with the
// defenders changing fastest. It ends the cell if n, s or d is less than 1, because a claim about no battles would
// hold.
func Battles(n, s, d int64) iter.Seq[game.Battle] {
	valid(game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d})
	return func(yield func(game.Battle) bool) {
		for i := int64(1); i <= n; i++ {
			for j := int64(1); j <= s; j++ {
				for k := int64(1); k <= d; k++ {
					if !yield(game.Battle{Soldiers: i, CastleHits: j, DefendersPerWave: k}) {
						return
					}
				}
			}
		}
	}
}

// Staircase yields the stairs of one row of a map for n soldiers: the fewest waves against d defenders per wave, over a
// range of castle hits. See [Plane] for the range. It ends the cell if n, d or the range is not valid.
func Staircase(n, d int64, castleHits string) iter.Seq[game.Stair] {
	s := axis.Range("castle hits", castleHits)
	return valid(game.Battle{Soldiers: n, CastleHits: s.First, DefendersPerWave: d}).Staircase(s.Last)
}

// Plane returns the plane of a map for n soldiers. A range is written like 1:60 and contains at most 4096 numbers.
// Plane ends the cell if n or a range is not valid.
func Plane(n int64, castleHits, defenders string) pictures.Plane {
	valid(game.Battle{Soldiers: n, CastleHits: 1, DefendersPerWave: 1})
	return pictures.Plane{
		Soldiers: n, CastleHits: axis.Range("castle hits", castleHits), Defenders: axis.Range("defenders per wave",
			defenders),
	}
}

// valid ends the cell if a battle is not valid.
func valid(b game.Battle) game.Battle {
	if err := b.Validate(); err != nil {
		show.Fail("%v", err)
	}
	return b
}

// validPlane ends the cell if the plane is not one that [Plane] returns.
func validPlane(p pictures.Plane) { Plane(p.Soldiers, p.CastleHits.String(), p.Defenders.String()) }

// Compare tests a reader's own strategy on all battles of a plane, and compares it with the library's algorithms:
//
//	view.Compare(view.Plane(24, "1:96", "1:60"), "mine", func(wave int64, s castle.State) castle.Orders { ... })
//
// It ends the cell if castle.NewAlgorithm returns an error, or if [CompareAlgorithm] ends the cell.
func Compare(p pictures.Plane, name string, strategy game.Strategy) {
	mine, err := game.NewAlgorithm(name, strategy)
	if err != nil {
		show.Fail("%v", err)
	}
	CompareAlgorithm(p, mine)
}

// CompareAlgorithm tests a reader's own algorithm that plays battles. It shows a table with a row for each algorithm, a
// map of the waves that the reader's algorithm loses, and the first battle that it plays worse than possible, next to
// best play. It ends the cell if the plane is not one that [Plane] returns, if castle.NewSurvey does not accept the
// algorithm, or if the algorithm gives an illegal order.
func CompareAlgorithm(p pictures.Plane, mine game.Algorithm) {
	validPlane(p)
	if mine.Strategy == nil {
		show.Fail("algorithm %q plays no battles: use one made by castle.NewAlgorithm", mine.Name)
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
	lost.Map.Title = fmt.Sprintf("Waves lost by %s, n = %d", mine.Title, p.Soldiers)
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

// comparison returns a table with a row for each algorithm in a survey, the reader's own first.
func comparison(survey game.Survey, mine game.Algorithm) *show.Table {
	title := fmt.Sprintf("%d soldiers: %d battles, of which %d can be won", survey.Soldiers.First, survey.Battles,
		survey.Winnable)
	t := show.NewTable(title, "algorithm", "right", "right on winnable battles", "wrong side",
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

// Explore shows the map of fewest waves around a battle. The reader can walk on the map, starting at the battle: see
// [show.Explore]. It ends the cell if the battle is not valid, or if its numbers are too large for the axes of a map.
func Explore(b game.Battle) {
	n := valid(b).Soldiers
	explore(Plane(n, around(b.CastleHits, n, 4, 240), around(b.DefendersPerWave, n, 2, 120)), b)
}

// ExplorePlane shows the map of fewest waves of a plane. The reader can walk on the map: see [show.Explore]. The walk
// starts at the battle nearest to the middle of the map among the battles that the soldiers win, if there are any. It
// ends the cell if the plane is not one that [Plane] returns.
func ExplorePlane(p pictures.Plane) {
	validPlane(p)
	explore(p, middle(p))
}

// MoveSide shows the map of the castle's fastest wins on a plane. The reader can walk on the map, starting in the
// middle: see [show.Move]. It ends the cell if the plane is not one that [Plane] returns.
func MoveSide(p pictures.Plane) {
	validPlane(p)
	half := func(r grid.Range) int64 { return r.First + (r.Last-r.First)/2 }
	start := fmt.Sprintf("n=%d&s=%d&d=%d&view=%s", p.Soldiers, half(p.CastleHits), half(p.Defenders), part(p))
	show.Move(pictures.SideMap(), start, "n")
}

// explore shows the map as an explorable with the plane's ranges.
func explore(p pictures.Plane, b game.Battle) {
	start := fmt.Sprintf("n=%d&s=%d&d=%d&view=%s", b.Soldiers, b.CastleHits, b.DefendersPerWave, part(p))
	show.Explore(explorables.Set(), pictures.FewestWaves(p, game.Battle.MinWaves), "castle-map", start)
}

// mostColumns and mostRows are the maximum size of an explorable map. Larger planes are shown in larger steps.
const mostColumns, mostRows = 400, 200

// part returns a plane in the form that the explorable's address uses: its first castle hits and defenders, their
// steps, and the numbers of columns and rows.
func part(p pictures.Plane) string {
	along := func(r grid.Range, most int64) (step, cells int64) {
		length := r.Last - r.First + 1
		step = (length + most - 1) / most
		return step, (length + step - 1) / step
	}
	sStep, columns := along(p.CastleHits, mostColumns)
	dStep, rows := along(p.Defenders, mostRows)
	return fmt.Sprintf("%d,%d,%d,%d,%d,%d", p.CastleHits.First, p.Defenders.First, sStep, dStep, columns, rows)
}

// middle returns the battle nearest to the middle of a plane among the battles that the soldiers win, or the battle in
// the middle if there are none.
func middle(p pictures.Plane) game.Battle {
	half := func(r grid.Range) int64 { return r.First + (r.Last-r.First)/2 }
	size := func(r grid.Range) float64 { return float64(r.Last - r.First + 1) }
	at := game.Battle{Soldiers: p.Soldiers, CastleHits: half(p.CastleHits), DefendersPerWave: half(p.Defenders)}
	nearest, least := at, math.Inf(1)
	for b := range p.Battles() {
		across := float64(b.CastleHits-at.CastleHits) / size(p.CastleHits)
		up := float64(b.DefendersPerWave-at.DefendersPerWave) / size(p.Defenders)
		if away := math.Hypot(across, up); away < least && b.MinWaves() > 0 {
			nearest, least = b, away
		}
	}
	return nearest
}

// around returns a range that contains the positive number at. This is the range from 1 to n times the given factor or,
// if that range is too long or does not contain at, a range around at of no more numbers than most.
func around(at, n, times, most int64) string {
	first, last := int64(1), max(times*min(n, most/times), 8)
	if times*min(n, most) > most || at > last {
		first = max(1, at-most/2)
		last = first + min(most-1, math.MaxInt64-first)
	}
	return fmt.Sprintf("%d:%d", first, last)
}
