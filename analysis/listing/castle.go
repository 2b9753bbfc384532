package listing

import (
	"context"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/castle"
)

// CastleSignature is the function of a listing for the castle game: how many of the N soldiers shoot at defenders in
// a wave. S hits of the castle and D defenders are left. The battle began with n soldiers and s hits, and d
// defenders come in each wave. Waves are numbered from 1.
var CastleSignature = Signature{Name: "at_defenders", Parameters: []string{"n", "s", "d", "wave", "N", "S", "D"}}

// Castle returns the algorithm of the castle game that a listing is. Its kind is castle.Heuristic. Its Answer
// returns the errors of castle.Battle.PlayWithin, and an *Error that names battle, wave, state and order.
func Castle(l *Listing) castle.Algorithm {
	l.must()
	return castle.Algorithm{
		Name: l.Name, Title: l.Title, Kind: castle.Heuristic, Question: castle.PlaysLine, Source: l.file,
		Strategy: func(b castle.Battle) castle.Strategy {
			return func(wave int64, s castle.State) castle.Orders {
				order, err := l.order(b, wave, s)
				if err != nil {
					panic(err)
				}
				return castle.Orders{AtDefenders: order}
			}
		},
		Answer: func(ctx context.Context, b castle.Battle, effort castle.Effort) (castle.Answer, error) {
			var failed error
			result, err := b.PlayWithin(ctx, func(wave int64, s castle.State) castle.Orders {
				var order int64
				if order, failed = l.order(b, wave, s); failed != nil {
					order = -1 // ends the line
				}
				return castle.Orders{AtDefenders: order}
			}, effort)
			if failed != nil {
				return castle.Answer{}, failed
			}
			return castle.Answer{Winner: result.Winner, Waves: result.Waves, SoldiersLeft: result.SoldiersLeft}, err
		},
	}
}

// castleCall are the arguments of a call that does not depend on the castle of the battle and on the wave; 0 for those
// that the listing does not read either.
type castleCall struct {
	soldiers, defendersPerWave int64
	state                      castle.State
}

// order asks the listing for the order of a wave. A listing that looks at no more than the state and the defenders that
// come gives the same orders in many battles: they are remembered.
func (l *Listing) order(b castle.Battle, wave int64, s castle.State) (int64, error) {
	if l.reads["wave"] || l.reads["s"] || l.reads["print"] {
		return l.ordered(b, wave, s)
	}
	call := castleCall{state: s}
	if l.reads["n"] {
		call.soldiers = b.Soldiers
	}
	if l.reads["d"] {
		call.defendersPerWave = b.DefendersPerWave
	}
	l.mu.Lock()
	order, known := l.orders[call]
	l.mu.Unlock()
	if known {
		return order, nil
	}
	order, err := l.ordered(b, wave, s)
	if err == nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.orders == nil || len(l.orders) >= maxOrders {
			l.orders = map[castleCall]int64{}
		}
		l.orders[call] = order
	}
	return order, err
}

// maxOrders bounds the orders that are remembered: 10 MB.
const maxOrders = 1 << 17

// ordered asks the listing itself.
func (l *Listing) ordered(b castle.Battle, wave int64, s castle.State) (int64, error) {
	var order int64
	value, err := l.call(
		starlark.MakeInt64(b.Soldiers), starlark.MakeInt64(b.CastleHits), starlark.MakeInt64(b.DefendersPerWave),
		starlark.MakeInt64(wave),
		starlark.MakeInt64(s.Soldiers), starlark.MakeInt64(s.CastleHits), starlark.MakeUint64(s.Defenders),
	)
	if err == nil {
		order, err = l.whole(value)
	}
	if low, high := s.Moves(); err == nil && (order < low || order > high) {
		err = l.fault("%s returns %d: the rules allow %d to %d here", l.signature.Name, order, low, high)
	}
	return order, in(err, "battle (%d, %d, %d), wave %d, N = %d, S = %d, D = %d",
		b.Soldiers, b.CastleHits, b.DefendersPerWave, wave, s.Soldiers, s.CastleHits, s.Defenders)
}
