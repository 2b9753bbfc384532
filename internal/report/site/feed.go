package site

import (
	"cmp"
	"encoding/xml"
	"html/template"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	feedName    = "feed.xml"
	mostEntries = 50 // the maximum number of entries in a feed, which lists the newest pages
)

// dated returns the pages that have a date, newest first, but at most mostEntries.
func (b *book) dated() []*chapter {
	pages := slices.DeleteFunc(slices.Clone(b.chapters), func(c *chapter) bool { return c.Date == "" })
	slices.SortStableFunc(pages, func(a, b *chapter) int { return cmp.Compare(b.Date, a.Date) })
	return pages[:min(len(pages), mostEntries)]
}

// feeds reports whether the site has a feed, which requires an address and pages with dates.
func (b *book) feeds() bool {
	return b.Address != "" && !b.single && len(b.newest) > 0
}

// feed returns an Atom feed of the newest pages.
func (b *book) feed() []byte {
	pages := b.newest
	at := func(c *chapter) string { return "<updated>" + c.Date + "T00:00:00Z</updated>\n" }
	var out strings.Builder
	out.WriteString(xml.Header + `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="` + cmp.Or(b.Lang, "en") + `">` + "\n" +
		"<title>" + escapedText(b.Title) + "</title>\n<id>" + escapedText(b.Address) + "</id>\n" + at(pages[0]) +
		"<author><name>" + escapedText(cmp.Or(b.Author, b.Title)) + "</name></author>\n" +
		`<link href="` + escapedText(b.Address) + `" />` + "\n" +
		`<link rel="self" type="application/atom+xml" href="` + escapedText(b.Address+feedName) + `" />` + "\n")
	for _, c := range pages {
		out.WriteString("<entry>\n<title>" + escapedText(c.Title) + "</title>\n<id>" + escapedText(b.published(c)) +
			"</id>\n" + at(c) + `<link href="` + escapedText(b.published(c)) + `" />` + "\n")
		if c.Description != "" {
			out.WriteString("<summary>" + escapedText(c.Description) + "</summary>\n")
		}
		out.WriteString("</entry>\n")
	}
	out.WriteString("</feed>\n")
	return []byte(out.String())
}

// Date returns a day such as 2026-11-29 as it is written in the language.
func (w Words) Date(day string) string {
	months := strings.Split(w.Say("months"), " ")
	at, err := time.Parse(time.DateOnly, day)
	if err != nil || len(months) != 12 {
		return day
	}
	number := strconv.Itoa(at.Day())
	if at.Day() == 1 {
		number = w.Say("first-day")
	}
	var out strings.Builder
	for _, sign := range w.Say("date") {
		switch sign {
		case 'd':
			out.WriteString(number)
		case 'm':
			out.WriteString(months[at.Month()-1])
		case 'y':
			out.WriteString(strconv.Itoa(at.Year()))
		default:
			out.WriteRune(sign)
		}
	}
	return out.String()
}

// addRedirects adds pages at earlier addresses that redirect to the current addresses.
func (b *book) addRedirects(tree Tree) error {
	var errs errorList
	for _, r := range b.Redirects {
		to := b.bySlug[r.To]
		_, taken := tree[r.From]
		switch {
		case taken:
			errs.addf(r.At, "redirects: there is a page %s: leave the redirect out", r.From)
			continue
		case to == nil || to.Omit:
			continue
		case r.Anchor != "" && !to.hasAnchor(r.Anchor):
			errs.addf(r.At, "redirects: the page %q has no anchor #%s", r.To, r.Anchor)
			continue
		}
		address := strings.Repeat("../", strings.Count(path.Clean(r.From), "/")) + b.href(nil, to, r.Anchor)
		canonical := address
		if b.Address != "" {
			canonical = b.published(to)
		}
		tree[r.From] = []byte("<!DOCTYPE html>\n" + `<html lang="` + cmp.Or(b.Lang, "en") + `">` + "\n<head>\n" +
			`<meta charset="utf-8" />` + "\n" +
			`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; base-uri 'none'; form-action 'none'" />` +
			"\n<title>" + template.HTMLEscapeString(to.Title) + "</title>\n" +
			`<meta http-equiv="refresh" content="0; url=` + template.HTMLEscapeString(address) + `" />` + "\n" +
			`<link rel="canonical" href="` + template.HTMLEscapeString(canonical) + `" />` + "\n</head>\n<body>\n<p><a href=\"" +
			template.HTMLEscapeString(address) + `">` + template.HTMLEscapeString(to.Title) + "</a></p>\n</body>\n</html>\n")
	}
	return errs.err()
}
