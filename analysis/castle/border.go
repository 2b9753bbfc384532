package castle

import (
	"fmt"
	"math/big"

	"github.com/siegebook/siegebook/analysis/phi"
)

// SmallestCastle returns the fewest hits with which a castle that sends out d defenders a wave can win against n
// soldiers under the no-waste rule: it can win exactly with that many hits or more. The result may be beyond int64,
// and then no valid [Battle] of n and d can be won by the castle. O(log n) time, exact for all positive n and d; it
// panics for others.
//
// Thrift begins in wave u + 1 (see FastestCastleWin), with u the least number for which that is early enough:
//
//	n - du(u-1)/2 - ed < φ (ud - e),   e = 1 for d >= 2, e = 0 for d = 1.
//
// For d = 1 a fall in that wave has to win the hunt; for d >= 2 the castle has to win by keeping its last hit. Proof in
// docs/derivations/castle-side.md.
func SmallestCastle(n, d int64) *big.Int {
	if n < 1 || d < 1 {
		refuse(fmt.Errorf("the smallest castle for n = %d soldiers, d = %d defenders per wave: both must be 1 or more", n, d))
	}
	early := func(u int64) bool {
		soldiers, enough := thriftIn(n, d, u)
		return soldiers < 1 || enough <= uint64(u)*uint64(d)
	}
	low, high := int64(0), int64(1) // early(1 << 32 + 1) is true: no soldiers are left then
	for !early(high) {
		low, high = high, min(2*high, 1<<32+1)
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; early(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	soldiers, enough := thriftIn(n, d, high)
	hits := uint64(1)
	if defenders := uint64(high) * uint64(d); uint64(soldiers)+enough > defenders+1 {
		hits = uint64(soldiers) + enough - defenders
	}
	u := big.NewInt(high)
	saved := new(big.Int).SetUint64(uint64(d) * triangle(high-1)) // the dead at the start of wave u
	saved.Mul(saved, u).Div(saved, big.NewInt(3))
	lost := u.Mul(u, big.NewInt(n))
	return lost.Sub(lost, saved).Add(lost, new(big.Int).SetUint64(hits))
}

// thriftIn returns the soldiers at the start of wave u + 1 if all have shot at the castle until then, 0 if none are
// left, and how many defenders a fall in that wave has to leave if the castle is to win.
func thriftIn(n, d, u int64) (soldiers int64, enough uint64) {
	if mulCmp(uint64(d), triangle(u), uint64(n)) >= 0 {
		return 0, 0
	}
	soldiers = n - d*int64(triangle(u))
	if d == 1 {
		return soldiers, phi.FloorDiv(uint64(soldiers)) + 1
	}
	if soldiers < d {
		return soldiers, 1
	}
	return soldiers, phi.FloorDiv(uint64(soldiers-d)) + 2
}
