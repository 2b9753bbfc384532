package tower

import "math"

// floats are masses in floating point. Sums and products of numbers that are not negative keep the relative error
// small: one rounding more on the way, one unit more. The conversions of products keep a compiler from joining a
// product and a sum, so that every machine gives the same result.
type floats []float64

func (m floats) take(from masses, low, high int) {
	for i, mass := range from.(floats)[low:high] {
		m[low+i] += mass
	}
}

// shoot walks the multisets upwards: a hit leads to an earlier multiset, so the masses that it moves are not moved
// again by the same shot.
func (m floats) shoot(l *lattice, reading Reading, towers int) {
	for standing := 1; standing <= towers; standing++ {
		among, missing := towers, towers-standing
		if reading == Sequential {
			among, missing = standing, 0
		}
		for i := l.blocks[standing]; i < l.blocks[standing+1]; i++ {
			if m[i] == 0 {
				continue
			}
			share := m[i] / float64(among)
			for e := l.edges[i]; e < l.edges[i+1]; e++ {
				m[l.target[e]] += float64(share * float64(l.towers[e]))
			}
			m[i] = share * float64(missing)
		}
	}
}

func (m floats) settle() {}

func (m floats) pay(low, high int, to *Probability) bool {
	sum := 0.0
	for _, mass := range m[low:high] {
		sum += mass
	}
	to.Float += sum
	return sum > 0
}

func (m floats) clear() { clear(m) }

func (m floats) certain(at int) { m[at] = 1 }

func noFloats(l *lattice) masses { return make(floats, l.size) }

// errorBound bounds the error of a probability that was computed with at most so many roundings on any way, by sums,
// products and quotients of numbers that are not negative, in so many operations: γ = n u / (1 - n u), u = 2^-53, is
// the relative error, and each operation can lose as much as the smallest number again by underflow. The bound itself
// is rounded up.
func errorBound(roundings, operations int64) float64 {
	nu := float64(roundings) * 0x1p-53
	if nu >= 0.5 {
		return 1
	}
	return math.Min(1, (nu/(1-nu)+float64(operations)*0x1p-1070)*(1+0x1p-40))
}
