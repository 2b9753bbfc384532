package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/yuin/goldmark/ast"
	nethtml "golang.org/x/net/html"

	"github.com/siegebook/siegebook/internal/must"
)

// refusals maps parts of messages to the reasons why CommonMark examples are refused.
var refusals = map[string]string{
	"HTML in the source": "HTML", "<details>": "HTML", "leads nowhere": "links that lead nowhere",
	"has a scheme other than": "links that lead nowhere", "no picture": "pictures that are not there",
	"is not a valid address": "addresses that are none", "has no words": "links without words",
	"has no address":           "links without an address",
	"is still open at the end": "blocks that do not end",
	"a list item begins with":  "numbers that begin an item by accident",
	"starts a list here":       "numbers that begin a list by accident", `has no matching "$"`: "lone dollar signs",
	"the language of code": "words behind the language of code", "write a link as [words]": "links of wikis",
}

// differs is recorded for examples that have a different meaning in the dialect: headings in quotations and lists are
// bold text, and bare addresses are links.
const differs = "something else by the rules of the dialect"

// TestCommonMark reads the examples of CommonMark's specification, which come with goldmark. testdata/commonmark.txt
// records the refused examples and the reasons, so that no example is refused by accident. The other examples must give
// the result of the specification, unless they are recorded as different. The same holds for examples that are refused
// only because of a missing link target or the like.
func TestCommonMark(t *testing.T) {
	module := must.Get(exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yuin/goldmark").Output())
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(module)), "_test", "spec.json"))
	if err != nil {
		t.Skip("goldmark is here without the specification")
	}
	var examples []struct {
		Markdown, HTML string
		Example        int
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
	refused, unread := map[string][]string{}, map[string]bool{}
	for _, fault := range faults {
		number := strings.TrimSuffix(strings.TrimPrefix(fault.File, "example-"), ".md")
		reason := fault.Msg
		for part, known := range refusals {
			if strings.Contains(fault.Msg, part) {
				reason = known
			}
		}
		unread[number] = unread[number] || reason == "HTML" || reason == "blocks that do not end"
		if !slices.Contains(refused[reason], number) {
			refused[reason] = append(refused[reason], number)
		}
	}
	for _, e := range examples {
		if number := strconv.Itoa(e.Example); !unread[number] && bones(e.HTML) != bones(loosely(e.Markdown)) {
			refused[differs] = append(refused[differs], number)
			t.Logf("example %s, %q: the specification has %s, and we %s", number, e.Markdown, bones(e.HTML),
				bones(loosely(e.Markdown)))
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

// loosely renders Markdown in spite of its faults, as if all links and pictures existed.
func loosely(markdown string) string {
	c := readChapter(&Page{Slug: "e", Title: "\x00", Source: markdown}, "", nil)
	b := &book{Site: &Site{}, chapters: []*chapter{c}}
	for _, l := range c.links {
		l.href = l.dest
	}
	for _, p := range c.parts {
		prose := p.(*prose)
		walk(prose.doc, func(n ast.Node) bool {
			if img, ok := n.(*ast.Image); ok {
				c.images[img] = &picture{name: "x.png", alt: c.plainText(img, prose.text)}
			}
			return true
		})
	}
	return newPageRenderer(b, c).body()
}

var commentRule = regexp.MustCompile(`(?s)<!--(?:>|->|.*?-->)`)

// bones returns the elements of HTML and their text. It leaves out things that differ between the two renderers:
// attributes except addresses and titles, levels of headings, and blanks between blocks.
func bones(markup string) string {
	markup = commentRule.ReplaceAllString(markup, "")
	var out strings.Builder
	inCode, hidden := 0, false
	tokens := nethtml.NewTokenizer(strings.NewReader(markup))
	for tokens.Next() != nethtml.ErrorToken {
		token := tokens.Token()
		get := func(key string) string {
			for _, a := range token.Attr {
				if a.Key == key {
					return a.Val
				}
			}
			return ""
		}
		name := token.Data
		switch {
		case token.Type == nethtml.TextToken && inCode > 0:
			out.WriteString(token.Data)
			continue
		case token.Type == nethtml.TextToken:
			out.WriteString(strings.Join(strings.Fields(" "+token.Data+" "), " "))
			continue
		case name == "span", name == "div", name == "tbody":
			continue
		case isHeading(token.DataAtom) || name == "h1":
			name = "h"
		case name == "a" && strings.Contains(get("class"), "permalink"):
			hidden = true
			continue
		case name == "a" && hidden:
			hidden = false
			continue
		case name == "img":
			out.WriteString("<img " + get("alt") + ">")
			continue
		}
		if name == "pre" && token.Type == nethtml.StartTagToken {
			inCode++
		} else if name == "pre" {
			inCode--
		}
		if token.Type == nethtml.EndTagToken {
			name = "/" + name
		}
		out.WriteString("<" + strings.TrimSpace(name+" "+get("href")+" "+get("start")) + ">")
		if get("title") != "" {
			out.WriteString(get("title"))
		}
	}
	return strings.ReplaceAll(out.String(), "\n</code>", "</code>")
}
