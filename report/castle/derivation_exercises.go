package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/phi"
)

// exerciseNumbers are what the exercises ask for, and their answers.
func exerciseNumbers() numbers {
	const army, strength = 100, 1000
	most := int64(phi.FloorDiv(army))
	longest, _ := huntWaves(army, most)
	m := numbers{
		"army": army, "most": most, "longest": longest, "beyond": most + 1,
		"form": form(army, most), "form beyond": form(army, most+1),
		"strength": strength, "least": leastArmy(strength),
	}
	m["one less"] = m["least"] - 1
	m["border"] = 2*m["least"] + int64(phi.FloorDiv(uint64(m["least"])))
	m["border before"] = 2*m["one less"] + int64(phi.FloorDiv(uint64(m["one less"])))
	m["sum"] = 2 * strength
	return m
}

// leastArmy is the least n that wins for s = d = strength, found by trying one after the other.
func leastArmy(strength int64) int64 {
	for n := int64(1); ; n++ {
		b := game.Battle{Soldiers: n, CastleHits: strength, DefendersPerWave: strength}
		if soldierWaves(b) > 0 {
			return n
		}
	}
}
