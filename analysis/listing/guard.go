package listing

import (
	"fmt"
	"maps"
	"math/big"
	"math/bits"
	"reflect"
	"slices"

	"go.starlark.net/syntax"
)

// bind rewrites the tree of a listing before it is compiled. It replaces operations whose cost may depend on the size
// of values with calls of guards (builtins.go), which count the cost. Operations on small numbers stay unchanged and
// fast. Strategies mostly consist of such operations, which bind recognizes from the source text.

// misplaced is the error for a part of a listing that is not in the language.
type misplaced struct {
	position syntax.Position
	message  string
}

// binder rewrites a tree.
type binder struct {
	entry string   // the function that is called from outside
	lists []string // its parameters that are lists
	named int      // how often the text names it
	more  int      // number of functions that the text defines
	dicts bool     // the text may create dictionaries
	turns int      // how many bits a number can gain by additions in one call
	scope *scope
	stays map[syntax.Expr]bool // targets of assignments, and methods that are called: not rewritten
	err   *misplaced
}

// scope holds the maximum number of bits of each variable of a function.
type scope struct {
	outer *scope
	bits  map[string]int
}

// smallBits is the maximum number of bits of a number whose operations stay unchanged. A truth value and None have one
// bit. large represents a value that may have more bits or may not be a number.
const (
	smallBits = 256
	large     = smallBits + 1
	wordBits  = 64
)

// bind checks and rewrites the tree of a listing for a function.
func bind(tree *syntax.File, entry Signature, limits Limits) *misplaced {
	b := &binder{
		entry: entry.Name, lists: entry.Lists, turns: bits.Len64(limits.Steps) + 1, stays: map[syntax.Expr]bool{},
	}
	b.check(tree, limits)
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

// methods lists the methods that a listing may call.
var methods = []string{
	"append", "clear", "extend", "get", "insert", "items", "keys", "pop", "setdefault", "values",
}

// check reports parts that are not in the language.
func (b *binder) check(tree *syntax.File, limits Limits) {
	depth := 0
	syntax.Walk(tree, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		if depth++; depth > maxNesting {
			b.refuse(syntax.Start(n), "brackets or blocks nested more than %d levels deep", maxNesting)
			return false
		}
		switch n := n.(type) {
		case *syntax.DefStmt:
			b.more++
			b.few(n.Params)
		case *syntax.LambdaExpr:
			b.more++
			b.few(n.Params)
		case *syntax.DictExpr:
			b.dicts = true
		case *syntax.LoadStmt:
			b.refuse(n.Load, "load is not part of the language: a listing has no imports")
		case *syntax.Ident:
			if n.Name == b.entry {
				b.named++
			}
			b.dicts = b.dicts || n.Name == "dict"
		case *syntax.Literal:
			if n.Token == syntax.FLOAT || n.Token == syntax.BYTES {
				b.refuse(n.TokenPos, "%s is not a whole number: use whole numbers", cut(n.Raw))
			}
			if long, ok := n.Value.(*big.Int); ok && long.BitLen() > limits.Bits {
				b.refuse(n.TokenPos, "a number of more than %d bits", limits.Bits)
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.SLASH {
				b.refuse(n.OpPos, "/ makes fractions: divide with //, which rounds down")
			}
		case *syntax.UnaryExpr:
			if n.Op == syntax.STAR || n.Op == syntax.STARSTAR {
				b.refuse(n.OpPos, "a star before a name is not part of the language: name each parameter")
			}
		case *syntax.Comprehension:
			if n.Curly {
				b.dicts = true
				if _, ok := n.Body.(*syntax.DictEntry); !ok {
					b.refuse(n.Lbrack, "sets are not part of the language: use a list or a dictionary")
				}
			}
		case *syntax.AssignStmt:
			if n.Op == syntax.SLASH_EQ {
				b.refuse(n.OpPos, "/= makes fractions: divide with //=, which rounds down")
			}
			if n.Op != syntax.EQ && !simple(n.LHS) {
				b.refuse(n.OpPos, "the left side would be computed twice: assign its parts to names first")
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

// MaxParameters is the maximum number of parameters of a function in a listing.
const MaxParameters = 100

// few reports a function with too many parameters: each call visits all of them.
func (b *binder) few(params []syntax.Expr) {
	if len(params) > MaxParameters {
		b.refuse(syntax.Start(params[MaxParameters]), "a function of more than %d parameters: use a list",
			MaxParameters)
	}
}

// simple reports whether an expression can be computed twice: a name, or an element at a name or a number.
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

// binding is a value that is bound to a name somewhere in a function.
type binding struct {
	name  string
	value syntax.Expr // nil if it may be anything
	of    from
}

// from is the way in which a name is bound.
type from int

const (
	itself from = iota
	each        // the elements of the value, one after another
	around      // the name in a comprehension; elsewhere it may refer to an enclosing function
)

// known determines how many bits the variables of a function have. If words is true, its parameters are as wide as a
// machine word. This holds for the listing's function if the listing does not call it.
func (b *binder) known(outer *scope, parameters []string, body []syntax.Stmt, words bool) *scope {
	s := &scope{outer: outer, bits: map[string]int{}}
	var all []binding
	for _, stmt := range body {
		all = collect(stmt, all)
	}
	first := map[string]int{}
	for _, a := range all {
		first[a.name] = 0
	}
	for _, name := range parameters {
		if first[name] = wordBits; !words || slices.Contains(b.lists, name) {
			first[name] = large
		}
	}
	s.bits = maps.Clone(first)
	// Bits grow from 0. A value that still grows after a few rounds may have any length.
	const few, most = 8, 64
	for round := 0; ; round++ {
		next, added := maps.Clone(first), map[string]int{}
		for _, a := range all {
			if term := addend(a); term != nil {
				added[a.name] = max(added[a.name], b.bitsIn(s, term))
			} else {
				next[a.name] = max(next[a.name], b.bitsOf(s, a))
			}
		}
		changed := false
		for name, n := range next {
			if more := added[name]; more > 0 { // the addition can happen in each step of a call
				n = max(n, more) + b.turns
			}
			if n > s.bits[name] && round >= few || round >= most || n > large {
				n = large
			}
			if n > s.bits[name] {
				s.bits[name], changed = n, true
			}
		}
		if !changed {
			return s
		}
	}
}

// addend returns what a binding adds to a name or subtracts from it; nil if it does something else.
func addend(a binding) syntax.Expr {
	sum, ok := a.value.(*syntax.BinaryExpr)
	if !ok || a.of != itself {
		return nil
	}
	is := func(x syntax.Expr) bool {
		name, ok := x.(*syntax.Ident)
		return ok && name.Name == a.name
	}
	switch {
	case is(sum.X) && (sum.Op == syntax.PLUS || sum.Op == syntax.MINUS):
		return sum.Y
	case is(sum.Y) && sum.Op == syntax.PLUS:
		return sum.X
	}
	return nil
}

// bitsOf returns how many bits a name has after a binding.
func (b *binder) bitsOf(s *scope, a binding) int {
	switch {
	case a.of == around && s.outer.bound(a.name):
		return s.outer.lookup(a.name)
	case a.of == around:
		return 0
	case a.value == nil:
		return large
	case a.of == each:
		if call, ok := a.value.(*syntax.CallExpr); ok && s.builtin(call.Fn) == "range" {
			return wordBits
		}
		return large
	}
	return b.bitsIn(s, a.value)
}

// collect adds the bindings of a statement or an expression, except those inside of functions.
func collect(n syntax.Node, all []binding) []binding {
	var target func(lhs syntax.Expr, value syntax.Expr, of from)
	target = func(lhs, value syntax.Expr, of from) {
		switch lhs := lhs.(type) {
		case *syntax.Ident:
			all = append(all, binding{lhs.Name, value, of})
		case *syntax.ParenExpr:
			target(lhs.X, value, of)
		case *syntax.TupleExpr, *syntax.ListExpr:
			left, right := elements(lhs), elements(value)
			for i, x := range left {
				if len(left) == len(right) && of == itself {
					target(x, right[i], itself)
				} else {
					target(x, nil, itself)
				}
			}
		}
	}
	loop := func(vars, over syntax.Expr) {
		if values := elements(over); values != nil {
			for _, value := range values {
				target(vars, value, itself)
			}
		} else {
			target(vars, over, each)
		}
	}
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			target(n.Name, nil, itself)
			for _, p := range n.Params {
				all = collect(p, all)
			}
			return false
		case *syntax.LambdaExpr:
			for _, p := range n.Params {
				all = collect(p, all)
			}
			return false
		case *syntax.AssignStmt:
			if n.Op == syntax.EQ {
				target(n.LHS, n.RHS, itself)
			} else if name, ok := n.LHS.(*syntax.Ident); ok {
				op := n.Op - syntax.PLUS_EQ + syntax.PLUS
				target(name, &syntax.BinaryExpr{X: name, Op: op, Y: n.RHS}, itself)
			}
		case *syntax.ForStmt:
			loop(n.Vars, n.X)
		case *syntax.ForClause:
			loop(n.Vars, n.X)
			syntax.Walk(n.Vars, func(n syntax.Node) bool {
				if name, ok := n.(*syntax.Ident); ok {
					all = append(all, binding{name.Name, nil, around})
				}
				return true
			})
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

// lookup returns how many bits a name has.
func (s *scope) lookup(name string) int {
	for ; s != nil; s = s.outer {
		if bits, ok := s.bits[name]; ok {
			return bits
		}
	}
	return large
}

// bound reports whether the listing binds a name in this scope or an enclosing one.
func (s *scope) bound(name string) bool {
	for ; s != nil; s = s.outer {
		if _, ok := s.bits[name]; ok {
			return true
		}
	}
	return false
}

// builtin returns the name of the built-in function that an expression names; "" if it names none.
func (s *scope) builtin(x syntax.Expr) string {
	if name, ok := x.(*syntax.Ident); ok && !s.bound(name.Name) {
		return name.Name
	}
	return ""
}

// bitsIn returns the maximum number of bits of an expression, as far as the text shows. It returns large if the value
// may have more bits, or may be neither a number nor a truth value nor None.
func (b *binder) bitsIn(s *scope, x syntax.Expr) int {
	n := large
	switch x := x.(type) {
	case *syntax.Literal:
		switch number := x.Value.(type) {
		case int64:
			n = max(1, bits.Len64(uint64(number))) // a literal has no sign
		case *big.Int:
			n = number.BitLen()
		}
	case *syntax.Ident:
		if n = s.lookup(x.Name); slices.Contains(constants, s.builtin(x)) {
			n = 1
		}
	case *syntax.ParenExpr:
		n = b.bitsIn(s, x.X)
	case *syntax.UnaryExpr:
		if n = 1; x.Op != syntax.NOT {
			n = b.bitsIn(s, x.X) + 1
		}
	case *syntax.BinaryExpr:
		n = b.bitsOfOperation(s, x)
	case *syntax.CondExpr:
		n = max(b.bitsIn(s, x.True), b.bitsIn(s, x.False))
	case *syntax.CallExpr:
		n = b.bitsOfCall(s, x)
	}
	return min(n, large)
}

func (b *binder) bitsOfOperation(s *scope, x *syntax.BinaryExpr) int {
	left, right := b.bitsIn(s, x.X), b.bitsIn(s, x.Y)
	switch x.Op {
	case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE, syntax.IN, syntax.NOT_IN:
		return 1
	case syntax.EQ: // the name of an argument
		return large
	case syntax.AND, syntax.OR:
		return max(left, right)
	case syntax.STAR:
		return left + right
	case syntax.LTLT:
		if by, ok := x.Y.(*syntax.Literal); ok {
			if by, ok := by.Value.(int64); ok && by < large {
				return left + int(by)
			}
		}
		return large
	case syntax.PERCENT:
		if left >= large { // the left side may be a string
			return large
		}
		return right
	}
	return max(left, right) + 1
}

func (b *binder) bitsOfCall(s *scope, x *syntax.CallExpr) int {
	most := 0
	for _, a := range x.Args {
		most = max(most, b.bitsIn(s, a))
	}
	switch s.builtin(x.Fn) {
	case "len":
		return wordBits
	case "bool", "any", "all":
		return 1
	case "abs":
		return most
	case "int":
		if len(x.Args) == 1 {
			return most
		}
	case "min", "max":
		if len(x.Args) > 1 {
			return most
		}
	}
	return large
}

// node is the interface of the nodes of a tree.
var node = reflect.TypeFor[syntax.Node]()

// rewrite inserts guards into a part of a tree, after rewriting the part's own parts.
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
		parts := b.parts(x)
		if b.more > 1 || b.named > 1 || parts != nil { // the listing's functions may call each other
			enter := &syntax.ExprStmt{X: b.call(guardDepth, x.Def, parts...)}
			x.Body = slices.Insert(x.Body, docstring(x.Body), syntax.Stmt(enter))
		}
	case *syntax.LambdaExpr:
		body := []syntax.Stmt{&syntax.ExprStmt{X: x.Body}}
		b.function("", x.Params, body, func() { b.rewrite(reflect.ValueOf(&x.Body).Elem()) })
		none := &syntax.Ident{NamePos: x.Lambda, Name: "None"}
		x.Body = &syntax.CondExpr{
			If: x.Lambda, Cond: b.call(guardDepth, x.Lambda, b.parts(x)...), True: x.Body, ElsePos: x.Lambda,
			False: none,
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

// parts returns the number of parts of a function, as the argument of a guard, or nil if the function is small. A call
// allocates room for the function's names and for intermediate values. Both numbers are smaller than the number of
// parts.
func (b *binder) parts(function syntax.Node) []syntax.Expr {
	n := 0
	syntax.Walk(function, func(part syntax.Node) bool {
		if part != nil {
			n++
		}
		return true
	})
	if n <= manyParts {
		return nil
	}
	return []syntax.Expr{&syntax.Literal{Token: syntax.INT, Value: int64(n)}}
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

// function rewrites a function's defaults, which belong to the enclosing scope, and its body.
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
	// The parameters are known to be numbers unless the listing itself calls the function or passes it on.
	b.scope = b.known(outer, parameters, body, name == b.entry && b.named == 1)
	rewrite()
	b.scope = outer
}

// target visits the left side of an assignment. Only expressions in brackets are computed on that side.
func (b *binder) target(x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.ParenExpr:
		b.target(x.X)
	case *syntax.TupleExpr, *syntax.ListExpr:
		b.stays[x] = true
		for _, e := range elements(x) {
			b.target(e)
		}
	case *syntax.Ident:
	case *syntax.IndexExpr:
		if b.stays[x] = true; b.dicts && !simple(x.X) {
			b.refuse(x.Lbrack, "the left side would be computed twice: assign its parts to names first")
		}
	default:
		b.refuse(syntax.Start(x), "nothing can be assigned to this")
	}
}

func (b *binder) small(x syntax.Expr) bool { return b.bitsIn(b.scope, x) < large }

// guard returns a function that creates the replacement for a part of the tree, or nil if the part stays. guard decides
// based on the original parts; the caller calls the function after rewriting them.
func (b *binder) guard(n syntax.Node) func() syntax.Node {
	switch x := n.(type) {
	case *syntax.ForStmt:
		b.target(x.Vars)
	case *syntax.ForClause:
		b.target(x.Vars)
	case *syntax.AssignStmt:
		b.target(x.LHS)
		op := x.Op - syntax.PLUS_EQ + syntax.PLUS
		if x.Op == syntax.EQ || b.small(&syntax.BinaryExpr{X: x.LHS, Op: op, Y: x.RHS}) {
			return nil
		}
		read := copyOf(x.LHS)
		return func() syntax.Node {
			b.rewrite(reflect.ValueOf(&read).Elem())
			x.RHS, x.Op = b.call(x.Op.String(), x.OpPos, read, x.RHS), syntax.EQ
			return x
		}
	case *syntax.IndexExpr:
		return b.index(x)
	case *syntax.SliceExpr:
		return func() syntax.Node { return b.call(guardSlice, x.Lbrack, x) }
	case *syntax.DictExpr:
		return func() syntax.Node {
			if len(x.List) == 0 {
				return b.call(guardEntries, x.Lbrace)
			}
			list := &syntax.ListExpr{Lbrack: x.Lbrace, Rbrack: x.Rbrace}
			for _, e := range x.List {
				entry := e.(*syntax.DictEntry)
				list.List = append(list.List, entry.Key, entry.Value)
			}
			return b.call(guardEntries, x.Lbrace, list)
		}
	case *syntax.Comprehension:
		if entry, ok := x.Body.(*syntax.DictEntry); ok {
			return func() syntax.Node {
				x.Curly, x.Body = false, &syntax.ListExpr{List: []syntax.Expr{entry.Key, entry.Value}}
				return b.call(guardPairs, x.Lbrack, x)
			}
		}
	case *syntax.DotExpr:
		if !b.stays[x] {
			b.refuse(x.Name.NamePos, "call the method %s with brackets", x.Name.Name)
		}
	case *syntax.CallExpr:
		if dot, ok := x.Fn.(*syntax.DotExpr); ok {
			b.stays[dot] = true
			return func() syntax.Node {
				return b.call("."+dot.Name.Name, x.Lparen, slices.Concat([]syntax.Expr{dot.X}, x.Args)...)
			}
		}
	case *syntax.UnaryExpr:
		if x.Op != syntax.NOT && !b.small(x.X) {
			return func() syntax.Node { return b.call(guardUnary+x.Op.String(), x.OpPos, x.X) }
		}
	case *syntax.BinaryExpr:
		switch x.Op {
		case syntax.EQ, syntax.AND, syntax.OR: // the name of an argument, or not an operation on numbers
			return nil
		case syntax.EQL, syntax.NEQ, syntax.LT, syntax.LE, syntax.GT, syntax.GE: // a number has no parts
			if b.small(x.X) || b.small(x.Y) {
				return nil
			}
		case syntax.IN, syntax.NOT_IN:
		default:
			if b.small(x) {
				return nil
			}
		}
		return func() syntax.Node { return b.call(x.Op.String(), x.OpPos, x.X, x.Y) }
	}
	return nil
}

// index does the work of guard for an element that is read or written. Only access to an element of a dictionary costs
// more than a step.
func (b *binder) index(x *syntax.IndexExpr) func() syntax.Node {
	switch {
	case !b.dicts:
	case b.stays[x]:
		of := copyOf(x.X)
		return func() syntax.Node {
			b.rewrite(reflect.ValueOf(&of).Elem())
			x.Y = b.call(guardPut, x.Lbrack, of, x.Y)
			return x
		}
	case !b.small(x.Y):
		return func() syntax.Node {
			x.Y = b.call(guardKey, x.Lbrack, x.Y)
			return x
		}
	}
	return nil
}

// call returns a call of a guard at a place in the listing.
func (b *binder) call(guard string, at syntax.Position, args ...syntax.Expr) syntax.Expr {
	return &syntax.CallExpr{
		Fn:     &syntax.Ident{NamePos: at, Name: guard},
		Lparen: at,
		Args:   args,
		Rparen: at,
	}
}

// copyOf copies a simple expression: a tree must not contain a node twice.
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
