// Command own-strategy compares a strategy with the heuristics of the library. It needs no package but theirs, so it
// runs in any module that requires this one.
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

// careful plays castle first, but shoots as many defenders as possible if more than half as many defenders as soldiers
// would be left.
func careful(wave int64, s castle.State) castle.Orders {
	orders := castle.CastleFirst(wave, s)
	if left := int64(s.Defenders) - orders.AtDefenders; 2*left > s.Soldiers {
		return castle.DefendersFirst(wave, s)
	}
	return orders
}

func main() {
	mine, err := castle.NewAlgorithm("careful", careful)
	if err != nil {
		log.Fatal(err)
	}
	to := func(last int64) grid.Range { return grid.Range{First: 1, Last: last} }
	survey, err := castle.NewSurvey(context.Background(), to(20), to(80), to(40), castle.SurveyOptions{
		Algorithms: append(castle.AlgorithmsOf(castle.Heuristic), mine),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(survey.Battles, "battles:")
	for _, tally := range survey.Algorithms {
		fmt.Printf("%s: %d right, %d on the wrong side, %d with too many waves\n",
			tally.Name, tally.Right, tally.WrongSide, tally.TooMany)
	}
	tally, _ := survey.Of(mine.Name)
	lost := *tally.First.WrongSide
	answer, err := mine.Answer(context.Background(), lost, castle.Effort{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("careful loses %v in wave %d. Best play wins in wave %d.\n", lost, answer.Waves, lost.MinWaves())

	rash, err := castle.NewAlgorithm("rash", func(_ int64, s castle.State) castle.Orders {
		return castle.Orders{AtDefenders: s.Soldiers}
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = rash.Answer(context.Background(), lost, castle.Effort{})
	fmt.Println(err)
	// Output:
	// 64000 battles:
	// castle-first: 60991 right, 2925 on the wrong side, 84 with too many waves
	// defenders-first: 59855 right, 549 on the wrong side, 3596 with too many waves
	// careful: 60986 right, 164 on the wrong side, 2850 with too many waves
	// careful loses (5, 6, 7) in wave 3. Best play wins in wave 4.
	// battle (5, 6, 7), wave 1: 5 of the soldiers cannot shoot at defenders in N=5 S=6 D=0: use 0 to 0
}
