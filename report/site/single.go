package site

import (
	"cmp"
	"context"
	"html/template"
)

// singleView is an edition of one file as its template sees it.
type singleView struct {
	Frame    pageView
	Style    template.CSS
	Chapters []chapterView
	Search   template.HTML
	Explorer template.HTML
}

type chapterView struct {
	ID, Number, Title string
	Head              pageHead
	Body              template.HTML
}

// RenderSingle returns the site as one HTML file that needs no other: images, style sheet and downloads are inside. Its
// last line is its own checksum: see Untouched. It has the same numbers as Render's pages; anchors carry their page's
// slug in front. Faults are reported as by Render.
func RenderSingle(ctx context.Context, s Site, opts Options) ([]byte, error) {
	b, err := prepare(ctx, &s, opts, true)
	if err != nil {
		return nil, err
	}
	texts, err := b.renderChapters(ctx)
	if err != nil {
		return nil, err
	}
	views := make([]chapterView, len(texts))
	toc := make([]*tocEntry, len(texts))
	for i, c := range b.chapters {
		views[i] = chapterView{ID: b.id(c, "top"), Number: c.number, Title: c.Title, Head: b.pageHead(c, texts[i]), Body: texts[i].body}
		toc[i] = &tocEntry{Href: b.href(c, c, ""), Number: c.number, Title: template.HTML(template.HTMLEscapeString(c.nav())), Sub: texts[i].toc}
		for _, section := range toc[i].Sub {
			section.Sub = nil
		}
	}
	front := b.bySlug["index"]
	v := singleView{Frame: b.frame(front, b.singlePolicy()), Style: template.CSS(b.singleStyle()), Chapters: views, Search: b.searchParts(texts), Explorer: b.explorerParts()}
	v.Frame.Description, v.Frame.TOC = cmp.Or(front.Description, b.Title), b.byPart(toc)
	page := sealed([]byte(fill("single", v)))
	b.progress(4, "done")
	return page, nil
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

// singlePolicy is contentPolicy for a page that has its font inside and its style sheet, which is admitted by its hash,
// as are the search and the explorables.
func (b *book) singlePolicy() string {
	policy := "default-src 'none'; img-src data:; font-src data:; style-src '" + sourceHash(b.singleStyle()) + "'; base-uri 'none'; form-action 'none'"
	if !b.explores() {
		return searchPolicy(policy)
	}
	return policy + scriptPolicy("'"+sourceHash(searchScript)+"' '"+sourceHash(inXML(b.Explorer.Script))+"'")
}
