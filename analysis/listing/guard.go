package listing

import (
	"fmt"
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
	err   *misplaced
}

// scope holds what is known of the names of a function: those that are bound to single values only.
type scope struct {
	outer  *scope
	single map[string]bool
}

// bind checks and rewrites the tree of a listing whose function has a name.
func bind(tree *syntax.File, entry string) *misplaced {
	b := &binder{entry: entry}
	b.check(tree)
	if b.err != nil {
		return b.err
	}
	b.scope = b.known(nil, nil, tree.Stmts, false)
	b.statements(tree.Stmts)
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
		if call, ok := over.(*syntax.CallExpr); ok && isName(call.Fn, "range") {
			target(vars, &syntax.Literal{Token: syntax.INT})
		} else {
			target(vars, nil)
		}
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

func isName(x syntax.Expr, name string) bool {
	id, ok := x.(*syntax.Ident)
	return ok && id.Name == name
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

// statements rewrites a block.
func (b *binder) statements(list []syntax.Stmt) {
	for _, stmt := range list {
		b.statement(stmt)
	}
}

func (b *binder) statement(stmt syntax.Stmt) {
	switch s := stmt.(type) {
	case *syntax.AssignStmt:
		s.LHS, s.RHS = b.target(s.LHS), b.expr(s.RHS)
		if s.Op == syntax.EQ {
			return
		}
		if op := s.Op - syntax.PLUS_EQ + syntax.PLUS; op != syntax.MINUS && op != syntax.SLASHSLASH &&
			!(op == syntax.PLUS && b.single(s.RHS)) {
			s.RHS = b.call("inplace", s.OpPos, numbered(op), b.expr(copyOf(s.LHS)), s.RHS)
			s.Op = syntax.EQ
		}
	case *syntax.DefStmt:
		b.function(s.Name.Name, s.Params, func() { b.statements(s.Body) }, s.Body)
		if b.recursive() {
			s.Body = slices.Insert(s.Body, docstring(s.Body), syntax.Stmt(&syntax.ExprStmt{X: b.call("depth", s.Def)}))
		}
	case *syntax.ExprStmt:
		s.X = b.expr(s.X)
	case *syntax.IfStmt:
		s.Cond = b.expr(s.Cond)
		b.statements(s.True)
		b.statements(s.False)
	case *syntax.ForStmt:
		s.Vars, s.X = b.target(s.Vars), b.expr(s.X)
		b.statements(s.Body)
	case *syntax.WhileStmt:
		s.Cond = b.expr(s.Cond)
		b.statements(s.Body)
	case *syntax.ReturnStmt:
		if s.Result != nil {
			s.Result = b.expr(s.Result)
		}
	}
}

// recursive says whether functions of the listing may call each other.
func (b *binder) recursive() bool { return b.more > 1 || b.named > 1 }

// docstring returns the number of statements that document a function.
func docstring(body []syntax.Stmt) int {
	if first, ok := body[0].(*syntax.ExprStmt); ok {
		if l, ok := first.X.(*syntax.Literal); ok && l.Token == syntax.STRING && len(body) > 1 {
			return 1
		}
	}
	return 0
}

// function rewrites a function's defaults and body.
func (b *binder) function(name string, params []syntax.Expr, rewrite func(), body []syntax.Stmt) {
	var parameters []string
	for _, p := range params {
		switch p := p.(type) {
		case *syntax.Ident:
			parameters = append(parameters, p.Name)
		case *syntax.BinaryExpr:
			p.Y = b.expr(p.Y)
			parameters = append(parameters, p.X.(*syntax.Ident).Name)
		}
	}
	outer := b.scope
	// Numbers come from outside alone, unless the listing calls the function itself, or hands it on.
	b.scope = b.known(outer, parameters, body, name == b.entry && b.named == 1)
	rewrite()
	b.scope = outer
}

// target rewrites what stands left of an assignment.
func (b *binder) target(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		x.X = b.target(x.X)
	case *syntax.TupleExpr:
		for i := range x.List {
			x.List[i] = b.target(x.List[i])
		}
	case *syntax.ListExpr:
		for i := range x.List {
			x.List[i] = b.target(x.List[i])
		}
	case *syntax.IndexExpr:
		x.X, x.Y = b.expr(x.X), b.expr(x.Y)
	case *syntax.Ident:
	default:
		b.refuse(syntax.Start(x), "cannot be assigned to")
	}
	return x
}

func (b *binder) single(x syntax.Expr) bool { return b.singleIn(b.scope, x) }

// expr rewrites an expression, and returns the one that takes its place.
func (b *binder) expr(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		x.X = b.expr(x.X)
	case *syntax.UnaryExpr:
		x.X = b.expr(x.X)
	case *syntax.CondExpr:
		x.Cond, x.True, x.False = b.expr(x.Cond), b.expr(x.True), b.expr(x.False)
	case *syntax.ListExpr:
		b.list(x.List)
	case *syntax.TupleExpr:
		single := !slices.ContainsFunc(x.List, func(e syntax.Expr) bool { return !b.single(e) })
		b.list(x.List)
		if !single {
			return b.call("made", syntax.Start(x), x)
		}
	case *syntax.DictExpr:
		for _, e := range x.List {
			entry := e.(*syntax.DictEntry)
			entry.Key, entry.Value = b.expr(entry.Key), b.expr(entry.Value)
		}
	case *syntax.Comprehension:
		b.comprehension(x)
	case *syntax.LambdaExpr:
		b.function("", x.Params, func() { x.Body = b.expr(x.Body) }, nil)
		none := &syntax.Ident{NamePos: x.Lambda, Name: "None"}
		x.Body = &syntax.CondExpr{
			If: x.Lambda, Cond: b.call("depth", x.Lambda), True: x.Body, ElsePos: x.Lambda,
			False: none,
		}
	case *syntax.IndexExpr:
		x.X, x.Y = b.expr(x.X), b.expr(x.Y)
	case *syntax.SliceExpr:
		x.X = b.expr(x.X)
		for _, part := range []*syntax.Expr{&x.Lo, &x.Hi, &x.Step} {
			if *part != nil {
				*part = b.expr(*part)
			}
		}
		return b.call("made", x.Lbrack, x)
	case *syntax.CallExpr:
		return b.callExpr(x)
	case *syntax.DotExpr:
		b.refuse(x.Name.NamePos, "call the method %s with brackets", x.Name.Name)
	case *syntax.BinaryExpr:
		return b.binary(x)
	}
	return x
}

func (b *binder) list(list []syntax.Expr) {
	for i := range list {
		list[i] = b.expr(list[i])
	}
}

// comprehension rewrites one. Its variables are among the bindings of the function around it.
func (b *binder) comprehension(x *syntax.Comprehension) {
	for _, c := range x.Clauses {
		switch c := c.(type) {
		case *syntax.ForClause:
			c.Vars, c.X = b.target(c.Vars), b.expr(c.X)
		case *syntax.IfClause:
			c.Cond = b.expr(c.Cond)
		}
	}
	if entry, ok := x.Body.(*syntax.DictEntry); ok {
		entry.Key, entry.Value = b.expr(entry.Key), b.expr(entry.Value)
	} else {
		x.Body = b.expr(x.Body)
	}
}

// callExpr rewrites a call. A method's result is looked at.
func (b *binder) callExpr(x *syntax.CallExpr) syntax.Expr {
	for i, a := range x.Args {
		if named, ok := a.(*syntax.BinaryExpr); ok && named.Op == syntax.EQ {
			named.Y = b.expr(named.Y)
		} else {
			x.Args[i] = b.expr(a)
		}
	}
	dot, ok := x.Fn.(*syntax.DotExpr)
	if !ok {
		x.Fn = b.expr(x.Fn)
		return x
	}
	dot.X = b.expr(dot.X)
	if dot.Name.Name == "extend" {
		if len(x.Args) != 1 {
			b.refuse(dot.Name.NamePos, "extend takes one list")
			return x
		}
		return b.call("extend", dot.Name.NamePos, dot.X, x.Args[0])
	}
	return b.call("made", dot.Name.NamePos, x)
}

// binary rewrites an operation, unless it is one of single values.
func (b *binder) binary(x *syntax.BinaryExpr) syntax.Expr {
	left, right := b.single(x.X), b.single(x.Y)
	x.X, x.Y = b.expr(x.X), b.expr(x.Y)
	switch x.Op {
	case syntax.AND, syntax.OR, syntax.MINUS, syntax.SLASHSLASH, syntax.AMP, syntax.CIRCUMFLEX, syntax.GTGT:
		return x
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.PLUS:
		if left || right {
			return x
		}
	case syntax.PERCENT:
		if left {
			return x
		}
	}
	return b.call("operation", x.OpPos, numbered(x.Op), x.X, x.Y)
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
func copyOf(x syntax.Expr) syntax.Expr {
	switch x := x.(type) {
	case *syntax.Ident:
		return &syntax.Ident{NamePos: x.NamePos, Name: x.Name}
	case *syntax.Literal:
		c := *x
		return &c
	case *syntax.ParenExpr:
		return &syntax.ParenExpr{Lparen: x.Lparen, X: copyOf(x.X), Rparen: x.Rparen}
	case *syntax.IndexExpr:
		return &syntax.IndexExpr{X: copyOf(x.X), Lbrack: x.Lbrack, Y: copyOf(x.Y), Rbrack: x.Rbrack}
	case *syntax.BinaryExpr:
		return &syntax.BinaryExpr{X: copyOf(x.X), OpPos: x.OpPos, Op: x.Op, Y: copyOf(x.Y)}
	case *syntax.UnaryExpr:
		return &syntax.UnaryExpr{OpPos: x.OpPos, Op: x.Op, X: copyOf(x.X)}
	case *syntax.CallExpr:
		c := &syntax.CallExpr{Fn: copyOf(x.Fn), Lparen: x.Lparen, Rparen: x.Rparen}
		for _, a := range x.Args {
			c.Args = append(c.Args, copyOf(a))
		}
		return c
	}
	return x
}
