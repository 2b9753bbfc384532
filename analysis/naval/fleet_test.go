package naval

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
)

// TestNoShip: what is no ship on the board has no cells, and a fleet of such ships neither.
func TestNoShip(t *testing.T) {
	for _, s := range must.Table[Ship](t, tables, "TestNoShip") {
		if s.Cells() != (Cells{}) || s.Zone() != (Cells{}) {
			t.Errorf("%+v: cells %v, zone %v", s, s.Cells().Count(), s.Zone().Count())
		}
	}
	if n := new(Fleet).Cells().Count(); n != 0 {
		t.Errorf("an empty fleet has %d cells", n)
	}
}

// TestBerths compares places and their order with the slow version's.
func TestBerths(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		free := Cells{rapid.Uint64().Draw(t, "lo"), rapid.Uint64().Draw(t, "hi")}
		if rapid.Bool().Draw(t, "dense") {
			free = free.or(Cells{rapid.Uint64().Draw(t, "more"), rapid.Uint64().Draw(t, "more")})
		}
		free = free.and(board)
		for decks := 1; decks <= longest; decks++ {
			want := naivePlaces(decks, func(s spot) bool { return free.Has(At(s.x, s.y)) })
			b := berthsOf(free, decks)
			if b.count() != len(want) || countOf(free, decks) != len(want) {
				t.Fatalf("%d places for %d decks, or %d, want %d", b.count(), decks, countOf(free, decks), len(want))
			}
			covered := Cells{}
			for k, spots := range want {
				var cells Cells
				for _, s := range spots {
					cells = cells.or(single(At(s.x, s.y)))
				}
				if got := b.nth(k); got.Cells() != cells || got.index() != b.nthIndex(k) {
					t.Fatalf("place %d is %+v, with the index %d, want %v", k, got, b.nthIndex(k), spots)
				}
				covered = covered.or(cells)
			}
			if b.cells() != covered {
				t.Fatalf("%d decks cover %v, want %v", decks, b.cells(), covered)
			}
		}
	})
}

// TestStreams: streams of neighbouring numbers, seeds and purposes are not alike.
func TestStreams(t *testing.T) {
	seen := map[uint64]bool{}
	var c chance
	for seed := range uint64(20) {
		for purpose := range uint64(20) {
			for number := range uint64(20) {
				c.restart(seed, purpose, number)
				first := c.Uint64()
				if seen[first] {
					t.Fatalf("the stream of %d, %d, %d begins like another", seed, purpose, number)
				}
				seen[first] = true
			}
		}
	}
	// Neighbouring streams differ in about half of their bits.
	differ := 0
	for number := range uint64(1000) {
		var d chance
		c.restart(1, 1, number)
		d.restart(1, 1, number+1)
		differ += Cells{lo: c.Uint64() ^ d.Uint64()}.Count()
	}
	if differ < 31_000 || differ > 33_000 {
		t.Errorf("%d of 64000 bits differ", differ)
	}
}

// FuzzNthBit: the n-th set bit is that which a walk over the bits finds.
func FuzzNthBit(f *testing.F) {
	f.Add(uint64(1), uint64(0))
	f.Add(uint64(1)<<63, uint64(0))
	f.Add(^uint64(0), ^uint64(0))
	f.Add(uint64(0x8000000080000001), uint64(5))
	f.Fuzz(func(t *testing.T, lo, hi uint64) {
		s := Cells{lo, hi}
		k := 0
		for bit := range Cell(128) {
			if word := [2]uint64{lo, hi}[bit/64]; word>>(bit%64)&1 == 0 {
				continue
			}
			if got := s.nth(k); got != bit {
				t.Fatalf("bit %d of %x is %d, want %d", k, s, got, bit)
			}
			k++
		}
		if s.Count() != k {
			t.Fatalf("%d bits, want %d", s.Count(), k)
		}
	})
}
