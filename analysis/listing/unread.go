package listing

import (
	"fmt"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// unread returns why a text cannot be read, in the words of a Python teacher.
func (l *Listing) unread(err syntax.Error) string {
	found, wanted, _ := strings.Cut(strings.TrimPrefix(err.Msg, "got "), ", want ")
	closing := []string{"')'", "']'", "'}'"}
	switch {
	case strings.Contains(err.Msg, "nesting"):
		return err.Msg
	case found == "import", found == "from":
		return "imports are not allowed here: write all functions in the program"
	case !slices.ContainsFunc(strings.Fields(l.text), func(word string) bool { return word == "def" }):
		return "this is not Python: begin with def, a name and parameters"
	case found == "is":
		return `the operator "is" is not part of the language: compare with ==`
	case wanted == "indent":
		return "indent the lines inside the " + l.block(int(err.Pos.Line))
	case found == "indent":
		return "this line is indented more than the one before: begin it in the same column"
	case strings.Contains(err.Msg, "unindent"):
		return "no line above begins in this column: indent this line like the others of its block"
	case found == "'**'":
		return "** is not part of the language: multiply"
	case strings.Contains(err.Msg, "does not associate with"):
		return "a < b < c is not part of the language: write a < b and b < c"
	case found == "'='" && wanted == "':'":
		return "= assigns a value to a name: compare with =="
	case slices.Contains([]string{"','", "for", "'}'"}, found) && wanted == "':'":
		return "sets are not part of the language: use a list or a dictionary"
	case found == "'-'" && wanted == "':'", found == "':'" && wanted == "')'":
		return "types are not part of the language: write names only"
	case wanted == "':'":
		return "a colon is missing: write : at the end of the line"
	case slices.Contains(closing, wanted):
		return fmt.Sprintf("a bracket is not closed: write %s", strings.Trim(wanted, "'"))
	case slices.Contains(closing, strings.TrimPrefix(err.Msg, "unexpected ")):
		return "a closing bracket has no opening bracket: remove it"
	case strings.Contains(err.Msg, "in string"):
		return "a string does not end: add the closing quotation mark"
	case strings.HasPrefix(err.Msg, "unexpected input character "):
		return strings.TrimPrefix(err.Msg, "unexpected input character ") + " is not part of the language"
	case strings.Contains(err.Msg, "conditional expression without else"):
		return "a value is missing: write else and the other value"
	case found == "else", found == "elif":
		return found + " has no if above it in the same column"
	case wanted == "primary expression" && found == strings.Trim(found, "'") && !strings.Contains(found, " ") &&
		found != "newline" && found != "outdent":
		return found + " is not part of the language"
	case wanted == "primary expression":
		return "a value is missing here"
	case wanted == "newline":
		return "two values follow each other: write an operator or a comma between them, or begin a new line"
	case found != err.Msg:
		return "this cannot be read here: " + strings.Trim(found, "'")
	}
	return err.Msg
}

// block finds the last line above the given line that begins a block, and returns the kind of this block.
func (l *Listing) block(line int) string {
	lines := strings.Split(l.text, "\n")
	for i := min(line-1, len(lines)) - 1; i >= 0; i-- {
		word, _, _ := strings.Cut(strings.TrimSpace(lines[i]), " ")
		switch strings.TrimRight(word, ":") {
		case "def":
			return "function"
		case "for", "while":
			return "loop"
		case "if", "elif", "else":
			return strings.TrimRight(word, ":")
		}
	}
	return "block"
}
