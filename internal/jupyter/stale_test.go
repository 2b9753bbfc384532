package jupyter

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

// TestOlder runs cells one after another, and checks the kernel's messages about older results. A step consists of the
// ID of a cell and its source. The expected message follows an arrow. A step with an ! edits and saves a cell without
// running it.
func TestOlder(t *testing.T) {
	for _, steps := range []string{
		"a x := 1--b x + 1--a x := 1--a x := 2 => x changed: run [2] again.--b x + 1",
		"a x := 1--b x + 1--c x * 2--b x + 1--a x := 2 => x changed: run [3], [4] again.",
		"b x + 1--a x := 1--a x := 2",
		"a func f() int { return 1 }--b func g() int { return f() }--c g()--d h()--" +
			"a func f() int { return 2 } => f changed: run [3] again.",
		"a n := 1--b m := n + 1--c m--a n := 3 => n changed: run [2], [3] again.",
		"a %%\nx := 1--b x + 1--a %%\nx := 2",
		"a var x, y = 1, 2\nx--b y--a var x = 1\nvar y = 3 => y changed: run [2] again.",
		"a type t struct{}\nfunc (x t) f() {}--b t{}.f()--c x--a type t struct{}\nfunc (x t) f() { x.f() } => " +
			"t changed: run [2] again.",
		"a x := 1--b x++--c x--b x += 2 => x changed: run [3] again.",
		"a x := (--b x--a x := 2",
		"a x := 1--b x--a! x := 2--b x => x changed when cell [1] was edited: run that cell, and this one again.--c y",
		"a x := 1--a! x := 2--a x := 2--b x",
	} {
		ran, saved := ranCells{}, savedNotebook{texts: map[string]string{}}
		start := time.Now()
		for i, step := range strings.Split(steps, "--") {
			step, want, _ := strings.Cut(step, " => ")
			id, code, _ := strings.Cut(step, " ")
			at := start.Add(time.Duration(i) * time.Second)
			if id, edits := strings.CutSuffix(id, "!"); edits {
				saved.at, saved.texts[id] = at, code
				continue
			}
			got := strings.TrimSuffix(ran.add(id, ranCell{code: code, count: i + 1, at: at}, saved), "\n")
			if got != want {
				t.Errorf("%s: step %d: %q, not %q", steps, i, got, want)
			}
		}
	}
}

// TestOlderSaved checks that the kernel reads a notebook again after it has been saved again.
func TestOlderSaved(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("JPY_SESSION_NAME", "folder/a.ipynb")
	var n savedNotebook
	n.read()
	for i, code := range []string{"x := 1", "x := 2"} {
		must.Do(t, os.WriteFile("a.ipynb", Compose([]map[string]any{CodeCell("one", code, nil)}, nil).Bytes(), 0o600))
		at := time.Unix(int64(1000+i), 0)
		must.Do(t, os.Chtimes("a.ipynb", at, at))
		if n.read(); n.texts["one"] != code || !n.at.Equal(at) {
			t.Error(n)
		}
	}
}

// TestProxyOlder checks that the proxy reports older results to a front end that sends the IDs of cells.
func TestProxyOlder(t *testing.T) {
	c := behindProxy(t)
	run := func(id string, count int, code string) (said string) {
		m := request("client", "execute_request", map[string]any{
			"code": fmt.Sprintf("%s\n/*\nbusy\nok %d\nidle\n*/", code, count), "allow_stdin": true,
		})
		frames := signer(c.c.Key).encode(m)
		frames[4] = []byte(`{"cellId": "` + id + `"}`)
		frames[1] = signer(c.c.Key).sign(frames[2:6])
		must.Do(t, c.sockets.open[shell].write(frames))
		c.hear("no idle", func(r received) bool {
			if of := r.message; r.channel == iopub && of.parent.ID == m.header.ID && of.header.Type == "stream" {
				said += string(of.content)
			}
			return r.channel == iopub && r.message.parent.ID == m.header.ID &&
				strings.Contains(string(r.message.content), `"idle"`)
		})
		return said
	}
	for i, step := range []struct{ id, code, want string }{
		{"a", "var x = 1", ""},
		{"b", "%%\n_ = x", ""},
		{"a", "var x = 2", "x changed: run [2] again."},
		{"", "var x = 3", ""},
		{"c", "%%\n_ = x", ""},
	} {
		if got := run(step.id, i+1, step.code); strings.Contains(got, "changed") != (step.want != "") ||
			!strings.Contains(got, step.want) {
			t.Errorf("%s: %q, not %q", step.code, got, step.want)
		}
	}
}
