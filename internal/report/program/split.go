package program

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"regexp"
	"strings"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// item is a declaration or a statement at the top level of a cell: the bytes of its text, with the comments above it.
type item struct {
	from, to int
	kind     token.Token // IMPORT, FUNC, TYPE, CONST, VAR, PACKAGE, or ILLEGAL for a statement
	name     string      // the last name at the top level, of a function its own
}

// unclosed is the error of a bracket that has no partner.
type unclosed struct{ at int }

func (u unclosed) Error() string { return fmt.Sprintf("a bracket at byte %d has no partner", u.at) }

// split splits a cell into items, at the ends of lines outside of all brackets. A semicolon that is typed does not end
// an item: it may belong to the head of a for or an if. The error is an unclosed, or a scanner.ErrorList.
func split(code string) (all []item, err error) {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(code))
	var s scanner.Scanner
	var faults scanner.ErrorList
	s.Init(file, []byte(code), faults.Add, scanner.ScanComments)
	var open []int           // the places of the brackets that are open
	var tokens []token.Token // of the item
	it := item{from: -1}
	for {
		pos, tok, text := s.Scan()
		at := file.Offset(pos)
		switch {
		case tok == token.EOF:
			if faults.Len() > 0 {
				return nil, faults.Err()
			}
			if len(open) > 0 {
				return nil, unclosed{open[len(open)-1]}
			}
			return all, nil
		case tok == token.SEMICOLON && text == "\n" && len(open) == 0:
			if len(tokens) > 0 {
				all = append(all, it)
				it, tokens = item{from: -1}, nil
			}
			continue
		}
		if it.from < 0 {
			it.from = at
		}
		if tok == token.COMMENT {
			continue // one at the end of a cell is no item
		}
		tokens = append(tokens, tok)
		if it.to = at + len(tok.String()); tok.IsLiteral() {
			it.to = at + len(text)
		}
		it.read(tokens, text, len(open))
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			open = append(open, at)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(open) == 0 {
				return nil, unclosed{at}
			}
			open = open[:len(open)-1]
		}
	}
}

// read takes note of what the newest token says about an item.
func (it *item) read(tokens []token.Token, text string, depth int) {
	newest := tokens[len(tokens)-1]
	if len(tokens) == 1 {
		switch newest {
		case token.IMPORT, token.TYPE, token.CONST, token.VAR, token.PACKAGE:
			it.kind = newest
		}
		return
	}
	if tokens[0] != token.FUNC || it.kind != token.ILLEGAL || depth > 0 {
		return
	}
	// A function literal has no name between its brackets.
	named := len(tokens) == 3 || tokens[1] == token.LPAREN && len(tokens) > 3 && isReceiver(tokens[:len(tokens)-1])
	switch {
	case newest == token.IDENT:
		it.name = text
	case (newest == token.LPAREN || newest == token.LBRACK && len(tokens) == 3) &&
		tokens[len(tokens)-2] == token.IDENT && named:
		it.kind = token.FUNC
	}
}

// isReceiver says whether tokens are func, one pair of brackets, and a name.
func isReceiver(tokens []token.Token) bool {
	depth := 0
	for _, t := range tokens[1 : len(tokens)-1] {
		switch {
		case t == token.LPAREN:
			depth++
		case t == token.RPAREN:
			depth--
		case depth == 0:
			return false
		}
	}
	return true
}

// bodyLine matches the one command that a page knows: the statements of the cell are below it.
var bodyLine = regexp.MustCompile(`^(?://gonb:)?(?:%%|%main)[ \t\r]*$`)

// errCommand says that a page has no commands.
var errCommand = errors.New("is a command, which a page has none of: write Go, or make the page a notebook (.ipynb)")

// body returns the code of a cell with spaces in the place of its line %%, and where that line is; len(code) if it has
// none. The error is of a command, which is at the place, and says what to do behind its first colon.
func body(code string) (blanked string, at int, err error) {
	at = len(code)
	for _, m := range jupyter.Commands(code) {
		if !bodyLine.MatchString(code[m[0]:m[1]]) {
			return code, m[0], fmt.Errorf("%.40q %w", code[m[0]:m[1]], errCommand)
		}
		if at < len(code) {
			return code, m[0], errors.New("a cell begins its statements once, and here is %% again: take it out")
		}
		at = m[0]
		code = code[:m[0]] + strings.Repeat(" ", m[1]-m[0]) + code[m[1]:]
	}
	return code, at, nil
}
