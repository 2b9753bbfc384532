package site

import (
	"html/template"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/report/content"
)

// Explorer is the code of explorable figures: a script for all of them, and the engines that it calls.
type Explorer struct {
	// Script turns every element of the class "explorable" into an explorable. It is a classic script without a closing
	// script tag, and finds the engines itself.
	Script string
	// Style is the style sheet of explorables, in addition to the style sheet of all pages.
	Style string
	// Engines are the engines that the script calls. A page loads only the engines that its figures need.
	Engines []Engine
	// Live contains the parts of the files that live pages load when a reader edits a cell. The file of each part
	// begins with the comment LiveHead.
	Live     []Engine
	LiveHead string
}

// Engine is the code that computes some kinds of figures.
type Engine struct {
	// Name is the name of the engine and of its file. It must consist of letters only.
	Name string
	// Kinds lists the kinds of explorables that use the engine; nil means all other kinds.
	Kinds []string
	// Text is the encoded engine. It must not contain quotes, backslashes or markup.
	Text string
}

// file returns the engine's path in the output.
func (e Engine) file() string { return e.Name + ".js" }

// These are the explorer's paths in the output. An engine is in a script file, because a page that is opened from a
// disk may load scripts, but may not fetch other files.
const (
	explorerName      = "explore.js"
	explorerStyleName = "explore.css"
)

// engineID is the prefix of the ids of elements that hold engines in an edition of one file.
const engineID = "siegebook-"

// scriptPolicy returns the part of a content policy that lets scripts from the given sources run, compile WebAssembly,
// and start workers from blobs. Scripts may not turn text into markup; the only Trusted Types policy is for workers.
func scriptPolicy(sources string) string {
	return "; script-src " + sources + " 'wasm-unsafe-eval'; worker-src blob:; require-trusted-types-for 'script'; " +
		"trusted-types siegebook"
}

// explorable reports whether readers can explore a figure or an exercise on its page.
func (b *book) explorable(f *block) bool {
	return b.Explorer != nil && f.explore() != nil && !foreign(f.chapter.Body)
}

// foreign reports whether blocks contain untrusted HTML. No script runs on such a page.
func foreign(blocks []content.Block) bool {
	return slices.ContainsFunc(blocks, func(b content.Block) bool {
		switch b := b.(type) {
		case *sanitize.Markup:
			return true
		case content.Fold:
			return foreign(b.Body)
		}
		return false
	})
}

// explores reports whether any page has something to explore, or cells to edit.
func (b *book) explores() bool {
	return slices.ContainsFunc(b.chapters, b.active)
}

// active reports whether a page has something to explore, or cells to edit.
func (b *book) active(c *chapter) bool { return b.live(c) || len(b.engines(c)) > 0 }

// live reports whether readers can edit the cells of a page. They cannot in an edition of one file, which lacks the
// files for it, or on a page with untrusted HTML, where no script runs.
func (b *book) live(c *chapter) bool {
	return c.Live != nil && b.Explorer != nil && len(b.Explorer.Live) > 0 && !b.single && !foreign(c.Body)
}

// scripts returns the names of a page's script files.
func (b *book) scripts(c *chapter) []string {
	var files []string
	if b.active(c) {
		files = append(files, explorerName)
		for _, e := range b.engines(c) {
			files = append(files, e.file())
		}
	}
	if b.previewed(c) {
		files = append(files, previewName)
	}
	return files
}

// engines returns the engines that the figures of the given pages need.
func (b *book) engines(pages ...*chapter) []Engine {
	needed := map[int]bool{}
	for _, c := range pages {
		for _, f := range c.blocks {
			if !b.explorable(f) {
				continue
			}
			at := slices.IndexFunc(b.Explorer.Engines,
				func(e Engine) bool { return slices.Contains(e.Kinds, f.explore().Kind) })
			if at < 0 {
				at = slices.IndexFunc(b.Explorer.Engines, func(e Engine) bool { return e.Kinds == nil })
			}
			needed[at] = true
		}
	}
	var all []Engine
	if b.Explorer != nil {
		for i, e := range b.Explorer.Engines {
			if needed[i] {
				all = append(all, e)
			}
		}
	}
	return all
}

// policy returns the content security policy of a page. Scripts run only if the page has something to explore or to
// edit, or if links have previews.
func (b *book) policy(c *chapter) string {
	switch {
	case b.active(c):
		return contentPolicy + scriptPolicy("'self'") // not hashes, which browsers do not accept for files on a disk
	case b.previewed(c):
		return contentPolicy + quietPolicy("'self'")
	}
	return contentPolicy
}

// singleStyle returns the style sheet of an edition of one file, including the style of explorables if it has any.
func (b *book) singleStyle() string {
	if !b.explores() {
		return style + b.Theme
	}
	return style + b.Theme + b.Explorer.Style
}

// addExplorer adds the files of explorables, which pages share.
func (b *book) addExplorer(tree Tree) {
	if b.explores() {
		tree[explorerName] = []byte(b.Explorer.Script)
		tree[explorerStyleName] = []byte(b.Explorer.Style)
		for _, e := range b.engines(b.chapters...) {
			tree[e.file()] = []byte(`siegebook.start("` + e.Text + `", "` + e.Name + `");` + "\n")
		}
	}
	if slices.ContainsFunc(b.chapters, b.live) {
		for _, e := range b.Explorer.Live {
			tree[e.file()] = []byte(b.Explorer.LiveHead + `siegebook.start("` + e.Text + `", "` + e.Name + `");` + "\n")
		}
	}
}

// explorerParts returns the script elements for explorables in an edition of one file.
func (b *book) explorerParts() template.HTML {
	if !b.explores() {
		return ""
	}
	var parts strings.Builder
	for _, e := range b.engines(b.chapters...) {
		parts.WriteString("\n" + `<script type="application/gzip" id="` + engineID + e.Name + `" data-engine="` +
			e.Name + `">` +
			e.Text + "</script>")
	}
	return template.HTML(parts.String() + "\n<script>" + inXML(b.Explorer.Script) + "</script>")
}

// inXML wraps a script so that the page around it stays well-formed XML.
func inXML(script string) string {
	return "//<![CDATA[\n" + strings.TrimSuffix(script, "\n") + "\n//]]>"
}
