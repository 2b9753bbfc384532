package browsertest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/proto"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// kernelInPage stands in for the kernel, and for the clock: what the script asks is in asked, and what it wants to do
// later in timers. Tests answer, and say when it is later.
const kernelInPage = `<script>
const asked = [], sockets = [], timers = new Map();
let timed = 0;
window.WebSocket = class {
	constructor(address) { this.address = String(address); this.readyState = 1; sockets.push(this); }
	send(text) { asked.push(JSON.parse(text).content); }
	addEventListener() {}
};
window.setTimeout = (f, ms) => { timers.set(++timed, {f, ms}); return timed; };
window.clearTimeout = (i) => timers.delete(i);
const answer = (content) => sockets.at(-1).onmessage({data: JSON.stringify({header: {msg_type: "siegebook_control"}, content})});
const drawn = (id) => answer({id, seq: asked.filter((a) => a.id === id).at(-1).seq});
const later = (ms) => { for (const [i, t] of [...timers]) if (t.ms === ms) { timers.delete(i); t.f(); } };
const moves = (id) => asked.filter((a) => a.id === id && a.do === "move").map((a) => a.values.join());
const input = (id) => document.querySelector("#" + id + " input, #" + id + " select");
const put = (id, value) => { input(id).value = value; input(id).dispatchEvent(new Event(input(id).type === "text" ? "change" : "input")); };
</script>`

// knobs are the controls of one output, as package show writes them.
func knobs(t *testing.T, id, kernel string, list ...map[string]any) string {
	t.Helper()
	script := must.Get(os.ReadFile(filepath.Join("..", "..", "notebooks", "show", "controls.js")))
	spec := must.Get(json.Marshal(map[string]any{"id": id, "kernel": kernel, "knobs": list}))
	return fmt.Sprintf("<div class=\"siegebook-controls\" id=\"%s\" data-spec=\"%s\"><p>Run this "+
		"cell.</p></div>\n<script>\n%s</script>\n", id, html.EscapeString(string(spec)), strings.Replace(string(script),
		"ID", id, 1))
}

// controlsPage opens outputs in a page of Jupyter with a kernel that stands in.
func controlsPage(t *testing.T, outputs ...string) *rod.Page {
	t.Helper()
	return openHTML(t, "<!doctype html><title>controls</title><body data-base-url=\"/\">"+kernelInPage+
		strings.Join(outputs, ""))
}

// openHTML opens a page.
func openHTML(t *testing.T, page string) *rod.Page {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, page)
	}))
	t.Cleanup(server.Close)
	tab, err := start(t, false).Page(proto.TargetCreateTarget{URL: "about:blank"})
	must.Do(t, err)
	tab = tab.Context(t.Context()).Timeout(waittest.Patience)
	must.Do(t, tab.Navigate(server.URL))
	must.Do(t, tab.WaitLoad())
	return tab
}

// TestControlsScript: what the script of controls asks of the kernel, without a kernel.
func TestControlsScript(t *testing.T) {
	number := func(kind, start string) map[string]any {
		return map[string]any{"kind": kind, "name": "n", "least": "-100000", "most": "9", "start": start}
	}
	const old = `<div class="siegebook-controls"></div>` // in an output that nobody trusts
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
	for _, step := range []struct{ what, script, want string }{
		{
			"there are controls but in the output without a " +
				"script", `[...document.querySelectorAll(".siegebook-controls")].map((e) => e.childElementCount > 0)`,
			`[false,true,true,true,true,true]`,
		},
		{"no shortcuts of a front end are for what takes " +
			"keys", `document.querySelectorAll("input, select, button").length - document.querySelectorAll("[data-lm-suppress-shortcuts]:is(input, select, button)").length`, `0`},
		{"each has begun", `asked.map((a) => a.do)`, `["begin","begin","begin","begin","begin"]`},

		{"one question at a time, and the last move " +
			"counts", `put("k-range", 6), put("k-range", 7), put("k-range", 8), drawn("k-range"), drawn("k-range"), moves("k-range")`, `["6","8"]`},
		{
			"a drawing that takes long is said to",
			`put("k-range", 9), later(2000), document.querySelector("#k-range p").hidden || document.querySelector("#k-range p").textContent`, `"Still drawing, and the next picture waits for it. To end it, interrupt the kernel and run the cell."`,
		},
		{"until it is there", `drawn("k-range"), document.querySelector("#k-range p").hidden`, `true`},

		{
			"words are not trimmed",
			`put("k-choice", " a"), drawn("k-choice"), put("k-choice", ""), drawn("k-choice"), moves("k-choice")`,
			`[" a",""]`,
		},
		{"a field has room for its longest number", `input("k-field").size`, `7`},
		{"what is typed is", `put("k-field", " 7 "), moves("k-field")`, `["7"]`},

		{"play goes a step", `document.querySelector("#k-play button").click(), moves("k-play")`, `["7"]`},
		{"and one more, when that is drawn and was seen", `drawn("k-play"), later(500), moves("k-play")`, `["7","8"]`},
		{"it is not faster when it was paused and goes on", `drawn("k-play"), document.querySelector("#k-play button").click(), document.querySelector("#k-play button").click(),
			[moves("k-play").at(-1), [...timers.values()].filter((t) => t.ms === 500).length]`, `["9",0]`},
		{
			"at the end it stops",
			`drawn("k-play"), later(500), later(500), [moves("k-play").length, document.querySelector("#k-play button").textContent]`, `[3,"▶ play"]`,
		},
		{
			"from the end it begins anew", `document.querySelector("#k-play button").click(), moves("k-play").at(-1)`,
			`"-100000"`,
		},
		{
			"paused while it draws, it stays",
			`document.querySelector("#k-play button").click(), drawn("k-play"), later(500), moves("k-play").at(-1)`,
			`"-100000"`,
		},

		{"they have taken the place of the text for those who see " +
			"none", `document.body.textContent.includes("Run this cell.")`, `false`},
		{"without their kernel controls are dead, others " +
			"live", `sockets[0].onclose(), [...document.querySelectorAll("input, select, button")].map((e) => e.disabled)`, `[true,true,true,true,true,false]`},
		{
			"when the page is left, the others end",
			`dispatchEvent(new Event("pagehide")), asked.filter((a) => a.do === "end").map((a) => a.id)`,
			`["k-other"]`,
		},
	} {
		if got := eval(t, tab, `() => (`+step.script+`)`).Value.JSON("", ""); got != step.want {
			t.Errorf("%s: %s, want %s", step.what, got, step.want)
		}
	}
}

// TestControlsExported: in a page that is not one of Jupyter, such as an exported notebook, nothing moves, and a line
// says where it would.
func TestControlsExported(t *testing.T) {
	output := knobs(t, "k", "one", map[string]any{
		"kind": "range", "name": "n", "least": "1", "most": "9",
		"start": "5",
	})
	tab := openHTML(t, "<!doctype html><title>exported</title><div class=output>"+output+
		"<p class=siegebook-values>n = 5</p></div>")
	got := eval(t, tab, `() => [document.querySelector("input").disabled, document.querySelector("[role=status]").innerText,
		document.querySelector(".siegebook-values").checkVisibility()]`).Value.JSON("", "")
	if want := `[true,"No kernel answers here: run this notebook in Jupyter to move the controls.",true]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
