// Package castle solves the castle game of the Castle Defense posts exactly.
//
// n soldiers attack a castle that takes s hits. In every wave each soldier shoots once, at the castle or at a defender;
// then each defender left kills one soldier; then a castle that still stands sends out d more defenders. The first wave
// meets no defenders. The soldiers win when the castle and all defenders are gone; the castle wins when all soldiers
// are gone.
//
// The rules are one function, [Battle.Step]. Everything else answers questions about them:
//
//   - who wins and how fast, for any positive int64 triple: [Battle.Solve], [Battle.MinWaves], whole maps at once by
//     [Battle.Staircase]
//   - the castle's fastest win, if the soldiers waste no shot but play into its hands: [Battle.FastestCastleWin]
//   - how long soldiers who cannot win hold out: [Battle.LongestResistance]; how many survive a fastest win:
//     [Battle.MostSurvivors]
//   - the posts' algorithms: [CastleFirst], [DefendersFirst], the closed form as printed, [Battle.Published]
//   - a table of all these algorithms, and of the searches with which they are compared: [Algorithms]; [Answer.Verdict]
//     compares their answers with the exact ones
//   - how often each algorithm is right on a whole grid: [NewSurvey]
//   - every legal path, one at a time: [Battle.Paths]; their number by side and wave, without walking them:
//     [Battle.Count]
//   - who wins, and how fast, if soldiers fire several shots, defenders kill several soldiers, and reinforcements
//     change from wave to wave: [GeneralBattle.Solve]
//
// Lines of play are computed lazily: [Battle.Waves] yields a battle wave by wave; [Battle.Runs] combines equal waves,
// so that a battle of 10^18 waves is no harder than a short one.
//
// Work that can take long has a context. When the context is done, the error wraps context.Canceled or
// context.DeadlineExceeded, and the cause if the context was canceled with one (see context.WithCancelCause).
//
// # How far it can be trusted
//
// The closed form, the castle's side, resistance and survivors are proved in docs/derivations and agree with
// exhaustive search on every battle with n <= 40, s <= 120, d <= 60; the closed form agrees with big integers up to
// the edge of int64. Counts agree with a walk over every path for n <= 8, s <= 20, d <= 12. A survey agrees with a
// plain loop over all algorithms on n <= 12, s <= 60, d <= 30.
//
// Sources: Castle Defense I (heuristics), II (exhaustive search, counts), III (closed form); the game is TopCoder SRM
// 418, "Barracks".
package castle

import (
	"cmp"
	"fmt"
	"math"

	"github.com/siegebook/siegebook/analysis/internal/enum"
	"github.com/siegebook/siegebook/analysis/internal/valid"
)

// Battle is a castle game before its first wave.
//
// All three numbers are positive; the whole int64 range is allowed.
type Battle struct {
	Soldiers         int64 `json:"soldiers"`           // n, the soldiers that attack
	CastleHits       int64 `json:"castle_hits"`        // s, the hits that the castle can take
	DefendersPerWave int64 `json:"defenders_per_wave"` // d, the defenders that a standing castle sends out after each wave
}

// Validate returns an error unless all three numbers are positive; the error names the first number that is not. Other
// methods of an invalid battle return this error, or panic with it if they return no error. String prints any battle.
func (b Battle) Validate() error {
	return cmp.Or(
		valid.Positive("soldiers", b.Soldiers), valid.Positive("castle hits", b.CastleHits),
		valid.Positive("defenders per wave", b.DefendersPerWave),
	)
}

// String returns "(n, s, d)".
func (b Battle) String() string {
	return fmt.Sprintf("(%d, %d, %d)", b.Soldiers, b.CastleHits, b.DefendersPerWave)
}

// Start returns the state before the first wave. The attack is a surprise: no defender is out yet.
func (b Battle) Start() State {
	b.must()
	return b.start()
}

func (b Battle) start() State { return State{Soldiers: b.Soldiers, CastleHits: b.CastleHits} }

// Case is the row of the posts' table to which a battle belongs.
type Case int8

// These are the cases. The posts assign s = 2n with d >= n to no case; here it belongs to 2d.
const (
	NoCase Case = iota
	Case1       // s <= n: the castle falls in the first wave
	Case2a      // s > n, d < n: the soldiers win
	Case2b      // n < s < 2n, d >= n, s + d < (φ+1)n: the soldiers win
	Case2c      // n < s < 2n, d >= n, s + d > (φ+1)n: the soldiers cannot win
	Case2d      // s >= 2n, d >= n: the soldiers cannot win
)

var cases = enum.New[Case]("case", "none", "1", "2a", "2b", "2c", "2d")

// String returns the posts' name of the case, 1, 2a, 2b, 2c or 2d, or none: the text that is also marshalled and read.
func (c Case) String() string                   { return cases.String(c) }
func (c Case) MarshalText() ([]byte, error)     { return cases.MarshalText(c) }
func (c *Case) UnmarshalText(text []byte) error { return cases.UnmarshalText(c, text) }

// Winner is the outcome of a battle or of a line of play.
type Winner int8

// These are the outcomes. A tie is a wave that ends in the state in which it started; it is not a way to win.
const (
	Undecided Winner = iota
	Soldiers
	Castle
	Tie
)

var winners = enum.New[Winner]("winner", "undecided", "soldiers", "castle", "tie")

// Winners returns the outcomes, Undecided first.
func Winners() []Winner { return winners.All() }

// String returns undecided, soldiers, castle or tie: the text that is also marshalled and read.
func (w Winner) String() string                   { return winners.String(w) }
func (w Winner) MarshalText() ([]byte, error)     { return winners.MarshalText(w) }
func (w *Winner) UnmarshalText(text []byte) error { return winners.UnmarshalText(w, text) }

// State is the state between two waves. The posts list it at the end of one wave and at the start of the next.
//
// Defenders counts all defenders in the field, old and fresh. It is unsigned because it can exceed int64: up to n-1
// old defenders and 2^63-1 fresh ones.
type State struct {
	Soldiers   int64  `json:"soldiers"`
	Defenders  uint64 `json:"defenders"`
	CastleHits int64  `json:"castle_hits"`
}

// String returns "N=10 S=1 D=15".
func (s State) String() string {
	return fmt.Sprintf("N=%d S=%d D=%d", s.Soldiers, s.CastleHits, s.Defenders)
}

// Moves returns the legal orders in the state: any number i of soldiers from low to high may shoot at defenders, and
// the other soldiers shoot at the castle. An order is legal if 0 <= i <= min(N, D) and it wastes no shot: the castle
// gets more shots than it can take only if every defender is shot, i = D.
//
// A legal order always exists. Moves panics unless the state is undecided (soldiers alive, castle or defenders left).
func (s State) Moves() (low, high int64) {
	s.must()
	return s.moves()
}

func (s State) moves() (low, high int64) {
	high = min(s.Soldiers, clampInt64(s.Defenders))
	// N - i <= S, unless i = D: if every order wastes shots, i = D is the only legal one.
	return min(max(0, s.Soldiers-s.CastleHits), high), high
}

// Step plays one wave: atDefenders of the soldiers shoot one defender each, and the others hit the castle; then each
// defender left kills a soldier; then a castle that still stands sends out its defenders.
//
// It returns the state at the end of the wave, and the winner. When the castle wins, the state has 0 soldiers and no
// fresh defenders, as the posts list a lost battle. It returns Tie if the wave changed nothing. The rules are written
// only here: everything else in this package calls Step or is tested against it.
//
// Step panics unless the battle is valid, the state undecided, and the order one of s.Moves().
func (b Battle) Step(s State, atDefenders int64) (State, Winner) {
	b.must()
	s.must()
	refuse(s.illegal(atDefenders))
	return b.step(s, atDefenders)
}

// illegal returns an error unless atDefenders is one of s.Moves().
func (s State) illegal(atDefenders int64) error {
	if low, high := s.moves(); atDefenders < low || atDefenders > high {
		return fmt.Errorf("%d of the soldiers cannot shoot at defenders in %v: use %d to %d",
			atDefenders, s, low, high)
	}
	return nil
}

// step implements Step. The order must be legal.
func (b Battle) step(s State, atDefenders int64) (State, Winner) {
	left := s.Defenders - uint64(atDefenders)
	hits := max(0, s.CastleHits-(s.Soldiers-atDefenders))
	if hits == 0 && left == 0 {
		return State{Soldiers: s.Soldiers}, Soldiers
	}
	if left >= uint64(s.Soldiers) {
		return State{Defenders: left, CastleHits: hits}, Castle
	}
	next := State{Soldiers: s.Soldiers - int64(left), Defenders: left, CastleHits: hits}
	if hits > 0 {
		next.Defenders += uint64(b.DefendersPerWave) // at most 2^64 - 3, because left < n
	}
	if next == s {
		return next, Tie
	}
	return next, Undecided
}

func clampInt64(u uint64) int64 {
	return int64(min(u, 1<<63-1))
}

// No method computes with invalid values. A method that returns an error returns the error of Validate. Any other
// method calls one of the functions below, which panic with a line that names the value and the rule. These functions
// are small enough for the compiler to inline. If a method is called for each wave of a line, it also has an unchecked
// form, whose name begins with a lower-case letter.

// must panics unless the battle is valid.
func (b Battle) must() {
	if b.Soldiers < 1 || b.CastleHits < 1 || b.DefendersPerWave < 1 {
		b.refuse()
	}
}

//go:noinline
func (b Battle) refuse() { refuse(b.Validate()) }

// must panics unless the state is undecided.
func (s State) must() {
	if s.Soldiers < 1 || s.CastleHits < 0 || s.CastleHits == 0 && s.Defenders == 0 {
		s.refuse()
	}
}

//go:noinline
func (s State) refuse() {
	refuse(fmt.Errorf("state %v: must be undecided, with 1 soldier or more, and a castle or defenders", s))
}

// must panics unless Solve could have returned the solution.
func (s Solution) must() {
	s.Battle.must()
	mustFall(s.Battle, s.Winner, s.FallWave, s.MinWaves)
}

// mustFall panics if the soldiers win and the castle does not fall in wave 1 or later, and no later than they win.
func mustFall(battle any, winner Winner, fallWave, minWaves int64) {
	if winner == Soldiers && (fallWave < 1 || minWaves < fallWave) {
		refuse(fmt.Errorf("solution of %v: the castle must fall in wave 1 or later, and no later than the soldiers "+
			"win; use a solution that Solve returned", battle))
	}
}

// must panics unless an algorithm could have returned the answer.
func (a Answer) must() {
	if a.Winner < 0 || a.Winner > Tie || a.Waves < 0 || a.SoldiersLeft < 0 {
		a.refuse()
	}
}

//go:noinline
func (a Answer) refuse() { refuse(a.validate()) }

func (a Answer) validate() error {
	return cmp.Or(
		winners.Validate(a.Winner), valid.Natural("waves", a.Waves), valid.Natural("soldiers left", a.SoldiersLeft),
	)
}

// mustBeIn panics unless battle and state are valid, and the state has at most as many soldiers and castle hits as the
// battle. Once there are defenders, soldiers and hits add up to at most 2^63-1, because in the first wave each soldier
// hit the castle.
func (s State) mustBeIn(b Battle) {
	b.must()
	s.must()
	switch {
	case s.Soldiers > b.Soldiers || s.CastleHits > b.CastleHits:
		refuse(fmt.Errorf("state %v: must not have more soldiers or castle hits than the battle %v", s, b))
	case s.Defenders > 0 && s.CastleHits > math.MaxInt64-s.Soldiers:
		refuse(fmt.Errorf("state %v: must not have defenders, because soldiers and castle hits add up to more "+
			"than %d, so no wave has passed", s, int64(math.MaxInt64)))
	}
}

// refuse panics with err unless it is nil.
func refuse(err error) { valid.Refuse("castle", err) }
