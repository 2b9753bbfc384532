package ants

import (
	"context"
	"errors"
	"math/big"
	"os"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/siegebook/ants/post"
	"github.com/siegebook/siegebook/report/siegebook/chaptertest"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/ants"
)

const tables = "testdata/tables.txt"

func TestQuestions(t *testing.T) { chaptertest.CheckQuestions(t, Game) }

// TestCancelled checks that the search of a box stops when the context ends, although each battle is too small to
// notice the context.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := JudgeBox(ctx, 3, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestClaims(t *testing.T) {
	all := claimTable().Claims()
	chaptertest.CheckClaims(t, "", append(all.Errata, all.Confirmed...))
}

// TestFalseClaims checks that the checks notice a wrong survivor, wrong counts, and a rule other than the contest's.
func TestFalseClaims(t *testing.T) {
	table := claimTable()
	table.Table = `noted(
    id = "false", where = "nowhere", says = "One of two dies",
    check = battle(army(), ".A.\nB.B", holds = "dead == [1]"),
)`
	_, err := chapter.CheckClaims(t.Context(), table.Claims().Noted)
	must.ErrorContains(t, err, `claim "false" (nowhere)`)
	p := picture("wall")
	p.Counts = strings.Replace(p.Counts, "6", "7", 1)
	if asPrinted(p) == nil {
		t.Error("a picture with a wrong count passes")
	}
	if p = picture("wall"); asPrinted(p) != nil {
		t.Error("the wall does not pass")
	}
	p.After = strings.Replace(p.After, "B", "x", 1)
	if asPrinted(p) == nil {
		t.Error("a picture with a wrong survivor passes")
	}
	for name, holds := range map[string]func(Fight) bool{
		"kills": sameKills, "attention": byAttention, "laws": lawful,
	} {
		if f := NewFight("A.B\nB..", game.Support); holds(f) {
			t.Errorf("%s: the rule support passes for focus", name)
		}
	}
}

// TestDetails checks that the two details of the wall show a part of the whole.
func TestDetails(t *testing.T) {
	wall, details := picture("wall"), 0
	for _, p := range post.Pictures() {
		if p.DetailOf == "" {
			continue
		}
		details++
		if p.DetailOf != wall.Name || p.After != wall.After || p.Map != masked(wall.Map, p.Map) ||
			p.Counts != masked(wall.Counts, p.Map) {
			t.Errorf("the post's picture %s is no part of the wall: %+v", p.Name, p)
		}
	}
	if details != len(WallParts().Grids) || details != len(partNames) {
		t.Errorf("%d details", details)
	}
}

// masked hides the cells that the mask hides.
func masked(text, mask string) string {
	out := []byte(text)
	for i := range out {
		if mask[i] == '?' {
			out[i] = '?'
		}
	}
	return string(out)
}

// TestPrice checks that the proved bound for a box is its cells divided by the least price of an ant, rounded down.
func TestPrice(t *testing.T) {
	for reach := int64(6); reach <= 20; reach++ {
		_, least := PriceTable("price", reach)
		for cells := int64(1); cells <= 2000; cells++ {
			both := new(big.Rat).Add(least, big.NewRat(1, 1))
			bound := both.Quo(big.NewRat(cells, 1), both)
			want := new(big.Int).Quo(bound.Num(), bound.Denom()).Int64()
			if got := game.MostOutlived(cells, reach); got != want {
				t.Fatalf("%d of %d cells, %d in range; the price says %d", got, cells, reach, want)
			}
		}
	}
}

// TestRecorded repeats the search of a box whose result the build reads from a record instead of searching.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at hundreds of millions of armies; leave out -short")
	}
	searchAnew(t, recorded[0])
}

// TestRecordedLong repeats all recorded searches. They take minutes, so it runs only if LONG_SEARCHES is set.
func TestRecordedLong(t *testing.T) {
	if os.Getenv("LONG_SEARCHES") == "" {
		t.Skip("takes minutes; set LONG_SEARCHES=1")
	}
	for _, want := range recorded {
		searchAnew(t, want)
	}
}

func searchAnew(t *testing.T, want Outlived) {
	t.Helper()
	got, err := outlive(t.Context(), want.Rows, want.Cols)
	got.Found = want.Found
	if err != nil || got != want {
		t.Errorf("%+v, %v; recorded is %+v", got, err, want)
	}
}

// TestOneByOne checks fights by hand. Of two ants, the first one decided dies. Of three ants that meet, the last one
// survives. An ant between two enemies dies in any order, because its neighbours have fewer enemies.
func TestOneByOne(t *testing.T) {
	type row struct {
		Text  string
		Order []int
	}
	must.Answers(t, tables, func(row row) []any {
		return []any{NewFight(row.Text, game.Focus).OneByOne(row.Order).Dead}
	})
}

// TestMeals checks that only the ants in the four neighbouring cells decide about the food; ants in the cells
// diagonally next to it do not.
func TestMeals(t *testing.T) {
	fates := map[fate]string{untouched: "untouched", eaten: "eaten", destroyed: "destroyed"}
	must.Answers(t, tables, func(row struct{ Text string }) []any {
		what, owner := newMeal(row.Text).fate()
		return []any{fates[what], strings.Trim(string(owner), "\x00")}
	})
	drawn := map[string]bool{}
	for _, g := range BirthsBoard().Grids {
		drawn[g.Name] = true
	}
	if !drawn["nothing"] || !drawn["one more A"] || !drawn["food destroyed"] {
		t.Errorf("the board of births has %v", drawn)
	}
}

// TestListings checks that the test notices a mistake in a listing.
func TestListings(t *testing.T) {
	text := listedText()
	if positions, err := ListingsRun(); err != nil || positions < 500 {
		t.Errorf("%d positions, %v", positions, err)
	}
	chaptertest.Slips(t, "ants", text, func(_ []string, spoiled string) error {
		_, err := runListings(spoiled)
		return err
	})
}

// TestListingsInPython checks that the listings, copied from the pages, give the same answers in Python as here.
func TestListingsInPython(t *testing.T) {
	program := must.Get(listing.ReadProgram("listings", []byte(listedText()), listing.Limits{}))
	var calls []chaptertest.Call
	for _, f := range EveryPosition(2, 2) {
		for _, rule := range game.Rules() {
			calls = append(calls, chaptertest.Call{Function: rule.String(), Arguments: []any{f.listed()}})
		}
	}
	chaptertest.SameInPython(t, program, listedText(), calls)
}

// fromRuns reads a board in the way that pictures.Playing does.
func fromRuns(board string) string {
	var text strings.Builder
	empty := 0
	for _, sign := range board + "\n" {
		if '0' <= sign && sign <= '9' {
			empty = 10*empty + int(sign-'0')
			continue
		}
		text.WriteString(strings.Repeat(".", empty))
		empty = 0
		if sign == '-' {
			sign = '\n'
		}
		text.WriteRune(sign)
	}
	return strings.TrimSuffix(text.String(), "\n")
}

// TestInRuns checks that a board in the form of an address has all cells of the map.
func TestInRuns(t *testing.T) {
	for _, text := range []string{"A", ".", "...B.\n.A.A.\n...C.", "............A", ".....\n....."} {
		f := NewFight(text, game.Focus)
		if got := inRuns(f.Map); fromRuns(got) != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	if got := inRuns(NewFight("...B.\n.A.A.\n...C.", game.Focus).Map); got != "3B1-1A1A1-3C1" {
		t.Errorf("%q", got)
	}
}

// TestPlayed checks that a playable figure begins with the drawn battle. It offers the page's own battle and all
// battles of the post, unchanged.
func TestPlayed(t *testing.T) {
	m := NewFight("A....B\n......\n......\nA.....", game.Focus).Map
	torus := Decide(m, m.World(game.ContestRadius2, false), game.Focus)
	own := Preset{"Around the edge", torus}
	for _, b := range Battles {
		f := Drawn(b.Name)
		figure := Played("board", b.Title, f, pictures.Position, own)
		start := map[string]string{}
		for _, s := range figure.Explore.Start {
			start[s.Name] = s.Value
		}
		if fromRuns(start["board"]) != f.Map.String() {
			t.Errorf("%s begins with %s", b.Title, start["board"])
		}
		for _, ant := range f.Army {
			if sign := string(ant.Owner); !strings.Contains(figure.Alt, sign+" in column") {
				t.Errorf("%s: %s is on the board, and not in %q", b.Title, sign, figure.Alt)
			}
		}
		offered := strings.Split(start["presets"], ".")
		if i := slices.Index(offered, strings.ReplaceAll(b.Title, " ", "_")); i%2 != 0 ||
			fromRuns(offered[i+1]) != f.Map.String() {
			t.Errorf("%s is not offered as it is: %q", b.Title, offered)
		}
		if i := slices.Index(offered, "Around_the_edge"); i%2 != 0 || offered[i+1] != "torus-"+inRuns(own.Fight.Map) {
			t.Errorf("%s: the own battle is not offered as it is: %q", b.Title, offered)
		}
	}
}
