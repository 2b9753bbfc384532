package castle

import (
	"fmt"
	"slices"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

// factValues computes what the first post reads off its table of tests, and checks which of it is true there.
func factValues(tests []postTest, values map[string]any) error {
	var agree, more, lost, late, tied []string
	for _, test := range tests {
		b, number := test.Battle, fmt.Sprint(test.Number)
		castleFirst, defendersFirst := b.Play(game.CastleFirst), b.Play(game.DefendersFirst)
		fewest, castle := soldierWaves(b), castleWaves(b)
		if defendersFirst.Winner == game.Tie {
			tied = append(tied, number)
		}
		switch {
		case fewest == 0:
			lost = append(lost, number)
			if defendersFirst.Winner == game.Castle && defendersFirst.Waves == castle+1 {
				late = append(late, number)
			}
			holds := castle == 2 && castleFirst == game.Result{Winner: game.Castle, Waves: 2} && (defendersFirst.Winner == game.Tie || defendersFirst.Winner == game.Castle && defendersFirst.Waves <= 3)
			if err := chapter.HoldsAt(holds, "test %s, lost: castle %d, castle first %v, defenders first %v", number, castle, castleFirst, defendersFirst); err != nil {
				return err
			}
		case castleFirst.Winner == game.Soldiers && defendersFirst.Winner == game.Soldiers && castleFirst.Waves == fewest && defendersFirst.Waves == fewest:
			agree = append(agree, number)
			if defendersFirst.SoldiersLeft > castleFirst.SoldiersLeft {
				more = append(more, number)
			}
			if err := chapter.HoldsAt(defendersFirst.SoldiersLeft >= castleFirst.SoldiersLeft, "test %s: defenders first leaves fewer", number); err != nil {
				return err
			}
		}
		if castleFirst.Winner == game.Soldiers && castleFirst.Waves != fewest {
			return chapter.HoldsAt(false, "test %s: castle first wins too late", number)
		}
		if castleFirst.Winner == game.Tie {
			return chapter.HoldsAt(false, "test %s: castle first ties", number)
		}
	}
	same := slices.DeleteFunc(slices.Clone(agree), func(number string) bool { return slices.Contains(more, number) })
	values["facts agree"], values["facts more"], values["facts same"] = listed(agree), listed(more), listed(same)
	values["facts lost"], values["facts late"], values["facts tied"] = listed(lost), listed(late), listed(tied)
	return chapter.Expect("the tests that the posts name", strings.Join(agree, " ") == "2 3 4 5 8 20 23 24" && strings.Join(tied, " ") == "10 13 16", agree, tied)
}

// listed writes a list for prose: 1, 2 and 3. It has at least two members.
func listed(list []string) string {
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
