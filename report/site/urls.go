package site

import (
	"encoding/base64"
	"path"
)

// The addresses of a site: in an edition of many files they are relative paths; in an edition of one file they lead to
// anchors, which carry their page's slug, and files are inlined.

// id returns the name of an anchor of a chapter in the output.
func (b *book) id(c *chapter, anchor string) string {
	if b.single {
		return c.Slug + "--" + anchor
	}
	return anchor
}

// href returns the address of an anchor ("": the page itself) as seen from another chapter.
func (b *book) href(from, to *chapter, anchor string) string {
	switch {
	case b.single && anchor == "":
		return "#" + b.id(to, "top")
	case b.single, from == to && anchor != "":
		return "#" + b.id(to, anchor)
	case anchor == "":
		return to.Slug + ".html"
	}
	return to.Slug + ".html#" + anchor
}

// embeds says whether a file of a chapter is inside of the page. A drawing that a notebook has put out is harmless as
// an image, and would not be as a file that somebody opens: see package sanitize.
func (c *chapter) embeds(name string) bool { return c.Body != nil && path.Ext(name) == ".svg" }

// assetURL returns the address of a file of a chapter.
func (b *book) assetURL(c *chapter, name string, data []byte) string {
	if b.single || c.embeds(name) {
		return "data:" + mediaType(name) + ";base64," + base64.StdEncoding.EncodeToString(data)
	}
	return c.assetPath(name)
}

// assetPath is where a chapter's file is published: a download beside the pages; else the slug keeps chapters apart.
func (c *chapter) assetPath(name string) string {
	if _, ok := c.Downloads[name]; ok {
		return name
	}
	return path.Join("assets", c.Slug, name)
}

// mediaType knows the types that sites publish. The system's table is not asked, because it differs between systems.
func mediaType(name string) string {
	switch ext := path.Ext(name); ext {
	case ".svg":
		return "image/svg+xml"
	case ".csv":
		return "text/csv"
	case ".json":
		return "application/json"
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".png", ".gif", ".webp":
		return "image/" + ext[1:]
	}
	return "application/octet-stream"
}

func (b *block) imageName(dark bool) string {
	kind, _ := imageKind(b.figure.Light) // which was checked
	kind = "." + kind
	if dark {
		kind = ".dark" + kind
	}
	return b.anchor + kind
}

func (b *block) csvName() string { return b.anchor + ".csv" }
