package castle

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// step is a statement of the derivation. Either Coq has proved it, or a test checks it in a range of cases.
type step struct {
	id       string
	says     content.Markdown
	over     content.Markdown // the range of the test
	cases    int64            // the number of cases in the test
	unit     string           // the noun for the cases
	theorems []string         // the theorems in Coq that prove it

	convention content.Convention
	among      string // a condition for the battles of the test; "" for a test in Go
	holds      string // the condition that the test expects
}

// steps returns all steps, which are the rows of the table _steps.md, in the order of the page.
var steps = sync.OnceValue(func() (all []step) {
	for _, row := range chapter.Rows(content.Markdown(chapter.TextOf(texts, "_steps")))[2:] {
		if len(row) != 10 {
			panic(fmt.Sprintf("castle: a row of _steps.md must have eight cells between | and |: %q", row))
		}
		s := step{id: string(row[1]), says: row[2], over: row[3], convention: content.Convention(row[5])}
		if _, err := fmt.Sscan(string(row[4]), &s.cases); err != nil {
			panic(fmt.Sprintf("castle: step %q of _steps.md: the cases must begin with a number: %v", s.id, err))
		}
		_, s.unit, _ = strings.Cut(string(row[4]), " ")
		s.theorems = strings.Fields(string(row[6]))
		s.among, s.holds = strings.Trim(string(row[7]), "`"), strings.Trim(string(row[8]), "`")
		all = append(all, s)
	}
	return all
})

// tested returns the number of cases in the test of a step, with a noun.
func (s step) tested() string { return chapter.Thousands(s.cases) + " " + s.unit }

// proved returns links to the theorems of a step.
func (s step) proved() string {
	var links []string
	for _, name := range s.theorems {
		links = append(links, "[`"+name+"`](machine.html#"+site.Slug(name)+")")
	}
	return strings.Join(links, ", ")
}

// Checked returns the note in the margin about the steps with the given ids. A section has one such note, after the
// last of its steps.
func Checked(ids ...string) content.Markdown { return CheckedToo("", ids...) }

// CheckedToo returns the note of Checked with an additional remark on how the section was checked.
func CheckedToo(also string, ids ...string) content.Markdown {
	var theorems, cases, parts []string
	for _, id := range ids {
		i := slices.IndexFunc(steps(), func(s step) bool { return s.id == id })
		if i < 0 {
			panic(fmt.Sprintf("castle: _steps.md has no step %q; name one of its steps", id))
		}
		if s := steps()[i]; len(s.theorems) > 0 {
			theorems = append(theorems, s.proved())
		} else {
			cases = append(cases, s.tested())
		}
	}
	if len(theorems) > 0 {
		parts = append(parts, "proved by\u00a0Coq: "+strings.Join(theorems, ", "))
	}
	if len(cases) > 0 {
		parts = append(parts, "[checked for\u00a0"+content.List(cases)+"](castle-derivation.html#checks)")
	}
	if also != "" {
		parts = append(parts, also)
	}
	return content.Markdown("^[✓\u00a0" + strings.Join(parts, "; ") + "]")
}

// StepTable lists every step with its theorems and the range of its test.
func StepTable() content.Table {
	table := chapter.Table("steps", "statement", "proved by Coq", "range of the test", "cases")
	for _, s := range steps() {
		table.Add(s.says, content.Markdown(s.proved()), s.over, s.tested())
	}
	return table
}

// The tests check the steps of the derivation on these battles by exhaustive search.
const (
	searchedSoldiers  = 30
	searchedHits      = 100
	searchedDefenders = 60
)

var SearchedBox = box(searchedSoldiers, searchedHits, searchedDefenders)

// PlayedWave is a wave of a line of play: the state at its start, the shots at the castle, the defenders left, and the
// total of dead soldiers at its end.
type PlayedWave struct {
	Start             game.State
	Shots, Left, Dead int64
}

// PlayLeaving plays a battle; leave returns the number of defenders to leave in each wave. The line of play ends with
// the battle, or when leave returns a negative number.
func PlayLeaving(b game.Battle, leave func(wave int64, s game.State) int64) ([]PlayedWave, game.Winner) {
	var played []PlayedWave
	state, dead := b.Start(), int64(0)
	for wave := int64(1); ; wave++ {
		left := leave(wave, state)
		if left < 0 {
			return played, game.Undecided
		}
		order := int64(state.Defenders) - left
		dead += min(left, state.Soldiers)
		played = append(played, PlayedWave{state, state.Soldiers - order, left, dead})
		next, winner := b.Step(state, order)
		if winner != game.Undecided {
			return played, winner
		}
		state = next
	}
}

// Leaving returns a function for PlayLeaving that leaves the listed numbers of defenders, wave by wave, and then ends
// the line of play.
func Leaving(left ...int64) func(int64, game.State) int64 {
	return func(wave int64, _ game.State) int64 {
		if wave > int64(len(left)) {
			return -1
		}
		return left[wave-1]
	}
}

// most plays greed: it returns the greatest possible number of defenders left while the castle stands. If the castle
// cannot stand, it leaves as few defenders as possible.
func most(_ int64, s game.State) int64 {
	soldiers, defenders := s.Soldiers, int64(s.Defenders)
	return max(0, defenders-max(0, min(soldiers, soldiers-s.CastleHits+1)))
}

// cautious returns the same numbers as greed, except one defender fewer in wave 2.
func cautious(wave int64, s game.State) int64 {
	if wave == 2 {
		return most(wave, s) - 1
	}
	return most(wave, s)
}

// BooksTable returns a table with the sum of the shots in some waves.
func BooksTable(played []PlayedWave) content.Table {
	table := chapter.Table("books", "wave", chapter.MD("$N_j$"), chapter.MD("$x_{j-1} + d$"), chapter.MD("$x_j$"),
		"shots at the castle")
	for i, w := range played {
		table.Add(i+1, w.Start.Soldiers, w.Start.Defenders, w.Left, w.Shots)
	}
	return table
}

// besides is a line of play in a table, with its name and its cells for each wave.
type besides struct {
	name  any
	waves [][]any
}

// besideTable shows lines of play side by side, from wave first on. Cells are values as for [content.Row].
func besideTable(id string, first int, header []any, lines ...besides) content.Table {
	table := chapter.Table(id, "wave")
	table.Groups = chapter.Groups("", 1)
	waves := 0
	for _, line := range lines {
		table.Groups = append(table.Groups, chapter.Groups(line.name, len(header))...)
		table.Header = append(table.Header, content.Row(header...)...)
		waves = max(waves, len(line.waves))
	}
	for i := range waves {
		row := []any{first + i}
		if first+i == 0 {
			row[0] = "start"
		}
		for _, line := range lines {
			if i < len(line.waves) {
				row = append(row, line.waves[i]...)
			} else {
				row = append(row, slices.Repeat([]any{""}, len(header))...)
			}
		}
		table.Add(row...)
	}
	return table
}

// LeavingTable shows two lines of play side by side, from wave first on.
func LeavingTable(id string, first int, one string, line []PlayedWave, other string, otherLine []PlayedWave,
) content.Table {
	rows := func(name string, played []PlayedWave) besides {
		line := besides{name: name}
		for _, w := range played[first-1:] {
			line.waves = append(line.waves, []any{bare(w.Start), w.Left, w.Dead})
		}
		return line
	}
	return besideTable(id, first, []any{chapter.MD("$(N, S, D)$"), chapter.MD("$x$ left"), "dead so far"},
		rows(one, line), rows(other, otherLine))
}
