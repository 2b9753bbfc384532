package tower

// lattice is all multisets of remaining hits of at most t towers with at most h hits each, and what one hit makes of
// each.
//
// A multiset is written as b_1 >= b_2 >= ... >= b_h, where b_v is the number of towers with v hits or more left. In the
// lexicographic order of these sequences the multisets with a given number of standing towers, b_1, are neighbours, and
// a hit leads to an earlier one. Its number is known without a search: a hit at a tower with exactly v hits lowers b_v
// by 1, and so the multiset's number by C(b_v + h - v - 1, h - v).
type lattice struct {
	hits   int // h
	size   int
	blocks []int   // the multisets with s standing towers are blocks[s]..blocks[s+1]-1; multiset 0 has none
	edges  []int32 // the edges of multiset i are edges[i]..edges[i+1]-1
	target []int32 // of an edge: the multiset after a hit
	towers []int32 // of an edge: how many towers the hit can be at
}

// latticeSize returns the number of multisets, C(t+h, h), or a number above limit if it is above limit.
func latticeSize(towers, hits, limit int64) int64 {
	small, large := min(towers, hits), max(towers, hits)
	if large > limit {
		return limit + 1
	}
	size := int64(1)
	for i := int64(1); i <= small; i++ {
		// C(large+i, i) = C(large+i-1, i-1) (large+i) / i. Once the limit, at most about 2^31, is passed, it stays so.
		size = size * (large + i) / i
		if size > limit {
			return limit + 1
		}
	}
	return size
}

// newLattice numbers the multisets of towers that can take so many hits each. There must be fewer than 2^31.
func newLattice(towers, hits int) *lattice {
	// step[m][n] = C(n+m-1, m): what lowering b_v = n, v = hits-m, takes from a number.
	step := make([][]int32, hits)
	for m := range step {
		step[m] = make([]int32, towers+1)
		for n := 1; n <= towers; n++ {
			if m == 0 {
				step[m][n] = 1
			} else {
				step[m][n] = step[m][n-1] + step[m-1][n]
			}
		}
	}
	l := &lattice{hits: hits, edges: []int32{0}}
	at := make([]int, hits+1) // b_1, ..., b_hits, and a 0
	for {
		if at[0] == len(l.blocks) {
			l.blocks = append(l.blocks, l.size)
		}
		for v, n := range at[:hits] {
			if n == 0 {
				break
			}
			if exactly := n - at[v+1]; exactly > 0 {
				l.target = append(l.target, int32(l.size)-step[hits-1-v][n])
				l.towers = append(l.towers, int32(exactly))
			}
		}
		l.size++
		l.edges = append(l.edges, int32(len(l.target)))
		if !advance(at[:hits], towers) {
			l.blocks = append(l.blocks, l.size)
			return l
		}
	}
}

// number returns the number of a multiset: groups of towers, strongest first. Lowering its b_v to 0, the last one
// first, takes C(b_v + h - v, h - v + 1) each.
func (l *lattice) number(groups []Group) int {
	number := int64(0)
	for v := int64(l.hits); v > 0; v-- {
		strong := int64(0) // b_v
		for _, group := range groups {
			if group.Hits >= v {
				strong += group.Towers
			}
		}
		if strong > 0 {
			number += latticeSize(strong-1, int64(l.hits)-v+1, int64(l.size))
		}
	}
	return int(number)
}

// advance turns a falling sequence into the next in lexicographic order, if there is one with numbers up to limit.
func advance(at []int, limit int) bool {
	for v := len(at) - 1; v >= 0; v-- {
		if v == 0 && at[0] < limit || v > 0 && at[v] < at[v-1] {
			at[v]++
			return true
		}
		at[v] = 0
	}
	return false
}
