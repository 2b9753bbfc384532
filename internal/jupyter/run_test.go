package jupyter

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// book returns a notebook whose code cells have these sources, and the IDs a, b, c...
func book(t testing.TB, sources ...string) *Notebook {
	t.Helper()
	var cells []map[string]any
	for i, source := range sources {
		cells = append(cells, CodeCell(string(rune('a'+i)), source, map[string]any{}))
	}
	return Compose(cells, nil)
}

// Tests wait only briefly for fake kernels that do not answer. Other kernels answer at once; their time limits matter
// only on a busy machine.
var (
	hasty = patience{
		start: waittest.Patience, interrupt: 300 * time.Millisecond, shutdown: 300 * time.Millisecond,
		terminate: 100 * time.Millisecond,
	}
	unhurried = patience{waittest.Patience, waittest.Patience, waittest.Patience, waittest.Patience}
)

func patienceWith(mode string) patience {
	if mode == "fine" {
		return unhurried
	}
	return hasty
}

// runFake runs cells in a fake kernel, and checks that none of its processes is left.
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

// TestRunStart checks kernels that fail before they can run a cell.
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
			// The kernel with the wrong key cannot read our messages, either, and may give up first.
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
		must.ErrorContains(t, err, want, program)
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
		_, err := Run(ctx, book(t, "children\nunmask "+reached+"\nhang"),
			RunOptions{Kernel: spec, CellTimeout: 2 * waittest.Patience, patience: hasty})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", mode, err)
		}
		wantNoneLeft(t, pids)
	}
}

// isThere returns a function that reports whether a file exists.
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
	executed := must.Get(Run(t.Context(), n,
		RunOptions{Kernel: spec, Progress: func(done, all int64) { progress = append(progress, done, all) }}))
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

// cases returns the cells in testdata/cases.txtar: the runs, and the cells of TestForgets. The comment in the file
// describes the format.
func cases() (runs []txtar.File, forgets string) {
	files := must.Get(txtar.ParseFile("testdata/cases.txtar")).Files
	return files[:len(files)-1], string(files[len(files)-1].Data)
}

// TestRunCells runs cells. The outputs must be right whatever the order of messages. The cases include all ways in
// which cells and kernels can fail.
func TestRunCells(t *testing.T) {
	t.Parallel()
	runs, _ := cases()
	for _, file := range runs {
		t.Run(file.Name, func(t *testing.T) {
			t.Parallel()
			mode, o, fails := "fine", RunOptions{}, ""
			var cells, outputs, texts []string
			for source := range strings.SplitSeq(string(file.Data), "---\n") {
				code, output, text := "", "", ""
				for line := range strings.Lines(source) {
					switch verb, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); verb {
					case "mode":
						mode = rest
					case "hasty":
						o.patience = hasty
					case "timeout":
						o.CellTimeout = must.Get(time.ParseDuration(rest))
					case "limit":
						o.OutputLimit = must.Get(strconv.ParseInt(rest, 10, 64))
					case "!":
						fails = rest
					case "=>":
						output = rest
					case "->":
						text = rest
					default:
						code += line
					}
				}
				cells, outputs, texts = append(cells, code), append(outputs, output), append(texts, text)
			}
			if fails != "" {
				cells = append(cells, "bytes \"never\"\nok 2\nidle")
			}
			got, err := runFake(t, mode, o, cells...)
			var failed *CellError
			if errors.As(err, &failed) != (fails != "") || fails != "" && (failed.Cell != `cell "a"` ||
				len(got[1].Outputs) > 0 ||
				!strings.Contains(err.Error(), fails) || strings.Contains(err.Error(), "\n")) {
				t.Fatalf("error %v, want one of cell a with %q, and no more cells", err, fails)
			}
			for i := range outputs {
				var stored []any
				text := ""
				for k := range got[i].Outputs {
					stored, text = append(stored, got[i].Outputs[k].stored()), got[i].Outputs[0].Text
				}
				is := string(encoded(stored))
				if outputs[i] != "" && is != outputs[i] || !strings.HasPrefix(text, texts[i]) {
					t.Errorf("cell %d: outputs\n%.300s\nwant\n%s%s", i, is, outputs[i], texts[i])
				}
			}
		})
	}
}

// TestTraceFilter checks that if a program ends with a stack trace, the reason and the line of the cell remain,
// wherever the text is split into pieces. All other text must be unchanged.
func TestTraceFilter(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Said string }) []any {
		const trace = "goroutine 7 [running]:\nmain.f(0x1, ...)\n" +
			"\t[[ Cell [4] Line 9 ]] /tmp/gonb_1/main.go:33 +0x1d\n" +
			"created by main.main in goroutine 1\n\t/tmp/gonb_1/main.go:2 +0x1d\n"
		said := strings.ReplaceAll(row.Said, "TRACE", trace)
		filtered := func(pieces ...string) string {
			var f traceFilter
			var got strings.Builder
			for _, piece := range pieces {
				got.WriteString(f.filter(piece))
			}
			return got.String() + f.end(true)
		}
		all := filtered(strings.Split(said, "")...)
		for cut := range len(said) {
			if got := filtered(said[:cut], said[cut:]); got != all {
				t.Fatalf("cut at %d: %q, letter by letter %q", cut, got, all)
			}
		}
		if all == said {
			all = "the same"
		}
		return []any{strings.ReplaceAll(all, trace, "TRACE")}
	})
	f := traceFilter{}
	if text := "no end, and no trace: goroutine"; f.filter(text) != text {
		t.Error("a text without an end is kept back")
	}
	f = traceFilter{}
	const lives = "panic: I go on\ngoroutine 1 [mine]:\nf(x)\n"
	if got := f.filter(lives) + f.filter("\tat\nwords\n"); got != lives+"\tat\nwords\n" {
		t.Errorf("what is no trace is kept back: %q", got)
	}
}

// TestMissedPlace checks a line of a stack trace that gonb read in pieces, so that gonb did not recognize the position
// in it. In that case, the position comes from gonb's report or from the program's own line.
func TestMissedPlace(t *testing.T) {
	const said = "panic: out\n\ngoroutine 1 [running]:\nmain.main()\n\t%s/gonb_1/main.go:9 +0x1d\n"
	const want = "  at [[ Cell [2] Line 4 ]]\nexit status 2\n"
	f := traceFilter{}
	if got := f.filter(fmt.Sprintf(said, "/tmp") + "exit status 2\n"); got != "panic: out\n\n" {
		t.Errorf("%q", got)
	}
	report := encoded(
		map[string]any{
			"data": map[string]string{
				"text/html": `<span class="gonb-cell-line-info">Cell[2]: Line 4</span> <span class="gonb-cell-line-info">Cell[2]: Line 6</span>`,
			},
		},
	)
	if got := f.report(report) + f.end(true); got != want {
		t.Errorf("with a report: %q, want %q", got, want)
	}

	// The report may arrive before the message about the program's end.
	f = traceFilter{}
	f.filter(fmt.Sprintf(said, "/tmp"))
	if got := f.report(report) + f.filter("exit status 2\n") + f.end(true); got != want {
		t.Errorf("report first: %q, want %q", got, want)
	}

	folder := t.TempDir()
	source := "%%\n// says out\nif true {\npanic(\"out\")\n}\nif false {\npanic(\"out\")\n}"
	program := "package main\n\nfunc main() {\nflag.Parse()\n}\n\n// says out\nif true {\npanic(\"out\")\n}\nif " +
		"false {\npanic(\"out\")\n}\n}\n"
	inDeclaration := "package main\n\nvar (\n\ta  = b\n\n\n\n\n\tfirst = none[0]\n\tnone []int\n)\n"
	for _, test := range []struct{ at, program, source, want string }{
		{folder, program, source, want},
		{folder, program, "%%\nnone()", "exit status 2\n"},
		{folder, inDeclaration, "var none []int\n\n\nvar first=none[0] // there is none\n", want},
		{folder, inDeclaration, "var none []int\n\nvar (\n\tfirst    = none[0]\n)", want},
		{t.TempDir(), program, source, "exit status 2\n"}, // another program
	} {
		must.Write(t, filepath.Join(folder, "gonb_1", "main.go"), test.program)
		f = traceFilter{temp: folder}
		f.begin(encoded(map[string]any{"code": test.source, "execution_count": 2}))
		f.filter(fmt.Sprintf(said, test.at))
		f.filter("exit status 2\n")
		if got := f.end(true) + f.end(true); got != test.want {
			t.Errorf("without a report, %q: %q, want %q", test.source, got, test.want)
		}
	}
}
