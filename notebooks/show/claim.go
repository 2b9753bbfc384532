package show

import (
	"fmt"

	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Claim shows a claim with a tick if it holds, and ends the cell if it does not, see [Fail]. The text is formatted as
// by [fmt.Printf].
func Claim(holds bool, format string, args ...any) {
	text := prose(format, args...)
	if !holds {
		Fail("this claim does not hold: %s", text)
	}
	show(content.Claim{Text: text})
}

// Claims is a claim about many cases.
type Claims struct{ claim content.Claim }

// Every begins a claim about many cases, which Case tries one by one:
//
//	squares := show.Every("the first n odd numbers add up to n²")
//	for n, sum := 1, 1; n < 100; n, sum = n+1, sum+2*n+1 {
//		squares.Case(sum == n*n, "n = %d: %d", n, sum)
//	}
//	squares.Show()
func Every(claim string) *Claims { return &Claims{content.Claim{Text: claim}} }

// Case tries one case, and ends the cell with its description, formatted as by [fmt.Printf], if the claim does not hold
// there.
func (c *Claims) Case(holds bool, format string, args ...any) {
	c.claim.Cases++
	if !holds {
		Fail(
			"this claim does not hold: %s. Case %s: %s",
			c.claim.Text,
			figure.Thousands(fmt.Sprint(c.claim.Cases)),
			prose(format, args...),
		)
	}
}

// Show shows the claim with a tick and the number of its cases. It ends the cell if there were no cases.
func (c *Claims) Show() {
	if c.claim.Cases == 0 {
		Fail("this claim was tried on no case: %s", c.claim.Text)
	}
	show(c.claim)
}

func show(c content.Claim) {
	text := "✓ " + c.Text
	if c.Cases > 0 {
		text += " (" + content.Counted(c.Cases, "case", "cases") + ")"
	}
	send(c, "<p>"+escape(text)+"</p>", text)
}
