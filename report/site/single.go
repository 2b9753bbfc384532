package site

import (
	"bytes"
	"context"
	"html/template"
)

// singleView is an edition of one file as its template sees it.
type singleView struct {
	Frame    pageView
	Style    template.CSS
	Chapters []chapterView
	Search   template.HTML
}

type chapterView struct {
	ID, Number, Title string
	Body              template.HTML
}

// RenderSingle returns the site as one HTML file that needs no other: images, style sheet and downloads are inside.
// Its last line is its own checksum: see Untouched. It has the same numbers as Render's pages; anchors carry their page's slug in front. Faults are reported as by Render.
func RenderSingle(ctx context.Context, s Site, opts Options) ([]byte, error) {
	b, err := prepare(ctx, &s, opts, true)
	if err != nil {
		return nil, err
	}
	views := make([]chapterView, len(b.chapters))
	toc := make([]*tocEntry, len(b.chapters))
	searched := make([][]section, len(b.chapters))
	err = b.eachChapter(ctx, func(i int, c *chapter) error {
		r := newPageRenderer(b, c)
		body, err := r.body()
		if err != nil {
			return err
		}
		searched[i] = b.sectionsOf(c, body)
		sections, err := r.contents()
		if err != nil {
			return err
		}
		for _, e := range sections {
			e.Sub = nil
		}
		views[i] = chapterView{ID: b.id(c, "top"), Number: c.number, Title: c.Title, Body: template.HTML(body)}
		toc[i] = &tocEntry{Href: b.href(c, c, ""), Number: c.number, Title: template.HTML(template.HTMLEscapeString(c.nav())), Sub: sections}
		return nil
	})
	if err != nil {
		return nil, err
	}
	toc = b.byPart(toc)
	search, err := b.searchParts(searched)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	err = layout.ExecuteTemplate(&buf, "single", singleView{
		Frame: pageView{
			Lang: b.lang(), SiteTitle: b.Title, HeadTitle: b.Title, Description: b.description(), Policy: singlePolicy(),
			TOC: toc, Stamp: b.Stamp,
		},
		Style: template.CSS(style), Chapters: views, Search: search,
	})
	b.progress(4, "done")
	return sealed(buf.Bytes()), err
}

// byPart groups the entries of chapters by their parts, where there are parts; their sections are then left out.
func (b *book) byPart(entries []*tocEntry) []*tocEntry {
	var grouped []*tocEntry
	last := ""
	for i, c := range b.chapters {
		if c.Part == "" {
			grouped = append(grouped, entries[i])
		} else {
			if c.Part != last {
				grouped = append(grouped, &tocEntry{Href: entries[i].Href, Title: template.HTML(template.HTMLEscapeString(c.Part))})
			}
			entries[i].Sub = nil
			part := grouped[len(grouped)-1]
			part.Sub = append(part.Sub, entries[i])
		}
		last = c.Part
	}
	return grouped
}

// singlePolicy is contentPolicy for a page whose style sheet is inside, admitted by its hash, as is the search.
func singlePolicy() string {
	return searchPolicy("default-src 'none'; img-src data:; style-src '" + sourceHash(style) + "'; base-uri 'none'; form-action 'none'")
}

// description is that of the front page.
func (b *book) description() string {
	if front := b.bySlug["index"]; front.Description != "" {
		return front.Description
	}
	return b.Title
}
