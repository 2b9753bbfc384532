// Package listings is what pages with an editor ask: pictures of the algorithms that readers write.
package listings

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/castle"
)

// Castle is the picture of an algorithm for the castle game.
var Castle = castle.Own(readCastle, Examples[0].Text)

// Module has the pictures.
var Module = module.Module{Pictures: []pictures.Picture{Castle}}

// Example is a program to begin with.
type Example struct {
	Title string `json:"title"`
	Text  string `json:"text"`
}

//go:embed castle/*.star
var examples embed.FS

// Examples are programs of the castle game, in the order in which they are offered.
var Examples = read("castle-first", "defenders-first", "few-left", "wrong")

// read returns the programs of some files. Their titles are those of the docstrings.
func read(files ...string) []Example {
	var all []Example
	for _, file := range files {
		text, err := examples.ReadFile("castle/" + file + ".star")
		if err != nil {
			panic("listings: " + err.Error()) // it is embedded
		}
		_, title, _ := strings.Cut(string(text), `"""`)
		title, _, _ = strings.Cut(title, "\n")
		title, _, _ = strings.Cut(title, `"""`)
		title, _, _ = strings.Cut(title, ":")
		all = append(all, Example{strings.Trim(title, ". "), string(text)})
	}
	return all
}

// Offered are the examples of all pictures, by their names.
func Offered() map[string][]Example {
	return map[string][]Example{Castle.Name: Examples}
}

// ownFile stands for the file of a program that has none.
const ownFile = "program"

// readCastle reads a program for the castle game. The errors are refusals, of the program and of what it does.
func readCastle(text string) (game.Algorithm, error) {
	l, err := listing.Read(ownFile, []byte(text), listing.CastleSignature, listing.Limits{})
	if err != nil {
		return game.Algorithm{}, refused(err)
	}
	own := listing.Castle(l)
	answer := own.Answer
	own.Answer = func(ctx context.Context, b game.Battle, effort game.Effort) (game.Answer, error) {
		found, err := answer(ctx, b, effort)
		return found, refused(err)
	}
	return own, nil
}

// refused makes of the fault of a program a refusal that knows the place.
func refused(err error) error {
	var fault *listing.Error
	if !errors.As(err, &fault) {
		return err
	}
	if fault.Line == 0 {
		return pictures.Refuse("text", "%s", fault.Message)
	}
	return pictures.Refuse(fmt.Sprintf("text %d %d", fault.Line, fault.Column), "Line %d, column %d: %s.",
		fault.Line, fault.Column, fault.Message)
}
