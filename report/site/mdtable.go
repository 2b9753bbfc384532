package site

import (
	"html/template"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// markdownTable wraps a table written in Markdown in its scroll container.
func (r *pageRenderer) markdownTable(n ast.Node, src []byte) element {
	var records [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var record []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			record = append(record, r.chapter.plainText(cell, src))
		}
		records = append(records, record)
	}
	reachable := ""
	if recordsWidth(records) > scrollingTable {
		reachable = ` tabindex="0" role="group" aria-label="Table"`
	}
	return element{start: `<div class="scroll"` + reachable + "><table>\n", end: "</table></div>\n"}
}

func (r *pageRenderer) markdownCell(n ast.Node, src []byte) element {
	cell := n.(*extast.TableCell)
	tag, scope, class := "td", "", ""
	if cell.Parent().Kind() == extast.KindTableHeader && cell.HasChildren() { // an empty corner heads nothing
		tag, scope = "th", ` scope="col"`
	}
	switch cell.Alignment {
	case extast.AlignRight:
		class = ` class="num"`
	case extast.AlignCenter:
		class = ` class="centre"`
	}
	e := element{start: "<" + tag + scope + class + ">", end: "</" + tag + ">\n"}
	if first := cell.FirstChild(); tag == "th" && first == cell.LastChild() && first.Kind() == kindPassthroughInline {
		formula := template.HTML(r.chapter.formulas[first].mathHTML(r.id))
		e.start += string(nameFormula(formula, r.chapter.plainText(cell, src)))
		e.whole = true
	}
	return e
}
