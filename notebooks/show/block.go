package show

import (
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"github.com/siegebook/siegebook/report/content"
)

// Place shows a drawing as [Figure] does, and gives it a name. The text of a page can refer to the drawing by this
// name, and place it: see [Block].
func Place(id string, d Drawing) { Block(drawn(d).Named(id)) }

// File offers a file for download. On a page, a link in the text refers to the file by its name: [words](name).
func File(name string, data []byte) {
	link := fmt.Sprintf(`<p><a download="%s" href="data:application/octet-stream;base64,%s">%[1]s</a></p>`,
		html.EscapeString(name), base64.StdEncoding.EncodeToString(data))
	send(content.File{Name: name, Data: data}, link, name)
}

// Block shows a figure, a table, a list of entries, claims, a file or text that a package has created. On a page, the
// text can refer to a figure, table or list by its ID, and place it with {{ figure "id" "caption" }}, {{ table "id"
// "caption" }} or {{ entries "id" "caption" }}.
func Block(b content.Block) {
	switch b := b.(type) {
	case content.Figure:
		Block(&b)
	case content.Table:
		Block(&b)
	case *content.Figure:
		deliver(b, figureHTML(b))
	case *content.Table:
		send(b, tableHTML(b), tableText(b))
	case content.Entries:
		Block(&b)
	case *content.Entries:
		var lines []string
		for _, e := range b.Entries {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", e.Title, e.Where, e.Verdict.Text))
		}
		sendLines(b, lines)
	case content.Statements:
		var lines []string
		for _, claim := range b {
			lines = append(lines, fmt.Sprintf("%s (%s): %s", claim.ID, claim.Stands, claim.Text))
		}
		sendLines(b, lines)
	case content.Claim:
		show(b)
	case content.File:
		File(b.Name, b.Data)
	case content.Prose:
		send(b, "<p>"+escape(string(b.Text))+"</p>", string(b.Text))
	case content.Output:
		send(b, "<p>"+escape(b.Text)+"</p>", b.Text)
	default:
		Fail("show: a block of type %T cannot be shown here: show a figure, a table, entries, claims, a file "+
			"or text", b)
	}
}

// sendLines shows a block that consists of lines of text in Jupyter.
func sendLines(b content.Block, lines []string) {
	plain := strings.Join(lines, "\n")
	send(b, "<p>"+strings.ReplaceAll(escape(plain), "\n", "<br>")+"</p>", plain)
}
