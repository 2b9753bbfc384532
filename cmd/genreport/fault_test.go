package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/site"
)

// TestFaults checks that each kind of error is shown with its place, an excerpt and a caret.
func TestFaults(t *testing.T) {
	sources := fstest.MapFS{}
	for _, file := range must.Get(txtar.ParseFile(filepath.Join("testdata", "faults.txtar"))).Files {
		if name, is := strings.CutPrefix(file.Name, "source "); is {
			sources[name] = &fstest.MapFile{Data: bytes.ReplaceAll(file.Data, []byte("␍"), []byte("\r"))}
			continue
		}
		given, want, _ := strings.Cut(string(file.Data), "\n\n")
		err := faultyError(t, given)
		if strings.HasPrefix(given, "site ") || strings.HasPrefix(given, "cell ") {
			err = fmt.Errorf("in context: %w", err)
		}
		if got := written(faultsOf(err, sources)); got != want {
			t.Errorf("%s:\n%swant\n%s", file.Name, got, want)
		}
		if len(faultsOf(err, nil)) == 0 {
			t.Errorf("%s: without sources there is no fault", file.Name)
		}
	}
	var many site.Errors
	for range 3 * mostFaults {
		many = append(many, &site.Error{File: "a", Msg: "x"})
	}
	if got := faultsOf(many, sources); len(got) != mostFaults {
		t.Errorf("%d faults", len(got))
	}
}

// faultyError returns the error of a case. Lines of the same kind form one error.
func faultyError(t *testing.T, given string) error {
	var all site.Errors
	for line := range strings.Lines(given) {
		kind, text, _ := strings.Cut(line, " ")
		var e struct {
			File, Cell, Msg, Text string
			Line, Column          int
		}
		must.Do(t, json.Unmarshal([]byte(text), &e))
		switch kind {
		case "site":
			all = append(all, &site.Error{File: e.File, Cell: e.Cell, Line: e.Line, Column: e.Column, Msg: e.Msg})
		case "cell":
			return &jupyter.CellError{File: e.File, Cell: e.Cell, Line: e.Line, Err: errors.New(e.Text)}
		default:
			return errors.New(e.Text)
		}
	}
	return all
}

// written returns faults in the layout of the template.
func written(faults []fault) string {
	var b strings.Builder
	for _, f := range faults {
		b.WriteString(f.Place + " " + f.Message + "\n")
		for _, line := range f.Excerpt {
			b.WriteString(line.Label + " | " + line.Text + "\n")
			if line.Caret != "" {
				b.WriteString(line.Caret + "\n")
			}
		}
	}
	return b.String()
}

// FuzzFaultAt checks that creating an excerpt does not panic for any text, place and message.
func FuzzFaultAt(f *testing.F) {
	f.Add("one\ntwo", 2, 3, `a "two" b`)
	f.Add("", 1, 1, "")
	f.Add("ä\xff\n", 1, 2, `"\xff"`)
	f.Fuzz(func(t *testing.T, text string, line, column int, message string) {
		if line < 1 {
			return
		}
		got := faultAt("a", text, line, column, message)
		for _, l := range got.Excerpt {
			if l.Caret != "" && !strings.Contains(l.Caret, "^") {
				t.Errorf("%q points nowhere", l.Caret)
			}
		}
	})
}

// TestMessages runs the commands of testdata/messages.txt, which must fail. Each line with arguments is followed by a
// line that begins with a tab: the exit code, and a pattern for the one line of the error. ” stands for an empty
// argument. The commands run in a folder with the files of the archive, and leave them unchanged.
func TestMessages(t *testing.T) {
	needsOwn(t)
	archive := must.Get(txtar.ParseFile(filepath.Join("testdata", "messages.txt")))
	t.Chdir(t.TempDir())
	must.Do(t, txtar.Write(archive, "."))
	before := readTree(t, ".")
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	var args []string
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSuffix(line, "\n")
		want, isWanted := strings.CutPrefix(line, "\t")
		if !isWanted {
			if args = strings.Fields(line); len(args) > 0 && args[0] == "#" {
				args = nil
			}
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "''", "")
			}
			continue
		}
		code, pattern, _ := strings.Cut(want, " ")
		got, _, stderr := run(t.Context(), args...)
		if fmt.Sprint(got) != code || !regexp.MustCompile("^genreport: "+pattern+"\n$").MatchString(stderr) {
			t.Errorf("%q: exit code %d: %s", args, got, stderr)
		}
	}
	if diff := cmp.Diff(before, readTree(t, ".")); diff != "" {
		t.Errorf("the files -before +after:\n%s", diff)
	}
}
