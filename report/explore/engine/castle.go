package engine

import (
	"fmt"
	"iter"
	"math"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/internal/plural"
)

// castleFunctions are about the castle. A battle is n soldiers, s castle hits, d defenders a wave; all three may be any
// positive int64 unless a function says otherwise.
var castleFunctions = []Function{
	{"castle.answer", []string{"n", "s", "d"}, castleAnswer},
	{"castle.map", planeArgs, castleMap},
	{"castle.line", []string{"n", "s", "d", "algorithm"}, castleLine},
	{"castle.judged", []string{"n", "s", "d"}, castleJudged},
}

func battle(n, s, d int64) (castle.Battle, error) {
	b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
	return b, b.Validate()
}

// castleAnswer says who wins, and how fast. Text has two lines: [castle.Battle.Reach], and [castle.Battle.HelpedWin],
// before which it says what a tie is if it is one. Ints are the fewest waves of the soldiers, and of the castle under
// the no-waste rule; 0 for a side that cannot win.
func castleAnswer(args []int64, r *Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	r.add(b.MinWaves(), b.CastleMinWaves())
	r.Text = b.Reach() + "\n"
	if b.Solve().Winner == castle.Tie {
		r.Text += "The soldiers cannot win, but they can hold out for ever. "
	}
	r.Text = forPeople(r.Text + b.HelpedWin())
	return nil
}

// forPeople writes the numbers of a text with commas, as the page does.
func forPeople(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = plural.Thousands(word)
	}
	return strings.Join(words, " ")
}

// waves are a number of waves as the page shows it, with commas.
func waves(count int64) string { return plural.Thousands(plural.Count(count, "wave")) }

// plane is the battles of a map: n soldiers against castles of s0, s0 + sStep, ... hits and d0, d0 + dStep, ...
// defenders a wave.
type plane struct{ n, s0, sStep, columns, d0, dStep, rows int64 }

// planeArgs are the arguments that make a plane, in the order of its fields.
var planeArgs = []string{"n", "s0", "sStep", "columns", "d0", "dStep", "rows"}

// mostCells bounds a map.
const mostCells = 1 << 17

// newPlane reads planeArgs.
func newPlane(args []int64) (plane, error) {
	p := plane{args[0], args[1], args[2], args[3], args[4], args[5], args[6]}
	if p.columns < 1 || p.rows < 1 || p.columns > mostCells || p.rows > mostCells/p.columns {
		return plane{}, fmt.Errorf("a map of %d x %d battles: from 1 to %d are drawn, choose others", p.columns, p.rows, mostCells)
	}
	if _, err := battle(p.n, p.s0, p.d0); err != nil {
		return plane{}, err
	}
	if err := axis("castle hits", p.s0, p.sStep, p.columns); err != nil {
		return plane{}, err
	}
	return p, axis("defenders", p.d0, p.dStep, p.rows)
}

// axis checks that numbers from first on, in steps, are numbers.
func axis(name string, first, step, count int64) error {
	if step < 1 {
		return fmt.Errorf("a map in steps of %d %s: a step is 1 or more, choose a larger one", step, name)
	}
	if count-1 > (math.MaxInt64-first)/step {
		return fmt.Errorf("a map of %d %s from %d on, in steps of %d: they grow beyond %d, choose fewer or smaller ones", count, name, first, step, int64(math.MaxInt64))
	}
	return nil
}

// battles yields the battles with their cells, row by row from the fewest defenders, the castle hits fastest.
func (p plane) battles() iter.Seq2[int64, castle.Battle] {
	return func(yield func(int64, castle.Battle) bool) {
		for cell := range p.columns * p.rows {
			if !yield(cell, castle.Battle{Soldiers: p.n, CastleHits: p.s0 + cell%p.columns*p.sStep, DefendersPerWave: p.d0 + cell/p.columns*p.dStep}) {
				return
			}
		}
	}
}

// minWaves fills row number y with the fewest waves of the soldiers, 0 where they cannot win.
func (p plane) minWaves(y int64, row []int64) {
	b := castle.Battle{Soldiers: p.n, CastleHits: p.s0, DefendersPerWave: p.d0 + y*p.dStep}
	if p.sStep == 1 {
		b.FillMinWaves(row)
		return
	}
	for x := range row {
		row[x] = b.MinWaves()
		b.CastleHits += p.sStep
	}
}

// Cells of a map that are not the number of waves.
const (
	cellCastle = 0   // the soldiers cannot win
	cellMost   = 254 // so many waves or more
	cellTie    = 255 // they cannot win, and can hold for ever
)

// castleMap fills a plane. Bytes has a cell for each battle, row by row: the fewest waves of the soldiers, or one of
// the cells above. Ints is the golden border of n soldiers: where no fewer than n defenders come, the soldiers can win
// if hits and defenders are no more than that together, less 2n.
func castleMap(args []int64, r *Reply) error {
	p, err := newPlane(args)
	if err != nil {
		return err
	}
	r.Bytes = make([]byte, 0, p.columns*p.rows)
	row := make([]int64, p.columns)
	for y := range p.rows {
		p.minWaves(y, row)
		lost := p.lostCell(y)
		for _, count := range row {
			cell := lost
			if count > 0 {
				cell = byte(min(count, cellMost))
			}
			r.Bytes = append(r.Bytes, cell)
		}
	}
	r.add(int64(phi.FloorDiv(uint64(p.n))))
	return nil
}

// lostCell is the cell of battles of row number y that the soldiers cannot win. It is the same for all castles: the
// strongest one stands for them.
func (p plane) lostCell(y int64) byte {
	if (castle.Battle{Soldiers: p.n, CastleHits: math.MaxInt64, DefendersPerWave: p.d0 + y*p.dStep}).Solve().Winner == castle.Tie {
		return cellTie
	}
	return cellCastle
}
