package site

// Level says what a page asks of its readers. The zero value says nothing.
type Level uint8

// The levels, from the easiest on.
const (
	Unlevelled    Level = iota
	StartHere           // nothing but the wish to know
	SchoolAlgebra       // letters for numbers, and a graph
	WithProofs          // patience with an argument that takes a page
	Reference           // nobody reads it from end to end
)

var levelNames = [...]string{
	Unlevelled: "", StartHere: "start here", SchoolAlgebra: "with school algebra", WithProofs: "with proofs", Reference: "reference",
}

// String is the level's plain name.
func (l Level) String() string { return levelNames[l] }
