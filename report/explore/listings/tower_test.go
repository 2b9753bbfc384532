package listings_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/pictures"
)

const towerAddress = "h=6&k=2&na=3&nz=40&ta=2&tz=9&n=6&t=2"

// look shows a picture of a program.
func look(t *testing.T, name, settings, text string) shown {
	t.Helper()
	reply, err := listings.Module.See(name, settings+"&text="+pictures.WrittenOwn(text), "", pictures.Hand{})
	if err != nil {
		t.Fatal(err)
	}
	var view shown
	if err := json.Unmarshal([]byte(reply.Text), &view); err != nil {
		t.Fatal(err)
	}
	return view
}

// exampleOf is the text of an example by its title.
func exampleOf(t *testing.T, all []listings.Example, title string) string {
	t.Helper()
	at := slices.IndexFunc(all, func(e listings.Example) bool { return e.Title == title })
	if at < 0 {
		t.Fatalf("no example is called %s", title)
	}
	return all[at].Text
}

// TestTowerRows: the rows of the strategies, and of those that are examples, are those of battles that are played one
// by one.
func TestTowerRows(t *testing.T) {
	for title, strategy := range map[string]game.Strategy{"Even": game.Even, "Greedy": game.Greedy} {
		view := look(t, "tower-own", towerAddress, exampleOf(t, listings.TowerExamples, title))
		at := slices.IndexFunc(view.Parts, func(p part) bool { return p.Table != nil })
		table := view.Parts[at].Table
		mine, theirs := table.Rows[table.Chosen], table.Rows[strategy]
		if fmt.Sprint(mine[1:]) != fmt.Sprint(theirs[1:]) || theirs[0].Text != strategy.String() ||
			mine[0].Text != pictures.OwnTitle {
			t.Errorf("%s: %v, the library's %v", title, mine, theirs)
		}
		var right, wrong, tooMany, won, extra int64
		for towers := int64(2); towers <= 9; towers++ {
			for n := int64(3); n <= 40; n++ {
				b := game.Battle{Soldiers: n, HitsPerTower: 6, KillsPerTower: 2, Towers: towers}
				var end, best game.Round
				for end = range b.Rounds(strategy) { //nolint:revive // the last one counts
				}
				for best = range b.Rounds(game.Greedy) { //nolint:revive // the last one counts
				}
				switch {
				case end.Winner != best.Winner:
					wrong++
				case end.Winner == game.Soldiers && end.Number > best.Number:
					tooMany, won, extra = tooMany+1, won+1, extra+end.Number-best.Number
				case end.Winner == game.Soldiers:
					won, right = won+1, right+1
				default:
					right++
				}
			}
		}
		want := []string{
			pictures.People(wrong), pictures.People(tooMany), big.NewRat(extra, won).FloatString(3),
		}
		got := []string{mine[2].Text, mine[3].Text, mine[4].Text}
		if !slices.Equal(got, want) || right+wrong+tooMany != 8*38 {
			t.Errorf("%s: %v, want %v", title, got, want)
		}
		if !strings.HasPrefix(view.Answer, "Right in ") {
			t.Errorf("%s: %s", title, view.Answer)
		}
	}
}

// TestTowerSides: a battle stands round by round, by the reader's aim and by the best.
func TestTowerSides(t *testing.T) {
	view := look(t, "tower-own", towerAddress, exampleOf(t, listings.TowerExamples, "Even"))
	last := view.Parts[len(view.Parts)-1].Beside
	b := game.Battle{Soldiers: 6, HitsPerTower: 6, KillsPerTower: 2, Towers: 2}
	if len(last) != 2 {
		t.Fatalf("%d sides", len(last))
	}
	for i, strategy := range []game.Strategy{game.Even, game.Greedy} {
		var want []string
		for round := range b.Rounds(strategy) {
			hits, _ := round.State.HitsLeft().Int64()
			want = append(want, fmt.Sprint(round.State.Soldiers, round.State.Towers(), hits))
		}
		var got []string
		for _, row := range last[i][1].Table.Rows {
			got = append(got, row[2].Text+" "+row[3].Text+" "+row[4].Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %v: %q, want %q", strategy, got, want)
		}
	}
}

// TestOwnFaults: what is wrong with a program is told with its place, and with the battle where there is one.
func TestOwnFaults(t *testing.T) {
	for _, test := range []struct{ name, settings, text, want string }{
		{
			"tower-own", towerAddress, exampleOf(t, listings.TowerExamples, "A mistake to look for"),
			"text 3 14: Line 3, column 14: / makes fractions",
		},
		{
			"tower-own", towerAddress,
			"def aim(n, h, k, t, round, N, towers):\n    towers[0] = N + 1\n    return towers\n",
			"text: battle (3, 6, 2, 2), round 1, N = 3, towers = [6, 6]: aim returns [4, 6]: numbers from 0",
		},
		{"tower-own", towerAddress, "def aim(N):\n    return [N]\n", "text 1 1: Line 1, column 1: aim(N): its"},
		{"tower-own", "nz=2&na=5", exampleOf(t, listings.TowerExamples, "Even"), "nz: last soldiers (nz) = 2: the"},
	} {
		_, err := listings.Module.See(test.name, test.settings+"&text="+pictures.WrittenOwn(test.text), "",
			pictures.Hand{})
		var refusal *pictures.Refusal
		if !errors.As(err, &refusal) || !strings.HasPrefix(refusal.Field+": "+refusal.Words, test.want) ||
			strings.Contains(refusal.Words, "\n") {
			t.Errorf("%s, %q: %v, want %s", test.name, test.text, err, test.want)
		}
	}
}
