package jupyter

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// book returns a notebook whose code cells have these sources and the ids a, b, c...
func book(t testing.TB, sources ...string) *Notebook {
	t.Helper()
	var cells []string
	for i, source := range sources {
		quoted := must.Get(json.Marshal(source))
		cells = append(
			cells,
			`{"cell_type":"code","id":"`+string(
				rune('a'+i),
			)+`","metadata":{},"execution_count":null,"outputs":[],"source":`+string(
				quoted,
			)+`}`,
		)
	}
	n := must.Get(Parse([]byte(`{"cells":[` + strings.Join(cells, ",") +
		`],"metadata":{},"nbformat":4,"nbformat_minor":5}`)))
	return n
}

// The fake kernels that do not listen are not waited for, which keeps their tests short. Those that do listen answer at
// once; how long they are waited for only matters on a machine with much else to do.
var (
	hasty = patience{
		start:     waittest.Patience,
		interrupt: 300 * time.Millisecond,
		shutdown:  300 * time.Millisecond,
		terminate: 100 * time.Millisecond,
	}
	unhurried = patience{
		start:     waittest.Patience,
		interrupt: waittest.Patience,
		shutdown:  waittest.Patience,
		terminate: waittest.Patience,
	}
)

func patienceWith(mode string) patience {
	if mode == "fine" {
		return unhurried
	}
	return hasty
}

// runFake runs cells in a fake kernel, and makes sure that none of its processes is left.
func runFake(t *testing.T, mode string, o RunOptions, sources ...string) ([]Cell, error) {
	t.Helper()
	spec, pids := fakeSpec(t, mode)
	o.Kernel = spec
	if o.patience == (patience{}) {
		o.patience = patienceWith(mode)
	}
	executed, err := Run(t.Context(), book(t, sources...), o)
	wantNoneLeft(t, pids)
	if executed == nil {
		return nil, err
	}
	return executed.Cells(), err
}

func stream(name, text string) Output { return Output{Type: Stream, Name: name, Text: text} }

func TestRunOutputs(t *testing.T) {
	t.Parallel()
	const done = "\nok 1\nidle"
	for _, test := range []struct {
		name  string
		cells []string
		want  [][]Output
	}{
		{"reply before its outputs", []string{"ok 1\nbusy\npublish stream " +
			"{\"name\":\"stdout\",\"text\":\"late\"}\nidle"}, [][]Output{{stream("stdout", "late")}}},
		{
			"idle before the reply",
			[]string{"busy\nbytes \"early\"\nidle\nok 1"},
			[][]Output{{stream("stdout", "early")}},
		},
		{
			"messages of other requests",
			[]string{"stranger status {\"execution_state\":\"idle\"}\nstranger stream " +
				"{\"name\":\"stdout\",\"text\":\"not mine\"}\nok 1\nstranger status " +
				"{\"execution_state\":\"idle\"}\nbytes \"mine\"\nidle"},
			[][]Output{{stream("stdout", "mine")}},
		},
		{
			"streams are merged by name, stdout first",
			[]string{"publish stream {\"name\":\"stderr\",\"text\":\"e1 \"}\nbytes \"o1 \"\npublish stream " +
				"{\"name\":\"stderr\",\"text\":\"e2\"}\nbytes \"o2\"" + done},
			[][]Output{{stream("stdout", "o1 o2"), stream("stderr", "e1 e2")}},
		},
		{
			"characters cut in two",
			[]string{`bytes "a\xc3"` + "\n" + `bytes "\xa9\xf0\x9f"` + "\n" + `bytes "\x98\x80 \\ud83d"` + "\n" +
				`bytes "\\ude00 \\ud83d! \xff\\n"` + done},
			[][]Output{{stream("stdout", "aé😀 😀 \uFFFD! \uFFFD\n")}},
		},
		{
			"a display that is replaced from a later cell",
			[]string{
				`publish display_data {"data":{"text/plain":"old","image/png":"AA=="},"metadata":{},"transient":{"display_id":"d"}}` + done,
				`publish update_display_data {"data":{"text/plain":"new\nlines"},"metadata":{"a":1},"transient":{"display_id":"d"}}` + done,
			},
			[][]Output{{{
				Type: DisplayData, Data: Bundle{"text/plain": json.RawMessage(`["new\n","lines"]`)},
				Metadata: json.RawMessage(`{"a":1}`),
			}}, nil},
		},
		{
			"cleared at once, and cleared when the next one comes",
			[]string{
				"bytes \"gone\"\npublish clear_output {\"wait\":false}\nbytes \"kept\"" + done,
				"bytes \"kept\"\npublish clear_output {\"wait\":true}" + done,
				"bytes \"gone\"\npublish clear_output {\"wait\":true}\nbytes \"new\"" + done,
			},
			[][]Output{{stream("stdout", "kept")}, {stream("stdout", "kept")}, {stream("stdout", "new")}},
		},
		{
			"a result",
			[]string{`publish execute_result {"data":{"application/json":{"b":[1,2.50],"a":null}},"metadata":{},"execution_count":1}` + done},
			[][]Output{{{
				Type:     ExecuteResult,
				Data:     Bundle{"application/json": json.RawMessage(`{"b":[1,2.50],"a":null}`)},
				Metadata: json.RawMessage(`{}`), ExecutionCount: 1,
			}}},
		},
		{"a message that nobody knows", []string{"publish from_the_future {\"x\":1}" + done}, [][]Output{nil}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cells := must.Get(runFake(t, "fine", RunOptions{}, test.cells...))
			var got [][]Output
			for _, c := range cells {
				got = append(got, c.Outputs)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestRunHugeOutput(t *testing.T) {
	t.Parallel()
	cells, err := runFake(t, "fine", RunOptions{}, "huge 5000000\nok 1\nidle")
	if err != nil || len(cells[0].Outputs) != 1 || len(cells[0].Outputs[0].Text) != 5_000_000 {
		t.Errorf("5 MB below the limit: error %v", err)
	}
	cells, err = runFake(
		t,
		"fine",
		RunOptions{OutputLimit: 1000},
		"bytes \"first\"\nhuge 5000\nhuge 5000\nok 1\nidle",
		"ok 2\nidle",
	)
	if err == nil || !strings.Contains(err.Error(), `cell [1] (bytes "first"): the cell wrote more than 1000 bytes`) {
		t.Errorf("above the limit: error %v", err)
	}
	text := cells[0].Outputs[0].Text
	if !strings.HasPrefix(text, "firstxxx") || len(text) > 1000 ||
		!strings.Contains(cells[0].Outputs[1].Text, "[output cut off at 1000 bytes]") {
		t.Errorf("above the limit: %d bytes are kept, and %q", len(text), cells[0].Outputs[1].Text)
	}
}

// TestRunFailures runs cells that fail, in the ways in which cells and kernels do.
func TestRunFailures(t *testing.T) {
	t.Parallel()
	short := RunOptions{CellTimeout: 300 * time.Millisecond}
	deaf := RunOptions{CellTimeout: 300 * time.Millisecond, patience: hasty}
	for _, test := range []struct {
		name, mode string
		options    RunOptions
		cell       string
		want       string // of the error
		kept       string // of the outputs
	}{
		{
			"an error", "fine",
			RunOptions{},
			"bytes \"partial\"\nerror it's odd\nidle", "ValueError: it's odd",
			"partial",
		},
		{"wrong signature", "fine", RunOptions{}, "bytes \"partial\"\nforge\nok 1\nidle", "wrong signature", "partial"},
		{"no message", "fine", RunOptions{}, "garbage\nok 1\nidle", "2 frames that are no message", ""},
		{
			"a broken message", "fine",
			RunOptions{},
			"publish stream {\nok 1\nidle", "type stream that cannot be read",
			"",
		},
		{
			"a stream without text", "fine",
			RunOptions{},
			"publish stream {\"name\":\"stdout\"}\nok 1\nidle",
			"without a text", "",
		},
		{"a question", "fine", RunOptions{}, "ask\nwait\nerror interrupted\nidle", "asks for input", ""},
		{"dies", "fine", RunOptions{}, "die out of memory", "the kernel died (exit status 3: out of memory)", ""},
		{"is killed", "fine", RunOptions{}, "killed", "the kernel died (signal: killed)", ""},
		{
			"hangs and listens", "fine", short, "bytes \"partial\"\nwait\nbytes \" to the end\"\n" +
				"error interrupted\nidle",
			"did not end within 300ms", "partial to the end",
		},
		// It needs the time to say something.
		{
			"hangs", "stubborn",
			RunOptions{CellTimeout: 5 * time.Second},
			"children\nbytes \"partial\"\nhang",
			"did not end within 5s", "partial",
		},
		{"idle without a reply", "fine", deaf, "idle", "did not end within 300ms", ""},
		{"a reply without idle", "fine", deaf, "ok 1", "did not end within 300ms", ""},
		{
			"floods", "stubborn",
			RunOptions{OutputLimit: 100_000},
			"children\nflood", "more than 100000 bytes",
			"flood\n",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			cells, err := runFake(t, test.mode, test.options, test.cell, "bytes \"never\"\nok 2\nidle")
			var failed *CellError
			if !errors.As(err, &failed) || failed.Cell != `cell "a"` {
				t.Fatalf("error %v, want one of cell a", err)
			}
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q, want one line with %q", err, test.want)
			}
			kept := ""
			if len(cells[0].Outputs) > 0 {
				kept = cells[0].Outputs[0].Text
			}
			if !strings.HasPrefix(kept, test.kept) {
				t.Errorf("kept %.100q, want %q", kept, test.kept)
			}
			if len(cells[1].Outputs) > 0 {
				t.Error("the next cell has run")
			}
		})
	}
}

// TestRunStart starts kernels that never come so far as to run a cell.
func TestRunStart(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]string{
		"exits":    "kernel fake: the kernel died (exit status 4: no license found)",
		"never":    "did not answer within 400ms",
		"mute":     "did not answer within 400ms",
		"wrongkey": "wrong signature",
	} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			limit := waittest.Patience
			if strings.Contains(want, "400ms") {
				limit = 400 * time.Millisecond
			}
			_, err := runFake(t, mode, RunOptions{StartTimeout: limit}, "ok 1\nidle")
			// The kernel of the wrong key cannot read our messages either, and may give up first.
			if err == nil ||
				!strings.Contains(err.Error(), want) && !(mode == "wrongkey" && strings.Contains(err.Error(), "died")) {
				t.Errorf("error %v, want %q", err, want)
			}
		})
	}
}

func TestRunNoProgram(t *testing.T) {
	t.Parallel()
	for program, want := range map[string]string{
		"no-such-kernel-program": "not on the PATH",
		"/no/such/kernel":        "no such file",
	} {
		_, err := Run(t.Context(), book(t, "x"), RunOptions{Kernel: Kernelspec{Name: "none", Argv: []string{program}}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", program, err, want)
		}
	}
}

func TestRunCancelled(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"fine", "stubborn"} {
		spec, pids := fakeSpec(t, mode)
		reached := filepath.Join(t.TempDir(), "reached")
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			defer cancel()
			if !waittest.Comes(isThere(reached)) {
				t.Errorf("%s: the cell does not run", mode)
			}
		}()
		_, err := Run(
			ctx,
			book(t, "children\nunmask "+reached+"\nhang"),
			RunOptions{Kernel: spec, CellTimeout: 2 * waittest.Patience, patience: hasty},
		)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", mode, err)
		}
		wantNoneLeft(t, pids)
	}
}

// isThere says whether a file is there.
func isThere(path string) func() bool {
	return func() bool {
		_, err := os.Stat(path)
		return err == nil
	}
}

func TestRunTags(t *testing.T) {
	t.Parallel()
	n := book(t, "error expected\nidle", "die at once", "bytes \"after\"\nok 3\nidle", " \n")
	tag := func(i int, tag string) {
		n.style.set(child(n.cells[i], "metadata"), "tags", []string{tag}, cellDepth+1)
	}
	tag(0, TagRaises)
	tag(1, TagSkip)
	spec, pids := fakeSpec(t, "fine")
	var progress []int64
	before := string(n.Bytes())
	executed := must.Get(Run(
		t.Context(),
		n,
		RunOptions{Kernel: spec, Progress: func(done, all int64) { progress = append(progress, done, all) }},
	))
	if string(n.Bytes()) != before {
		t.Error("the notebook itself has changed")
	}
	cells := executed.Cells()
	if cells[1].ExecutionCount != 0 || cells[2].ExecutionCount != 3 || cells[2].Outputs[0].Text != "after" ||
		cells[3].ExecutionCount != 0 {
		t.Errorf("cells %+v", cells)
	}
	if diff := cmp.Diff([]int64{0, 2, 1, 2, 2, 2}, progress); diff != "" {
		t.Errorf("progress -want +got:\n%s", diff)
	}
	wantNoneLeft(t, pids)
}
