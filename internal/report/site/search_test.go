package site

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/report/content"
)

// unpack adds the texts of the search to the search pages, and replaces packed previews with their JSON.
func unpack(t *testing.T, tree Tree) {
	t.Helper()
	for i := range len(tree) {
		if file := tree[searchPartName(i)]; file != nil {
			tree["search.html"] = append(tree["search.html"], readPart(t, file)...)
		}
	}
	tree["single"] = partInside.ReplaceAllFunc(tree["single"], func(part []byte) []byte { return readPart(t, part) })
	if file := tree[previewName]; file != nil {
		tree[previewName] = readPart(t, file)
	}
}

var (
	packedText = regexp.MustCompile(`H4sI[A-Za-z0-9+/]+=*`) // H4sI is the beginning of gzip data in base64
	partInside = regexp.MustCompile(`(?s)<script type="text/plain" id="search-[0-9]+">.*?</script>`)
)

// readPart returns the unpacked text of a file.
func readPart(t *testing.T, file []byte) []byte {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(string(packedText.Find(file)))
	must.Do(t, err)
	return must.Get(io.ReadAll(must.Get(gzip.NewReader(bytes.NewReader(data)))))
}

var (
	policyOfPage = regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)" />`)
	inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)
)

// checkPolicy checks that a page sets its policy before it loads anything, and that the policy allows only the page's
// own scripts.
func checkPolicy(t *testing.T, name string, page []byte) {
	t.Helper()
	found := policyOfPage.FindAllSubmatchIndex(page, -1)
	if len(found) != 1 {
		t.Errorf("%s has %d policies", name, len(found))
		return
	}
	if before := string(page[:found[0][0]]); strings.Contains(before, "href") || strings.Contains(before, "src") {
		t.Errorf("%s loads something before its policy: %s", name, before)
	}
	policy := html.UnescapeString(string(page[found[0][2]:found[0][3]]))
	for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action 'none'"} {
		if !slices.Contains(strings.Split(policy, "; "), want) {
			t.Errorf("%s has the policy %q, want %q in it", name, policy, want)
		}
	}
	if strings.Contains(strings.Replace(policy, "'wasm-unsafe-eval'", "", 1), "unsafe") ||
		strings.Contains(policy, "*") || strings.Contains(policy, "http") {
		t.Errorf("%s has the policy %q", name, policy)
	}
	_, sources, _ := strings.Cut(policy, "script-src ")
	scripts := inlineScript.FindAllSubmatch(page, -1)
	for _, script := range scripts {
		if !strings.Contains(sources, "'"+sourceHash(string(script[1]))+"'") {
			t.Errorf("%s has a script that its policy does not admit: %.60s", name, script[1])
		}
	}
	own, files := strings.Contains(sources, "'self'"), bytes.Contains(page, []byte("<script src="))
	if strings.Count(sources, "'sha256-") != len(scripts) || own != files {
		t.Errorf("%s: %d scripts inside, others: %t, policy %q", name, len(scripts), files, policy)
	}
}

// foreignMarkup returns a block of untrusted HTML, as a notebook's cell may output it.
func foreignMarkup(markup string) content.Block {
	made, _, err := sanitize.HTML(markup, func() string { return "Table" })
	return must.Get(made, err)
}

// TestSearchPartsStay edits pages of a large site, and checks that almost all parts of the search stay the same.
func TestSearchPartsStay(t *testing.T) {
	b := &book{Site: &Site{}}
	var texts []rendered
	for i := range 600 {
		b.chapters = append(b.chapters, &chapter{Page: &Page{Slug: fmt.Sprintf("p%d", i)}})
		texts = append(texts, rendered{sections: []section{{text: strings.Repeat("some words ", 300+i%200)}}})
	}
	before := b.searchTexts(texts)
	changed, edits := 0, 0
	for i := 0; i < 600; i += 41 {
		edited := slices.Clone(texts)
		edited[i].sections = []section{{text: strings.Repeat("other words ", 700*(i%2))}}
		edits++
		for _, part := range b.searchTexts(edited) {
			if !slices.Contains(before, part) {
				changed++
			}
		}
	}
	if len(before) < 12 || changed < edits || changed > 2*edits {
		t.Errorf("%d edits have changed %d of %d parts", edits, changed, len(before))
	}
}

// TestSearchParts checks that the texts of a large site are divided into parts so that each section is in exactly one
// part, in order, and no part is much larger than partSize.
func TestSearchParts(t *testing.T) {
	s := Site{Title: "Large", Pages: []Page{{Slug: "index", Title: "Large", Unnumbered: true}}}
	for i := range 40 {
		s.Pages = append(s.Pages, Page{
			Slug: fmt.Sprintf("p%d", i), Title: fmt.Sprintf("Page %d", i),
			Source: fmt.Sprintf("## Unique%dx\n\n%s\n", i, strings.Repeat("some words of a long page ", 1200)),
		})
	}
	tree := treeOf(t, s)
	found := map[string]int{}
	parts := 0
	for ; tree[searchPartName(parts)] != nil; parts++ {
		var part searchPart
		text := readPart(t, tree[searchPartName(parts)])
		must.Do(t, json.Unmarshal(text, &part))
		if len(text) > 2*partSize {
			t.Errorf("part %d has %d bytes", parts, len(text))
		}
		for _, section := range part.Sections {
			title, page := section[1].(string), part.Pages[int(section[0].(float64))]
			if strings.Contains(title, "Unique") {
				found[title]++
				if number := strings.Fields(title)[0]; !strings.HasPrefix(number, fmt.Sprint(len(found))+".") ||
					page != fmt.Sprintf("Page %d", len(found)-1) {
					t.Errorf("%q is on the page %q", title, page)
				}
			}
		}
	}
	if len(found) != 40 || parts < 4 || !bytes.Contains(tree["search.html"], fmt.Appendf(nil, `"parts":%d}`, parts)) {
		t.Errorf("%d sections in %d parts", len(found), parts)
	}
}
