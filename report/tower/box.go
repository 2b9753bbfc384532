package tower

import (
	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/chapter"
)

// box is the battles with all four numbers from 1 to its limits. Searches go through it in the order n, h, k, t.
type box struct{ n, h, k, t int64 }

// wide is where most claims are checked.
var wide = box{40, 8, 3, 12}

func (b box) ends() []int64 { return []int64{b.n, b.h, b.k, b.t} }

func (b box) sides() []chapter.Side {
	return []chapter.Side{{Name: "n", To: b.n}, {Name: "h", To: b.h}, {Name: "k", To: b.k}, {Name: "t", To: b.t}}
}

func (b box) String() string { return chapter.Range(b.sides()...) }

// each calls visit for every battle of the box until it returns false.
func (b box) each(visit func(game.Battle) bool) {
	for n := int64(1); n <= b.n; n++ {
		for h := int64(1); h <= b.h; h++ {
			for k := int64(1); k <= b.k; k++ {
				for t := int64(1); t <= b.t; t++ {
					if !visit(game.Battle{Soldiers: n, HitsPerTower: h, KillsPerTower: k, Towers: t}) {
						return
					}
				}
			}
		}
	}
}

// first returns the first battle of the box with a property.
func (b box) first(property func(game.Battle) bool) (game.Battle, bool) {
	return chapter.First(b.each, property)
}

// count returns how many battles of the box have a property.
func (b box) count(property func(game.Battle) bool) int { return chapter.Count(b.each, property) }

// ratio returns n/t and whether it is whole.
func ratio(b game.Battle) (r int64, whole bool) {
	return b.Soldiers / b.Towers, b.Soldiers%b.Towers == 0
}

// evenShots is what each tower can get by even spreading, r soldiers for each: r + (r-k) + (r-2k) + ...
func evenShots(r, k int64) int64 {
	all := int64(0)
	for ; r > 0; r -= k {
		all += r
	}
	return all
}

// wholeRatio is the least number of soldiers for each tower that wins by even spreading.
func wholeRatio(h, k int64) int64 {
	r := int64(1)
	for evenShots(r, k) < h {
		r++
	}
	return r
}
