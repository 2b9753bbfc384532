package engine

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
)

// mostRuns bounds the runs of equal waves of a line; the algorithms' lines have a few dozen.
const mostRuns = 512

// effort bounds what an algorithm may spend on a battle. No more than what a survey asks for takes so much.
var effort = castle.Effort{Steps: 1 << 16}

// castleLine plays a battle as an algorithm does, which is named by its place in [castle.Algorithms]. Ints has a row
// for each run of equal waves: the first wave and the last, how many soldiers shoot at the castle and at defenders in
// each, then soldiers, defenders (unsigned) and castle hits after the last, and who has won. It is empty for an
// algorithm that plays no battle. Text is what the algorithm says of the battle.
func castleLine(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	a, err := algorithm(args[3])
	if err != nil {
		return err
	}
	if !affords(a, b) {
		r.Text = "not asked"
		return nil
	}
	says, err := a.Answer(context.Background(), b, effort)
	if err != nil {
		return err
	}
	r.Text = words(says)
	if a.Strategy == nil {
		return nil
	}
	for run := range castle.Folded(b.Runs(a.Strategy(b))) {
		if len(r.Ints) == 8*mostRuns {
			return fmt.Errorf("the battle %v: it has more than %d different waves, choose another one", b, mostRuns)
		}
		r.add(run.First, run.Last, run.AtCastle, run.AtDefenders, run.End.Soldiers, int64(run.End.Defenders), run.End.CastleHits, int64(run.Winner))
	}
	return nil
}

func algorithm(place int64) (castle.Algorithm, error) {
	all := castle.Algorithms()
	if place < 0 || place >= int64(len(all)) {
		return castle.Algorithm{}, fmt.Errorf("algorithm %d: there are %d, choose one from 0 to %d", place, len(all), len(all)-1)
	}
	return all[place], nil
}

// affords says whether an algorithm can be asked about a battle.
func affords(a castle.Algorithm, b castle.Battle) bool { return a.Affordable == nil || a.Affordable(b) }

// words are an answer as castleAnswer has it: "soldiers in 8 waves".
func words(a castle.Answer) string {
	switch {
	case a.Rounded():
		return "soldiers in " + inFloat(a.InFloat)
	case a.Winner == castle.Soldiers:
		return "soldiers in " + waves(a.Waves)
	case a.Winner == castle.Castle && a.Waves > 0:
		return "castle in " + waves(a.Waves)
	case a.Winner == castle.Castle:
		return "castle"
	case a.Winner == castle.Tie:
		return "tie"
	}
	return "no answer"
}

// inFloat are waves as a formula in floating point has them, which may be none or fewer.
func inFloat(count float64) string {
	if count == 1 {
		return waves(1)
	}
	return plural.Thousands(strconv.FormatFloat(count, 'f', -1, 64)) + " waves"
}

// castleJudged asks the posts' algorithms about a battle, the heuristics and formulas of [castle.Algorithms]. Text has
// a line for each, its title and its answer with a tab between them. Ints has a row for each: its place in the table,
// the verdict on its answer, [castle.Answer.SoldiersVerdict], and the waves that it takes too many.
func castleJudged(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	fewest := b.MinWaves()
	var lines []string
	for place, a := range castle.Algorithms() {
		if a.Kind != castle.Heuristic && a.Kind != castle.Formula || !affords(a, b) {
			continue
		}
		says, err := a.Answer(context.Background(), b, effort)
		if err != nil {
			return err
		}
		r.add(int64(place), int64(says.SoldiersVerdict(fewest)), says.ExtraWaves(fewest))
		lines = append(lines, a.Title+"\t"+words(says))
	}
	r.Text = strings.Join(lines, "\n")
	return nil
}
