package castle

import (
	"fmt"
	"math/big"
	"slices"
	"sort"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// General returns a battle with the given numbers of shots and kills, and with the given reinforcements before the
// repeating ones.
func General(b game.Battle, shots, kills int64, first ...int64) game.GeneralBattle {
	return game.GeneralBattle{
		Soldiers: b.Soldiers, CastleHits: b.CastleHits, Shots: shots, Kills: kills,
		Reinforcements: append(slices.Clone(first), b.DefendersPerWave),
	}
}

// Relatives lists the shots and kills in the rows of RelativesTable.
var Relatives = [][2]int64{{1, 1}, {2, 1}, {1, 2}, {4, 1}, {2, 2}, {1, 4}, {9, 1}, {3, 3}}

// RelativesTable returns a table of the borders between won and lost hunts.
func RelativesTable() content.Table {
	table := chapter.Table("relatives", "shots", "kills", "discriminant", chapter.MD("$n/x$"), "metallic mean",
		chapter.MD("most $x$"))
	for _, r := range Relatives {
		k, m := r[0], r[1]
		mean := "none"
		for p := int64(1); p*p <= k*m; p++ {
			if p*p == k*m {
				mean = [...]string{1: "golden", 2: "silver", 3: "bronze"}[p] + times(m, p)
			}
		}
		table.Add(k, m, k*m*(k*m+4), content.Decimal(lineRatio(k, m)), mean, MostHunted(1000, k, m))
	}
	return table
}

// times returns a factor m/p as text, or "" for 1.
func times(m, p int64) string {
	switch factor := big.NewRat(m, p); {
	case m == p:
		return ""
	case factor.IsInt():
		return " times " + factor.Num().String()
	default:
		return " times " + factor.String()
	}
}

// lineRatio returns n/x on the border, which is (√(km(km + 4)) + km)/2k, as text rounded down to five digits.
func lineRatio(k, m int64) string {
	const unit = 100_000
	product := k * m
	root := new(big.Int).Sqrt(big.NewInt(product * (product + 4) * unit * unit))
	digits := (root.Int64() + product*unit) / (2 * k)
	return fmt.Sprintf("%d.%05d", digits/unit, digits%unit)
}

// MostHunted returns the greatest number of defenders that n soldiers can beat after the fall of the castle.
func MostHunted(n, k, m int64) int64 {
	b := game.GeneralBattle{Soldiers: n, CastleHits: 1, Shots: k, Kills: m, Reinforcements: []int64{0}}
	return int64(sort.Search(int(n), func(x int) bool { return !b.HuntWon(n, uint64(x)) })) - 1
}
