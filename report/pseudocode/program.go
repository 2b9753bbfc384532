package pseudocode

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Program is what listings say, ready to run.
type Program struct {
	functions map[string]*function
}

// function is one that a listing defines.
type function struct {
	name   string
	params []string
	body   []statement
}

// Fault says what is wrong with a listing, when it is read or while it runs.
type Fault struct {
	Line int // from 1, through all listings; 0 if it is none of theirs
	Text string
}

func (f *Fault) Error() string {
	if f.Line == 0 {
		return "pseudocode: " + f.Text
	}
	return fmt.Sprintf("pseudocode, line %d: %s", f.Line, f.Text)
}

func fault(line int, format string, args ...any) *Fault {
	return &Fault{line, fmt.Sprintf(format, args...)}
}

// catch turns a fault that was thrown into an error.
func catch(err *error) {
	switch thrown := recover().(type) {
	case nil:
	case *Fault:
		*err = thrown
	default:
		panic(thrown)
	}
}

// Parse reads listings that belong together. The names of values that a caller gives are known in all of them. The
// error is a *Fault.
func Parse(given []string, listings ...string) (p *Program, err error) {
	defer catch(&err)
	p = &Program{functions: map[string]*function{}}
	first := 1
	var lines []line
	for _, text := range listings {
		more, err := read(text, first)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
		first += strings.Count(text, "\n") + 1
	}
	r := &parser{lines: lines, program: p}
	var all []usage
	for r.at < len(r.lines) {
		all = append(all, r.function())
	}
	for _, u := range all {
		for _, used := range slices.Sorted(maps.Keys(u.used)) {
			_, builtin := builtins[used]
			if _, defined := p.functions[used]; !defined && !builtin && !u.known[used] && !slices.Contains(given, used) {
				return nil, fault(u.used[used], "nothing is called %s: write ← before it is used, or define a function", used)
			}
		}
	}
	return p, nil
}

// usage is which names a function uses, with a line of each, and which it gives.
type usage struct {
	used  map[string]int
	known map[string]bool
}

// Functions returns the names of all functions, sorted.
func (p *Program) Functions() []string { return slices.Sorted(maps.Keys(p.functions)) }

// maxSteps bounds the statements of a call, so that a listing that goes on for ever is found.
const maxSteps = 1 << 22

// Call runs a function with whole numbers or the names of functions (as a [Function]) for its parameters, and returns
// what it returns: int64, float64, string, bool, []any or *Table; nil if it ends without. The error is a *Fault.
func (p *Program) Call(given map[string]int64, called string, args ...any) (result any, err error) {
	defer catch(&err)
	f, ok := p.functions[called]
	if !ok {
		return nil, fault(0, "there is no function %s: use one of %s", called, strings.Join(p.Functions(), ", "))
	}
	values := make([]any, len(args))
	for i, arg := range args {
		switch arg := arg.(type) {
		case int64, float64, string, bool:
			values[i] = arg
		case Function:
			if values[i], ok = p.functions[string(arg)]; !ok {
				return nil, fault(0, "there is no function %s", arg)
			}
		default:
			return nil, fault(0, "%s: a %T is no value of the notation", called, arg)
		}
	}
	m := &machine{given: map[string]any{}, program: p}
	for name, value := range given {
		m.given[name] = value
	}
	return m.call(f, values, 0), nil
}

// Function is the name of a function that is handed to another.
type Function string

// machine runs one call.
type machine struct {
	program *Program
	given   map[string]any
	steps   int
	depth   int // of calls
}

// frame holds the values of one function while it runs.
type frame struct {
	*machine
	values map[string]any
}

// maxDepth bounds functions that call themselves.
const maxDepth = 5_000

func (m *machine) call(f *function, args []any, line int) any {
	if len(args) != len(f.params) {
		panic(fault(line, "%s takes %d values, not %d", f.name, len(f.params), len(args)))
	}
	if m.depth++; m.depth > maxDepth {
		panic(fault(line, "%s calls itself more than %d times", f.name, maxDepth))
	}
	defer func() { m.depth-- }()
	in := &frame{m, make(map[string]any, 8)}
	for i, param := range f.params {
		in.values[param] = args[i]
	}
	result, _ := in.run(f.body)
	return result
}

// statement does something; returned says that its function is over.
type statement func(*frame) (result any, returned bool)

// expression has a value.
type expression func(*frame) any

func (in *frame) run(body []statement) (any, bool) {
	for _, s := range body {
		if in.steps++; in.steps > maxSteps {
			panic(fault(0, "not over after %d steps", maxSteps))
		}
		if result, returned := s(in); returned {
			return result, true
		}
	}
	return nil, false
}

// value returns what a name stands for.
func (in *frame) value(called string, line int) any {
	if v, ok := in.values[called]; ok {
		return v
	}
	if v, ok := in.given[called]; ok {
		return v
	}
	if v, ok := constants[called]; ok {
		return v
	}
	if f, ok := in.program.functions[called]; ok {
		return f
	}
	panic(fault(line, "%s has no value yet", called))
}
