package browsertest

import (
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

var update = flag.Bool("update", false, "record the heights of the explorables in "+heightsFile)

const heightsFile = "../../report/siegebook/explorables/heights.css"

// heightWidths are the widths of explorables, in CSS pixels, for which heights are recorded. kit.css uses the same
// widths, and interpolates between the heights of a row. Between two rows, the number of columns of explorables
// changes.
var heightWidths = [][]int{{240, 280, 296}, {297, 320, 350, 390, 480}, {481, 560, 640}, {641, 752}}

// visitedWidths are the widths of explorables in the windows of TestPages, which checks their heights in Chromium. An
// exercise is 617 pixels wide if letters are narrow.
var visitedWidths = []int{260, 350, 617}

// TestHeights compares the reserved heights of explorables with their heights in Firefox, at widths that TestPages does
// not test. To record heights, both browsers measure all of them, and Chromium also measures them with narrow letters.
func TestHeights(t *testing.T) {
	t.Parallel()
	r := report(t)
	pages := explorablePages(t, r) // with kits, because an explorable is higher in some languages
	if !*update {
		w := startFirefox(t, false)
		for _, page := range pages {
			w.open(fileURL(page))
			for _, width := range []int{240, 300, 335, 430, 520, 600, 690, 752} {
				for _, problem := range checkAt(t, w, width, "reserved").Problems {
					t.Errorf("%s: %s: to record heights, run "+
						"go test -run '^TestHeights$' ./internal/browsertest -update", filepath.Base(page), problem)
				}
			}
		}
		return
	}
	var mu sync.Mutex
	found := map[string]map[string]map[int]float64{} // the heights by kind and start, for each width
	t.Run("browsers", func(t *testing.T) {
		for name, w := range map[string]window{
			"wide": startChromium(t, false), "narrow": startChromium(t, true), "Firefox": startFirefox(t, false),
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				defer w.serve(w.serve(t))
				for _, page := range pages {
					w.open(fileURL(page))
					for _, row := range heightWidths {
						for _, width := range measured(row) {
							all := checkAt(t, w, width, "heights").Heights
							mu.Lock()
							for _, h := range all {
								if found[h.Kind] == nil {
									found[h.Kind] = map[string]map[int]float64{}
								}
								if found[h.Kind][h.Start] == nil {
									found[h.Kind][h.Start] = map[int]float64{}
								}
								found[h.Kind][h.Start][width] = max(found[h.Kind][h.Start][width], h.Needed)
							}
							mu.Unlock()
						}
					}
				}
			})
		}
	})
	if !t.Failed() {
		must.Write(t, heightsFile, heightsCSS(found))
	}
}

// height holds the height that an explorable needs.
type height struct {
	Kind, Start string
	Needed      float64
}

// checkAt runs a check of checks.js on the explorables of the open page, at a width. Letters grow with the window, and
// wide explorables usually have a window that is wide enough for the largest letters.
func checkAt(t *testing.T, w window, width int, name string) finding {
	t.Helper()
	window := width + 40
	if width >= 560 {
		window = 1280
	}
	w.resize(window, 1000)
	return evaluate[finding](t, w, "async (name, width) => {"+
		"const page = "+checks+"; await page.settled(); return page[name](width); }", name, width)
}

// measured returns the widths at which heights are measured for a row of heightWidths: every eighth pixel, and all
// widths of the row.
func measured(row []int) (widths []int) {
	for i, width := range row[1:] {
		for w := row[i]; w < width; w += 8 {
			widths = append(widths, w)
		}
	}
	return append(widths, row[len(row)-1])
}

// linesOver returns heights at the widths of a row, so that no measured height is above the lines between them. If the
// height decreases to the next measured width, the decrease may come just before that width.
func linesOver(row []int, heights map[int]float64) []int {
	over := make([]float64, len(row))
	for i, width := range row {
		over[i] = heights[width]
	}
	all, segment := measured(row), 0
	lift := func(width int, height float64) {
		from, to := float64(row[segment]), float64(row[segment+1])
		share := (float64(width) - from) / (to - from)
		less := height - over[segment]*(1-share) - over[segment+1]*share
		if less > 1e-6 { // raises both ends as little as possible, and the nearer end more
			less /= (1-share)*(1-share) + share*share
			over[segment] += less * (1 - share)
			over[segment+1] += less * share
		}
	}
	for i, width := range all[1:] {
		lift(width-1, heights[all[i]])
		lift(width, heights[width])
		if width == row[segment+1] {
			segment++
		}
	}
	rounded := make([]int, len(row))
	for i := range row {
		rounded[i] = int(math.Ceil(over[i] - 1e-6))
	}
	return rounded
}

// TestLinesOver checks that the lines go through heights that are on lines. They are above all other heights, but no
// higher than necessary.
func TestLinesOver(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, row := range heightWidths {
		straight, uneven := map[int]float64{}, map[int]float64{}
		for _, width := range measured(row) {
			straight[width], uneven[width] = float64(2*width+7), float64(300+random.IntN(90))
		}
		for i, height := range linesOver(row, straight) {
			if want := 2*row[i] + 7; height != want {
				t.Errorf("%v: the heights 2x + 7 have a line through %d at %d", row, height, row[i])
			}
		}
		over := linesOver(row, uneven)
		if slices.Max(over) > 389+90 {
			t.Errorf("%v: heights up to 389 have a line through %d", row, slices.Max(over))
		}
		for i, height := range over[1:] {
			for width := row[i]; width <= row[i+1]; width++ {
				line := float64(over[i]) + float64((height-over[i])*(width-row[i]))/float64(row[i+1]-row[i])
				if uneven[width] > line+1e-5 {
					t.Errorf("%v: the height %g at %d lies above its line, %g", row, uneven[width], width, line)
				}
			}
		}
	}
}

// highest returns the larger of two heights for each width.
func highest(a, b []int) []int {
	all := slices.Clone(b)
	for i := range a {
		all[i] = max(a[i], b[i])
	}
	return all
}

// heightsCSS returns the style sheet that records heights. It has the heights of each kind. If the heights for one of
// its starts differ by more than a line of text, it also has the heights for that start.
func heightsCSS(found map[string]map[string]map[int]float64) string {
	var css strings.Builder
	css.WriteString("/* The heights of explorables by their widths, in pixels: recorded by TestHeights of " +
		"internal/browsertest, with -update. */\n")
	rule := func(selector string, heights []int) {
		css.WriteString(selector + " {")
		for i, width := range slices.Concat(heightWidths...) {
			fmt.Fprintf(&css, " --h%d: %d;", width, heights[i])
		}
		css.WriteString(" }\n")
	}
	for _, kind := range slices.Sorted(maps.Keys(found)) {
		var most []int
		lines := map[string][]int{}
		for start, heights := range found[kind] {
			for _, row := range heightWidths {
				lines[start] = append(lines[start], linesOver(row, heights)...)
			}
			most = highest(most, lines[start])
		}
		selector := fmt.Sprintf(`.explorable[data-kind="%s"]`, kind)
		rule(selector, most)
		for _, start := range slices.Sorted(maps.Keys(lines)) {
			for i, height := range lines[start] {
				if height < most[i]-24 {
					// The edition in one file contains the style sheet, and is XML. So & is written as a CSS escape.
					rule(selector+fmt.Sprintf(`[data-start="%s"]`, strings.ReplaceAll(start, "&", `\26 `)), lines[start])
					break
				}
			}
		}
	}
	return css.String()
}
