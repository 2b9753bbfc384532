package ants

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

const tables = "testdata/tables.txt"

// lastOne accepts positions in which one ant of A or B survives. Their value is the size of the other army.
func lastOne(p *Position) (int, bool) {
	left, gone := 0, 0
	for army, ants := range p.Ants[:2] {
		left += p.Left[army]
		if p.Left[army] == 0 {
			gone += ants
		}
	}
	return gone, left == 1
}

// TestLastOne searches for the largest army that one ant outlives, all its friends being dead too, in every box of up
// to 4 x 4 cells with two armies (4 x 4 not in short mode). The expected numbers come from this search.
// TestSearchAgainstList searches smaller boxes in another way, too, and compares the results.
func TestLastOne(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Rows, Cols int }) []any {
		got := must.Get(Search(t.Context(), Box{row.Rows, row.Cols, 2, ContestRadius2}, lastOne))
		return []any{got.Positions, got.Value, got.Best, got.First}
	})
}

// TestMaps checks that the maps of a box are the positions of Search, in its order, and that the iteration can be
// stopped.
func TestMaps(t *testing.T) {
	for _, box := range []Box{{1, 1, 2, 5}, {2, 2, 2, 5}, {2, 3, 1, 1}, {3, 2, 3, 5}, {3, 3, 2, 5}} {
		var want []string
		_, err := Search(t.Context(), box, func(p *Position) (int, bool) {
			want = append(want, p.drawn().String())
			return 0, false
		})
		var got []string
		for m := range box.Maps() {
			got = append(got, m.String())
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%v: %d maps, Search looks at %d, %v", box, len(got), len(want), err)
		}
	}
	seen := 0
	for range (Box{5, 5, 3, 5}).Maps() {
		if seen++; seen == 1000 {
			break
		}
	}
}

// naiveSearch lists all fillings of a box as numbers in base owners + 1, with the first cell as the highest digit. It
// omits fillings in which a letter precedes an earlier one, and compares all pairs of ants in the other fillings.
func naiveSearch(box Box, value func(*Position) (int, bool)) (found Found, first string) {
	cells := box.Rows * box.Cols
	fillings := 1
	for range cells {
		fillings *= box.Owners + 1
	}
	for number := range fillings {
		letters := make([]byte, cells)
		for i, rest := cells-1, number; i >= 0; i, rest = i-1, rest/(box.Owners+1) {
			letters[i] = ".ABCDEFG"[rest%(box.Owners+1)]
		}
		n := naiveBattle{rows: box.Rows, cols: box.Cols, bounded: true, radius2: int(box.Radius2)}
		next, inOrder := byte('A'), true
		for i, letter := range letters {
			if letter == '.' {
				continue
			}
			inOrder = inOrder && letter <= next
			if letter == next {
				next++
			}
			n.ants = append(n.ants, Ant{i / box.Cols, i % box.Cols, rune(letter)})
		}
		if !inOrder {
			continue
		}
		found.Positions++
		p := Position{}
		for i, killers := range n.solve(Focus).killers {
			p.Ants[n.ants[i].Owner-'A']++
			if killers == nil {
				p.Left[n.ants[i].Owner-'A']++
			}
		}
		switch v, ok := value(&p); {
		case !ok || found.Best > 0 && v < found.Value:
		case found.Best > 0 && v == found.Value:
			found.Best++
		default:
			found.Value, found.Best = v, 1
			var rows []string
			for i := 0; i < cells; i += box.Cols {
				rows = append(rows, string(letters[i:i+box.Cols]))
			}
			first = strings.Join(rows, "\n")
		}
	}
	return found, first
}

func TestSearchAgainstList(t *testing.T) {
	// Each value depends on every count and distinguishes the armies.
	mostDead := func(p *Position) (int, bool) { return p.Ants[0] - p.Left[0] + 2*(p.Ants[1]-p.Left[1]), true }
	lossless := func(p *Position) (int, bool) {
		return 10*(p.Ants[1]-p.Left[1]) - p.Ants[0] + p.Ants[2], p.Left[0] == p.Ants[0] && p.Ants[0] > 0 &&
			p.Left[1] == 0
	}
	for _, row := range must.Table[struct{ Box Box }](t, tables, "TestSearchAgainstList") {
		box := row.Box
		for i, value := range []func(*Position) (int, bool){lastOne, mostDead, lossless} {
			got := must.Get(Search(t.Context(), box, value))
			if box.Owners > 6 {
				box.Owners = 6 // a box has at most six cells
			}
			want, first := naiveSearch(box, value)
			if got.Positions != want.Positions || got.Value != want.Value || got.Best != want.Best ||
				got.First.String() != first {
				t.Errorf("%+v, question %d: %+v, first\n%v\nthe list says %+v, first\n%s", box, i, got, got.First, want,
					first)
			}
		}
	}
}

func TestWrongBoxes(t *testing.T) {
	must.Refusals(t, tables, func(row struct{ Box Box }) error {
		_, err := Search(t.Context(), row.Box, lastOne)
		return err
	})
	if n, err := (Box{5, 6, 1, 5}).Positions(); err != nil || n != maxPositions {
		t.Errorf("the largest box has %d positions, %v", n, err)
	}
}

func TestSearchInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	looked := 0
	_, err := Search(ctx, Box{4, 4, 2, 5}, func(*Position) (int, bool) {
		if looked++; looked == 5000 {
			cancel(must.ErrEnough)
		}
		return 0, true
	})
	if !must.Stopped(err) || looked > 10_000 {
		t.Errorf("error %v after %d positions", err, looked)
	}
}

// TestOutlive compares Outlive with a search through all positions that checks every ant.
func TestOutlive(t *testing.T) {
	for _, row := range must.Table[struct{ Box Box }](t, tables, "TestOutlive") {
		box := row.Box
		want := must.Get(Search(t.Context(), box, lastOne))
		got, err := Outlive(t.Context(), box.Rows, box.Cols, box.Radius2)
		if err != nil || got.Army != want.Value ||
			want.Value > 0 && (got.Positions != want.Best || got.First.String() != want.First.String()) {
			t.Errorf("%+v: %+v, first\n%v\nthe search says %+v, first\n%v; %v", box, got, got.First, want, want.First,
				err)
		}
	}
}

// TestOutlivedInLargerBoxes records results for boxes that are too large for Search. A reader can check the first
// position by hand, but only another program can show that there is no larger army.
func TestOutlivedInLargerBoxes(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Rows, Cols int }) []any {
		got := must.Get(Outlive(t.Context(), row.Rows, row.Cols, ContestRadius2))
		if most := MostOutlived(int64(row.Rows*row.Cols), 20); most < int64(got.Army) {
			t.Errorf("%+v: the bound is %d", row, most)
		}
		return []any{got.Army, got.Positions, got.First}
	})
}

// TestMostOutlived plays random positions of two and three armies. It checks that an army that is wiped out has at
// most as many ants as MostOutlived allows, and at least 2/5 as many others on the map.
func TestMostOutlived(t *testing.T) {
	must.Answers(t, tables, func(row struct{ Cells, Reach int64 }) []any {
		return []any{MostOutlived(row.Cells, row.Reach)}
	})
	random := rand.New(rand.NewPCG(1, 2))
	gone := 0
	for range 60_000 {
		rows, cols := 2+random.IntN(4), 2+random.IntN(4)
		armies, fill := 2+random.IntN(2), 1+random.IntN(4)
		n := naiveBattle{rows: rows, cols: cols, bounded: true, radius2: ContestRadius2}
		var ants, left [3]int64
		for cell := range rows * cols {
			if random.IntN(5) <= fill {
				owner := random.IntN(armies)
				if random.IntN(3) == 0 {
					owner = 0
				}
				n.ants = append(n.ants, Ant{cell / cols, cell % cols, 'A' + rune(owner)})
				ants[owner]++
			}
		}
		for i, killers := range n.solve(Focus).killers {
			if killers == nil {
				left[n.ants[i].Owner-'A']++
			}
		}
		for army := range armies {
			if ants[army] == 0 || left[army] > 0 {
				continue
			}
			gone++
			others := int64(len(n.ants)) - ants[army]
			if 5*others < 2*ants[army] || MostOutlived(int64(len(n.ants)), 20) < ants[army] {
				t.Fatalf("army %c of %d ants is gone, with %d others: %+v", 'A'+rune(army), ants[army], others, n.ants)
			}
		}
	}
	if gone < 3000 {
		t.Errorf("only %d armies are gone", gone)
	}
}

func TestOutliveRefuses(t *testing.T) {
	type row struct {
		Rows, Cols int
		Radius2    int64
	}
	must.Refusals(t, tables, func(row row) error {
		_, err := Outlive(t.Context(), row.Rows, row.Cols, row.Radius2)
		return err
	})
	if _, err := Outlive(must.CanceledContext(t), 5, 6, 5); !must.Stopped(err) {
		t.Errorf("error %v", err)
	}
}
