package browsertest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestNotebookHelp: in the page of a notebook Shift+Tab says what a name is, as text and code that can be read, and Tab
// says what may follow.
func TestNotebookHelp(t *testing.T) {
	if testing.Short() {
		t.Skip("starts Jupyter and gopls, which takes many seconds; leave out -short")
	}
	npmtest.GoplsOnPath(t, jupyter.Gopls())
	chromium(t)
	server, _ := startNotebook(t)
	const cell = "import \"github.com/siegebook/siegebook/analysis/phi\"\n%%\nx := phi.Fib(3)\nfmt.Println(x)"
	must.Write(t, filepath.Join(server.books, "help.ipynb"), playable(t, cell))
	browser := start(t, false)
	tab := openNotebook(t, browser, server.url+"notebooks/help.ipynb?token="+server.token)
	waitFor(t, tab, "the kernel", kernelIdle)

	// gopls reads our packages first, and has nothing to say until then.
	const tooltip = `() => { const e = document.querySelector("#tooltip"); return e && e.offsetHeight > 0 ? e.querySelector(".tooltiptext").innerText : "" }`
	const answered = `() => (` + tooltip + `)().includes("phi.Fib")`
	waittest.Until(t, "what phi.Fib is", func() bool {
		pressIn(t, tab, 2, 10, input.ShiftLeft, input.Tab)
		return waitSome(t, tab, answered)
	})
	keepPicture(t, tab, "tooltip.png")
	said := eval(t, tab, tooltip).Value.Str()
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
	}`, strings.TrimSuffix(cell, "b(3)\nfmt.Println(x)"))
	const completions = `() => [...document.querySelectorAll("#complete option")].map((e) => e.textContent).join(" ")`
	waittest.Until(t, "what may follow phi.Fi", func() bool {
		pressIn(t, tab, 2, 11, input.Tab)
		return waitSome(t, tab, completions)
	})
	if got := eval(t, tab, completions).Value.Str(); got != "Fib BigFib FloorDiv FormOnFibonacci" {
		t.Errorf("after phi.Fi the page proposes %s", got)
	}
	leaveUnsaved(t, tab)
}

// pressIn puts the cursor into a place of the first cell, and presses keys, of which all but the last are held.
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

// waitSome gives the kernel some seconds for an answer, and says whether a script in the page finds one. Without one
// the next question is as good.
func waitSome(t *testing.T, tab *rod.Page, script string) bool {
	t.Helper()
	return eval(t, tab, `async () => {
		for (let i = 0; i < 50; i++) {
			if ((`+script+`)()) return true;
			await new Promise((done) => setTimeout(done, 100));
		}
		return false;
	}`).Value.Bool()
}
