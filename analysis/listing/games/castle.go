package games

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
)

// CastleSignature is the function that a listing for the castle game must define. It returns how many of the N soldiers
// shoot at defenders in a wave. S hits of the castle and D defenders are left. The battle began with n soldiers and s
// hits, and d defenders come in each wave. Waves are numbered from 1.
var CastleSignature = listing.Signature{
	Name: "at_defenders", Parameters: []string{"n", "s", "d", "wave", "N", "S", "D"},
}

var castleGame = listing.Game{
	Name: "castle", Signature: CastleSignature, Axes: []string{"soldiers", "castle hits", "defenders per wave"},
	Own: func(l *listing.Listing) listing.Judge {
		known := new(orders)
		return judged(l, func(l asked) listing.Judge { return judgeCastle(besieger{l, known}.algorithm()) })
	},
	Library: func() (all []listing.Player) {
		for _, a := range castle.AlgorithmsOf(castle.Heuristic) {
			all = append(all, listing.Player{Name: a.Name, Judge: judgeCastle(a)})
		}
		return all
	},
}

// Castle returns a listing as an algorithm of the castle game. Its kind is castle.Heuristic. Its Answer returns the
// errors of castle.Battle.PlayWithin, or a *listing.Error that names battle, wave, state and order.
func Castle(l *listing.Listing) castle.Algorithm {
	return besieger{ask(l, nil), new(orders)}.algorithm()
}

// besieger is a listing that gives orders, with the orders known so far.
type besieger struct {
	asked
	known *orders
}

func (l besieger) algorithm() castle.Algorithm {
	strategy := func(b castle.Battle) castle.Strategy {
		return func(wave int64, s castle.State) castle.Orders {
			order, err := l.order(b, wave, s)
			return castle.Orders{AtDefenders: order, Err: err}
		}
	}
	return castle.Algorithm{
		Name: l.Name, Title: l.Title, Kind: castle.Heuristic, Question: castle.PlaysLine, Source: l.File(),
		Strategy: strategy,
		Answer: func(ctx context.Context, b castle.Battle, effort castle.Effort) (castle.Answer, error) {
			result, err := b.PlayWithin(ctx, strategy(b), effort)
			return castle.Answer{Winner: result.Winner, Waves: result.Waves, SoldiersLeft: result.SoldiersLeft}, err
		},
	}
}

// orders stores orders of a listing, from all battles that it plays. Several goroutines may use it at the same time.
type orders struct {
	mu sync.Mutex
	of map[castleCall]castleOrder
}

// castleCall holds the arguments of a call that does not depend on the castle's hits at the beginning or on the wave.
// Arguments that the listing does not read are 0.
type castleCall struct {
	soldiers, defendersPerWave int64
	state                      castle.State
}

// castleOrder holds the order that a call returned, and the steps of the call.
type castleOrder struct{ order, steps int64 }

// maxOrders limits the number of stored orders, to about 10 MB.
const maxOrders = 1 << 17

func (o *orders) get(call castleCall) (castleOrder, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	known, ok := o.of[call]
	return known, ok
}

func (o *orders) put(call castleCall, order castleOrder) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil || len(o.of) >= maxOrders {
		o.of = map[castleCall]castleOrder{}
	}
	o.of[call] = order
}

// order asks the listing for the order of a wave. A listing that reads only the state, the soldiers at the beginning
// and the defenders per wave gives the same orders in many battles, so order stores them.
func (l besieger) order(b castle.Battle, wave int64, s castle.State) (int64, error) {
	if l.Reads("wave") || l.Reads("s") || l.Reads("print") {
		order, steps, err := l.ordered(b, wave, s)
		return order, cmp.Or(err, l.count(steps))
	}
	call := castleCall{state: s}
	if l.Reads("n") {
		call.soldiers = b.Soldiers
	}
	if l.Reads("d") {
		call.defendersPerWave = b.DefendersPerWave
	}
	if known, ok := l.known.get(call); ok { // counts like a call, because chance decides which call is first
		return known.order, l.count(known.steps)
	}
	order, steps, err := l.ordered(b, wave, s)
	if err != nil {
		return order, err
	}
	l.known.put(call, castleOrder{order, steps})
	return order, l.count(steps)
}

// ordered calls the listing itself.
func (l besieger) ordered(b castle.Battle, wave int64, s castle.State) (order, steps int64, err error) {
	value, steps, err := l.Call(
		starlark.MakeInt64(b.Soldiers), starlark.MakeInt64(b.CastleHits), starlark.MakeInt64(b.DefendersPerWave),
		starlark.MakeInt64(wave),
		starlark.MakeInt64(s.Soldiers), starlark.MakeInt64(s.CastleHits), starlark.MakeUint64(s.Defenders),
	)
	if err == nil {
		order, err = l.Whole(value)
	}
	if low, high := s.Moves(); err == nil && (order < low || order > high) {
		allowed := fmt.Sprintf("the rules allow %d to %d here", low, high)
		switch {
		case s.Defenders == 0:
			allowed = "no defender is out yet, so return 0"
		case low == high:
			allowed = fmt.Sprintf("the rules allow only %d here", low)
		}
		err = l.Refuse(value, "%s", allowed)
	}
	return order, steps, listing.In(err, "battle (%d, %d, %d), wave %d, N = %d, S = %d, D = %d",
		b.Soldiers, b.CastleHits, b.DefendersPerWave, wave, s.Soldiers, s.CastleHits, s.Defenders)
}

func judgeCastle(a castle.Algorithm) listing.Judge {
	return func(ctx context.Context, at []int64, t *listing.Tally) error {
		b := castle.Battle{Soldiers: at[0], CastleHits: at[1], DefendersPerWave: at[2]}
		answer, err := a.Answer(ctx, b, castle.Effort{Steps: castle.SurveySteps})
		switch {
		case castle.OutOfEffort(err):
			return nil
		case err != nil:
			return err
		case answer.Winner != castle.Soldiers:
			answer.Waves = 0
		}
		t.Count(b, answer.Waves, b.MinWaves())
		return nil
	}
}
