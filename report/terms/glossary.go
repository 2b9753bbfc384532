package terms

import (
	"cmp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Term is a word with a special meaning in the report.
type Term struct {
	Name    string
	Meaning content.Markdown
	Where   string // the page that defines it, and perhaps an anchor behind "#"
}

// Glossary returns the terms in alphabetical order.
func Glossary() []Term {
	return slices.SortedFunc(slices.Values(glossary), func(a, b Term) int {
		return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
}

var glossary = []Term{
	// The castle.
	{"wave", "one turn of the castle game: soldiers shoot, defenders left shoot back, new ones come out. The posts also call it a day", "castle-rules#rules"},
	{"hunt", "the waves after the castle has fallen, in which nobody has a choice any more", "castle-rules#rules"},
	{"fall", "the moment when the castle has taken all its hits; the battle may go on, as a hunt", "castle-rules#rules"},
	{"tie", "a battle that nobody wins, because a wave ends in the state in which it began", "castle-rules#rules"},
	{"no wasted shot", "the rule that the castle gets more shots than it can take only when no defender is left to shoot", "castle-rules#rules"},
	{"cannot win", "of soldiers: every line of play ends with a win of the castle, or at best with a tie", "castle-derivation#outnumbered"},
	{"fewest waves", "the length of the fastest win that is possible", "castle-rules#questions"},
	{"line of play", "one order for each wave, from the first to the last", "castle-counts#histogram"},
	{"castle first", "a heuristic: finish the castle if that can be done now", "castle-rules#castle-first"},
	{"defenders first", "a heuristic: always shoot as many defenders as possible", "castle-rules#defenders-first"},
	{"published formula", "the closed form for the fewest waves as the third post prints it", "castle-agreement#published"},
	{"wrong side", "of an answer: it lets soldiers win who cannot, or lets soldiers lose who can win", "castle-agreement"},
	{"too many waves", "of an answer: right about who wins, but it needs more waves than the fewest", "castle-agreement"},
	{"too few waves", "of an answer: right about who wins, but in fewer waves than anybody can", "castle-agreement"},
	{"patience", "shooting all defenders in every wave until the castle is brought down", "castle-derivation#patience"},
	{"strike", "bringing the castle down although defenders will be left", "castle-derivation#wait"},
	{"staircase", "the strongest castle that falls within a number of waves, as that number grows", "castle-derivation#staircase"},
	{"thrift", "leaving the castle its last hit, so that it goes on sending out defenders", "castle-derivation#thrift"},
	{"resistance", "the number of waves for which soldiers who cannot win hold out", "castle-side#resistance"},
	{"complete, printed", "two ways to count the castle’s wins: all of them, or those that the second post’s program counts", "castle-counts#conventions"},
	{"case 2a", "the battles in which a castle that does not fall at once sends out fewer defenders than there are soldiers", "castle-derivation#wait"},
	// Towers.
	{"round", "one turn of the tower game: every soldier shoots, then every tower left", "tower-rules#rules"},
	{"wasted shot", "of towers: a shot at one that others destroy in the same round", "tower-rules#rules"},
	{"Greedy, Fewest, Even", "ways to aim at towers: destroy as many as possible, as few as possible, or give all the same number of shots", "tower-strategies"},
	{"sim, seq", "two readings of “at random”: all choose at the same time, or one after the other among the towers that still stand", "tower-random#readings"},
	// Ants.
	{"in range", "of two ants: near enough to fight", "ants-rules#range"},
	{"killer", "of an ant: an enemy in range that has no more enemies than the ant itself", "ants-rules#rule"},
	{"outlive", "of an ant: to be alive when all ants of a larger army are dead", "ants-battles#outlive"},
	// Naval battle.
	{"race of misses", "a naval battle seen as the question who misses more often before the last hit", "naval-rules#race"},
	{"region", "the cells that are kept for the ships of one deck; the others lie outside of it", "naval-placement#regions"},
	{"hunting, finishing", "the two halves of shooting at ships: to find one, and to sink one that is hit", "naval-shooting#hunting"},
	{"density", "a way to shoot: at a cell on which most placements of the ships afloat lie", "naval-shooting#thinking"},
	{"informed", "a way to shoot: at the cell that most probably has a ship, given how players are known to hide theirs", "naval-shooting#thinking"},
	// The report.
	{"heuristic", "a rule of play that is simple and usually good, and not always right", "castle-rules#castle-first"},
	{"lesson", "a page that is a notebook: a question, code that answers it, exercises", ""},
	{"checked", "of a sentence: a program has tested it in so many cases when the report was built", "castle-derivation#checks"},
	{"stamp", "the lines at the foot of a page: version, settings, and a hash of the data", "about#again"},
	{"wrong, slip, gap, hazard", "the kinds of errata: not true as printed, without consequence, a case left out, true on paper only", "castle-errata"},
}
