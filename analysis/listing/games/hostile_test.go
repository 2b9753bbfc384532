package games

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
)

// hostile is a program that would use unlimited time or memory.
type hostile struct {
	Game       listing.Game
	Name, Text string
	Want       string // the wanted message
}

// manyLines matches a line that stands for many lines.
var manyLines = regexp.MustCompile(`(?m)^( *)v0 = 0 \.\.\. v(\d+) = 0\n`)

// hostilePrograms returns the programs of testdata/hostile.txt.
func hostilePrograms(tb testing.TB) (all []hostile) {
	tb.Helper()
	file := string(must.Get(os.ReadFile("testdata/hostile.txt")))
	for _, part := range strings.Split(file, "\n-- ")[1:] {
		head, text, _ := strings.Cut(part, "\n")
		if want, ok := strings.CutPrefix(head, "want "); ok {
			all[len(all)-1].Want = want
			continue
		}
		game, name, _ := strings.Cut(head, ": ")
		h := hostile{Game: gameNamed(game), Name: name}
		h.Text = strings.Replace(text+"\n", "def play:", h.Game.Signature.String()+":", 1)
		h.Text = manyLines.ReplaceAllStringFunc(h.Text, func(line string) string {
			parts := manyLines.FindStringSubmatch(line)
			var lines strings.Builder
			for i := range must.Get(strconv.Atoi(parts[2])) + 1 {
				fmt.Fprintf(&lines, "%sv%d = 0\n", parts[1], i)
			}
			return lines.String()
		})
		all = append(all, h)
	}
	return all
}

// fail runs the program in a case of its game, and returns its error.
func (h hostile) fail(tb testing.TB) error {
	at := map[string][]int64{"castle": {10, 43, 8}, "tower": {9, 2, 3, 4}, "ants": {1, 2, 2, 5}, "naval": {3}}
	l, err := listing.Read("mine.star", []byte(h.Text), h.Game.Signature, listing.Limits{})
	if err == nil {
		err = h.Game.Own(l)(tb.Context(), at[h.Game.Name], new(listing.Tally))
	}
	return err
}

// TestHostile checks that a hostile program ends with a line that names the limit it exceeded, and that the total
// memory that it allocates, freed or not, is limited.
func TestHostile(t *testing.T) {
	const most = 128 << 20
	for _, h := range hostilePrograms(t) {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := h.fail(t)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("%s: %s takes %d bytes", h.Game.Name, h.Name, got)
		}
		if err == nil || err.Error() != h.Want {
			t.Errorf("%s: %s:\n%v\nwant\n%s", h.Game.Name, h.Name, err, h.Want)
		}
	}
}
