package castle

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/site"
)

// claim is one thing that a post prints, and what is true instead. The check recomputes the verdict each time
// the report is built; a claim whose check fails stops the build.
type claim struct {
	id      string        // anchor of its entry
	title   string        // heading of its entry
	where   string        // post and place
	printed site.Markdown // what is printed, in our words
	verdict string        // wrong, slip, gap or hazard
	check   func(context.Context) (finding, error)
}

// finding is what a check has computed.
type finding struct {
	truth   site.Markdown // what is true
	example site.Markdown // the counterexample
	checked string        // the range that was searched
}

// checkClaims runs all checks on all cores and returns their findings in order.
func checkClaims(ctx context.Context, claims []claim) ([]finding, error) {
	findings, errs := make([]finding, len(claims)), make([]error, len(claims))
	var group sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, c := range claims {
		group.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				findings[i], errs[i] = c.check(ctx)
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil {
			return nil, fmt.Errorf("claim %q (%s): %w", claims[i].id, claims[i].where, err)
		}
	}
	return findings, nil
}

// marks are the verdicts of the entries.
var marks = map[string]site.Mark{
	"wrong":  {Tone: site.Red, Sign: "✗", Meaning: "not true as printed"},
	"slip":   {Tone: site.Amber, Sign: "~", Meaning: "a slip without consequence"},
	"gap":    {Tone: site.Cyan, Sign: "…", Meaning: "a case left out"},
	"hazard": {Tone: site.Violet, Sign: "!", Meaning: "true on paper, treacherous in floating point"},
}

// claimTable lists claims with their verdicts; the entries below it say the rest.
func claimTable(claims []claim) site.Table {
	table := site.Table{ID: "errata", RowHeader: true, Header: []site.Cell{site.Text("where"), site.Text("printed"), site.Text("verdict")}}
	for _, c := range claims {
		table.Rows = append(table.Rows, []site.Cell{
			site.Text(c.where), site.Rich(md("[%s](#%s)", c.title, c.id)), site.Text(c.verdict).Marked(marks[c.verdict]),
		})
	}
	return table
}

// claimEntries writes an entry for each claim, as Markdown.
func claimEntries(claims []claim, findings []finding) string {
	var entries strings.Builder
	for i, c := range claims {
		f := findings[i]
		fmt.Fprintf(&entries, "### %s {#%s}\n\n", c.title, c.id)
		fmt.Fprintf(&entries, "Printed (%s)\n: %s.\n\n", c.where, c.printed)
		fmt.Fprintf(&entries, "True\n: %s.\n\nCounterexample\n: %s.\n\nChecked\n: %s.\n\n", f.truth, f.example, upper(f.checked))
	}
	return entries.String()
}

// upper starts a sentence, unless it starts with a variable.
func upper(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	if second, _ := utf8.DecodeRuneInString(text[size:]); !unicode.IsLetter(second) {
		return text
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// box is the battles with n, s and d from 1 to its limits. Searches go through it in the order n, s, d.
type box struct{ n, s, d int64 }

// wide is where most claims are checked.
var wide = box{30, 100, 60}

func (b box) String() string {
	return fmt.Sprintf("n\u00a0≤\u00a0%d, s\u00a0≤\u00a0%d, d\u00a0≤\u00a0%d", b.n, b.s, b.d)
}

// each calls visit for every battle of the box until it returns false.
func (b box) each(visit func(game.Battle) bool) {
	for n := int64(1); n <= b.n; n++ {
		for s := int64(1); s <= b.s; s++ {
			for d := int64(1); d <= b.d; d++ {
				if !visit(game.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}) {
					return
				}
			}
		}
	}
}

// first returns the first battle of the box with a property.
func (b box) first(property func(game.Battle) bool) (found game.Battle, ok bool) {
	b.each(func(battle game.Battle) bool {
		if property(battle) {
			found, ok = battle, true
		}
		return !ok
	})
	return found, ok
}

// count returns how many battles of the box have a property.
func (b box) count(property func(game.Battle) bool) int {
	total := 0
	b.each(func(battle game.Battle) bool {
		if property(battle) {
			total++
		}
		return true
	})
	return total
}

func castleWaves(b game.Battle) int64 {
	return game.CastleMinWaves(b.Soldiers, b.CastleHits, b.DefendersPerWave)
}

func soldierWaves(b game.Battle) int64 {
	return game.MinWaves(b.Soldiers, b.CastleHits, b.DefendersPerWave)
}

// expect returns an error unless what was found is what the page says.
func expect(what string, holds bool, details ...any) error {
	if holds {
		return nil
	}
	return fmt.Errorf("%s does not hold: %s", what, strings.TrimSpace(fmt.Sprintln(details...)))
}

// md formats Markdown of our own; numbers and battles need no escaping. Battles are kept on one line.
func md(format string, args ...any) site.Markdown {
	for i, arg := range args {
		if b, ok := arg.(game.Battle); ok {
			args[i] = triple(b)
		}
	}
	return site.Markdown(fmt.Sprintf(format, args...))
}
