// Package listings is the module for pages with an editor: the pictures of the algorithms that readers write.
package listings

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"iter"
	"strings"

	antgame "github.com/siegebook/siegebook/analysis/ants"
	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	fleets "github.com/siegebook/siegebook/analysis/naval"
	towers "github.com/siegebook/siegebook/analysis/tower"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/pictures/ants"
	"github.com/siegebook/siegebook/report/siegebook/pictures/castle"
	"github.com/siegebook/siegebook/report/siegebook/pictures/naval"
	"github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// These are the pictures that run readers' algorithms.
var (
	Castle = castle.Own(reader(games.CastleSignature, castleOf), CastleExamples[0].Text)
	Tower  = tower.Own(reader(games.TowerSignature, towerOf), TowerExamples[0].Text)
	Ants   = ants.Own(reader(games.AntsSignature, antsOf), AntsExamples[0].Text)
	Naval  = naval.Own(reader(games.NavalSignature, navalOf), NavalExamples[0].Text)
)

// Module contains these pictures.
var Module = module.Module{
	Pictures: []pictures.Picture{Castle, Tower, Ants, Naval}, Examples: Offered(), Tokens: LanguageTokens(),
}

//go:embed castle/*.star tower/*.star ants/*.star naval/*.star
var examples embed.FS

// These are the examples for each game, in the order in which editors offer them.
var (
	CastleExamples = read("castle", "castle-first", "defenders-first", "few-left", "wrong")
	TowerExamples  = read("tower", "even", "halves", "greedy", "wrong")
	AntsExamples   = read("ants", "more", "nearest", "focus", "wrong")
	NavalExamples  = read("naval", "chequer", "apart", "rows", "wrong")
)

// Offered returns the examples for all pictures, by the names of the pictures.
func Offered() map[string][]module.Example {
	return map[string][]module.Example{
		Castle.Name: CastleExamples, Tower.Name: TowerExamples, Ants.Name: AntsExamples,
		Naval.Name: NavalExamples,
	}
}

// read returns the programs in the given files in a folder. The title of a program is the beginning of its last
// function's docstring.
func read(folder string, files ...string) []module.Example {
	var all []module.Example
	for _, file := range files {
		text, err := examples.ReadFile(folder + "/" + file + ".star")
		if err != nil {
			panic("listings: " + err.Error()) // the file is embedded
		}
		_, title, _ := strings.Cut(string(text[strings.LastIndex(string(text), "def "):]), `"""`)
		title, _, _ = strings.Cut(title, "\n")
		title, _, _ = strings.Cut(title, `"""`)
		title, _, _ = strings.Cut(title, ":")
		all = append(all, module.Example{Title: strings.Trim(title, ". "), Text: string(text)})
	}
	return all
}

// reader returns a function that parses programs for a game. It returns its errors, and the errors of running programs,
// as refusals.
func reader[P any](signature listing.Signature, of func(*listing.Listing) P) func(text string) (P, error) {
	return func(text string) (player P, err error) {
		l, err := listing.Read("program", []byte(text), signature, listing.Limits{})
		if err != nil {
			return player, refused(err, "")
		}
		return of(l), nil
	}
}

// castleOf returns a program for the castle game as an algorithm.
func castleOf(l *listing.Listing) game.Algorithm {
	own := games.Castle(l)
	answer := own.Answer
	own.Answer = func(ctx context.Context, b game.Battle, effort game.Effort) (game.Answer, error) {
		found, err := answer(ctx, b, effort)
		return found, refused(err, "")
	}
	return own
}

// towerOf returns a program for the tower game as a player.
func towerOf(l *listing.Listing) tower.Rounded {
	return func(b towers.Battle) iter.Seq2[towers.Round, error] {
		return func(yield func(towers.Round, error) bool) {
			for round, err := range games.Tower(l, b) {
				if !yield(round, refused(err, "")) {
					return
				}
			}
		}
	}
}

// antsOf returns a program for the ants as a rule.
func antsOf(l *listing.Listing) ants.Judged {
	return func(m antgame.Map) ([]bool, error) {
		dead, err := games.Deaths(context.Background(), l, m.World(antgame.ContestRadius2, true), m.Ants())
		return dead, refused(err, "position %s: ", strings.ReplaceAll(m.String(), "\n", "/"))
	}
}

// navalOf returns a program for naval battle as a shooter.
func navalOf(l *listing.Listing) naval.Sinking {
	return func(number int64, p fleets.Placement, ships fleets.Fleet) (naval.Shots, error) {
		shoot, err := games.Sink(l, ships)
		if err != nil {
			return nil, err
		}
		return func() (fleets.Cell, bool, error) {
			at, sunk, err := shoot()
			return at, sunk, refused(err, "fleet %d, %v: ", number, p)
		}, nil
	}
}

// refused converts an error of a program to a refusal that contains the position in the program. The message begins
// with format, applied to place.
func refused(err error, format string, place ...any) error {
	var fault *listing.Error
	if !errors.As(err, &fault) {
		return err
	}
	words := fmt.Sprintf(format, place...) + fault.Message
	if fault.Line == 0 {
		return pictures.Refuse("text", "%s", words)
	}
	return pictures.Refuse(fmt.Sprintf("text %d %d", fault.Line, fault.Column), "Line %d, column %d: %s.",
		fault.Line, fault.Column, words)
}

// Language describes in Markdown, for pages with an editor, what programs can use and which limits apply to them.
func Language() string {
	limits := listing.DefaultLimits
	return fmt.Sprintf("Integers, strings, lists, tuples and dictionaries; `def`, `if`, `for`, `while`, `return` and "+
		"assignments; `abs`, `min`, `max`, `sum`, `range`, `len`, `sorted` and the like. Division is `//`. There are "+
		"no fractions, no classes, no exceptions, no imports. The page ignores the output of `print`. A program that "+
		"runs here runs in Python 3 unchanged.\n\nA call may take %s steps. Its numbers may have at most %s bits, and "+
		"its lists and strings at most %s elements. In total, it may create %s elements; comparing, sorting and "+
		"looking up a key in a dictionary also count, one for each element that they visit. A function may have at "+
		"most %d parameters, at most %s calls may be nested, and lists at most %d deep. These limits are counts, so a "+
		"program does the same on every machine. Each call starts afresh: the results of one call are not available "+
		"in the next.",
		pictures.People(int64(limits.Steps)), pictures.People(limits.Bits), pictures.People(limits.Items),
		pictures.People(limits.Total), listing.MaxParameters, pictures.People(limits.Depth), listing.MaxLevels)
}

// LanguageTokens returns the tokens of programs, with the classes that package site uses for code.
func LanguageTokens() *module.Tokens {
	const (
		name = `[\p{L}_][\p{L}\p{N}_]*`
		ends = `(?![\p{L}\p{N}_])`
		text = `[rR]?(?:` +
			`"""(?:\\[^]|[^\\])*?(?:"""|$)|'''(?:\\[^]|[^\\])*?(?:'''|$)|` + // strings of several lines
			`"(?:\\[^]|[^\\"\n])*"?|'(?:\\[^]|[^\\'\n])*'?)`
	)
	words, functions := listing.Words()
	type group struct{ pattern, class string }
	var all module.Tokens
	var patterns []string
	for _, groups := range [][]group{
		{{`#[^\n]*`, "tok-comment"}},
		{{text, "tok-string"}},
		{{`\d[\p{L}\p{N}_.]*`, "tok-number"}},
		{{`def`, "tok-keyword"}, {`[ \t]+`, ""}, {name, "tok-function"}},
		{{`(?:` + strings.Join(words, "|") + `)` + ends, "tok-keyword"}},
		{{`(?:` + strings.Join(functions, "|") + `)` + ends, "tok-function"}},
		{{name, ""}},
	} {
		pattern := ""
		for _, g := range groups {
			pattern += "(" + g.pattern + ")"
			all.Classes = append(all.Classes, g.class)
		}
		patterns = append(patterns, pattern)
	}
	all.Pattern, all.Most = strings.Join(patterns, "|"), listing.DefaultLimits.Text
	return &all
}
