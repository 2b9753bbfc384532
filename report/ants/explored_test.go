package ants

import (
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
	"github.com/siegebook/siegebook/report/site"
)

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
		f := mustFight(text, game.Focus)
		if got := inRuns(f.m); fromRuns(got) != text {
			t.Errorf("%q is written as %q", text, got)
		}
	}
	if got := inRuns(mustFight("...B.\n.A.A.\n...C.", game.Focus).m); got != "3B1-1A1A1-3C1" {
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
			if f.Explore == nil {
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
	if err := play(&site.Page{Title: "none"}, "missing", drawn("wall"), false); err == nil {
		t.Error("a figure that there is not can be played with")
	}
}
