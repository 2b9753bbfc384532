// Package tex turns TeX formulas into MathML that browsers show without scripts, style attributes or fonts from a
// network.
//
// The conversion is done by KaTeX, which runs in QuickJS; both are part of this binary. Compiling KaTeX takes about 0.1
// seconds, and starting another machine takes 0.02 seconds. So the package compiles KaTeX only once, and each machine
// converts many formulas, in a few milliseconds each. A cache stores the results, so that a rebuild does not start any
// machine.
//
// KaTeX produces MathML 3, but browsers implement MathML Core. So this package adapts the tree: letters with a
// mathvariant become the corresponding Unicode letters, and the alignment and spacing of tables become classes for a
// style sheet.
package tex

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/canceled"
	"golang.org/x/sync/errgroup"
)

// Formula is a formula in TeX, without dollar signs.
type Formula struct {
	TeX     string
	Display bool
}

// Result is a converted formula, or the reason why it could not be converted.
type Result struct {
	// MathML is the <math> element. If Tags belong to rows of the formula, Fill inserts their numbers.
	MathML string
	// Width is the approximate width of the formula in letters.
	Width int
	// Tags are the pairs of \label and \tag in the formula, in order.
	Tags []Tag
	// Whole reports whether the only tag belongs to the whole display. MathML has no place for such a tag.
	Whole bool
	// Err is the fault in the formula, or nil.
	Err *SyntaxError
}

// SyntaxError is a fault in a formula.
type SyntaxError struct {
	Offset int // in bytes from the formula's start, as precise as KaTeX reports it
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// Line returns the number of line breaks before the fault in src, the formula's TeX.
func (e *SyntaxError) Line(src string) int {
	return strings.Count(src[:max(0, min(e.Offset, len(src)))], "\n")
}

// converter converts formulas with one set of macros. It is safe for concurrent use. Its method close frees its
// machines.
type converter struct {
	macros map[string]string
	salt   []byte // everything that a result depends on, except the formula
	cache  *cache.Cache

	mu   sync.Mutex
	idle []*machine
}

// outputVersion must change whenever the code produces different MathML for the same formula.
const outputVersion = "5"

// newConverter returns a converter without machines. It starts them when it needs them.
func newConverter(macros map[string]string, c *cache.Cache) *converter {
	salt, err := json.Marshal([]any{katexVersion, outputVersion, macros})
	if err != nil {
		panic(err) // cannot fail: a map of strings
	}
	return &converter{macros: macros, salt: salt, cache: c}
}

func (c *converter) close() {
	for _, m := range c.idle {
		m.close()
	}
}

// Convert converts formulas on all cores, with the given macros (`\name` -> TeX with #1 to #9), and stores the results
// in a cache, which may be nil. The results are in the order of the formulas and depend only on the formulas and the
// macros. The error is the error of ctx, or a failure of KaTeX or QuickJS. Faults in a formula are in its Result.
func Convert(ctx context.Context, macros map[string]string, store *cache.Cache, formulas []Formula) ([]Result, error) {
	c := newConverter(macros, store)
	defer c.close()
	return c.convertAll(ctx, formulas)
}

func (c *converter) convertAll(ctx context.Context, formulas []Formula) ([]Result, error) {
	results := make([]Result, len(formulas))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range formulas {
		group.Go(func() error {
			if err := canceled.Cause(ctx); err != nil {
				return err
			}
			var err error
			results[i], err = c.convert(f)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}

// convert returns a result from the cache, or computes and stores it. The cache also stores faults, which are as
// reproducible as results.
func (c *converter) convert(f Formula) (Result, error) {
	display := []byte("inline")
	if f.Display {
		display = []byte("display")
	}
	key := cache.NewKey("mathml", c.salt, display, []byte(f.TeX))
	stored, err := c.cache.Do(key, func() ([]byte, error) {
		r, err := c.compute(f)
		if fault := new(SyntaxError); errors.As(err, &fault) {
			r, err = Result{Err: fault}, nil
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(r)
	})
	if err != nil {
		return Result{}, err
	}
	var r Result
	if err := json.Unmarshal(stored, &r); err != nil {
		return Result{}, fmt.Errorf("cannot read a cached formula: %w", err)
	}
	return r, nil
}

// mostTeX is the maximum size of a formula in bytes, which is far more than anybody would read.
const mostTeX = 10_000

// faultAt returns the fault at an offset of a formula.
func faultAt(offset int, format string, args ...any) error {
	return &SyntaxError{Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

// compute converts a formula. The error is a [*SyntaxError] for a fault in the formula, or a failure of KaTeX or
// QuickJS.
func (c *converter) compute(f Formula) (Result, error) {
	if i := strings.IndexFunc(f.TeX, isControl); i >= 0 {
		return Result{}, faultAt(i, "the control character %q is not allowed in a formula", f.TeX[i])
	}
	if len(f.TeX) > mostTeX {
		return Result{}, faultAt(0, "more than %d bytes: split the formula", mostTeX)
	}
	src, tags, err := extractTags(f.TeX)
	if err != nil {
		return Result{}, err
	}
	if len(tags) > 0 && !f.Display {
		return Result{}, faultAt(0, `\label and \tag need display math: write $$...$$`)
	}
	markup, err := c.render(src, f.Display)
	if err != nil {
		return Result{}, err
	}
	math, err := parse(markup)
	if err != nil {
		return Result{}, err
	}
	unwrap(math)
	toCore(math)
	math.unrow()
	whole, err := placeTags(math, tags)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	math.write(&b)
	return Result{MathML: b.String(), Width: width(math), Tags: tags, Whole: whole}, nil
}

// render renders a formula on one of the converter's machines.
func (c *converter) render(src string, display bool) (string, error) {
	m, err := c.take()
	if err != nil {
		return "", err
	}
	defer c.give(m)
	return m.render(src, display)
}

// Fill returns the MathML with the numbers of the rows inserted. For tag i, row returns the markup of the number
// (phrasing content) and the anchor of the row, or "".
func (r *Result) Fill(row func(i int) (markup, id string)) string {
	if r.Whole || len(r.Tags) == 0 {
		return r.MathML
	}
	out := r.MathML
	for i := range r.Tags {
		markup, id := row(i)
		if id != "" {
			id = ` id="` + id + `"`
		}
		out = strings.Replace(out, ` id="`+placeholder(i)+`"`, id, 1)
		out = strings.Replace(out, placeholder(i), markup, 1)
	}
	return out
}

func (c *converter) take() (*machine, error) {
	c.mu.Lock()
	if n := len(c.idle); n > 0 {
		m := c.idle[n-1]
		c.idle = c.idle[:n-1]
		c.mu.Unlock()
		return m, nil
	}
	c.mu.Unlock()
	return newMachine(c.macros)
}

func (c *converter) give(m *machine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, m)
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f }

// Tag is a place in a display formula that has an equation number.
type Tag struct {
	// Label is the argument of \label; "" if there is none.
	Label string
	// Text is the argument of \tag or \tag*; "" if the page chooses the number.
	Text string
	// Star means that Text is shown without parentheses.
	Star bool
}

// placeholder returns the text that marks the place of tag i's number in the MathML.
func placeholder(i int) string { return fmt.Sprintf(placeholderPrefix+"%dend", i) }

const placeholderPrefix = "siegebooktag"

// placeTags moves each placeholder to the number cell of its row, if the row has one. It reports whether there is only
// one tag and it belongs to the whole display. If there are several tags, each needs its own row.
func placeTags(math *node, tags []Tag) (whole bool, err error) {
	for i := range tags {
		row := numberedRow(math, placeholder(i))
		math.cut(placeholder(i))
		switch {
		case row != nil:
			row.attrs = append(row.attrs, attr{"id", placeholder(i)})
			number := row.children[len(row.children)-1]
			number.children = []*node{{name: "mtext", children: []*node{{text: placeholder(i)}}}}
		case len(tags) == 1:
			whole = true
		default:
			return false, faultAt(0, `several \label or \tag without a row for each: use align or gather`)
		}
	}
	stretchOrDrop(math)
	return whole, nil
}

// numberedRow returns the innermost row that contains text and has a cell for a number, or nil.
func numberedRow(n *node, text string) *node {
	for _, c := range n.children {
		if row := numberedRow(c, text); row != nil {
			return row
		}
	}
	if n.name == "mtr" && len(n.children) > 0 && n.children[len(n.children)-1].attr("class") == numberCell &&
		strings.Contains(n.plain(), text) {
		return n
	}
	return nil
}

// These are the classes of the cells that KaTeX adds to the rows of numbered environments.
const (
	glueCell   = "mtr-glue"
	numberCell = "mml-eqn-num"
)

// stretchOrDrop handles the tables whose rows may have numbers. If a row has a number, it keeps the empty cells around
// the columns, and adds a class that makes the style sheet give them the free width, so that numbers are at the margin.
// If no row has a number, it removes these cells.
func stretchOrDrop(n *node) {
	if n.name == "mtable" {
		hasNumber := func(row *node) bool {
			return slices.ContainsFunc(row.children, func(cell *node) bool {
				return cell.attr("class") == numberCell && len(cell.children) > 0
			})
		}
		if slices.ContainsFunc(n.children, hasNumber) {
			n.addClass("numbered-rows")
		} else {
			for _, row := range n.children {
				row.children = slices.DeleteFunc(row.children, isFrame)
			}
		}
	}
	for _, c := range n.children {
		stretchOrDrop(c)
	}
}

func isFrame(cell *node) bool {
	class := cell.attr("class")
	return class == glueCell || class == numberCell
}

// extractTags replaces each pair of \label and \tag in a formula with a placeholder in \text. KaTeX does not write tags
// into MathML, but the placeholder marks the row of the tag. A \label and a \tag in one row form one Tag. The error is
// a [*SyntaxError].
func extractTags(src string) (string, []Tag, error) {
	var (
		out   strings.Builder
		tags  []Tag
		inRow = -1 // the index of the tag in this row, or -1 if there has been none
		depth int  // the depth of environments; rows of inner environments do not count
	)
	for rest := src; rest != ""; {
		at := commands.FindStringIndex(rest)
		if at == nil {
			out.WriteString(rest)
			break
		}
		out.WriteString(rest[:at[0]])
		name, offset := rest[at[0]:at[1]], len(src)-len(rest)+at[0]
		rest = rest[at[1]:]
		switch name {
		case `\label`, `\tag`, `\tag*`:
			arg, n, err := argument(rest)
			if err != nil {
				return "", nil, faultAt(offset, "%s %v", name, err)
			}
			if inRow < 0 {
				inRow = len(tags)
				tags = append(tags, Tag{})
				fmt.Fprintf(&out, `\text{%s}`, placeholder(inRow))
			}
			if err := tags[inRow].set(name, arg, offset); err != nil {
				return "", nil, err
			}
			rest = rest[n:]
			continue
		case `\begin`:
			depth++
		case `\end`:
			depth--
		case `\\`, `\cr`:
			if depth <= 1 {
				inRow = -1
			}
		}
		out.WriteString(name)
	}
	return out.String(), tags, nil
}

// commands matches a TeX command with its backslash, or a whole comment, because commands in comments do not count.
var commands = regexp.MustCompile(`(?s)%[^\n]*|\\tag\*|\\[A-Za-z]+|\\.`)

// set stores the argument of the \label, \tag or \tag* at an offset.
func (t *Tag) set(name, arg string, offset int) error {
	set := &t.Text
	if name == `\label` {
		set = &t.Label
	} else {
		t.Star = name == `\tag*`
	}
	switch {
	case *set != "":
		return faultAt(offset, `a second %s{%s} in one row: each row may have at most one`, name, arg)
	case strings.TrimSpace(arg) == "":
		return faultAt(offset, `%s{} is empty: name the equation`, name)
	}
	*set = arg
	return nil
}

// argument returns the text in the braces at the start of s, and the number of bytes up to the closing brace.
func argument(s string) (arg string, n int, err error) {
	inside, ok := strings.CutPrefix(strings.TrimLeft(s, " \t\n"), "{")
	if !ok {
		return "", 0, errors.New("needs a name in braces")
	}
	end := strings.IndexAny(inside, "{}")
	if end < 0 || inside[end] == '{' {
		return "", 0, errors.New("needs a plain name in braces")
	}
	return inside[:end], len(s) - len(inside) + end + 1, nil
}
