package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/analysis/tower"
)

// TestChoices: every row of the library's tables can be chosen by its name, the help lists it, and the error of a name
// that there is not lists them all. Nothing here or in the commands names one.
func TestChoices(t *testing.T) {
	chance := make([]string, len(tower.Readings()))
	for i, reading := range tower.Readings() {
		chance[i] = "random-" + reading.String()
	}
	for _, test := range []struct {
		command, flag string
		choices       []string
	}{
		{"solve tower 5 4 3 2", "strategy", append(texts(tower.Strategies()), chance...)},
		{"solve tower 5 4 3 2 --strategy random-sim", "method", texts(tower.Methods())},
		{"solve ants -", "rule", texts(ants.Rules())},
		{"play naval", "placement", append(texts(naval.Placements()), "all")},
		{"play naval", "moves", append(texts(naval.AllMoves()), "all")},
		{"play naval", "targeting", texts(naval.Targetings())},
		{"tournament naval --players 2", "targeting", texts(naval.Targetings())},
		{"measure naval --fleets 1 --strategies random-proper", "placements", append(texts(naval.Placements()), "all")},
	} {
		run := func(choice string) (int, string, string) {
			return siegebook(t.Context(), "A.B\n", append(strings.Fields(test.command), "--"+test.flag, choice)...)
		}
		help := strings.Join(strings.Fields(mustRun(t, "", append(strings.Fields(test.command)[:2], "--help")...)), " ")
		if at := strings.Index(help, "--"+test.flag+"="); at >= 0 {
			help = help[at:]
		}
		_, _, wrong := run("x")
		for _, choice := range test.choices {
			if code, out, stderr := run(choice); code != 0 || out == "" || stderr != "" {
				t.Errorf("%s --%s %s: exit code %d, %q", test.command, test.flag, choice, code, stderr)
			}
			if !strings.Contains(help, choice) || !strings.Contains(wrong, choice) {
				t.Errorf("%s --%s %s is not in the help, or not in the error %q", test.command, test.flag, choice, wrong)
			}
		}
	}
}

func texts[T fmt.Stringer](values []T) []string { return strings.Split(names(values), ", ") }
