package tex

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Tag is a place in a display formula that wants an equation number.
type Tag struct {
	// Label is the argument of \label, "" where there is none.
	Label string
	// Text is the argument of \tag or \tag*, "" where the number is to be chosen.
	Text string
	// Star tells that Text stands without parentheses.
	Star bool
}

// placeholder stands in the MathML where the number of tag i goes.
func placeholder(i int) string { return fmt.Sprintf(placeholderPrefix+"%dend", i) }

const placeholderPrefix = "siegebooktag"

// placeTags moves the placeholders out of the formula: into the number cell of their row where the row has one. It
// reports whether the one tag there is belongs to the whole display instead.
func placeTags(math *node, tags []Tag) (whole bool, err error) {
	for i := range tags {
		row := numberedRow(math, placeholder(i))
		math.cut(placeholder(i))
		switch {
		case row != nil:
			row.attrs = append(row.attrs, attr{"id", placeholder(i)})
			number := row.children[len(row.children)-1]
			number.children = []*node{{name: "mtext", children: []*node{{text: placeholder(i)}}}}
		case len(tags) == 1:
			whole = true
		default:
			return false, &SyntaxError{
				Msg: `several \label or \tag, but no rows of their own to number: use align or gather`,
			}
		}
	}
	stretchOrDrop(math)
	return whole, nil
}

// numberedRow returns the innermost row with a cell for a number that holds text, or nil.
func numberedRow(n *node, text string) *node {
	for _, c := range n.children {
		if row := numberedRow(c, text); row != nil {
			return row
		}
	}
	if n.name == "mtr" && len(n.children) > 0 && n.children[len(n.children)-1].attr("class") == numberCell &&
		strings.Contains(n.plain(), text) {
		return n
	}
	return nil
}

// The classes of the cells that KaTeX adds to the rows of numbered environments.
const (
	glueCell   = "mtr-glue"
	numberCell = "mml-eqn-num"
)

// stretchOrDrop goes through the tables that could have numbers. Where a row has one, the empty cells around the
// columns stay, and a class asks the style sheet to give them the free width, so that numbers stand at the margin.
// Elsewhere they go.
func stretchOrDrop(n *node) {
	if n.name == "mtable" {
		if numbered := slices.ContainsFunc(n.children, hasNumber); numbered {
			n.addClass("numbered-rows")
		} else {
			for _, row := range n.children {
				row.children = slices.DeleteFunc(row.children, isFrame)
			}
		}
	}
	for _, c := range n.children {
		stretchOrDrop(c)
	}
}

func hasNumber(row *node) bool {
	return slices.ContainsFunc(row.children, func(cell *node) bool {
		return cell.attr("class") == numberCell && len(cell.children) > 0
	})
}

func isFrame(cell *node) bool {
	class := cell.attr("class")
	return class == glueCell || class == numberCell
}

// extractTags takes \label and \tag out of a formula and leaves a placeholder as \text in place of each pair, which
// tells afterwards the row it belongs to: KaTeX writes no tags into MathML. A \label and a \tag of one row are one Tag.
func extractTags(src string) (string, []Tag, error) {
	var (
		out   strings.Builder
		tags  []Tag
		inRow = -1 // index of the tag already seen in this row
		depth int  // of environments: rows of inner ones do not count
	)
	for rest := src; rest != ""; {
		at := commands.FindStringIndex(rest)
		if at == nil {
			out.WriteString(rest)
			break
		}
		out.WriteString(rest[:at[0]])
		name, offset := rest[at[0]:at[1]], len(src)-len(rest)+at[0]
		rest = rest[at[1]:]
		switch name {
		case `\label`, `\tag`, `\tag*`:
			arg, n, err := argument(rest)
			if err != nil {
				return "", nil, &SyntaxError{Offset: offset, Msg: fmt.Sprintf("%s %v", name, err)}
			}
			if inRow < 0 {
				inRow = len(tags)
				tags = append(tags, Tag{})
				fmt.Fprintf(&out, `\text{%s}`, placeholder(inRow))
			}
			if err := tags[inRow].set(name, arg); err != nil {
				return "", nil, &SyntaxError{Offset: offset, Msg: err.Error()}
			}
			rest = rest[n:]
			continue
		case `\begin`:
			depth++
		case `\end`:
			depth--
		case `\\`, `\cr`:
			if depth <= 1 {
				inRow = -1
			}
		}
		out.WriteString(name)
	}
	return out.String(), tags, nil
}

// commands matches a command of TeX with its backslash, and a comment, in which there are none.
var commands = regexp.MustCompile(`(?s)%[^\n]*|\\tag\*|\\[A-Za-z]+|\\.`)

func (t *Tag) set(name, arg string) error {
	switch {
	case name == `\label` && t.Label != "":
		return fmt.Errorf(`a second \label{%s} in one row: each row has at most one`, arg)
	case name != `\label` && t.Text != "":
		return fmt.Errorf(`a second %s{%s} in one row: each row has at most one`, name, arg)
	case strings.TrimSpace(arg) == "":
		return fmt.Errorf(`%s{} is empty: name the equation`, name)
	case name == `\label`:
		t.Label = arg
	default:
		t.Text, t.Star = arg, name == `\tag*`
	}
	return nil
}

// argument returns what the braces at the start of s hold, and how many bytes they take.
func argument(s string) (arg string, n int, err error) {
	inside, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\n"), "{")
	if !ok {
		return "", 0, errors.New("wants its name in braces")
	}
	end := strings.IndexAny(inside, "{}")
	if end < 0 || inside[end] == '{' {
		return "", 0, errors.New("wants a plain name in braces")
	}
	return inside[:end], len(s) - len(inside) + end + 1, nil
}
