package browsertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/must"
)

func init() {
	plays["ants-board"] = playAnts
}

// antBoard is a board that is played on: a letter for an ant, '.' for an empty cell.
type antBoard struct {
	rows, columns int
	cells         []rune
	torus         bool
}

func newAntBoard(text string) antBoard {
	lines := strings.Split(text, "\n")
	return antBoard{len(lines), len(lines[0]), []rune(strings.Join(lines, "")), false}
}

// address is the board as it stands in an address.
func (b antBoard) address() string {
	var lines []string
	for row := range b.rows {
		line, empty := "", 0
		for _, sign := range b.cells[row*b.columns : (row+1)*b.columns] {
			if sign == '.' {
				empty++
				continue
			}
			if empty > 0 {
				line += fmt.Sprint(empty)
			}
			line, empty = line+string(sign), 0
		}
		lines = append(lines, line)
	}
	return strings.TrimRight(strings.Join(lines, "-"), "-")
}

// place is where in the picture of the board a cell is.
func (b antBoard) place(cell int) point {
	return point{
		(float64(cell%b.columns) + 0.5) / float64(b.columns),
		(float64(cell/b.columns) + 0.5) / float64(b.rows),
	}
}

func (b antBoard) army() []ants.Ant {
	var army []ants.Ant
	for cell, sign := range b.cells {
		if sign != '.' {
			army = append(army, ants.Ant{Row: cell / b.columns, Col: cell % b.columns, Owner: sign})
		}
	}
	return army
}

func (b antBoard) outcome(p *player, rule ants.Rule) ants.Outcome {
	p.Helper()
	world := ants.World{Rows: b.rows, Cols: b.columns, Bounded: !b.torus, Radius2: ants.ContestRadius2}
	return must.Get(ants.Solve(world, b.army(), rule))
}

// words are what the cells say of themselves to those who listen.
func (b antBoard) words(p *player, rule ants.Rule) []string {
	p.Helper()
	outcome, ant := b.outcome(p, rule), 0
	var words []string
	for cell, sign := range b.cells {
		place := fmt.Sprintf("(%d, %d)", cell/b.columns, cell%b.columns)
		if sign == '.' {
			words = append(words, "empty "+place)
			continue
		}
		enemies, fate := "enemies", "lives"
		if outcome.Enemies[ant] == 1 {
			enemies = "enemy"
		}
		if outcome.Dead[ant] {
			fate = "dies"
		}
		words = append(words, fmt.Sprintf("%c%s, %d %s in range, %s", sign, place, outcome.Enemies[ant], enemies, fate))
		ant++
	}
	return words
}

// cellWords are those that the page has.
func cellWords(p *player) string {
	p.Helper()
	p.settle()
	words := inHost[[]string](p,
		`return [...host.querySelectorAll("[role=gridcell]")].map((e) => e.getAttribute("aria-label"));`)
	for i := range words {
		words[i] = strings.TrimSuffix(words[i], ", in range of the chosen cell")
	}
	return strings.Join(words, "; ")
}

// decided compares what is shown with the library, by every rule: all cells, and of one ant who kills it.
func (b antBoard) decided(p *player, ant int) {
	p.Helper()
	if len(b.army()) == 0 {
		p.wantsAnswer("Put ants on the board.")
		return
	}
	for _, rule := range ants.Rules() {
		p.settle() // what is told above the rules may grow, and they move
		p.push(mouse, rule.String())
		p.wants(fmt.Sprintf("the board %s by %v", b.address(), rule), strings.Join(b.words(p, rule), "; "),
			func() string { return cellWords(p) })
	}
	army := b.army()
	if ant >= len(army) {
		return
	}
	p.drag(mouse, ".x-board", b.place(army[ant].Row*b.columns+army[ant].Col))
	p.settle()
	for i, rule := range ants.Rules() {
		outcome := b.outcome(p, rule)
		if outcome.Enemies[ant] == 0 {
			p.wantsText("is safe")
			return
		}
		var killers []string
		for kill := range outcome.Kills() {
			if killer := army[kill.Killer]; kill.Victim == ant {
				killers = append(killers, fmt.Sprintf("%c(%d,\u00a0%d)", killer.Owner, killer.Row, killer.Col))
			}
		}
		want := "it lives"
		if last := len(killers) - 1; last == 0 {
			want = "it is killed by " + killers[0]
		} else if last > 0 {
			want = "it is killed by " + strings.Join(killers[:last], ", ") + " and " + killers[last]
		}
		p.wants(fmt.Sprintf("the fate of ant %d of %s by %v", ant, b.address(), rule), want, func() string {
			line := inHost[string](p, `const table = host.querySelector("[aria-label='The chosen ant by each rule'] tbody");
			return table ? table.rows[given[0]].cells[1].textContent : "";`, i)
			fate, _, _ := strings.Cut(line, ", and it kills")
			return strings.TrimSuffix(fate, ".")
		})
	}
}

func playAnts(p *player) {
	if strings.Contains(p.start, "guess=yes") {
		guessAnts(p)
	}
	const plane = ".x-board"
	p.begin("guess=no&rows=5&cols=6&board=")
	b := newAntBoard("......\n......\n......\n......\n......")
	p.wantsAnswer("Put ants on the board.")
	for round, hand := range []pointer{mouse, touch} {
		for _, sign := range "ABCDA" {
			p.push(hand, "ant of "+string(sign))
			cell := p.random.IntN(len(b.cells))
			p.tap(hand, plane, b.place(cell).x, b.place(cell).y)
			if b.cells[cell] == '.' { // who clicks an ant chooses it
				b.cells[cell] = sign
			}
		}
		row, sign := p.random.IntN(b.rows), []rune("AB")[round] // a stroke of ants
		p.push(hand, "ant of "+string(sign))
		if start := row * b.columns; b.cells[start] == '.' {
			var way []point
			for column := range b.columns {
				way = append(way, b.place(start+column))
				if b.cells[start+column] == '.' {
					b.cells[start+column] = sign
				}
			}
			p.drag(hand, plane, way...)
		}
		p.push(hand, "Choose or move") // and an ant that is carried elsewhere
		from, to := slices.IndexFunc(b.cells, func(c rune) bool { return c != '.' }), slices.Index(b.cells, '.')
		p.drag(hand, plane, b.place(from), b.place(to))
		b.cells[from], b.cells[to] = '.', b.cells[from]
		b.decided(p, p.random.IntN(len(b.army())))
	}
	p.focus(`.x-board [tabindex="0"]`) // the cell that was chosen last
	p.press(0, input.PageUp, input.Home, input.ArrowDown, input.ArrowRight, input.Digit3, input.ArrowRight, input.KeyD,
		input.ArrowRight, input.Delete)
	b.cells[b.columns+1], b.cells[b.columns+2], b.cells[b.columns+3] = 'C', 'D', '.'
	b.decided(p, 0)
	p.push("", "Undo")
	p.push("", "Undo")
	p.settle()
	p.push(mouse, "Clear")
	p.wantsAnswer("Put ants on the board.")

	for range p.rounds(5) { // whole boards in an address, on a torus too
		b := antBoard{rows: 1 + p.random.IntN(6), columns: 1 + p.random.IntN(6), torus: p.random.IntN(2) == 0}
		for range b.rows * b.columns {
			b.cells = append(b.cells, []rune("...ABCDSK")[p.random.IntN(9)])
		}
		edges := map[bool]string{true: "torus", false: "edges"}[b.torus]
		p.begin(fmt.Sprintf("guess=no&rows=%d&cols=%d&board=%s&edges=%s", b.rows, b.columns, b.address(), edges))
		b.decided(p, p.random.IntN(b.rows*b.columns))
	}
}

// guessAnts plays the guessing game with the figure's own board, and wins. Before there is a guess nothing is judged,
// and by another rule or in another world nothing is judged again.
func guessAnts(p *player) {
	p.Helper()
	for i, change := range []func(){
		func() { p.push(mouse, ants.Rules()[3].String()) },
		func() { p.slide("radius", input.ArrowRight) },
		func() { p.slide("rows", input.ArrowRight) },
		func() { p.choose("edges", "torus") },
	} {
		if !inTurn(p.window, i) {
			continue
		}
		p.begin("")
		p.push(mouse, "I guess that nobody dies")
		p.wantsText("Your score: ")
		change()
		p.wants("the answer's beginning", "By ", func() string { return p.answer("answer")[:3] })
		if words := cellWords(p); strings.Contains(words, "guessed") {
			p.Errorf("a guess is judged again: %s", words)
		}
	}
	p.begin("")
	if strings.Contains(p.state().Text, "Show who dies") {
		p.Error("there is a score to be had without a guess")
	}
	b := antBoard{rows: int(p.whole("rows")), columns: int(p.whole("cols"))}
	for _, label := range strings.Split(cellWords(p), "; ") {
		sign := '.'
		if !strings.HasPrefix(label, "empty") {
			sign = rune(label[0])
		}
		b.cells = append(b.cells, sign)
	}
	army, outcome := b.army(), b.outcome(p, ants.Focus)
	dead := 0
	for i, ant := range army {
		if outcome.Dead[i] {
			dead++
			at := b.place(ant.Row*b.columns + ant.Col)
			p.tap([]pointer{mouse, touch}[dead%2], ".x-board", at.x, at.y)
		}
	}
	p.wantsText(fmt.Sprintf("%d ants of %d marked.", dead, len(army)))
	if strings.Contains(cellWords(p), "dies") || strings.Contains(p.state().Text, "killed by") {
		p.Error("the answer is there before the guess")
	}
	p.push(mouse, "Show who dies") // there only now that ants are marked
	p.wantsText(fmt.Sprintf("You had %d of %d ants right.", len(army), len(army)))
	p.wantsText(fmt.Sprintf("Your score: %d of %d ants right on 1 board.", len(army), len(army)))
	p.push(mouse, "Board at random")
	p.wantsText("Who dies by focus?")
	p.push("", "Stop guessing")
	p.wants("the answer's beginning", "By focus ", func() string { return p.answer("answer")[:9] })
	p.push("", "Start again")
	p.wantsText(fmt.Sprintf("0 ants of %d marked.", len(army)))
}
