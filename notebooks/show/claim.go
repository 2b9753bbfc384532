package show

import (
	"fmt"

	"github.com/siegebook/siegebook/report/figure"
)

// Claim shows a claim with a tick if it holds, and ends the cell if it does not, see [Fail]. The text is formatted as by [fmt.Printf].
func Claim(holds bool, format string, args ...any) {
	text := prose(format, args...)
	if !holds {
		Fail("this claim does not hold: %s", text)
	}
	send("<p>✓ "+escape(text)+"</p>", "✓ "+text)
}

// Claims is a claim about many cases.
type Claims struct {
	text  string
	cases int64
}

// Every begins a claim about many cases, which are then tried one by one:
//
//	squares := show.Every("the first n odd numbers add up to n²")
//	for n, sum := 1, 1; n < 100; n, sum = n+1, sum+2*n+1 {
//		squares.Case(sum == n*n, "n = %d: %d", n, sum)
//	}
//	squares.Show()
func Every(claim string) *Claims { return &Claims{text: claim} }

// Case tries one case, and ends the cell with its description, formatted as by [fmt.Printf], if the claim does not hold there.
func (c *Claims) Case(holds bool, format string, args ...any) {
	c.cases++
	if !holds {
		Fail("this claim does not hold: %s. Case %s: %s", c.text, figure.Thousands(fmt.Sprint(c.cases)), prose(format, args...))
	}
}

// Show shows the claim with a tick and the number of its cases. It ends the cell if there were none: then nothing was tried.
func (c *Claims) Show() {
	if c.cases == 0 {
		Fail("this claim was tried on no case: %s", c.text)
	}
	noun := "cases"
	if c.cases == 1 {
		noun = "case"
	}
	text := fmt.Sprintf("%s (%s %s)", c.text, figure.Thousands(fmt.Sprint(c.cases)), noun)
	send("<p>✓ "+escape(text)+"</p>", "✓ "+text)
}
