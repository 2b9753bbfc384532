// Package program turns the cells of a book's pages into one Go program, and runs it.
//
// Each page becomes a package with a function Page. The package declares the functions, types and constants of the
// page's cells. The function runs the statements of the cells, and computes the expressions in the text between them.
// So a variable exists until the end of its page. Because of line directives, the compiler and stack traces report
// lines of the page. Each page runs in its own process. Package notebooks/show/page is its runtime.
//
// Each cell opens a block that closes at the end of the page, so a later x := hides an earlier x. The function begins
// by computing the values of package-level variables, so a page never computes the variables of another page.
package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// Page is a page with cells.
type Page struct {
	// Name is a slug that is unique in the book.
	Name string
	// File is the name of the page's file in the book, with slashes, as stack traces show it. Dir is the folder in
	// which the page runs.
	File, Dir string
	Cells     []Cell

	// together is the program of a notebook's cells, if the page is one of these cells, and number is the cell's
	// number.
	together []byte
	number   int
}

// shownFile returns the name of the page's file for the compiler. The name is absolute, so that the compiler does not
// change it, and is the same on every machine.
func (p Page) shownFile() string {
	return bookFolder + strings.NewReplacer("\n", " ", "\r", " ").Replace(p.File)
}

// bookFolder is the name of the book's folder in stack traces.
const bookFolder = "/book/"

// Cell is a piece of Go code in a page.
type Cell struct {
	// Line and Column are the position of the cell's first byte in the page.
	Line, Column int
	Code         string
	// Value means that the cell is an expression in the text. The page shows its value.
	Value bool
}

// Fault is an error at a position in a page, or in a file of the book's own module.
type Fault struct {
	// File is the file's path in the module, with slashes, or "" for the page.
	File         string
	Cell         int // the index of the cell, from 0
	Line, Column int
	Message      string
	// Cure is advice for the author. It is empty if the advice is to correct the cell.
	Cure string
	// Parameter is the name of the parameter whose value the page refuses; "" for other faults.
	Parameter string
}

// Result is the output of a cell.
type Result struct {
	Outputs []jupyter.Output
	// Controls are those figures among the outputs that readers can change.
	Controls []Control
	// Shared contains the values that the page shares with other pages by calling show.Shared. The page's controls need
	// them in the reader's browser.
	Shared map[string][]byte
	// Type and Text are the type and the text of an expression's value.
	Type, Text string
}

// Program builds and runs the programs of a book.
type Program struct {
	// Library is the folder of this module. Module is the folder of the book's own module, or "".
	Library, Module string
	// Work is the folder in which programs are built and stored. "" means a temporary folder.
	Work string
	// Cache stores results; nil means that results are not stored.
	Cache *cache.Cache
	// Keep means that the cache stores the results of all pages, even if they may differ next time.
	Keep bool
	// Limit is the time limit for each cell; 0 means five minutes.
	Limit time.Duration
	// Get, if not nil, downloads the modules that are not on this machine yet.
	Get func(context.Context) error
}

// PageResult contains the results of the cells of a page, or its faults.
type PageResult struct {
	Cells  []Result
	Faults []Fault
	// Now means that the page was run now, and its results did not come from the cache.
	Now bool
}

// RunOptions specifies how pages run.
type RunOptions struct {
	// Files is a hash of the files that cells may read.
	Files []byte
	// Kept means that results come only from the cache. For a page that is not in the cache, Cells stays nil.
	Kept bool
}

// Results contains the results of all pages, and their module.
type Results struct {
	Pages  []PageResult
	Module Module
}

// Run returns the results of pages. It returns an error if it cannot build or run the program, and [gosource.ErrModule]
// if the book's go.mod does not name a module.
func (g Program) Run(ctx context.Context, pages []Page, o RunOptions) (Results, error) {
	b, err := g.open(ctx)
	if err != nil {
		return Results{}, err
	}
	r := Results{Pages: make([]PageResult, len(pages))}
	b.files = o.Files
	var all, todo []*made
	for i, p := range pages {
		m := b.make(p, &r.Pages[i])
		all = append(all, m)
		if m.key, err = b.key(m); err != nil {
			return r, err
		}
		if len(m.result.Faults) > 0 {
			continue
		}
		take := b.Keep || o.Kept
		if !take {
			if take, err = b.repeatable(ctx, m.text); err != nil {
				return r, err
			}
		}
		if taken := take && b.kept(m); !taken && !o.Kept {
			todo = append(todo, m)
		}
	}
	if len(todo) > 0 {
		if err := b.run(ctx, todo); err != nil {
			return r, err
		}
	}
	for _, m := range all {
		sortFaults(m.result.Faults)
	}
	r.Module, err = b.module(ctx, all, o.Kept)
	if errors.Is(err, errNotKept) {
		err = nil
	}
	return r, err
}

func sortFaults(faults []Fault) {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
}

// made is a page that became a Go package.
type made struct {
	page   Page
	text   string // the text of its Go file
	locals map[string]bool
	silent map[int]bool // the cells whose last line is a call without a value
	key    cache.Key
	result *PageResult
}

// make turns a page into a package. It records errors in the cells as faults in result.
func (b *builder) make(p Page, result *PageResult) *made {
	m := &made{page: p, result: result, silent: map[int]bool{}}
	if p.together != nil {
		var err error
		if m.text, err = b.cellFile(m); err != nil {
			result.Faults = []Fault{{Line: 1, Column: 1, Message: err.Error()}}
		}
		return m
	}
	s := newSource(p, nil)
	m.locals, m.text = s.locals, s.file(m.name(), b.known)
	result.Faults = s.faults
	return m
}

// name returns the name of the page's package.
func (m *made) name() string { return m.page.packageName() }

func (p Page) packageName() string {
	name := noLetter.ReplaceAllString(p.Name, "_")
	if strings.ReplaceAll(p.Name, "-", "_") != name { // because another page could get the same name
		name += fmt.Sprintf("_%x", p.Name)
	}
	return "p_" + name
}

var noLetter = regexp.MustCompile(`[^a-z0-9]`)

// resultKind is the kind of cache entries that hold the results of pages. Its number must change when the meaning of
// the entries changes.
const resultKind = "page-run-1"

// key returns the cache key of a page's results. The key covers everything that the results depend on: the source, the
// imported packages, Go, and the files of the book. It includes line directives only if the page can print its line
// numbers.
func (b *builder) key(m *made) (cache.Key, error) {
	text := m.text
	if !seesPlaces.MatchString(text) {
		text = placeLine.ReplaceAllString(text, "")
	}
	sums, err := b.sums(importsOf(m.text))
	if err != nil {
		return cache.Key{}, fmt.Errorf("%s: %w", m.page.File, err)
	}
	embedded, err := m.page.sumEmbedded()
	if err != nil {
		return cache.Key{}, fmt.Errorf("%s: %w", m.page.File, err)
	}
	return cache.NewKey(resultKind, []byte(text), sums, []byte(b.tools), b.files, []byte(m.page.File), embedded), nil
}

// sums returns hashes of the given packages of the modules, of the packages that they import, and of the versions of
// other modules.
func (b *builder) sums(paths []string) (sums []byte, err error) {
	paths = b.reached(paths)
	for _, module := range b.modules {
		sum, err := module.Sum(paths)
		if err != nil {
			return nil, err
		}
		sums = append(sums, sum...)
	}
	return sums, nil
}

// reached returns the given packages, and the packages that they import, directly or through packages of the modules.
func (b *builder) reached(paths []string) []string {
	for _, module := range slices.Backward(b.modules) { // the book's own module first, because it imports the library
		paths = slices.Concat(paths, module.Others(paths))
	}
	return paths
}

// seesPlaces matches uses of packages with which a page can print its own line numbers.
var seesPlaces = regexp.MustCompile(`\b(runtime|debug|log|slog)\.`)

// kept takes the results of a page from the cache, and reports whether it found them.
func (b *builder) kept(m *made) bool {
	packed, ok := b.Cache.Get(m.key)
	if !ok {
		return false
	}
	cells, err := cache.Unpack[[]Result](packed)
	if err != nil || len(cells) != len(m.page.Cells) {
		return false
	}
	m.result.Cells = cells
	return true
}
