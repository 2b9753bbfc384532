package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
)

// castleComparedFunctions set two algorithms side by side.
var castleComparedFunctions = []Function{
	{"castle.compared", slices.Concat(planeArgs, []string{"measure", "algorithm"}), castleCompared},
}

// castleCompared asks two algorithms about each battle of a plane, and measures the answers of one by those of the
// other, which [castle.Answer.SoldiersVerdict] takes for the truth. Bytes has a cell for each battle: the verdict, or
// NoAnswer if one of both is not asked about it. Ints are the golden border, as castleMap has it, then the most waves
// too many, and the castle hits and defenders of the first battle that takes so many; these are 0 if there is none.
func castleCompared(args []int64, r *Reply) error {
	p, err := newPlane(args)
	if err != nil {
		return err
	}
	measure, err := soldiersAlgorithm(args[7])
	if err != nil {
		return err
	}
	a, err := soldiersAlgorithm(args[8])
	if err != nil {
		return err
	}
	r.Bytes = make([]byte, p.columns*p.rows)
	r.add(int64(phi.FloorDiv(uint64(p.n))), 0, 0, 0)
	for cell, b := range p.battles() {
		truth, asked := ask(measure, b)
		says, askedToo := ask(a, b)
		if !asked || !askedToo {
			r.Bytes[cell] = byte(castle.NoAnswer)
			continue
		}
		verdict, extra := judge(says, truth)
		r.Bytes[cell] = byte(verdict)
		if extra > r.Ints[1] {
			r.Ints = append(r.Ints[:1], extra, b.CastleHits, b.DefendersPerWave)
		}
	}
	return nil
}

// soldiersAlgorithm is an algorithm that says in how few waves the soldiers win.
func soldiersAlgorithm(place int64) (castle.Algorithm, error) {
	a, err := algorithm(place)
	if err == nil && a.Question == castle.CastleFewest {
		err = fmt.Errorf("algorithm %d, %s: says when the castle can win, choose one that is about the soldiers", place, a.Title)
	}
	return a, err
}

// ask asks an algorithm about a battle, if that takes no more than it may.
func ask(a castle.Algorithm, b castle.Battle) (says castle.Answer, asked bool) {
	if !affords(a, b) {
		return castle.Answer{}, false
	}
	says, err := a.Answer(context.Background(), b, effort)
	return says, err == nil
}

// judge measures an answer by another one, and returns how many waves more it takes.
func judge(says, truth castle.Answer) (v castle.Verdict, extra int64) {
	switch {
	case !truth.Rounded():
		fewest := wins(truth)
		return says.SoldiersVerdict(fewest), says.ExtraWaves(fewest)
	case says.Rounded():
		v = [...]castle.Verdict{castle.TooFew, castle.Right, castle.TooMany}[1+cmp.Compare(says.InFloat, truth.InFloat)]
		extra = whole(says.InFloat - truth.InFloat)
	default: // the other way round
		switch v = truth.SoldiersVerdict(wins(says)); v {
		case castle.TooMany:
			v = castle.TooFew
		case castle.TooFew:
			v = castle.TooMany
			extra = whole(float64(says.Waves) - truth.InFloat)
		}
	}
	return v, max(0, extra)
}

// whole is a number without its fraction, at most the largest.
func whole(f float64) int64 {
	if f < math.MaxInt64 {
		return int64(f)
	}
	return math.MaxInt64
}

// wins are the waves in which an answer in whole numbers says that the soldiers win, 0 if it does not.
func wins(a castle.Answer) int64 {
	if a.Winner == castle.Soldiers {
		return a.Waves
	}
	return 0
}
