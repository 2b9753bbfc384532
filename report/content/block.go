package content

// Block is a part of a page's body.
type Block interface{ isBlock() }

// Markdown is text in the report's dialect of Markdown; see package site. Where a string would be escaped, it is not.
type Markdown string

// Place is where something is written.
type Place struct {
	// File is a path from the root of the repository, or as the user has named it.
	File string
	// Cell names the cell of a notebook as messages do; empty outside of notebooks.
	Cell string
	// Line counts from 1, in the cell if there is one; 0 where no line applies.
	Line int
}

// Prose is Markdown that stands for itself.
type Prose struct {
	Text  Markdown
	Place Place // of its first line
}

// Code is a listing.
type Code struct {
	Language string // as after the fence of a listing in Markdown; empty for none
	Text     string
	Folded   bool // shown on demand
	Place    Place
}

// Output is text that a program has printed.
type Output struct {
	Kind OutputKind
	Text string // as a terminal shows it, without escape sequences
}

// OutputKind tells why a program has printed something.
type OutputKind uint8

// The kinds of output: to standard output, to standard error, and the report of a failure.
const (
	Printed OutputKind = iota
	Diagnostic
	Failure
)

// Claim is a statement that a program has checked and found true.
type Claim struct {
	Text  string // plain text
	Cases int64  // how many cases were tried; 0 for a claim that has no cases
}

// Formula is a displayed formula.
type Formula struct{ TeX string }

func (Prose) isBlock()   {}
func (Code) isBlock()    {}
func (Output) isBlock()  {}
func (Claim) isBlock()   {}
func (Formula) isBlock() {}
func (*Figure) isBlock() {}
func (*Table) isBlock()  {}
