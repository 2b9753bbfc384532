package browsertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestNotebookControls checks that in the page of a notebook, the picture follows the control until the control ends. A
// saved notebook has the last picture. A run without a reader has the first picture.
func TestNotebookControls(t *testing.T) {
	t.Parallel()
	server := startNotebook(t)
	file := filepath.Join(server.books, "controls.ipynb")
	must.Write(t, file, playable("controlled", "slides", "panics", "several"))
	server.execute(t, file)
	text := must.Get(os.ReadFile(filepath.Join(server.books, "executed", "controls.ipynb")))
	if strings.Contains(string(text), "siegebook-control") || !strings.Contains(string(text), "n = 24") {
		t.Error("a run without a reader has controls, or not the picture of the start")
	}
	browser := start(t, false)
	tab := openNotebook(t, browser, server, "controls.ipynb")
	runAll(t, tab)
	for i, want := range []string{"n = 24", "n = 5", "n = 4, d = 9, kind: map, first: no", "wave = 1"} {
		captioned(t, tab, i, want)
	}
	keepPicture(t, tab, "controls.png")

	put(t, tab, 0, "39")
	captioned(t, tab, 0, "n = 39")
	slideFast(t, tab)

	// The test moves the control by keyboard. The notebook does not mistake the keys for its own commands.
	before := kept(t, tab)
	eval(t, tab, `() => `+slider(0)+`.focus()`)
	must.Do(t, tab.Keyboard.Type(input.ArrowRight, input.ArrowRight, input.KeyD, input.KeyD, input.KeyB))
	captioned(t, tab, 0, "n = 42")
	captioned(t, tab, 1, "n = 5")
	if after := kept(t, tab); after != before {
		t.Errorf("the keys have changed the notebook: %s, before %s", after, before)
	}

	// Also, an error replaces the picture, and the next move works again.
	for _, step := range must.Table[struct {
		Control  int
		Do, Want string
	}](t, tables, t.Name()) {
		eval(t, tab, `(i) => {
			const control = document.querySelectorAll(".siegebook-controls")[i], part = (selector) => control.querySelector(selector);
			const set = (selector, value, kind) => { part(selector).value = value; part(selector).dispatchEvent(new Event(kind, {bubbles: true})); };
			`+step.Do+`;
		}`, step.Control)
		captioned(t, tab, step.Control, step.Want)
	}

	// An endless function can be interrupted, like a cell. All controls then end, and show a message about that.
	put(t, tab, 1, "9")
	eval(t, tab, `() => Jupyter.notebook.kernel.interrupt()`)
	waitFor(t, tab, "the end of the controls", `() => [...document.querySelectorAll(".siegebook-controls")].every((e) =>
		e.textContent.includes("no longer work (interrupted)") && [...e.querySelectorAll("input, select, button")].every((i) => i.disabled))`)

	// The next run of a cell has a control of its own.
	eval(t, tab, `() => Jupyter.notebook.execute_cells([1])`)
	waitFor(t, tab, "the cell", `() => !Jupyter.notebook.kernel_busy && !`+slider(0)+`.disabled`)
	put(t, tab, 0, "33")
	captioned(t, tab, 0, "n = 33")

	// The saved notebook has the last picture. After it is loaded again, its controls say that they have ended.
	eval(t, tab, `() => Jupyter.notebook.save_notebook()`)
	waitFor(t, tab, "the saved notebook", `() => !Jupyter.notebook.dirty`)
	text = must.Get(os.ReadFile(file))
	if !strings.Contains(string(text), `values\">n = 33</p>`) || strings.Contains(string(text), `values\">n = 24</p>`) {
		t.Error("the saved notebook has not the last picture")
	}
	lookAtCopy(t, browser, server, text)
	leaveUnsaved(t, tab)
	if ask[bool](t, tab, `() => document.querySelector(".siegebook-values").checkVisibility()`) {
		t.Error("the values stand below the live controls, which show them")
	}
	must.Do(t, tab.Reload())
	waitFor(t, tab, "the end of the old controls",
		`() => { const all = [...document.querySelectorAll(".siegebook-controls")]; return all.length === 4 && all.every((e) => e.textContent.includes("no longer work")); }`)
	captioned(t, tab, 0, "n = 33")
	if !ask[bool](t, tab, `() => document.querySelector(".siegebook-values").checkVisibility()`) {
		t.Error("nothing says of which values the picture is")
	}

	// A restart ends the controls.
	eval(t, tab, `() => Jupyter.notebook.execute_cells([0, 1])`)
	waitFor(t, tab, "the cell", `() => !Jupyter.notebook.kernel_busy && `+slider(0)+` && !`+slider(0)+`.disabled`)
	put(t, tab, 0, "34")
	captioned(t, tab, 0, "n = 34")
	eval(t, tab, `() => Jupyter.notebook.kernel.restart()`)
	waitFor(t, tab, "the end of the control", `() => `+slider(0)+`.disabled`)

	leaveUnsaved(t, tab)
	untrusted := openNotebook(t, browser, server, "executed/controls.ipynb")
	drawings(t, untrusted, 4)
	leaveUnsaved(t, untrusted)
	eval(t, tab, `() => { localStorage.clear() }`)
	keepPicture(t, tab, "restarted.png")
}

// slider returns a script expression for the slider of a control.
func slider(i int) string {
	return fmt.Sprintf(`(document.querySelectorAll(".siegebook-controls")[%d] ?? document).querySelector("[type=range]")`, i)
}

// put moves the slider of a control, as a reader does.
func put(t *testing.T, tab *rod.Page, i int, value string) {
	t.Helper()
	eval(t, tab, `(value) => { const e = `+slider(i)+
		`; e.value = value; e.dispatchEvent(new Event("input", {bubbles: true})); }`, value)
}

// captioned waits until the output of a control contains a text.
func captioned(t *testing.T, tab *rod.Page, i int, want string) {
	t.Helper()
	said := ""
	if !waittest.Comes(func() bool {
		said = ask[string](t, tab, `(i) => {
			const area = document.querySelectorAll(".siegebook-controls")[i]?.closest(".output_area");
			return area?.nextElementSibling?.textContent ?? "";
		}`, i)
		return strings.Contains(said, want)
	}) {
		t.Fatalf("behind control %d stands %q, want %q", i, said, want)
	}
}

// slideFast moves the first slider back and forth without waiting. Pictures appear in the order of the moves, and the
// last move counts.
func slideFast(t *testing.T, tab *rod.Page) {
	t.Helper()
	eval(t, tab, `async () => {
		const seen = globalThis.seenNumbers = [], slider = `+slider(0)+`;
		new MutationObserver(() => {
			const output = document.querySelector(".siegebook-controls").closest(".output_area").nextElementSibling;
			const number = Number(/n = ([0-9]+)/.exec(output.textContent)?.[1] ?? 0);
			if (number && number !== seen.at(-1)) seen.push(number);
		}).observe(document.querySelector(".siegebook-controls").closest(".output"), {childList: true, subtree: true, characterData: true});
		for (let i = 1; i <= 90; i++) {
			slider.value = i <= 50 ? i : 100 - i;
			slider.dispatchEvent(new Event("input", {bubbles: true}));
			if (i % 3 === 0) await new Promise((done) => setTimeout(done, 10));
		}
		for (const value of [44, 60, 40]) {
			slider.value = value;
			slider.dispatchEvent(new Event("input", {bubbles: true}));
		}
	}`)
	captioned(t, tab, 0, "n = 40")
	seen := ask[[]int](t, tab, `() => globalThis.seenNumbers`)
	rest := []int{39} // the value before the moves
	for i := 1; i <= 90; i++ {
		rest = append(rest, min(i, 100-i))
	}
	rest = append(rest, 44, 60, 40)
	for _, n := range seen {
		at := slices.Index(rest, n)
		if at < 0 {
			t.Fatalf("seen were %v, which is not the order of the moves", seen)
		}
		rest = rest[at+1:]
	}
	if len(seen) < 3 || seen[len(seen)-1] != 40 {
		t.Errorf("seen were %v, want more on the way and 40 at the end", seen)
	}
}

// lookAtCopy opens a saved notebook that somebody else has changed, while the kernel lives. The notebook is not
// trusted, so it has pictures, and nothing to move.
func lookAtCopy(t *testing.T, browser *rod.Browser, server notebookServer, text []byte) {
	t.Helper()
	text = bytes.Replace(text, []byte(`fmt.Println(\"before\")`), []byte(`fmt.Println(\"changed\")`), 1)
	must.Write(t, filepath.Join(server.books, "copied.ipynb"), text)
	tab := openNotebook(t, browser, server, "copied.ipynb")
	drawings(t, tab, 4)
	got := ask[[2]bool](t, tab, `() => {
		const outputs = [...document.querySelectorAll(".output")];
		return [outputs.some((e) => e.innerText.includes("n = 33") && e.innerText.includes("Run it in Jupyter to use them.")), outputs.some((e) => e.querySelector("input, select, button, script, .siegebook-control"))];
	}`)
	if got != [2]bool{true, false} {
		t.Errorf("the copy has its last picture, and something to move: %t, want true and false", got)
	}
	keepPicture(t, tab, "copied.png")
	leaveUnsaved(t, tab)
	_ = tab.Close()
}

// knobs returns the controls of one output, as package show writes them.
func knobs(t *testing.T, id, kernel string, list ...map[string]any) string {
	t.Helper()
	script := must.Get(os.ReadFile(filepath.Join("..", "..", "notebooks", "show", "controls.js")))
	spec := must.Get(json.Marshal(map[string]any{"id": id, "kernel": kernel, "knobs": list}))
	return fmt.Sprintf("<div class=\"siegebook-controls\" id=\"%s\" data-spec=\"%s\"><p>Run this "+
		"cell.</p></div>\n<script>\n%s</script>\n", id, html.EscapeString(string(spec)), strings.Replace(string(script),
		"ID", id, 1))
}

// controlsPage opens outputs in a page that looks like Jupyter. kernel.html replaces the kernel and the clock: asked
// has the script's requests, and timers has the functions that the script wants to run later. Tests answer the
// requests, and run the timers.
func controlsPage(t *testing.T, outputs ...string) *rod.Page {
	t.Helper()
	return openHTML(t, "<!doctype html><title>controls</title><body data-base-url=\"/\">"+cellNamed("kernel.html")+
		strings.Join(outputs, ""))
}

// openHTML opens a page with the given HTML.
func openHTML(t *testing.T, page string) *rod.Page {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	tab := newTab(t, start(t, false)).Timeout(waittest.Patience)
	must.Do(t, tab.Navigate(server.URL), tab.WaitLoad())
	return tab
}

// TestControlsScript checks the requests of the controls' script to the kernel, without a kernel.
func TestControlsScript(t *testing.T) {
	t.Parallel()
	number := func(kind, start string) map[string]any {
		return map[string]any{"kind": kind, "name": "n", "least": "-100000", "most": "9", "start": start}
	}
	const old = `<div class="siegebook-controls"></div>` // in an output that is not trusted
	tab := controlsPage(t, old,
		knobs(t, "k-range", "one", number("range", "5")),
		knobs(t, "k-play", "one", number("steps", "6")),
		knobs(t, "k-choice", "one", map[string]any{
			"kind": "choice", "name": "c", "words": []string{" a", "", "b "},
			"start": "b ",
		}),
		knobs(t, "k-field", "one", number("field", "5")),
		knobs(t, "k-other", "two", number("range", "5")),
	)
	for _, row := range must.Rows(t, tables, t.Name()) {
		if got := ask[string](t, tab, "() => JSON.stringify(("+row[1]+"))"); got != row[2] {
			t.Errorf("%s: %s, want %s", row[0], got, row[2])
		}
	}
}

// TestControlsExported checks that controls do nothing in a page outside Jupyter, such as an exported notebook, and
// that a line tells readers where the controls work.
func TestControlsExported(t *testing.T) {
	t.Parallel()
	output := knobs(t, "k", "one", map[string]any{
		"kind": "range", "name": "n", "least": "1", "most": "9",
		"start": "5",
	})
	tab := openHTML(t, "<!doctype html><title>exported</title><div class=output>"+output+
		"<p class=siegebook-values>n = 5</p></div>")
	got := ask[string](t, tab, `() => JSON.stringify([document.querySelector("input").disabled, document.querySelector("[role=status]").innerText,
		document.querySelector(".siegebook-values").checkVisibility()])`)
	if want := `[true,"No kernel answers here: controls move in Jupyter Notebook, JupyterLab and VS Code. Elsewhere, change the numbers in the cell and run it.",true]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
