package site

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"
)

//go:embed search.js
var searchScript string

// searchSlug is the slug of the page that Render adds.
const searchSlug = "search"

// searchPolicy adds to a policy that the search may run: the script is admitted by its hash, and nothing may make
// markup of text.
func searchPolicy(policy string) string {
	return policy + "; script-src '" + sourceHash(searchScript) + "'; require-trusted-types-for 'script'; trusted-types 'none'"
}

func sourceHash(source string) string {
	sum := sha256.Sum256([]byte(source))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// searchIndex is what the script searches: {"pages": [title, ...], "sections": [[page, title, href, text], ...]}.
type searchIndex struct {
	Pages    []string `json:"pages"`
	Sections [][4]any `json:"sections"`
}

// searchView is the search as its templates see it.
type searchView struct {
	pageView
	Letters []letter
	Search  template.HTML // index and script
}

// letter is a part of the alphabetical list of headings.
type letter struct {
	Name, ID string
	Entries  []headingEntry
}

type headingEntry struct {
	Href, Title, Page string
	key               string
}

// searchParts returns the index, as an inert block of data, and the script.
func (b *book) searchParts(texts []rendered) template.HTML {
	var index searchIndex
	for i, c := range b.chapters {
		index.Pages = append(index.Pages, c.Title)
		for _, s := range texts[i].sections {
			index.Sections = append(index.Sections, [4]any{i, s.fullTitle(), s.href, s.text})
		}
	}
	return template.HTML(`<script type="application/gzip" id="search-index">` + packed(index) + "</script>\n<script>" + searchScript + "</script>")
}

// packed returns the index in a third of its size, as text: JSON, compressed, in base64. Nothing in it can end the
// block that holds it.
func packed(index searchIndex) string {
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestCompression) // a level that there is
	_ = json.NewEncoder(w).Encode(index)                       // numbers and strings are all JSON, and memory takes them
	_ = w.Close()
	return base64.StdEncoding.EncodeToString(zipped.Bytes())
}

// searchPage returns the page that searches the others, and that lists all headings for those without script.
func (b *book) searchPage(texts []rendered) string {
	here := &chapter{Page: &Page{Slug: searchSlug, Title: "Search", Description: "Search the headings and the text of all pages."}}
	v := searchView{b.frame(here, searchPolicy(contentPolicy)), b.alphabet(texts), b.searchParts(texts)}
	v.Searching = true
	return fill("search", v)
}

// alphabet lists the headings of all pages by their first letter; what starts with another sign comes first. Entries
// are left out, as their own page lists them, and there are more of them than of all else.
func (b *book) alphabet(texts []rendered) []letter {
	var entries []headingEntry
	for i, c := range b.chapters {
		for _, s := range texts[i].sections {
			if s.entry {
				continue
			}
			e := headingEntry{Href: s.href, Title: s.title, key: foldTitle(s.title)}
			if s.title != c.Title {
				e.Page = c.Title
			}
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b headingEntry) int {
		return cmp.Or(cmp.Compare(initial(a.key), initial(b.key)), cmp.Compare(a.key, b.key))
	})
	var letters []letter
	for _, e := range entries {
		name := initial(e.key)
		if n := len(letters); n == 0 || letters[n-1].Name != name {
			letters = append(letters, letter{Name: name, ID: "letter-" + strings.ToLower(name)})
		}
		last := &letters[len(letters)-1]
		last.Entries = append(last.Entries, e)
	}
	if len(letters) > 0 && letters[0].Name == "" {
		letters[0].Name, letters[0].ID = "Signs and digits", "letter-other"
	}
	return letters
}

// initial is the capital first letter of a folded title, or "" where it begins with none of A to Z.
func initial(key string) string {
	if r, _ := utf8.DecodeRuneInString(key); r >= 'a' && r <= 'z' {
		return strings.ToUpper(string(r))
	}
	return ""
}
