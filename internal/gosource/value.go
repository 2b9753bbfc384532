package gosource

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"strings"
)

// Value is the expression at the end of a cell, whose value the cell shows.
type Value struct {
	From, To int // byte offsets
	// Call reports whether the expression is a call. Only the compiler knows whether a call has a value.
	Call bool
}

// silent matches the names of functions whose result is not shown, because they print, write or show something
// themselves.
var silent = regexp.MustCompile(`^(?:Print|Fprint|Write|Show$)`)

// showing is the name of the package whose functions show something, except for its function sharing, which returns a
// value.
const showing, sharing = "show", "Shared"

// LastValue returns the expression at the end of a cell. It returns false if the last item is not an expression, if a
// semicolon follows it, or if it is a call that shows something itself.
func LastValue(code string, items []Item) (v Value, is bool) {
	if len(items) == 0 || items[len(items)-1].Kind != token.ILLEGAL {
		return v, false
	}
	it := items[len(items)-1]
	const head = "package p\nfunc _() {"
	text := code[it.From:it.To]
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", head+text+"\n}", parser.SkipObjectResolution)
	if err != nil || strings.HasSuffix(text, ";") {
		return v, false
	}
	body := file.Decls[0].(*ast.FuncDecl).Body.List
	if len(file.Decls) != 1 || len(body) != 1 {
		return v, false
	}
	s, is := body[0].(*ast.ExprStmt)
	if !is {
		return v, false
	}
	place := func(pos token.Pos) int { return it.From + set.Position(pos).Offset - len(head) }
	v.From, v.To = place(s.Pos()), place(s.End())
	call, isCall := s.X.(*ast.CallExpr)
	v.Call = isCall
	return v, !isCall || !shows(call)
}

// shows reports whether a call shows something itself, or has no value in Go.
func shows(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		switch f.Name {
		case "clear", "close", "copy", "delete", "panic", "print", "println":
			return true
		}
	case *ast.SelectorExpr:
		of, is := f.X.(*ast.Ident)
		return silent.MatchString(f.Sel.Name) || is && of.Name == showing && f.Sel.Name != sharing
	}
	return false
}
