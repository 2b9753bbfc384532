package engine

import (
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/report/explore/module"
)

// castleFunctions are about the castle. A battle is n soldiers, s castle hits, d defenders a wave; all three may be any
// positive int64 unless a function says otherwise.
var castleFunctions = []module.Function{
	{Name: "castle.answer", Args: []string{"n", "s", "d"}, Call: castleAnswer},
}

func battle(n, s, d int64) (castle.Battle, error) {
	b := castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}
	return b, b.Validate()
}

// castleAnswer says who wins, and how fast. Text has two lines: [castle.Battle.Reach], and [castle.Battle.HelpedWin],
// before which it says what a tie is if it is one. Ints are the fewest waves of the soldiers, and of the castle under
// the no-waste rule; 0 for a side that cannot win.
func castleAnswer(args []int64, r *module.Reply) error {
	b, err := battle(args[0], args[1], args[2])
	if err != nil {
		return err
	}
	r.Add(b.MinWaves(), b.CastleMinWaves())
	r.Text = b.Reach() + "\n"
	if b.Solve().Winner == castle.Tie {
		r.Text += "The soldiers cannot win, but they can hold out for ever. "
	}
	r.Text = forPeople(r.Text + b.HelpedWin())
	return nil
}

// forPeople writes the numbers of a text with commas, as the page does.
func forPeople(text string) string {
	words := strings.Split(text, " ")
	for i, word := range words {
		words[i] = plural.Thousands(word)
	}
	return strings.Join(words, " ")
}
