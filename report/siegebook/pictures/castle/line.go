package castle

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// battleFields returns the fields of a battle. n, s and d are the maximums of the sliders.
func battleFields(n, s, d int64) []pictures.Field {
	return []pictures.Field{
		pictures.Number("n", "soldiers", n, "soldier", "soldiers"),
		pictures.Number("s", "castle hits", s, "hit", "hits"),
		pictures.Number("d", "defenders a wave", d, "defender a wave", "defenders a wave"),
	}
}

// battle returns the battle (n, s, d).
func battle(n, s, d int64) game.Battle {
	return game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
}

func battleOf(v pictures.Values) game.Battle { return battle(v.Int("n"), v.Int("s"), v.Int("d")) }

// Settings returns the settings of a picture that shows a battle. Further names and values may follow alternately, as
// for [content.Settings].
func Settings(b game.Battle, more ...any) []content.Setting {
	return content.Settings(append([]any{"n", b.Soldiers, "s", b.CastleHits, "d", b.DefendersPerWave}, more...)...)
}

// setBattle returns values that set a battle. Further names and values may follow alternately.
func setBattle(b game.Battle, more ...any) pictures.Values {
	return pictures.With(append([]any{"n", b.Soldiers, "s", b.CastleHits, "d", b.DefendersPerWave}, more...)...)
}

// mostRuns is the maximum number of runs of equal waves in a line of play. The algorithms' lines have a few dozen.
const mostRuns = 512

// effort limits the work of an algorithm on one battle. A survey skips battles that take more work.
var effort = game.Effort{Steps: 1 << 16}

// affords reports whether an algorithm can give an answer for a battle within the effort.
func affords(a game.Algorithm, b game.Battle) bool { return a.Affordable == nil || a.Affordable(b) }

// compared returns the algorithms that compute the fewest waves in which the soldiers win.
func compared() []game.Algorithm { return game.DefaultSurveyed() }

// players returns the compared algorithms that play battles.
func players() []game.Algorithm {
	return slices.DeleteFunc(slices.Clone(compared()), func(a game.Algorithm) bool { return a.Strategy == nil })
}

// algorithmOptions returns options for a choice of algorithms.
func algorithmOptions(all []game.Algorithm) []pictures.Option {
	var options []pictures.Option
	for _, a := range all {
		options = append(options, pictures.Option{Value: a.Name, Label: a.Title})
	}
	return options
}

// named returns the algorithm that an option names.
func named(name string) game.Algorithm {
	a, ok := game.AlgorithmNamed(name)
	if !ok {
		panic("castle: no algorithm is " + name) // names come only from algorithmOptions
	}
	return a
}

// describeAnswer describes an algorithm's answer for a battle in words.
func describeAnswer(a game.Algorithm, b game.Battle) (string, error) {
	if !affords(a, b) {
		return "not asked", nil
	}
	answer, err := a.Answer(context.Background(), b, effort)
	return answerWords(answer), err
}

// answerWords returns an answer as text, such as "soldiers in 8 waves".
func answerWords(a game.Answer) string {
	switch {
	case a.Rounded() && a.InFloat == 1:
		return "soldiers in 1 wave"
	case a.Rounded():
		return "soldiers in " + content.Thousands(strconv.FormatFloat(a.InFloat, 'f', -1, 64)) + " waves"
	case a.Winner == game.Soldiers:
		return "soldiers in " + pictures.Plural(a.Waves, "wave")
	case a.Winner == game.Castle && a.Waves > 0:
		return "castle in " + pictures.Plural(a.Waves, "wave")
	case a.Winner == game.Castle:
		return "castle"
	case a.Winner == game.Tie:
		return "tie"
	}
	return "no answer"
}

// lineOf plays a battle by an algorithm. It returns runs of equal waves, or nil if the algorithm does not play battles.
func lineOf(a game.Algorithm, b game.Battle) ([]game.Run, error) {
	if a.Strategy == nil || !affords(a, b) {
		return nil, nil
	}
	var runs []game.Run
	for run := range game.Folded(b.Runs(a.Strategy(b))) {
		if len(runs) == mostRuns {
			return nil, fmt.Errorf("the battle %v has more than %d different waves: choose another one", b,
				mostRuns)
		}
		runs = append(runs, run)
	}
	return runs, nil
}

// lineEnd describes how a battle ends.
func lineEnd(runs []game.Run) string {
	last := runs[len(runs)-1]
	switch last.Winner {
	case game.Tie:
		return "a tie: from here on nothing changes"
	case game.Soldiers:
		return pictures.Text("the soldiers win in wave %v, with %v left", last.Last, last.End.Soldiers)
	}
	return pictures.Text("the castle wins in wave %v", last.Last)
}

// lineTable returns a table of a battle, wave by wave, with bars below the numbers left.
func lineTable(caption string, b game.Battle, runs []game.Run) pictures.Part {
	t := &pictures.Table{Caption: caption, Chosen: -1}
	waveHeads(t)
	most := uint64(1)
	for _, run := range runs {
		most = max(most, run.End.Defenders)
	}
	row := func(state game.State, wave, atCastle, atDefenders string) {
		left := func(n, all uint64) pictures.Cell { return pictures.Cell{Text: pictures.People(n), Bar: share(n, all)} }
		t.Add(wave, atCastle, atDefenders, left(uint64(state.Soldiers), uint64(b.Soldiers)),
			left(state.Defenders, most), left(uint64(state.CastleHits), uint64(b.CastleHits)))
	}
	row(b.Start(), "start", "", "")
	for _, run := range runs {
		waves, each := pictures.People(run.First), ""
		if run.Last > run.First {
			waves, each = pictures.Text("%v to %v", run.First, run.Last), " each"
		}
		row(run.End, waves, pictures.People(run.AtCastle)+each, pictures.People(run.AtDefenders)+each)
	}
	return pictures.Part{Table: t}
}

// share returns part/all, rounded to three digits.
func share(part, all uint64) float64 {
	return float64(int64(1000*(float64(part)/float64(max(all, 1))))) / 1000
}

// judgedTable returns a table of the answers that the posts' algorithms give for a battle, with verdicts on these
// answers.
func judgedTable(b game.Battle) (pictures.Part, error) {
	fewest := b.MinWaves()
	t := &pictures.Table{
		Caption: "The posts' algorithms", Chosen: -1, Words: true,
		Heads: pictures.Heads("algorithm", "its answer", "compared with best play"),
	}
	for _, a := range game.Algorithms() {
		if a.Kind != game.Heuristic && a.Kind != game.Formula || !affords(a, b) {
			continue
		}
		answer, err := a.Answer(context.Background(), b, effort)
		if err != nil {
			return pictures.Part{}, err
		}
		verdict := answer.SoldiersVerdict(fewest)
		words := content.Thousands(Look(verdict).Signed(Words(verdict)))
		if extra := answer.ExtraWaves(fewest); extra > 0 {
			words += ": " + pictures.People(extra) + " more than needed"
		}
		t.Add(a.Title, answerWords(answer), pictures.Cell{Text: words, Bold: verdict != game.Right})
	}
	return pictures.Part{Table: t}, nil
}

// These are the classes of soldiers, hits and defenders in a lineup.
const (
	lineupSoldier = 1 + iota
	lineupHit
	lineupDefender
)

// Lineup draws a battle before it begins: the soldiers, the hits of the castle, and the defenders of a wave. It is
// suitable for battles with at most a few hundred of each.
func Lineup(b game.Battle) figure.Board {
	return lineup("The battle before it begins: "+b.String(),
		crowd(pictures.Plural(b.Soldiers, "soldier"), lineupSoldier, b.Soldiers),
		crowd(pictures.Plural(b.CastleHits, "hit"), lineupHit, b.CastleHits),
		crowd(pictures.Plural(b.DefendersPerWave, "defender")+" a wave", lineupDefender, b.DefendersPerWave))
}

// HuntLineup draws the soldiers and the defenders of the wave in which a castle falls.
func HuntLineup(soldiers, left int64) figure.Board {
	return lineup("The soldiers in the wave of the fall, and the defenders left",
		crowd(pictures.Plural(soldiers, "soldier"), lineupSoldier, soldiers),
		crowd(pictures.Plural(left, "defender")+" left", lineupDefender, left))
}

func lineup(title string, grids ...figure.Grid) figure.Board {
	return figure.Board{Title: title, Grids: grids, Classes: []figure.Class{
		{Value: lineupSoldier, Label: "soldier", Sign: "N", Swatch: figure.Blue},
		{Value: lineupHit, Label: "hit that the castle can take", Sign: "S", Swatch: figure.Quiet},
		{Value: lineupDefender, Label: "defender", Sign: "D", Swatch: figure.Vermilion},
	}}
}

// crowd draws count figures in rows of ten.
func crowd(name string, class int, count int64) figure.Grid {
	const row = 10
	g := figure.Grid{Name: name, Rows: int((count + row - 1) / row), Cols: int(min(row, count))}
	for i := range int(count) {
		g.Pieces = append(g.Pieces, figure.Piece{Row: i / row, Col: i % row, Class: class})
	}
	return g
}
