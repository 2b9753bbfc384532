package castle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"

	"github.com/siegebook/siegebook/analysis/internal/valid"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Path is one line of play from start to end: the orders of each wave and the states between them. Moves[w] leads from
// States[w] to States[w+1], so States is longer by one.
type Path struct {
	Moves  []int64 `json:"moves"` // the number of soldiers who shoot at defenders, wave by wave
	States []State `json:"states"`
	Winner Winner  `json:"winner"`
}

// Waves returns the number of waves.
func (p Path) Waves() int64 { return int64(len(p.Moves)) }

// Clone returns a copy that stays valid when the iteration that yielded p continues.
func (p Path) Clone() Path {
	return Path{slices.Clone(p.Moves), slices.Clone(p.States), p.Winner}
}

// PathOptions chooses among the legal paths of a battle. The zero value chooses all of them.
type PathOptions struct {
	Side    Winner `json:"side"`    // only paths with this winner; Undecided means every path
	Minimum bool   `json:"minimum"` // only each side's shortest wins
	// MaxMoves bounds the moves that the search examines; 0 means no bound. A search that reaches it yields a
	// *TooManyMovesError and ends.
	MaxMoves int64 `json:"max_moves"`
	// MemoryLimit bounds the bytes of the current path; 0 means 2 GiB. If the shortest wanted path needs more, the
	// search does not begin. If a longer path needs more, the search ends there. The error is an *OutOfMemoryError.
	MemoryLimit int64 `json:"memory_limit"`
}

func (o PathOptions) validate() error {
	return cmp.Or(
		winners.Validate(o.Side), valid.Natural("max moves", o.MaxMoves), valid.Natural("memory limit", o.MemoryLimit),
	)
}

// bytesPerWave is the memory that a search uses for each wave of a path: an order, a state and the orders still to be
// tried, in slices that double when they grow.
const bytesPerWave = 2 * (8 + 24 + 16)

// TooManyMovesError is the error for a search that reached MaxMoves.
type TooManyMovesError struct {
	Battle Battle `json:"battle"`
	Limit  int64  `json:"limit"`
}

func (e *TooManyMovesError) Error() string {
	return fmt.Sprintf("paths of %v: the search examines more moves than %d: raise the limit or count instead of "+
		"listing", e.Battle, e.Limit)
}

// Paths iterates over the legal paths, depth first. In each wave it tries the orders by increasing numbers of soldiers
// who shoot at defenders. It stores only the current path, which is valid until the next iteration (see Path.Clone).
//
// With Side or Minimum set, the search enters only branches that lead to a wanted path, so the time per path is at most
// waves × soldiers × O(log²). If Paths fails, it yields an empty path and an error last: a *TooManyMovesError, an
// *OutOfMemoryError, the context's error, the error of Validate, or an error that names an invalid option. AllPaths and
// MinimumPaths return paths that stay valid, and report errors before the first path.
func (b Battle) Paths(ctx context.Context, options PathOptions) iter.Seq2[Path, error] {
	return func(yield func(Path, error) bool) {
		if err := cmp.Or(b.Validate(), options.validate()); err != nil {
			yield(Path{}, err)
			return
		}
		soldiers, castle := b.MinWaves(), b.CastleMinWaves()
		search := pathSearch{battle: b, ctx: ctx, options: options, yield: yield}
		if options.Minimum {
			search.minSoldiers, search.minCastle = soldiers, castle
		}
		limit := cmp.Or(options.MemoryLimit, defaultMemory)
		search.maxWaves = limit / bytesPerWave
		// If both sides may win, any path is wanted.
		shortest := map[Winner]int64{Soldiers: soldiers, Castle: castle}[options.Side]
		if shortest > search.maxWaves {
			yield(Path{}, search.outOfMemory(shortest))
			return
		}
		search.path.States = append(search.path.States, b.start())
		if err := search.run(); err != nil {
			yield(Path{}, err)
		}
	}
}

// AllPaths returns all legal paths of a battle in the order of Paths, each in its own slices. Copying them takes about
// ten times as long as iterating with Paths, about 0.2 µs for a path of six waves.
//
// It returns an *OutOfMemoryError if a path of Soldiers + CastleHits waves would need more than 2 GiB. Paths accepts
// such battles, and fails when a path becomes too long.
func (b Battle) AllPaths() (iter.Seq[Path], error) {
	if err := b.Validate(); err != nil {
		return nil, err
	}
	return b.ownPaths(PathOptions{}, b.mostWaves())
}

// MinimumPaths returns the shortest wins of one side, Soldiers or Castle, in the order of Paths, each in its own
// slices. If that side cannot win, there are no paths. For Undecided, it returns the shortest wins of both sides.
//
// It returns an *OutOfMemoryError if such a path needs more than 2 GiB.
func (b Battle) MinimumPaths(side Winner) (iter.Seq[Path], error) {
	options := PathOptions{Side: side, Minimum: true}
	if err := cmp.Or(b.Validate(), options.validate()); err != nil {
		return nil, err
	}
	waves := uint64(0)
	if side != Castle && side != Tie {
		waves = max(waves, uint64(b.MinWaves()))
	}
	if side != Soldiers && side != Tie {
		waves = max(waves, uint64(b.CastleMinWaves()))
	}
	return b.ownPaths(options, waves)
}

// mostWaves bounds the waves of every path: each wave except the last costs at least one soldier or one castle hit.
func (b Battle) mostWaves() uint64 {
	if b.CastleHits <= b.Soldiers {
		return 1
	}
	return uint64(b.Soldiers) + uint64(b.CastleHits)
}

// ownPaths returns copies of the paths, which have at most the given number of waves. It checks at once for everything
// that could fail later, because a caller who ranges over the paths sees no later error.
func (b Battle) ownPaths(options PathOptions, most uint64) (iter.Seq[Path], error) {
	if most > defaultMemory/bytesPerWave {
		return nil, pathTooLong(b, most, defaultMemory)
	}
	return func(yield func(Path) bool) {
		for path, err := range b.Paths(context.Background(), options) { // a caller who has enough paths leaves the loop
			if err != nil {
				panic(fmt.Sprintf("castle: %v", err)) // a bug: the bound on the waves does not hold
			}
			if !yield(path.Clone()) {
				return
			}
		}
	}, nil
}

type pathSearch struct {
	battle                 Battle
	ctx                    context.Context
	options                PathOptions
	yield                  func(Path, error) bool
	minSoldiers, minCastle int64
	path                   Path
	looked                 int64
	maxWaves               int64
}

func (p *pathSearch) outOfMemory(waves int64) error {
	return pathTooLong(p.battle, uint64(waves), p.maxWaves*bytesPerWave)
}

func pathTooLong(b Battle, waves uint64, limit int64) error {
	estimate := new(big.Int).SetUint64(waves)
	return &OutOfMemoryError{"listing a path", b, estimate.Mul(estimate, big.NewInt(bytesPerWave)), big.NewInt(limit)}
}

// run walks the tree of orders depth first. The current path serves as the stack, so a path may have millions of
// waves. Invariant: forks[w] holds the orders still to be tried in States[w], so forks is longer than the moves by
// one.
func (p *pathSearch) run() error {
	type fork struct{ next, high int64 }
	open := func(s State) fork {
		low, high := s.moves()
		return fork{low, high}
	}
	forks := []fork{open(p.battle.start())}
	for len(forks) > 0 {
		at := &forks[len(forks)-1]
		if at.next > at.high {
			if forks = forks[:len(forks)-1]; len(forks) > 0 {
				p.retract()
			}
			continue
		}
		if err := p.look(); err != nil {
			return err
		}
		next, winner := p.battle.step(p.path.States[len(forks)-1], at.next)
		p.path.Moves, p.path.States = append(p.path.Moves, at.next), append(p.path.States, next)
		at.next++
		if winner == Undecided && p.leadsToWanted(next) {
			forks = append(forks, open(next))
			continue
		}
		if winner != Undecided && p.wanted(winner) {
			p.path.Winner = winner
			if !p.yield(p.path, nil) {
				return nil
			}
		}
		p.retract()
	}
	return nil
}

// look counts a move that the search examines. If look returns an error, the search ends.
func (p *pathSearch) look() error {
	if p.looked++; p.options.MaxMoves > 0 && p.looked > p.options.MaxMoves {
		return &TooManyMovesError{p.battle, p.options.MaxMoves}
	}
	if waves := p.path.Waves() + 1; waves > p.maxWaves {
		return p.outOfMemory(waves)
	}
	if p.looked%1024 == 0 {
		return canceled.Cause(p.ctx)
	}
	return nil
}

// retract removes the last move of the current path.
func (p *pathSearch) retract() {
	p.path.Moves, p.path.States = p.path.Moves[:len(p.path.Moves)-1], p.path.States[:len(p.path.States)-1]
}

// wanted reports whether the current path, which ends with the given winner, is one of the chosen paths.
func (p *pathSearch) wanted(winner Winner) bool {
	if p.options.Side != Undecided && winner != p.options.Side {
		return false
	}
	if !p.options.Minimum {
		return true
	}
	waves := p.path.Waves()
	return winner == Soldiers && waves == p.minSoldiers || winner == Castle && waves == p.minCastle
}

// leadsToWanted reports whether a continuation of the current path from s is wanted.
func (p *pathSearch) leadsToWanted(s State) bool {
	side, minimum := p.options.Side, p.options.Minimum
	if side == Undecided && !minimum {
		return true
	}
	played := p.path.Waves()
	soldiers := side != Castle && side != Tie && finishesWithin(played, p.battle.soldiersFrom(s), p.minSoldiers)
	castle := side != Soldiers && side != Tie && finishesWithin(played, p.battle.castleFrom(s), p.minCastle)
	// In a tie all soldiers shoot at the fresh defenders in wave 2.
	tie := side == Tie && played == 1 && p.battle.DefendersPerWave == s.Soldiers
	return soldiers || castle || tie
}

// finishesWithin reports whether a side can finish in the wave limit if it needs more further waves. more is 0 if the
// side cannot win, and limit is 0 if any wave will do.
func finishesWithin(played, more, limit int64) bool {
	return more != 0 && (limit == 0 || played+more <= limit)
}

// Node is a state in the tree of all legal paths.
type Node struct {
	State    State   `json:"state"`
	Move     int64   `json:"move"`     // the orders that led here; meaningless at the root
	Winner   Winner  `json:"winner"`   // Undecided except at leaves
	Children []*Node `json:"children"` // in increasing order of Move
}

// Tree returns the tree of all legal paths of a small battle. It returns an error if the tree would have more than
// maxNodes nodes.
func (b Battle) Tree(maxNodes int) (*Node, error) {
	if err := cmp.Or(b.Validate(), valid.Natural("most nodes", maxNodes)); err != nil {
		return nil, err
	}
	root := &Node{State: b.start()}
	nodes := 1
	var grow func(*Node) error
	grow = func(node *Node) error {
		low, high := node.State.moves()
		for i := low; i <= high; i++ {
			if nodes++; nodes > maxNodes {
				return fmt.Errorf("tree of %v: more than %d nodes; raise the limit or use a smaller battle", b,
					maxNodes)
			}
			next, winner := b.step(node.State, i)
			child := &Node{State: next, Move: i, Winner: winner}
			node.Children = append(node.Children, child)
			if winner != Undecided {
				continue
			}
			if err := grow(child); err != nil {
				return err
			}
		}
		return nil
	}
	if err := grow(root); err != nil {
		return nil, err
	}
	return root, nil
}

// Orders holds the soldiers' next orders: AtDefenders of them shoot at defenders and the rest at the castle, for up to
// Waves waves in a row. Waves below 1 means 1.
//
// More than one wave makes sense only if the waves repeat: every defender is shot and only the castle changes. A line
// then plays all of them in one stride, so a battle of 10^18 waves costs no more than a short one.
type Orders struct {
	AtDefenders int64 `json:"at_defenders"`
	Waves       int64 `json:"waves"`
	// Err, if not nil, is the reason why the strategy has no orders; for example, a reader's program may fail. The line
	// ends with it.
	Err error `json:"-"`
}

// Strategy gives the soldiers' orders in an undecided state at the start of wave number wave (1 is the first).
type Strategy func(wave int64, s State) Orders

func (s Strategy) validate() error {
	if s == nil {
		return errors.New("strategy = nil: give a function that returns the soldiers' orders")
	}
	return nil
}

// Run is a stretch of equal waves in a line of play: in each of the waves First to Last, AtDefenders of the
// soldiers shot at defenders and AtCastle at the castle. End is the state after wave Last.
type Run struct {
	First       int64  `json:"first"`
	Last        int64  `json:"last"`
	AtDefenders int64  `json:"at_defenders"`
	AtCastle    int64  `json:"at_castle"`
	End         State  `json:"end"`
	Winner      Winner `json:"winner"` // Undecided except in the last run of a line
}

// Result describes how a line of play ends.
type Result struct {
	Winner       Winner `json:"winner"`
	Waves        int64  `json:"waves"` // the wave that decides the battle; for a tie the wave that repeats
	SoldiersLeft int64  `json:"soldiers_left"`
}

// Runs plays the battle with the strategy and yields it lazily as runs of equal waves. It ends with the run that
// decides the battle or repeats a state, and panics if the strategy gives an illegal order. RunsOrError is for a
// strategy that may fail.
func (b Battle) Runs(strategy Strategy) iter.Seq[Run] {
	b.must()
	refuse(strategy.validate())
	return func(yield func(Run) bool) {
		for run, err := range b.RunsOrError(strategy) {
			refuse(err)
			if !yield(run) {
				return
			}
		}
	}
}

// RunsOrError yields the runs of a line of play as Runs does. If the strategy fails or gives an order that is not
// legal, it yields the error and ends. If the battle is invalid, it yields only the error of Validate.
func (b Battle) RunsOrError(strategy Strategy) iter.Seq2[Run, error] {
	return func(yield func(Run, error) bool) {
		if err := cmp.Or(b.Validate(), strategy.validate()); err != nil {
			yield(Run{}, err)
			return
		}
		state, wave, winner := b.start(), int64(0), Undecided
		for winner == Undecided {
			run := Run{First: wave + 1, AtCastle: state.Soldiers}
			var err error
			run.AtDefenders, run.Last, run.End, run.Winner, err = b.stride(strategy, wave+1, state)
			run.AtCastle -= run.AtDefenders
			if !yield(run, err) || err != nil {
				return
			}
			state, wave, winner = run.End, run.Last, run.Winner
		}
	}
}

// stride plays a run of equal waves that begins with the given wave. It returns the orders and the last wave, the state
// after it, and the winner. It returns an error if the strategy gives no order or an order that is not legal.
func (b Battle) stride(strategy Strategy, wave int64, s State) (
	atDefenders, last int64, end State, winner Winner, err error,
) {
	orders := strategy(wave, s)
	if orders.Err != nil {
		return 0, wave, s, Undecided, orders.Err
	}
	if s.illegal(orders.AtDefenders) != nil {
		return 0, wave, s, Undecided, &OrderError{b, wave, s, orders.AtDefenders}
	}
	end, winner = b.step(s, orders.AtDefenders)
	if winner == Undecided && orders.Waves > 1 {
		extra := repeats(s, end, orders)
		wave += extra
		end.CastleHits -= extra * (s.Soldiers - orders.AtDefenders)
	}
	return orders.AtDefenders, wave, end, winner, nil
}

// repeats returns for how many more waves the orders only take the same number of hits from a castle that still stands
// afterwards.
func repeats(before, after State, orders Orders) int64 {
	hits := before.CastleHits - after.CastleHits
	if hits <= 0 || before.Soldiers != after.Soldiers || before.Defenders != after.Defenders {
		return 0
	}
	return max(0, min(orders.Waves-1, (after.CastleHits-1)/hits))
}

// Wave is one wave of a line of play. Number 0 is the start, with no shots.
type Wave struct {
	Number      int64  `json:"wave"`
	AtDefenders int64  `json:"at_defenders"`
	AtCastle    int64  `json:"at_castle"`
	State       State  `json:"state"` // the state at the end of the wave
	Winner      Winner `json:"winner"`
}

// Waves plays the battle with the strategy and lazily yields the start and then every wave. It panics in the same cases
// as Runs.
func (b Battle) Waves(strategy Strategy) iter.Seq[Wave] {
	runs := b.Runs(strategy)
	return func(yield func(Wave) bool) {
		if !yield(Wave{State: b.start()}) {
			return
		}
		for run := range runs {
			wave := Wave{AtDefenders: run.AtDefenders, AtCastle: run.AtCastle, State: run.End}
			for wave.Number = run.First; wave.Number <= run.Last; wave.Number++ {
				wave.State.CastleHits = run.End.CastleHits + (run.Last-wave.Number)*run.AtCastle
				if wave.Number == run.Last {
					wave.Winner = run.Winner
				}
				if !yield(wave) {
					return
				}
			}
		}
	}
}

// Folded joins consecutive runs in which only the castle changes. A strategy may give its orders wave by wave.
func Folded(runs iter.Seq[Run]) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		var last Run
		for run := range runs {
			same := run.AtDefenders == last.AtDefenders && run.AtCastle == last.AtCastle &&
				run.End.Soldiers == last.End.Soldiers && run.End.Defenders == last.End.Defenders
			switch {
			case last.Last == 0:
			case same:
				run.First = last.First
			case !yield(last):
				return
			}
			last = run
		}
		if last.Last > 0 {
			yield(last)
		}
	}
}

// Play plays the battle to its end with the given strategy, however many waves that takes. It panics if the strategy
// gives an illegal order. The strategies of this package play equal waves in one stride. Use PlayWithin for your own
// strategy, which may give its orders wave by wave in a battle of 10^15 waves.
func (b Battle) Play(strategy Strategy) Result {
	b.must()
	result, err := b.PlayWithin(context.Background(), strategy, Effort{})
	refuse(err)
	return result
}

// OrderError is the error for a strategy that gives an order against the rules.
type OrderError struct {
	Battle      Battle `json:"battle"`
	Wave        int64  `json:"wave"`
	State       State  `json:"state"` // the state at the start of the wave
	AtDefenders int64  `json:"at_defenders"`
}

func (e *OrderError) Error() string {
	return fmt.Sprintf("battle %v, wave %d: %v", e.Battle, e.Wave, e.State.illegal(e.AtDefenders))
}

// PlayWithin plays the battle with the strategy as Play does, but stops when the context is done or after effort.Steps
// runs of equal waves. Its error is a *LimitError, an *OrderError, the strategy's own error, the context's error, or
// the error of Validate.
func (b Battle) PlayWithin(ctx context.Context, strategy Strategy, effort Effort) (Result, error) {
	if err := cmp.Or(b.Validate(), strategy.validate(), effort.Validate()); err != nil {
		return Result{}, err
	}
	state, wave, winner := b.start(), int64(0), Undecided
	for played := int64(1); ; played++ {
		var err error
		if _, wave, state, winner, err = b.stride(strategy, wave+1, state); err != nil {
			return Result{}, err
		}
		if winner != Undecided {
			return Result{winner, wave, state.Soldiers}, nil
		}
		if played == effort.Steps {
			return Result{}, &LimitError{b, effort.Steps}
		}
		if played%(1<<14) == 0 && ctx.Err() != nil {
			return Result{}, canceled.Cause(ctx)
		}
	}
}
