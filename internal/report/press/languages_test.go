package press

import (
	"context"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/report/explore"
)

// languages returns a folder with testdata's book in three languages, in which some files are replaced.
func languages(t *testing.T, replaced map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	archive := must.Get(txtar.ParseFile("testdata/languages.txtar"))
	for _, f := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		must.Do(t, os.MkdirAll(filepath.Dir(name), 0o755))
		data := f.Data
		if text, ok := replaced[f.Name]; ok {
			data = []byte(text)
		}
		must.Write(t, name, data)
	}
	return dir
}

var (
	languageLink = regexp.MustCompile(`<a class="search-link" lang="([^"]*)"[^>]* href="([^"]*)"`)
	anyLink      = regexp.MustCompile(`(?:href|src)="([^"#]+)[^"]*"`)
)

// TestLanguages builds a book in three languages. Each page links to the same page in each language, or to the front
// page of a language that lacks the page. Each edition has its own words, search, direction and addresses.
func TestLanguages(t *testing.T) {
	dir := languages(t, nil)
	settings := Settings{Dir: dir, NoRun: true, Explorables: Off, Known: explore.Set{}}
	p := New(settings)
	defer p.Close()
	f := must.Get(settings.Read())
	made := must.Get(Make(context.Background(), p, f, false, book.Build))
	if len(made.Faults) > 0 {
		t.Fatal(made.Faults)
	}
	tree := made.Built
	editions := map[string]string{"en": "", "de": "de", "he": "he"}
	for tag, folder := range editions {
		for _, page := range []string{"index.html", "01-water.html", "02-moon.html", "search.html"} {
			name := path.Join(folder, page)
			text := string(tree[name])
			if text == "" && name == "he/02-moon.html" {
				continue
			}
			found := languageLink.FindAllStringSubmatch(text, -1)
			if len(found) != len(editions) {
				t.Fatalf("%s has %d links to languages, want %d", name, len(found), len(editions))
			}
			for _, m := range found {
				want := path.Join(editions[m[1]], page)
				if want == "he/02-moon.html" {
					want = "he/index.html"
				}
				if got := path.Join(folder, m[2]); got != want {
					t.Errorf("%s: the link to %s leads to %s, want %s", name, m[1], got, want)
				}
			}
			if !strings.Contains(text, `<html lang="`+tag+`"`) || strings.Contains(text, `dir="rtl">
<head>`) != (tag == "he") {
				t.Errorf("%s is not in its language", name)
			}
		}
	}
	for name, want := range map[string]string{
		"01-water.html":    `<link rel="alternate" hreflang="de" href="https://example.org/tides/de/01-water.html" />`,
		"de/01-water.html": `<link rel="alternate" hreflang="en" href="https://example.org/tides/01-water.html" />`,
		"de/index.html":    `<link rel="canonical" href="https://example.org/tides/de/" />`,
		"de/02-moon.html":  `<time datetime="2026-03-01">1. März 2026</time>`,
		"02-moon.html":     `<time datetime="2026-03-01">March 1, 2026</time>`,
		"he/01-water.html": `<h2 id="הים-הגדול">`,
		"he/search.html":   `חיפוש`,
	} {
		if !strings.Contains(string(tree[name]), want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
	for _, name := range []string{"search-1.js", "de/search-1.js", "he/search-1.js"} {
		if tree[name] == nil {
			t.Errorf("there is no %s: %v", name, slices.Sorted(maps.Keys(tree)))
		}
	}
	if strings.Contains(string(tree["02-moon.html"]), `hreflang="he" href="https`) {
		t.Error("the page about the moon names a translation that is not there")
	}
	for name, text := range tree {
		if path.Ext(name) != ".html" {
			continue
		}
		for _, m := range anyLink.FindAllStringSubmatch(string(text), -1) {
			if to := path.Join(path.Dir(name), m[1]); !strings.Contains(m[1], ":") && tree[to] == nil {
				t.Errorf("%s leads to %s, which is not there", name, to)
			}
		}
	}
	desk := must.Get(p.Build(context.Background()))
	for name := range tree {
		if string(desk[name]) != string(tree[name]) {
			t.Errorf("serve shows another %s", name)
		}
	}
	single := must.Get(book.BuildSingle(context.Background(), f.Book(), book.Options{}))
	if languageLink.Match(single) {
		t.Error("the single file leads to other languages, which it lacks")
	}
}

// TestLanguageFaults checks that faults in the list of translations, and faults inside translations, are reported.
func TestLanguageFaults(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"book.yaml", "languages: [de, fr]", `book.yaml:1: languages: there is no folder "fr": create it`},
		{"book.yaml", "languages: [de, de]", `languages: "de" is listed twice`},
		{"book.yaml", "languages: [../de]", `languages: "../de" is not a valid folder name`},
		{"book.yaml", "language: de\nlanguages: [de]", `another folder has the language "de", too`},
		{"de/book.yaml", "languages: [he]\nlanguage: de", "languages: this folder is a translation"},
		{"de/01-water.md", "# Wasser\n\n[x](nowhere.md)", `de/01-water.md:3: the link to "nowhere.md" leads nowhere`},
		{"he/01-water.md", "# מים\n\n{{ ref \"fig:x\" }}", `he/01-water.md:3: {{ ref "fig:x" }}: there is no such target`},
	} {
		settings := Settings{Dir: languages(t, map[string]string{c.name: c.text}), NoRun: true, Explorables: Off}
		p := New(settings)
		f := must.Get(settings.Read())
		made, err := Make(context.Background(), p, f, false, book.Build)
		must.Do(t, err)
		p.Close()
		var told []string
		for _, fault := range made.Faults {
			told = append(told, fault.Error())
		}
		if all := filepath.ToSlash(strings.Join(told, "\n")); !strings.Contains(all, c.want) || made.Whole {
			t.Errorf("%s: %s: the faults are %q, want %s", c.name, c.text, all, c.want)
		}
	}
}
