package gosource

import (
	"fmt"
	"go/scanner"
	"go/token"
)

// Item is a declaration or a statement at the top level of a cell. Its text includes the comments above it.
type Item struct {
	From, To int
	At       int         // the offset of the item's first byte after its comments
	Kind     token.Token // IMPORT, FUNC, TYPE, CONST, VAR, PACKAGE, or ILLEGAL for a statement
	Name     string      // the last name at the top level; for a function, its name
}

// Unclosed is the error for a bracket without a partner.
type Unclosed struct{ At int }

func (u Unclosed) Error() string {
	return fmt.Sprintf("the bracket at byte %d has no matching bracket", u.At)
}

// Items splits a cell into items at line ends that are outside all brackets. A semicolon in the source does not end an
// item, because it may belong to the head of a for or if statement. The error is an Unclosed or a scanner.ErrorList.
func Items(code string) (all []Item, err error) {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(code))
	var s scanner.Scanner
	var faults scanner.ErrorList
	s.Init(file, []byte(code), faults.Add, scanner.ScanComments)
	var open []int           // offsets of the open brackets
	var tokens []token.Token // the tokens of the current item
	it := Item{From: -1}
	for {
		pos, tok, text := s.Scan()
		at := file.Offset(pos)
		switch {
		case tok == token.EOF:
			if faults.Len() > 0 {
				return nil, faults.Err()
			}
			if len(open) > 0 {
				return nil, Unclosed{open[len(open)-1]}
			}
			if len(tokens) > 0 { // after a semicolon in the source, the scanner reports no line end
				all = append(all, it)
			}
			return all, nil
		case tok == token.SEMICOLON && text == "\n" && len(open) == 0:
			if len(tokens) > 0 {
				all = append(all, it)
				it, tokens = Item{From: -1}, nil
			}
			continue
		}
		if it.From < 0 {
			it.From = at
		}
		if tok == token.COMMENT {
			continue // a comment at the end of a cell is not an item
		}
		if len(tokens) == 0 {
			it.At = at
		}
		tokens = append(tokens, tok)
		if it.To = at + len(tok.String()); tok.IsLiteral() {
			it.To = at + len(text)
		}
		it.read(tokens, text, len(open))
		switch tok {
		case token.LPAREN, token.LBRACE, token.LBRACK:
			open = append(open, at)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			partner := map[token.Token]byte{token.RPAREN: '(', token.RBRACE: '{', token.RBRACK: '['}[tok]
			switch {
			case len(open) == 0:
				return nil, Unclosed{at}
			case code[open[len(open)-1]] != partner:
				return nil, Unclosed{open[len(open)-1]}
			}
			open = open[:len(open)-1]
		}
	}
}

// read updates an item with its newest token.
func (it *Item) read(tokens []token.Token, text string, depth int) {
	newest := tokens[len(tokens)-1]
	if len(tokens) == 1 {
		switch newest {
		case token.IMPORT, token.TYPE, token.CONST, token.VAR, token.PACKAGE:
			it.Kind = newest
		}
		return
	}
	if tokens[0] != token.FUNC || it.Kind != token.ILLEGAL || depth > 0 {
		return
	}
	// A function literal has no name between its pairs of brackets.
	named := len(tokens) == 3 || tokens[1] == token.LPAREN && len(tokens) > 3 && isReceiver(tokens[:len(tokens)-1])
	switch {
	case newest == token.IDENT:
		it.Name = text
	case (newest == token.LPAREN || newest == token.LBRACK && len(tokens) == 3) &&
		tokens[len(tokens)-2] == token.IDENT && named:
		it.Kind = token.FUNC
	}
}

// isReceiver reports whether tokens consists of func, a pair of brackets with their content, and a name.
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
