package ants

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Pictures returns the pictures of the game that readers can change.
func Pictures() []pictures.Picture { return []pictures.Picture{Playing(), March()} }

// Playing returns a board that a reader fills with ants. It shows which ants die under each of the rules, and who kills
// whom. Readers may guess first.
func Playing() pictures.Picture {
	return pictures.Picture{
		Name: "ants-board", Fields: playFields(), See: seePlay, Do: doPlay,
	}
}

const (
	mostRows    = 12 // the maximum number of rows of a board; higher boards do not fit on a screen
	random      = "random"
	toolMark    = "mark"
	toolMove    = "move"
	toolRemove  = "remove"
	guessing    = "yes"
	guessShown  = "seen"
	mostUndo    = 20
	fewestCells = 6 // the minimum side of a board; smaller random boards are dull
)

// mostCols is the maximum number of columns of a board with numbered edges, or of a torus whose drawing repeats a
// column on each side.
var mostCols = min(figure.Board{Roomy: true, Numbered: true}.MostCols(), figure.Board{Roomy: true}.MostCols()-2)

func playFields() []pictures.Field {
	number := func(name, label string, start, least, most, limit int64, one, many string) pictures.Field {
		return pictures.Field{
			Name: name, Label: label, Start: fmt.Sprint(start), Least: least, Most: most, Limit: limit, One: one,
			Many: many, Apart: true,
		}
	}
	rows := number("rows", "rows", 6, 1, mostRows, mostRows, "row", "rows")
	cols := number("cols", "columns", 6, 1, int64(mostCols), int64(mostCols), "column", "columns")
	radius := number("radius", "squared attack radius", game.ContestRadius2, 1, 25, 0, "squared attack radius", "")
	armies := number("armies", "random armies", 2, 2, 4, 4, "army", "armies")
	seed := number("seed", "random board no.", 1, 1, 1000, 0, "board", "")
	anew := pictures.Values{"board": random, "marks": "", "at": ""}
	armies.Sets, seed.Sets = anew, anew
	return []pictures.Field{
		rows, cols, pictures.Memory("board", ""),
		{Name: "edges", Label: "edges", Start: "edges", Apart: true, Options: []pictures.Option{
			{Value: "edges", Label: "the board ends at the edges"}, {
				Value: "torus",
				Label: "a torus: left meets right, top meets bottom",
			},
		}},
		radius,
		{Name: "rule", Label: "rule", Start: game.Focus.String(), Options: pictures.Options(game.Rules()), Apart: true},
		pictures.Memory("at", ""), pictures.Memory("guess", "no"), pictures.Memory("marks", ""),
		pictures.Memory("counts", "no"), pictures.Memory("score", ""), armies, seed, pictures.Given("presets"),
		pictures.Given("tool"), pictures.Kept("past"), pictures.Given("stroke"), pictures.Given("world"),
	}
}

// play is the board that the values describe.
type play struct {
	pictures.Values
	rows, cols int
	cells      []rune // 0 for an empty cell
	rule       int
	at         int // the selected cell, or -1
	marks      map[int]bool
	outside    int // the number of ants outside the board
	world      game.World
	army       []game.Ant
	ants       []int // the number of the ant in each cell, or -1
	outcomes   []game.Outcome
}

// newPlay reads a board. It returns an error for values that break the rules.
func newPlay(v pictures.Values) (*play, error) {
	p := &play{Values: v, rows: int(v.Int("rows")), cols: int(v.Int("cols")), at: -1, marks: map[int]bool{}}
	p.rule = slices.IndexFunc(game.Rules(), func(r game.Rule) bool { return r.String() == v["rule"] })
	if !slices.Contains([]string{"no", guessing, guessShown}, v["guess"]) {
		return nil, pictures.Refuse("guess", "guess = %.40s: must be no, yes or seen", v["guess"])
	}
	for _, text := range []string{v["at"], v["marks"]} {
		for place := range strings.SplitSeq(text, ",") {
			row, col, ok := readPlace(place)
			if !ok && text != "" {
				return nil, pictures.Refuse("", "%.40s: write a cell as its row and its column, such as 1.3", place)
			}
			if !ok || row >= p.rows || col >= p.cols {
				continue
			}
			if text == v["at"] {
				p.at = row*p.cols + col
			}
			if text == v["marks"] {
				p.marks[row*p.cols+col] = true
			}
		}
	}
	if err := p.readCells(); err != nil {
		return nil, err
	}
	p.world = game.World{Rows: p.rows, Cols: p.cols, Bounded: v["edges"] == "edges", Radius2: v.Int("radius")}
	p.ants = make([]int, len(p.cells))
	for cell, owner := range p.cells {
		if p.ants[cell] = -1; owner != 0 {
			p.ants[cell] = len(p.army)
			p.army = append(p.army, game.Ant{Row: cell / p.cols, Col: cell % p.cols, Owner: owner})
		}
	}
	for _, rule := range game.Rules() {
		outcome, err := game.Solve(p.world, p.army, rule)
		if err != nil {
			return nil, err
		}
		outcome.Dead, outcome.Enemies = slices.Clone(outcome.Dead), slices.Clone(outcome.Enemies)
		p.outcomes = append(p.outcomes, outcome)
	}
	return p, nil
}

// readPlace reads a row and a column.
func readPlace(text string) (row, col int, ok bool) {
	first, second, _ := strings.Cut(text, ".")
	row, wrongRow := strconv.Atoi(first)
	col, wrongCol := strconv.Atoi(second)
	return row, col, wrongRow == nil && wrongCol == nil && min(row, col) >= 0 && max(row, col) < 100
}

func (p *play) address(cell int) string { return fmt.Sprintf("%d.%d", cell/p.cols, cell%p.cols) }

// letters returns the letters of the armies that have a fixed look, in order.
func letters() []rune { return slices.Sorted(maps.Keys(swatches)) }

// readCells reads the board, or fills it at random: about a third of the cells get an ant of a random army.
func (p *play) readCells() (err error) {
	if p.Values["board"] != random {
		p.cells, p.outside, err = readRuns(p.Values["board"], p.rows, p.cols)
		return err
	}
	p.cells = make([]rune, p.rows*p.cols)
	chance := rand.New(rand.NewPCG(uint64(p.Int("seed")), 0))
	for cell := range p.cells {
		if chance.IntN(3) == 0 {
			p.cells[cell] = 'A' + rune(chance.Int64N(p.Int("armies")))
		}
	}
	return nil
}

// readRuns reads a board in the form that addresses use: rows with - between them, in which a letter stands for an ant,
// and a number for a run of empty cells. Rows may omit empty cells at their end: "3B-1A1A-3C". It also counts the ants
// outside the board.
func readRuns(text string, rows, cols int) (cells []rune, outside int, err error) {
	cells = make([]rune, rows*cols)
	known := letters()
	for row, line := range strings.Split(text, "-") {
		col, empty := 0, 0
		for _, sign := range line {
			switch {
			case '0' <= sign && sign <= '9':
				empty = min(10*empty+int(sign-'0'), 1000)
			case slices.Contains(known, sign):
				col, empty = col+empty, 0
				if row < rows && col < cols {
					cells[row*cols+col] = sign
				} else {
					outside++
				}
				col++
			default:
				return nil, 0, pictures.Refuse("board", "board = %.40s: write letters %s for ants, numbers for "+
					"empty cells and - between rows", text, strings.Join(strings.Split(string(known), ""), ", "))
			}
		}
	}
	return cells, outside, nil
}

// Runs returns a board in the form that readRuns reads, with complete rows.
func Runs(cells []rune, cols int) string {
	var lines []string
	for row := range slices.Chunk(cells, cols) {
		line, empty := "", 0
		for _, sign := range row {
			if sign == 0 {
				empty++
				continue
			}
			if empty > 0 {
				line += strconv.Itoa(empty)
			}
			line, empty = line+string(sign), 0
		}
		if empty > 0 {
			line += strconv.Itoa(empty)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "-")
}

// writeRuns returns a board in the same form, without the empty ends of rows.
func writeRuns(cells []rune, cols int) string {
	lines := strings.Split(Runs(cells, cols), "-")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, "0123456789")
	}
	return strings.TrimRight(strings.Join(lines, "-"), "-")
}

// guessSubject identifies the subject of a guess: the world and the battle. After the answer, a reader may change the
// world to see the effect. The guess is then over, and its score does not change. Another battle starts a new guess.
func (p *play) guessSubject() (world, battle string) {
	v := p.Values
	world = strings.Join([]string{v["rows"], v["cols"], v["edges"], v["radius"], v["rule"]}, ".")
	if v["board"] == random {
		battle = "." + v["armies"] + "." + v["seed"]
	}
	return world, battle
}

// settleGuess ends a guess about another subject, and reports whether there was one.
func (p *play) settleGuess() bool {
	world, battle := p.guessSubject()
	now := world + "_" + battle
	if p.Values["guess"] != guessShown || p.Values["world"] == "" {
		p.Values["world"] = map[bool]string{true: now}[p.Values["guess"] == guessShown]
		return false
	}
	before, battleBefore, _ := strings.Cut(p.Values["world"], "_")
	switch {
	case before != world:
		p.Values["guess"] = "no"
	case battleBefore != battle && battle != "":
		p.Values["guess"] = guessing
	default:
		return false
	}
	p.Values["marks"], p.Values["world"] = "", ""
	return true
}

func (p *play) hidden() bool { return p.Values["guess"] == guessing }

// tool returns the action of a press: the reader's tool, or the default tool.
func (p *play) tool() string {
	switch t := p.Values["tool"]; {
	case t != "" && (t != toolMark || p.hidden()):
		return t
	case p.hidden():
		return toolMark
	case t == toolMark:
		return toolMove
	}
	return string(letters()[0])
}

// marked reports whether the reader expects the ant in a cell to die.
func (p *play) marked(cell int) bool { return p.marks[cell] && p.cells[cell] != 0 }

// cellsWhere returns the cells for which holds returns true.
func (p *play) cellsWhere(holds func(cell int) bool) (cells []int) {
	for cell := range p.cells {
		if holds(cell) {
			cells = append(cells, cell)
		}
	}
	return cells
}

func (p *play) dies(rule, cell int) bool { return p.outcomes[rule].Dead[p.ants[cell]] }

// right returns the number of ants for which the reader's guess is right.
func (p *play) right() int {
	return len(p.cellsWhere(func(cell int) bool { return p.cells[cell] != 0 && p.dies(p.rule, cell) == p.marks[cell] }))
}

// doPlay performs an action of the reader.
func doPlay(v pictures.Values, what string) (pictures.Values, error) {
	p, err := newPlay(v)
	if err != nil {
		return nil, err
	}
	verb, rest, _ := strings.Cut(what, " ")
	var cells []int
	words := strings.Fields(rest)
	for _, word := range words {
		if n, err := strconv.Atoi(word); err == nil {
			cells = append(cells, n)
		}
	}
	last := len(cells) - 1
	if slices.Contains([]string{"press", "slide", "key", "at"}, verb) {
		cells = cells[max(0, last-1):]
		last = len(cells) - 1
		if last < 0 || slices.Min(cells) < 0 || slices.Max(cells) >= len(p.cells) {
			return nil, pictures.Refuse("", "%.40q: there is no such cell", rest)
		}
	}
	switch verb {
	case "at":
		v["at"] = p.address(cells[last])
	case "press":
		p.press(cells[last])
	case "slide":
		if last == 0 {
			return nil, pictures.Refuse("", "%.40q: a slide needs two cells", rest)
		}
		p.slide(cells[0], cells[1])
	case "key":
		p.key(words[0], cells[last])
	case "undo":
		p.undo()
	case "clear":
		p.remember()
		p.beginBattle(pictures.Values{"board": ""})
	case random:
		p.remember()
		p.another()
	case "battle":
		if err := p.battle(rest); err != nil {
			return nil, err
		}
	case "guess":
		v["guess"] = map[bool]string{true: guessing, false: "no"}[v["guess"] == "no"]
		v["marks"], v["tool"] = "", map[bool]string{true: toolMark, false: toolMove}[v["guess"] == guessing]
	case "reveal":
		p.reveal()
	default:
		return nil, pictures.Refuse("", "%.40q: there is no such action", what)
	}
	return v, nil
}

// press uses the tool on a cell.
func (p *play) press(cell int) {
	p.Values["stroke"] = ""
	tool, sign := p.tool(), p.cells[cell]
	switch {
	case tool == toolMark:
		if sign != 0 {
			p.marks[cell] = !p.marks[cell]
			p.writeMarks()
		}
	case tool == toolRemove:
		p.Values["stroke"] = toolRemove
		if sign != 0 {
			p.remember()
			p.put(cell, 0)
		}
	case sign != 0:
		p.Values["stroke"] = "carry"
	case tool != toolMove:
		p.Values["stroke"] = "pen"
		p.remember()
		p.put(cell, []rune(tool)[0])
	}
	p.Values["at"] = p.address(cell)
}

// slide continues a press. An ant under the pointer moves with it.
func (p *play) slide(from, to int) {
	switch stroke := p.Values["stroke"]; {
	case stroke == toolRemove && p.cells[to] != 0:
		p.put(to, 0)
	case (stroke == "carry" || stroke == "carried") && p.cells[from] != 0 && p.cells[to] == 0:
		if stroke == "carry" {
			p.remember()
		}
		p.Values["stroke"] = "carried"
		sign := p.cells[from]
		p.put(from, 0)
		p.put(to, sign)
	case stroke == "pen" && p.cells[to] == 0:
		p.put(to, []rune(p.tool())[0])
	default:
		return
	}
	p.Values["at"] = p.address(to)
}

// key places an ant of the army with the given letter or number, or removes an ant.
func (p *play) key(key string, cell int) {
	sign := rune(0)
	if n, err := strconv.Atoi(key); err == nil && n > 0 {
		sign = p.pens()[min(n, len(p.pens()))-1]
	} else if key != "0" && key != "Delete" && key != "Backspace" {
		sign = []rune(strings.ToUpper(key))[0]
		if !slices.Contains(letters(), sign) {
			return
		}
	}
	p.Values["at"], p.Values["stroke"] = p.address(cell), ""
	if p.cells[cell] != sign {
		p.remember()
		p.put(cell, sign)
	}
}

// put changes a cell.
func (p *play) put(cell int, sign rune) {
	p.cells[cell] = sign
	p.Values["board"] = writeRuns(p.cells, p.cols)
	p.writeMarks()
	if p.Values["guess"] == guessShown {
		p.Values["guess"], p.Values["marks"] = "no", ""
	}
}

func (p *play) writeMarks() {
	var all []string
	for _, cell := range p.cellsWhere(p.marked) {
		all = append(all, p.address(cell))
	}
	p.Values["marks"] = strings.Join(all, ",")
}

// beginBattle starts another battle, without marked ants and without its answer.
func (p *play) beginBattle(set pictures.Values) {
	p.Values["marks"], p.Values["at"], p.Values["world"] = "", "", ""
	if p.Values["guess"] == guessShown {
		p.Values["guess"] = guessing
	}
	maps.Copy(p.Values, set)
}

// remember stores the board for undo.
func (p *play) remember() {
	v := p.Values
	all := append(strings.Fields(strings.ReplaceAll(v["past"], "_", " ")), strings.Join([]string{
		v["rows"], v["cols"], v["edges"], writeRuns(p.cells, p.cols),
	}, "."))
	v["past"] = strings.Join(all[max(0, len(all)-mostUndo):], "_")
}

func (p *play) undo() {
	i := strings.LastIndexByte(p.Values["past"], '_')
	before := strings.Split(p.Values["past"][i+1:], ".")
	if len(before) != 4 {
		return
	}
	p.Values["past"] = p.Values["past"][:max(0, i)]
	p.beginBattle(pictures.Values{"rows": before[0], "cols": before[1], "edges": before[2], "board": before[3]})
}

// another shows the next random board.
func (p *play) another() {
	set := pictures.Values{"board": random}
	if p.Values["board"] == random {
		set["seed"] = strconv.FormatInt(p.Int("seed")%1000+1, 10)
	} else {
		set["rows"], set["cols"] = strconv.Itoa(max(p.rows, fewestCells)), strconv.Itoa(max(p.cols, fewestCells))
	}
	p.beginBattle(set)
}

// battle starts the offered battle with the given number.
func (p *play) battle(number string) error {
	offers := p.offers()
	i, err := strconv.Atoi(number)
	if err != nil || i < 0 || i >= len(offers) {
		return pictures.Refuse("", "%.40q: there is no such battle", number)
	}
	p.remember()
	p.beginBattle(offers[i].set)
	return nil
}

// reveal shows which ants die, and updates the score.
func (p *play) reveal() {
	var score [3]int64 // right ants, all ants, boards
	for i, word := range strings.SplitN(p.Values["score"], ".", 3) {
		score[i], _ = strconv.ParseInt(word, 10, 64)
	}
	p.Values["guess"], p.Values["world"] = guessShown, ""
	p.Values["score"] = fmt.Sprintf("%d.%d.%d", score[0]+int64(p.right()), score[1]+int64(len(p.army)), score[2]+1)
}

// offer is a battle that the page offers.
type offer struct {
	name string
	set  pictures.Values
}

// offers reads the offered battles: names and boards alternate, with points between them. All rows of a board are
// complete, so they determine its size. A board on a torus begins with the row "torus".
func (p *play) offers() (all []offer) {
	parts := strings.Split(p.Values["presets"], ".")
	for i := 0; i+1 < len(parts); i += 2 {
		board, edges := parts[i+1], "edges"
		if rest, ok := strings.CutPrefix(board, "torus-"); ok {
			board, edges = rest, "torus"
		}
		lines := strings.Split(board, "-")
		cols, empty := 0, 0
		for _, sign := range lines[0] + "A" {
			if '0' <= sign && sign <= '9' {
				empty = 10*empty + int(sign-'0')
				continue
			}
			cols, empty = cols+empty+1, 0
		}
		cols--
		if cols < 1 || cols > mostCols || len(lines) > mostRows {
			continue
		}
		if cells, _, err := readRuns(board, len(lines), cols); err == nil {
			all = append(all, offer{strings.ReplaceAll(parts[i], "_", " "), pictures.With("rows", len(lines),
				"cols", cols, "edges", edges, "board", writeRuns(cells, cols), "radius", game.ContestRadius2)})
		}
	}
	return all
}

// pens returns the armies that readers can place: the first few armies, and the armies on the board.
func (p *play) pens() (all []rune) {
	const first = 4
	for i, sign := range letters() {
		if i < first || slices.Contains(p.cells, sign) {
			all = append(all, sign)
		}
	}
	return all
}

// reached reports whether a cell is in range of the selected cell.
func (p *play) reached(cell int) bool {
	return p.at >= 0 && cell != p.at &&
		p.world.Distance2(p.at/p.cols, p.at%p.cols, cell/p.cols, cell%p.cols) <= p.world.Radius2
}

func (p *play) counted() bool { return !p.hidden() || p.Values["counts"] == "yes" }

// plate draws the board.
func (p *play) plate() *pictures.Plate {
	torus := !p.world.Bounded
	g := figure.Grid{Rows: p.rows, Cols: p.cols}
	if torus {
		g.Wrap = 1
	}
	var keys []string
	for _, sign := range letters() {
		keys = append(keys, string(sign), strings.ToLower(string(sign)))
	}
	board := &pictures.Board{
		Rows: p.rows, Columns: p.cols, At: max(p.at, 0), Drags: true,
		Keys: append(keys, "0", "1", "2", "3", "4", "5", "6", "Delete", "Backspace"),
	}
	for cell, sign := range p.cells {
		board.Cells = append(board.Cells, p.words(cell))
		if p.reached(cell) {
			g.Shaded = append(g.Shaded, [2]int{cell / p.cols, cell % p.cols})
		}
		if sign == 0 {
			continue
		}
		piece := figure.Piece{Row: cell / p.cols, Col: cell % p.cols, Class: int(sign), Marked: !p.hidden() &&
			p.dies(p.rule, cell)}
		if p.counted() {
			piece.Note = strconv.Itoa(p.outcomes[p.rule].Enemies[p.ants[cell]])
		}
		if p.marked(cell) && p.Values["guess"] != "no" {
			piece.Tag = "†"
		}
		if p.Values["guess"] == guessShown {
			look := pictures.Lost
			if p.dies(p.rule, cell) == p.marks[cell] {
				look = pictures.Won
			}
			piece.Tag += look.Signed("")
			piece.Tag = strings.TrimSpace(piece.Tag)
		}
		g.Pieces = append(g.Pieces, piece) // in the order of the army
	}
	if !p.hidden() && p.at >= 0 && p.ants[p.at] >= 0 && !torus {
		for kill := range p.outcomes[p.rule].Kills() {
			if kill.Killer == p.ants[p.at] || kill.Victim == p.ants[p.at] {
				g.Arrows = append(g.Arrows, [2]int{kill.Killer, kill.Victim})
			}
		}
	}
	drawing := Board(pictures.Text("Ants, {ant}", len(p.army)), g)
	drawing.Tag, drawing.Shade, drawing.Numbered, drawing.Roomy = "your guess", "in its range", !torus, true
	return &pictures.Plate{
		Key: fmt.Sprint(p.rows, p.cols, p.cells, p.marks, p.at, p.rule, p.Values["guess"], p.counted(), torus,
			p.world.Radius2),
		Label: "Board of ants. Arrow keys move, letters or numbers place ants, Delete removes, Space uses the tool",
		Board: board, Draw: drawing.Figure,
	}
}

// words describes a cell for readers who move across the board with keys.
func (p *play) words(cell int) string {
	place := fmt.Sprintf("(%d, %d)", cell/p.cols, cell%p.cols)
	words := []string{"empty " + place}
	if p.cells[cell] != 0 {
		words[0] = string(p.cells[cell]) + place
		if p.counted() {
			near := p.outcomes[p.rule].Enemies[p.ants[cell]]
			words = append(words, pictures.Text("{enemy|enemies} in range", near))
		}
		dies, seen := p.dies(p.rule, cell), p.Values["guess"] == guessShown
		if !p.hidden() {
			words = append(words, map[bool]string{true: "dies", false: "lives"}[dies])
		}
		if p.marks[cell] && p.Values["guess"] != "no" {
			words = append(words, "marked")
		}
		if seen {
			words = append(words, map[bool]string{true: "guessed right", false: "guessed wrong"}[dies == p.marks[cell]])
		}
	}
	if p.reached(cell) {
		words = append(words, "in range of the chosen cell")
	}
	return strings.Join(words, ", ")
}

func seePlay(asked pictures.Values) (*pictures.View, error) {
	v := maps.Clone(asked)
	p, err := newPlay(v)
	if err != nil {
		return nil, err
	}
	if p.settleGuess() {
		p.marks = map[int]bool{}
	}
	view := &pictures.View{Set: v.Changed(asked)}
	rule, none := game.Rules()[p.rule], len(p.army) == 0
	outcome := fmt.Sprintf("By %v %s.", rule, p.fallen(p.rule))
	compared := p.compared()
	switch {
	case none:
		view.Answer = compared
	case p.hidden():
		view.Answer = pictures.Text("Who dies by %v? Mark them: %v of {ant} marked.", rule, len(p.cellsWhere(p.marked)),
			len(p.army))
	case p.Values["guess"] == guessShown:
		view.Answer = pictures.Text("You had %v of {ant} right. %v", p.right(), len(p.army), outcome)
	default:
		view.Answer = outcome
	}
	view.ScreenReaderText = view.Answer
	if !none && !p.hidden() {
		view.ScreenReaderText += " " + compared
	}
	view.Parts = []pictures.Part{{Plate: p.plate()}, p.tools(), p.game()}
	view.Parts = append(view.Parts, p.describeBoard()...)
	view.Parts = append(view.Parts, p.rules())
	if !none && !p.hidden() {
		view.Parts = append(view.Parts, p.countTable(), p.everyRule())
	}
	if row := p.offered(); len(row.Row.Buttons) > 0 {
		view.Parts = append(view.Parts, row)
	}
	view.Parts = append(view.Parts, pictures.Part{Fold: &pictures.Fold{
		Summary: "Size, edges, radius, random boards",
		Parts: []pictures.Part{
			{Field: "rows"}, {Field: "cols"}, {Field: "edges"}, {Field: "radius"}, {Field: "armies"}, {Field: "seed"},
		},
	}})
	return view, nil
}

// tools returns the buttons that determine what a press on a cell does.
func (p *play) tools() pictures.Part {
	row := &pictures.Row{}
	tool := func(name, label string) {
		row.Buttons = append(row.Buttons, pictures.Button{
			Label: label, Set: pictures.With("tool", name),
			Pressed: p.tool() == name,
		})
	}
	if p.hidden() {
		tool(toolMark, "Mark who dies")
	}
	tool(toolMove, "Choose or move")
	for _, sign := range p.pens() {
		tool(string(sign), "ant of "+string(sign))
	}
	tool(toolRemove, "Remove")
	undo := pictures.Button{Label: "Undo"}
	if p.Values["past"] != "" {
		undo.Do = "undo"
	}
	row.Buttons = append(row.Buttons, undo, pictures.Button{Label: "Clear", Do: "clear"})
	return pictures.Part{Row: row}
}

// game returns the buttons for the guessing game.
func (p *play) game() pictures.Part {
	row := &pictures.Row{}
	if p.hidden() {
		label, hint := "Show who dies", pictures.Button{Label: "Show the counts", Set: pictures.With("counts", "yes")}
		if len(p.cellsWhere(p.marked)) == 0 {
			label = "I guess that nobody dies"
		}
		if p.counted() {
			hint = pictures.Button{Label: "Hide the counts", Set: pictures.With("counts", "no")}
		}
		row.Buttons = append(row.Buttons, pictures.Button{Label: label, Do: "reveal"}, hint)
	}
	guess := "Stop guessing"
	if p.Values["guess"] == "no" {
		guess = "Guess first"
	}
	row.Buttons = append(row.Buttons, pictures.Button{Label: guess, Do: "guess"},
		pictures.Button{Label: "Random board", Do: random})
	return pictures.Part{Row: row}
}

// describeBoard describes the board and the selected ant.
func (p *play) describeBoard() (parts []pictures.Part) {
	rule := game.Rules()[p.rule]
	if !p.hidden() {
		words := strings.ToUpper(rule.String()[:1]) + rule.String()[1:] + " " + rule.Description() + "."
		if len(p.army) > 0 {
			words += " " + p.compared()
		}
		parts = append(parts, pictures.Words(words))
	}
	if score := strings.Split(p.Values["score"], "."); len(score) == 3 && p.Values["guess"] != "no" {
		boards := content.Thousands(score[2]) + " boards"
		if score[2] == "1" {
			boards = "1 board"
		}
		parts = append(parts, pictures.Words("Your score: %v of %v ants right on %v.", content.Thousands(score[0]),
			content.Thousands(score[1]), boards))
	}
	if p.outside > 0 {
		parts = append(parts, pictures.Words("Outside the board: {ant}. Add rows or columns to see them.",
			p.outside))
	}
	switch {
	case p.at < 0 && p.hidden():
		return append(parts,
			pictures.Words("Click the ants that die, or go to them with the arrow keys and press Space."))
	case p.at < 0:
		return append(parts,
			pictures.Words("Choose an ant to see who kills it, drag it to another cell, or put more ants on the "+
				"board."))
	case p.cells[p.at] == 0:
		return append(parts, pictures.Words("The cell "+place(p.at/p.cols, p.at%p.cols)+" is empty."))
	case p.hidden():
		return append(parts, pictures.Words("The shaded cells are in range of "+p.name(p.ants[p.at])+"."))
	}
	parts = append(parts, pictures.Words(p.meets()))
	if p.outcomes[0].Enemies[p.ants[p.at]] == 0 {
		return parts
	}
	t := &pictures.Table{
		Caption: "The chosen ant by each rule", Chosen: p.rule, Words: true,
		Heads: pictures.Heads("rule", p.name(p.ants[p.at])),
	}
	for i, rule := range game.Rules() {
		t.Add(rule, p.fate(i))
	}
	return append(parts, pictures.Part{Table: t})
}

// meets lists the enemies in range of the selected ant, with their own counts.
func (p *play) meets() string {
	ant := p.ants[p.at]
	var met []string
	for cell, other := range p.ants {
		if other >= 0 && p.reached(cell) && p.cells[cell] != p.cells[p.at] {
			met = append(met, fmt.Sprintf("%s with a count of %d", p.name(other), p.outcomes[0].Enemies[other]))
		}
	}
	switch len(met) {
	case 0:
		return p.name(ant) + " has no enemy in range and is safe."
	case 1:
		return fmt.Sprintf("%s has one enemy in range, %s.", p.name(ant), met[0])
	}
	return fmt.Sprintf("%s has %d enemies in range: %s.", p.name(ant), len(met), content.List(met))
}

// fate describes who kills the selected ant under a rule, and which ants it kills.
func (p *play) fate(rule int) string {
	var killers, killed []string
	for kill := range p.outcomes[rule].Kills() {
		switch p.ants[p.at] {
		case kill.Victim:
			killers = append(killers, p.name(kill.Killer))
		case kill.Killer:
			killed = append(killed, p.name(kill.Victim))
		}
	}
	text := "it lives"
	if len(killers) > 0 {
		text = "it is killed by " + content.List(killers)
	}
	if len(killed) > 0 {
		text += ", and it kills " + content.List(killed)
	}
	return text + "."
}

// name returns the name of an ant as used on the pages.
func (p *play) name(ant int) string {
	a := p.army[ant]
	return string(a.Owner) + place(a.Row, a.Col)
}

func place(row, col int) string { return fmt.Sprintf("(%d,\u00a0%d)", row, col) }

// tally counts each army's ants, each army's deaths under a rule, and all deaths.
func (p *play) tally(rule int) (all, dead map[rune]int, deaths int) {
	all, dead = map[rune]int{}, map[rune]int{}
	for i, ant := range p.army {
		all[ant.Owner]++
		if p.outcomes[rule].Dead[i] {
			dead[ant.Owner]++
			deaths++
		}
	}
	return all, dead, deaths
}

// fallen describes how many ants of each army die: "1 of 2 A ants, all 3 B ants and the C ant die".
func (p *play) fallen(rule int) string {
	all, dead, deaths := p.tally(rule)
	switch {
	case len(p.army) == 0:
		return "there are no ants"
	case deaths == 0:
		return "nobody dies"
	case deaths == len(p.army):
		return "everybody dies"
	}
	var parts []string
	for _, owner := range letters() {
		switch {
		case dead[owner] == 0:
		case all[owner] == 1:
			parts = append(parts, fmt.Sprintf("the %c ant", owner))
		case dead[owner] == all[owner]:
			parts = append(parts, fmt.Sprintf("all %d %c ants", all[owner], owner))
		default:
			parts = append(parts, fmt.Sprintf("%d of %d %c ants", dead[owner], all[owner], owner))
		}
	}
	if deaths == 1 {
		return content.List(parts) + " dies"
	}
	return content.List(parts) + " die"
}

// compared describes how many different outcomes the rules produce.
func (p *play) compared() string {
	different := map[string]bool{}
	for _, o := range p.outcomes {
		different[fmt.Sprint(o.Dead)] = true
	}
	switch rules := len(p.outcomes); {
	case len(p.army) == 0:
		return "Put ants on the board."
	case len(different) == 1:
		return "All rules kill the same ants."
	case len(different) == rules:
		return "No two rules kill the same ants."
	default:
		return fmt.Sprintf("The %d rules have %d different outcomes.", rules, len(different))
	}
}

// rules returns the buttons for the rules. Each one shows the rule's outcome or a description of the rule.
func (p *play) rules() pictures.Part {
	row := &pictures.Row{Label: "Who dies by"}
	for i, rule := range game.Rules() {
		b := pictures.Button{
			Label: rule.String(), Set: pictures.With("rule", rule), Pressed: i == p.rule,
			Note: rule.Description(),
		}
		if !p.hidden() && len(p.army) > 0 {
			b.Note = p.fallen(i)
		}
		row.Buttons = append(row.Buttons, b)
	}
	return pictures.Part{Row: row}
}

// everyRule draws the board under each of the rules.
func (p *play) everyRule() pictures.Part {
	var grids []figure.Grid
	for i, rule := range game.Rules() {
		g := figure.Grid{Name: rule.String(), Rows: p.rows, Cols: p.cols}
		for cell, sign := range p.cells {
			if sign != 0 {
				g.Pieces = append(g.Pieces, figure.Piece{
					Row: cell / p.cols, Col: cell % p.cols, Class: int(sign),
					Marked: p.dies(i, cell),
				})
			}
		}
		grids = append(grids, g)
	}
	return pictures.Part{Plate: &pictures.Plate{
		Key:   fmt.Sprint("rules", p.rows, p.cols, p.cells, !p.world.Bounded, p.world.Radius2),
		Label: "The board by each of the rules", Draw: Board("The board by each of the rules", grids...).Figure,
	}}
}

// countTable counts the dead and the living ants of each army.
func (p *play) countTable() pictures.Part {
	heads := []string{"army"}
	for _, rule := range game.Rules() {
		heads = append(heads, rule.String())
	}
	t := &pictures.Table{
		Caption: "The dead and the living, army by army", Chosen: -1, Words: true, Heads: pictures.Heads(heads...),
	}
	for _, owner := range letters() {
		if !slices.Contains(p.cells, owner) {
			continue
		}
		row := []any{string(owner)}
		for rule := range p.outcomes {
			all, dead, _ := p.tally(rule)
			row = append(row, fmt.Sprintf("%d dead, %d alive", dead[owner], all[owner]-dead[owner]))
		}
		t.Add(row...)
	}
	return pictures.Part{Table: t}
}

// offered returns the buttons for the battles that the page offers.
func (p *play) offered() pictures.Part {
	row := &pictures.Row{Label: "Battle:"}
	board := writeRuns(p.cells, p.cols)
	for i, o := range p.offers() {
		same := o.set["rows"] == p.Values["rows"] && o.set["cols"] == p.Values["cols"] && o.set["board"] == board &&
			o.set["edges"] == p.Values["edges"]
		row.Buttons = append(row.Buttons, pictures.Button{Label: o.name, Do: fmt.Sprint("battle ", i), Pressed: same})
	}
	return pictures.Part{Row: row}
}
