package castle

import (
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// answerTests computes the answers of the exercises. right says in which tests the posts' algorithms are all right.
func answerTests(tests []postTest, right []bool, values map[string]any) error {
	var numbers []string
	lost := 0
	for _, test := range tests {
		if !right[test.Number] {
			continue
		}
		numbers = append(numbers, fmt.Sprint(test.Number))
		if test.Battle.MinWaves() == 0 {
			lost++
		}
	}
	if err := chapter.Expect("there are tests in which all are right, and some of them are lost", len(numbers) > 1 && lost > 1, numbers, lost); err != nil {
		return err
	}
	values["all right"], values["all right count"], values["all right lost"] = strings.Join(numbers, ", "), len(numbers), chapter.Thousands(lost)

	b := tests[1].Battle
	enough, fast := b, b
	for enough.MinWaves() == 0 {
		enough.Soldiers++
	}
	for fast.MinWaves() != 2 {
		fast.Soldiers++
	}
	values["enough"], values["enough waves"], values["fast"] = enough.Soldiers, enough.MinWaves(), fast.Soldiers
	values["tree 1 defenders"] = b.DefendersPerWave
	holds := b.CastleHits+b.DefendersPerWave <= 2*fast.Soldiers && b.CastleHits+b.DefendersPerWave > 2*(fast.Soldiers-1)
	return chapter.Expect("two waves are enough exactly if s + d <= 2n", holds && enough.MinWaves() > 2, enough, fast, game.Soldiers)
}
