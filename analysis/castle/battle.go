package castle

import "fmt"

// Battle is a castle game before its first wave.
//
// All three numbers are positive; the whole int64 range is allowed.
type Battle struct {
	Soldiers         int64 // n, the soldiers that attack
	CastleHits       int64 // s, the hits that the castle can take
	DefendersPerWave int64 // d, the defenders that a standing castle sends out after each wave
}

// New returns the battle (n, s, d), or an error that names the first number that is not positive.
func New(soldiers, castleHits, defendersPerWave int64) (Battle, error) {
	b := Battle{soldiers, castleHits, defendersPerWave}
	return b, b.Validate()
}

// Validate returns an error unless all three numbers are positive. Every function of this package that takes
// a Battle expects a valid one.
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
	return State{Soldiers: b.Soldiers, CastleHits: b.CastleHits}
}

// Case is the row of the posts' table that a battle belongs to.
type Case int8

// The cases. The posts leave s = 2n with d >= n in no case; it belongs to 2d.
const (
	Case1  Case = iota + 1 // s <= n: the castle falls in the first wave
	Case2a                 // s > n, d < n: the soldiers win
	Case2b                 // n < s < 2n, d >= n, s + d < (φ+1)n: the soldiers win
	Case2c                 // n < s < 2n, d >= n, s + d > (φ+1)n: the soldiers cannot win
	Case2d                 // s >= 2n, d >= n: the soldiers cannot win
)

// String returns the posts' name of the case: 1, 2a, 2b, 2c or 2d.
func (c Case) String() string {
	names := [...]string{Case1: "1", Case2a: "2a", Case2b: "2b", Case2c: "2c", Case2d: "2d"}
	if c < Case1 || c > Case2d {
		return fmt.Sprintf("Case(%d)", int8(c))
	}
	return names[c]
}

// Winner says how a battle, or a line of play, ends.
type Winner int8

// The outcomes. A tie is a wave that ends in the state in which it started; it is not a way to win.
const (
	Undecided Winner = iota
	Soldiers
	Castle
	Tie
)

// String returns undecided, soldiers, castle or tie.
func (w Winner) String() string {
	switch w {
	case Undecided:
		return "undecided"
	case Soldiers:
		return "soldiers"
	case Castle:
		return "castle"
	case Tie:
		return "tie"
	}
	return fmt.Sprintf("Winner(%d)", int8(w))
}
