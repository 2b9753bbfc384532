package listings

import (
	"fmt"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/report/pictures"
)

// Language says in Markdown what a program can use, and how much, for the pages with an editor.
func Language() string {
	limits := listing.DefaultLimits
	return fmt.Sprintf("Whole numbers of any size, texts, lists, tuples and dictionaries; `def`, `if`, `for`, "+
		"`while`, `return` and assignments; `abs`, `min`, `max`, `sum`, `range`, `len`, `sorted` and the like. "+
		"Division is `//`. There are no fractions, no classes, no exceptions, no imports. The page ignores the "+
		"output of `print`. A program that runs here runs in Python 3 unchanged.\n\n"+
		"A call may take %s steps, and make %s elements at once and numbers of %s bits. Each call begins anew: what a "+
		"program has computed in one call is not there in the next one.",
		pictures.People(int64(limits.Steps)), pictures.People(limits.Items), pictures.People(limits.Bits))
}
