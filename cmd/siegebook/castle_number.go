package main

import (
	"bufio"
	"cmp"
	"fmt"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
	"github.com/siegebook/siegebook/internal/rows"
)

// numberAnswer is what an algorithm says that plays no line, beside the exact answer.
type numberAnswer struct {
	algorithm soldiersAlgorithm
	answer    castle.Answer
	exact     castle.Solution
}

// waves returns the digits of the fewest waves; "" if there are none.
func (a numberAnswer) waves() string {
	switch {
	case a.answer.Rounded():
		return string(rows.AppendWhole(nil, a.answer.InFloat))
	case a.answer.Winner == castle.Soldiers:
		return fmt.Sprint(a.answer.Waves)
	}
	return ""
}

func (a numberAnswer) json(o *jsonObject) {
	battleMembers(o, a.exact.Battle)
	o.member("algorithm", a.algorithm.Name)
	if a.algorithm.Case != nil {
		o.member("case", a.algorithm.Case(a.exact.Battle))
	}
	o.name("waves")
	o.text(cmp.Or(a.waves(), "null"))
	o.notes(a.notes())
}

func (a numberAnswer) text(out *bufio.Writer) {
	says := "says that the soldiers cannot win"
	switch {
	case a.waves() != "":
		says = "gives min_waves = " + a.waves()
	case a.answer.Winner == castle.Undecided:
		says = "has no finite value"
	}
	if a.algorithm.Case != nil {
		says += fmt.Sprintf(" (its case %v)", a.algorithm.Case(a.exact.Battle))
	}
	fmt.Fprintf(out, "%s\n\nThe %s %s.\n", headline(a.exact), a.algorithm.Title, says)
	sentences(out, a.notes())
}

// notes says where the number is wrong.
func (a numberAnswer) notes() []string {
	switch verdict := a.answer.Verdict(castle.ExactAnswers(a.exact.MinWaves, 0)); {
	case verdict != castle.Right && a.exact.Winner == castle.Soldiers:
		return []string{fmt.Sprintf("exactly, the soldiers win in %s", plural.Count(a.exact.MinWaves, "wave"))}
	case verdict == castle.WrongSide:
		return []string{"exactly, the soldiers cannot win"}
	}
	return nil
}
