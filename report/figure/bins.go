package figure

import (
	"math"
	"sort"
)

// maxBins is how many steps of the ordered palette the eye still tells apart.
const maxBins = 12

// maxValue bounds ordered values; up to it float64 is exact, and an int of 32 bits has room for differences.
const maxValue = min(1_000_000_000_000_000, math.MaxInt/2)

// bin is a range of ordered values, both ends included; they are the least and the greatest value that occur in it.
type bin struct{ lo, hi int }

func (b bin) short() string {
	if b.lo == b.hi {
		return count(b.lo)
	}
	return count(b.lo) + "–" + count(b.hi)
}

// bins groups ascending distinct values into at most limit >= 12 ranges: each by itself if they are few enough, else by
// round upper ends. Values that start near zero keep single bins at the start, where a step matters most.
func bins(values []int, limit int) []bin {
	if len(values) <= limit {
		out := make([]bin, len(values))
		for i, v := range values {
			out[i] = bin{v, v}
		}
		return out
	}
	return group(values, upperEnds(values[0], values[len(values)-1], limit))
}

// upperEnds returns ascending ends of at most limit-1 ranges; what is above the last is one more.
func upperEnds(lo, hi, limit int) []int {
	var ends []int
	switch {
	case lo == 0: // there is one value more than places, so 7 shares its bin with 8
		ends = []int{0, 1, 2, 3, 4, 5, 6, 8, 12, 20, 50}
	case lo == 1 || lo == 2:
		ends = []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 20, 50}[lo-1:]
	case lo > 0 && hi/lo >= 50:
		for power := 1; power <= hi; power *= 10 {
			for _, m := range []int{1, 2, 5} {
				if e := m * power; e >= lo {
					ends = append(ends, e)
				}
			}
		}
	default:
		step := max(1, int(niceStep((float64(hi)-float64(lo))/float64(limit-2))))
		for e := floorTo(lo, step) + step - 1; e < hi; e += step {
			ends = append(ends, e)
		}
	}
	return ends[:min(len(ends), limit-1)]
}

// floorTo is the greatest multiple of step that is at most v.
func floorTo(v, step int) int {
	r := v % step
	if r < 0 {
		r += step
	}
	return v - r
}

// group cuts the values after the upper ends and leaves out what is empty.
func group(values, ends []int) []bin {
	var out []bin
	last := -1
	for _, v := range values {
		at := sort.SearchInts(ends, v)
		if at == last {
			out[len(out)-1].hi = v
			continue
		}
		out, last = append(out, bin{v, v}), at
	}
	return out
}
