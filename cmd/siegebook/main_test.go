package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
)

// These are the documented exit codes of the program.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// cases is the file of tables and of scenarios for Slurm.
const cases = "testdata/cases.txtar"

// TestMain makes the program itself available to scripts and tests, as the command siegebook.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"siegebook": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			// BIN is a folder with only the program.
			env.Setenv("BIN", filepath.Dir(must.Get(exec.LookPath("siegebook"))))
			env.Setenv("GORACE", "atexit_sleep_ms=0") // otherwise each command takes a second under the race detector
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "root":
				return os.Geteuid() == 0, nil
			case "full":
				_, err := os.Stat("/dev/full")
				return err == nil, nil
			}
			return false, errors.New("unknown condition " + name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"status": faulttest.Status,
			"lines":  lines,
		},
	})
}

// lines implements "lines FILE N": the file, or stdout or stderr, must have N lines.
func lines(ts *testscript.TestScript, _ bool, args []string) {
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); fmt.Sprint(got) != args[1] {
		ts.Fatalf("%s has %d lines, want %s", args[0], got, args[1])
	}
}

// run runs a command and returns its exit code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return command.Run(ctx, "siegebook", args, streams{In: stdin, Out: stdout, Err: stderr}, execute)
}

// siegebook runs the program in this process.
func siegebook(ctx context.Context, stdin string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(ctx, args, strings.NewReader(stdin), &out, &err)
	return code, out.String(), err.String()
}

// progressLines matches progress that a slow machine shows for long work.
var progressLines = regexp.MustCompile(`(?m)^[a-z][^:]*: [0-9]+ %, [0-9]+ of [0-9]+\n`)

// test is a test of package testing or rapid.
type test interface {
	must.T
	Context() context.Context
}

// mustRun runs a command, which must succeed without printing a message, and returns its output.
func mustRun(t test, stdin string, args ...string) string {
	t.Helper()
	code, stdout, stderr := siegebook(t.Context(), stdin, args...)
	if code != exitDone || progressLines.ReplaceAllString(stderr, "") != "" {
		t.Fatal(fmt.Sprintf("siegebook %s: exit code %d, stderr %q", strings.Join(args, " "), code, stderr))
	}
	return stdout
}

// FuzzArguments checks that no arguments cause a panic, and that an error has one line.
func FuzzArguments(f *testing.F) {
	for _, line := range []string{
		"solve castle 10 43 8", "solve castle -5 1 1", "solve castle --json 1 2", "count castle 3 4 5 --limit 1kB",
		"--", "-", "-é", "--=", "paths castle 3 4 5 --max=1", "sweep castle --soldiers 1:2 --castle 3 --defenders 4",
		"solve --help", "-hh", "solve castle - - -",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		if len(args) > 1 && args[0] != "solve" || strings.Contains(line, "batch") ||
			strings.Contains(line, "trace-limit") {
			t.Skip("could take long, or touch files")
		}
		code, _, stderr := siegebook(t.Context(), "", args...)
		if wantLines := min(code, 1); strings.Count(stderr, "\n") != wantLines {
			t.Errorf("%q: exit code %d, stderr %q", args, code, stderr)
		}
	})
}

// TestHelpExamples runs the examples of every command's --help, except the two that need a file of battles.
func TestHelpExamples(t *testing.T) {
	wall := must.Get(os.ReadFile(filepath.Join("testdata", "wall.txt")))
	t.Chdir(t.TempDir())
	must.Write(t, "map.txt", wall)
	example := regexp.MustCompile(`(?m)^    siegebook (.*)$`)
	for _, verb := range []string{
		"solve castle", "sweep castle", "survey castle", "count castle", "paths castle", "merge", "solve ants",
		"solve tower", "tournament naval", "play naval", "measure naval",
	} {
		help := mustRun(t, "", append(strings.Fields(verb), "--help")...)
		calls := example.FindAllStringSubmatch(help, -1)
		if len(calls) < 3 {
			t.Errorf("%s --help has %d examples", verb, len(calls))
		}
		for _, call := range calls {
			if strings.Contains(call[1], "battles.csv") {
				continue
			}
			mustRun(t, "a.b\n", strings.Fields(call[1])...)
		}
	}
}

// TestAllIsDescribed checks that every command, flag and argument has help.
func TestAllIsDescribed(t *testing.T) {
	page := mustRun(t, "", "man")
	for item := range strings.SplitSeq(page, "\n.TP\n") {
		if lines := strings.Split(item, "\n"); strings.HasPrefix(item, ".B ") && (len(lines) < 2 || len(lines[1]) < 5) {
			t.Errorf("no help of %q", lines[0])
		}
	}
	if strings.Contains(page, "${") || strings.Count(page, "\n.SS ") < 16 {
		t.Errorf("the manual page has %d commands, or names of variables:\n%s", strings.Count(page, "\n.SS "), page)
	}
}
