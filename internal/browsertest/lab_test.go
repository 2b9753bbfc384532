package browsertest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	"github.com/siegebook/siegebook/internal/waittest"
)

// moved is the index of the control of the cell "moves". It comes after the controls of the other cells.
const moved = 3

// TestLab checks controls and explorables in JupyterLab, on which Notebook has been based since version 7. The system
// has no package of JupyterLab, but its npm packages are available. The test uses the packages that run cells and show
// outputs, with the kernel of a Notebook 6 server. Controls and explorables must work; in a notebook that is not
// trusted, they must be pictures.
func TestLab(t *testing.T) {
	t.Parallel()
	server := startNotebook(t)
	script := labScript(t)
	tab := openLab(t, server, script)
	for _, cell := range []string{"controlled", "slides", "several", "second", "moves"} {
		if got := ask[string](t, tab, `(cell) => lab.run(cell)`, cellNamed(cell)); got != "ok" {
			t.Fatalf("a cell ends with %q", got)
		}
	}
	inLab(t, tab, 0, "n = 24")
	inLab(t, tab, 1, "n = 4, d = 9, kind: map, first: no")
	answers(t, tab, 0, 10, 11, 15)

	put(t, tab, 0, "39")
	inLab(t, tab, 0, "n = 39")
	eval(t, tab, `() => `+slider(0)+`.focus()`)
	must.Do(t, tab.Keyboard.Type(input.ArrowRight, input.ArrowRight))
	inLab(t, tab, 0, "n = 41")
	put(t, tab, 1, "7")
	inLab(t, tab, 1, "n = 7, d = 9, kind: map, first: no")
	inLab(t, tab, moved, "n = 40")
	eval(t, tab, `() => `+slider(moved)+`.focus()`)
	must.Do(t, tab.Keyboard.Type(input.ArrowLeft))
	inLab(t, tab, moved, "n = 39")
	keepPicture(t, tab, "lab.png")

	// As in a saved notebook, the page shows the last picture, and nothing to move.
	for i, want := range map[int]string{1: "n = 41", 3: "below"} {
		eval(t, tab, `(i) => lab.reopen(i)`, i)
		waitFor(t, tab, "the last picture", fmt.Sprintf(`() => {
			const area = [...document.querySelectorAll(".jp-OutputArea")].at(-1);
			return area.textContent.includes(%q) && area.querySelector("img")?.complete && area.querySelector("img").naturalWidth > 0 &&
				![...area.querySelectorAll("*")].some((e) => e.localName === "input" || e.shadowRoot);
		}`, want))
	}

	// If there is no name, the kernel answers at once that there is nothing to explain.
	if got := ask[string](t, tab,
		`async () => { const {status, found} = await lab.explain("%%\na, b := 3, 4", 4); return status + " " + found; }`); got != "ok false" {
		t.Errorf("help at a comma is %q", got)
	}
	if got := ask[string](t, tab, `() => lab.run("%%\nfmt.Println(3)")`); got != "ok" {
		t.Errorf("after that a cell ends with %q", got)
	}
}

// TestWidgets checks controls in front ends that have widgets, but whose outputs cannot talk to the kernel, such as VS
// Code. The widgets are those of ipywidgets, which VS Code also has.
func TestWidgets(t *testing.T) {
	t.Parallel()
	server := startNotebook(t)
	tab := openLab(t, server, labScript(t))
	eval(t, tab, `() => lab.withWidgets()`)
	for _, cell := range []string{"controlled", "slides", "several"} {
		if got := ask[string](t, tab, `(cell) => lab.run(cell)`, cellNamed(cell)); got != "ok" {
			t.Fatalf("a cell ends with %q", got)
		}
	}
	shows := func(i int, want string) {
		t.Helper()
		waitFor(t, tab, fmt.Sprintf("%q behind widget %d", want, i), fmt.Sprintf(`() => {
			const all = [...document.querySelectorAll(".jp-OutputArea-child")];
			const boxes = all.filter((e) => e.querySelector(".widget-vbox"));
			return !document.querySelector(".siegebook-controls") &&
				(all[all.indexOf(boxes[%d]) + 1]?.textContent ?? "").includes(%q);
		}`, i, want))
	}
	// press puts the focus on an element of the i-th widget, and presses keys.
	press := func(i int, selector string, keys ...input.Key) {
		t.Helper()
		eval(t, tab, `(i, selector) => document.querySelectorAll(".widget-vbox")[i].querySelector(selector).focus()`, i, selector)
		must.Do(t, tab.Keyboard.Type(keys...))
	}
	shows(1, "n = 4, d = 9, kind: map, first: no")
	press(1, ".noUi-handle", input.ArrowRight, input.ArrowRight, input.ArrowRight)
	shows(1, "n = 7, d = 9, kind: map, first: no")
	press(1, "input[type=text]", input.Digit5, input.Enter)
	shows(1, "n = 7, d = 95, kind: map, first: no")
	press(1, "select", input.ArrowDown)
	shows(1, "n = 7, d = 95, kind: trace, first: no")
	press(1, "input[type=checkbox]", input.Space)
	shows(1, "n = 7, d = 95, kind: trace, first: yes")
	shows(2, "wave = 1")
	eval(t, tab, `() => document.querySelectorAll(".widget-vbox")[2].querySelector(".widget-play button").click()`)
	shows(2, "wave = 4")
	keepPicture(t, tab, "widgets.png")

	// A page that is loaded again finds the widgets of the three controls, but their pictures cannot be replaced there.
	if got, want := ask[string](t, tab, `() => lab.reloaded()`), fmt.Sprint(4+7+6, " ", 1); got != want {
		t.Errorf("a page that is loaded again finds %s widgets, want %s", got, want)
	}
	if got := ask[string](t, tab, `() => lab.interrupt()`); got != "" {
		t.Errorf("an interrupt says %q", got)
	}
	waitFor(t, tab, "the end", `() => document.querySelector(".widget-vbox").textContent.includes("These controls have ended (interrupted)")`)
}

// labScript bundles the packages of JupyterLab and lab.js into one script.
func labScript(t *testing.T) string {
	t.Helper()
	modules := npmtest.Modules(t, "lab", filepath.Join("@jupyterlab", "outputarea", "package.json"))
	npmtest.CheckLock(t, "lab", map[string]string{
		"@jupyterlab/outputarea": "4.6.6", "@jupyterlab/services": "7.6.6", "@jupyter-widgets/controls": "5.0.13",
	})
	script := filepath.Join(t.TempDir(), "lab.js")
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join(modules, "esbuild", "bin", "esbuild"),
		"--bundle", "--format=iife", "--loader:.svg=text", "--loader:.css=text", "--log-level=error",
		"--outfile="+script,
		filepath.Join("lab", "lab.js"))
	cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("esbuild: %v\n%s", err, out)
	}
	return script
}

// openLab opens a page with the parts of JupyterLab, connected to a kernel of a server, as if that server had sent the
// page.
func openLab(t *testing.T, server notebookServer, script string) *rod.Page {
	t.Helper()
	behind := must.Get(url.Parse(server.url))
	mux := http.NewServeMux()
	mux.Handle("/", httputil.NewSingleHostReverseProxy(behind))
	mux.HandleFunc("/lab.js", func(w http.ResponseWriter, r *http.Request) { http.ServeFile(w, r, script) })
	mux.HandleFunc("/lab", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>lab</title><script id="jupyter-config-data" type="application/json">{"baseUrl": "/", "wsUrl": "", "token": %q}</script><body><script src="/lab.js"></script>`, server.token)
	})
	front := httptest.NewServer(mux)
	t.Cleanup(front.Close)
	tab := newTab(t, start(t, false)).Timeout(waittest.Patience)
	must.Do(t, tab.Navigate(front.URL+"/lab"), tab.WaitLoad())
	eval(t, tab, `(address, token) => lab.start("siegebook", address, token)`, front.URL+"/", server.token)
	return tab
}

// inLab waits until the output of a control contains a text.
func inLab(t *testing.T, tab *rod.Page, i int, want string) {
	t.Helper()
	waitFor(t, tab, fmt.Sprintf("%q behind control %d", want, i),
		fmt.Sprintf(`() => (document.querySelectorAll(".siegebook-controls")[%d]?.closest(".jp-OutputArea-child")?.nextElementSibling?.textContent ?? "").includes(%q)`, i, want))
}
