// Package tex turns TeX formulas into MathML that browsers show without script, style attributes or fonts from a
// network.
//
// The work is KaTeX's, run in QuickJS, both inside this binary. Compiling KaTeX takes about a tenth of a second and
// starting a further machine a fifth of that, so a Converter compiles it once, keeps its machines, and feeds each many
// formulas at a few milliseconds apiece. Results are kept in a cache, so that a rebuild starts no machine at all.
//
// KaTeX's MathML is written for MathML 3. Browsers implement MathML Core, so the tree is mended: mathvariant letters
// become the Unicode letters they mean, and alignment and spacing of tables become classes for a style sheet.
package tex

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/canceled"
	"golang.org/x/sync/errgroup"
)

// Formula is one formula in TeX, without its dollar signs.
type Formula struct {
	TeX     string
	Display bool
}

// Result is a converted formula, or why it could not be converted.
type Result struct {
	// MathML is the <math> element. Where Tags stand in rows of the formula, Fill puts their numbers in.
	MathML string
	// Width is roughly how many letters wide the formula is set.
	Width int
	// Tags are the formula's \label and \tag pairs, in order.
	Tags []Tag
	// Whole tells that there is one tag and it is for the whole display; it has then no place inside of MathML.
	Whole bool
	// Err is the formula's fault, or nil.
	Err *SyntaxError
}

// SyntaxError is a fault in a formula.
type SyntaxError struct {
	Offset int // in bytes from the formula's start, as exact as KaTeX tells
	Msg    string
}

func (e *SyntaxError) Error() string { return e.Msg }

// Line returns how many line breaks precede the fault in src, the formula's TeX.
func (e *SyntaxError) Line(src string) int {
	return strings.Count(src[:max(0, min(e.Offset, len(src)))], "\n")
}

// Converter converts formulas under one set of macros. It is safe for concurrent use. Close frees its machines.
type Converter struct {
	macros map[string]string
	salt   []byte // all that a result depends on beside the formula
	cache  *cache.Cache

	mu   sync.Mutex
	idle []*machine
}

// outputVersion changes when the same formula would give other MathML.
const outputVersion = "4"

// NewConverter returns a converter with the given macros (`\name` -> TeX with #1 to #9) that remembers its results in
// c, which may be nil. It starts no machine yet.
func NewConverter(macros map[string]string, c *cache.Cache) *Converter {
	salt, err := json.Marshal([]any{katexVersion, outputVersion, macros})
	if err != nil {
		panic(err) // strings always marshal
	}
	return &Converter{macros: macros, salt: salt, cache: c}
}

// Close frees the machines. The Converter can be used afterwards, and starts new ones.
func (c *Converter) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range c.idle {
		m.close()
	}
	c.idle = nil
}

// Convert converts the formulas with so many workers (0: one per processor). The results are in the formulas' order and
// depend on nothing else. The error is ctx's, or a failure of the machinery; a formula's own fault is in its Result.
func (c *Converter) Convert(ctx context.Context, formulas []Formula, workers int) ([]Result, error) {
	results := make([]Result, len(formulas))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(cmp.Or(max(workers, 0), runtime.GOMAXPROCS(0)))
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

// convert answers from the cache where it can. Faults are kept there too: they are as reproducible as results.
func (c *Converter) convert(f Formula) (Result, error) {
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
		return Result{}, fmt.Errorf("read a cached formula: %w", err)
	}
	return r, nil
}

func (c *Converter) compute(f Formula) (Result, error) {
	if i := strings.IndexFunc(f.TeX, isControl); i >= 0 {
		return Result{}, &SyntaxError{
			Offset: i,
			Msg:    fmt.Sprintf("the control character %q has no place in a formula", f.TeX[i]),
		}
	}
	src, tags, err := extractTags(f.TeX)
	if err != nil {
		return Result{}, err
	}
	if len(tags) > 0 && !f.Display {
		return Result{}, &SyntaxError{Msg: `\label and \tag need display math: write $$...$$`}
	}
	m, err := c.take()
	if err != nil {
		return Result{}, err
	}
	markup, err := m.render(src, f.Display)
	c.give(m)
	if err != nil {
		return Result{}, err
	}
	math, err := parse(markup)
	if err != nil {
		return Result{}, err
	}
	unwrap(math)
	mend(math)
	math.unrow()
	whole, err := placeTags(math, tags)
	if err != nil {
		return Result{}, err
	}
	var b strings.Builder
	math.write(&b)
	return Result{MathML: b.String(), Width: width(math), Tags: tags, Whole: whole}, nil
}

// Fill returns the MathML with the number of each row's tag: row is the markup for tag i (phrasing content), id the
// anchor of its row ("" for none).
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

func (c *Converter) take() (*machine, error) {
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

func (c *Converter) give(m *machine) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.idle = append(c.idle, m)
}

func isControl(r rune) bool { return r < ' ' && r != '\n' && r != '\t' && r != '\r' || r == 0x7f }
