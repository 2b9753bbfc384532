// Package proofs makes a page of each text of proofs in docs/derivations.
//
// A text is plain Markdown without template calls. Its heading of level 1 is the page's title. A link to another text
// leads to the page of that text. Each lemma and theorem is a heading, so that it has an anchor.
package proofs

import (
	"io/fs"
	"path"
	"strings"

	"github.com/siegebook/siegebook/docs/derivations"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
)

// Folder is the folder of the texts in the repository.
const Folder = "docs/derivations"

// Prefix is the prefix of the pages' slugs.
const Prefix = "proofs"

// MachineSlug is the slug of the page of theorems that a machine has checked; see package machine.
const MachineSlug = "machine"

// TheoremAnchor returns the anchor of a theorem on the page of theorems.
func TheoremAnchor(name string) string { return site.Slug(name) }

// SlugOf returns the slug of the page of a text.
func SlugOf(file string) string { return Prefix + "-" + strings.TrimSuffix(file, path.Ext(file)) }

// Pages returns the pages of all texts, in the order of their names.
func Pages() []site.Page {
	// The texts are part of the program.
	entries, err := fs.ReadDir(derivations.Texts, ".")
	if err != nil {
		panic("proofs: " + err.Error())
	}
	var pages []site.Page
	for _, entry := range entries {
		text, err := fs.ReadFile(derivations.Texts, entry.Name())
		if err != nil {
			panic("proofs: " + err.Error())
		}
		pages = append(pages, Page(path.Join(Folder, entry.Name()), string(text)))
	}
	return pages
}

// Page returns the page of a text. file is the text's name in the repository. [site.Render] reports faults of the text,
// with file and line.
func Page(file, text string) site.Page {
	body := []content.Block{content.Prose{Text: content.Markdown(text), Place: content.Place{File: file, Line: 1}}}
	title, _ := site.Opening(body)
	return site.Page{
		Slug: SlugOf(path.Base(file)), Title: title, Description: "Every step. " + title + ".",
		Unnumbered: true, File: file, Body: body,
	}
}
