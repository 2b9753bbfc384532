package browsertest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestPageControls checks that the controls of an author's page and of a notebook work in static pages on the disk, in
// the folder and in the file with all pages. The author's function gets the values, including fractions, lists and
// check boxes. The page reports what the function cannot draw, and readers can stop an endless function.
func TestPageControls(t *testing.T) {
	t.Parallel()
	book := filepath.Join(t.TempDir(), "book")
	must.Do(t, os.CopyFS(book, os.DirFS(filepath.Join("testdata", "controls"))))
	e := must.Get(build(t.TempDir(), book))
	for _, page := range []struct{ file, prefix string }{
		{filepath.Join(e.dir, "02-notebook.html"), ""}, {e.single, "02-notebook--"},
	} {
		inBrowsers(t, false, func(t *testing.T, w window) {
			p := &player{T: t, window: w, game: game{page: page.file, block: page.prefix + "fig-cell-3-1"}}
			p.begin("")
			p.wants("the answer", "first = 6", func() string { return p.answer("answer") })
			p.write("a", "27")
			p.wants("the answer", "first = 27", func() string { return p.answer("answer") })
			caption := func() string {
				return inHost[string](p, `return host.closest("figure").querySelector("figcaption").innerText;`)
			}
			waittest.Until(t, "the caption is that of 27", func() bool {
				return caption() == "Figure 2.1 From 27 it takes 111 steps"
			})
			p.quiet()
		})
	}
	for _, page := range []struct{ file, prefix string }{
		{filepath.Join(e.dir, "01-waves.html"), ""}, {e.single, "01-waves--"},
	} {
		inBrowsers(t, false, func(t *testing.T, w window) {
			p := &player{T: t, window: w, game: game{page: page.file, block: page.prefix + "fig-one"}}
			caption := func() string {
				return inHost[string](p, `return host.closest("figure").querySelector("figcaption").innerText;`)
			}
			p.begin("")
			p.wants("the answer", "n = 3", func() string { return p.answer("answer") })
			p.slide("a", input.ArrowRight)
			p.wants("the answer", "n = 4", func() string { return p.answer("answer") })
			waittest.Until(t, "the caption is that of 4", func() bool { return caption() == "Figure 1.1 A wave of 4" })
			p.write("a", "7")
			problem := func() string { return p.state().Problem }
			p.wants("what is wrong", "this cannot be drawn: seven is not drawn", problem)
			p.write("a", "12")
			p.wants("the answer", "n = 12", func() string { return p.answer("answer") })

			p.block = page.prefix + "fig-more"
			p.settle()
			p.write("b", "1.25")
			p.choose("c", "1")
			p.choose("d", "1")
			p.wants("the answer", "n = 3, amplitude = 1.25, kind: fancy <b>, half: yes",
				func() string { return p.answer("answer") })
			p.write("b", "2.5")
			p.wants("what is wrong", "amplitude (b) = 2.50: must be a number from 0.00 to 2.00 with at most 2 "+
				"decimals", problem)
			p.push("", "Start again")
			p.wants("the answer", "n = 3, amplitude = 0.50, kind: plain, half: no",
				func() string { return p.answer("answer") })
			p.push("", "Play")
			p.wants("the answer at the end of play", "n = 9, amplitude = 0.50, kind: plain, half: no",
				func() string { return p.answer("answer") })

			// In a picture with a board, the author's Go code also handles presses.
			p.block = page.prefix + "fig-lamps"
			p.settle()
			p.wants("the answer", "1 of 5 lamps are on.", func() string { return p.answer("answer") })
			p.tap(mouse, ".x-board", 0.5, 0.5)
			p.wants("the answer", "2 of 5 lamps are on.", func() string { return p.answer("answer") })
			p.tap(mouse, ".x-board", 0.3, 0.5)
			p.wants("the answer", "1 of 5 lamps are on.", func() string { return p.answer("answer") })

			// An endless function can be stopped, and the page still works.
			p.block = page.prefix + "fig-one"
			evaluate[bool](t, w, `(block) => {
				const box = document.getElementById(block).querySelector("input[type=number]");
				box.value = "9";
				box.dispatchEvent(new Event("input"));
				return true;
			}`, p.block)
			waittest.Until(t, "there is a button to stop", func() bool {
				return evaluate[bool](t, w, `(block) => {
					const stop = document.getElementById(block).querySelector(".x-waiting button");
					if (stop) stop.click();
					return Boolean(stop);
				}`, p.block)
			})
			p.write("a", "5")
			p.wants("the answer after a stop", "n = 5", func() string { return p.answer("answer") })
			p.quiet()
		})
	}
}
