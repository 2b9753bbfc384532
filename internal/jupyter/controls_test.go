package jupyter

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// lastWordsOf maps the values that fakeControl receives to the last output that it writes.
var lastWordsOf = map[string]string{
	"exit": "",
	"overflow": "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n\n" +
		"runtime stack:\n" + strings.Repeat("runtime.throw({0x7b3e2a?})\n\t/go/src/runtime/panic.go:9 +0x48\n", 100) +
		"\ngoroutine 1 [running]:\n" + strings.Repeat("main.f(0x1)\n\t/tmp/gonb_1/main.go:9 +0x1a\n", 100),
	"two lines": "panic: no army\n\tand no castle\n\ngoroutine 1 [running]:\nmain.f(0x1)\n\t/tmp/main.go:9 +0x1a\n",
	"log":       "begins\nno army",
}

// fakeControl serves a control. The values that it receives determine its behaviour.
func fakeControl() {
	in, out := json.NewDecoder(os.NewFile(3, "values")), json.NewEncoder(os.NewFile(4, "pictures"))
	for {
		var ask struct{ Values []string }
		if in.Decode(&ask) != nil {
			os.Exit(0)
		}
		if ask.Values[0] == "hang" {
			time.Sleep(time.Hour) // because Go reports select {} as a deadlock, except with cgo
		}
		if words, ends := lastWordsOf[ask.Values[0]]; ends {
			fmt.Fprint(os.Stderr, words)
			os.Exit(3)
		}
		orExit(out.Encode(map[string]any{"data": map[string]string{"text/plain": ask.Values[0]}}))
	}
}

// fakeKnob returns a control whose program is fakeControl.
func fakeKnob(t *testing.T) *knob {
	t.Helper()
	program := must.Get(os.Executable())
	link := filepath.Join(t.TempDir(), "p") // the control removes it when it ends
	must.Do(t, os.Symlink(program, link))
	return &knob{id: "k", program: link, env: append(os.Environ(), fakeMode+"=control")}
}

// TestControlsLastWords checks that if a control's function ends the program, a single line explains why, however long
// the stack trace is.
func TestControlsLastWords(t *testing.T) {
	ctl := fakeKnob(t)
	for _, test := range []struct{ value, want string }{
		{"exit", "the function ended the program (exit status 3): let it return a drawing instead"},
		{"overflow", "fatal error: stack overflow"},
		{"two lines", "panic: no army"},
		{"log", "no army"},
	} {
		p := must.Get(startControl(ctl))
		if data, _, err := p.ask(1, []string{"7"}); err != nil || data["text/plain"] != "7" {
			t.Errorf("%s: before it comes %v, error %v", test.value, data, err)
		}
		if _, _, err := p.ask(2, []string{test.value}); err == nil {
			t.Errorf("%s: no error", test.value)
		}
		if got := p.lastWords(); got != test.want {
			t.Errorf("%s: %q, want %q", test.value, got, test.want)
		}
	}
}

// pagePeer returns a page's connection to a proxy, and the other end of that connection.
func pagePeer(t *testing.T) (*peer, *link) {
	t.Helper()
	here, there := net.Pipe()
	t.Cleanup(func() { _ = here.Close() })
	return &peer{link: newLink(here, maxMessage)}, newLink(there, maxMessage)
}

// TestControlsHang checks that while a function draws forever, a reloaded page is notified at once that its controls
// have ended. The reloaded page cannot end any control, but the page that shows the controls can.
func TestControlsHang(t *testing.T) {
	f := &proxy{key: signer("k"), outer: map[channel]*server{iopub: {}}}
	from, answers := pagePeer(t)
	ctl := fakeKnob(t)
	f.controls = newControls(f)
	f.controls.byID[ctl.id] = ctl
	ask := func(page, do string, seq int64, values ...string) {
		m := request(page, controlMessage, controlRequest{ID: ctl.id, Page: page, Do: do, Seq: seq, Values: values})
		go f.controls.take(from, m)
	}
	hear := func() (got controlAnswer) {
		t.Helper()
		frames := waittest.Ends(t, "the proxy", func() [][]byte {
			frames, _ := answers.read()
			return frames
		})
		m := must.Get(f.key.decode(frames))
		must.Do(t, json.Unmarshal(m.content, &got))
		return got
	}
	ask("first", "begin", 1)
	if got := hear(); got.Ended != "" {
		t.Fatalf("%+v", got)
	}
	ask("first", "move", 2, "7")
	if got := hear(); got.Seq != 2 || got.Error != "" {
		t.Fatalf("%+v", got)
	}
	p := ctl.process.Load()
	ask("first", "move", 3, "hang")
	waittest.Until(t, "it does not draw", func() bool {
		free := ctl.mu.TryLock()
		if free {
			ctl.mu.Unlock()
		}
		return !free
	})
	for _, do := range []string{"begin", "end", "move"} {
		ask("second", do, 1, "7")
		if got := hear(); got.Ended != "the page was reloaded" {
			t.Errorf("%s of another page: %+v", do, got)
		}
	}
	if !alive(p.cmd.Process.Pid) {
		t.Error("another page has ended the control")
	}
	ask("first", "end", 4)
	if got := hear(); got.Seq != 3 || got.Ended != "their output was removed" {
		t.Errorf("the drawing that never ends is answered %+v", got)
	}
	waittest.Until(t, "the program does not end", func() bool { return !alive(p.cmd.Process.Pid) })
	ask("first", "move", 5, "7")
	if got := hear(); got.Ended != "their output was removed" {
		t.Errorf("after its end: %+v", got)
	}
	waittest.Until(t, "its program is left", func() bool {
		_, err := os.Lstat(ctl.program)
		return errors.Is(err, os.ErrNotExist)
	})
}

// TestKeep checks that a program gets a second name by a link, or is copied if links are impossible, as they are from
// /proc.
func TestKeep(t *testing.T) {
	own := must.Get(os.Executable())
	there := must.Get(os.ReadFile(own))
	near := filepath.Join(t.TempDir(), "program")
	must.Do(t, os.WriteFile(near, there, 0o700))
	for _, program := range []string{near, "/proc/self/exe"} {
		name := filepath.Join(t.TempDir(), "kept")
		if err := keep(program, name); errors.Is(err, os.ErrNotExist) && program != near {
			t.Skip("the system has no folder of processes")
		} else if err != nil {
			t.Fatal(err)
		}
		here, err := os.ReadFile(name)
		if err != nil || !bytes.Equal(here, there) {
			t.Errorf("%s: %d bytes, want %d (%v)", program, len(here), len(there), err)
		}
		if err := exec.Command(name, "-test.run", "^$").Run(); err != nil {
			t.Errorf("%s: %v", program, err)
		}
	}
	if name := filepath.Join(t.TempDir(), "kept"); keep(near+"-none", name) == nil || isFile(name) {
		t.Error("a program that is not there was kept")
	}
}

// parameterBook returns a notebook with one cell, which has the given source and the tag parameters.
func parameterBook(t *testing.T, source string) *Notebook {
	t.Helper()
	n := book(t, source)
	n.style.set(child(n.cells[0], "metadata"), "tags", []string{TagParameters}, cellDepth+1)
	return n
}

// set sets one parameter, given as NAME=VALUE, and returns the cell's new source.
func set(t *testing.T, source, set string) (string, error) {
	t.Helper()
	n := parameterBook(t, source)
	name, value, _ := strings.Cut(set, "=")
	err := n.SetParameters(map[string]string{name: value})
	return n.Cells()[0].Source, err
}

func TestSetParameters(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Source, Set string }) []any {
		return []any{must.Get(set(t, row.Source, row.Set))}
	})
}

func TestSetParametersErrors(t *testing.T) {
	must.Refusals(t, "testdata/cases.txtar", func(row struct{ Source, Set string }) error {
		after, err := set(t, row.Source, row.Set)
		if after != row.Source {
			t.Errorf("%q, %s: the cell has changed", row.Source, row.Set)
		}
		return err
	})
	values := map[string]string{"n": "2"}
	must.ErrorContains(t, book(t, "var n = 1").SetParameters(values), "no code cell tagged")
	must.ErrorContains(t, must.Get(Parse(samples(t)["colab.ipynb"])).SetParameters(values), "written in python")
}

// TestSetParametersBytes checks that setting a parameter changes only its value in the file.
func TestSetParametersBytes(t *testing.T) {
	data := string(samples(t)["jupyter.ipynb"])
	n := must.Get(Parse([]byte(data)))
	must.Do(t, n.SetParameters(map[string]string{"n": "21", "name": "ψ"}))
	want := strings.Replace(strings.Replace(data, "var n = 20", "var n = 21", 1), `const name = \"φ\"`,
		`const name = \"ψ\"`, 1)
	if got := string(n.Bytes()); got != want {
		t.Errorf("got %s", got)
	}
}

func FuzzSetParameters(f *testing.F) {
	f.Add("import \"fmt\"\nvar n = 20\n%%\nm := 3", "n", "7")
	f.Add("const (\n a = iota\n b\n)", "b", "1")
	f.Add("x=0", "x", "\"\xa5\"")
	f.Add("x, y := 1, \"s\"", "y", "`")
	f.Fuzz(func(t *testing.T, source, name, value string) {
		sources := Parameters{0: source}
		if sources.Set(name, value) != nil {
			return
		}
		// After a value has been set, it can be read and set again.
		again := Parameters{0: sources[0]}
		if err := again.Set(name, value); err != nil || again[0] != sources[0] {
			t.Errorf("%q: set to %q, again to %q, error %v", source, sources[0], again[0], err)
		}
	})
}
