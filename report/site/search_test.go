package site

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/report/content"

	"github.com/google/go-cmp/cmp"
)

// unpackedIndex returns a page with its index, if it has one, as the JSON that it is.
func unpackedIndex(t *testing.T, page []byte) (all, index []byte) {
	t.Helper()
	before, rest, _ := bytes.Cut(page, []byte(`<script type="application/gzip" id="search-index">`))
	packed, after, found := bytes.Cut(rest, []byte("</script>"))
	if !found {
		return page, nil
	}
	zipped, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(packed)))
	if err != nil {
		t.Fatal(err)
	}
	if index, err = io.ReadAll(zipped); err != nil {
		t.Fatal(err)
	}
	return slices.Concat(before, index, after), index
}

// readIndex returns the index of a page that searches.
func readIndex(t *testing.T, page []byte) searchIndex {
	t.Helper()
	_, data := unpackedIndex(t, page)
	if data == nil {
		t.Fatal("the page has no index")
	}
	var index searchIndex
	if err := json.Unmarshal(data, &index); err != nil {
		t.Fatal(err)
	}
	return index
}

func TestSearchIndex(t *testing.T) {
	s := onePage("Before **all** headings$x^2$.\n\n## Über *alles* {#over}\n\n- one\n- two[^n]\n\n```go\nfunc f() {}\n```\n\n### $F_n$ </script>\n\n{{ figure \"f\" \"a caption\" }}\n\n" +
		"{{ table \"t\" \"a title\" }}\n\n[^n]: A note.\n")
	s.Pages[1].Source = strings.ReplaceAll(s.Pages[1].Source, "</script>", "&lt;/script>")
	s.Pages[1].Figures, s.Pages[1].Tables = []content.Figure{smallFigure("f")}, []content.Table{smallTable("t")}
	s.Pages[1].Tables[0].Header[0] = content.Text("long_name") // which may wrap, and is one word
	tree, err := Render(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	single, err := RenderSingle(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	for name, index := range map[string]searchIndex{"search.html": readIndex(t, tree["search.html"]), "single": readIndex(t, single)} {
		address := func(anchor string) string {
			switch {
			case name == "single" && anchor == "":
				return "#a--top"
			case name == "single":
				return "#a--" + anchor
			case anchor == "":
				return "a.html"
			}
			return "a.html#" + anchor
		}
		var got []string
		for _, section := range index.Sections {
			if section[0] == 1. {
				got = append(got, fmt.Sprintf("%s | %s | %s", section[1], section[2], section[3]))
			}
		}
		want := []string{
			"1 A | " + address("") + " | Before all headingsx2.",
			"1.1 Über alles | " + address("over") + " | one two A note. func f() {}",
			"1.1.1 Fn </script> | " + address("f-n-script") + " | Figure 1.1 a caption Table 1.1 a title long_name 1",
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if !slices.Equal(index.Pages, []string{"Front", "A", "B"}) {
			t.Errorf("%s: pages %q", name, index.Pages)
		}
	}
}

// TestPolicies: a page says what it may load before it loads anything, and only one that searches runs its one script.
func TestPolicies(t *testing.T) {
	tree := renderSample(t, Options{Cache: testCache})
	single, err := RenderSingle(context.Background(), sampleSite(t), Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	tree["single.html"] = single
	rule := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)" />`)
	pages := 0
	for name, data := range tree {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		pages++
		found := rule.FindAllSubmatchIndex(data, -1)
		if len(found) != 1 {
			t.Errorf("%s has %d policies", name, len(found))
			continue
		}
		if before := data[:found[0][0]]; bytes.Contains(before, []byte("href")) || bytes.Contains(before, []byte("src")) {
			t.Errorf("%s loads something before its policy: %s", name, before)
		}
		policy := html.UnescapeString(string(data[found[0][2]:found[0][3]]))
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'"} {
			if !slices.Contains(strings.Split(policy, "; "), want) {
				t.Errorf("%s has the policy %q, want %q in it", name, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "http") {
			t.Errorf("%s has the policy %q", name, policy)
		}
		searches := name == "search.html" || name == "single.html"
		if got := strings.Contains(policy, "script-src"); got != searches {
			t.Errorf("%s: its policy admits script: %v, want %v", name, got, searches)
		}
		scripts := bytes.Count(data, []byte("<script>"))
		if searches && (scripts != 1 || !strings.Contains(policy, "'"+sourceHash(searchScript)+"'") || !bytes.Contains(data, []byte("<script>"+searchScript+"</script>"))) ||
			!searches && bytes.Contains(data, []byte("<script")) {
			t.Errorf("%s holds %d scripts, policy %q", name, scripts, policy)
		}
	}
	if pages != 5 {
		t.Errorf("%d pages", pages)
	}
}

func TestSearchSlugIsTaken(t *testing.T) {
	s := onePage("Text.")
	s.Pages[1].Slug = "search"
	if _, err := Render(context.Background(), s, Options{}); err == nil || !strings.Contains(err.Error(), "is taken by the page that searches") {
		t.Errorf("error %v", err)
	}
}

// TestAlphabet: accents and capitals do not matter, signs come first, and equal headings name their pages.
func TestAlphabet(t *testing.T) {
	s := onePage("## écu\n\n## Zebra\n\n## eagle\n\n## 27 tests\n\n## Shared again {#again}\n")
	tree, err := Render(context.Background(), s, Options{Cache: testCache})
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := strings.Cut(string(tree["search.html"]), `<div id="search-headings">`)
	list, _, _ = strings.Cut(list, "</div>")
	var got []string
	for _, m := range regexp.MustCompile(`<h2 id="[a-z-]+">([^<]*)|<a href="([^"]*)">([^<]*)</a>(?: <span class="search-page">([^<]*))?`).FindAllStringSubmatch(list, -1) {
		got = append(got, strings.Trim(strings.Join(m[1:], "|"), "|"))
	}
	want := []string{
		"Signs and digits", "a.html#27-tests|27 tests|A", "A", "a.html|A", "B", "b.html|B", "E", "a.html#eagle|eagle|A", "a.html#ecu|écu|A",
		"F", "index.html|Front", "S", "index.html#shared|Shared|Front", "b.html#shared|Shared|B", "a.html#again|Shared again|A", "Z", "a.html#zebra|Zebra|A",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
