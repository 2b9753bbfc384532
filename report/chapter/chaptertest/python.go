package chaptertest

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/listing"
)

// Call is a call of a function of a program.
type Call struct {
	Function  string
	Arguments []any // as listing.Program.Call takes them, but for functions in Go
}

// SameInPython makes calls here and in Python 3, and compares the results. It skips where Python is not installed.
func SameInPython(t *testing.T, program *listing.Program, text string, calls []Call) {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed: make setup installs it")
	}
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
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := json.Marshal(plain(result))
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, string(encoded))
		call := fmt.Sprintf("%s(%s)", c.Function, inPython(c.Arguments))
		fmt.Fprintf(&script, "print(json.dumps(plain(%s), separators=(',', ':')))\n", call)
	}
	command := exec.CommandContext(t.Context(), python, "-")
	command.Stdin = strings.NewReader(script.String())
	out, err := command.Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	got := strings.Split(strings.TrimSpace(string(out)), "\n")
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

// plain is a result with dictionaries as lists of pairs.
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

// inPython writes arguments in Python.
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
