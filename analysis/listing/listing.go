// Package listing runs algorithms that readers write: short programs in Starlark, a language with Python's syntax.
//
// A listing is source text that defines a function with the name and the parameters of a [Signature], and whatever that
// function needs. Its numbers are exact integers. It has no clock, no random numbers, no files and no network, and
// keeps no state between calls: the same arguments give the same answer. A listing that uses only the words below runs
// unchanged in Python 3.
//
// The package does not know any game. A [Game] defines the question that a listing answers, and how its answers are
// judged. The games are in package games.
//
// # Language
//
// Statements: def, if, for, while, break, continue, pass, return, assignment. Values: integers, True, False, None,
// strings, lists, tuples and dictionaries. Functions: abs, all, any, bool, dict, enumerate, int, len, list, max, min,
// print, range, reversed, sorted, str, sum, tuple, zip. Methods of lists: append, clear, extend, insert, pop; of
// dictionaries: clear, get, items, keys, pop, setdefault, values. There are no classes, no imports, no exceptions, no
// generators, no sets and no fractions: division is //.
//
// # Limits
//
// A listing may come from anybody, and may be hostile. [Limits] restricts what a call may do. A call that exceeds a
// limit fails with an [*Error] that names the line. The limits are counts, so a listing fails at the same place on
// every machine, however busy the machine is; cost.go describes what is counted. A comparison of players has its own
// limit, [MostSteps].
package listing

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"math/big"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"

	"github.com/siegebook/siegebook/analysis/internal/exactjson"
	"github.com/siegebook/siegebook/internal/addresses"
)

func init() { addresses.Restore() }

// Limits limit a listing and each call of its function.
type Limits struct {
	Text  int    `json:"text"`  // maximum size of the text in bytes
	Steps uint64 `json:"steps"` // instructions in a call, and in the statements outside of functions
	// Items limits the elements of lists, tuples and dictionaries, and the bytes of strings, that one operation of a
	// call creates or visits.
	Items int `json:"items"`
	Total int `json:"total"` // the same for all operations of a call together
	Bits  int `json:"bits"`  // the bits of a number
	Depth int `json:"depth"` // the depth of nested calls
	Lines int `json:"lines"` // lines that print writes over the lifetime of the listing
}

// DefaultLimits are the limits of the commands and of the report.
var DefaultLimits = Limits{
	Text: 1 << 16, Steps: 1_000_000, Items: 100_000, Total: 1_000_000, Bits: 1 << 12, Depth: 1_000, Lines: 1_000,
}

// Signature is the function that a listing has to define.
type Signature struct {
	Name       string   `json:"name"`
	Parameters []string `json:"parameters"`
	Lists      []string `json:"lists"` // the parameters that are lists; the others are numbers
}

// String returns the first line of the function's definition, without the colon.
func (s Signature) String() string {
	return fmt.Sprintf("def %s(%s)", s.Name, strings.Join(s.Parameters, ", "))
}

// Error is an error in a listing: in its text, in a step of it, or in its result.
type Error struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`  // numbered from 1; 0 if the error has no place
	Text    string `json:"text"`    // the line of the listing; empty if the error has no place
	Message string `json:"message"` // what is wrong and how to fix it
}

// Error returns the error as one line: the place and the message.
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

type notData = exactjson.NotData

// Listing is a parsed program. Several goroutines may call it at the same time.
type Listing struct {
	notData
	// Name is the file's name without its ending, in the form of an algorithm's name.
	Name string
	// Title is the first line of the function's docstring, at most 60 characters, or Name if there is none.
	Title string

	file, text string
	signature  Signature
	limits     Limits
	function   starlark.Callable
	reads      map[string]bool // the names in the text, except the parameters of its function
	threads    sync.Pool
	alike      int // the maximum number of keys of a class in dictionaries that all calls share

	begun, ended atomic.Int64

	mu      sync.Mutex
	printed []string
	lost    bool // more lines were printed than are kept
}

// Read reads a listing. The file's name appears in messages, and determines the algorithm's name. Zero limits mean
// DefaultLimits. The error is an *Error.
func Read(file string, text []byte, signature Signature, limits Limits) (*Listing, error) {
	l := &Listing{
		Name: Name(file), file: file, text: string(text), signature: signature, limits: limits.orDefault(),
	}
	if signature.Name == "" {
		return nil, l.fault("the signature has no name: use the signature of a game")
	}
	globals, err := l.run(limits)
	if err != nil {
		return nil, err
	}
	if err := l.define(globals); err != nil {
		return nil, err
	}
	return l, nil
}

// run checks the text, runs its statements and returns what they define.
func (l *Listing) run(limits Limits) (starlark.StringDict, error) {
	switch {
	case limits.negative():
		return nil, l.fault("limits = %+v: no limit may be negative", limits)
	case len(l.text) > l.limits.Text:
		return nil, l.fault("the listing has more than %d bytes: shorten it", l.limits.Text)
	case !utf8.ValidString(l.text):
		return nil, l.fault("the listing is not UTF-8: save it in that encoding")
	}
	tree, err := options.Parse(l.file, l.text, 0)
	if err != nil {
		return nil, l.syntax(err)
	}
	l.reads = named(tree)
	if err := bind(tree, l.signature, l.limits); err != nil {
		return nil, l.place(err.position, "%s", err.message)
	}
	program, err := starlark.FileProgram(tree, predeclared.Has)
	if err != nil {
		return nil, l.syntax(err)
	}
	thread := l.thread()
	defer spent(thread).release()
	globals, err := program.Init(thread, predeclared)
	if err != nil {
		return nil, l.failed(err, thread)
	}
	if err := l.shallow(globals); err != nil {
		return nil, err
	}
	l.alike = spent(thread).alike
	globals.Freeze()
	l.threads.New = func() any { return l.thread() }
	return globals, nil
}

// shallow returns an error for values with too many elements or too deep nesting: the interpreter freezes nested
// values recursively, and tuples as often as they occur.
func (l *Listing) shallow(globals starlark.StringDict) error {
	levels := map[starlark.Value]int{} // the levels of values that are frozen once; 0 while a value is being visited
	visits := 0
	var level func(v starlark.Value, at int) int
	level = func(v starlark.Value, at int) int {
		visits++
		_, tuple := v.(starlark.Tuple)
		switch v.(type) {
		case *starlark.List, *starlark.Dict, *starlark.Function:
			if n, known := levels[v]; known && n == 0 {
				return MaxLevels // the value contains itself
			} else if known {
				return n
			}
			levels[v] = 0
		}
		n := 0
		for part := range parts(v) {
			if at+n >= MaxLevels || visits > l.limits.Total {
				break
			}
			n = max(n, level(part, at+1))
		}
		if n++; !tuple {
			levels[v] = n
		}
		return n
	}
	for _, name := range globals.Keys() {
		if n := level(globals[name], 0); n > MaxLevels {
			return l.fault("%s contains itself, or values nested more than %d levels deep", name, MaxLevels)
		} else if visits > l.limits.Total {
			return l.fault("%s contains more than %d values", name, l.limits.Total)
		}
	}
	return nil
}

// parts yields the values in a value.
func parts(v starlark.Value) iter.Seq[starlark.Value] {
	return func(yield func(starlark.Value) bool) {
		switch v := v.(type) {
		case starlark.Tuple:
			slices.Values(v)(yield)
		case *starlark.List:
			v.Elements()(yield)
		case *starlark.Dict:
			for key, value := range v.Entries() {
				if !yield(key) || !yield(value) {
					return
				}
			}
		case *starlark.Function:
			for i := range v.NumParams() {
				if value := v.ParamDefault(i); value != nil && !yield(value) {
					return
				}
			}
			for i := range v.NumFreeVars() {
				if _, value := v.FreeVar(i); value != nil && !yield(value) {
					return
				}
			}
		}
	}
}

// named returns the names in a listing, except for parameters at their declarations.
func named(tree *syntax.File) map[string]bool {
	parameters, names := map[syntax.Node]bool{}, map[string]bool{}
	syntax.Walk(tree, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.DefStmt:
			for _, p := range n.Params {
				parameters[p] = true
			}
		case *syntax.Ident:
			if !parameters[n] {
				names[n.Name] = true
			}
		}
		return true
	})
	return names
}

var options = &syntax.FileOptions{While: true, Recursion: true, GlobalReassign: true, TopLevelControl: true}

func (l Limits) negative() bool { return min(l.Text, l.Items, l.Total, l.Bits, l.Depth, l.Lines) < 0 }

func (l Limits) orDefault() Limits {
	d := DefaultLimits
	return Limits{
		cmp.Or(l.Text, d.Text), cmp.Or(l.Steps, d.Steps), cmp.Or(l.Items, d.Items), cmp.Or(l.Total, d.Total),
		cmp.Or(l.Bits, d.Bits), cmp.Or(l.Depth, d.Depth), cmp.Or(l.Lines, d.Lines),
	}
}

// Name returns the name of an algorithm for the name of a file: lower-case letters, digits and hyphens.
func Name(file string) string {
	file = file[strings.LastIndexAny(file, `/\`)+1:]
	file, _, _ = strings.Cut(file, ".")
	var b strings.Builder
	for _, r := range strings.ToLower(file) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else if b.Len() > 0 {
			b.WriteRune('-')
		}
	}
	return cmp.Or(strings.Trim(b.String(), "-"), "listing")
}

// maxTitle is the maximum length of a title in characters, because titles appear in tables and above maps.
const maxTitle = 60

// define stores the function that the text must define.
func (l *Listing) define(globals starlark.StringDict) error {
	function, ok := globals[l.signature.Name].(*starlark.Function)
	if !ok {
		return l.fault("the function %s is missing: define it, %s: …", l.signature.Name, l.signature)
	}
	parameters := make([]string, function.NumParams())
	for i := range parameters {
		parameters[i], _ = function.Param(i)
	}
	if strings.Join(parameters, " ") != strings.Join(l.signature.Parameters, " ") {
		return l.place(function.Position(), "%s(%s): the parameters must be %s",
			l.signature.Name, strings.Join(parameters, ", "), strings.Join(l.signature.Parameters, ", "))
	}
	l.function = function
	title, _, _ := strings.Cut(strings.TrimSpace(function.Doc()), "\n")
	title = strings.TrimRight(strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return -1 // not printable: the title may reach a terminal
		}
		return r
	}, title), ". ")
	if letters := []rune(title); len(letters) > maxTitle {
		title = strings.TrimRight(string(letters[:maxTitle-1]), ". ") + "…"
	}
	l.Title = cmp.Or(title, l.Name)
	return nil
}

// Call calls the function with arguments in the order of the signature's parameters. No argument may be nil, and an
// argument that several calls share must be frozen. steps is the number of instructions of the call, plus the elements
// of values that it has created or visited, even if it fails. The error is an *Error.
func (l *Listing) Call(arguments ...starlark.Value) (value starlark.Value, steps int64, err error) {
	l.must()
	return l.callOf(l.function, arguments)
}

// callOf calls a function of the text.
func (l *Listing) callOf(f starlark.Callable, arguments starlark.Tuple) (starlark.Value, int64, error) {
	thread := l.threads.Get().(*starlark.Thread)
	defer l.threads.Put(thread)
	s := spent(thread)
	s.renew()
	defer s.release()
	l.begun.Add(1)
	defer l.ended.Add(1)
	value, err := starlark.Call(thread, f, arguments, nil)
	if err != nil {
		return nil, s.steps(), l.failed(err, thread)
	}
	return value, s.steps(), nil
}

// Calls returns how many calls of functions have begun and how many have ended.
func (l *Listing) Calls() (begun, ended int64) {
	l.must()
	ended = l.ended.Load()
	return l.begun.Load(), ended
}

// Whole converts a value that the function has returned to an int64. It returns an *Error if the value is not an
// integer or does not fit.
func (l *Listing) Whole(value starlark.Value) (int64, error) {
	l.must()
	number, ok := value.(starlark.Int)
	if !ok {
		return 0, l.fault("%s returns %s, %s: it must return a whole number",
			l.signature.Name, Short(value), kind(value))
	}
	answer, ok := number.Int64()
	if !ok {
		return 0, l.fault("%s returns a number beyond 64 bits", l.signature.Name)
	}
	return answer, nil
}

// Wholes returns the integers in a list or tuple that the function has returned. It returns an *Error if the value is
// neither a list nor a tuple, or for an element that Whole does not accept.
func (l *Listing) Wholes(value starlark.Value) ([]int64, error) {
	l.must()
	sequence, ok := value.(starlark.Indexable)
	if _, text := value.(starlark.String); !ok || text {
		return nil, l.fault("%s returns %s, %s: it must return whole numbers in brackets",
			l.signature.Name, Short(value), kind(value))
	}
	numbers := make([]int64, sequence.Len())
	for i := range numbers {
		var err error
		if numbers[i], err = l.Whole(sequence.Index(i)); err != nil {
			return nil, In(err, "number %d in the result of %s", i+1, l.signature.Name)
		}
	}
	return numbers, nil
}

// Refuse returns an *Error that names the value that the function has returned, and the caller's rule that it breaks.
// The rule is formatted as by fmt.Sprintf.
func (l *Listing) Refuse(value starlark.Value, rule string, values ...any) error {
	l.must()
	return l.fault("%s returns %s: %s", l.signature.Name, Short(value), fmt.Sprintf(rule, values...))
}

// Fault returns an *Error about the listing as a whole, formatted as by fmt.Sprintf.
func (l *Listing) Fault(format string, values ...any) error {
	l.must()
	return l.fault(format, values...)
}

// In prefixes the message of an *Error with a place, formatted as by fmt.Sprintf, and returns the same *Error. It
// returns any other error unchanged.
func In(err error, format string, place ...any) error {
	if fault, ok := err.(*Error); ok {
		fault.Message = fmt.Sprintf(format, place...) + ": " + fault.Message
	}
	return err
}

// Reads reports whether the text uses a name, other than as a parameter. A result does not depend on a parameter that
// the text does not use.
func (l *Listing) Reads(name string) bool {
	l.must()
	return l.reads[name]
}

// Limits returns the limits of each call. None of the limits is zero.
func (l *Listing) Limits() Limits {
	l.must()
	return l.limits
}

// File returns the name of the file. Messages begin with it.
func (l *Listing) File() string {
	l.must()
	return l.file
}

// Printed returns the lines that the listing has printed so far. If the limit was exceeded, the last line reports this.
func (l *Listing) Printed() []string {
	l.must()
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := append([]string(nil), l.printed...)
	if l.lost {
		lines = append(lines, fmt.Sprintf("(print wrote more than %d lines: the rest is left out)", l.limits.Lines))
	}
	return lines
}

// maxLine is the maximum length of a printed line in bytes, because all lines are kept.
const maxLine = 4096

// must panics unless the listing was returned by Read.
func (l *Listing) must() {
	if l == nil || l.function == nil {
		panic("listing: a Listing must be made by Read")
	}
}

// thread returns a new thread of the interpreter.
func (l *Listing) thread() *starlark.Thread {
	thread := &starlark.Thread{Name: l.file, Print: func(_ *starlark.Thread, line string) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if len(l.printed) < l.limits.Lines {
			l.printed = append(l.printed, cutTo(maxLine, line))
		} else {
			l.lost = true
		}
	}}
	s := &spending{thread: thread, limits: l.limits, before: l.alike}
	thread.SetLocal(spendingKey, s)
	s.renew()
	return thread
}

// fault returns an error about the listing as a whole.
func (l *Listing) fault(format string, values ...any) error {
	return &Error{File: l.file, Message: fmt.Sprintf(format, values...)}
}

// place returns an error with a place.
func (l *Listing) place(at syntax.Position, format string, values ...any) error {
	e := &Error{File: l.file, Line: int(at.Line), Column: int(at.Col), Message: fmt.Sprintf(format, values...)}
	if lines := strings.Split(l.text, "\n"); e.Line >= 1 && e.Line <= len(lines) {
		e.Text = strings.TrimRight(lines[e.Line-1], "\r")
	}
	return e
}

// syntax converts an error of the parser or the resolver.
func (l *Listing) syntax(err error) error {
	var parsed syntax.Error
	var resolved resolve.ErrorList
	switch {
	case errors.As(err, &parsed):
		if lines := strings.Split(l.text, "\n"); strings.HasPrefix(parsed.Msg, "got newline") && parsed.Pos.Col == 1 {
			line := int32(min(int(parsed.Pos.Line)-1, len(lines)))
			parsed.Pos.Line, parsed.Pos.Col = line, int32(len([]rune(lines[line-1])))
		}
		return l.place(parsed.Pos, "%s", l.unread(parsed))
	case errors.As(err, &resolved):
		return l.place(resolved[0].Pos, "%s", plain(resolved[0].Msg))
	}
	return l.fault("%v", err)
}

// failed converts an error of a call. Its place is the innermost place in the listing's text.
func (l *Listing) failed(err error, thread *starlark.Thread) error {
	var failed *starlark.EvalError
	if !errors.As(err, &failed) {
		return l.fault("%v", err)
	}
	message := failed.Msg
	if strings.Contains(message, "too many steps") {
		s := spent(thread)
		steps, why := s.dearer(l.limits.Steps), "a loop does not end, or takes too long"
		if steps < l.limits.Steps {
			why = "the limit is so low because many keys of a dictionary have the same hash"
		}
		message = fmt.Sprintf("more than %d steps in one call: %s", steps, why)
	}
	for i := len(failed.CallStack) - 1; i >= 0; i-- {
		if at := failed.CallStack[i].Pos; at.Filename() == l.file && at.Line > 0 {
			return l.place(at, "%s", plain(message))
		}
	}
	return l.fault("%s", plain(message))
}

// plain rewords a message of the interpreter in Python's terms.
func plain(message string) string {
	name, undefined := strings.CutPrefix(message, "undefined: ")
	switch {
	case undefined:
		return name + " is not defined"
	case strings.Contains(message, "maximum recursion depth"):
		return fmt.Sprintf("values nested more than %d levels deep cannot be compared", starlark.CompareLimit)
	}
	return cutTo(maxMessage, strings.NewReplacer("<toplevel>", "the listing", "\n", " ").Replace(message))
}

// Short returns a value as text for a message. It shortens long texts and shows only the first elements of a list.
func Short(value starlark.Value) string {
	switch value := value.(type) {
	case starlark.NoneType, starlark.Bool, starlark.Int, starlark.Float, starlark.String:
		return cut(value.String())
	case starlark.Tuple, *starlark.List:
		const most = 8
		var parts []string
		for item := range starlark.Elements(value.(starlark.Iterable)) {
			if number, ok := item.(starlark.Int); ok && len(parts) < most {
				parts = append(parts, cut(number.String()))
				continue
			}
			parts = append(parts, "…")
			break
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return "a value"
}

func cut(text string) string { return cutTo(40, text) }

func cutTo(most int, text string) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// maxMessage is the maximum length of a message of the interpreter, which may quote a string of the listing.
const maxMessage = 300

// kind returns a value's type in words.
func kind(value starlark.Value) string {
	switch value.Type() {
	case "NoneType":
		return "the value of a function that ends without return"
	case "string":
		return "a string"
	case "bool":
		return "a truth value"
	case "float":
		return "a fraction"
	case "int":
		return "a number"
	}
	return "a " + value.Type()
}

// Program is source text that defines functions that call each other, such as the listings of a book. Several
// goroutines may call them at the same time.
type Program struct {
	notData
	listing *Listing
	globals starlark.StringDict
}

// Function names a function of a program, to pass it to another function.
type Function string

// Tuple is an argument that is a tuple.
type Tuple []any

// Entry is an entry of a dictionary.
type Entry struct {
	Key   any `json:"key"`
	Value any `json:"value"`
}

// ReadProgram reads a program. Zero limits mean DefaultLimits; they apply to each call. The error is an *Error.
func ReadProgram(file string, text []byte, limits Limits) (*Program, error) {
	l := &Listing{Name: Name(file), file: file, text: string(text), limits: limits.orDefault()}
	globals, err := l.run(limits)
	if err != nil {
		return nil, err
	}
	return &Program{listing: l, globals: globals}, nil
}

// Functions returns the names of the functions that the text defines, in alphabetical order.
func (p *Program) Functions() []string {
	p.must()
	names := p.globals.Keys()
	return slices.DeleteFunc(names, func(name string) bool {
		_, ok := p.globals[name].(*starlark.Function)
		return !ok
	})
}

// Call calls a function. Arguments are int64, string, bool, nil, [Function], a function from int64 to int64, lists of
// these as []any, or [Tuple]. The result has one of these types, except that a tuple becomes a list, a dictionary
// becomes []Entry, and a number beyond int64 becomes a *big.Int. The error is an *Error.
func (p *Program) Call(function string, arguments ...any) (any, error) {
	p.must()
	f, ok := p.globals[function].(*starlark.Function)
	if !ok {
		return nil, p.listing.fault("there is no function %s", function)
	}
	values, err := p.valuesOf(arguments)
	if err != nil {
		return nil, err
	}
	result, _, err := p.listing.callOf(f, values)
	if err != nil {
		return nil, err
	}
	return p.fromValue(result)
}

func (p *Program) valuesOf(all []any) ([]starlark.Value, error) {
	values := make([]starlark.Value, len(all))
	for i, v := range all {
		switch v := v.(type) {
		case int64:
			values[i] = starlark.MakeInt64(v)
		case string:
			values[i] = starlark.String(v)
		case bool:
			values[i] = starlark.Bool(v)
		case nil:
			values[i] = starlark.None
		case Function:
			f, ok := p.globals[string(v)]
			if !ok {
				return nil, p.listing.fault("there is no function %s", v)
			}
			values[i] = f
		case func(int64) int64:
			values[i] = bounded("function", ofNumber(v))
		case Tuple:
			elements, err := p.valuesOf(v)
			if err != nil {
				return nil, err
			}
			values[i] = starlark.Tuple(elements)
		case []any:
			elements, err := p.valuesOf(v)
			if err != nil {
				return nil, err
			}
			values[i] = starlark.NewList(elements)
		default:
			return nil, p.listing.fault("an argument has the type %T, which programs do not support", v)
		}
	}
	return values, nil
}

// ofNumber returns a Go function from numbers to numbers as a function that a program can call.
func ofNumber(f func(int64) int64) work {
	return func(_ *spending, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		var of int64
		if err := starlark.UnpackPositionalArgs("function", args, named, 1, &of); err != nil {
			return nil, err
		}
		return starlark.MakeInt64(f(of)), nil
	}
}

func (p *Program) fromValue(value starlark.Value) (any, error) {
	switch v := value.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.String:
		return string(v), nil
	case starlark.Int:
		if n, ok := v.Int64(); ok {
			return n, nil
		}
		return new(big.Int).Set(v.BigInt()), nil
	case *starlark.Dict:
		entries := []Entry{}
		for _, item := range v.Items() {
			key, err1 := p.fromValue(item[0])
			value, err2 := p.fromValue(item[1])
			if err := cmp.Or(err1, err2); err != nil {
				return nil, err
			}
			entries = append(entries, Entry{key, value})
		}
		return entries, nil
	case starlark.Iterable:
		list := []any{}
		for e := range starlark.Elements(v) {
			element, err := p.fromValue(e)
			if err != nil {
				return nil, err
			}
			list = append(list, element)
		}
		return list, nil
	}
	return nil, p.listing.fault("a function returns %s, %s: it must return numbers, strings or lists", Short(value),
		kind(value))
}

// must panics unless the program was returned by ReadProgram.
func (p *Program) must() {
	if p == nil || p.listing == nil {
		panic("listing: a Program must be made by ReadProgram")
	}
}
