package site

import (
	"cmp"
	"embed"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"
)

//go:embed layout/*.tmpl
var layoutFiles embed.FS

// layout contains the templates of pages. Their words are English; prepare replaces them with the words of the site.
var layout = template.Must(template.New("").Funcs(template.FuncMap{
	"say": Words(nil).Say,
	"address": func(name, url string) template.HTMLAttr {
		return template.HTMLAttr(name + `="` + quoted.Replace(url) + `"`)
	},
	"icon":  func(svg []byte) string { return dataURL("icon.svg", svg) },
	"whole": wholeFormulas,
}).ParseFS(layoutFiles, "layout/*.tmpl"))

// quoted escapes text for an attribute value in quotation marks.
var quoted = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;")

// formulaSpace matches spaces in a plain-text formula: around a sign, or between a bracket and a letter.
var formulaSpace = regexp.MustCompile(` ([−+·=<>≤≥]) |(\)) ([a-z]\b)`)

// wholeFormulas replaces the spaces in formulas in the label of a legend's entry, so that a formula is not broken into
// two lines.
func wholeFormulas(label string) string {
	return formulaSpace.ReplaceAllStringFunc(label,
		func(part string) string { return strings.ReplaceAll(part, " ", "\u00a0") })
}

// Menus and tables of contents repeat on every page, where templates would take most of the time of a build. So the
// following functions write them. They escape text in the same way as html/template.

// textHTML escapes text, as in an element or an attribute.
var textHTML = strings.NewReplacer("\x00", "\uFFFD", `"`, "&#34;", "&", "&amp;", "'", "&#39;", "+", "&#43;",
	"<", "&lt;", ">", "&gt;")

// hrefHTML escapes the address of a page or an anchor, as in the attribute href.
func hrefHTML(address string) string {
	var out strings.Builder
	for _, c := range []byte(address) {
		if c >= utf8.RuneSelf {
			fmt.Fprintf(&out, "%%%02x", c)
		} else {
			out.WriteByte(c)
		}
	}
	return textHTML.Replace(out.String())
}

// numberHTML returns the number before a title, or "" if there is none.
func numberHTML(number string) string {
	if number == "" {
		return ""
	}
	return `<span class="number">` + textHTML.Replace(number) + `</span> `
}

// listHTML returns a list with the given contents of its items.
func listHTML(items []string) string {
	if len(items) == 0 {
		return "<ul>\n</ul>"
	}
	return "<ul>\n<li>" + strings.Join(items, "</li>\n<li>") + "</li>\n</ul>"
}

// contentsHTML returns a table of contents.
func contentsHTML(entries []*tocEntry) template.HTML {
	items := make([]string, len(entries))
	for i, e := range entries {
		items[i] = `<a href="` + hrefHTML(e.Href) + `">` + numberHTML(e.Number) + `<span class="toc-title">` +
			string(e.Title) + `</span></a>`
		if len(e.Sub) > 0 {
			items[i] += "\n" + string(contentsHTML(e.Sub)) + "\n"
		}
	}
	return template.HTML(listHTML(items))
}

// fill executes a template with a view. It panics if that fails, which cannot happen.
func (b *book) fill(name string, view any) string {
	var out strings.Builder
	if err := b.layout.ExecuteTemplate(&out, name, view); err != nil {
		panic("site: " + err.Error())
	}
	return out.String()
}

// dataURL returns an address that contains the data of a file. A drawing stays text, because text is shorter than
// base64.
func dataURL(name string, data []byte) string {
	if media := mediaType(name); media != svgType {
		return "data:" + media + ";base64," + base64.StdEncoding.EncodeToString(data)
	}
	text := imageOnly(string(data))
	if !strings.Contains(text, "'") {
		text = strings.ReplaceAll(text, `"`, "'")
	}
	return "data:" + svgType + "," + inURL.Replace(text)
}

// inURL escapes the characters of a drawing that an address may not contain.
var inURL = strings.NewReplacer(
	"%", "%25", " ", "%20", `"`, "%22", "#", "%23", "&", "%26", "<", "%3C", ">", "%3E", "\n", "%0A", "\r", "%0D",
	"\t", "%09", "`", "%60", `\`, "%5C", "^", "%5E", "{", "%7B", "|", "%7C", "}", "%7D",
)

// drawingWords matches the title and the description of a drawing, which are needed only if it is opened as a file. On
// a page, the image has an alternative text.
var drawingWords = regexp.MustCompile(
	`^(<svg [^>]*) role="img" aria-labelledby="[^"]*"([^>]*>)\n<title [^<]*</title>\n<desc [^<]*</desc>`,
)

// betweenParts matches a line end between parts of a drawing, but not inside text, where white space is significant.
var betweenParts = regexp.MustCompile(`>\n(</?(?:svg|g)\b|<(?:path|text|style|image)\b)`)

// imageOnly returns a drawing without the parts that an image on a page does not need.
func imageOnly(svg string) string {
	svg = drawingWords.ReplaceAllString(strings.TrimSpace(svg), "$1$2")
	return betweenParts.ReplaceAllString(svg, ">$1")
}

// styleName is the style sheet's path in the output.
const styleName = "style.css"

// pageView is the data of a page's template.
type pageView struct {
	Dir                                                    string // "rtl" if the text is written from right to left
	Lang, Author, SiteTitle, Title, HeadTitle, Description string
	Number                                                 string
	Heading                                                headingView
	Policy, Canonical, Icon, Logo, Feed                    string
	Home                                                   string
	Place, Menu                                            template.HTML
	Cut                                                    bool // the menus omit pages
	Aids                                                   []navEntry
	Languages                                              []languageView
	TOC                                                    template.HTML
	Head                                                   pageHead
	Body                                                   template.HTML
	Previous, Next                                         *navEntry
	Stamp                                                  []Field
	Searching                                              bool // the page is the search page
	Scripts                                                []string
	Classes                                                string // the CSS classes of the text
	Explores                                               bool   // the page has something to explore, or cells to edit
	Live                                                   template.HTML
}

type navEntry struct {
	Href, Number, Title string
	Current             bool
}

// pageHead is the information below the title of a page: its date, its level, its reading time, the pages to read
// first, related pages, and links to its views.
type pageHead struct {
	Date    string // the day as it is written in the language
	Day     string // the same day, as 2026-11-29
	Level   string
	Minutes string // the reading time; "" if the page is not meant to be read from beginning to end
	Needs   []navEntry
	Beside  []besideView
	Answers string // the anchor of the answer sheet; "" if there are no answers
	Slides  string // the anchor of the projector view; "" if there is nothing to show
	Top     string // the anchor of the page, for links back to the top
}

type besideView struct {
	Words string
	Pages []navEntry
}

// tocEntry is a section in the table of contents, with its subsections.
type tocEntry struct {
	Href, Number string
	Title        template.HTML
	Sub          []*tocEntry
}

// contentPolicy lets a page load its own style sheet and images, and nothing else. The font is in the style sheet.
const contentPolicy = "default-src 'none'; img-src 'self' data:; font-src data:; style-src 'self'; base-uri 'none'; " +
	"form-action 'none'"

// frame returns the data for the parts of a page around its text.
func (b *book) frame(c *chapter, policy string) pageView {
	v := pageView{
		Lang: cmp.Or(b.Lang, "en"), Dir: direction(b.Lang), Author: b.Author, SiteTitle: b.Title, Title: c.Title,
		HeadTitle: c.Title + " · " + b.Title, Description: cmp.Or(c.Description, c.Title), Number: c.number,
		Policy: policy, Home: b.href(c, b.bySlug["index"], ""), Stamp: b.Stamp,
		Place: template.HTML(b.place(b.tree, b.ways[c])), Cut: b.cut,
	}
	if v.Menu = v.Place; len(b.menu) <= mostInMenu {
		v.Menu = template.HTML(b.allEntries(c, b.tree, "part"))
	}
	v.Icon, v.Logo = b.pictureURL(b.Icon, "data:,"), b.pictureURL(b.Logo, "")
	v.Languages = b.languages(c)
	if b.feeds() {
		v.Feed = feedName
	}
	if b.Address != "" && !b.single {
		v.Canonical = b.published(c)
	}
	for _, slug := range b.HeaderLinks {
		if to := b.bySlug[slug]; !b.gone(to) {
			e := b.navEntry(c, to)
			e.Title = to.nav()
			v.Aids = append(v.Aids, *e)
		}
	}
	if c.Slug == "index" {
		v.HeadTitle = b.Title
	}
	return v
}

// pictureURL returns the address of one of the site's pictures. If picture is nil, it returns none.
func (b *book) pictureURL(picture *Icon, none string) string {
	switch {
	case picture == nil:
		return none
	case b.single:
		return dataURL(picture.Name, picture.Data)
	}
	return picture.Name
}

// published returns the address that a page will have on the web.
func (b *book) published(c *chapter) string { return publishedAt(b.Address, c.Slug) }

// publishedAt returns the address that a page will have in the given folder on the web.
func publishedAt(folder, slug string) string {
	if slug == "index" {
		return folder
	}
	return folder + pageFile(slug)
}

// pageFile returns the file name of a page, escaped for an address.
func pageFile(slug string) string { return url.PathEscape(slug) + ".html" }

// sitemap returns a list of the pages for search engines.
func (b *book) sitemap() []byte {
	var out strings.Builder
	out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	for _, c := range b.chapters {
		out.WriteString("<url><loc>" + template.HTMLEscapeString(b.published(c)) + "</loc></url>\n")
	}
	out.WriteString("</urlset>\n")
	return []byte(out.String())
}

// direction returns "rtl" for a language that is written from right to left, and "" for others.
func direction(lang string) string {
	script, _ := language.Make(lang).Script()
	backwards := []string{"Arab", "Hebr", "Thaa", "Syrc", "Nkoo", "Adlm", "Rohg", "Mand", "Samr"}
	if slices.Contains(backwards, script.String()) {
		return "rtl"
	}
	return ""
}

// headingView is the title of a page, shown above its text.
type headingView struct {
	ID   string // the author's anchor for the title
	HTML template.HTML
}

func (r *pageRenderer) title() headingView {
	c := r.chapter
	v := headingView{HTML: template.HTML(template.HTMLEscapeString(c.Title))}
	if c.titleID != "" {
		v.ID = r.id(c.titleID)
	}
	if c.title != nil {
		var out strings.Builder
		for n := c.titleNode.FirstChild(); n != nil; n = n.NextSibling() {
			out.WriteString(r.html(c.title.text, n))
		}
		v.HTML = template.HTML(r.words().groupNumbers(strings.TrimSpace(out.String())))
	}
	return v
}

// classes returns the CSS classes of a page's text.
func (c *chapter) classes() string {
	var classes []string
	if c.Sheets {
		classes = append(classes, "sheets")
	}
	if c.Tool {
		classes = append(classes, "tool")
	}
	return strings.Join(classes, " ")
}

// view returns the data for the template of the ith chapter's page.
func (b *book) view(i int, text rendered) *pageView {
	c := b.chapters[i]
	v := b.frame(c, b.policy(c))
	v.Scripts, v.Explores, v.Classes = b.scripts(c), b.active(c), c.classes()
	v.TOC, v.Heading, v.Body, v.Head = text.contents, text.heading, text.body, b.pageHead(c, text)
	v.Live = b.liveData(c)
	if i > 0 {
		v.Previous = b.navEntry(c, b.chapters[i-1])
	}
	if i+1 < len(b.chapters) {
		v.Next = b.navEntry(c, b.chapters[i+1])
	}
	return &v
}

// pageHead returns the information below the title of a page. A page without a level has only a date and links to its
// views. If a page to read first is left out, pageHead names it without a link.
func (b *book) pageHead(c *chapter, text rendered) pageHead {
	head := pageHead{Top: b.id(c, "top")}
	if c.answers {
		head.Answers = b.id(c, answersAnchor)
	}
	if c.Slug != "index" && text.slides {
		head.Slides = b.id(c, projectorAnchor)
	}
	if c.Date != "" {
		head.Day, head.Date = c.Date, b.Words.Date(c.Date)
	}
	if c.Level == Unlevelled {
		return head
	}
	head.Level = b.Words.Say(strings.ReplaceAll(c.Level.String(), " ", "-"))
	if text.minutes > 0 {
		head.Minutes = b.Words.Count(int64(text.minutes), "minute", "minutes")
	}
	for _, slug := range c.Needs {
		e := b.navEntry(c, b.bySlug[slug])
		if b.gone(b.bySlug[slug]) {
			e.Href = ""
		}
		head.Needs = append(head.Needs, *e)
	}
	for _, beside := range c.Related {
		view := besideView{Words: beside.Words}
		for _, slug := range beside.Slugs {
			if to := b.bySlug[slug]; !b.gone(to) {
				view.Pages = append(view.Pages, *b.navEntry(c, to))
			}
		}
		if len(view.Pages) > 0 {
			head.Beside = append(head.Beside, view)
		}
	}
	return head
}

// slide matches the beginning of an element that the projector view shows.
var slide = regexp.MustCompile(`(?m)^<(div class="figure-block|figure class="table-block|aside class="callout callout-slide)`)

func (b *book) navEntry(from, to *chapter) *navEntry {
	return &navEntry{Href: b.href(from, to, ""), Number: to.number, Title: to.Title, Current: from == to}
}

// contents returns the sections of the page for its table of contents, down to the level numberedLevels.
func (r *pageRenderer) contents() []*tocEntry {
	r.toc = true
	defer func() { r.toc = false }()
	var toc []*tocEntry
	for _, h := range r.chapter.headings {
		if h.level > numberedLevels || h.entry {
			continue
		}
		var title strings.Builder
		for n := h.node.FirstChild(); n != nil; n = n.NextSibling() {
			title.WriteString(r.html(h.prose.text, n))
		}
		e := &tocEntry{
			Href: "#" + r.id(h.anchor), Number: h.number, Title: template.HTML(r.words().groupNumbers(title.String())),
		}
		if h.level == 2 || len(toc) == 0 {
			toc = append(toc, e)
		} else {
			last := toc[len(toc)-1]
			last.Sub = append(last.Sub, e)
		}
	}
	return toc
}

// Pages include a font for formulas, because few systems have a font with a MATH table. Without such a font, browsers
// do not stretch brackets or find mathematical letters. See mathfont/subset.mjs.

//go:embed mathfont/math.woff2
var mathFont []byte

//go:embed mathfont/LICENSE
var mathFontLicense []byte

// mathFontLicenseName is the path of the font's licence in the output.
const mathFontLicenseName = "math-font-license.txt"

//go:embed layout/style.css
var styleSource string

// style is the style sheet of all pages. It contains the font, because a browser that loads the font later would first
// set formulas in another font, and the page would shift when the font changes.
var style = strings.Replace(
	compact(styleSource), `"math.woff2"`, `"data:font/woff2;base64,`+base64.StdEncoding.EncodeToString(mathFont)+`"`, 1,
)

var (
	// cssComment matches a comment in a style sheet, or a quoted string, which may look like a comment.
	cssComment = regexp.MustCompile(`(?s)"[^"]*"|/\*.*?\*/`)
	// cssSpace matches white space together with a sign that makes it superfluous, or a quoted string.
	cssSpace = regexp.MustCompile(`"[^"]*"|\s*([{};])\s*|([:,])\s+|\s+`)
)

// compact removes comments and unnecessary white space from a style sheet, except in its first paragraph, which is a
// notice.
func compact(css string) string {
	notice, rest, _ := strings.Cut(css, "\n\n")
	rest = cssComment.ReplaceAllStringFunc(rest, func(part string) string {
		if part[0] == '"' {
			return part
		}
		return " "
	})
	rest = cssSpace.ReplaceAllStringFunc(rest, func(part string) string {
		if part[0] == '"' {
			return part
		}
		return cmp.Or(strings.TrimSpace(part), " ")
	})
	return notice + "\n" + strings.TrimSpace(rest) + "\n"
}
