package pseudocode

import (
	"math"
	"strconv"
)

// parser turns lines into functions.
type parser struct {
	program *Program
	lines   []line
	at      int // the line that comes next

	tokens []token // of the line at hand
	pos    int
	number int // of that line
	usage  usage
}

// open begins with the next line.
func (p *parser) open() line {
	l := p.lines[p.at]
	p.at++
	p.tokens, p.pos, p.number = l.tokens, 0, l.number
	return l
}

func (p *parser) failf(format string, args ...any) { panic(fault(p.number, format, args...)) }

// peek returns the next token; at the end of the line one of that kind.
func (p *parser) peek() token {
	if p.pos < len(p.tokens) {
		return p.tokens[p.pos]
	}
	return token{}
}

// take goes past a sign or a word of the notation, if it comes next.
func (p *parser) take(text string) bool {
	if t := p.peek(); t.text == text && (t.kind == sign || t.kind == name) {
		p.pos++
		return true
	}
	return false
}

func (p *parser) expect(text string) {
	if !p.take(text) {
		p.failf("%q where %q should be", p.peek().text, text)
	}
}

// reserved are the words that cannot be names.
var reserved = map[string]bool{
	"function": true, "return": true, "if": true, "else": true, "for": true, "each": true, "in": true, "from": true, "to": true,
	"while": true, "repeat": true, "until": true, "add": true, "and": true, "or": true, "not": true,
}

// newName reads a name that gets a value.
func (p *parser) newName() string {
	t := p.peek()
	if t.kind != name || reserved[t.text] || builtins[t.text] {
		p.failf("%q where a name should be", t.text)
	}
	p.pos++
	p.usage.known[t.text] = true
	return t.text
}

func (p *parser) names() []string {
	list := []string{p.newName()}
	for p.take(",") {
		list = append(list, p.newName())
	}
	return list
}

// finish makes sure that nothing follows on the line.
func (p *parser) finish() {
	if t := p.peek(); t.kind != end {
		p.failf("%q is not understood here", t.text)
	}
}

func (p *parser) function() usage {
	p.usage = usage{used: map[string]int{}, known: map[string]bool{}}
	l := p.open()
	if l.depth != 0 || !p.take("function") {
		p.failf("a listing is functions: begin it with function Name(parameters):")
	}
	f := &function{name: p.newName()}
	if _, twice := p.program.functions[f.name]; twice {
		p.failf("there are two functions %s", f.name)
	}
	p.program.functions[f.name] = f
	p.expect("(")
	if !p.take(")") {
		f.params = p.names()
		p.expect(")")
	}
	f.body = p.body(l.depth)
	return p.usage
}

// body reads what follows a colon: a statement on the line, or a block below it.
func (p *parser) body(depth int) []statement {
	p.expect(":")
	if p.peek().kind != end {
		return []statement{p.simple()}
	}
	block := p.block(depth + 1)
	if len(block) == 0 {
		p.failf("nothing follows the colon: indent what belongs to it by %d spaces", indent)
	}
	return block
}

func (p *parser) block(depth int) []statement {
	var list []statement
	for p.at < len(p.lines) && p.lines[p.at].depth >= depth {
		if p.next(depth, "until") {
			break
		}
		list = append(list, p.statement(depth))
	}
	return list
}

// next says whether a line of a depth comes next that begins with a word.
func (p *parser) next(depth int, word string) bool {
	return p.at < len(p.lines) && p.lines[p.at].depth == depth && p.lines[p.at].tokens[0].text == word
}

func (p *parser) statement(depth int) statement {
	if l := p.open(); l.depth != depth {
		p.failf("the line is indented too far")
	}
	switch {
	case p.take("if"):
		return p.choice(depth)
	case p.take("for"):
		return p.loop(depth)
	case p.take("while"):
		condition := p.condition()
		return again(condition, p.body(depth), true)
	case p.take("repeat"):
		body := p.body(depth)
		if !p.next(depth, "until") {
			p.failf("repeat without until: write it below the block, as deep as repeat")
		}
		p.open()
		p.expect("until")
		condition := p.condition()
		p.finish()
		return again(condition, body, false)
	}
	return p.simple()
}

// choice reads what follows an if.
func (p *parser) choice(depth int) statement {
	condition := p.condition()
	then := p.body(depth)
	var otherwise []statement
	if p.next(depth, "else") {
		p.open()
		p.expect("else")
		if p.take("if") {
			otherwise = []statement{p.choice(depth)}
		} else {
			otherwise = p.body(depth)
		}
	}
	return func(in *frame) (any, bool) {
		if condition(in) {
			return in.run(then)
		}
		return in.run(otherwise)
	}
}

// again repeats a body: while a condition holds, which is asked before, or until it holds, which is asked after.
func again(condition func(*frame) bool, body []statement, before bool) statement {
	return func(in *frame) (any, bool) {
		for {
			if before && !condition(in) {
				return nil, false
			}
			in.steps++
			if result, returned := in.run(body); returned {
				return result, true
			}
			if !before && condition(in) {
				return nil, false
			}
		}
	}
}

// loop reads what follows a for.
func (p *parser) loop(depth int) statement {
	if p.take("each") {
		keys := p.names()
		p.expect("in")
		line, over := p.number, p.sum()
		body := p.body(depth)
		return func(in *frame) (any, bool) {
			table, ok := over(in).(*Table)
			if !ok {
				panic(fault(line, "for each goes through tables only"))
			}
			for _, e := range table.entries {
				give(in, keys, e.Key, line)
				if result, returned := in.run(body); returned {
					return result, true
				}
			}
			return nil, false
		}
	}
	running := p.newName()
	p.expect("from")
	from := p.sum()
	p.expect("to")
	line, to := p.number, p.sum()
	body := p.body(depth)
	return func(in *frame) (any, bool) {
		first, ok1 := from(in).(int64)
		last := to(in)
		if !ok1 {
			panic(fault(line, "for goes from a whole number on"))
		}
		for i := first; compare(i, last, line) <= 0; i++ {
			in.values[running] = i
			if result, returned := in.run(body); returned {
				return result, true
			}
		}
		return nil, false
	}
}

// give gives names to values.
func give(in *frame, names []string, values []any, line int) {
	if len(names) != len(values) {
		panic(fault(line, "%d values for %d names", len(values), len(names)))
	}
	for i, name := range names {
		in.values[name] = values[i]
	}
}

// simple reads a statement of one line, to its end.
func (p *parser) simple() statement {
	s := p.action()
	p.finish()
	return s
}

func (p *parser) action() statement {
	line := p.number
	switch {
	case p.take("return"):
		value := p.list()
		return func(in *frame) (any, bool) { return value(in), true }
	case p.take("add"):
		value := p.sum()
		p.expect("to")
		to := p.target(true)
		return func(in *frame) (any, bool) {
			to.set(in, sum(to.get(in, line), value(in), line), line)
			return nil, false
		}
	}
	if !p.assigns() {
		value := p.list()
		return func(in *frame) (any, bool) {
			value(in)
			return nil, false
		}
	}
	targets := []target{p.target(false)}
	for p.take(",") {
		targets = append(targets, p.target(false))
	}
	p.expect("←")
	value := p.list()
	return func(in *frame) (any, bool) {
		v := value(in)
		values := []any{v}
		if len(targets) > 1 {
			values = list(v)
		}
		if len(values) != len(targets) {
			panic(fault(line, "%d values for %d names", len(values), len(targets)))
		}
		for i, t := range targets {
			t.set(in, values[i], line)
		}
		return nil, false
	}
}

// assigns says whether the line gives values.
func (p *parser) assigns() bool {
	for _, t := range p.tokens[p.pos:] {
		if t.kind == sign && t.text == "←" {
			return true
		}
	}
	return false
}

// target is what gets a value: a name, or an entry of a table.
type target struct {
	name string
	key  expression
}

func (p *parser) target(used bool) target {
	if t := p.peek(); used || p.pos+1 < len(p.tokens) && p.tokens[p.pos+1].text == "[" {
		p.use(t.text)
		known := p.usage.known[t.text]
		made := target{name: p.newName()}
		p.usage.known[t.text] = known // it must have a value already
		if p.take("[") {
			made.key = p.list()
			p.expect("]")
		}
		return made
	}
	return target{name: p.newName()}
}

func (p *parser) use(name string) {
	if _, ok := p.usage.used[name]; !ok {
		p.usage.used[name] = p.number
	}
}

func (t target) table(in *frame, line int) *Table {
	table, ok := in.value(t.name, line).(*Table)
	if !ok {
		panic(fault(line, "%s is no table: begin with %s ← {}", t.name, t.name))
	}
	return table
}

func (t target) get(in *frame, line int) any {
	if t.key == nil {
		return in.value(t.name, line)
	}
	return t.table(in, line).At(list(t.key(in))...)
}

func (t target) set(in *frame, value any, line int) {
	if t.key == nil {
		in.values[t.name] = value
		return
	}
	t.table(in, line).set(list(t.key(in)), value)
}

// list reads one or several values.
func (p *parser) list() expression {
	all := []expression{p.either()}
	for p.take(",") {
		all = append(all, p.either())
	}
	if len(all) == 1 {
		return all[0]
	}
	return func(in *frame) any {
		values := make([]any, len(all))
		for i, e := range all {
			values[i] = e(in)
		}
		return values
	}
}

// condition reads what is true or false.
func (p *parser) condition() func(*frame) bool {
	line, value := p.number, p.either()
	return func(in *frame) bool { return truth(value(in), line) }
}

func truth(v any, line int) bool {
	holds, ok := v.(bool)
	if !ok {
		panic(fault(line, "%v is neither true nor false", v))
	}
	return holds
}

func (p *parser) either() expression {
	first := p.both()
	for p.take("or") {
		line, a, b := p.number, first, p.both()
		first = func(in *frame) any { return truth(a(in), line) || truth(b(in), line) }
	}
	return first
}

func (p *parser) both() expression {
	first := p.comparison()
	for p.take("and") {
		line, a, b := p.number, first, p.comparison()
		first = func(in *frame) any { return truth(a(in), line) && truth(b(in), line) }
	}
	return first
}

// comparisons say what the sign of compare has to be.
var comparisons = map[string]func(int) bool{
	"<": func(c int) bool { return c < 0 }, "≤": func(c int) bool { return c <= 0 },
	">": func(c int) bool { return c > 0 }, "≥": func(c int) bool { return c >= 0 },
}

func (p *parser) comparison() expression {
	line := p.number
	if p.take("not") {
		value := p.comparison()
		return func(in *frame) any { return !truth(value(in), line) }
	}
	a := p.sum()
	for _, sign := range []string{"=", "≠"} {
		if p.take(sign) {
			b := p.sum()
			return func(in *frame) any { return equal(a(in), b(in), line) == (sign == "=") }
		}
	}
	for sign, holds := range comparisons {
		if p.take(sign) {
			b := p.sum()
			return func(in *frame) any { return holds(compare(a(in), b(in), line)) }
		}
	}
	return a
}

func (p *parser) sum() expression { return p.chain(p.product, "+", "−") }

func (p *parser) product() expression { return p.chain(p.signed, "·", "/") }

// chain reads operands with operators of one rank between them.
func (p *parser) chain(operand func() expression, operators ...string) expression {
	first := operand()
	for {
		operator := ""
		for _, o := range operators {
			if operator == "" && p.take(o) {
				operator = o
			}
		}
		if operator == "" {
			return first
		}
		line, a, b := p.number, first, operand()
		first = func(in *frame) any { return arithmetic(operator, a(in), b(in), line) }
	}
}

func (p *parser) signed() expression {
	line := p.number
	switch {
	case p.take("−"):
		value := p.signed()
		return func(in *frame) any { return arithmetic("−", int64(0), value(in), line) }
	case p.take("√"):
		value := p.signed()
		return func(in *frame) any { return math.Sqrt(fraction(value(in), line)) }
	}
	return p.operand()
}

// operand reads a value with what is glued to it: an index, the arguments of a call, a square.
func (p *parser) operand() expression {
	value := p.primary()
	for {
		line, inner := p.number, value
		switch t := p.peek(); {
		case t.text == "²" && t.kind == sign:
			p.pos++
			value = func(in *frame) any {
				v := inner(in)
				return arithmetic("·", v, v, line)
			}
		case t.text == "[" && t.glued:
			p.pos++
			key := p.list()
			p.expect("]")
			value = func(in *frame) any {
				table, ok := inner(in).(*Table)
				if !ok {
					panic(fault(line, "what stands before [ is no table"))
				}
				return table.At(list(key(in))...)
			}
		default:
			return value
		}
	}
}

func (p *parser) primary() expression {
	t, line := p.peek(), p.number
	p.pos++
	switch {
	case t.kind == digits:
		n, err := strconv.ParseInt(t.text, 10, 64)
		if err != nil {
			p.failf("%s is beyond 64 bits", t.text)
		}
		if next := p.peek(); next.glued && (next.kind == name || next.text == "(") {
			times := p.operand()
			return func(in *frame) any { return arithmetic("·", n, times(in), line) }
		}
		return func(*frame) any { return n }
	case t.kind == quoted:
		return func(*frame) any { return t.text }
	case t.kind == name && !reserved[t.text]:
		return p.named(t.text)
	case t.kind == sign && t.text == "(":
		value := p.list()
		p.expect(")")
		return value
	case t.kind == sign && t.text == "{":
		p.expect("}")
		return func(*frame) any { return newTable() }
	case t.kind == sign && (t.text == "⌈" || t.text == "⌊"):
		value, round := p.either(), math.Ceil
		if t.text == "⌊" {
			round = math.Floor
			p.expect("⌋")
		} else {
			p.expect("⌉")
		}
		return func(in *frame) any { return rounded(value(in), round, line) }
	}
	p.failf("%q where a value should be", t.text)
	return nil
}

// named reads a name that has a value, or a call.
func (p *parser) named(called string) expression {
	p.use(called)
	line := p.number
	if next := p.peek(); next.text != "(" || !next.glued {
		return func(in *frame) any { return in.value(called, line) }
	}
	p.pos++
	var args []expression
	for !p.take(")") {
		if len(args) > 0 {
			p.expect(",")
		}
		args = append(args, p.either())
	}
	return func(in *frame) any {
		values := make([]any, len(args))
		for i, arg := range args {
			values[i] = arg(in)
		}
		return in.apply(called, values, line)
	}
}

// apply calls a function by its name.
func (in *frame) apply(called string, values []any, line int) any {
	switch {
	case !builtins[called]:
	case len(values) == 0 || called == "log" && len(values) > 1:
		panic(fault(line, "%s does not take %d values", called, len(values)))
	case called == "min":
		return extreme(values, -1, line)
	case called == "max":
		return extreme(values, 1, line)
	default:
		return math.Log(fraction(values[0], line))
	}
	f, ok := in.value(called, line).(*function)
	if !ok {
		panic(fault(line, "%s is no function", called))
	}
	return in.call(f, values, line)
}
