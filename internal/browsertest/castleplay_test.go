package browsertest

import (
	"fmt"
	"math"
	"strings"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/analysis/castle"
)

func init() { plays["castle-play"] = playCastlePlay }

// playCastlePlay plays battles wave by wave with random orders, which the rules of the library follow.
func playCastlePlay(p *player) {
	for range 2 {
		p.begin("")
		p.writeBattle(math.MaxInt64)
		p.judged()
	}
	for round, hand := range []pointer{mouse, touch, ""} {
		b := castle.Battle{Soldiers: 5 + p.random.Int64N(40), CastleHits: 20 + p.random.Int64N(80), DefendersPerWave: 3 + p.random.Int64N(20)}
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d", b.Soldiers, b.CastleHits, b.DefendersPerWave))
		state, winner := b.Start(), castle.Undecided
		var moves []string
		for winner == castle.Undecided && len(moves) < 8 {
			low, high := state.Moves()
			order := low + p.random.Int64N(high-low+1)
			if round == 0 && low < high { // by the slider, from its one end to the other
				p.focus(".x-play-order [type=range]")
				p.press(0, input.Home, input.End)
				order = high
			} else {
				p.writeInto(".x-play-order [type=text]", fmt.Sprint(order))
			}
			p.push(hand, fmt.Sprintf("Shoot! Wave %d", len(moves)+1))
			state, winner = b.Step(state, order)
			moves = append(moves, fmt.Sprint(order))
			if winner == castle.Undecided {
				p.wantsRow(".x-play-waves", fmt.Sprint(len(moves)), state.Soldiers, int64(state.Defenders), state.CastleHits)
			}
		}
		p.wantsInAddress(strings.Join(moves, ","))
		p.wantsText(map[castle.Winner]string{castle.Undecided: "Shoot!", castle.Soldiers: "You win in", castle.Castle: "The castle wins in wave", castle.Tie: "A tie:"}[winner])
		shown := p.state()
		p.begin(fmt.Sprintf("n=%d&s=%d&d=%d&moves=%s", b.Soldiers, b.CastleHits, b.DefendersPerWave, strings.Join(moves, ",")))
		if again := p.state(); again.Answers["answer"] != shown.Answers["answer"] || again.Problem != "" {
			p.Errorf("from its address it comes back as %+v, not as %+v", again, shown)
		}
	}
}

// wantsRow waits until the last row of a table has the numbers left by a wave: the last cells but one that may hold
// words.
func (p *player) wantsRow(table, first string, left ...int64) {
	p.Helper()
	want := first
	for _, number := range left {
		want += " " + fmt.Sprint(number)
	}
	p.wants("the last row of "+table, want, func() string {
		p.settle()
		return inHost[string](p, `const cells = [...host.querySelector(given[0] + " tbody tr:last-child").cells].map((c) => c.textContent.replaceAll(",", ""));
		return [cells[0], ...cells.slice(3, 3 + given[1])].join(" ");`, table, len(left))
	})
}
