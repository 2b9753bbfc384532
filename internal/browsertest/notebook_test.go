package browsertest

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	"github.com/siegebook/siegebook/internal/waittest"
)

//go:embed notebook.js
var inspectNotebook string

// lesson is the notebook that is tested in the page. It has all kinds of figures, tables, claims and formulas.
const lesson = "06-regions.ipynb"

// TestNotebookPage opens a lesson in Jupyter Notebook, as a reader does, and runs all of its cells. Then it opens an
// executed copy, which the page does not trust. Its outputs must still be visible.
func TestNotebookPage(t *testing.T) {
	t.Parallel()
	server := startNotebook(t)
	source := filepath.Join("notebooks", lesson) // from the top of the repository
	text := must.Get(os.ReadFile(filepath.Join("..", "..", source)))
	must.Write(t, filepath.Join(server.books, lesson), text)
	server.execute(t, source)
	browser := start(t, false)

	tab := openNotebook(t, browser, server, lesson)
	runAll(t, tab)
	checkNotebook(t, tab, "run.png")
	leaveUnsaved(t, tab)

	tab = openNotebook(t, browser, server, "executed/"+lesson)
	if ask[bool](t, tab, `() => Jupyter.notebook.trusted`) {
		t.Error("the page trusts a notebook that it has never seen: the test shows nothing")
	}
	checkNotebook(t, tab, "untrusted.png")
	spoilNotebook(t, tab)

	showFaults(t, browser, server)
}

// showFaults runs cells that fail, and checks that the page shows why, without a goroutine trace.
func showFaults(t *testing.T, browser *rod.Browser, server notebookServer) {
	t.Helper()
	must.Write(t, filepath.Join(server.books, "faults.ipynb"), playable("claim", "zero", "index"))
	tab := openNotebook(t, browser, server, "faults.ipynb")
	waitFor(t, tab, "the kernel", kernelIdle)
	eval(t, tab, `() => document.querySelector("#run_all_cells a").click()`)
	// Run All stops at the first fault. The cells after it do not run, and do not wait, either.
	waitFor(t, tab, "the first fault",
		`() => Jupyter.notebook.get_cells()[0].input_prompt_number > 0 && !document.querySelector(".code_cell.running") && !Jupyter.notebook.kernel_busy`)
	if ran := ask[int](t, tab,
		`() => Jupyter.notebook.get_cells().filter((c) => c.input_prompt_number > 0 || c.output_area.outputs.length > 0).length`); ran != 1 {
		t.Errorf("%d cells have run, want the first one only", ran)
	}
	keepPicture(t, tab, "stopped.png")
	for i, wants := range [][]string{
		{"printed\nshown\nthis claim does not hold: 2 is 3\n", "[[ Cell [1] Line 5 ]]"},
		{"panic: runtime error: integer divide by zero\nat [[ Cell [2] Line 3 ]]\n"},
		{"panic: runtime error: index out of range [20] with length 20\nat [[ Cell [3] Line 3 ]]\n"},
	} {
		if i > 0 {
			eval(t, tab, `(i) => Jupyter.notebook.execute_cells([i])`, i)
			waitFor(t, tab, "the cell",
				fmt.Sprintf(`() => Jupyter.notebook.get_cells()[%d].input_prompt_number > 0 && !Jupyter.notebook.kernel_busy`, i))
		}
		text := ask[string](t, tab, `(i) => Jupyter.notebook.get_cells()[i].element[0].querySelector(".output").innerText`,
			i)
		text = blankLines.ReplaceAllString(text, "\n")
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("cell %d: no %q in\n%s", i, want, text)
			}
		}
		if strings.Contains(text, "goroutine") || strings.Contains(text, "+0x") {
			t.Errorf("cell %d: a trace in\n%s", i, text)
		}
	}
	keepPicture(t, tab, "faults.png")
	leaveUnsaved(t, tab)
}

// blankLines matches the ends of lines, with the blank lines between paragraphs.
var blankLines = regexp.MustCompile(`\s*\n\s*`)

// kernelIdle reports whether the kernel of a page is connected and idle.
const kernelIdle = `() => Jupyter.notebook.kernel && Jupyter.notebook.kernel.is_connected() && !Jupyter.notebook.kernel_busy`

// runAll runs all cells of the notebook, as its menu does, and waits for the last cell.
func runAll(t *testing.T, tab *rod.Page) {
	t.Helper()
	waitFor(t, tab, "the kernel", kernelIdle)
	eval(t, tab, `() => document.querySelector("#run_all_cells a").click()`)
	waitFor(t, tab, "the last cell", `() => !document.querySelector(".code_cell.running") && !Jupyter.notebook.kernel_busy &&
		Jupyter.notebook.get_cells().every((c) => c.cell_type !== "code" || c.get_text().trim() === "" || c.input_prompt_number > 0)`)
}

// leaveUnsaved keeps the page from asking for confirmation when the tab leaves it.
func leaveUnsaved(t *testing.T, tab *rod.Page) {
	t.Helper()
	eval(t, tab, `() => { Jupyter.notebook.set_dirty(false); window.onbeforeunload = null }`)
}

// spoilNotebook puts faults into a page without faults, and checks that each fault is found.
func spoilNotebook(t *testing.T, tab *rod.Page) {
	t.Helper()
	for _, fault := range must.Rows(t, tables, "spoilNotebook") {
		eval(t, tab, fault[0])
		problems := ask[[]string](t, tab, inspectNotebook)
		if !slices.ContainsFunc(problems, func(p string) bool { return strings.Contains(p, fault[1]) }) {
			t.Errorf("%s: not found among %q", fault[1], problems)
		}
	}
}

// openNotebook opens a notebook, and waits until the page shows all of it.
func openNotebook(t *testing.T, browser *rod.Browser, server notebookServer, name string) *rod.Page {
	t.Helper()
	tab := newTab(t, browser).Timeout(waittest.Patience)
	must.Do(t, tab.SetViewport(screen(1280, 1000)), tab.Navigate(server.url+"notebooks/"+name+"?token="+server.token))
	waitFor(t, tab, "the notebook",
		`() => window.Jupyter && Jupyter.notebook && Jupyter.notebook._fully_loaded && Jupyter.notebook.ncells() > 0`)
	waitFor(t, tab, "the formulas",
		`() => window.MathJax && MathJax.isReady && MathJax.Hub.queue.running === 0 && MathJax.Hub.queue.pending === 0`)
	return tab
}

// waitFor waits until a script in the page returns true.
func waitFor(t *testing.T, tab *rod.Page, what, script string) {
	t.Helper()
	waittest.Until(t, what+" does not come", func() bool { return ask[bool](t, tab, "() => Boolean(("+script+")())") })
}

// eval runs a script without a result in the page.
func eval(t *testing.T, tab *rod.Page, script string, args ...any) {
	t.Helper()
	_, err := tab.Eval(script, args...)
	must.Do(t, err)
}

// checkNotebook checks the page, and keeps a picture of it.
func checkNotebook(t *testing.T, tab *rod.Page, picture string) {
	t.Helper()
	waitFor(t, tab, "the formulas", `() => MathJax.Hub.queue.running === 0 && MathJax.Hub.queue.pending === 0`)
	for _, problem := range ask[[]string](t, tab, inspectNotebook) {
		t.Errorf("%s: %s", picture, problem)
	}
	keepPicture(t, tab, picture)
}

// keepPicture keeps a picture of the whole notebook for whoever runs the test with -artifacts.
func keepPicture(t *testing.T, tab *rod.Page, picture string) {
	t.Helper()
	height := ask[int](t, tab,
		`() => (document.querySelector("#notebook-container") ?? document.body).scrollHeight + 300`)
	must.Do(t, tab.SetViewport(screen(1280, height)))
	image, err := tab.Screenshot(false, nil)
	must.Do(t, err)
	must.Write(t, filepath.Join(t.ArtifactDir(), picture), image)
}

// TestNotebookHelp checks that in the page of a notebook, Shift+Tab explains a name in readable text and code, and Tab
// lists possible continuations.
func TestNotebookHelp(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Jupyter and gopls, which takes many seconds; leave out -short")
	}
	npmtest.GoplsOnPath(t, jupyter.Gopls())
	server := startNotebook(t)
	must.Write(t, filepath.Join(server.books, "help.ipynb"), playable("help"))
	browser := start(t, false)
	tab := openNotebook(t, browser, server, "help.ipynb")
	waitFor(t, tab, "the kernel", kernelIdle)

	// gopls first reads our packages, and has no answers until then.
	const tooltip = `() => { const e = document.querySelector("#tooltip"); return e && e.offsetHeight > 0 ? e.querySelector(".tooltiptext").innerText : "" }`
	const answered = `() => (` + tooltip + `)().includes("phi.Fib")`
	waittest.Until(t, "what phi.Fib is", func() bool {
		pressIn(t, tab, 2, 10, input.ShiftLeft, input.Tab)
		return waitSome(t, tab, answered)
	})
	keepPicture(t, tab, "tooltip.png")
	said := ask[string](t, tab, tooltip)
	for _, want := range []string{
		"func phi.Fib(k int) uint64\n", "for 0 <= k <=",
		"https://pkg.go.dev/github.com/siegebook/siegebook/analysis/phi#Fib",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("of phi.Fib the page says %q, want %q in it", said, want)
		}
	}
	if strings.Contains(said, "`") || strings.Contains(said, `\`) || strings.Contains(said, "---") {
		t.Errorf("of phi.Fib the page says %q, with signs of Markdown", said)
	}

	eval(t, tab, `(text) => {
		Jupyter.notebook.tooltip.remove_and_cancel_tooltip(true);
		Jupyter.notebook.get_cell(0).code_mirror.setValue(text);
	}`, strings.TrimSuffix(cellNamed("help"), "b(3)\nfmt.Println(x)"))
	const completions = `() => [...document.querySelectorAll("#complete option")].map((e) => e.textContent).join(" ")`
	waittest.Until(t, "what may follow phi.Fi", func() bool {
		pressIn(t, tab, 2, 11, input.Tab)
		return waitSome(t, tab, completions)
	})
	if got := ask[string](t, tab, completions); got != "Fib BigFib FloorDiv FormOnFibonacci" {
		t.Errorf("after phi.Fi the page proposes %s", got)
	}
	leaveUnsaved(t, tab)
}

// pressIn puts the cursor at a place in the first cell, and presses keys. It holds all keys but the last.
func pressIn(t *testing.T, tab *rod.Page, line, column int, keys ...input.Key) {
	t.Helper()
	eval(t, tab, `(line, ch) => {
		const editor = Jupyter.notebook.get_cell(0).code_mirror;
		Jupyter.notebook.select(0);
		Jupyter.notebook.edit_mode();
		editor.focus();
		editor.setCursor({line, ch});
	}`, line, column)
	last := len(keys) - 1
	must.Do(t, tab.KeyActions().Press(keys[:last]...).Type(keys[last]).Do())
}

// waitSome gives the kernel a few seconds for an answer, and reports whether a script in the page finds the answer. If
// not, the caller may simply ask again.
func waitSome(t *testing.T, tab *rod.Page, script string) bool {
	t.Helper()
	return ask[bool](t, tab, `async () => {
		for (let i = 0; i < 50; i++) {
			if ((`+script+`)()) return true;
			await new Promise((done) => setTimeout(done, 100));
		}
		return false;
	}`)
}
