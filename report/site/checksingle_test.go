package site

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

func TestCheckSingle(t *testing.T) {
	s := Site{Title: "t", Stamp: []Field{{"data", "1"}}, Pages: []Page{
		{Slug: "index", Title: "Start", Source: "one"}, {Slug: "rules", Title: "Rules", Source: "two"}, {Slug: "end", Title: "End", Source: "three"},
	}}
	want, err := RenderSingle(context.Background(), s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := CheckSingle(bytes.Clone(want), want); !diff.Empty() {
		t.Errorf("the same differs: %v", diff)
	}
	page := string(want)
	rules, end := strings.Index(page, `<article class="chapter" id="rules--top">`), strings.Index(page, `<article class="chapter" id="end--top">`)
	text, ok := unsealed(want)
	if !ok || Untouched(want) != nil {
		t.Error("the file does not have its own checksum")
	}
	for name, test := range map[string][2]string{
		"a word":            {page[:rules] + strings.Replace(page[rules:], "two", "zwei", 1), "different: rules\n"},
		"the stamp":         {strings.Replace(page, "<dd>1</dd>", "<dd>2</dd>", 1), "different: " + partFoot + "\n"},
		"the style":         {strings.Replace(page, "<style>", "<style> ", 1), "different: " + partHead + "\n"},
		"a chapter gone":    {page[:rules] + page[end:], "missing: rules\n"},
		"a chapter twice":   {page[:end] + page[rules:end] + page[end:], "different: rules\n"},
		"a chapter renamed": {strings.Replace(page, `id="rules--top"`, `id="rulez--top"`, 1), "missing: rules\nextra: rulez\n"},
		"no checksum":       {string(text), "different: " + partFoot + "\n"},
		"a line behind":     {page + "x", "different: " + partFoot + "\n"},
		"cut off":           {page[:end+10], "missing: end\ndifferent: rules\ndifferent: " + partFoot + "\n"},
		"nothing":           {"", "missing: end\nmissing: index\nmissing: rules\ndifferent: " + partHead + "\ndifferent: " + partFoot + "\n"},
	} {
		if Untouched([]byte(test[0])) == nil {
			t.Errorf("%s: taken for untouched", name)
		}
		if got := listed(CheckSingle([]byte(test[0]), want)); got != test[1] {
			t.Errorf("%s:\n%swant\n%s", name, got, test[1])
		}
	}
}
