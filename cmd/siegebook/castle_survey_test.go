package main

import (
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

var surveyedGrid = []string{"survey", "castle", "--soldiers", "1:20", "--castle", "1:80", "--defenders", "1:40"}

// TestSurveyIsTheLibrarys: the JSON is what the library reads and writes, the same on any number of cores.
func TestSurveyIsTheLibrarys(t *testing.T) {
	survey, err := castle.NewSurvey(t.Context(), grid.Range{First: 1, Last: 20}, grid.Range{First: 1, Last: 80},
		grid.Range{First: 1, Last: 40}, castle.SurveyOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want, err := json.Marshal(survey)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, procs := range []int{1, 2, 7} {
		previous := runtime.GOMAXPROCS(procs)
		text := mustRun(t, "", append(surveyedGrid, "--json")...)
		seen[text], seen[mustRun(t, "", surveyedGrid...)] = true, true
		runtime.GOMAXPROCS(previous)
		var read castle.Survey
		if err := json.Unmarshal([]byte(text), &read); err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(read); err != nil || string(got) != string(want) {
			t.Fatalf("GOMAXPROCS %d: %v\ngot  %s\nwant %s", procs, err, got, want)
		}
	}
	if len(seen) != 2 {
		t.Errorf("%d different outputs of text and JSON", len(seen))
	}
}

// TestSurveyChoices: each algorithm of the library can be surveyed by its name, but for the castle's.
func TestSurveyChoices(t *testing.T) {
	help := strings.Join(strings.Fields(mustRun(t, "", "survey", "castle", "--help")), " ")
	at := strings.Index(help, "--algorithms=")
	if at < 0 {
		t.Fatal("no flag in the help")
	}
	for _, a := range castle.Algorithms() {
		code, stdout, stderr := siegebook(t.Context(), "", "survey", "castle", "--soldiers", "2", "--castle", "3:5",
			"--defenders", "1:3", "--algorithms", a.Name)
		if can := a.Question != castle.CastleFewest; can != (code == exitDone) ||
			can != strings.Contains(stdout, a.Name) || can != strings.Contains(help[at:], a.Name) {
			t.Errorf("%s: exit code %d, %q, %q", a.Name, code, stdout, stderr)
		}
	}
}

// TestPercent: 100.00 means all.
func TestPercent(t *testing.T) {
	const most = 1<<63 - 1
	for _, test := range []struct {
		part, whole int64
		want        string
	}{
		{0, 0, "-"}, {0, 5, "0.00"}, {5, 5, "100.00"}, {2, 3, "66.66"}, {99_999, 100_000, "99.99"}, {
			1, 2000, "0.05",
		}, {most - 1, most, "99.99"}, {most, most, "100.00"},
	} {
		if got := percent(test.part, test.whole); got != test.want {
			t.Errorf("%d of %d: %s %%, want %s", test.part, test.whole, got, test.want)
		}
	}
}

// TestEmbed: an object that is JSON already keeps its members, and one that could not be made is an error.
func TestEmbed(t *testing.T) {
	var out strings.Builder
	o := newJSONObject(t.Context(), &out)
	o.member("first", 1)
	o.embed([]byte(`{"a":-12345678901234567890.50,"list":[1,{"b":[]}],"none":[],"o":{"10":1,"9":"<é>"},"n":null}`), nil)
	const want = `{
  "first": 1,
  "a": -12345678901234567890.50,
  "list": [
    1,
    {"b":[]}
  ],
  "none": [],
  "o": {"10":1,"9":"<é>"},
  "n": null
}
`
	if err := o.close(); err != nil || out.String() != want {
		t.Errorf("%v, %s", err, out.String())
	}
	broken := errors.New("broken")
	o = newJSONObject(t.Context(), io.Discard)
	o.embed(nil, broken)
	if err := o.close(); err != broken {
		t.Errorf("%v", err)
	}
	for _, text := range []string{`{"a":`, `{"a"`, ``, `{"a":[1,}`} {
		o := newJSONObject(t.Context(), io.Discard)
		o.embed([]byte(text), nil)
		if o.close() == nil {
			t.Errorf("%s: no error", text)
		}
	}
}
