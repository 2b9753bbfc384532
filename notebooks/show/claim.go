package show

import (
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/siegebook/siegebook/notebooks/show/internal/host"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Claim shows a claim with a tick if it holds, and ends the cell if it does not (see [Fail]). The text is formatted as
// by [fmt.Printf].
func Claim(holds bool, format string, args ...any) {
	text := prose(format, args...)
	if !holds {
		Fail("this claim does not hold: %s", text)
	}
	show(content.Claim{Text: text})
}

// Require ends the cell with a message, formatted as by [fmt.Printf], unless the condition holds. It shows nothing.
func Require(holds bool, format string, args ...any) {
	if !holds {
		Fail("this does not hold: %s", prose(format, args...))
	}
}

// Refuse ends the cell if err is not nil. err describes why the page cannot use the value of the named parameter. A
// build reports it as an error in the parameter, not in the cell.
func Refuse(parameter string, err error) {
	switch {
	case err == nil:
	case host.Page != nil:
		panic(host.Refusal{Parameter: parameter, Message: err.Error()})
	default:
		Fail("parameter %s: %v", parameter, err)
	}
}

// Claims is a claim about many cases.
type Claims struct{ claim content.Claim }

// Every begins a claim about many cases. Case checks them one by one:
//
//	squares := show.Every("the first n odd numbers add up to n²")
//	for n, sum := 1, 1; n < 100; n, sum = n+1, sum+2*n+1 {
//		squares.Case(sum == n*n, "n = %d: %d", n, sum)
//	}
//	squares.Show()
func Every(claim string) *Claims { return &Claims{content.Claim{Text: claim}} }

// Case checks one case. If the claim does not hold in this case, Case ends the cell with the case's description,
// formatted as by [fmt.Printf].
func (c *Claims) Case(holds bool, format string, args ...any) {
	c.claim.Cases++
	if !holds {
		Fail("this claim does not hold: %s. Case %s: %s", c.claim.Text, figure.Thousands(fmt.Sprint(c.claim.Cases)),
			prose(format, args...))
	}
}

// Show shows the claim with a tick and the number of its cases. It ends the cell if there were no cases.
func (c *Claims) Show() {
	if c.claim.Cases == 0 {
		Fail("this claim was not tested on any case: %s", c.claim.Text)
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

// Fail ends the cell with a message, formatted as by [fmt.Printf], and the line number in the cell, without a stack
// trace. Outside a notebook, it panics with the message.
func Fail(format string, args ...any) {
	text := content.Minus(fmt.Sprintf(format, args...)) // digits stay as the reader typed them
	switch {
	case host.Page != nil:
		panic(host.Failure(text))
	case !inNotebook():
		panic(text)
	}
	settle()
	fmt.Fprintln(os.Stderr, placed(text, cellFrame()))
	os.Exit(1)
}

// cellFrame returns the position in the cell's program from which the caller was called, or "" if there is none.
func cellFrame() string {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for {
		frame, more := frames.Next()
		if strings.HasPrefix(frame.Function, "main.") {
			return fmt.Sprintf("%s:%d", frame.File, frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// placed inserts a position after the first line of text, on its own line. The kernel looks for such positions on
// stderr and adds the line number in the cell; it crashes if a colon precedes the position.
func placed(text, place string) string {
	if place == "" {
		return text
	}
	first, rest, more := strings.Cut(text, "\n")
	first += "\n  at " + place
	if more {
		return first + "\n" + rest
	}
	return first
}

// Between ends the cell if a parameter that readers can set is not a number from least to most.
func Between[T int | int64 | uint64](name string, value, least, most T) {
	if value < least || value > most {
		in := func(v T) string { return figure.Thousands(fmt.Sprint(v)) }
		Fail("%s = %s: set it to a number from %s to %s", name, in(value), in(least),
			in(most))
	}
}
