package browsertest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// writer writes a notebook in the page.
type writer struct{ livePlayer }

// notebookCell is what a reader sees of a cell of a notebook.
type notebookCell struct{ Text, State, Error, Output string }

// cells returns what a reader sees of all cells.
func (w writer) cells() []notebookCell {
	w.Helper()
	return evaluate[[]notebookCell](w.T, w.window, `() => [...document.querySelectorAll(".live-cell")].map((cell) => ({
		Text: cell.querySelector("textarea").value,
		State: cell.querySelector(".live-state")?.innerText || "",
		Error: cell.querySelector(".live-error")?.innerText || "",
		Output: [...cell.children].filter((e) => !e.matches("textarea, .live-bar, .live-error")).map((e) =>
			e.innerText.trim() + [...e.querySelectorAll("img")].map((image) => "[" + image.alt + "]").join("")).join("\n"),
	}))`)
}

// texts returns the texts of all cells.
func (w writer) texts() string {
	w.Helper()
	var all []string
	for _, c := range w.cells() {
		all = append(all, c.Text)
	}
	return strings.Join(all, "|")
}

// pushes presses the button that has the given name for screen readers.
func (w writer) pushes(name string) {
	w.Helper()
	if !evaluate[bool](w.T, w.window, `(name) => {
		const button = [...document.querySelectorAll(".live-bar button")].find((b) =>
			(b.ariaLabel || b.textContent) === name && !b.hidden);
		if (button) button.click();
		return Boolean(button);
	}`, name) {
		w.Fatalf("there is no button %q", name)
	}
}

// writes replaces the text of the cell at a place. Places are numbered from 1.
func (w writer) writes(place int, text string) {
	w.Helper()
	evaluate[bool](w.T, w.window, `(place, text) => {
		const box = document.querySelectorAll(".live-cell textarea")[place - 1];
		box.value = text;
		return box.dispatchEvent(new Event("input"));
	}`, place, text)
}

// run runs the cell at a place, and returns what a reader then sees of all cells.
func (w writer) run(place int) []notebookCell {
	w.Helper()
	w.wait(place)
	return w.cells()
}

// opens opens a file, and waits until the notebook shows the wanted message.
func (w writer) opens(name, text, want string) {
	w.Helper()
	evaluate[bool](w.T, w.window, `(name, text) => {
		const files = new DataTransfer(), field = document.querySelector("input[type=file]");
		files.items.add(new File([text], name));
		field.files = files.files;
		return field.dispatchEvent(new Event("change"));
	}`, name, text)
	waittest.Until(w.T, "the notebook says "+want, func() bool { return strings.Contains(w.stateMessage(), want) })
}

// stateMessage returns the notebook's message about its state.
func (w writer) stateMessage() string {
	w.Helper()
	return evaluate[string](w.T, w.window, `() => document.querySelector(".live-bar:has(input[type=file]) p").innerText`)
}

// saves returns the file that the page offers.
func (w writer) saves() string {
	w.Helper()
	evaluate[bool](w.T, w.window, `() => {
		const make = URL.createObjectURL;
		URL.createObjectURL = (blob) => {
			blob.text().then((text) => { document.documentElement.saved = text; });
			URL.createObjectURL = make;
			return make.call(URL, blob);
		};
		document.documentElement.saved = "";
		return true;
	}`)
	w.pushes("Save")
	saved := ""
	waittest.Until(w.T, "the notebook is saved", func() bool {
		saved = evaluate[string](w.T, w.window, `() => document.documentElement.saved`)
		return saved != ""
	})
	return saved
}

// TestBlankNotebook checks that readers write a notebook of their own in a page on the disk, run it, save it, and open
// it again.
func TestBlankNotebook(t *testing.T) {
	t.Parallel()
	page := "file://" + filepath.Join(liveSite(t), "blank-notebook.html")
	ours := string(must.Get(os.ReadFile(filepath.Join("..", "..", "notebooks", "03-fibonacci.ipynb"))))
	axeCore := axeSource(t)
	inBrowsers(t, true, func(t *testing.T, window window) {
		w := writer{livePlayer{t, window}}
		w.open(page)
		if got := w.texts(); got != "" || len(w.cells()) != 1 {
			t.Errorf("the blank notebook has the cells %q", got)
		}
		const parts = `() => [...document.scripts].filter((script) => script.src.includes("live-")).length`
		if n := evaluate[int](t, w, parts); n > 0 {
			t.Errorf("%d parts are loaded before anybody writes", n)
		}
		w.writes(1, "func double(x int) int { return 2 * x }\nn := 4")
		w.pushes("Add Go, cell 1")
		w.writes(2, "fmt.Println(double(n))\nm := n")
		w.pushes("Add text, cell 1")
		w.writes(2, "# Doubles\n\n<b>They</b> are even.")
		w.pushes("Add Go, cell 3")
		w.writes(4, "show.Figure(figure.Lines{Title: fmt.Sprint(\"up to \", m), Series: []figure.Series{{\n\t"+
			"Name: \"a\", Points: []figure.Point{{X: 1, Y: 1}, {X: 2, Y: float64(m)}},\n}}})")
		if c := w.run(4); c[2].Output != "8" || !strings.Contains(c[3].Output, "up to 4") ||
			!strings.Contains(c[3].State, "Done in") {
			t.Errorf("the cells are %+v", c)
		}

		// Cells above do not see the declarations of cells below, and earlier outputs are marked.
		w.pushes("Up, cell 4")
		w.pushes("Up, cell 3")
		const stale = `() => [...document.querySelectorAll(".live-stale")].length`
		if n := evaluate[int](t, w, stale); n != 2 {
			t.Errorf("%d outputs are marked as old", n)
		}
		if c := w.run(1); !strings.Contains(c[1].Error, "undefined: m") || !strings.HasPrefix(c[1].Text, "show.") {
			t.Errorf("the cells are %+v", c)
		}
		w.pushes("Down, cell 2")
		w.pushes("Down, cell 3")
		if c := w.run(1); c[2].Output != "8" || c[3].Error != "" || evaluate[int](t, w, stale) > 0 {
			t.Errorf("the cells are %+v", c)
		}

		// Readers can restore a removed cell, and a notebook always has at least one cell.
		whole := w.texts()
		w.pushes("Remove, cell 3")
		if c := w.run(1); !strings.Contains(c[2].Error, "undefined: m") {
			t.Errorf("without the third cell the others are %+v", c)
		}
		w.pushes("Bring back the removed cell")
		if got := w.texts(); got != whole {
			t.Errorf("the cells are %q, not %q", got, whole)
		}

		// A saved file contains everything.
		saved := w.saves()
		n := must.Get(jupyter.Parse([]byte(saved)))
		var kinds []string
		for _, c := range n.Cells() {
			kinds = append(kinds, string(c.Kind)+" "+c.ID)
		}
		want := []string{"code cell-1", "markdown cell-2", "code cell-3", "code cell-4"}
		if !slices.Equal(kinds, want) ||
			n.Kernel() != jupyter.ProjectKernel || !strings.Contains(saved, "\"nbformat_minor\": 5") {
			t.Errorf("the file has the kernel %q and the cells %q:\n%s", n.Kernel(), kinds, saved)
		}

		// The page works by keyboard, on a telephone, and for all readers.
		evaluate[bool](t, w, `() => {
			const box = document.querySelectorAll("textarea")[2];
			box.focus();
			box.setSelectionRange(0, 0);
			return true;
		}`)
		w.resize(390, 800)
		w.press(0, input.Tab, input.KeyX)
		w.press(input.ControlLeft, input.Enter)
		waitLonger(t, "a mistake is told", func() bool { return strings.Contains(w.cells()[2].Error, "x") })
		if evaluate[bool](t, w, `() => document.documentElement.scrollWidth > innerWidth`) {
			t.Error("the page is wider than a telephone")
		}
		_, err := w.eval("() => {" + axeCore + "\n}")
		must.Do(t, err)
		if a := evaluate[audit](t, w, axeRun, "all", ""); len(a.Findings) > 0 || len(a.Passed) < 10 {
			t.Errorf("axe finds %q", a.Findings)
		}
		w.resize(1280, 800)

		// Files from other sources are only text, and nothing in them runs.
		for _, wrong := range []string{"no JSON", "[]", `{"nbformat": 3, "cells": []}`, `{"nbformat": 4, "cells": 1}`} {
			w.opens("wrong.ipynb", wrong, "The file is not a notebook (.ipynb) of version 4")
		}
		w.opens("python.ipynb", `{"nbformat": 4, "nbformat_minor": 2, "metadata": {"kernelspec": {"language": "python"}},
			"cells": [{"cell_type": "code", "source": ["1 +\n", "2 <img src=x onerror=document.title=1>"]}]}`,
			"The notebook is in python, but this page runs Go")
		if got := w.texts(); got != "1 +\n2 <img src=x onerror=document.title=1>" {
			t.Errorf("the cells are %q", got)
		}
		w.pushes("Bring back the previous cells")
		if got := w.texts(); !strings.HasPrefix(got, "func double") || len(w.cells()) != 5 {
			t.Errorf("the cells are %q", got)
		}
		w.opens("blank-notebook.ipynb", saved, "4 cells. Nothing has run.")
		if got := w.texts(); got != whole {
			t.Errorf("of its file the cells are %q, not %q", got, whole)
		}
		var before, after any
		must.Do(t, json.Unmarshal([]byte(saved), &before))
		again := w.saves()
		if must.Do(t, json.Unmarshal([]byte(again), &after)); again != saved {
			t.Errorf("it is saved again as\n%s", again)
		}

		// This book's notebooks can be opened, and cells with a line %% run.
		w.opens("03-fibonacci.ipynb", ours, "Nothing has run.")
		if got, want := len(w.cells()), len(must.Get(jupyter.Parse([]byte(ours))).Cells()); got != want {
			t.Errorf("of %d cells %d are there", want, got)
		}
		w.opens("gonb.ipynb", `{"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "gonb"}}, "cells": [
			{"cell_type": "code", "source": "import \"strings\"\nfunc twice(s string) string { return strings.Repeat(s, 2) }"},
			{"cell_type": "code", "source": "%%\nx := twice(\"go\")\nfmt.Println(x)"}]}`, "2 cells. Nothing has run.")
		if c := w.run(1); c[1].Output != "gogo" {
			t.Errorf("the cells of gonb are %+v", c)
		}

		// A link contains the cells. Following it runs nothing.
		w.opens("blank-notebook.ipynb", saved, "4 cells. Nothing has run.")
		w.pushes("Copy link")
		waittest.Until(t, "the link is there", func() bool { return strings.Contains(w.stateMessage(), "The link is") })
		address := evaluate[string](t, w, `() => location.href`)
		w.open("about:blank")
		w.open(address)
		if got := w.texts(); got != whole || evaluate[int](t, w, parts) > 0 {
			t.Errorf("of the link the cells are %q", got)
		}
		w.open("about:blank")
		w.open(page + "#live:e30")
		if got := w.texts(); got != "" {
			t.Errorf("of a wrong link the cells are %q", got)
		}
		if problems := append(w.problems(), overheard(t, w)...); len(problems) > 0 {
			t.Errorf("%q", problems)
		}
	})
}

// TestLiveWords checks that in a German book, all messages of the pages that readers edit and of the blank notebook are
// in German. Only the messages of Go are in English.
func TestLiveWords(t *testing.T) {
	t.Parallel()
	site := liveSite(t, "language: de", "words: {live-reset: Von vorn}")
	inBrowsers(t, true, func(t *testing.T, window window) {
		w := writer{livePlayer{t, window}}
		w.open("file://" + filepath.Join(site, "01-sums.html"))
		page := func(want string) {
			t.Helper()
			text := evaluate[string](t, w, `() => document.querySelector("main").innerText`)
			if !regexp.MustCompile(want).MatchString(text) {
				t.Errorf("the page does not say %q:\n%s", want, text)
			}
		}
		w.pushes("Bearbeiten, Zelle 1")
		w.pushes("Bearbeiten, Zelle 2")
		w.write(1, "n := 1200")
		page("Sie haben Zelle 1 dieser Seite geändert. Ausgaben mit gestricheltem Rand")
		w.write(2, "fmt.Println(n)\nshow.NewTable(\"\", \"a\").Row(12345.5).Show()")
		w.waitFor(func() { w.pushes("Ausführen, Zelle 2") })
		page(`Fertig nach \d+,\d s\.`)
		page("Sie haben die Zellen 1 und 2 dieser Seite geändert. Die Zellen zeigen, was Ihr Programm zeigt.")
		page("12\u202f345,5")
		w.write(2, "m++")
		w.waitFor(func() { w.pushes("Ausführen, Zelle 2") })
		page("Nicht ausgeführt: Es gibt einen Fehler.")
		page("Zeile 1: undefined: m")
		w.write(2, "var a []int\nfmt.Println(a[n])")
		w.waitFor(func() { w.pushes("Ausführen, Zelle 2") })
		page("Zeile 2: panic: .*: ein Index zählt ab 0")
		w.pushes("Bearbeiten, Zelle 5")
		w.write(2, "")
		w.write(5, "show.Play(\"hills\", 1, 9, 2, func(n int) show.Drawing {\n\treturn figure.Lines{Title: \"A\", "+
			"Series: []figure.Series{{Name: \"a\", Points: []figure.Point{{X: 1, Y: 1}, {X: 2, Y: float64(n)}}}}}\n})")
		w.waitFor(func() { w.pushes("Ausführen, Zelle 5") })
		waittest.Until(t, "the control speaks German", func() bool {
			return evaluate[bool](t, w, `() => [...document.querySelectorAll(".explorable button")].some((b) =>
				b.offsetParent && b.textContent === "Abspielen")`)
		})
		w.pushes("Von vorn, Zelle 1")

		w.open("file://" + filepath.Join(site, "blank-notebook.html"))
		w.writes(1, "fmt.Println(1)")
		w.pushes("Text einfügen, Zelle 1")
		w.opens("wrong.ipynb", "[]", "Die Datei ist kein Notebook der Version 4")
		w.opens("a {}.ipynb", `{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": []}`,
			"a {}.ipynb ist geöffnet: 0 Zellen. Nichts wurde ausgeführt.")
		w.pushes("Vorige Zellen zurückholen")
		w.waitFor(func() { w.pushes("Ausführen, Zelle 1") })
		if c := w.cells(); c[0].Output != "1" || !strings.HasPrefix(c[0].State, "Fertig nach") {
			t.Errorf("the cells are %+v", c)
		}
		if problems := append(w.problems(), overheard(t, w)...); len(problems) > 0 {
			t.Errorf("%q", problems)
		}
	})
}
