package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// box is the battles with n, s and d from 1 to its limits. Searches go through it in the order n, s, d.
type box struct{ n, s, d int64 }

// wide is where most claims are checked.
var wide = box{30, 100, 60}

func (b box) ends() []int64 { return []int64{b.n, b.s, b.d} }

func (b box) sides() []chapter.Side {
	return []chapter.Side{{Name: "n", To: b.n}, {Name: "s", To: b.s}, {Name: "d", To: b.d}}
}

func (b box) String() string { return chapter.Range(b.sides()...) }

// each calls visit for every battle of the box until it returns false.
func (b box) each(visit func(game.Battle) bool) {
	for n := int64(1); n <= b.n; n++ {
		for s := int64(1); s <= b.s; s++ {
			for d := int64(1); d <= b.d; d++ {
				if !visit(game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}) {
					return
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

func castleWaves(b game.Battle) int64 {
	return b.CastleMinWaves()
}

func soldierWaves(b game.Battle) int64 {
	return b.MinWaves()
}
