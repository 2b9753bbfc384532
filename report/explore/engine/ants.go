package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/ants"
)

// antsFunctions are about ants. A board is rows and columns, how its edges are (0 for a torus, 1 for edges), the square
// of the attack radius, and its cells row by row: 0 for an empty one, else the capital letter of an ant's army.
var antsFunctions = []Function{
	{"ants.rules", nil, antsRules},
	{"ants.battle", []string{"rows", "columns", "edges", "radius2", "cells..."}, antsBattle},
	{"ants.ant", []string{"rows", "columns", "edges", "radius2", "row", "column", "cells..."}, antsAnt},
	{"ants.random", []string{"rows", "columns", "armies", "seed"}, antsRandom},
}

// mostSide bounds a board: larger ones cannot be read on a page.
const mostSide = 16

// antsRules lists the rules: Text has a line for each, the contest's own first: its name, a colon, what it does.
func antsRules(_ []int64, r *Reply) error {
	var lines []string
	for _, rule := range ants.Rules() {
		lines = append(lines, rule.String()+": "+rule.Description())
	}
	r.Text = strings.Join(lines, "\n")
	return nil
}

// board is ants in their world.
type board struct {
	world ants.World
	army  []ants.Ant
	at    []int // by cell: the number of the ant there, -1 for none
}

func newWorld(rows, columns, edges, radius2 int64) (ants.World, error) {
	switch {
	case rows < 1 || rows > mostSide:
		return ants.World{}, fmt.Errorf("rows = %d: out of range, use 1 to %d", rows, mostSide)
	case columns < 1 || columns > mostSide:
		return ants.World{}, fmt.Errorf("columns = %d: out of range, use 1 to %d", columns, mostSide)
	case edges != 0 && edges != 1:
		return ants.World{}, fmt.Errorf("edges = %d: out of range, use 0 for a torus and 1 for a map with edges", edges)
	}
	world := ants.World{Rows: int(rows), Cols: int(columns), Bounded: edges == 1, Radius2: radius2}
	return world, world.Validate()
}

// newBoard reads a board from its four numbers and its cells.
func newBoard(numbers, cells []int64) (board, error) {
	world, err := newWorld(numbers[0], numbers[1], numbers[2], numbers[3])
	if err != nil {
		return board{}, err
	}
	if len(cells) != world.Rows*world.Cols {
		return board{}, fmt.Errorf("cells = %d: a board of %d x %d has %d, give each of them", len(cells), world.Rows, world.Cols, world.Rows*world.Cols)
	}
	b := board{world: world, at: make([]int, len(cells))}
	for cell, owner := range cells {
		b.at[cell] = -1
		switch {
		case owner == 0:
		case 'A' <= owner && owner <= 'Z':
			b.at[cell] = len(b.army)
			b.army = append(b.army, ants.Ant{Row: cell / world.Cols, Col: cell % world.Cols, Owner: rune(owner)})
		default:
			return board{}, fmt.Errorf("cell %d = %d: no army, use the capital letters %d to %d, or 0 for an empty cell", cell, owner, 'A', 'Z')
		}
	}
	return b, nil
}

// decide asks each rule for its outcome, in the order of the rules. An outcome that it yields holds until the next one.
func (b board) decide(yield func(rule int, outcome ants.Outcome)) error {
	for i, rule := range ants.Rules() {
		outcome, err := ants.Solve(b.world, b.army, rule)
		if err != nil {
			return err
		}
		yield(i, outcome)
	}
	return nil
}

// antsBattle decides a board by all rules. Ints has for each cell how many enemies its ant has in range, -1 for an
// empty one. Bytes has for each rule all cells in turn: 0 for an empty one, 1 for an ant that lives, 2 for one that
// dies. Text has a line for each rule, and a last one that compares them.
func antsBattle(args []int64, r *Reply) error {
	b, err := newBoard(args[:4], args[4:])
	if err != nil {
		return err
	}
	fates := map[string]bool{} // as many as there are outcomes
	err = b.decide(func(_ int, outcome ants.Outcome) {
		if r.Ints == nil {
			r.Ints = b.counts(outcome)
		}
		fate := b.fates(outcome)
		r.Bytes = append(r.Bytes, fate...)
		fates[string(fate)] = true
		r.Text += b.fallen(outcome) + "\n"
	})
	r.Text += compared(len(fates), len(b.army))
	return err
}

func (b board) counts(outcome ants.Outcome) []int64 {
	counts := make([]int64, len(b.at))
	for cell, ant := range b.at {
		counts[cell] = -1
		if ant >= 0 {
			counts[cell] = int64(outcome.Enemies[ant])
		}
	}
	return counts
}

func (b board) fates(outcome ants.Outcome) []byte {
	fates := make([]byte, len(b.at))
	for cell, ant := range b.at {
		switch {
		case ant < 0:
		case outcome.Dead[ant]:
			fates[cell] = 2
		default:
			fates[cell] = 1
		}
	}
	return fates
}

// fallen says how many of each army die: "1 of 2 A ants, all 3 B ants and the C ant die".
func (b board) fallen(outcome ants.Outcome) string {
	var all, dead ['Z' + 1]int
	deaths := 0
	for i, ant := range b.army {
		all[ant.Owner]++
		if outcome.Dead[i] {
			dead[ant.Owner]++
			deaths++
		}
	}
	switch {
	case len(b.army) == 0:
		return "there are no ants"
	case deaths == 0:
		return "nobody dies"
	case deaths == len(b.army):
		return "everybody dies"
	}
	var parts []string
	for owner, count := range all {
		switch {
		case dead[owner] == 0:
		case count == 1:
			parts = append(parts, fmt.Sprintf("the %c ant", owner))
		case dead[owner] == count:
			parts = append(parts, fmt.Sprintf("all %d %c ants", count, owner))
		default:
			parts = append(parts, fmt.Sprintf("%d of %d %c ants", dead[owner], count, owner))
		}
	}
	if deaths == 1 {
		return join(parts) + " dies"
	}
	return join(parts) + " die"
}

// compared says how many outcomes the rules have between them.
func compared(outcomes, army int) string {
	rules := len(ants.Rules())
	switch {
	case army == 0:
		return "Put ants on the board."
	case outcomes == 1:
		return "All rules kill the same ants."
	case outcomes == rules:
		return "No two rules kill the same ants."
	}
	return fmt.Sprintf("The %d rules have %d different outcomes.", rules, outcomes)
}

// join lists parts as a sentence does.
func join(parts []string) string {
	if last := len(parts) - 1; last > 0 {
		return strings.Join(parts[:last], ", ") + " and " + parts[last]
	}
	return strings.Join(parts, "")
}

// antsAnt tells of one cell and the ant in it. Bytes has for each cell 1 if it is in range of this one. Ints has rows
// of six: the number of a rule, the row and the column of an enemy, what that enemy is by this rule (0 for a killer of
// the ant, 1 for one whom the ant kills), and the way to it, as rows down and columns to the right (see
// ants.World.Offset). Text has a line on the enemies in range, and, if there are any, one for each rule.
func antsAnt(args []int64, r *Reply) error {
	b, err := newBoard(args[:4], args[6:])
	if err != nil {
		return err
	}
	row, column := args[4], args[5]
	if row < 0 || row >= int64(b.world.Rows) || column < 0 || column >= int64(b.world.Cols) {
		return fmt.Errorf("(%d, %d): off the board, use rows 0 to %d and columns 0 to %d", row, column, b.world.Rows-1, b.world.Cols-1)
	}
	cell := int(row)*b.world.Cols + int(column)
	r.Bytes = b.inRange(int(row), int(column))
	ant := b.at[cell]
	if ant < 0 {
		r.Text = fmt.Sprintf("The cell %s is empty.", place(int(row), int(column)))
		return nil
	}
	var lines []string
	err = b.decide(func(rule int, outcome ants.Outcome) {
		if lines == nil {
			lines = append(lines, b.meets(ant, r.Bytes, outcome))
		}
		if outcome.Enemies[ant] > 0 {
			lines = append(lines, b.tell(r, rule, ant, outcome))
		}
	})
	r.Text = strings.Join(lines, "\n")
	return err
}

// inRange marks the cells in range of one, itself apart.
func (b board) inRange(row, col int) []byte {
	marks := make([]byte, len(b.at))
	for cell := range marks {
		if r, c := cell/b.world.Cols, cell%b.world.Cols; (r != row || c != col) && b.world.Distance2(row, col, r, c) <= b.world.Radius2 {
			marks[cell] = 1
		}
	}
	return marks
}

// meets lists the enemies in range of an ant, with their own counts.
func (b board) meets(ant int, reached []byte, outcome ants.Outcome) string {
	var enemies []string
	for cell, other := range b.at {
		if reached[cell] == 1 && other >= 0 && b.army[other].Owner != b.army[ant].Owner {
			enemies = append(enemies, fmt.Sprintf("%s with a count of %d", b.name(other), outcome.Enemies[other]))
		}
	}
	switch len(enemies) {
	case 0:
		return b.name(ant) + " has no enemy in range and is safe."
	case 1:
		return fmt.Sprintf("%s has one enemy in range, %s.", b.name(ant), enemies[0])
	}
	return fmt.Sprintf("%s has %d enemies in range: %s.", b.name(ant), len(enemies), join(enemies))
}

// tell adds a rule's kills of and by an ant to the reply, and says them.
func (b board) tell(r *Reply, rule, ant int, outcome ants.Outcome) string {
	var killers, killed []string
	from := b.army[ant]
	for kill := range outcome.Kills() {
		role, other := int64(0), kill.Killer
		switch ant {
		case kill.Victim:
			killers = append(killers, b.name(other))
		case kill.Killer:
			role, other = 1, kill.Victim
			killed = append(killed, b.name(other))
		default:
			continue
		}
		to := b.army[other]
		down, right := b.world.Offset(from.Row, from.Col, to.Row, to.Col)
		r.add(int64(rule), int64(to.Row), int64(to.Col), role, int64(down), int64(right))
	}
	text := "it lives"
	if len(killers) > 0 {
		text = "it is killed by " + join(killers)
	}
	if len(killed) > 0 {
		text += ", and it kills " + join(killed)
	}
	return text + "."
}

// name is that of an ant, as the pages write it.
func (b board) name(ant int) string {
	a := b.army[ant]
	return string(a.Owner) + place(a.Row, a.Col)
}

func place(row, col int) string { return fmt.Sprintf("(%d,\u00a0%d)", row, col) }

// antsRandom fills a board at random: every third cell or so has an ant, of any of so many armies, A, B and so on. The
// same seed gives the same board. Bytes has a cell each: 0, or the letter of the army.
func antsRandom(args []int64, r *Reply) error {
	world, err := newWorld(args[0], args[1], 0, 1)
	if err != nil {
		return err
	}
	armies, seed := args[2], args[3]
	if armies < 1 || armies > 'Z'-'A'+1 {
		return fmt.Errorf("armies = %d: out of range, use 1 to %d", armies, 'Z'-'A'+1)
	}
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	r.Bytes = slices.Grow(r.Bytes, world.Rows*world.Cols)
	for range world.Rows * world.Cols {
		owner := byte(0)
		if random.IntN(3) == 0 {
			owner = 'A' + byte(random.Int64N(armies))
		}
		r.Bytes = append(r.Bytes, owner)
	}
	return nil
}
