package jupyter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestTraceFilter: of what a program says when it panics, the reason and the line of the cell are left, wherever the
// text is cut.
func TestTraceFilter(t *testing.T) {
	row := must.Rows(t, "testdata/cases.txtar", "TestTraceFilter")[0]
	said, want := row[0], row[1]
	for cut := range len(said) {
		var f traceFilter
		if got := f.filter(said[:cut]) + f.filter(said[cut:]); got != want {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
	}
	var f traceFilter
	var got strings.Builder
	for _, letter := range []byte(said) {
		got.WriteString(f.filter(string(letter)))
	}
	if got.String() != want {
		t.Errorf("letter by letter: %q, want %q", got.String(), want)
	}
	f = traceFilter{}
	if got := f.filter("g") + f.end(); got != "g" {
		t.Errorf("the end without a line's end is %q", got)
	}
	f = traceFilter{}
	if text := "no end, and no trace: goroutine"; f.filter(text) != text {
		t.Error("a text without an end is kept back")
	}
}

// TestMissedPlace: where gonb has read the line of a trace in pieces and not found the place in it, its report has the
// place, or the program's own line.
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
	if got := f.report(report) + f.end(); got != want {
		t.Errorf("with a report: %q, want %q", got, want)
	}

	// The report may come before the program's end is told.
	f = traceFilter{}
	f.filter(fmt.Sprintf(said, "/tmp"))
	if got := f.report(report) + f.filter("exit status 2\n") + f.end(); got != want {
		t.Errorf("report first: %q, want %q", got, want)
	}

	folder := t.TempDir()
	source := "%%\n// says out\nif true {\npanic(\"out\")\n}\nif false {\npanic(\"out\")\n}"
	program := "package main\n\nfunc main() {\nflag.Parse()\n}\n\n// says out\nif true {\npanic(\"out\")\n}\nif " +
		"false {\npanic(\"out\")\n}\n}\n"
	must.Do(t, os.Mkdir(filepath.Join(folder, "gonb_1"), 0o700))
	must.Write(t, filepath.Join(folder, "gonb_1", "main.go"), program)
	for _, test := range []struct{ at, source, want string }{
		{folder, source, want},
		{folder, "%%\nnone()", "exit status 2\n"},
		{t.TempDir(), source, "exit status 2\n"}, // somebody else's program
	} {
		f = traceFilter{temp: folder}
		f.begin(encoded(map[string]any{"code": test.source, "execution_count": 2}))
		f.filter(fmt.Sprintf(said, test.at))
		f.filter("exit status 2\n")
		if got := f.find() + f.find() + f.end(); got != test.want {
			t.Errorf("without a report, %q: %q, want %q", test.source, got, test.want)
		}
	}
}
