package folder

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/report/explore"
)

// published is a book with an address. Its pages have dates and earlier addresses.
const published = `
-- book.yaml --
title: Notes & more
author: Ada Example
language: de
address: https://example.org/notes
logo: logo.svg
redirects:
  old.html: 02-two.md
  2025/older.html: 02-two.md#there
-- logo.svg --
<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>
-- 01-one.md --
---
date: 2026-03-01
description: The first & last.
---
# One
-- 02-two.md --
---
date: 2026-11-29
---
# Two

## There
-- 03-three.md --
# Three
-- wrong/book.yaml --
redirects:
  01-one.html: 01-one.md
  old.html: 01-one.md#nowhere
-- wrong/01-one.md --
---
date: 29.11.2026
---
# One
`

// TestPublished checks that a book with an address has a logo, a feed of its dated pages, and redirects from earlier
// addresses.
func TestPublished(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(t, txtar.Write(txtar.Parse([]byte(published)), "."))
	must.Do(t, txtar.Write(&txtar.Archive{Files: slices.DeleteFunc(txtar.Parse([]byte(published)).Files,
		func(f txtar.File) bool { return strings.HasPrefix(f.Name, "wrong/") })}, "book"))
	f := must.Get(Read("book", explore.Set{}))
	if len(f.Faults()) > 0 {
		t.Fatal(f.Faults())
	}
	tree := must.Get(book.Build(t.Context(), f.Book(), book.Options{}))
	var feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		Title   string   `xml:"title"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Entries []struct {
			Link struct {
				Href string `xml:"href,attr"`
			} `xml:"link"`
		} `xml:"entry"`
	}
	must.Do(t, xml.Unmarshal(tree["feed.xml"], &feed))
	got := []string{feed.Title, feed.ID, feed.Updated, feed.Author}
	for _, e := range feed.Entries {
		got = append(got, e.Link.Href)
	}
	want := []string{
		"Notes & more", "https://example.org/notes/", "2026-11-29T00:00:00Z", "Ada Example",
		"https://example.org/notes/02-two.html", "https://example.org/notes/01-one.html",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the feed (-want +got):\n%s\n%s", diff, tree["feed.xml"])
	}
	for name, parts := range map[string][]string{
		"feed.xml": {"<summary>The first &amp; last.</summary>"},
		"01-one.html": {
			`<link rel="alternate" type="application/atom+xml" href="feed.xml" />`, `<img class="logo" src="logo.svg" alt="" />`,
			`<time datetime="2026-03-01">1. März 2026</time>`,
		},
		"old.html":        {`content="0; url=02-two.html"`, `<link rel="canonical" href="https://example.org/notes/02-two.html" />`},
		"2025/older.html": {`content="0; url=../02-two.html#there"`, `<a href="../02-two.html#there">Two</a>`},
		"logo.svg":        {"<rect"},
	} {
		for _, want := range parts {
			if !strings.Contains(string(tree[name]), want) {
				t.Errorf("%s has no %s:\n%.1500s", name, want, tree[name])
			}
		}
	}
	if strings.Contains(string(tree["03-three.html"]), "<time") {
		t.Error("a page without a date has one")
	}
	single := string(must.Get(book.BuildSingle(t.Context(), f.Book(), book.Options{})))
	if !strings.Contains(single, `<img class="logo" src="data:image/svg+xml,`) || strings.Contains(single, "feed.xml") {
		t.Error("the edition of one file has no logo, or a feed")
	}
	f = must.Get(Read("wrong", explore.Set{}))
	_, err := book.Build(t.Context(), f.Book(), book.Options{})
	must.ErrorContains(t, err, `the date "29.11.2026": write year, month and day, such as 2026-11-29`)
	must.Write(t, "wrong/01-one.md", "# One\n")
	f = must.Get(Read("wrong", explore.Set{}))
	_, err = book.Build(t.Context(), f.Book(), book.Options{})
	must.ErrorContains(t, err, "book.yaml:2: redirects: there is a page 01-one.html: leave the redirect out (and 1 "+
		"more)")
}
