package tower

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

// fractions are exact masses over a common denominator.
type fractions struct {
	num  []big.Int
	den  *big.Int
	used bool // there is a mass that is not 0
}

func (m *fractions) take(other masses, low, high int) {
	from := other.(*fractions)
	if !m.used {
		m.den.Set(from.den)
		for i := low; i < high; i++ {
			m.num[i].Set(&from.num[i])
		}
		m.used = true
		return
	}
	divisor := new(big.Int).GCD(nil, nil, m.den, from.den)
	mine, theirs := new(big.Int).Quo(from.den, divisor), new(big.Int).Quo(m.den, divisor)
	if mine.BitLen() > 1 {
		m.scale(mine)
	}
	part := new(big.Int)
	for i := low; i < high; i++ {
		if from.num[i].Sign() != 0 {
			m.num[i].Add(&m.num[i], part.Mul(&from.num[i], theirs))
		}
	}
}

// scale multiplies numerators and denominator.
func (m *fractions) scale(by *big.Int) {
	m.den.Mul(m.den, by)
	for i := range m.num {
		if m.num[i].Sign() != 0 {
			m.num[i].Mul(&m.num[i], by)
		}
	}
}

// shoot works like that of floats. The common denominator grows by a common multiple of the numbers of towers that the
// shot chooses among.
func (m *fractions) shoot(l *lattice, reading Reading, towers int) {
	multiple := big.NewInt(int64(towers))
	if reading == Sequential {
		multiple = m.commonMultiple(l, towers)
	}
	share, part, factor := new(big.Int), new(big.Int), new(big.Int)
	m.num[0].Mul(&m.num[0], multiple) // no tower left: nothing changes
	for standing := 1; standing <= towers; standing++ {
		among, missing := towers, towers-standing
		if reading == Sequential {
			among, missing = standing, 0
		}
		factor.Quo(multiple, part.SetInt64(int64(among)))
		for i := l.blocks[standing]; i < l.blocks[standing+1]; i++ {
			if m.num[i].Sign() == 0 {
				continue
			}
			share.Mul(&m.num[i], factor)
			for e := l.edges[i]; e < l.edges[i+1]; e++ {
				target := &m.num[l.target[e]]
				target.Add(target, part.Mul(share, part.SetInt64(int64(l.towers[e]))))
			}
			m.num[i].Mul(share, part.SetInt64(int64(missing)))
		}
	}
	m.den.Mul(m.den, multiple)
}

// commonMultiple returns the least common multiple of the numbers of standing towers that have a mass.
func (m *fractions) commonMultiple(l *lattice, towers int) *big.Int {
	multiple, divisor := big.NewInt(1), new(big.Int)
	for standing := 2; standing <= towers; standing++ {
		for i := l.blocks[standing]; i < l.blocks[standing+1]; i++ {
			if m.num[i].Sign() != 0 {
				s := big.NewInt(int64(standing))
				divisor.GCD(nil, nil, multiple, s)
				multiple.Mul(multiple, s.Quo(s, divisor))
				break
			}
		}
	}
	return multiple
}

// settle takes common factors out of the fractions.
func (m *fractions) settle() {
	divisor := new(big.Int).Set(m.den)
	for i := range m.num {
		if m.num[i].Sign() != 0 {
			divisor.GCD(nil, nil, divisor, &m.num[i])
		}
		if divisor.BitLen() == 1 {
			return
		}
	}
	m.den.Quo(m.den, divisor)
	for i := range m.num {
		if m.num[i].Sign() != 0 {
			m.num[i].Quo(&m.num[i], divisor)
		}
	}
}

func (m *fractions) pay(low, high int, to *Probability) bool {
	sum := new(big.Int)
	for i := low; i < high; i++ {
		sum.Add(sum, &m.num[i])
	}
	if to.Exact == nil {
		to.Exact = new(big.Rat)
	}
	to.Exact.Add(to.Exact, new(big.Rat).SetFrac(sum, m.den))
	return sum.Sign() > 0
}

func (m *fractions) clear() {
	for i := range m.num {
		m.num[i].SetInt64(0)
	}
	m.den.SetInt64(1)
	m.used = false
}

func (m *fractions) certain(at int) {
	m.num[at].SetInt64(1)
	m.used = true
}

func noFractions(l *lattice) masses {
	return &fractions{num: make([]big.Int, l.size), den: big.NewInt(1)}
}

// Uint128 is a whole number from 0 to 2^128 - 1: the hits or kills of all towers together outgrow 64 bits. The zero
// value is 0, and values can be compared with ==.
type Uint128 struct{ high, low uint64 }

// wide widens a number that is not negative.
func wide(a int64) Uint128 { return Uint128{low: uint64(a)} }

// mul multiplies two numbers that are not negative.
func mul(a, b int64) Uint128 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	return Uint128{high, low}
}

// add returns u + v, which must be below 2^128.
func (u Uint128) add(v Uint128) Uint128 {
	low, carry := bits.Add64(u.low, v.low, 0)
	high, _ := bits.Add64(u.high, v.high, carry)
	return Uint128{high, low}
}

// sub returns u - v, which must not be negative.
func (u Uint128) sub(v Uint128) Uint128 {
	low, borrow := bits.Sub64(u.low, v.low, 0)
	high, _ := bits.Sub64(u.high, v.high, borrow)
	return Uint128{high, low}
}

func (u Uint128) half() Uint128 { return Uint128{u.high >> 1, u.low>>1 | u.high<<63} }

func (u Uint128) less(v Uint128) bool {
	return u.high < v.high || u.high == v.high && u.low < v.low
}

// quoRem divides by a positive number.
func (u Uint128) quoRem(d int64) (quotient Uint128, remainder int64) {
	quotient.high, remainder = u.high/uint64(d), int64(u.high%uint64(d))
	low, rest := bits.Div64(uint64(remainder), u.low, uint64(d))
	quotient.low = low
	return quotient, int64(rest)
}

// Int64 returns the number if it fits in 63 bits; ok is false if it does not.
func (u Uint128) Int64() (number int64, ok bool) {
	return int64(u.low), u.high == 0 && u.low <= math.MaxInt64
}

// Big returns the number as a big integer.
func (u Uint128) Big() *big.Int { return exactjson.Big(u.high, u.low) }

// String returns the number in decimal digits: the text that is also marshalled and read.
func (u Uint128) String() string               { return u.Big().String() }
func (u Uint128) MarshalText() ([]byte, error) { return []byte(u.String()), nil }
func (u *Uint128) UnmarshalText(text []byte) error {
	high, low, err := exactjson.Words("number", text)
	if err == nil {
		*u = Uint128{high, low}
	}
	return err
}
