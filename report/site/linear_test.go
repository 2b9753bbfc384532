//go:build linux || darwin || freebsd

package site

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/report/content"
)

// TestLinear makes sure that the cost of a page grows with what is on it and not with its square: eight times as many
// blocks, headings and lines may cost twenty times as much, and would cost sixty-four. What is measured is the
// processor's time: that of the clock depends on what else runs.
func TestLinear(t *testing.T) {
	if testing.Short() {
		t.Skip("renders large pages")
	}
	for _, c := range []struct{ name, text string }{
		{"blocks", ""},
		{"headings", "## Title {#a%d}\n\n"},
		{"lines", "a\n\n{{ \"b\" }}\n\n"},
	} {
		cost := func(n int) time.Duration {
			var text strings.Builder
			for i := range n {
				text.WriteString(strings.ReplaceAll(c.text, "%d", fmt.Sprint(i)))
			}
			page := Page{Slug: "index", Title: "T", Source: text.String()}
			if c.text == "" {
				page.Body = slices.Repeat([]content.Block{content.Code{Text: "a", Number: 1, ID: "a"}, content.Output{Text: "b"}, content.Prose{Text: "## A"}}, n)
			}
			least := time.Hour
			for range 3 {
				begin := worked(t)
				if _, err := Render(t.Context(), Site{Title: "T", Pages: []Page{page}}, Options{Workers: 1}); err != nil {
					t.Fatal(err)
				}
				least = min(least, worked(t)-begin)
			}
			return least
		}
		const n = 5000
		if small, large := cost(n), cost(8*n); large > 20*small {
			t.Errorf("%s: %d cost %v, %d cost %v", c.name, n, small, 8*n, large)
		} else {
			t.Logf("%s: %d cost %v, %d cost %v", c.name, n, small, 8*n, large)
		}
	}
}

// worked returns the processor's time that this process has used.
func worked(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
