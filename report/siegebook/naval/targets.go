package naval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
	drawing "github.com/siegebook/siegebook/report/siegebook/pictures/naval"
)

// pool is the post's program's list of targets. This code follows the listing on the page, and is compared with the
// players of the library.
type pool struct {
	cells []game.Cell
	first game.Cell // the first hit since the last ship sank
	hit   bool      // whether there is such a hit
}

// add adds a cell if it is on the board and open.
func (p *pool) add(x, y int, open func(game.Cell) bool) {
	if x >= 0 && x < game.Side && y >= 0 && y < game.Side && open(game.At(x, y)) {
		p.cells = append(p.cells, game.At(x, y))
	}
}

// learn adds the cells around a hit that does not sink the ship.
func (p *pool) learn(at game.Cell, open func(game.Cell) bool) {
	if !p.hit {
		p.first, p.hit = at, true
	}
	if len(p.cells) == 0 {
		for _, d := range [][2]int{{-1, 0}, {1, 0}, {0, -1}, {0, 1}} {
			p.add(at.X()+d[0], at.Y()+d[1], open)
		}
		return
	}
	next := p.cells[0]
	for _, pair := range [][2]int{{next.X(), p.first.X()}, {next.Y(), p.first.Y()}} {
		a, b := pair[0], pair[1]
		switch { // the slip: two values of one coordinate, taken as a column and a row
		case a > b:
			p.add(a+1, a+2, open)
			p.add(b-1, b-2, open)
		case a < b:
			p.add(a-1, a-2, open)
			p.add(b+1, b+2, open)
		}
	}
}

// next removes targets until one is open, and returns it.
func (p *pool) next(open func(game.Cell) bool) (game.Cell, bool) {
	for len(p.cells) > 0 {
		at := p.cells[0]
		p.cells = p.cells[1:]
		if open(at) {
			return at, true
		}
	}
	return 0, false
}

// PoolGames is the number of games in which the pool is compared with the players.
const PoolGames = 400

// CheckPools plays games as the post's program does, and compares every shot at a target with the pool. It returns the
// number of these shots.
func CheckPools(ctx context.Context) (shots int, err error) {
	t := game.Tournament{
		Players: 2, Placements: game.PostPlacements(), Moves: game.PostMoves(), Targeting: game.AsCoded, Halo: true,
	}
	counts := make([]int, PoolGames)
	err = chapter.Each(ctx, PoolGames, func(i int) error {
		single := t
		single.Seed = Seed + uint64(i)
		g, err := single.FirstGame()
		for player := 0; player < 2 && err == nil; player++ {
			counts[i], err = followPool(g, player, counts[i])
		}
		return err
	})
	for _, n := range counts {
		shots += n
	}
	return shots, err
}

// followPool follows a player, and adds the number of shots that a pool predicts to count. It returns an error for a
// wrong prediction.
func followPool(g game.Game, player, count int) (int, error) {
	var p pool
	known := map[game.Cell]bool{}
	open := func(c game.Cell) bool { return !known[c] }
	for _, shot := range g.Shots {
		if shot.Player != player {
			continue
		}
		if want, ok := p.next(open); ok {
			if err := chapter.Expect("the targets of the post's program", want == shot.At, want, shot.At); err != nil {
				return count, err
			}
			count++
		}
		known[shot.At] = true
		switch shot.Outcome {
		case game.Hit:
			p.learn(shot.At, open)
		case game.Sunk:
			p = pool{}
			for _, ship := range g.Fleets[1-player] {
				if ship.Cells().Has(shot.At) {
					for c := range ship.Zone().All() {
						known[c] = true
					}
				}
			}
		}
	}
	return count, nil
}

// This is the example of the slip: a ship along a row is hit in the middle and then to the left.
var (
	FirstHit  = game.At(4, 4)
	SecondHit = game.At(3, 4)
)

// Slipped returns the pool's cells before the second hit, the cells that the second hit adds, and the next target.
func Slipped() (before, added []game.Cell, next game.Cell) {
	known := map[game.Cell]bool{FirstHit: true}
	open := func(c game.Cell) bool { return !known[c] }
	var p pool
	p.learn(FirstHit, open)
	at, _ := p.next(open)
	if at != SecondHit {
		panic(fmt.Sprintf("naval: the second shot goes to %v", at))
	}
	known[SecondHit] = true
	before = slices.Clone(p.cells)
	p.learn(SecondHit, open)
	return before, p.cells[len(before):], before[0]
}

// CellNames returns the names of cells for prose.
func CellNames(cells []game.Cell) string {
	var list []string
	for _, c := range cells {
		list = append(list, CellName(c))
	}
	return strings.Join(list, " and ")
}

// TargetFigure draws the targets of a player after a hit and after a second hit, as the figure "targets".
func TargetFigure() content.Figure {
	before, added, _ := Slipped()
	four := append([]game.Cell{SecondHit}, before...)
	var ends []game.Cell
	for _, step := range []int{1, 2} { // two cells from each end, as the text says
		ends = append(ends, game.At(SecondHit.X()-step, SecondHit.Y()), game.At(FirstHit.X()+step, FirstHit.Y()))
	}
	layers := []drawing.Layer{
		{
			Label: "target", Look: pictures.Target,
		}, {Label: "target by the slip", Look: pictures.Astray}, {Label: "hit", Look: pictures.Hit},
	}
	return Drawn("targets", drawing.Sheets("Targets after one hit, and after two", layers,
		drawing.Sheet{Name: "one hit", Cells: [][]game.Cell{four, nil, {FirstHit}}},
		drawing.Sheet{Name: "two, as described", Cells: [][]game.Cell{ends, nil, {FirstHit, SecondHit}}},
		drawing.Sheet{Name: "two, as coded", Cells: [][]game.Cell{before, added, {FirstHit, SecondHit}}}))
}
