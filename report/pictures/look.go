package pictures

import (
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

// Look is the appearance of one kind of outcome, wherever the outcome occurs. Looks that can occur in the same figure
// have different swatches.
type Look struct {
	sign   string
	swatch figure.Swatch
	tone   content.Tone
}

// Outcomes of a battle.
var (
	Won  = Look{sign: "✓", swatch: figure.Blue}      // by the side that is asked about
	Lost = Look{sign: "✗", swatch: figure.Vermilion} // by that side, in this play
	Tied = Look{sign: "=", swatch: figure.Purple}
	// won, or as good as possible, with nothing left to ask
	Sure    = Look{sign: "✓", swatch: figure.Quiet, tone: content.Green}
	Cannot  = Look{sign: "✗", swatch: figure.Blocked} // impossible, whatever the play
	Open    = Look{sign: "?", swatch: figure.Orange}  // decided by more than the map shows
	Nothing = Look{swatch: figure.Quiet}              // nothing to see here
)

// Results of comparing an answer with the exact one. Cells of tables have the colours of the posts.
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

// Looks of buildings on a field.
var (
	Intact  = Look{sign: "T", swatch: figure.Sky}
	Damaged = Look{sign: "t", swatch: figure.Orange}
	Fallen  = Look{sign: "×", swatch: figure.Vermilion}
)

// Looks of marked cells on a board of hidden things.
var (
	Reserved = Look{sign: "r", swatch: figure.Sky}
	Target   = Look{sign: "!", swatch: figure.Orange}
	Astray   = Look{sign: "?", swatch: figure.Purple} // aimed at by mistake
	Closed   = Look{sign: "–", swatch: figure.Blocked}
)

// Class returns the class of a figure for an outcome, with the value that represents it there and its name. A look
// without a swatch of its own gets a free one.
func (l Look) Class(value int, label string) figure.Class {
	return figure.Class{Value: value, Label: label, Sign: l.sign, Swatch: l.swatch}
}

// Mark returns the mark of a table's cell, with what it means. It panics for a look without a tone.
func (l Look) Mark(meaning string) content.Mark {
	if l.tone == "" {
		panic("pictures: this look has no tone for tables")
	}
	return content.Mark{Tone: l.tone, Sign: l.sign, Meaning: meaning}
}

// Signed returns words with the sign before them, if there is one.
func (l Look) Signed(words string) string {
	if l.sign == "" {
		return words
	}
	return l.sign + " " + words
}
