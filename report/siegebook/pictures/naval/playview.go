package naval

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// These are additional classes for the board in a game.
const (
	fits = 1 + miss + iota
	fitsNot
)

func seePlay(asked pictures.Values) (*pictures.View, error) {
	v := maps.Clone(asked)
	t, err := newTable(v)
	if err != nil {
		return nil, err
	}
	// If the strategy has changed, a game in turns starts again.
	if v["by"] != "" && v["by"] != v["way"] && t.kind != alone {
		v["shots"], v["k"], t.shots = "", "0", nil
	}
	v["by"] = v["way"]
	view := &pictures.View{}
	see := t.seeGame
	if t.places() {
		see = t.seePlacing
	}
	if err := see(view); err != nil {
		return nil, err
	}
	view.Set = v.Changed(asked)
	for _, name := range []string{"way", "its", "play"} {
		view.Parts = append(view.Parts, pictures.Part{Field: name})
	}
	return view, nil
}

// does returns buttons for labels and actions, which are given alternately. A button with an empty action is disabled.
func does(labels ...string) pictures.Part {
	row := &pictures.Row{}
	for i := 0; i < len(labels); i += 2 {
		row.Buttons = append(row.Buttons, pictures.Button{Label: labels[i], Do: labels[i+1]})
	}
	return pictures.Part{Row: row}
}

// seePlacing shows the reader's fleet while the reader is placing it.
func (t *table) seePlacing(view *pictures.View) error {
	whole := len(t.missing) == 0
	detail, turn, begin := "", "turn", "begin"
	if whole {
		games := uint64(200)
		if t.strategy.Targeting == game.Informed { // Informed takes about a thousand times as long
			games = 10
		}
		fleet, err := game.FleetOf(t.ships)
		if err != nil {
			return err
		}
		mean, err := t.needs(fleet, games)
		if err != nil {
			return err
		}
		turn = ""
		view.Answer = "Your fleet is complete. Begin?"
		detail = fmt.Sprintf("The computer (%s) needs %s shots on average to sink this fleet "+
			"(%d games)", Label(t.strategy), figure.Fixed(mean, 1), games)
		if usual := t.usual(); usual != "" {
			detail += ", and " + usual + " to sink a fleet of the post"
		}
		detail += ". Press a ship to pick it up and hide it better."
	} else {
		begin = ""
		ship := t.inHand(0)
		direction := " decks, to the right."
		switch {
		case ship.Decks == 1:
			direction = " deck."
		case ship.Upright:
			direction = " decks, downwards."
		}
		view.Answer = fmt.Sprintf("Place the ship of %d%s", ship.Decks, direction)
		var left []string
		for _, decks := range t.missing {
			left = append(left, strconv.Itoa(decks))
		}
		detail = "Press its first cell. Still to come: ships of " + strings.Join(left, ", ") +
			" decks. Ships must not touch, not even at corners. Press a ship to pick it up again."
	}
	view.ScreenReaderText = view.Answer + " " + detail
	buttons := does("Begin", begin, "Place at random", byChance, "Turn the ship (R)", turn, "Remove all ships", "away")
	buttons.Row.Buttons[0].Main = whole
	view.Parts = []pictures.Part{
		{Plate: t.harbour()}, buttons, {Text: pictures.Say(detail), Room: 3}, {Field: "mine"},
	}
	return nil
}

// usual describes how many shots the strategy takes on average for a fleet of the post. The number comes from the page;
// if it is missing, usual returns "".
func (t *table) usual() string {
	means := strings.Split(t.Values["means"], ",")
	if i := slices.Index(game.Contenders(), t.strategy); i < len(means) {
		return means[i]
	}
	return ""
}

// cells returns a board whose cells readers can press.
func (t *table) cells(words func(game.Cell) string) *pictures.Board {
	b := &pictures.Board{Rows: game.Side, Columns: game.Side, At: max(t.at, 0)}
	for c := range game.Cell(game.Side * game.Side) {
		b.Cells = append(b.Cells, c.String()+", "+words(c))
	}
	return b
}

// drawn returns the plate of a grid.
func drawn(g figure.Grid, label string, board *pictures.Board, classes ...figure.Class) *pictures.Plate {
	b := Board(strings.ToUpper(g.Name[:1])+g.Name[1:], g)
	b.Classes = append(b.Classes, classes...)
	b.Shade, b.Mark, b.Ring = "water beside a sunk ship", "ship sunk", "last shot"
	b.Note, b.Heat = "what the computer thinks", "the darker, the more likely a shot"
	return &pictures.Plate{Key: fmt.Sprint(b), Label: label, Board: board, Draw: b.Figure}
}

// harbour returns the board on which the reader places the fleet. The ship to be placed is at the pointer.
func (t *table) harbour() *pictures.Plate {
	g := figure.Grid{Name: "your fleet", Rows: game.Side, Cols: game.Side}
	class, ghost, there := fitsNot, map[game.Cell]bool{}, ""
	if t.at >= 0 && len(t.missing) > 0 && t.owner(game.Cell(t.at)) < 0 {
		ship := t.inHand(game.Cell(t.at))
		for i := range int(ship.Decks) {
			x, y := ship.First.X()+i, ship.First.Y()
			if ship.Upright {
				x, y = ship.First.X(), ship.First.Y()+i
			}
			if max(x, y) < game.Side {
				ghost[game.At(x, y)] = true
			}
		}
		there = pictures.Text("no room for the ship of {deck}", int(ship.Decks))
		if game.Together(append(slices.Clone(t.ships), ship)) == nil {
			class, there = fits, strings.TrimPrefix(there, "no ")
		}
		if ship.Upright {
			there += " downwards"
		} else {
			there += " to the right"
		}
	}
	for c := range game.Cell(game.Side * game.Side) {
		switch {
		case ghost[c]:
			g.Pieces = append(g.Pieces, figure.Piece{Row: c.Y(), Col: c.X(), Class: class})
		case t.owner(c) >= 0:
			g.Pieces = append(g.Pieces, figure.Piece{Row: c.Y(), Col: c.X(), Class: deck})
		}
	}
	board := t.cells(func(c game.Cell) string {
		words := "water"
		if i := t.owner(c); i >= 0 {
			words = pictures.Text("your ship of {deck}", int(t.ships[i].Decks))
		}
		if int(c) == t.at && there != "" {
			words += ", " + there
		}
		return words
	})
	board.Hovers, board.Keys = true, []string{"r", "R"}
	return drawn(g, "Your fleet. Arrow keys go from cell to cell, Space places a ship or picks it up, R turns it",
		board, pictures.Won.Class(fits, "it fits"), pictures.Target.Class(fitsNot, "it does not fit"))
}

// state describes what a player may know about a cell of a fleet.
type state int

const (
	unknown state = iota
	missed
	struck
	sunk
	empty // next to a sunk ship
	afloat
)

var stateWords = [...]string{
	unknown: "not shot at", missed: "miss", struck: "hit", sunk: "hit, ship sunk", empty: "water beside a sunk ship",
	afloat: "ship",
}

// sea returns the states of the cells of a fleet after a player's shots. The cells of ships that are afloat are unknown
// unless seen is true.
func (b *battle) sea(f game.Fleet, lost []game.Ship, player int, seen bool) (all [game.Side * game.Side]state) {
	fill := func(cells game.Cells, what state) {
		for c := range cells.All() {
			all[c] = what
		}
	}
	if seen {
		fill(f.Cells(), afloat)
	}
	for _, s := range lost {
		fill(s.Zone(), empty)
	}
	for _, shot := range b.shots {
		if shot.Player == player {
			all[shot.At] = struck
			if shot.Outcome == game.Miss {
				all[shot.At] = missed
			}
		}
	}
	for _, s := range lost {
		fill(s.Cells(), sunk)
	}
	return all
}

// board returns the drawing of a fleet that is shot at, and a function that describes its cells.
func (t *table) board(b *battle, name string, player int) (figure.Grid, func(game.Cell) string) {
	g := figure.Grid{Name: name, Rows: game.Side, Cols: game.Side}
	all := b.sea(b.hidden, b.lostHidden, 0, b.winner >= 0)
	if player == 1 {
		all = b.sea(b.own, b.lostOwn, 1, true)
	}
	thinks := player == 1 && b.thoughts != nil
	if thinks {
		g.Heat = make([]float64, len(all))
	}
	last, words := t.last(b, player), [game.Side * game.Side]string{}
	for i, s := range all {
		c := game.Cell(i)
		words[i] = stateWords[s]
		p := figure.Piece{Row: c.Y(), Col: c.X(), Class: [...]int{
			missed: miss, struck: hit, sunk: hit,
			afloat: deck,
		}[s]}
		p.Marked = s == sunk
		if shot, is := last[c]; is {
			p.Ringed = true
			words[i] += fmt.Sprintf(", shot %d", shot)
		}
		if s == empty {
			g.Shaded = append(g.Shaded, [2]int{p.Row, p.Col})
		}
		if thinks && (s == unknown || s == afloat) {
			sign, told, share := b.thought(c)
			g.Heat[i], p.Text = share, sign
			if told != "" {
				words[i] += ", " + told
			}
			if p.Class == 0 {
				p.Text, p.Note = "", sign
			}
		}
		if p.Class != 0 || p.Note != "" || p.Ringed {
			g.Pieces = append(g.Pieces, p)
		}
	}
	return g, func(c game.Cell) string { return words[c] }
}

// seeGame shows both fleets.
func (t *table) seeGame(view *pictures.View) error {
	b, err := t.play()
	if err != nil {
		return err
	}
	var shots, hits [2]int
	for player := range 2 {
		shots[player], hits[player] = b.counts(player)
	}
	if t.kind == alone {
		t.Values["k"] = strconv.Itoa(min(int(t.Int("k")), shots[1]))
	}
	seaGrid, seaWords := t.board(b, "the computer’s fleet", 0)
	ownGrid, ownWords := t.board(b, "your fleet", 1)
	sea := drawn(seaGrid, "The computer’s fleet. Arrow keys go from cell to cell, Space shoots", t.cells(seaWords))
	own := drawn(ownGrid, "Your fleet", t.cells(ownWords))
	own.Board.Quiet, sea.Half, own.Half = true, true, true

	ended := b.winner >= 0 || t.kind == alone && !b.mayShoot
	switch {
	case b.winner == 0:
		view.Answer = pictures.Text("You have won with {shot}.", shots[0])
	case b.winner == 1:
		view.Answer = pictures.Text("The computer has won with {shot}.", shots[1])
	case ended:
		view.Answer = pictures.Text("You have sunk all ships with {shot}.", shots[0])
	case len(t.shots) == 0:
		view.Answer = "Shoot at the computer’s fleet: press a cell."
	default:
		view.Answer = "Your shot."
	}
	news := t.news(b)
	told := []string{news}
	if t.kind == alone && !b.mayGo {
		told = append(told, pictures.Text("The computer has sunk your fleet with {shot}.", shots[1]))
	}
	if ended {
		needs, err := t.needs(b.hidden, 1)
		if err != nil {
			return err
		}
		told = append(told, pictures.Text("The computer (%v) would need {shot} to sink the fleet that you shot "+
			"at.", Label(t.strategy), int64(needs)))
	}
	if b.thoughts != nil {
		told = append(told, thinking[b.thoughts.Measure])
	}
	view.ScreenReaderText = strings.TrimSpace(news + " " + view.Answer)
	view.Parts = []pictures.Part{
		{Plate: sea}, {Plate: own}, {Text: pictures.Say(strings.TrimSpace(strings.Join(told, " "))), Room: 3},
	}
	goes, finish := "shoot", "finish"
	if !b.mayGo {
		goes, finish = "", ""
	}
	if t.kind == alone {
		view.Parts = append(view.Parts, does("Let the computer shoot", goes, "Let the computer finish", finish),
			pictures.Part{Field: "k"})
	}
	view.Parts = append(view.Parts, does("New game", "new", "Move your ships", "move"), pictures.Part{Field: "heat"})
	counts := &pictures.Table{
		Caption: "Shots, hits and ships sunk", Chosen: -1, Heads: pictures.Heads("player", "shots", "hits", "sunk"),
	}
	for player, lost := range [][]game.Ship{b.lostHidden, b.lostOwn} {
		counts.Add([]string{"you", "the computer"}[player], shots[player], hits[player],
			fmt.Sprintf("%d of %d", len(lost), len(game.Lengths())))
	}
	view.Parts = append(view.Parts, pictures.Part{Table: counts})
	if usual := t.usual(); usual != "" {
		view.Parts = append(view.Parts, pictures.Words("The computer (%v) needs %v shots on average to sink a fleet "+
			"of the post.", Label(t.strategy), usual))
	}
	return nil
}

var thinking = [...]string{
	game.Drawn: "The computer draws its next shot from the cells with a question mark.",
	game.Ways: "Each number is the number of ways in which the ships afloat can be on the cell, as far as the " +
		"computer knows. It shoots at the cell with the greatest number.",
	game.Odds: "Each number is the computer’s estimate, in percent, of the probability of a ship on the cell. It " +
		"shoots at the cell with the greatest number.",
}

// news describes the last shot of the reader, and the computer's shots after it.
func (t *table) news(b *battle) string {
	var said [2][]string
	for _, s := range slices.Backward(b.shots) {
		if t.kind == alone && len(said[s.Player]) > 0 {
			continue
		}
		said[s.Player] = append(said[s.Player], fmt.Sprintf("at %v: %v", s.At, s.Outcome))
		if s.Player == 0 && t.kind != alone {
			break
		}
	}
	var sentences []string
	for player, who := range []string{"You", "The computer"} {
		if list := said[player]; len(list) > 0 {
			slices.Reverse(list)
			sentences = append(sentences, who+" shot "+strings.Join(list, ", ")+".")
		}
	}
	return strings.Join(sentences, " ")
}
