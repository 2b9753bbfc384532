package castle

import (
	"math"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

// part is the part of the plane of all castles that a map shows: from s0 hits and d0 defenders on, in steps, a cell
// each. wide and high are the numbers of columns and rows that there is room for; where numbers end there are fewer.
type part struct{ s0, d0, sStep, dStep, wide, high int64 }

// sizes are the columns of maps; there are half as many rows.
var sizes = []int64{25, 50, 100, 200, 400}

const smallestPart, largestPart = 25, 400

func (p part) columns() int64 { return fit(p.s0, p.sStep, p.wide) }
func (p part) rows() int64    { return fit(p.d0, p.dStep, p.high) }

func fit(first, step, room int64) int64 { return min(room-1, (math.MaxInt64-first)/step) + 1 }

// plane is what lies on the part.
func (p part) plane(n int64) Plane {
	return Plane{
		Soldiers: n, HitStep: p.sStep, DefenderStep: p.dStep,
		CastleHits: grid.Range{First: p.s0, Last: p.s0 + (p.columns()-1)*p.sStep},
		Defenders:  grid.Range{First: p.d0, Last: p.d0 + (p.rows()-1)*p.dStep},
	}
}

// String writes a part as parsePart reads it.
func (p part) String() string {
	numbers := []int64{p.s0, p.d0, p.sStep, p.dStep, p.wide}
	if !slices.Contains(sizes, p.wide) || p.high != p.wide/2 {
		numbers = append(numbers, p.high)
	}
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	return strings.Join(texts, ",")
}

// parsePart reads a part. It reports whether the text is one.
func parsePart(text string) (part, bool) {
	count := strings.Count(text, ",") + 1
	n := numbers(text, count)
	switch {
	case n == nil || count != 5 && count != 6:
		return part{}, false
	case count == 5:
		n = append(n, n[4]/2)
	}
	p := part{n[0], n[1], n[2], n[3], n[4], n[5]}
	known := count == 6 || slices.Contains(sizes, p.wide)
	return p, known && p.wide <= largestPart && p.high >= 1 && p.high <= largestPart/2
}

// has says whether a castle is on the part.
func (p part) has(s, d int64) bool {
	return s >= p.s0 && d >= p.d0 && (s-p.s0)/p.sStep < p.columns() && (d-p.d0)/p.dStep < p.rows()
}

// around is a part as large with a castle in the middle.
func (p part) around(s, d int64) part {
	from := func(value, step, room int64) int64 { return value - step*min((value-1)/step, room/2) }
	p.s0, p.d0 = from(s, p.sStep, p.wide), from(d, p.dStep, p.high)
	return p
}

// closer shows half as much each way, farther twice as much. They report whether there is such a part.
func (p part) closer() (part, bool) {
	switch {
	case p.sStep > 1 || p.dStep > 1:
		p.sStep, p.dStep = max(1, p.sStep/2), max(1, p.dStep/2)
	case p.wide > smallestPart:
		p.wide, p.high = p.wide/2, max(1, p.high/2)
	default:
		return p, false
	}
	return p, true
}

func (p part) farther() (part, bool) {
	if p.wide < largestPart {
		p.wide, p.high = min(2*p.wide, largestPart), min(2*p.high, largestPart/2)
		return p, true
	}
	before := p
	p.sStep, p.dStep = twice(p.sStep), twice(p.dStep)
	return p, p != before
}

const largestStep = math.MaxInt64 >> 8

func twice(step int64) int64 {
	if step < largestStep {
		return 2 * step
	}
	return step
}

// whole is the smallest part from 1 on that shows how n soldiers fare: castles of four hits and two defenders for
// each of them, and the battle itself.
func whole(n, s, d int64) part {
	wide, high := max(4*uint64(n), uint64(s)), max(2*uint64(n), uint64(d))
	if n > math.MaxInt64/2 {
		wide = math.MaxUint64
	}
	p := part{s0: 1, d0: 1, sStep: 1, dStep: 1, wide: 50}
	for p.wide < largestPart && (uint64(p.wide) < wide || uint64(p.wide/2) < high) {
		p.wide *= 2
	}
	p.high = p.wide / 2
	for uint64(p.sStep)*uint64(p.wide) < wide && p.sStep < largestStep {
		p.sStep *= 2
	}
	for uint64(p.dStep)*uint64(p.high) < high && p.dStep < math.MaxInt64>>7 {
		p.dStep *= 2
	}
	return p
}

// View is the setting of a map that shows castles of these strengths, as far as one can, with a battle on it: see
// [Map].
func View(b game.Battle, hits, defenders grid.Range) string {
	columns, rows := hits.Last-hits.First+1, defenders.Last-defenders.First+1
	p := part{
		s0: hits.First, d0: defenders.First, sStep: 1, dStep: 1, wide: min(columns, largestPart),
		high: min(rows, largestPart/2),
	}
	if p == whole(b.Soldiers, b.CastleHits, b.DefendersPerWave) {
		return ""
	}
	return p.String()
}
