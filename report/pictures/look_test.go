package pictures

import (
	"fmt"
	"testing"

	"github.com/siegebook/siegebook/report/figure"
)

// meetings lists the groups of looks that one figure can show together.
var meetings = map[string][]Look{
	"how battles end":   {Won, Lost, Tied, Cannot},
	"what can be won":   {Sure, Open, Cannot, Tied},
	"one play's losses": {Sure, Lost, Tied},
	"answers":           {Right, Wrong, TooMany, TooFew, NoAnswer},
	"boards":            {Hit, Afloat, Miss},
}

// TestLooksDiffer checks that looks in the same figure differ in colour and in sign, and that only looks that need no
// attention have no sign.
func TestLooksDiffer(t *testing.T) {
	for name, looks := range meetings {
		swatches, signs := map[figure.Swatch]bool{}, map[string]bool{}
		for _, l := range looks {
			if l.sign == "" && l.swatch != figure.Quiet {
				t.Errorf("%s: %+v has a colour, but no sign", name, l)
			}
			if swatches[l.swatch] || l.sign != "" && signs[l.sign] && l != Cannot && l != Lost {
				t.Errorf("%s: %+v looks like another", name, l)
			}
			swatches[l.swatch], signs[l.sign] = true, true
		}
	}
}

// TestClassesAndMarks checks that a figure and a table use the same sign for the same outcome.
func TestClassesAndMarks(t *testing.T) {
	class, mark := TooMany.Class(7, "too slow"), TooMany.Mark("later than it has to be")
	if class.Value != 7 || class.Label != "too slow" || class.Sign != mark.Sign || class.Swatch != figure.Sky ||
		mark.Meaning != "later than it has to be" {
		t.Errorf("class %+v, mark %+v", class, mark)
	}
	defer func() {
		if recover() == nil {
			t.Error("a look without a tone has a mark")
		}
	}()
	Tied.Mark("a tie")
}

// TestSay checks that letters, formulas and numbers that can be dragged become separate spans, and that integers have
// commas.
func TestSay(t *testing.T) {
	got := fmt.Sprint(Say("`*n* − 1 = %v` of %v, %v", -12345, "x", Drag("s", Values{"s": "70000"})), Say(""))
	want := fmt.Sprint([]Span{
		{Text: "n", Letter: true},
		{Text: "\u00a0−\u00a01 =\u00a0−12,345"},
		{Text: " of x, "},
		{Text: "70,000", Drag: "s"},
	}, []Span{{}})
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
