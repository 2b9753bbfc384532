package site

import (
	"bytes"
	"image/png"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"github.com/yuin/goldmark/ast"
)

// link is a Markdown link in the text.
type link struct {
	node  *ast.Link
	dest  string
	place content.Place
	href  string // resolved
	// omitted is set where the page it leads to is left out.
	omitted bool
	// download is the name of the page's file that it leads to, if any.
	download string
}

// picture is a Markdown image in the text.
type picture struct {
	name, alt     string
	width, height int // 0 where unknown
}

// checkScheme reports links that leave for anything but the web or mail.
func checkScheme(dest string) (external bool, fault string) {
	u, err := url.Parse(dest)
	switch {
	case err != nil:
		return false, "is no valid address"
	case u.Scheme == "" && u.Host == "":
		return false, ""
	case u.Scheme == "http" || u.Scheme == "https" || u.Scheme == "mailto":
		return true, ""
	}
	return false, "has a scheme other than http, https and mailto"
}

func (c *chapter) checkAutoLink(n *ast.AutoLink, p *prose) {
	if n.AutoLinkType == ast.AutoLinkEmail {
		return
	}
	if external, _ := checkScheme(string(n.URL(p.text))); !external {
		c.errs.addf(p.at(n.Pos()), "the link <%s> has a scheme other than http, https and mailto", n.URL(p.text))
	}
}

func (c *chapter) collectImage(n *ast.Image, p *prose) {
	at := p.at(n.Pos())
	img := &picture{name: string(n.Destination), alt: strings.TrimSpace(c.plainText(n, p.text))}
	if name, ok := p.images[unescaped(img.name)]; ok {
		img.name = name
	}
	data, ok := c.asset(img.name)
	switch {
	case !ok:
		c.errs.addf(at, "there is no image %q among the page's assets: add it to Page.Assets", img.name)
		return
	case img.alt == "":
		c.errs.addf(at, "the image %q has no alt text: write ![what it shows](%s)", img.name, img.name)
	case !slices.Contains([]string{".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}, path.Ext(img.name)):
		c.errs.addf(at, "the asset %q is no image: it ends in none of .png, .svg, .jpg, .jpeg, .gif, .webp", img.name)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(data)); err == nil {
		img.width, img.height = size.Width, size.Height
	}
	c.images[n] = img
}

// resolveLinks checks the links of a chapter against all pages, and makes them relative addresses.
func (b *book) resolveLinks(c *chapter) {
	for _, l := range c.links {
		external, fault := checkScheme(l.dest)
		if fault != "" {
			c.errs.addf(l.place, "the link to %q %s", l.dest, fault)
			continue
		}
		if external {
			l.href = l.dest
			continue
		}
		file, anchor, _ := strings.Cut(l.dest, "#")
		if data, ok := c.asset(file); ok && anchor == "" {
			l.href, l.download = b.assetURL(c, file, data), file
			continue
		}
		to := b.linked(c, file)
		if to != nil && to.Body != nil {
			anchor = to.anchorOf(anchor)
		}
		switch {
		case to == nil:
			c.errs.addf(l.place, "the link to %q leads nowhere: there is no such page among %s, and no such asset",
				l.dest, near(strings.TrimSuffix(file, ".html"), slices.Sorted(maps.Keys(b.bySlug))))
		case to.Omit: // its anchors are not known
			l.href, l.omitted = b.href(c, to, anchor), b.gone(to)
		case anchor != "" && to.unread: // its fault is the cause
		case anchor != "" && !to.hasAnchor(anchor):
			c.errs.addf(l.place, "the link to %q leads nowhere: page %q has no anchor #%s", l.dest, to.Slug, anchor)
		default:
			l.href = b.href(c, to, anchor)
		}
	}
}

// linked returns the page that an address leads to: the one at hand, that of a slug, or that of the file of a body; nil
// for none.
func (b *book) linked(c *chapter, file string) *chapter {
	switch path.Ext(file) {
	case ".html":
		return b.bySlug[strings.TrimSuffix(file, ".html")]
	case ".ipynb", ".md":
		return b.byFile[strings.TrimPrefix(unescaped(file), "./")]
	}
	if file == "" {
		return c
	}
	return nil
}

// anchorOf returns the anchor of a body that an address means, which may be as Jupyter writes it.
func (c *chapter) anchorOf(fragment string) string {
	name := unescaped(fragment)
	if anchor, ok := c.jupyter[name]; ok {
		return anchor
	}
	if slug := Slug(name); !c.hasAnchor(fragment) && c.hasAnchor(slug) {
		return slug
	}
	return fragment
}

func unescaped(address string) string {
	if text, err := url.PathUnescape(address); err == nil {
		return text
	}
	return address
}

func (c *chapter) hasAnchor(name string) bool {
	_, ok := c.anchors[name]
	return ok
}
