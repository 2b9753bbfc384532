package listing

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Game is a game whose players a listing may be.
type Game struct {
	Name      string
	Signature Signature            // the function that a listing defines
	Axes      []string             // the positive numbers that make a case on which players are compared
	Own       func(*Listing) Judge // what judges a listing
	Library   func() []Player      // those of the library, which listings are compared with
}

// Player is a player of the library.
type Player struct {
	Name  string
	Judge Judge
}

// Judge plays the battles of a case, whose numbers are those of the axes, and counts how a player does. The errors are
// the *Error of a listing, that of a case that there is not, and that of the context.
type Judge func(ctx context.Context, at []int64, t *Tally) error

// Games are all games.
var Games = []Game{
	{
		Name: "castle", Signature: CastleSignature, Axes: []string{"soldiers", "castle hits", "defenders per wave"},
		Own: func(l *Listing) Judge {
			return l.judged(func(l asked) Judge { return judgeCastle(l.castle()) })
		},
		Library: func() (all []Player) {
			for _, a := range castle.AlgorithmsOf(castle.Heuristic) {
				all = append(all, Player{a.Name, judgeCastle(a)})
			}
			return all
		},
	},
	{
		Name: "tower", Signature: TowerSignature, Axes: []string{"soldiers", "hits", "kills", "towers"},
		Own: func(l *Listing) Judge { return l.judged(func(l asked) Judge { return judgeTower(l.aims) }) },
		Library: func() (all []Player) {
			for _, strategy := range tower.Strategies() {
				play := func(_ tower.Battle, _ int64, s tower.State) ([]tower.Aim, error) {
					return strategy.Aims(s),
						nil
				}
				all = append(all, Player{strategy.String(), judgeTower(play)})
			}
			return all
		},
	},
	{
		Name: "ants", Signature: AntsSignature, Axes: []string{"rows", "columns", "owners", "radius2"},
		Own: func(l *Listing) Judge { return l.judged(func(l asked) Judge { return judgeAnts(l.deaths) }) },
		Library: func() (all []Player) {
			for _, rule := range ants.Rules() {
				play := func(_ context.Context, world ants.World, army []ants.Ant) ([]bool, error) {
					outcome, err := ants.Solve(world, army, rule)
					return outcome.Dead, err
				}
				all = append(all, Player{rule.String(), judgeAnts(play)})
			}
			return all
		},
	},
	{
		Name: "naval", Signature: NavalSignature, Axes: []string{"fleet"},
		Own: func(l *Listing) Judge { return l.judged(func(l asked) Judge { return judgeNaval(l.sink) }) },
		Library: func() (all []Player) {
			for _, t := range naval.Targetings() {
				if strategy := (naval.Strategy{Targeting: t, Halo: true}); t.Cost() <= 1000 {
					all = append(all, Player{strategy.String(), judgeNaval(shooter(strategy))})
				}
			}
			return all
		},
	},
}

// Tally sums up how a player does in battles.
type Tally struct {
	Battles   int64 `json:"battles"`    // those that were played to their end
	Right     int64 `json:"right"`      // as well as can be
	WrongSide int64 `json:"wrong_side"` // lost, and can be won
	TooMany   int64 `json:"too_many"`   // with more waves, rounds, shots or ants judged otherwise than need be
	Extra     int64 `json:"extra"`      // how many more, in all of these
	ExtraMax  int64 `json:"extra_max"`
	Steps     int64 `json:"steps"` // that a listing has taken
	// FirstWrongSide and FirstTooMany are the first such battles, empty if there is none.
	FirstWrongSide string `json:"first_wrong_side"`
	FirstTooMany   string `json:"first_too_many"`
}

// First is the first battle in which the player errs, one on the wrong side if there is any; empty if there is none.
func (t Tally) First() string { return cmp.Or(t.FirstWrongSide, t.FirstTooMany) }

// Add adds the tally of later battles.
func (t *Tally) Add(u Tally) {
	t.Battles, t.Right = t.Battles+u.Battles, t.Right+u.Right
	t.WrongSide, t.TooMany, t.Steps = t.WrongSide+u.WrongSide, t.TooMany+u.TooMany, t.Steps+u.Steps
	t.Extra, t.ExtraMax = t.Extra+u.Extra, max(t.ExtraMax, u.ExtraMax)
	t.FirstWrongSide = cmp.Or(t.FirstWrongSide, u.FirstWrongSide)
	t.FirstTooMany = cmp.Or(t.FirstTooMany, u.FirstTooMany)
}

// count counts a battle that is won in so many steps, 0 if it is lost, and can be won in best at the fewest.
func (t *Tally) count(battle fmt.Stringer, steps, best int64) {
	one := Tally{Battles: 1}
	switch {
	case (steps > 0) != (best > 0):
		one.WrongSide, one.FirstWrongSide = 1, battle.String()
	case steps > best:
		one.TooMany, one.Extra, one.ExtraMax, one.FirstTooMany = 1, steps-best, steps-best, battle.String()
	default:
		one.Right = 1
	}
	t.Add(one)
}

// MostSteps bounds the steps of a listing in all cases of a comparison, those of the statements that make elements of
// values included.
const MostSteps = 20_000_000_000

// asked is a listing whose calls are counted in a tally.
type asked struct {
	*Listing
	tally *Tally // nil if nobody counts
}

// judged counts the steps of a listing in the tally of its judge.
func (l *Listing) judged(judge func(asked) Judge) Judge {
	return func(ctx context.Context, at []int64, t *Tally) error { return judge(asked{l, t})(ctx, at, t) }
}

// call calls the function with its arguments, in their order. The error is an *Error.
func (l asked) call(arguments ...starlark.Value) (starlark.Value, error) {
	value, steps, err := l.Listing.call(arguments...)
	return value, cmp.Or(err, l.count(steps))
}

// count counts the steps of a call.
func (l asked) count(steps int64) error {
	if l.tally == nil {
		return nil
	}
	l.tally.Steps += steps
	return l.tally.Affordable()
}

// Affordable returns an error if a listing has taken more steps than MostSteps.
func (t Tally) Affordable() error {
	if t.Steps > MostSteps {
		return fmt.Errorf("more than %d steps in all battles: take fewer battles, or a faster program",
			int64(MostSteps))
	}
	return nil
}

func judgeCastle(a castle.Algorithm) Judge {
	return func(ctx context.Context, at []int64, t *Tally) error {
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
		t.count(b, answer.Waves, b.MinWaves())
		return nil
	}
}

// in names a place in the message of a fault.
func in(err error, format string, place ...any) error {
	if fault, ok := err.(*Error); ok {
		fault.Message = fmt.Sprintf(format, place...) + ": " + fault.Message
	}
	return err
}

// AntsSignature is the function of a listing for the ants: whether an ant dies. Ants are numbered from 0. The list
// enemies has for each of them a list of the enemies in range, the nearest first: pairs (distance squared, ant).
// radius2 is the square of the attack radius.
var AntsSignature = Signature{
	Name: "dies", Parameters: []string{"ant", "enemies", "radius2"}, Lists: []string{"enemies"},
}

// mostAnts bounds an army: who is in range of whom is found by comparing all pairs.
const mostAnts = 2000

// Deaths asks the listing of each ant whether it dies. The error is an *Error, that of the context, or says what is
// wrong with the world or the army.
func (l *Listing) Deaths(ctx context.Context, world ants.World, army []ants.Ant) ([]bool, error) {
	l.must()
	return asked{l, nil}.deaths(ctx, world, army)
}

func (l asked) deaths(ctx context.Context, world ants.World, army []ants.Ant) ([]bool, error) {
	if _, err := ants.Solve(world, army, ants.Focus); err != nil {
		return nil, err
	}
	if len(army) > mostAnts {
		return nil, l.fault("there are %d ants: a listing decides battles of at most %d", len(army), mostAnts)
	}
	type enemy struct {
		distance2 int64
		ant       int
	}
	var all []starlark.Value
	pairs := 0
	for _, a := range army {
		var near []enemy
		for j, b := range army {
			if d := world.Distance2(a.Row, a.Col, b.Row, b.Col); a.Owner != b.Owner && d <= world.Radius2 {
				near = append(near, enemy{d, j})
			}
		}
		slices.SortStableFunc(near, func(a, b enemy) int { return int(a.distance2 - b.distance2) })
		var values []starlark.Value
		for _, e := range near {
			values = append(values, starlark.Tuple{starlark.MakeInt64(e.distance2), starlark.MakeInt(e.ant)})
		}
		if pairs += len(near); pairs > l.limits.Items {
			return nil, l.fault("more than %d pairs of ants are in range: take a smaller army or radius",
				l.limits.Items)
		}
		all = append(all, starlark.NewList(values))
	}
	enemies := starlark.NewList(all)
	enemies.Freeze() // all calls have it in common
	dead := make([]bool, len(army))
	for i, a := range army {
		if err := canceled.Cause(ctx); err != nil {
			return nil, err
		}
		value, err := l.call(starlark.MakeInt(i), enemies, starlark.MakeInt64(world.Radius2))
		dies, ok := value.(starlark.Bool)
		if err == nil && !ok {
			err = l.fault("%s returns %s: it has to return True or False", l.signature.Name, short(value))
		}
		if err != nil {
			return nil, in(err, "ant %d at row %d, column %d with %d in range",
				i, a.Row, a.Col, all[i].(*starlark.List).Len())
		}
		dead[i] = bool(dies)
	}
	return dead, nil
}

// position is a battle of ants in one line.
type position struct{ ants.Map }

func (p position) String() string { return strings.ReplaceAll(p.Map.String(), "\n", "/") }

// antsPlay says who dies.
type antsPlay func(ctx context.Context, world ants.World, army []ants.Ant) ([]bool, error)

// judgeAnts counts the ants that a rule judges otherwise than the contest's, in all positions of a box.
func judgeAnts(play antsPlay) Judge {
	return func(ctx context.Context, at []int64, t *Tally) error {
		const most = 1 << 22 // no box with more positions is played
		size := func(axis int) int { return int(min(at[axis], most)) }
		box := ants.Box{Rows: size(0), Cols: size(1), Owners: size(2), Radius2: at[3]}
		if positions, err := box.Positions(); err != nil {
			return err
		} else if positions > most {
			return fmt.Errorf("a box of %d x %d cells has %d positions: take one with at most %d",
				box.Rows, box.Cols, positions, most)
		}
		for m := range box.Maps() {
			world, army := m.World(box.Radius2, true), m.Ants()
			outcome, err := ants.Solve(world, army, ants.Focus)
			if err != nil {
				return err
			}
			want := slices.Clone(outcome.Dead)
			dead, err := play(ctx, world, army)
			if err != nil {
				return in(err, "position %v", position{m})
			}
			others := int64(0)
			for i := range dead {
				if dead[i] != want[i] {
					others++
				}
			}
			t.count(position{m}, 1+others, 1)
		}
		return nil
	}
}

// CastleSignature is the function of a listing for the castle game: how many of the N soldiers shoot at defenders in
// a wave. S hits of the castle and D defenders are left. The battle began with n soldiers and s hits, and d
// defenders come in each wave. Waves are numbered from 1.
var CastleSignature = Signature{Name: "at_defenders", Parameters: []string{"n", "s", "d", "wave", "N", "S", "D"}}

// Castle returns the algorithm of the castle game that a listing is. Its kind is castle.Heuristic. Its Answer
// returns the errors of castle.Battle.PlayWithin, and an *Error that names battle, wave, state and order.
func Castle(l *Listing) castle.Algorithm {
	l.must()
	return asked{l, nil}.castle()
}

func (l asked) castle() castle.Algorithm {
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
func (l asked) order(b castle.Battle, wave int64, s castle.State) (int64, error) {
	if l.reads["wave"] || l.reads["s"] || l.reads["print"] {
		order, steps, err := l.ordered(b, wave, s)
		return order, cmp.Or(err, l.count(steps))
	}
	call := castleCall{state: s}
	if l.reads["n"] {
		call.soldiers = b.Soldiers
	}
	if l.reads["d"] {
		call.defendersPerWave = b.DefendersPerWave
	}
	l.mu.Lock()
	known, ok := l.orders[call]
	l.mu.Unlock()
	if ok { // it counts as if it were asked again: who asks first depends on chance
		return known.order, l.count(known.steps)
	}
	order, steps, err := l.ordered(b, wave, s)
	if err != nil {
		return order, err
	}
	l.mu.Lock()
	if l.orders == nil || len(l.orders) >= maxOrders {
		l.orders = map[castleCall]castleOrder{}
	}
	l.orders[call] = castleOrder{order, steps}
	l.mu.Unlock()
	return order, l.count(steps)
}

// castleOrder is what a call has returned, and the steps that it took.
type castleOrder struct{ order, steps int64 }

// maxOrders bounds the orders that are remembered: 10 MB.
const maxOrders = 1 << 17

// ordered asks the listing itself.
func (l asked) ordered(b castle.Battle, wave int64, s castle.State) (order, steps int64, err error) {
	value, steps, err := l.Listing.call(
		starlark.MakeInt64(b.Soldiers), starlark.MakeInt64(b.CastleHits), starlark.MakeInt64(b.DefendersPerWave),
		starlark.MakeInt64(wave),
		starlark.MakeInt64(s.Soldiers), starlark.MakeInt64(s.CastleHits), starlark.MakeUint64(s.Defenders),
	)
	if err == nil {
		order, err = l.whole(value)
	}
	if low, high := s.Moves(); err == nil && (order < low || order > high) {
		allowed := fmt.Sprintf("the rules allow %d to %d here", low, high)
		switch {
		case s.Defenders == 0:
			allowed = "no defender is out yet, so return 0"
		case low == high:
			allowed = fmt.Sprintf("the rules allow only %d here", low)
		}
		err = l.fault("%s returns %d: %s", l.signature.Name, order, allowed)
	}
	return order, steps, in(err, "battle (%d, %d, %d), wave %d, N = %d, S = %d, D = %d",
		b.Soldiers, b.CastleHits, b.DefendersPerWave, wave, s.Soldiers, s.CastleHits, s.Defenders)
}

// NavalSignature is the function of a listing for naval battle: the cell (x, y) to shoot at, both from 0 to 9. The list
// board has ten rows of ten numbers, board[y][x]: 0 for a cell that was not shot at, 1 for a miss, 2 for a hit on a
// ship that is afloat, 3 for one that is sunk. The list afloat has the decks of the ships that are left.
var NavalSignature = Signature{
	Name: "shoot", Parameters: []string{"board", "afloat"}, Lists: []string{"board", "afloat"},
}

// navalView is what a player sees: the numbers of the board, and the decks of the ships that are left.
type navalView struct {
	board  [naval.Side][naval.Side]int64
	afloat []int
}

func newNavalView() navalView { return navalView{afloat: naval.Lengths()} }

// learn enters a shot; sunk are the ships sunk so far.
func (v *navalView) learn(at naval.Cell, outcome naval.Outcome, sunk []naval.Ship) {
	v.board[at.Y()][at.X()] = 1
	switch outcome {
	case naval.Hit:
		v.board[at.Y()][at.X()] = 2
	case naval.Sunk:
		ship := sunk[len(sunk)-1]
		for c := range ship.Cells().All() {
			v.board[c.Y()][c.X()] = 3
		}
		i := slices.Index(v.afloat, int(ship.Decks))
		v.afloat = slices.Delete(v.afloat, i, i+1)
	}
}

// shoot asks the listing for a cell.
func (l asked) shoot(v navalView) (naval.Cell, error) {
	var rows []starlark.Value
	for _, row := range v.board {
		rows = append(rows, list(row[:]))
	}
	value, err := l.call(starlark.NewList(rows), list(v.afloat))
	if err != nil {
		return 0, err
	}
	cell, err := l.wholes(value)
	switch {
	case err != nil:
		return 0, err
	case len(cell) != 2 || min(cell[0], cell[1]) < 0 || max(cell[0], cell[1]) >= naval.Side:
		return 0, l.fault("%s returns %s: it has to return a cell (x, y), both from 0 to %d",
			l.signature.Name, short(value), naval.Side-1)
	case v.board[cell[1]][cell[0]] != 0:
		return 0, l.fault("%s returns %s: that cell was shot at before", l.signature.Name, short(value))
	}
	return naval.At(int(cell[0]), int(cell[1])), nil
}

// fleet names a fleet of a comparison.
type fleet struct {
	number    int64
	placement naval.Placement
}

func (f fleet) String() string { return fmt.Sprintf("fleet %d, %v", f.number, f.placement) }

// Sink lets the listing sink a fleet: each call of the function that it returns is a shot. It returns the cell, and
// whether all ships are sunk then. The errors are an *Error, or say what is wrong with the fleet.
func (l *Listing) Sink(ships naval.Fleet) (shoot func() (at naval.Cell, sunk bool, err error), err error) {
	l.must()
	return asked{l, nil}.sinking(ships)
}

func (l asked) sinking(ships naval.Fleet) (func() (at naval.Cell, sunk bool, err error), error) {
	hand, err := naval.NewHand(ships)
	if err != nil {
		return nil, err
	}
	view := newNavalView()
	return func() (naval.Cell, bool, error) {
		at, err := l.shoot(view)
		if err != nil {
			return 0, false, in(err, "shot %d", hand.Shots()+1)
		}
		outcome, err := hand.Shoot(at)
		if err != nil {
			return 0, false, err
		}
		view.learn(at, outcome, hand.Sunk())
		return at, hand.Done(), nil
	}, nil
}

// sink returns after how many shots a fleet is sunk.
func (l asked) sink(_ fleet, ships naval.Fleet) (int, error) {
	shoot, err := l.sinking(ships)
	shots := 0
	for sunk := false; !sunk && err == nil; shots++ {
		_, sunk, err = shoot()
	}
	return shots, err
}

// navalSeed is that of the fleets of a comparison, which siegebook measure naval has too.
const navalSeed = 1

// shooter sinks fleets by a strategy of the library.
func shooter(s naval.Strategy) func(fleet, naval.Fleet) (int, error) {
	return func(f fleet, ships naval.Fleet) (int, error) {
		r, err := naval.NewShooter(s, ships, navalSeed, uint64(f.number-1))
		for err == nil && !r.Done() {
			r.Shoot()
		}
		if err != nil {
			return 0, err
		}
		return r.Shots(), nil
	}
}

// judgeNaval counts the shots for the fleet of a number of each placement of the post.
func judgeNaval(sink func(fleet, naval.Fleet) (int, error)) Judge {
	return func(ctx context.Context, at []int64, t *Tally) error {
		for _, placement := range naval.PostPlacements() {
			f := fleet{at[0], placement}
			ships, _, err := naval.PlaceFleet([]naval.Placement{placement}, navalSeed, uint64(f.number-1))
			if err != nil {
				return err
			}
			shots, err := sink(f, ships)
			if err != nil {
				return in(err, "%v", f)
			}
			t.count(f, 1+int64(shots), 1)
			if err := canceled.Cause(ctx); err != nil {
				return err
			}
		}
		return nil
	}
}

// TowerSignature is the function of a listing for the tower game: how many of the N soldiers shoot at each tower. The
// list towers has the hits that each standing tower can take, the weakest first; the result has as many numbers. The
// battle began with n soldiers and t towers of h hits, each of which kills k soldiers a round. Rounds count from 1.
var TowerSignature = Signature{
	Name: "aim", Parameters: []string{"n", "h", "k", "t", "round", "N", "towers"}, Lists: []string{"towers"},
}

// towerPlay says what the soldiers do in a state.
type towerPlay func(b tower.Battle, round int64, s tower.State) ([]tower.Aim, error)

// Tower plays a battle of the tower game by a listing, round by round, from the start, as tower.Battle.Rounds does by a
// strategy. An *Error that names battle, round, state and order ends it.
func Tower(l *Listing, b tower.Battle) iter.Seq2[tower.Round, error] {
	l.must()
	return towerRounds(b, asked{l, nil}.aims)
}

func towerRounds(b tower.Battle, play towerPlay) iter.Seq2[tower.Round, error] {
	return func(yield func(tower.Round, error) bool) {
		var failed error
		number := int64(0)
		for round := range b.RoundsFrom(b.Start(), func(s tower.State) (aims []tower.Aim) {
			if aims, failed = play(b, number+1, s); failed != nil {
				aims = tower.Greedy.Aims(s) // its round is not shown
			}
			return aims
		}) {
			if number = round.Number; !yield(round, failed) || failed != nil {
				return
			}
		}
	}
}

// aims asks the listing where the soldiers shoot.
func (l asked) aims(b tower.Battle, round int64, s tower.State) ([]tower.Aim, error) {
	towers, aims, err := l.aim(b, round, s)
	return aims, in(err, "battle %v, round %d, N = %d, towers = %s", b, round, s.Soldiers, short(towers))
}

func (l asked) aim(b tower.Battle, round int64, s tower.State) (towers *starlark.List, aims []tower.Aim, err error) {
	if standing := s.Towers(); standing > int64(l.limits.Items) {
		return starlark.NewList(nil), nil, l.fault("a listing plays against at most %d towers", l.limits.Items)
	}
	var hits []int64
	for _, group := range slices.Backward(s.Groups) {
		hits = append(hits, slices.Repeat([]int64{group.Hits}, int(group.Towers))...)
	}
	towers = list(hits)
	value, err := l.call(
		starlark.MakeInt64(b.Soldiers), starlark.MakeInt64(b.HitsPerTower), starlark.MakeInt64(b.KillsPerTower),
		starlark.MakeInt64(b.Towers), starlark.MakeInt64(round), starlark.MakeInt64(s.Soldiers), list(hits),
	)
	if err != nil {
		return towers, nil, err
	}
	shots, err := l.wholes(value)
	left := s.Soldiers
	switch {
	case err != nil:
		return towers, nil, err
	case len(shots) != len(hits):
		return towers, nil, l.fault("%s returns %s: it has to return %d numbers, one for each tower",
			l.signature.Name, short(value), len(hits))
	}
	for i, shot := range shots {
		if shot < 0 || shot > left {
			left = -1
			break
		}
		left -= shot
		if last := len(aims) - 1; last >= 0 && aims[last].Hits == hits[i] && aims[last].Shots == shot {
			aims[last].Towers++
		} else {
			aims = append(aims, tower.Aim{Towers: 1, Hits: hits[i], Shots: shot})
		}
	}
	if left != 0 {
		return towers, nil, l.fault("%s returns %s: numbers from 0 with the sum %d, a shot of each soldier, are "+
			"allowed", l.signature.Name, short(value), s.Soldiers)
	}
	return towers, aims, nil
}

// mostRounds bounds the rounds of a battle in a comparison; battles with more are not counted.
const mostRounds = 10_000

func judgeTower(play towerPlay) Judge {
	return func(ctx context.Context, at []int64, t *Tally) error {
		b := tower.Battle{Soldiers: at[0], HitsPerTower: at[1], KillsPerTower: at[2], Towers: at[3]}
		best, err := b.Play(tower.Greedy, mostRounds)
		if err != nil {
			return nil // it has too many
		}
		won := func(winner tower.Winner, rounds int64) int64 {
			if winner == tower.Soldiers {
				return rounds
			}
			return 0
		}
		for round, err := range towerRounds(b, play) {
			switch err := cmp.Or(err, canceled.Cause(ctx)); {
			case err != nil:
				return err
			case round.Winner != tower.Undecided:
				t.count(b, won(round.Winner, round.Number), won(best.Winner, best.Rounds))
			case round.Number == mostRounds:
				return nil
			}
		}
		return nil
	}
}
