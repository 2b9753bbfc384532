// Package chaptertest contains the common parts of the chapters' tests.
package chaptertest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
)

// Slips checks that each slip, a change of words in a text, makes the run of the text fail. The slips are the rows of a
// table in testdata/slips.txt. The last two fields of a row are the words of the text and the words that replace them.
func Slips(t *testing.T, table, text string, run func(row []string, spoiled string) error) {
	t.Helper()
	for _, row := range must.Rows(t, "../chaptertest/testdata/slips.txt", table) {
		from, to := row[len(row)-2], row[len(row)-1]
		if spoiled := strings.Replace(text, from, to, 1); spoiled == text {
			t.Errorf("%q is not in the text", from)
		} else if run(row, spoiled) == nil {
			t.Errorf("%q instead of %q, and no check failed", to, from)
		}
	}
}

// CheckQuestions checks that the questions of a game are complete and have unique names.
func CheckQuestions(t *testing.T, game chapter.Game) {
	t.Helper()
	ids := map[string]bool{}
	check := func(id string, texts ...string) {
		if !strings.HasPrefix(id, game.Name+"-") || ids[id] || slices.Contains(texts, "") {
			t.Errorf("question %s is incomplete, or its id is taken: %q", id, texts)
		}
		ids[id] = true
	}
	for _, q := range must.Get(game.Questions()) {
		check(q.ID, q.Title, q.Where, string(q.Asked), string(q.Answer), q.Ref)
	}
	for _, q := range must.Get(game.OpenQuestions(t.Context())) {
		check(q.ID, q.Title, q.Where, string(q.Known), string(q.How), string(q.Settles), q.Ref)
	}
}

// CheckClaims checks that claims are true and complete, and that their names are unique and begin with the prefix.
func CheckClaims(t *testing.T, prefix string, claims []chapter.Claim) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range claims {
		if c.ID == "" || !strings.HasPrefix(c.ID, prefix) || c.Where == "" || c.Printed == "" || ids[c.ID] {
			t.Errorf("claim %+v: incomplete, or its id is taken", c)
		}
		ids[c.ID] = true
		if _, err := os.Stat(filepath.Join("..", "..", "..", filepath.FromSlash(c.Place.File))); err != nil {
			t.Errorf("claim %s: its place is given as %+v: %v", c.ID, c.Place, err)
		}
		f, err := c.Check(t.Context())
		if err != nil {
			t.Errorf("claim %s: %v", c.ID, err)
		}
		if f.Checked == "" || c.Verdict != "" && (f.Truth == "" || f.Example == "" || c.Title == "") {
			t.Errorf("claim %s: finding %+v is incomplete", c.ID, f)
		}
	}
}

// Call is a call of a function in a program.
type Call struct {
	Function  string
	Arguments []any // arguments for listing.Program.Call; no functions in Go
}

// SameInPython makes calls in Go and in Python 3, and compares the results.
func SameInPython(t *testing.T, program *listing.Program, text string, calls []Call) {
	t.Helper()
	var script strings.Builder
	script.WriteString(text + `
def plain(value):
    if isinstance(value, dict):
        return [[plain(key), plain(value[key])] for key in value]
    return [plain(v) for v in value] if isinstance(value, (list, tuple)) else value

import json
`)
	var want []string
	for _, c := range calls {
		result, err := program.Call(c.Function, c.Arguments...)
		must.Do(t, err)
		want = append(want, string(must.Get(json.Marshal(plain(result)))))
		call := fmt.Sprintf("%s(%s)", c.Function, inPython(c.Arguments))
		fmt.Fprintf(&script, "print(json.dumps(plain(%s), separators=(',', ':')))\n", call)
	}
	got := strings.Split(strings.TrimSpace(must.Python(t, script.String())), "\n")
	if len(calls) == 0 || len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s(%s): Python says %s, the listing here %s", calls[i].Function, inPython(calls[i].Arguments),
				got[i], want[i])
		}
	}
}

// plain converts dictionaries in a result to lists of pairs.
func plain(result any) any {
	switch result := result.(type) {
	case []listing.Entry:
		pairs := []any{}
		for _, e := range result {
			pairs = append(pairs, []any{plain(e.Key), plain(e.Value)})
		}
		return pairs
	case []any:
		list := []any{}
		for _, e := range result {
			list = append(list, plain(e))
		}
		return list
	}
	return result
}

// inPython returns arguments in Python's syntax.
func inPython(arguments []any) string {
	texts := make([]string, len(arguments))
	for i, a := range arguments {
		switch a := a.(type) {
		case []any:
			texts[i] = "[" + inPython(a) + "]"
		case listing.Tuple:
			texts[i] = "(" + inPython(a) + ",)"
		case string:
			texts[i] = fmt.Sprintf("%q", a)
		default:
			texts[i] = fmt.Sprint(a)
		}
	}
	return strings.Join(texts, ", ")
}
