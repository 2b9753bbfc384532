package site

import (
	"bytes"
	"image/png"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// link is a Markdown link in the text.
type link struct {
	node *ast.Link
	dest string
	line int
	href string // resolved
	// omitted is set where the page it leads to is left out.
	omitted bool
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

func (c *chapter) checkAutoLink(n *ast.AutoLink, src []byte, at position) {
	if n.AutoLinkType == ast.AutoLinkEmail {
		return
	}
	if external, _ := checkScheme(string(n.URL(src))); !external {
		c.errs.addf(c.file(), at.line(n.Pos()), "the link <%s> has a scheme other than http, https and mailto", n.URL(src))
	}
}

func (c *chapter) collectImage(n *ast.Image, src []byte, at position) {
	line := at.line(n.Pos())
	img := &picture{name: string(n.Destination), alt: strings.TrimSpace(c.plainText(n, src))}
	data, ok := c.Assets[img.name]
	switch {
	case !ok:
		c.errs.addf(c.file(), line, "there is no image %q among the page's assets: add it to Page.Assets", img.name)
		return
	case img.alt == "":
		c.errs.addf(c.file(), line, "the image %q has no alt text: write ![what it shows](%s)", img.name, img.name)
	case !slices.Contains([]string{".png", ".svg", ".jpg", ".jpeg", ".gif", ".webp"}, path.Ext(img.name)):
		c.errs.addf(c.file(), line, "the asset %q is no image: it ends in none of .png, .svg, .jpg, .jpeg, .gif, .webp", img.name)
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
			c.errs.addf(c.file(), l.line, "the link to %q %s", l.dest, fault)
			continue
		}
		if external {
			l.href = l.dest
			continue
		}
		file, anchor, _ := strings.Cut(l.dest, "#")
		if _, ok := c.Assets[file]; ok && anchor == "" {
			l.href = b.assetURL(c, file, c.Assets[file])
			continue
		}
		to := c
		if file != "" {
			to = b.bySlug[strings.TrimSuffix(file, ".html")]
		}
		switch {
		case to == nil || file != "" && path.Ext(file) != ".html":
			c.errs.addf(c.file(), l.line, "the link to %q leads nowhere: there is no such page among %s, and no such asset",
				l.dest, list(slices.Sorted(maps.Keys(b.bySlug))))
		case anchor != "" && !to.hasAnchor(anchor):
			c.errs.addf(c.file(), l.line, "the link to %q leads nowhere: page %q has no anchor #%s", l.dest, to.Slug, anchor)
		default:
			l.href, l.omitted = b.href(c, to, anchor), to.Omit
		}
	}
}

func (c *chapter) hasAnchor(name string) bool {
	_, ok := c.anchors[name]
	return ok
}
