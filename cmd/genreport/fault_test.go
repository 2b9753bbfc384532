package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

const faultyNotebook = `{"cells": [
 {"cell_type": "markdown", "id": "intro", "metadata": {}, "source": ["# Title\n", "\n", "Bad $x."]},
 {"cell_type": "code", "id": "run-1", "metadata": {}, "execution_count": null, "outputs": [], "source": ["a := 1\n", "panic(a)"]},
 {"cell_type": "code", "metadata": {}, "execution_count": null, "outputs": [], "source": ["b := 1\n", "panic(a)"]}
], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`

// TestFaults shows each kind of error with place, excerpt and caret.
func TestFaults(t *testing.T) {
	sources := fstest.MapFS{
		"report/a.md": {Data: []byte("one\ntwo\n\tä $\\nope$ ü\nfour {{ ref \"fig:gone\" " +
			"}}\r\nfive\nsix\n")},
		"notebooks/01.ipynb": {Data: []byte(faultyNotebook)},
		"report/castle/errata.go": {Data: []byte("package castle\n\nvar claims = []Claim{{\n\tID: \"too-fast\", " +
			"Title: \"x\",\n}}\n")},
	}
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{
			"column",
			site.Errors{{File: "report/a.md", Line: 3, Column: 6, Msg: "bad TeX"}},
			"report/a.md:3:5: bad TeX\n1 | one\n2 | two\n3 | \tä $\\nope$ ü\n  | \t   ^\n4 | four {{ ref " +
				"\"fig:gone\" }}\n5 | five\n",
		},
		{
			"quoted",
			site.Errors{{File: "report/a.md", Line: 4, Msg: `{{ ref "fig:gone" }}: no such target`}},
			"report/a.md:4:13: {{ ref \"fig:gone\" }}: no such target\n2 | two\n3 | \tä $\\nope$ ü\n4 | four {{ ref " +
				"\"fig:gone\" }}\n  |             ^^^^^^^^^^\n5 | five\n6 | six\n",
		},
		{
			"line", fmt.Errorf("in context: %w", site.Errors{{File: "report/a.md", Line: 1, Msg: "odd"}}),
			"report/a.md:1:1: odd\n1 | one\n  | ^^^\n2 | two\n3 | \tä $\\nope$ ü\n",
		},
		{"no line", site.Errors{{File: "report/a.md", Msg: "odd"}}, "report/a.md: odd\n"},
		{"line beyond the end", site.Errors{{File: "report/a.md", Line: 99, Msg: "odd"}}, "report/a.md:99: odd\n"},
		{"no file", site.Errors{{File: "report/b.md", Line: 3, Msg: "odd"}}, "report/b.md:3: odd\n"},
		{"two", site.Errors{{File: "b", Line: 3, Msg: "x"}, {File: "c", Line: 4, Msg: "y"}}, "b:3: x\nc:4: y\n"},
		{
			"prose of a notebook",
			site.Errors{{File: "notebooks/01.ipynb", Cell: `cell "intro"`, Line: 3, Msg: `a "$" without its partner`}},
			"notebooks/01.ipynb: cell \"intro\", line 3: a \"$\" without its partner\n1 | # Title\n2 | \n3 | Bad " +
				"$x.\n  |     ^\n",
		},
		{
			"cell that fails", fmt.Errorf("in context: %w", &jupyter.CellError{
				File: "notebooks/01.ipynb",
				Cell: `cell "run-1"`, Err: errors.New("panic: 1"),
			}),
			"notebooks/01.ipynb: cell \"run-1\": panic: 1\n1 | a := 1\n2 | panic(a)\n",
		},
		{
			"cell that does not compile", fmt.Errorf("in context: %w", &jupyter.CellError{
				File: "notebooks/01.ipynb",
				Cell: `cell 3`, Line: 2, Err: errors.New("line 2: undefined: a"),
			}),
			"notebooks/01.ipynb: cell 3: line 2: undefined: a\n1 | b := 1\n2 | panic(a)\n  | ^^^^^^^^\n",
		},
		{"cell that has gone", fmt.Errorf("in context: %w", &jupyter.CellError{
			File: "notebooks/01.ipynb",
			Cell: `cell "run-2"`, Err: errors.New("x"),
		}), "notebooks/01.ipynb: cell \"run-2\": x\n"},
		{
			"claim", &chapter.PageError{Slug: "castle-errata", Err: &chapter.ClaimError{
				Kind: "claim", ID: "too-fast", Where: "post", Place: content.Place{
					File: "report/castle/errata.go",
					Line: 4,
				}, Err: errors.New("does not hold"),
			}},
			"report/castle/errata.go:4:6: page castle-errata: claim \"too-fast\" (post): does not hold\n2 | \n3 | " +
				"var claims = []Claim{{\n4 | \tID: \"too-fast\", Title: \"x\",\n  | \t    ^^^^^^^^^^\n5 | }}\n",
		},
		{
			"claim of code that is not here", &chapter.ClaimError{
				Kind: "derivation step", ID: "x",
				Place: content.Place{File: "report/b/b.go", Line: 7}, Err: errors.New("does not hold"),
			},
			"report/b/b.go:7: derivation step \"x\": does not hold\n",
		},
		{"claim without a place", &chapter.ClaimError{
			Kind: "claim", ID: "x", Where: "post",
			Err: errors.New("does not hold"),
		}, " claim \"x\" (post): does not hold\n"},
		{"anything", errors.New("the disk is on fire"), " the disk is on fire\n"},
	} {
		if got := written(faultsOf(c.err, sources)); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.name, got, c.want)
		}
		if len(faultsOf(c.err, nil)) == 0 {
			t.Errorf("%s: without sources there is no fault", c.name)
		}
	}
	// A claim of a real chapter is shown with the line of the expectation that was not met.
	claim := chapter.Claim{ID: "no-less", Where: "post", Check: func(context.Context) (chapter.Finding, error) {
		return chapter.Finding{}, chapter.Expect("one is two", false, "1, 2")
	}}
	_, err := chapter.CheckClaims(t.Context(), []chapter.Claim{claim})
	text := must.Get(os.ReadFile("fault_test.go"))
	sources["cmd/genreport/fault_test.go"] = &fstest.MapFile{Data: text}
	want := regexp.MustCompile(`^cmd/genreport/fault_test\.go:(\d+):3: claim "no-less" \(post\): one is two does not hold: 1, 2\n(.*\n){2}(\d+) \| \t\treturn .*Expect\(.*\n +\| \t\t\^+\n`)
	if got := written(faultsOf(err, sources)); !want.MatchString(got) ||
		want.FindStringSubmatch(got)[1] != want.FindStringSubmatch(got)[3] {
		t.Errorf("a claim that does not hold:\n%s", got)
	}
	var many site.Errors
	for range 3 * mostFaults {
		many = append(many, &site.Error{File: "a", Msg: "x"})
	}
	if got := faultsOf(many, sources); len(got) != mostFaults {
		t.Errorf("%d faults", len(got))
	}
}

// written is how the template lays faults out.
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

// FuzzFaultAt: whatever the text, the place and the message, an excerpt is made without a panic.
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

// TestMessages runs the commands of testdata/messages.txt, which cannot succeed. A line with arguments is followed by
// one that begins with a tab: the exit code, and a pattern for the one line of the error. ” stands for an empty
// argument. The commands run in a folder with the files of the archive, and leave them as they are.
func TestMessages(t *testing.T) {
	archive := must.Get(txtar.ParseFile(filepath.Join("testdata", "messages.txt")))
	t.Chdir(t.TempDir())
	must.Do(t, txtar.Write(archive, "."))
	before := filesBelow(t)
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
	if after := filesBelow(t); after != before {
		t.Errorf("there is another set of files:\n%s\nbefore:\n%s", after, before)
	}
}

// filesBelow describes what is in the working folder.
func filesBelow(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			data, err := os.ReadFile(name)
			fmt.Fprintf(&all, "%s %q %v\n", name, data, err)
		}
		return err
	})
	must.Do(t, err)
	return all.String()
}
