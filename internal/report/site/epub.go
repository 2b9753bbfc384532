package site

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/flate"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/sanitize"
)

//go:embed layout/epub.css
var epubStyle string

// These are the parts of an EPUB. All except the first two are in epubFolder.
const (
	epubType      = "application/epub+zip"
	epubContainer = "META-INF/container.xml"
	epubFolder    = "EPUB/"
	epubPackage   = epubFolder + "package.opf"
	// epubNav begins with capitals, and epubTitle contains a dot, so that neither can equal the slug of a page.
	epubNav   = "Contents.xhtml"
	epubTitle = "Title.xhtml"
)

// RenderEPUB returns the site as an EPUB 3 without scripts. It has a chapter for each page, a table of contents,
// figures as drawings, and formulas as MathML. Chapters have the same numbers as pages. The same site gives the same
// bytes. RenderEPUB reports faults as Render does.
func RenderEPUB(ctx context.Context, s Site, opts Options) ([]byte, error) {
	opts.Memo, s.Explorer, s.Previews = nil, nil, false
	b, err := prepare(ctx, &s, opts, false)
	if err != nil {
		return nil, err
	}
	b.epub = true
	texts, err := b.renderChapters(ctx)
	if err != nil {
		return nil, err
	}
	tree := Tree{}
	for _, c := range b.chapters {
		if err := c.addFiles(tree); err != nil {
			return nil, err
		}
	}
	for name, data := range tree {
		if path.Ext(name) == ".svg" { // EPUB checkers accept the style property, but not the newer attribute
			tree[name] = bytes.ReplaceAll(data, []byte(` paint-order="stroke"`), []byte(` style="paint-order: stroke"`))
		}
	}
	e := &epub{book: b, files: tree, used: map[string]bool{}, ids: map[*chapter]map[string]bool{}}
	for i, c := range b.chapters {
		e.ids[c] = map[string]bool{texts[i].heading.ID: true}
		for p := range pieces(string(texts[i].body), undelivers) {
			if id := sanitize.Attribute(p.Attr, "id"); !p.hidden && id != "" {
				e.ids[c][id] = true
			}
		}
		delete(e.ids[c], "")
	}
	chapters := make([]string, len(texts))
	for i, c := range b.chapters {
		chapters[i] = e.document(c.Title, "bodymatter chapter", e.chapter(c, texts[i]))
	}
	navigation := e.contents(texts)
	maps.DeleteFunc(tree, func(name string, _ []byte) bool { return !e.used[name] })
	tree["style.css"] = []byte(compact(epubStyle))
	tree["math.woff2"] = mathFont
	for i, c := range b.chapters {
		tree[c.Slug+".xhtml"] = []byte(chapters[i])
	}
	tree[epubNav], tree[epubTitle] = []byte(navigation), []byte(e.title())
	return e.packed()
}

// epub is a book that is being turned into an EPUB.
type epub struct {
	*book
	files Tree
	used  map[string]bool // the files that chapters show
	ids   map[*chapter]map[string]bool
}

// document returns an XHTML document.
func (e *epub) document(title, kind, body string) string {
	lang, dir := cmp.Or(e.Lang, "en"), ""
	if d := direction(e.Lang); d != "" {
		dir = ` dir="` + d + `"`
	}
	return xml.Header + "<!DOCTYPE html>\n" +
		`<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="` + lang +
		`" xml:lang="` + lang + `"` + dir + ">\n<head>\n<title>" + escapedText(title) + "</title>\n" +
		`<link rel="stylesheet" href="style.css" />` + "\n</head>\n" + `<body epub:type="` + kind + `">` + "\n" + body +
		"</body>\n</html>\n"
}

func escapedText(text string) string { return template.HTMLEscapeString(text) }

// chapter returns the title and the text of a chapter.
func (e *epub) chapter(c *chapter, text rendered) string {
	number, id := "", ""
	if c.number != "" {
		number = `<span class="number">` + c.number + `</span> `
	}
	if text.heading.ID != "" {
		id = ` id="` + text.heading.ID + `"`
	}
	day := ""
	if c.Date != "" {
		day = `<p class="day"><time datetime="` + c.Date + `">` + escapedText(e.Words.Date(c.Date)) + "</time></p>\n"
	}
	return "<h1" + id + ">" + number + e.markup(c, string(text.heading.HTML)) + "</h1>\n" + day +
		e.markup(c, string(text.body))
}

// undelivered lists the classes of elements that an e-book omits: permanent links, data files, controls, drawings for
// dark screens, and text for paper.
var undelivered = []string{
	"permalink", "math-links", "data", "explorable", "for-dark", "only-paper", "download",
}

func undelivers(t html.Token) bool { return t.DataAtom == atom.Svg || hasClass(t.Attr, undelivered...) }

var pageAddress = regexp.MustCompile(`^([^/:?#]+)\.html(#.*)?$`)

// markup converts the markup of a page for its chapter: links to pages become links to chapters, links to files become
// plain text, and MathML gets its namespace.
func (e *epub) markup(c *chapter, page string) string {
	var out strings.Builder
	var links []bool // for each open <a>, whether it becomes a link
	for p := range pieces(page, undelivers) {
		switch {
		case p.hidden || p.Type == html.SelfClosingTagToken && undelivers(p.Token):
		case p.Type == html.StartTagToken && p.DataAtom == atom.A:
			href := e.address(c, sanitize.Attribute(p.Attr, "href"))
			if links = append(links, href != ""); href != "" {
				out.WriteString(openLink(p.Token, href))
			}
		case p.Type == html.EndTagToken && p.DataAtom == atom.A:
			last := len(links) - 1
			if links[last] {
				out.WriteString("</a>")
			}
			links = links[:last]
		case p.Type == html.StartTagToken && p.DataAtom == atom.Math:
			out.WriteString(mathTag.Replace(p.raw))
		case p.Type == html.StartTagToken && p.DataAtom == atom.Pre: // EPUB style sheets may not set the direction
			out.WriteString(strings.Replace(p.raw, "<pre", `<pre dir="ltr"`, 1))
		case p.Type == html.TextToken: // XML does not have the entities of HTML
			out.WriteString(escapedText(p.Data))
		default:
			if src := sanitize.Attribute(p.Attr, "src"); p.DataAtom == atom.Img && !strings.HasPrefix(src, "data:") {
				e.used[unescaped(src)] = true
			}
			out.WriteString(p.raw)
		}
	}
	return out.String()
}

// mathTag adds the namespace to the start tag of a formula, and removes an attribute that MathML does not allow.
var mathTag = strings.NewReplacer("<math", `<math xmlns="http://www.w3.org/1998/Math/MathML"`, ` aria-hidden="true"`, "")

// openLink returns the start tag of a link to href, with those attributes of t that an e-book can have.
func openLink(t html.Token, href string) string {
	tag := `<a href="` + escapedText(href) + `"`
	for _, a := range t.Attr {
		if slices.Contains([]string{"class", "id", "aria-label", "title", "role"}, a.Key) {
			tag += " " + a.Key + `="` + escapedText(a.Val) + `"`
		}
	}
	return tag + ">"
}

// address returns the address in the e-book that corresponds to an address on a page, or "" if there is none.
func (e *epub) address(c *chapter, href string) string {
	if external, _ := checkScheme(href); external {
		return href
	}
	file, anchor, _ := strings.Cut(href, "#")
	to := c
	if file != "" {
		m := pageAddress.FindStringSubmatch(unescaped(file))
		if m == nil || e.bySlug[m[1]] == nil || e.bySlug[m[1]].Omit {
			return ""
		}
		to, file = e.bySlug[m[1]], m[1]+".xhtml"
	}
	if figure, settings, ok := strings.Cut(anchor, ":"); ok && strings.Contains(settings, "=") {
		anchor = figure
	}
	switch {
	case e.ids[to][unescaped(anchor)]:
		return file + "#" + anchor
	case file == "":
		return to.Slug + ".xhtml"
	}
	return file
}

// contents returns the document with the table of contents, from which reading systems make their menus.
func (e *epub) contents(texts []rendered) string {
	place := map[*chapter]int{}
	for i, c := range e.chapters {
		place[c] = i
	}
	var list func(nodes []*menuNode) string
	list = func(nodes []*menuNode) string {
		var out strings.Builder
		out.WriteString("<ol>\n")
		for _, n := range nodes {
			if n.sub != nil {
				out.WriteString("<li><span>" + escapedText(n.name) + "</span>\n" + list(n.sub) + "</li>\n")
				continue
			}
			c, sections := n.first, ""
			for _, s := range texts[place[c]].toc {
				sections += `<li><a href="` + c.Slug + ".xhtml" + string(s.Href) + `">` +
					strings.TrimSpace(s.Number+" "+e.markup(c, string(s.Title))) + "</a></li>\n"
			}
			if sections != "" {
				sections = "\n<ol>\n" + sections + "</ol>\n"
			}
			out.WriteString(`<li><a href="` + c.Slug + `.xhtml">` +
				escapedText(strings.TrimSpace(c.number+" "+c.Title)) + "</a>" + sections + "</li>\n")
		}
		out.WriteString("</ol>\n")
		return out.String()
	}
	title := e.Words.Say("contents")
	return e.document(title, "frontmatter", `<nav epub:type="toc" id="toc" role="doc-toc">`+"\n<h1>"+escapedText(title)+
		"</h1>\n"+list(tree(e.chapters))+"</nav>\n")
}

// title returns the title page, with the stamp.
func (e *epub) title() string {
	body := ""
	if e.Logo != nil {
		e.files[e.Logo.Name] = e.Logo.Data
		body = `<p class="author"><img src="` + e.Logo.Name + `" alt="" /></p>` + "\n"
	}
	body += `<h1 class="title">` + escapedText(e.Title) + "</h1>\n"
	if e.Author != "" {
		body += `<p class="author">` + escapedText(e.Author) + "</p>\n"
	}
	if len(e.Stamp) > 0 {
		body += `<dl class="stamp">` + "\n"
		for _, f := range e.Stamp {
			body += "<dt>" + escapedText(f.Name) + "</dt> <dd>" + escapedText(f.Value) + "</dd>\n"
		}
		body += "</dl>\n"
	}
	return e.document(e.Title, "frontmatter titlepage", body)
}

// epubEpoch is the modification time in the package. It is fixed, because an e-book is identified by a hash of its
// contents, and the result must not depend on a clock.
const epubEpoch = "2000-01-01T00:00:00Z"

// opf returns the package document, which lists the files of the e-book.
func (e *epub) opf(identifier string) string {
	var items, spine strings.Builder
	item := func(id, name, properties string) {
		media := mediaType(name)
		switch path.Ext(name) {
		case ".xhtml":
			media = "application/xhtml+xml"
			if bytes.Contains(e.files[name], []byte("<math ")) {
				properties = strings.TrimSpace(properties + " mathml")
			}
		case ".css":
			media = "text/css"
		case ".woff2":
			media = "font/woff2"
		}
		if properties != "" {
			properties = ` properties="` + properties + `"`
		}
		fmt.Fprintf(&items, "<item id=%q href=%q media-type=%q%s />\n", id, escapedText(name), media, properties)
	}
	item("title", epubTitle, "")
	item("contents", epubNav, "nav")
	spine.WriteString(`<itemref idref="title" />` + "\n" + `<itemref idref="contents" />` + "\n")
	for i, c := range e.chapters {
		id := fmt.Sprintf("c%d", i)
		item(id, c.Slug+".xhtml", "")
		fmt.Fprintf(&spine, "<itemref idref=%q />\n", id)
	}
	for i, name := range slices.Sorted(maps.Keys(e.files)) {
		if path.Ext(name) != ".xhtml" {
			item(fmt.Sprintf("f%d", i), name, "")
		}
	}
	lang, turning, author := cmp.Or(e.Lang, "en"), "", ""
	if d := direction(e.Lang); d != "" {
		turning = ` page-progression-direction="` + d + `"`
	}
	if e.Author != "" {
		author = "<dc:creator>" + escapedText(e.Author) + "</dc:creator>\n"
	}
	meta := ""
	for _, m := range [][2]string{
		{"dcterms:modified", epubEpoch},
		{"schema:accessMode", "textual"},
		{"schema:accessMode", "visual"},
		{"schema:accessModeSufficient", "textual"},
		{"schema:accessibilityFeature", "alternativeText"},
		{"schema:accessibilityFeature", "MathML"},
		{"schema:accessibilityFeature", "structuralNavigation"},
		{"schema:accessibilityHazard", "none"},
	} {
		meta += `<meta property="` + m[0] + `">` + m[1] + "</meta>\n"
	}
	return xml.Header + `<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="` +
		lang + `">` + "\n" + `<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">` + "\n" + `<dc:identifier id="id">` +
		identifier + "</dc:identifier>\n<dc:title>" + escapedText(e.Title) + "</dc:title>\n<dc:language>" + lang +
		"</dc:language>\n" + author + meta + `<meta name="generator" content="siegebook" />` + "\n</metadata>\n<manifest>\n" +
		items.String() + "</manifest>\n<spine" + turning + ">\n" + spine.String() + "</spine>\n</package>\n"
}

const container = xml.Header + `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="` + epubPackage + `" media-type="application/oebps-package+xml" /></rootfiles>
</container>
`

// packed returns the e-book as a ZIP archive.
func (e *epub) packed() ([]byte, error) {
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestCompression)
	})
	var failed error
	add := func(name string, data []byte, method uint16) {
		part, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = part.Write(data)
		}
		failed = errors.Join(failed, err)
	}
	add("mimetype", []byte(epubType), zip.Store) // must be first and uncompressed, so that programs recognize an EPUB
	add(epubContainer, []byte(container), zip.Deflate)
	add("META-INF/"+mathFontLicenseName, mathFontLicense, zip.Deflate)
	add(epubPackage, []byte(e.opf(identifierOf(e.files))), zip.Deflate)
	for _, name := range slices.Sorted(maps.Keys(e.files)) {
		add(epubFolder+name, e.files[name], zip.Deflate)
	}
	failed = errors.Join(failed, w.Close())
	return out.Bytes(), failed
}

// identifierOf returns an identifier computed from the contents of files.
func identifierOf(files Tree) string {
	sum := sha256.Sum256(files.withManifest()[sumsName])
	sum[6], sum[8] = sum[6]&0x0f|0x80, sum[8]&0x3f|0x80 // make it a UUID of version 8, which may contain a hash
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}

// UntouchedEPUB returns nil if RenderEPUB made the file and the file has not been changed since. Otherwise it returns
// an error with the reason.
func UntouchedEPUB(data []byte) error {
	stranger := errors.New("siegebook did not write this file")
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return stranger
	}
	files, opf := Tree{}, ""
	for _, f := range r.File {
		name, inside := strings.CutPrefix(f.Name, epubFolder)
		if !inside {
			continue
		}
		text, err := limitedread.ReadFS(r, f.Name, 256*limitedread.MiB)
		if err != nil {
			return stranger
		}
		if f.Name == epubPackage {
			opf = string(text)
		} else {
			files[name] = text
		}
	}
	switch {
	case !strings.Contains(opf, `<meta name="generator" content="siegebook" />`):
		return stranger
	case !strings.Contains(opf, identifierOf(files)):
		return errors.New("the file was changed since siegebook wrote it, or an earlier version wrote it")
	}
	return nil
}
