// Package games lists the games of the book, for code that needs all of them.
package games

import (
	"context"
	"fmt"

	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/siegebook/ants"
	"github.com/siegebook/siegebook/report/siegebook/castle"
	"github.com/siegebook/siegebook/report/siegebook/naval"
	"github.com/siegebook/siegebook/report/siegebook/tower"
)

// All lists the games in the order of the book.
var All = []chapter.Game{castle.Game, tower.Game, ants.Game, naval.Game}

// Questions returns the questions about all games in the form of their page.
func Questions(ctx context.Context) (chapter.Register, error) {
	return chapter.NewRegister(ctx, All...)
}

// home is the address of the source code.
const home = "https://github.com/siegebook/siegebook"

// These are the titles of the book.
const (
	title    = "Can one soldier decide a siege?"
	subtitle = "Exact answers to small siege games"
)

// Words returns a citation of the book in words.
func Words() content.Markdown {
	return content.Markdown(fmt.Sprintf("siegebook %s, *%s* %s. <%s>", content.Version, title, subtitle, home))
}

// BibTeX returns a citation of the book for BibTeX.
func BibTeX() content.Prose {
	return content.Prose{Text: content.Markdown(fmt.Sprintf("```text\n@misc{siegebook,\n  author = {{siegebook}},\n"+
		"  title  = {%s %s},\n  note   = {Version %s},\n  url    = {%s}\n}\n```\n", title, subtitle, content.Version,
		home))}
}
