package tower

import (
	"fmt"
	"iter"
	"math/big"

	"github.com/siegebook/siegebook/analysis/grid"
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Rounded plays a battle round by round, beginning with the start.
type Rounded func(game.Battle) iter.Seq2[game.Round, error]

// Own returns the picture about a way of aiming that a reader writes. It shows a table of the strategies, with the
// reader's in the last row, a map of the lost battles and rounds, and a battle as played by the reader's strategy and
// by the best one. read parses a program. start is the program that the reader starts with.
func Own(read func(text string) (Rounded, error), start string) pictures.Picture {
	bound := func(name, label, start string) pictures.Field {
		return limited(name, label, 100, mostSoldiers, "", "").In("The grid").From(start)
	}
	kind := battleFields(100, 40)[1:3] // hits and kills
	return pictures.Own{
		Name: "tower-own", Done: "battles are fought", Start: start, Fields: []pictures.Field{
			kind[0].From("6"), kind[1].From("2"),
			bound("na", "first soldiers", "1"), bound("nz", "last soldiers", "80"),
			bound("ta", "first towers", "1"), bound("tz", "last towers", "20"),
			pictures.Within(limited("n", "soldiers", 100, mostSoldiers, "soldier", "soldiers")),
			pictures.Within(limited("t", "towers", 40, mostSoldiers, "tower", "towers")),
		},
		Begin: func(v pictures.Values, text string) (pictures.OwnWork, error) {
			p := Plane{
				HitsPerTower: v.Int("h"), KillsPerTower: v.Int("k"),
				Soldiers: grid.Range{First: v.Int("na"), Last: v.Int("nz")},
				Towers:   grid.Range{First: v.Int("ta"), Last: v.Int("tz")},
			}
			err := pictures.CheckMap(
				pictures.Extent{Field: "nz", Label: "last soldiers", First: p.Soldiers.First, Last: p.Soldiers.Last},
				pictures.Extent{Field: "tz", Label: "last towers", First: p.Towers.First, Last: p.Towers.Last})
			if err != nil {
				return nil, err
			}
			rounds, err := read(text)
			if err != nil {
				return nil, err
			}
			_, _, columns, rows := p.axes()
			return &ownWork{Plane: p, Coarse: pictures.NewCoarse(columns, rows), rounds: rounds}, nil
		},
	}.Picture()
}

// These are the values of cells that do not stand for a number of extra rounds.
const (
	wrongSide  = -1 - iota
	lostAnyway // lost however the soldiers aim
	unknown    // not yet played
)

// ownWork holds the battles that a reader's program plays.
type ownWork struct {
	Plane
	pictures.Coarse
	rounds  Rounded
	records []pictures.Record
}

// battle returns the battle of a cell.
func (w *ownWork) battle(cell int) game.Battle {
	return battle(w.Soldiers.First+int64(cell%w.Columns), w.HitsPerTower, w.KillsPerTower,
		w.Towers.First+int64(cell/w.Columns))
}

// Try lets the program play the next battle.
func (w *ownWork) Try(next, _ int) error {
	b := w.battle(w.Cell(next))
	var last game.Round
	for round, err := range w.rounds(b) {
		if err != nil {
			return err
		}
		last = round
	}
	lost, err := roundsLost(b, last.Winner, last.Number)
	if err == nil {
		w.Know(w.Cell(next), lost)
	}
	return err
}

// roundsLost returns the value of a cell for a battle that has been decided.
func roundsLost(b game.Battle, winner game.Winner, rounds int64) (int, error) {
	best, err := b.Play(game.Greedy, needSteps)
	switch {
	case err != nil:
		return 0, err
	case best.Winner != game.Soldiers:
		return lostAnyway, nil
	case winner != game.Soldiers:
		return wrongSide, nil
	}
	return int(rounds - best.Rounds), nil
}

// Plate returns the map of the lost rounds.
func (w *ownWork) Plate() *pictures.Plate {
	m := figure.PhaseMap{
		Title: fmt.Sprintf("Rounds lost by your aim, against towers of %s", w.kind()),
		One:   "round lost", Many: "rounds lost",
		Classes: []figure.Class{
			pictures.Right.Class(0, "right: none lost"), pictures.Wrong.Class(wrongSide, "the wrong side"),
			pictures.Cannot.Class(lostAnyway, "right: cannot be won"),
			pictures.NoAnswer.Class(unknown, "not fought yet"),
		}, Cells: w.Shown(unknown),
		Curves: w.Borders(func(s game.Strategy, towers int64) int64 {
			b := game.Battle{HitsPerTower: w.HitsPerTower, KillsPerTower: w.KillsPerTower, Towers: towers}
			n, err := b.MinSoldiers(s, needSteps)
			if err != nil || n == 0 {
				return mostSoldiers + 1 // beyond the edge of any map
			}
			return n
		}),
	}
	m.X, m.Y, m.W, m.H = w.axes()
	return &pictures.Plate{
		Label: "Map of the rounds that your aim loses, by soldiers and towers",
		Map:   func(int) figure.PhaseMap { return m },
	}
}

// record returns the record of a strategy with the given cells.
func (w *ownWork) record(title string, cells []int) pictures.Record {
	r := pictures.Record{Title: title, Played: int64(len(cells))}
	won, extra := int64(0), int64(0)
	chosen := func(cell int) pictures.Values {
		b := w.battle(cell)
		return pictures.With("n", b.Soldiers, "t", b.Towers)
	}
	for cell, lost := range cells {
		switch {
		case lost == lostAnyway:
			r.Right++
		case lost == 0:
			r.Right++
			won++
		case lost == wrongSide:
			if r.WrongSide++; r.WrongSide == 1 {
				r.FirstWrong = chosen(cell)
			}
		default:
			won, extra = won+1, extra+int64(lost)
			if r.TooMany++; r.TooMany == 1 {
				r.FirstTooMany = chosen(cell)
			}
			if int64(lost) > r.Most {
				r.Most, r.MostAt, r.MostName = int64(lost), chosen(cell), w.battle(cell).String()
			}
		}
	}
	if won > 0 {
		r.Mean = big.NewRat(extra, won)
	}
	return r
}

// compare plays all battles with all strategies.
func (w *ownWork) compare() error {
	if w.records != nil {
		return nil
	}
	var records []pictures.Record
	for _, s := range game.Strategies() {
		cells := make([]int, len(w.Cells))
		for cell := range cells {
			b := w.battle(cell)
			end, err := b.Play(s, needSteps)
			if err != nil {
				return err
			}
			if cells[cell], err = roundsLost(b, end.Winner, end.Rounds); err != nil {
				return err
			}
		}
		records = append(records, w.record(s.String(), cells))
	}
	w.records = append(records, w.record(pictures.OwnTitle, w.Cells))
	return nil
}

// View returns the view after all battles have been played.
func (w *ownWork) View(v pictures.Values, plate *pictures.Plate) (*pictures.View, error) {
	if err := w.compare(); err != nil {
		return nil, err
	}
	b := battleOf(v)
	plate.Pick = &pictures.Pick{
		X: pictures.RangeScale("n", w.Soldiers.First, w.Soldiers.Last, b.Soldiers),
		Y: pictures.RangeScale("t", w.Towers.First, w.Towers.Last, b.Towers),
	}
	mine := w.records[len(w.records)-1]
	view := &pictures.View{Answer: mine.Summary("rounds", mine.Played)}
	words := pictures.Text("{soldier} against {tower}: ", b.Soldiers, b.Towers)
	var sides [][]pictures.Part
	for _, side := range []struct {
		title  string
		rounds iter.Seq2[game.Round, error]
	}{
		{pictures.OwnTitle, w.rounds(b)},
		{"best aim", func(yield func(game.Round, error) bool) {
			for round := range b.Rounds(game.Greedy) {
				if !yield(round, nil) {
					return
				}
			}
		}},
	} {
		end, table, err := roundTable(content.Capital(side.title), b, side.rounds)
		if err != nil {
			return nil, err
		}
		if len(sides) > 0 {
			words += "; "
		}
		words += "by " + side.title + " " + end
		sides = append(sides, []pictures.Part{
			pictures.Words("%v: %v.", content.Capital(side.title), content.ForPeople(end)), table,
		})
	}
	words = content.ForPeople(words + ".")
	view.ScreenReaderText = view.Answer + " " + words
	view.Parts = append([]pictures.Part{{Plate: plate}, mine.Jumps("rounds", v)},
		w.ExtraHistogram("rounds")...)
	view.Parts = append(view.Parts, pictures.RecordTable("rounds", w.records), pictures.Words(words),
		pictures.Part{Beside: sides})
	return view, nil
}

// roundTable returns a table of a battle, round by round, and a description of its end.
func roundTable(title string, b game.Battle, rounds iter.Seq2[game.Round, error]) (string, pictures.Part, error) {
	t := &pictures.Table{
		Caption: title + ", round by round", Chosen: -1,
		Heads: pictures.Heads("round", "wasted shots", "soldiers", "towers", "hits left"),
	}
	left := func(n, all int64) pictures.Cell {
		return pictures.Cell{Text: pictures.People(n), Bar: float64(n) / float64(max(all, 1))}
	}
	var last game.Round
	hitsBefore := int64(0)
	for round, err := range rounds {
		if err != nil {
			return "", pictures.Part{}, err
		}
		hits, _ := round.State.HitsLeft().Int64()
		row := []any{"start", ""}
		if round.Number > 0 {
			row = []any{round.Number, last.State.Soldiers - (hitsBefore - hits)}
		}
		t.Add(append(row, left(round.State.Soldiers, b.Soldiers), left(round.State.Towers(), b.Towers),
			left(hits, b.HitsPerTower*b.Towers))...)
		last, hitsBefore = round, hits
	}
	r := game.Result{
		Winner: last.Winner, Rounds: last.Number, SoldiersLeft: last.State.Soldiers, TowersLeft: last.State.Towers(),
	}
	return End(r), pictures.Part{Table: t}, nil
}
