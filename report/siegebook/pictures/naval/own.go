package naval

import (
	"fmt"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Sinking starts a game against the given fleet, which has a number and a placement.
type Sinking func(number int64, p game.Placement, ships game.Fleet) (Shots, error)

// Shots fires one shot. It returns the cell, and whether this shot sinks the fleet.
type Shots func() (at game.Cell, sunk bool, err error)

// mostShots is the maximum number of shots at a fleet. Each shot is a turn, because a single shot of a program may take
// long.
const mostShots = game.Side * game.Side

// OwnSeed is the seed for the fleets with which a reader's shooter is tested, as in a league.
const OwnSeed = 1

const mostFleets = 1000

// rivals returns the players with which a reader's player is compared. The last one is the best.
func rivals() (all []game.Strategy) {
	for _, t := range game.Targetings() {
		if t.Cost() <= 1000 {
			all = append(all, game.Strategy{Targeting: t, Halo: true})
		}
	}
	return all
}

// Own returns the picture about a shooter that a reader writes. It shows a table of the library's shooters, with the
// reader's in the last row, how many more shots the reader's takes than the best of these, and a fleet that both have
// sunk. read parses a shooter. start is the program that the reader starts with.
func Own(read func(text string) (Sinking, error), start string) pictures.Picture {
	fleets := func(name, label, start string) pictures.Field {
		return pictures.Number(name, label, 100, "", "").UpTo(mostFleets).From(start)
	}
	within := func(name, label string, most, limit int64) pictures.Field {
		return pictures.Within(pictures.Number(name, label, most, label, "").UpTo(limit))
	}
	placements := int64(len(game.PostPlacements()))
	return pictures.Own{
		Name: "naval-own", Done: "fleets are sunk", Turns: mostShots, Start: start, Fields: []pictures.Field{
			fleets("fa", "first fleet", "1"), fleets("fz", "last fleet", "20"),
			within("f", "fleet", 100, mostFleets), within("p", "placement", placements, placements),
		},
		Begin: func(v pictures.Values, text string) (pictures.OwnWork, error) {
			w := &ownWork{fleets: grid.Range{First: v.Int("fa"), Last: v.Int("fz")}}
			err := pictures.CheckMap(
				pictures.Extent{Field: "fz", Label: "last fleet", First: w.fleets.First, Last: w.fleets.Last},
				pictures.Extent{Field: "p", Label: "placement", First: 1, Last: placements})
			if err != nil {
				return nil, err
			}
			if w.sink, err = read(text); err != nil {
				return nil, err
			}
			w.Coarse = pictures.NewCoarse(int(w.fleets.Last-w.fleets.First)+1, int(placements))
			w.shots = make([][][]game.Cell, len(rivals())+1)
			for i := range w.shots {
				w.shots[i] = make([][]game.Cell, len(w.Cells))
			}
			return w, nil
		},
	}.Picture()
}

// ownWork holds the fleets that a reader's shooter sinks.
type ownWork struct {
	pictures.Coarse
	fleets grid.Range
	sink   Sinking
	shots  [][][]game.Cell // by player and cell of the map; the reader's player is the last
	shoot  Shots           // shoots at the fleet of the current case; nil if that is sunk
}

// placed returns the fleet of a cell.
func (w *ownWork) placed(cell int) (ships game.Fleet, p game.Placement, number int64, err error) {
	number, p = w.fleets.First+int64(cell%w.Columns), game.PostPlacements()[cell/w.Columns]
	ships, _, err = game.PlaceFleet([]game.Placement{p}, OwnSeed, uint64(number-1))
	return ships, p, number, err
}

// sunkBy returns the shots with which a strategy sinks a fleet.
func sunkBy(s game.Strategy, ships game.Fleet, number int64) (cells []game.Cell, err error) {
	shooter, err := game.NewShooter(s, ships, OwnSeed, uint64(number-1))
	if err != nil {
		return nil, err
	}
	for !shooter.Done() {
		at, _ := shooter.Shoot()
		cells = append(cells, at)
	}
	return cells, nil
}

// Try fires one shot at the fleet of case next, if the fleet is afloat. Before the first shot, the rivals sink the
// fleet.
func (w *ownWork) Try(next, turn int) error {
	cell, mine := w.Cell(next), w.shots[len(w.shots)-1]
	if turn == 0 {
		ships, p, number, err := w.placed(cell)
		if err != nil {
			return err
		}
		for i, s := range rivals() {
			if w.shots[i][cell], err = sunkBy(s, ships, number); err != nil {
				return err
			}
		}
		if w.shoot, err = w.sink(number, p, ships); err != nil {
			return err
		}
		mine[cell] = nil
	}
	if w.shoot == nil {
		return nil
	}
	at, sunk, err := w.shoot()
	if err != nil {
		return err
	}
	mine[cell] = append(mine[cell], at)
	if sunk {
		w.shoot = nil
		w.Know(cell, max(len(mine[cell])-len(w.shots[len(w.shots)-2][cell]), 0))
	}
	return nil
}

// numbers returns, for each fleet, the number of a player's shots.
func numbers(shots [][]game.Cell) []int {
	all := make([]int, len(shots))
	for i, cells := range shots {
		all[i] = len(cells)
	}
	return all
}

const notSunk = -1 // the fleet is still afloat

// Plate returns the map of the extra shots.
func (w *ownWork) Plate() *pictures.Plate {
	best := rivals()[len(rivals())-1].Targeting.String()
	m := figure.PhaseMap{
		Title: "Extra shots of your player, compared with " + best, One: "extra shot", Many: "extra shots",
		X: figure.Cells("fleet", int(w.fleets.First), int(w.fleets.Last), 1),
		Y: figure.Cells("placement", 1, len(game.PostPlacements()), 1), W: w.Columns, H: len(game.PostPlacements()),
		Cells: w.Shown(notSunk), Classes: []figure.Class{
			pictures.Right.Class(0, "no more than "+best), pictures.NoAnswer.Class(notSunk, "not sunk yet"),
		},
	}
	return &pictures.Plate{
		Label: "Map of the extra shots of your player, compared with " + best + ", by fleet and placement",
		Map:   func(int) figure.PhaseMap { return m },
		Half:  true,
	}
}

// View returns the view after all fleets have been sunk.
func (w *ownWork) View(v pictures.Values, plate *pictures.Plate) (*pictures.View, error) {
	number, row := v.Int("f"), int(v.Int("p"))-1
	plate.Pick = &pictures.Pick{
		X: pictures.RangeScale("f", w.fleets.First, w.fleets.Last, number),
		Y: pictures.RangeScale("p", 1, int64(len(game.PostPlacements())), int64(row)+1),
	}
	table := &pictures.Table{
		Caption: "All players on these fleets", Chosen: len(w.shots) - 1,
		Heads: pictures.Heads("player", "mean shots", "fewest", "most"),
	}
	mean := ""
	for i, shots := range w.shots {
		title := pictures.OwnTitle
		if i < len(rivals()) {
			title = rivals()[i].Targeting.String()
		}
		counts, sum := numbers(shots), int64(0)
		for _, each := range counts {
			sum += int64(each)
		}
		mean = big.NewRat(sum, int64(len(counts))).FloatString(2)
		table.Add(title, mean, slices.Min(counts), slices.Max(counts))
	}
	view := &pictures.View{
		Answer: pictures.Text("%v shots on average for %v fleets.", mean, len(w.Cells)),
		Parts:  []pictures.Part{{Plate: plate}, w.jump(number, row)},
	}
	view.ScreenReaderText = view.Answer
	view.Parts = append(view.Parts, pictures.Part{Plate: w.histogram()})
	if number < w.fleets.First || number > w.fleets.Last {
		view.Parts = append(view.Parts, pictures.Part{Table: table},
			pictures.Words("Fleet %v is not on the map.", number))
		return view, nil
	}
	words, boards, err := w.sides(row*w.Columns + int(number-w.fleets.First))
	if err != nil {
		return nil, err
	}
	view.ScreenReaderText += " " + words
	view.Parts = append(append(view.Parts, boards...), pictures.Part{Table: table}, pictures.Words(words))
	return view, nil
}

// jump returns a button that leads to the fleet with the most extra shots.
func (w *ownWork) jump(number int64, row int) pictures.Part {
	worst := 0
	for cell, more := range w.Cells {
		if more > w.Cells[worst] {
			worst = cell
		}
	}
	f, p := w.fleets.First+int64(worst%w.Columns), worst/w.Columns
	button := pictures.Button{Label: "Most extra shots", Say: "It never takes more shots here."}
	if w.Cells[worst] > 0 {
		button.Set = pictures.With("f", f, "p", p+1)
		button.Pressed = f == number && p == row
	}
	return pictures.Part{Row: &pictures.Row{Buttons: []pictures.Button{button}}}
}

// histogram shows how many fleets take how many shots, for the reader's player and for the best rival.
func (w *ownWork) histogram() *pictures.Plate {
	h := figure.Histogram{Title: "Shots until a fleet is sunk", XLabel: "shots", YLabel: "fleets"}
	both := [][]int{numbers(w.shots[len(w.shots)-2]), numbers(w.shots[len(w.shots)-1])}
	least, most := game.Side*game.Side, 0
	for _, shots := range both {
		least, most = min(least, slices.Min(shots)), max(most, slices.Max(shots))
	}
	for key := least; key <= most; key++ {
		h.Keys = append(h.Keys, key)
	}
	for i, name := range []string{rivals()[len(rivals())-1].Targeting.String(), pictures.OwnTitle} {
		counts := make([]*big.Int, len(h.Keys))
		for at := range counts {
			counts[at] = new(big.Int)
		}
		for _, shots := range both[i] {
			counts[shots-least].Add(counts[shots-least], big.NewInt(1))
		}
		h.Series = append(h.Series, figure.BarSeries{Name: name, Counts: counts})
	}
	return &pictures.Plate{Key: fmt.Sprint("shots", both), Label: h.Title, Draw: h.Figure, Half: true}
}

// sides shows how the reader's player and the best rival sink a fleet.
func (w *ownWork) sides(cell int) (string, []pictures.Part, error) {
	ships, p, number, err := w.placed(cell)
	if err != nil {
		return "", nil, err
	}
	best := rivals()[len(rivals())-1]
	theirs, mine := w.shots[len(w.shots)-2][cell], w.shots[len(w.shots)-1][cell]
	words := pictures.Text("Fleet %v, %v: {shot} by %v, %v by %v.", number, p, len(mine), pictures.OwnTitle,
		len(theirs), best.Targeting)
	side := func(by string, cells []game.Cell) pictures.Part {
		board := Board("A fleet, and the shots at it by "+by, shotAt(by, p, ships, cells))
		return pictures.Part{Plate: &pictures.Plate{
			Key: fmt.Sprint(by, cell, cells), Label: board.Title, Draw: board.Figure, Half: true,
		}}
	}
	return words, []pictures.Part{side(pictures.OwnTitle, mine), side(best.Targeting.String(), theirs)}, nil
}
