package show

import "github.com/siegebook/siegebook/report/content"

// Place shows a drawing as [Figure] does, under a name by which the text of a page refers to it, and may place it: see
// [Block].
func Place(id string, d Drawing) { Block(drawn(d).Named(id)) }

// Block shows a figure, a table, a claim or a text that a package has made. The ID of a figure or table names it on a
// page: the text refers to it, and may place it by {{ figure "id" "caption" }} or {{ table "id" "caption" }}.
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
	case content.Claim:
		show(b)
	case content.Prose:
		send(b, "<p>"+escape(string(b.Text))+"</p>", string(b.Text))
	case content.Output:
		send(b, "<p>"+escape(b.Text)+"</p>", b.Text)
	default:
		Fail("show: a block of the type %T has no form here: show a figure, a table, a claim or a text", b)
	}
}
