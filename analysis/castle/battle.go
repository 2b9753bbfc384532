package castle

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/internal/enum"
)

// Battle is a castle game before its first wave.
//
// All three numbers are positive; the whole int64 range is allowed.
type Battle struct {
	Soldiers         int64 // n, the soldiers that attack
	CastleHits       int64 // s, the hits that the castle can take
	DefendersPerWave int64 // d, the defenders that a standing castle sends out after each wave
}

// Validate returns an error unless all three numbers are positive; it names the first that is not. Of a battle that is
// not valid the other methods return this error, or panic with it if they return none; String prints any.
func (b Battle) Validate() error {
	for _, field := range []struct {
		name  string
		value int64
	}{
		{"soldiers", b.Soldiers},
		{"castle hits", b.CastleHits},
		{"defenders per wave", b.DefendersPerWave},
	} {
		if field.value < 1 {
			return fmt.Errorf("%s = %d: must be a positive whole number, use 1 or more", field.name, field.value)
		}
	}
	return nil
}

// String returns "(n, s, d)".
func (b Battle) String() string {
	return fmt.Sprintf("(%d, %d, %d)", b.Soldiers, b.CastleHits, b.DefendersPerWave)
}

// Start returns the state before the first wave: the attack is a surprise, no defender is out yet.
func (b Battle) Start() State {
	b.must()
	return b.start()
}

func (b Battle) start() State { return State{Soldiers: b.Soldiers, CastleHits: b.CastleHits} }

// Case is the row of the posts' table that a battle belongs to.
type Case int8

// The cases. The posts leave s = 2n with d >= n in no case; it belongs to 2d.
const (
	NoCase Case = iota
	Case1       // s <= n: the castle falls in the first wave
	Case2a      // s > n, d < n: the soldiers win
	Case2b      // n < s < 2n, d >= n, s + d < (φ+1)n: the soldiers win
	Case2c      // n < s < 2n, d >= n, s + d > (φ+1)n: the soldiers cannot win
	Case2d      // s >= 2n, d >= n: the soldiers cannot win
)

var cases = enum.New[Case]("case", "none", "1", "2a", "2b", "2c", "2d")

// Cases returns the cases in the order of the posts' table.
func Cases() []Case { return cases.All()[1:] }

// String returns the posts' name of the case, 1, 2a, 2b, 2c or 2d, or none: the text that is also marshalled and read.
func (c Case) String() string                   { return cases.String(c) }
func (c Case) MarshalText() ([]byte, error)     { return cases.MarshalText(c) }
func (c *Case) UnmarshalText(text []byte) error { return cases.UnmarshalText(c, text) }

// Winner says how a battle, or a line of play, ends.
type Winner int8

// The outcomes. A tie is a wave that ends in the state in which it started; it is not a way to win.
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
