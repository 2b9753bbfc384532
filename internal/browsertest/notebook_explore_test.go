package browsertest

import (
	_ "embed"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

//go:embed testdata/notebooks.txtar
var notebookTexts []byte

// cellNamed returns a text of testdata/notebooks.txtar.
func cellNamed(name string) string {
	for _, file := range txtar.Parse(notebookTexts).Files {
		if file.Name == name {
			return strings.TrimSuffix(string(file.Data), "\n")
		}
	}
	panic("testdata/notebooks.txtar has no " + name)
}

// playable returns a notebook with the given cells.
func playable(names ...string) []byte {
	var list []map[string]any
	for _, name := range names {
		list = append(list, jupyter.CodeCell(name, cellNamed(name), map[string]any{}))
	}
	return jupyter.Compose(list, nil).Bytes()
}

// TestNotebookExplorables checks that readers can play with the figures of a notebook that they run. In a notebook that
// is not trusted, the drawings remain.
func TestNotebookExplorables(t *testing.T) {
	t.Parallel()
	server := startNotebook(t)
	for name, text := range map[string][]byte{
		"one.ipynb": playable("imports", "first", "second"),
		"two.ipynb": playable("imports", "second"),
	} {
		must.Write(t, filepath.Join(server.books, name), text)
	}
	server.execute(t, filepath.Join(server.books, "one.ipynb"))
	browser := start(t, false)

	one := openNotebook(t, browser, server, "one.ipynb")
	runAll(t, one)
	answers(t, one, 0, 24, 36, 24)
	answers(t, one, 1, 10, 11, 15)
	keepPicture(t, one, "explorables.png")

	// The test plays with the second figure by keys. The notebook does not mistake them for its own commands.
	before := kept(t, one)
	eval(t, one, `() => document.querySelectorAll(".siegebook-explorable")[1].shadowRoot.querySelector("[name=n]").closest("div").querySelector("[type=range]").focus()`)
	must.Do(t, one.Keyboard.Type(input.ArrowRight))
	answers(t, one, 1, 11, 11, 15)
	eval(t, one, `() => document.querySelectorAll(".siegebook-explorable")[1].shadowRoot.querySelector("[tabindex='0']").focus()`)
	must.Do(t, one.Keyboard.Type(input.ArrowUp, input.KeyD, input.KeyD, input.KeyB, input.KeyM, input.ArrowUp))
	answers(t, one, 1, 11, 11, 17)
	answers(t, one, 0, 24, 36, 24)
	if after := kept(t, one); after != before {
		t.Errorf("the keys have changed the notebook: %s, before %s", after, before)
	}

	// A cell that runs again starts from the beginning, and the other cell stays unchanged.
	eval(t, one, `() => { Jupyter.notebook.select(1); Jupyter.notebook.execute_cells([1]) }`)
	waitFor(t, one, "the cell",
		`() => document.querySelectorAll(".siegebook-explorable[data-begun]").length === 2 && !Jupyter.notebook.kernel_busy`)
	answers(t, one, 0, 24, 36, 24)
	answers(t, one, 1, 11, 11, 17)

	two := openNotebook(t, browser, server, "two.ipynb")
	runAll(t, two)
	answers(t, two, 0, 10, 11, 15)
	leaveUnsaved(t, one)
	leaveUnsaved(t, two)

	untrusted := openNotebook(t, browser, server, "executed/one.ipynb")
	if ask[bool](t, untrusted, `() => Jupyter.notebook.trusted`) {
		t.Error("the page trusts a notebook that it has never seen: the test shows nothing")
	}
	drawings(t, untrusted, 2)
	keepPicture(t, untrusted, "untrusted-explorables.png")
}

// answers waits until an explorable of the page shows the library's answer about a battle.
func answers(t *testing.T, tab *rod.Page, which int, n, s, d int64) {
	t.Helper()
	said, want := "", numbers(n, s, d)+": "+castle.Battle{Soldiers: n, CastleHits: s, DefendersPerWave: d}.Reach()
	if !waittest.Comes(func() bool {
		said = ask[string](t, tab, `(i) => {
			const tree = (document.querySelectorAll(".siegebook-explorable")[i] || {}).shadowRoot;
			const block = tree && tree.querySelector(".live");
			if (!block) return "";
			const fields = ["n", "s", "d"].map((name) => tree.querySelector("[name=" + name + "]").value);
			return fields.join(", ") + ": " + tree.querySelector("[name=answer]").textContent;
		}`, which)
		return said == want
	}) {
		t.Fatalf("explorable %d says %q, want %q", which, said, want)
	}
}

func numbers(n, s, d int64) string { return fmt.Sprintf("%d, %d, %d", n, s, d) }

// kept returns the parts of a notebook, and its address, that keys could change.
func kept(t *testing.T, tab *rod.Page) string {
	t.Helper()
	return ask[string](t, tab, `() => JSON.stringify([location.href, Jupyter.notebook.get_cells().map((c) => [c.cell_type, c.get_text()])])`)
}

// drawings checks that a page has the wanted number of drawings in place of figures, and no explorables or parts of
// them.
func drawings(t *testing.T, tab *rod.Page, want int) {
	t.Helper()
	found := ask[struct {
		Drawings int
		Parts    []string
	}](t, tab, `async () => {
		const outputs = [...document.querySelectorAll(".output")];
		const pictures = outputs.flatMap((output) => [...output.querySelectorAll("img")]).filter((picture) => picture.alt !== "");
		await Promise.all(pictures.map((picture) => picture.decode().catch(() => {})));
		return {
			drawings: pictures.filter((picture) => picture.naturalWidth > 0 && picture.getBoundingClientRect().width > 300).length,
			parts: outputs.flatMap((output) => [...output.querySelectorAll("script, style, input, select, button, canvas")]).map((part) => part.outerHTML.slice(0, 200))
				.concat([...document.querySelectorAll("*")].filter((e) => e.shadowRoot).map((e) => "a shadow tree of " + e.className)),
		};
	}`)
	if found.Drawings != want || len(found.Parts) > 0 {
		t.Errorf("%d drawings, want %d; parts of what cannot be played with: %q", found.Drawings, want, found.Parts)
	}
}
