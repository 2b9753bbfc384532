package pictures

import (
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Look is the appearance of one kind of outcome, wherever the outcome occurs. Looks that can occur in the same figure
// must have different swatches.
type Look struct {
	sign   string
	swatch figure.Swatch
	tone   content.Tone
}

// These are the outcomes of a battle.
var (
	Won  = Look{sign: "✓", swatch: figure.Blue}      // the side in question wins
	Lost = Look{sign: "✗", swatch: figure.Vermilion} // the side in question loses in this play
	Tied = Look{sign: "=", swatch: figure.Purple}
	// the side in question wins, or the result is the best possible one
	Sure    = Look{sign: "✓", swatch: figure.Quiet, tone: content.Green}
	Cannot  = Look{sign: "✗", swatch: figure.Blocked} // impossible, whatever anybody plays
	Open    = Look{sign: "?", swatch: figure.Orange}  // decided by more than the map shows
	Nothing = Look{swatch: figure.Quiet}              // needs no attention
)

// These are the results of comparing an answer with the exact one. Table cells have the colours that the posts use.
var (
	Right    = Look{swatch: figure.Quiet}
	Wrong    = Look{sign: "✗", swatch: figure.Vermilion, tone: content.Red}
	TooMany  = Look{sign: "+", swatch: figure.Sky, tone: content.Cyan}
	TooFew   = Look{sign: "−", swatch: figure.Orange, tone: content.Amber}
	NoAnswer = Look{sign: "?", swatch: figure.Missing}
)

// These looks are verdicts on a printed claim, in addition to Wrong.
var (
	Slip   = Look{sign: "~", tone: content.Amber}
	Gap    = Look{sign: "…", tone: content.Cyan}
	Hazard = Look{sign: "!", tone: content.Violet}
)

// These looks show cells on a board of hidden ships: hit, afloat, missed.
var (
	Hit    = Look{sign: "×", swatch: figure.Vermilion}
	Afloat = Look{sign: "O", swatch: figure.Sky}
	Miss   = Look{sign: "·", swatch: figure.Quiet}
)

// These looks show buildings on a field.
var (
	Intact  = Look{sign: "T", swatch: figure.Sky}
	Damaged = Look{sign: "t", swatch: figure.Orange}
	Fallen  = Look{sign: "×", swatch: figure.Vermilion}
)

// These looks show marked cells on a board of hidden things.
var (
	Reserved = Look{sign: "r", swatch: figure.Sky}
	Target   = Look{sign: "!", swatch: figure.Orange}
	Astray   = Look{sign: "?", swatch: figure.Purple} // aimed at by mistake
	Closed   = Look{sign: "–", swatch: figure.Blocked}
)

// Class returns the class that shows an outcome in a figure, in which value stands for the outcome and label is its
// name. A look without a swatch gets a free one.
func (l Look) Class(value int, label string) figure.Class {
	return figure.Class{Value: value, Label: label, Sign: l.sign, Swatch: l.swatch}
}

// Mark returns the mark of a table cell, with its meaning. It panics if the look has no tone.
func (l Look) Mark(meaning string) content.Mark {
	if l.tone == "" {
		panic("pictures: this look has no tone for tables")
	}
	return content.Mark{Tone: l.tone, Sign: l.sign, Meaning: meaning}
}

// Signed returns words, preceded by the sign if there is one.
func (l Look) Signed(words string) string {
	if l.sign == "" {
		return words
	}
	return l.sign + " " + words
}
