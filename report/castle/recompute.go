package castle

import (
	"context"
	"math/big"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
	"github.com/siegebook/siegebook/report/chapter"
)

// recompute is a battle in the form in which the ledger's checker reads it. Its line of play pins it down: without one,
// a number could be changed to that of another battle of which the same is true.
type recompute struct {
	Game           string         `json:"game"`
	Kind           string         `json:"kind"`
	N              int64          `json:"n"`
	S              int64          `json:"s"`
	D              int64          `json:"d"`
	Line           recomputedLine `json:"line"`
	Soldiers       *int64         `json:"soldiers,omitempty"` // fewest waves, 0: cannot win
	Castle         *int64         `json:"castle,omitempty"`
	CastleFirst    []any          `json:"castle_first,omitempty"` // winner, waves, soldiers left
	DefendersFirst []any          `json:"defenders_first,omitempty"`
	Ways           map[string]any `json:"ways,omitempty"`
	Bounds         [][]int64      `json:"bounds,omitempty"`
	Holds          string         `json:"holds,omitempty"` // what the claim says of it, in the checker's words
}

type recomputedLine struct {
	Orders []int64    `json:"orders"`
	States [][3]int64 `json:"states"` // soldiers, hits, defenders after each wave
	Winner string     `json:"winner"`
}

// recomputed returns a battle with the line of play of a strategy.
func recomputed(b game.Battle, strategy game.Strategy) *recompute {
	r := &recompute{
		Game: "castle", Kind: "battle", N: b.Soldiers, S: b.CastleHits, D: b.DefendersPerWave,
		Line: recomputedLine{Winner: "none"},
	}
	for wave := range b.Waves(strategy) {
		if wave.Number == 0 {
			continue
		}
		r.Line.Orders = append(r.Line.Orders, wave.AtDefenders)
		r.Line.States = append(
			r.Line.States, [3]int64{wave.State.Soldiers, wave.State.CastleHits, int64(wave.State.Defenders)},
		)
		if wave.Winner != game.Undecided {
			r.Line.Winner = sideName(wave.Winner)
			break
		}
	}
	return r
}

// ordered returns a battle with a line of play, given by the soldiers who shoot defenders in each wave.
func ordered(b game.Battle, orders []int64) *recompute {
	r := &recompute{
		Game: "castle", Kind: "battle", N: b.Soldiers, S: b.CastleHits, D: b.DefendersPerWave,
		Line: recomputedLine{Orders: orders},
	}
	state, winner := b.Start(), game.Undecided
	for _, order := range orders {
		state, winner = b.Step(state, order)
		r.Line.States = append(r.Line.States, [3]int64{state.Soldiers, state.CastleHits, int64(state.Defenders)})
	}
	r.Line.Winner = sideName(winner)
	return r
}

// bestLine returns a battle with a fastest win of the soldiers; where they cannot win, of the castle; where neither
// can, with the line of defenders first.
func bestLine(b game.Battle) *recompute {
	switch {
	case b.MinWaves() > 0:
		return recomputed(b, b.Solve().Strategy())
	case b.CastleMinWaves() > 0:
		return castleLine(b)
	}
	return recomputed(b, game.DefendersFirst)
}

// castleLine returns a battle with a fastest win of the castle.
func castleLine(b game.Battle) *recompute { return recomputed(b, b.FastestCastleWin().Strategy()) }

// sideName is how the checker calls a winner.
func sideName(w game.Winner) string {
	switch w {
	case game.Soldiers:
		return "soldiers"
	case game.Castle:
		return "castle"
	}
	return "none"
}

func (r *recompute) battle() game.Battle {
	return game.Battle{Soldiers: r.N, CastleHits: r.S, DefendersPerWave: r.D}
}

// Recomputed names the battle.
func (r *recompute) Recomputed() string { return triple(r.battle()) }

// fewest adds the fewest waves of both sides.
func (r *recompute) fewest() *recompute {
	soldiers, castle := r.battle().MinWaves(), r.battle().CastleMinWaves()
	r.Soldiers, r.Castle = &soldiers, &castle
	return r
}

// plays adds what becomes of the heuristics.
func (r *recompute) plays() *recompute {
	end := func(strategy game.Strategy) []any {
		result := r.battle().Play(strategy)
		return []any{sideName(result.Winner), result.Waves, result.SoldiersLeft}
	}
	r.CastleFirst, r.DefendersFirst = end(game.CastleFirst), end(game.DefendersFirst)
	return r
}

// ways adds the number of ways to win, by side and wave.
func (r *recompute) ways(ctx context.Context) (*recompute, error) {
	counts, err := r.battle().Count(ctx, game.CountOptions{})
	if err != nil {
		return nil, err
	}
	byWave := func(h game.Histogram) map[int64]*big.Int {
		all := map[int64]*big.Int{}
		for _, c := range h {
			all[c.Wave] = c.Ways
		}
		return all
	}
	r.Ways = map[string]any{"soldiers": byWave(counts.Soldiers), "castle": byWave(counts.Castle), "ties": counts.Ties}
	return r, nil
}

// bounds adds a certificate that the soldiers need their fewest waves, for d < n: with t + 1 waves to go, S soldiers
// can win only if hits and defenders together are at most bounds[t][S-1]. The castle falls in such a wave, and the hunt
// is that of Theorem 1 of docs/derivations/castle-soldiers.md; or it falls later, and nobody is left in this wave.
func (r *recompute) bounds() *recompute {
	for t := range *r.Soldiers - 2 {
		row := make([]int64, r.N)
		for i := range row {
			n := int64(i) + 1
			row[i] = n + n*int64(phi.Fib(int(2*t)))/int64(phi.Fib(int(2*t+1)))
			if t > 0 {
				row[i] = max(row[i], r.Bounds[t-1][i]+n-r.D)
			}
		}
		r.Bounds = append(r.Bounds, row)
	}
	return r
}

// small is the box that the checker goes through, where we go through the wide one.
var small = box{12, 40, 24}

// box is the battles with n, s and d from 1 to its limits. Searches go through it in the order n, s, d.
type box struct{ n, s, d int64 }

// wide is where most claims are checked.
var wide = box{30, 100, 60}

func (b box) ends() []int64 { return []int64{b.n, b.s, b.d} }

func (b box) sides() []chapter.Side {
	return []chapter.Side{{Name: "n", To: b.n}, {Name: "s", To: b.s}, {Name: "d", To: b.d}}
}

func (b box) String() string { return chapter.Range(b.sides()...) }

// each calls visit for every battle of the box until it returns false.
func (b box) each(visit func(game.Battle) bool) {
	for n := int64(1); n <= b.n; n++ {
		for s := int64(1); s <= b.s; s++ {
			for d := int64(1); d <= b.d; d++ {
				if !visit(game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}) {
					return
				}
			}
		}
	}
}

// first returns the first battle of the box with a property.
func (b box) first(property func(game.Battle) bool) (game.Battle, bool) {
	return chapter.First(b.each, property)
}

// count returns how many battles of the box have a property.
func (b box) count(property func(game.Battle) bool) int { return chapter.Count(b.each, property) }

func castleWaves(b game.Battle) int64 {
	return b.CastleMinWaves()
}

func soldierWaves(b game.Battle) int64 {
	return b.MinWaves()
}
