package castle

import (
	"fmt"

	"github.com/siegebook/siegebook/report/chapter"
)

// answerTests computes the answers of the exercises. right says in which tests the posts' algorithms are all right.
func answerTests(tests []postTest, right []bool, values map[string]any) error {
	var numbers []string
	const wave = 2
	for _, test := range tests {
		if !right[test.Number] {
			continue
		}
		numbers = append(numbers, fmt.Sprint(test.Number))
		counts, err := waysOf(test.Battle)
		if err != nil {
			return err
		}
		holds := allPaths(counts).Cmp(counts.Castle.Total()) == 0 && len(counts.Castle) == 1 && counts.Castle[0].Wave == wave
		if err := chapter.HoldsAt(holds, "test %d, in which all are right: %v", test.Number, counts); err != nil {
			return err
		}
	}
	if err := chapter.Expect("there are tests in which all are right", len(numbers) > 1, numbers); err != nil {
		return err
	}
	values["all right"], values["all right wave"] = listed(numbers), wave

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
	return chapter.Expect("two waves are enough exactly if s + d <= 2n", holds && enough.MinWaves() > 2, enough, fast)
}
