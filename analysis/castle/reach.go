package castle

import (
	"strconv"

	"github.com/siegebook/siegebook/internal/plural"
)

// Reach says what best play of the soldiers reaches, in the words that pages and explorables share: "soldiers in 8
// waves", "tie", or "castle: the soldiers hold out until wave 4 at most".
func (b Battle) Reach() string {
	if waves := b.MinWaves(); waves > 0 {
		return "soldiers in " + plural.Count(waves, "wave")
	}
	longest := b.LongestResistance()
	if longest.Winner == Tie {
		return "tie"
	}
	return "castle: the soldiers hold out until wave " + strconv.FormatInt(longest.Waves, 10) + " at most"
}

// HelpedWin says in a sentence how fast the castle can win if the soldiers help it, which is CastleMinWaves. It stands
// behind Reach, never in its place: nobody plays that badly who wants to win.
func (b Battle) HelpedWin() string {
	waves := b.CastleMinWaves()
	if waves == 0 {
		return "Even if the soldiers helped it, without wasting a shot, the castle could not win."
	}
	return "If the soldiers helped it, without wasting a shot, the castle could win in wave " +
		strconv.FormatInt(waves, 10) + "."
}
