package castle

import (
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// Verdict is how an algorithm's answer compares with the exact one, in the terms of the posts.
type Verdict int

// The verdicts, and their number.
const (
	Right Verdict = iota
	WrongSide
	TooMany
	TooFew
	NoAnswer
	Verdicts
)

// verdictClasses are the classes of the verdicts, in their order.
var verdictClasses = [Verdicts]figure.Class{
	pictures.Right.Class(int(Right), "right"),
	pictures.Wrong.Class(int(WrongSide), "wrong side"),
	pictures.TooMany.Class(int(TooMany), "too many waves"),
	pictures.TooFew.Class(int(TooFew), "too few waves"),
	pictures.NoAnswer.Class(int(NoAnswer), "no answer"),
}

// verdictMarks are the marks of cells with an error. Where a table names no answer, it says so in words.
var verdictMarks = map[Verdict]content.Mark{
	WrongSide: pictures.Wrong.Mark("the wrong side"),
	TooMany:   pictures.TooMany.Mark("the right side or a tie, but too many waves"),
	TooFew:    pictures.TooFew.Mark("too few waves: not possible"),
}

// String returns the verdict in words, such as "too many waves".
func (v Verdict) String() string { return verdictClasses[v].Label }

// Marked returns a table's cell with the mark of a verdict, if it has one.
func Marked(c content.Cell, v Verdict) content.Cell {
	if mark, ok := verdictMarks[v]; ok {
		return c.Marked(mark)
	}
	return c
}
