package castle

import (
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// verdictLooks are the looks of the verdicts, in their order.
var verdictLooks = []pictures.Look{
	game.Right: pictures.Right, game.WrongSide: pictures.Wrong,
	game.TooMany: pictures.TooMany, game.TooFew: pictures.TooFew, game.NoAnswer: pictures.NoAnswer,
}

// verdictClasses are the classes of the verdicts, in their order.
var verdictClasses = []figure.Class{
	verdictLooks[game.Right].Class(int(game.Right), "right"),
	verdictLooks[game.WrongSide].Class(int(game.WrongSide), "wrong side"),
	verdictLooks[game.TooMany].Class(int(game.TooMany), "too many waves"),
	verdictLooks[game.TooFew].Class(int(game.TooFew), "too few waves"),
	verdictLooks[game.NoAnswer].Class(int(game.NoAnswer), "no answer"),
}

// Look returns how a verdict looks.
func Look(v game.Verdict) pictures.Look { return verdictLooks[v] }

// verdictMarks are the marks of cells with an error, in the terms of the posts. Where a table names no answer, it says
// so in words.
var verdictMarks = map[game.Verdict]content.Mark{
	game.WrongSide: pictures.Wrong.Mark("the wrong side"),
	game.TooMany:   pictures.TooMany.Mark("the right side or a tie, but too many waves"),
	game.TooFew:    pictures.TooFew.Mark("too few waves: not possible"),
}

// soldiersMarks are the marks where the soldiers' question is answered, for which a tie is no win.
var soldiersMarks = map[game.Verdict]content.Mark{
	game.WrongSide: pictures.Wrong.Mark("wrong side"),
	game.TooMany:   pictures.TooMany.Mark("too many waves"),
	game.TooFew:    pictures.TooFew.Mark("too few waves: not possible"),
}

// Judged returns a table's cell with the mark of a verdict on an answer to the soldiers' question, if it has one.
func Judged(c content.Cell, v game.Verdict) content.Cell {
	if mark, ok := soldiersMarks[v]; ok {
		return c.Marked(mark)
	}
	return c
}

// MarkedFewest returns a table's cell with the mark of the fewest waves.
func MarkedFewest(c content.Cell) content.Cell { return c.Marked(pictures.Sure.Mark("fewest waves")) }

// Words returns the verdict in words, such as "too many waves".
func Words(v game.Verdict) string { return verdictClasses[v].Label }

// Marked returns a table's cell with the mark of a verdict, if it has one.
func Marked(c content.Cell, v game.Verdict) content.Cell {
	if mark, ok := verdictMarks[v]; ok {
		return c.Marked(mark)
	}
	return c
}
