package site

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html"
	"html/template"
	"regexp"
)

// singleView is an edition of one file as its template sees it.
type singleView struct {
	Frame    pageView
	Style    template.CSS
	Chapters []chapterView
	Search   template.HTML
	Explorer template.HTML
	Previews template.HTML
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
		views[i] = chapterView{
			ID:     b.id(c, "top"),
			Number: c.number,
			Title:  c.Title,
			Head:   b.pageHead(c, texts[i]),
			Body:   texts[i].body,
		}
		toc[i] = &tocEntry{
			Href:   b.href(c, c, ""),
			Number: c.number,
			Title:  template.HTML(template.HTMLEscapeString(c.nav())),
			Sub:    texts[i].toc,
		}
		for _, section := range toc[i].Sub {
			section.Sub = nil
		}
	}
	front := b.bySlug["index"]
	v := singleView{
		Frame:    b.frame(front, b.singlePolicy()),
		Style:    template.CSS(b.singleStyle()),
		Chapters: views,
		Search:   b.searchParts(texts),
		Explorer: b.explorerParts(),
		Previews: b.previewElement(),
	}
	v.Frame.Description, v.Frame.TOC = cmp.Or(front.Description, b.Title), b.byPart(toc)
	page := sealed([]byte(b.fill("single", v)))
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
				grouped = append(grouped, &tocEntry{
					Href:  entries[i].Href,
					Title: template.HTML(template.HTMLEscapeString(c.Part)),
				})
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
	policy := "default-src 'none'; img-src data:; font-src data:; style-src '" + sourceHash(
		b.singleStyle(),
	) + "'; base-uri 'none'; form-action 'none'"
	hashes := "'" + sourceHash(searchScript) + "'"
	if b.Previews {
		hashes += " '" + sourceHash(b.singlePreviews()) + "'"
	}
	if !b.explores() {
		return policy + quietPolicy(hashes)
	}
	return policy + scriptPolicy(hashes+" '"+sourceHash(inXML(b.Explorer.Script))+"'")
}

// A single file has no file of checksums beside it, so it ends with its own: a comment, which no reader sees.
const (
	sealStart = "<!-- siegebook: the SHA-256 of all before this line is "
	sealEnd   = " -->\n"
)

// sealed appends the checksum of a page.
func sealed(page []byte) []byte {
	sum := sha256.Sum256(page)
	return fmt.Appendf(page, "%s%s%s", sealStart, hex.EncodeToString(sum[:]), sealEnd)
}

// unsealed returns a page without its checksum, and whether that is there and right.
func unsealed(page []byte) (content []byte, ok bool) {
	at := bytes.LastIndex(page, []byte(sealStart))
	if at < 0 {
		return page, false
	}
	content = page[:at]
	return content, bytes.Equal(sealed(bytes.Clone(content)), page)
}

// Untouched says whether a file is one that RenderSingle has made, unchanged since. The error says what it is instead.
func Untouched(page []byte) error {
	_, err := ReadStamp(page)
	if _, ok := unsealed(page); ok && err == nil {
		return nil
	}
	if err != nil {
		return errors.New("siegebook has not written it")
	}
	return errors.New("it was changed since siegebook wrote it, or an earlier version wrote it")
}

var (
	stampStart = []byte(`<dl class="stamp">`)
	stampField = regexp.MustCompile(`(?s)<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>`)
)

// ReadStamp returns the stamp of a page that Render or RenderSingle has made: how to make it again. The stamp is the
// last thing on a page, and what looks like one in its text is escaped.
func ReadStamp(page []byte) ([]Field, error) {
	start := bytes.LastIndex(page, stampStart)
	if start < 0 {
		return nil, errors.New("it has no stamp: it is no page of a report")
	}
	list, _, ok := bytes.Cut(page[start:], []byte("</dl>"))
	if !ok {
		return nil, errors.New("its stamp is cut off: the page is damaged")
	}
	var fields []Field
	for _, match := range stampField.FindAllSubmatch(list, -1) {
		fields = append(fields, Field{html.UnescapeString(string(match[1])), html.UnescapeString(string(match[2]))})
	}
	return fields, nil
}
