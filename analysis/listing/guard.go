package listing

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.starlark.net/syntax"
)

// The interpreter counts steps, but one step may take any time and memory: s + s doubles a text, a == b walks through
// everything that two lists hold, which may be one list a thousand times, and x * x doubles the digits. So bind
// rewrites the tree of a listing before it is compiled. It looks for operations of which the text does not show that
// their values are single numbers or truth values, and makes each of them a call of a guard, which looks at the sizes
// first. Operations on numbers, which strategies consist of, stay as they are and as fast as they were.

// guardName begins the names of guards. No listing can write it, since bind refuses names that begin so.
const guardName = "guarded"

// misplaced is a part of a listing that is not part of the language.
type misplaced struct {
	position syntax.Position
	message  string
}

// binder rewrites a tree.
type binder struct {
	entry string // the function that is called from outside
	named int    // how often the text names it
	more  int    // functions that the text defines
	scope *scope
	stays map[syntax.Expr]bool // tuples that are targets, and methods that are called
	err   *misplaced
}

// scope holds what is known of the names of a function: those that are bound to single values only.
type scope struct {
	outer  *scope
	single map[string]bool
}

// bind checks and rewrites the tree of a listing whose function has a name.
func bind(tree *syntax.File, entry string) *misplaced {
	b := &binder{entry: entry, stays: map[syntax.Expr]bool{}}
	b.check(tree)
	if b.err != nil {
		return b.err
	}
	b.scope = b.known(nil, nil, tree.Stmts, false)
	b.rewrite(reflect.ValueOf(tree.Stmts))
	return b.err
}

func (b *binder) refuse(at syntax.Position, format string, values ...any) {
	if b.err == nil {
		b.err = &misplaced{at, fmt.Sprintf(format, values...)}
	}
}

// methods are the methods that a listing may call.
var methods = []string{
	"append", "clear", "extend", "get", "insert", "items", "keys", "pop", "setdefault", "values",
}

// check refuses what is not part of the language.
func (b *binder) check(tree *syntax.File) {
	depth := 0
	syntax.Walk(tree, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		if depth++; depth > maxNesting {
			b.refuse(syntax.Start(n), "more than %d brackets or blocks inside of each other", maxNesting)
			return false
		}
		switch n := n.(type) {
		case *syntax.DefStmt, *syntax.LambdaExpr:
			b.more++
		case *syntax.LoadStmt:
			b.refuse(n.Load, "load is not part of the language: a listing stands alone")
		case *syntax.Ident:
			if n.Name == b.entry {
				b.named++
			}
			if strings.HasPrefix(n.Name, guardName) {
				b.refuse(n.NamePos, "the name %s begins with %s: choose another one", n.Name, guardName)
			}
		case *syntax.Literal:
			if n.Token == syntax.FLOAT || n.Token == syntax.BYTES {
				b.refuse(n.TokenPos, "%s is no whole number: use whole numbers", cut(n.Raw))
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.SLASH {
				b.refuse(n.OpPos, "/ makes fractions: divide by //, which rounds down")
			}
		case *syntax.UnaryExpr:
			if n.Op == syntax.STAR || n.Op == syntax.STARSTAR {
				b.refuse(n.OpPos, "a star before a name is not part of the language: name each parameter")
			}
		case *syntax.Comprehension:
			if n.Curly {
				if _, ok := n.Body.(*syntax.DictEntry); !ok {
					b.refuse(n.Lbrack, "sets are not part of the language: use a list or a dictionary")
				}
			}
		case *syntax.AssignStmt:
			if n.Op == syntax.SLASH_EQ {
				b.refuse(n.OpPos, "/= makes fractions: divide by //=, which rounds down")
			}
			if n.Op != syntax.EQ && !simple(n.LHS) {
				b.refuse(n.OpPos, "the left side is computed twice: give its parts a name first")
			}
		case *syntax.DotExpr:
			if !slices.Contains(methods, n.Name.Name) {
				b.refuse(n.Name.NamePos, "the method %s is not part of the language", n.Name.Name)
			}
		}
		return b.err == nil
	})
}

const maxNesting = 200

// simple says whether an expression can be computed twice: a name, or an element at a name or a number.
func simple(x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Ident, *syntax.Literal:
		return true
	case *syntax.ParenExpr:
		return simple(x.X)
	case *syntax.IndexExpr:
		return simple(x.X) && simple(x.Y)
	case *syntax.BinaryExpr:
		return simple(x.X) && simple(x.Y)
	case *syntax.UnaryExpr:
		return x.X != nil && simple(x.X)
	}
	return false
}

// binding is a value that a name gets somewhere in a function.
type binding struct {
	name  string
	value syntax.Expr // nil if it may be anything
}

// known finds the names of a function that are bound to single values only. Parameters are, if they are those of the
// listing's function, which the listing itself does not call.
func (b *binder) known(outer *scope, parameters []string, body []syntax.Stmt, single bool) *scope {
	s := &scope{outer: outer, single: map[string]bool{}}
	var all []binding
	for _, name := range parameters {
		s.single[name] = single
	}
	for _, stmt := range body {
		all = collect(stmt, all)
	}
	for _, a := range all {
		if _, parameter := s.single[a.name]; !parameter {
			s.single[a.name] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, a := range all {
			if s.single[a.name] && !(a.value != nil && b.singleIn(s, a.value)) {
				s.single[a.name], changed = false, true
			}
		}
	}
	return s
}

// collect adds the bindings of a statement, without those inside of functions.
func collect(n syntax.Node, all []binding) []binding {
	var target func(lhs syntax.Expr, value syntax.Expr)
	target = func(lhs, value syntax.Expr) {
		switch lhs := lhs.(type) {
		case *syntax.Ident:
			all = append(all, binding{lhs.Name, value})
		case *syntax.ParenExpr:
			target(lhs.X, value)
		case *syntax.TupleExpr, *syntax.ListExpr:
			left, right := elements(lhs), elements(value)
			for i, x := range left {
				if len(left) == len(right) {
					target(x, right[i])
				} else {
					target(x, nil)
				}
			}
		}
	}
	loop := func(vars, over syntax.Expr) {
		if call, ok := over.(*syntax.CallExpr); ok {
			if name, ok := call.Fn.(*syntax.Ident); ok && name.Name == "range" {
				target(vars, &syntax.Literal{Token: syntax.INT})
				return
			}
		}
		target(vars, nil)
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			target(n.Name, nil)
			return false
		case *syntax.LambdaExpr:
			return false
		case *syntax.AssignStmt:
			if n.Op == syntax.EQ {
				target(n.LHS, n.RHS)
			} else if name, ok := n.LHS.(*syntax.Ident); ok {
				op := n.Op - syntax.PLUS_EQ + syntax.PLUS
				target(name, &syntax.BinaryExpr{X: name, Op: op, Y: n.RHS})
			}
		case *syntax.ForStmt:
			loop(n.Vars, n.X)
		case *syntax.ForClause:
			loop(n.Vars, n.X)
		}
		return true
	})
	return all
}

func elements(x syntax.Expr) []syntax.Expr {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		return elements(x.X)
	case *syntax.TupleExpr:
		return x.List
	case *syntax.ListExpr:
		return x.List
	}
	return nil
}

// lookup says whether a name is bound to single values only.
func (s *scope) lookup(name string) bool {
	for ; s != nil; s = s.outer {
		if single, ok := s.single[name]; ok {
			return single
		}
	}
	return false
}

// bound says whether a listing gives a name a value of its own anywhere around.
func (s *scope) bound(name string) bool {
	for ; s != nil; s = s.outer {
		if _, ok := s.single[name]; ok {
			return true
		}
	}
	return false
}

// singleIn says whether the text shows that an expression is a number, a truth value or nothing.
func (b *binder) singleIn(s *scope, x syntax.Expr) bool {
	switch x := x.(type) {
	case *syntax.Literal:
		return x.Token == syntax.INT
	case *syntax.Ident:
		return s.lookup(x.Name) || !s.bound(x.Name) && slices.Contains(constants, x.Name)
	case *syntax.ParenExpr:
		return b.singleIn(s, x.X)
	case *syntax.UnaryExpr:
		return true // not, -, +, ~ of what is no single value is an error, or a truth value
	case *syntax.BinaryExpr:
		switch x.Op {
		case syntax.AND, syntax.OR:
			return b.singleIn(s, x.X) && b.singleIn(s, x.Y)
		case syntax.PLUS, syntax.PERCENT:
			return b.singleIn(s, x.X) || x.Op == syntax.PLUS && b.singleIn(s, x.Y)
		case syntax.STAR:
			return b.singleIn(s, x.X) && b.singleIn(s, x.Y)
		case syntax.PIPE:
			return b.singleIn(s, x.X) || b.singleIn(s, x.Y) // of dictionaries it is one
		}
		return true // comparisons, and operations that numbers alone have
	case *syntax.CondExpr:
		return b.singleIn(s, x.True) && b.singleIn(s, x.False)
	case *syntax.CallExpr:
		name, ok := x.Fn.(*syntax.Ident)
		if !ok || s.bound(name.Name) {
			return false
		}
		switch name.Name {
		case "len", "abs", "int", "bool", "any", "all":
			return true
		case "min", "max":
			return len(x.Args) > 1 &&
				!slices.ContainsFunc(x.Args, func(a syntax.Expr) bool { return !b.singleIn(s, a) })
		}
	}
	return false
}

// node is the type of what a tree consists of.
var node = reflect.TypeFor[syntax.Node]()

// rewrite puts guards into a part of a tree. Its own parts come first.
func (b *binder) rewrite(part reflect.Value) {
	switch {
	case part.Kind() == reflect.Slice:
		for i := range part.Len() {
			b.rewrite(part.Index(i))
		}
		return
	case !part.Type().Implements(node) || part.IsNil():
		return
	}
	switch x := part.Interface().(type) {
	case *syntax.DefStmt:
		b.function(x.Name.Name, x.Params, x.Body, func() { b.rewrite(reflect.ValueOf(x.Body)) })
		if b.more > 1 || b.named > 1 { // functions of the listing may call each other
			x.Body = slices.Insert(x.Body, docstring(x.Body), syntax.Stmt(&syntax.ExprStmt{X: b.call("depth", x.Def)}))
		}
	case *syntax.LambdaExpr:
		b.function("", x.Params, nil, func() { b.rewrite(reflect.ValueOf(&x.Body).Elem()) })
		none := &syntax.Ident{NamePos: x.Lambda, Name: "None"}
		x.Body = &syntax.CondExpr{
			If: x.Lambda, Cond: b.call("depth", x.Lambda), True: x.Body, ElsePos: x.Lambda, False: none,
		}
	case syntax.Node:
		guard := b.guard(x)
		for _, field := range reflect.ValueOf(x).Elem().Fields() {
			if field.CanSet() {
				b.rewrite(field)
			}
		}
		if guard != nil {
			part.Set(reflect.ValueOf(guard()))
		}
	}
}

// docstring returns the number of statements that document a function.
func docstring(body []syntax.Stmt) int {
	if first, ok := body[0].(*syntax.ExprStmt); ok {
		if l, ok := first.X.(*syntax.Literal); ok && l.Token == syntax.STRING && len(body) > 1 {
			return 1
		}
	}
	return 0
}

// function rewrites a function's defaults, which belong to what is around it, and its body.
func (b *binder) function(name string, params []syntax.Expr, body []syntax.Stmt, rewrite func()) {
	b.rewrite(reflect.ValueOf(params))
	var parameters []string
	for _, p := range params {
		if with, ok := p.(*syntax.BinaryExpr); ok {
			p = with.X
		}
		parameters = append(parameters, p.(*syntax.Ident).Name)
	}
	outer := b.scope
	// Numbers come from outside alone, unless the listing calls the function itself, or hands it on.
	b.scope = b.known(outer, parameters, body, name == b.entry && b.named == 1)
	rewrite()
	b.scope = outer
}

// target looks at what stands left of an assignment, where nothing but what is in brackets is computed.
func (b *binder) target(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		b.target(x.X)
	case *syntax.TupleExpr, *syntax.ListExpr:
		b.stays[x] = true
		for _, e := range elements(x) {
			b.target(e)
		}
	case *syntax.Ident, *syntax.IndexExpr:
	default:
		b.refuse(syntax.Start(x), "cannot be assigned to")
	}
}

func (b *binder) single(x syntax.Expr) bool { return b.singleIn(b.scope, x) }

// guard returns what takes the place of a part of the tree when its own parts have been rewritten, nil if it stays. It
// decides by these as they are written.
func (b *binder) guard(n syntax.Node) func() syntax.Node {
	switch x := n.(type) {
	case *syntax.ForStmt:
		b.target(x.Vars)
	case *syntax.ForClause:
		b.target(x.Vars)
	case *syntax.AssignStmt:
		b.target(x.LHS)
		return func() syntax.Node {
			if op := x.Op - syntax.PLUS_EQ + syntax.PLUS; x.Op != syntax.EQ && op != syntax.MINUS &&
				op != syntax.SLASHSLASH && !(op == syntax.PLUS && b.single(x.RHS)) {
				x.RHS, x.Op = b.call("inplace", x.OpPos, numbered(op), copyOf(x.LHS), x.RHS), syntax.EQ
			}
			return x
		}
	case *syntax.SliceExpr:
		return func() syntax.Node { return b.call("made", x.Lbrack, x) }
	case *syntax.TupleExpr:
		if !b.stays[x] && slices.ContainsFunc(x.List, func(e syntax.Expr) bool { return !b.single(e) }) {
			return func() syntax.Node { return b.call("made", syntax.Start(x), x) }
		}
	case *syntax.DotExpr:
		if !b.stays[x] {
			b.refuse(x.Name.NamePos, "call the method %s with brackets", x.Name.Name)
		}
	case *syntax.CallExpr: // the result of a method is looked at
		dot, ok := x.Fn.(*syntax.DotExpr)
		if !ok {
			return nil
		}
		b.stays[dot] = true
		switch at := dot.Name.NamePos; {
		case dot.Name.Name != "extend":
			return func() syntax.Node { return b.call("made", at, x) }
		case len(x.Args) != 1:
			b.refuse(at, "extend takes one list")
		default:
			return func() syntax.Node { return b.call("extend", at, dot.X, x.Args[0]) }
		}
	case *syntax.BinaryExpr: // unless it is one of single values, or the name of an argument
		left, right := b.single(x.X), b.single(x.Y)
		switch x.Op {
		case syntax.EQ, syntax.AND, syntax.OR, syntax.MINUS, syntax.SLASHSLASH, syntax.AMP, syntax.CIRCUMFLEX,
			syntax.GTGT:
			return nil
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.PLUS:
			if left || right {
				return nil
			}
		case syntax.PERCENT:
			if left {
				return nil
			}
		}
		return func() syntax.Node { return b.call("operation", x.OpPos, numbered(x.Op), x.X, x.Y) }
	}
	return nil
}

// call is a call of a guard at a place of the listing.
func (b *binder) call(guard string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: at, Name: guardName + "_" + guard},
		Lparen: at,
		Args:   args,
		Rparen: at,
	}
}

// numbered is an operator as an argument.
func numbered(op syntax.Token) syntax.Expr {
	return &syntax.Literal{Token: syntax.INT, Value: int64(op)}
}

// copyOf copies a simple expression: a tree must not hold a part twice.
func copyOf[N syntax.Node](x N) N {
	from := reflect.ValueOf(x)
	to := reflect.New(from.Type().Elem())
	to.Elem().Set(from.Elem())
	for _, field := range to.Elem().Fields() {
		switch {
		case !field.CanSet():
		case field.Kind() == reflect.Slice:
			field.Set(reflect.ValueOf(slices.Clone(field.Interface().([]syntax.Expr))))
			for i := range field.Len() {
				field.Index(i).Set(reflect.ValueOf(copyOf(field.Index(i).Interface().(syntax.Node))))
			}
		case field.Type().Implements(node) && !field.IsNil():
			field.Set(reflect.ValueOf(copyOf(field.Interface().(syntax.Node))))
		}
	}
	return to.Interface().(N)
}
