package site

import (
	"context"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/text/language"
)

//go:embed layout/paper.css
var paperStyle string

// Paper is a site as one HTML file for printing: a title page, a table of contents, and the pages as chapters. The page
// numbers of chapters are known only after printing; see [Paper.HTML].
type Paper struct{ text string }

// paperView is the data for the template of the printed edition.
type paperView struct {
	Frame    pageView
	Style    template.CSS
	Contents []*tocEntry
	Chapters []chapterView
}

// RenderPaper returns the site for printing, with figures as drawings and without scripts. It reports faults as Render
// does.
func RenderPaper(ctx context.Context, s Site, opts Options) (Paper, error) {
	opts.Memo, s.Explorer, s.Previews = nil, nil, false
	b, err := prepare(ctx, &s, opts, true)
	if err != nil {
		return Paper{}, err
	}
	texts, err := b.renderChapters(ctx)
	if err != nil {
		return Paper{}, err
	}
	css := b.singleStyle() + compact("/* */\n\n"+paperStyle)
	if isLetter(b.Lang) {
		css = strings.Replace(css, "size:A4", "size:letter", 1)
	}
	v := paperView{Style: template.CSS(css)}
	place := map[*chapter]int{}
	for i, c := range b.chapters {
		place[c] = i
		v.Chapters = append(v.Chapters, chapterView{
			ID: b.id(c, "top"), Number: c.number, Heading: texts[i].heading, Body: texts[i].body,
		})
	}
	v.Frame = b.frame(b.bySlug["index"], "default-src 'none'; img-src data:; font-src data:; style-src '"+
		sourceHash(css)+"'; base-uri 'none'; form-action 'none'")
	v.Frame.HeadTitle = b.Title
	var list func(nodes []*menuNode) []*tocEntry
	list = func(nodes []*menuNode) []*tocEntry {
		var entries []*tocEntry
		for _, n := range nodes {
			e := &tocEntry{Title: template.HTML(template.HTMLEscapeString(n.name)), Sub: list(n.sub)}
			if n.sub == nil {
				c, text := n.first, texts[place[n.first]]
				for _, section := range text.toc {
					section.Sub = nil
				}
				e = &tocEntry{Href: b.href(c, c, ""), Number: c.number, Title: text.heading.HTML, Sub: text.toc}
			}
			entries = append(entries, e)
		}
		return entries
	}
	v.Contents = list(tree(b.chapters))
	return Paper{b.fill("paper", v)}, nil
}

// isLetter reports whether a language tag names a country where letter paper is common.
func isLetter(lang string) bool {
	region, sure := language.Make(lang).Region()
	return sure == language.Exact && strings.Contains(" US CA MX PH CL CO VE ", " "+region.String()+" ")
}

var onPage = regexp.MustCompile(`<span class="on-page">#([^<]*)</span>`)

// HTML returns the HTML file. Its table of contents shows the printed pages on which chapters and sections begin. pages
// maps their ids to page numbers. If pages is nil, all page numbers are 0. The error names an id that is missing from
// pages.
func (p Paper) HTML(pages map[string]int) ([]byte, error) {
	missing := ""
	text := onPage.ReplaceAllStringFunc(p.text, func(mark string) string {
		id := html.UnescapeString(onPage.FindStringSubmatch(mark)[1])
		if plain, err := url.PathUnescape(id); err == nil {
			id = plain
		}
		number, known := pages[id]
		if !known && pages != nil {
			missing = id
		}
		return fmt.Sprintf(`<span class="on-page">%d</span>`, number)
	})
	if missing != "" {
		return nil, fmt.Errorf("the browser does not report which page %q is on", missing)
	}
	return []byte(text), nil
}
