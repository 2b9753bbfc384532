package site

import (
	"html/template"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/util"
)

// markdownTable wraps a table written in Markdown in its scroll container.
func (r *pageRenderer) markdownTable(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		w.WriteString("</table></div>\n")
		return ast.WalkContinue, nil
	}
	var records [][]string
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var record []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			record = append(record, r.chapter.plainText(cell, src))
		}
		records = append(records, record)
	}
	if recordsWidth(records) > wideTable {
		w.WriteString(`<div class="scroll" tabindex="0" role="group" aria-label="Table">`)
	} else {
		w.WriteString(`<div class="scroll">`)
	}
	w.WriteString("<table>\n")
	return ast.WalkContinue, nil
}

func (r *pageRenderer) markdownCell(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	cell := n.(*extast.TableCell)
	tag, scope := "td", ""
	if cell.Parent().Kind() == extast.KindTableHeader && cell.HasChildren() { // an empty corner heads nothing
		tag, scope = "th", ` scope="col"`
	}
	if !entering {
		w.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	class := ""
	switch cell.Alignment {
	case extast.AlignRight:
		class = ` class="num"`
	case extast.AlignCenter:
		class = ` class="centre"`
	}
	w.WriteString("<" + tag + scope + class + ">")
	if first := cell.FirstChild(); tag == "th" && first != nil && first == cell.LastChild() && first.Kind() == kindPassthroughInline {
		formula := r.chapter.formulas[first].mathHTML(r.id)
		w.WriteString(string(nameFormula(template.HTML(formula), r.chapter.plainText(cell, src))))
		return ast.WalkSkipChildren, nil
	}
	return ast.WalkContinue, nil
}
