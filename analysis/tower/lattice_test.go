package tower

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// TestLattice compares with multisets in a map.
func TestLattice(t *testing.T) {
	for towers := 1; towers <= 5; towers++ {
		for hits := 1; hits <= 6; hits++ {
			l := newLattice(towers, hits)
			start := slices.Repeat([]int{hits}, towers)
			number := map[string]int{fmt.Sprint(start): l.size - 1}
			queue := [][]int{start}
			for len(queue) > 0 {
				list := queue[0]
				queue = queue[1:]
				i := number[fmt.Sprint(list)]
				if len(list) == 0 && i != 0 || i < l.blocks[len(list)] || i >= l.blocks[len(list)+1] {
					t.Fatalf("%v has the number %d, blocks %v", list, i, l.blocks)
				}
				edges := map[int]int{}
				for at, left := range list {
					after := slices.Clone(list)
					if after[at]--; left == 1 {
						after = slices.Delete(after, at, at+1)
					}
					slices.Sort(after)
					key := fmt.Sprint(after)
					if _, seen := number[key]; !seen {
						number[key] = int(numberOf(after, hits))
						queue = append(queue, after)
					}
					edges[number[key]]++
				}
				for e := l.edges[i]; e < l.edges[i+1]; e++ {
					if edges[int(l.target[e])] != int(l.towers[e]) {
						t.Errorf("%v: %d towers lead to %d, want %d", list, l.towers[e], l.target[e], edges[int(l.target[e])])
					}
					delete(edges, int(l.target[e]))
				}
				if len(edges) > 0 {
					t.Errorf("%v: no edges to %v", list, edges)
				}
			}
			if len(number) != l.size || int64(l.size) != latticeSize(int64(towers), int64(hits), 1<<30) {
				t.Errorf("%d towers of %d hits: %d multisets, want %d", towers, hits, l.size, len(number))
			}
		}
	}
	if got := latticeSize(math.MaxInt64, math.MaxInt64, 1<<30); got <= 1<<30 {
		t.Errorf("latticeSize = %d", got)
	}
}

// numberOf counts the multisets before one in the order of the lattice.
func numberOf(list []int, hits int) int64 {
	number, rest := int64(0), len(list)
	for v := 1; v <= hits; v++ { // rest towers have v hits or more
		for n := range rest {
			number += latticeSize(int64(n), int64(hits-v), 1<<30)
		}
		for rest > 0 && list[len(list)-rest] == v {
			rest--
		}
	}
	return number
}
