package site

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/internal/sanitize"
	nethtml "golang.org/x/net/html"
)

// TestWordsTable: each row of words.txt has the same number of {} in each language, its keys are in order of nothing
// but unique, and each is asked for somewhere.
func TestWordsTable(t *testing.T) {
	var sources strings.Builder
	for _, pattern := range []string{"*.go", "layout/*.tmpl", "../*.go", "../lesson/*.go", "../folder/*.go"} {
		files := must.Get(filepath.Glob(pattern))
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			data := must.Get(os.ReadFile(file))
			sources.Write(data)
		}
	}
	var made []string // keys that are put together
	for _, level := range levelNames[1:] {
		made = append(made, strings.ReplaceAll(level, " ", "-"))
	}
	made = append(made, "summary-table", "summary-of", "data-table", "data-of")
	seen := map[string]bool{}
	for line := range strings.Lines(wordsTable) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), " | ")
		key := cells[0]
		if len(cells) != len(languages)+1 || seen[key] {
			t.Errorf("%q: %d cells, or twice", key, len(cells))
			continue
		}
		seen[key] = true
		for _, words := range cells[2:] {
			if strings.Count(words, "{}") != strings.Count(cells[1], "{}") || words == "" {
				t.Errorf("%s: %q has not the {} of %q", key, words, cells[1])
			}
		}
		if !strings.Contains(sources.String(), `"`+key+`"`) && !slices.Contains(made, key) {
			t.Errorf("nothing says %q", key)
		}
	}
	for _, kind := range append(made, calloutNames...) {
		if !seen[kind] {
			t.Errorf("there is no %q", kind)
		}
	}
}

var latin = regexp.MustCompile(`[A-Za-z]{2,}`)

// wordless are words without Latin letters.
func wordless() Words {
	words := Words{}
	for key, said := range translated()["en"] {
		words[key] = "§" + strings.Repeat("{}", strings.Count(said, "{}"))
	}
	return words
}

// noEnglish looks for words in what a page says to those who see it and to those who hear it.
func noEnglish(t *testing.T, name string, page []byte) {
	t.Helper()
	inside := ""
	for z := nethtml.NewTokenizer(bytes.NewReader(page)); ; {
		kind := z.Next()
		if kind == nethtml.ErrorToken {
			return
		}
		token := z.Token()
		var said []string
		switch kind {
		case nethtml.StartTagToken:
			inside = token.Data
			fallthrough
		case nethtml.SelfClosingTagToken:
			for _, key := range []string{"aria-label", "alt", "title", "placeholder"} {
				said = append(said, sanitize.Attribute(token.Attr, key))
			}
			if sanitize.Attribute(token.Attr, "name") == "description" {
				said = append(said, sanitize.Attribute(token.Attr, "content"))
			}
		case nethtml.EndTagToken:
			inside = ""
		case nethtml.TextToken:
			if !slices.Contains([]string{"style", "script", "annotation"}, inside) {
				said = append(said, token.Data)
			}
		}
		for _, text := range said {
			if found := latin.FindString(text); found != "" && found != "MB" {
				t.Errorf("%s: <%s> says %q", name, inside, strings.TrimSpace(text))
			}
		}
	}
}
