package tower

import (
	"math"
	"math/big"
	"math/bits"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
)

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
