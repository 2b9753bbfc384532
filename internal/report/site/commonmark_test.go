package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/must"
)

// refusals are why examples of CommonMark are refused, by what the faults say.
var refusals = map[string]string{
	"HTML in the source": "HTML", "<details>": "HTML", "leads nowhere": "links that lead nowhere",
	"has a scheme other than": "links that lead nowhere", "no picture": "pictures that are not there",
	"is no valid address": "addresses that are none", "has no words": "links without words",
	"has no address":     "links without an address",
	"is open at the end": "blocks that do not end", "a list item begins with": "numbers that begin an item by accident",
	"begins a list here": "numbers that begin a list by accident", "without its partner": "lone dollar signs",
	"the language of code": "words behind the language of code", "a link is [words]": "links of wikis",
}

// TestCommonMark reads the examples of CommonMark's specification, which are with goldmark. Those that are refused, and
// why, are recorded in testdata/commonmark.txt, so that none is refused by accident.
func TestCommonMark(t *testing.T) {
	module := must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output())
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "_test", "spec.json"))
	if err != nil {
		t.Skip("goldmark is here without the specification")
	}
	var examples []struct {
		Markdown string
		Example  int
	}
	must.Do(t, json.Unmarshal(data, &examples))
	s := onePage("Text.\n")
	for _, e := range examples {
		s.Pages = append(s.Pages, Page{Slug: fmt.Sprintf("example-%d", e.Example), Title: "E", Source: e.Markdown})
	}
	_, err = Render(t.Context(), s, Options{Cache: testCache})
	var faults Errors
	if !errors.As(err, &faults) {
		t.Fatal(err)
	}
	refused := map[string][]string{}
	for _, fault := range faults {
		number := strings.TrimSuffix(strings.TrimPrefix(fault.File, "example-"), ".md")
		reason := fault.Msg
		for part, known := range refusals {
			if strings.Contains(fault.Msg, part) {
				reason = known
			}
		}
		if !slices.Contains(refused[reason], number) {
			refused[reason] = append(refused[reason], number)
		}
	}
	var got strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(refused)) {
		slices.SortFunc(refused[reason], func(a, b string) int {
			return must.Get(strconv.Atoi(a)) - must.Get(strconv.Atoi(b))
		})
		fmt.Fprintf(&got, "%s: %s\n", reason, strings.Join(refused[reason], " "))
	}
	const record = "testdata/commonmark.txt"
	if *update {
		must.Write(t, record, []byte(got.String()))
	}
	if diff := cmp.Diff(string(must.Get(os.ReadFile(record))), got.String()); diff != "" {
		t.Errorf("other examples are refused (-want +got); go test -update records them:\n%s", diff)
	}
}
