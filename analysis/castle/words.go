package castle

import (
	"math/big"
	"math/bits"
)

// words is an unsigned integer of fixed width, least significant word first. Counting starts with one word and doubles
// the width whenever the counts could exceed it, so the common case costs one addition.
type words interface {
	[1]uint64 | [2]uint64 | [4]uint64 | [8]uint64 | [16]uint64 | [32]uint64 | [64]uint64
}

// add adds b to a, modulo the width, and returns the carry.
func add[W words](a, b *W) (carry uint64) {
	for i := range len(*a) {
		(*a)[i], carry = bits.Add64((*a)[i], (*b)[i], carry)
	}
	return carry
}

// sub subtracts b from a, modulo the width.
func sub[W words](a, b *W) {
	var borrow uint64
	for i := range len(*a) {
		(*a)[i], borrow = bits.Sub64((*a)[i], (*b)[i], borrow)
	}
}

func isZero[W words](a *W) bool {
	for i := range len(*a) {
		if (*a)[i] != 0 {
			return false
		}
	}
	return true
}

// accumulator adds up numbers of the width W without overflow. It counts the carries beyond W in over. The sum of the
// factors of all additions, 1 for add and m for addTimes, must stay below 2^64. It does, because the factors count
// orders. There are fewer orders than states times soldiers, and all states are in memory.
type accumulator[W words] struct {
	sum  W
	over uint64
}

func (t *accumulator[W]) add(a *W) { t.over += add(&t.sum, a) }

// addTimes adds m·a.
func (t *accumulator[W]) addTimes(a *W, m uint64) {
	var carry, high uint64
	for i := range len(*a) {
		productHigh, productLow := bits.Mul64((*a)[i], m)
		var c uint64
		productLow, c = bits.Add64(productLow, high, 0)
		high = productHigh + c
		t.sum[i], carry = bits.Add64(t.sum[i], productLow, carry)
	}
	t.over += high + carry
}

// big returns the value and resets the accumulator to 0.
func (t *accumulator[W]) big() *big.Int {
	value := new(big.Int).SetUint64(t.sum[0])
	if t.over == 0 && len(t.sum) == 1 {
		*t = accumulator[W]{}
		return value
	}
	value.SetUint64(t.over)
	for i := len(t.sum) - 1; i >= 0; i-- {
		value.Lsh(value, 64)
		value.Or(value, new(big.Int).SetUint64(t.sum[i]))
	}
	*t = accumulator[W]{}
	return value
}

func (t *accumulator[W]) zero() bool { return t.over == 0 && isZero(&t.sum) }
