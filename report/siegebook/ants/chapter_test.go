package ants

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/siegebook/chaptertest"
)

const tables = "testdata/tables.txt"

func TestMain(m *testing.M) { chaptertest.Main(m) }

func TestChapter(t *testing.T) { chaptertest.CheckChapter(t, Game) }

// TestCancelled: the battles of the box, each too small to notice the context, end with it.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := judgeBox(ctx, 3, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestClaims(t *testing.T) {
	all := claimTable().Claims()
	chaptertest.CheckClaims(t, "", append(all.Errata, all.Confirmed...))
}

// TestFalseClaims makes sure that the checks can fail: a wrong survivor, wrong counts, a rule that is not the
// contest's.
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
	if chapter.Fault(func() { asPrinted(p) }) == nil {
		t.Error("a picture with a wrong count passes")
	}
	if p = picture("wall"); chapter.Fault(func() { asPrinted(p) }) != nil {
		t.Error("the wall does not pass")
	}
	p.After = strings.Replace(p.After, "B", "x", 1)
	if chapter.Fault(func() { asPrinted(p) }) == nil {
		t.Error("a picture with a wrong survivor passes")
	}
	for name, holds := range map[string]func(fight) bool{"kills": sameKills, "attention": byAttention} {
		if f := newFight("A.B\nB..", game.Support); holds(f) {
			t.Errorf("%s: the rule support passes for focus", name)
		}
	}
}

// TestRecorded searches a box whose result the build takes as recorded.
func TestRecorded(t *testing.T) {
	if testing.Short() {
		t.Skip("looks at hundreds of millions of armies; leave out -short")
	}
	searchAnew(t, recorded[0])
}

// TestRecordedLong searches all of them: minutes of a core, so only where LONG_SEARCHES is set.
func TestRecordedLong(t *testing.T) {
	if os.Getenv("LONG_SEARCHES") == "" {
		t.Skip("takes minutes; set LONG_SEARCHES=1")
	}
	for _, want := range recorded {
		searchAnew(t, want)
	}
}

func searchAnew(t *testing.T, want outlived) {
	t.Helper()
	got, err := outlive(t.Context(), want.rows, want.cols)
	got.found = want.found
	if err != nil || got != want {
		t.Errorf("%+v, %v; recorded is %+v", got, err, want)
	}
}

// TestOneByOne, by hand: of two the first to be asked dies, and of three who meet the last is left alone. In a sandwich
// the middle dies in any order: its neighbours have fewer enemies.
func TestOneByOne(t *testing.T) {
	type row struct {
		Text  string
		Order []int
	}
	must.Answers(t, tables, func(row row) []any { return []any{newFight(row.Text, game.Focus).oneByOne(row.Order)} })
}

// TestMeals: who is beside the food decides about it; who stands at its corner is not beside it.
func TestMeals(t *testing.T) {
	fates := map[fate]string{untouched: "untouched", eaten: "eaten", destroyed: "destroyed"}
	must.Answers(t, tables, func(row struct{ Text string }) []any {
		what, owner := newMeal(row.Text).fate()
		return []any{fates[what], strings.Trim(string(owner), "\x00")}
	})
}

// TestListings: a slip in a listing is noticed.
func TestListings(t *testing.T) {
	text := listedText()
	if positions, err := listingsRun(); err != nil || positions < 500 {
		t.Errorf("%d positions, %v", positions, err)
	}
	chaptertest.Slips(t, "ants", text, func(_ []string, spoiled string) error {
		_, err := runListings(spoiled)
		return err
	})
}

// TestListingsInPython: the listings, copied out of the pages, answer in Python as they do here.
func TestListingsInPython(t *testing.T) {
	program := must.Get(listing.ReadProgram("listings", []byte(listedText()), listing.Limits{}))
	var calls []chaptertest.Call
	for _, f := range everyPosition(2, 2) {
		for _, rule := range game.Rules() {
			calls = append(calls, chaptertest.Call{Function: rule.String(), Arguments: []any{f.listed()}})
		}
	}
	chaptertest.SameInPython(t, program, listedText(), calls)
}

// fromRuns reads a board as pictures.Playing does.
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

// TestInRuns: a board for an address is the map, with all of its cells.
func TestInRuns(t *testing.T) {
	for _, text := range []string{"A", ".", "...B.\n.A.A.\n...C.", "............A", ".....\n....."} {
		f := newFight(text, game.Focus)
		if got := inRuns(f.m); fromRuns(got) != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	if got := inRuns(newFight("...B.\n.A.A.\n...C.", game.Focus).m); got != "3B1-1A1A1-3C1" {
		t.Errorf("%q", got)
	}
}

// TestPlayed: the figures to play with begin with the battle that is drawn, and offer all battles of the post, each as
// it is.
func TestPlayed(t *testing.T) {
	played := 0
	units := Game.Units(nil)
	for _, slug := range Game.Slugs {
		page := chaptertest.Compute(t, units, slug).Page
		for _, f := range page.Figures {
			if f.Explore == nil || f.Explore.Kind != "ants-board" {
				continue
			}
			played++
			start := map[string]string{}
			for _, s := range f.Explore.Start {
				start[s.Name] = s.Value
			}
			for _, sign := range strings.Split(strings.ReplaceAll(fromRuns(start["board"]), "\n", ""), "") {
				if sign != "." && !strings.Contains(f.Alt, sign+" in column") {
					t.Errorf("%s: %s is on the board of %s, and not in %q", page.Title, sign, start["board"], f.Alt)
				}
			}
			offered := strings.Split(start["presets"], ".")
			for _, b := range battles {
				board := ""
				for i := 0; i+1 < len(offered); i += 2 {
					if offered[i] == strings.ReplaceAll(b.title, " ", "_") {
						board = offered[i+1]
					}
				}
				if fromRuns(board) != drawn(b.name).m.String() {
					t.Errorf("%s: %s is offered as %q", page.Title, b.title, board)
				}
			}
		}
	}
	if played < 2 {
		t.Errorf("%d figures to play with", played)
	}
}
