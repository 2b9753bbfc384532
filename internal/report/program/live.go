package program

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/report/compile"
)

// Packages contains the packages that cells can import, as maps from names to paths and from paths to names.
type Packages struct{ Paths, Names map[string]string }

// LiveRequest is the request that a page sends to the generator when a reader runs its cells.
type LiveRequest struct {
	Page Page
	// Packages are the packages that cells may use. Compiled maps the paths of packages to the compiled files.
	Packages Packages
	Compiled map[string]string
	// Silent comes from an earlier answer and lists the cells whose last line is a call without a value. Said is the
	// compiler's output for the program in that answer.
	Silent []int
	Said   string
}

// LiveAnswer contains the program for a page, or the faults of its cells.
type LiveAnswer struct {
	Program string
	Silent  []int
	Faults  []Fault
}

// LivePackages contains the packages that the cells of pages can import in a browser.
type LivePackages struct {
	Packages
	// Files maps the paths of the packages, and of all packages that they import, to the compiled files.
	Files map[string]string
	// Tools identifies the version of Go, and Root is Go's folder. Sources is a hash of the generator's sources.
	Tools, Root string
	Sources     []byte
	// Left maps the name of each page that does not compile for a browser to the reason.
	Left map[string]Fault
}

// LiveGenerator is the import path of the command that generates programs in a live page.
const LiveGenerator = library + "/internal/report/live/generate"

// LivePackages compiles packages for a browser: the given packages of Go's standard library, the packages of the
// library and of the book's own module that cells can import, and all packages that pages import. It leaves out
// packages that do not compile for a browser. Packages that need other modules are included only if a page imports
// them. It compiles without debugging information and inlining, which makes the packages a third smaller.
func (g Program) LivePackages(ctx context.Context, pages []Page, standard []string) (l LivePackages, err error) {
	b, err := g.open(ctx)
	if err != nil {
		return l, err
	}
	// wanted contains the packages that cells may import. needed contains the packages that may depend on other
	// modules.
	wanted, needed := map[string]bool{}, map[string]bool{library + "/notebooks/show/page": true}
	for _, path := range standard {
		wanted[path] = b.known.names[path] != ""
	}
	for _, path := range b.known.paths {
		if b.own(path) {
			wanted[path] = true
		}
	}
	for _, path := range shown {
		needed[library+"/"+path] = true
	}
	work, done, err := b.workFolder()
	if err != nil {
		return l, err
	}
	defer done()
	if err := b.workspace(work); err != nil {
		return l, err
	}
	var all []*made
	for _, p := range pages {
		all = append(all, b.make(p, &PageResult{}))
	}
	left := map[string]Fault{}
	good, err := b.compilable(ctx, work, all, left)
	if err != nil {
		return l, err
	}
	for _, m := range good {
		for _, path := range importsOf(m.text) {
			needed[path] = true
		}
	}
	maps.Copy(wanted, needed)
	maps.DeleteFunc(wanted, func(_ string, is bool) bool { return !is })
	files, imports, err := b.compiledWith(ctx, work, compile.WebAssembly, slices.Sorted(maps.Keys(wanted)), "-trimpath",
		"-gcflags=all=-l -dwarf=false")
	if err != nil {
		return l, err
	}
	lacks := func(path string) bool { return files[path] == "" && path != "unsafe" }
	foreign := func(path string) bool {
		first, _, _ := strings.Cut(path, "/")
		return strings.Contains(first, ".") && !b.own(path)
	}
	l = LivePackages{
		Packages: Packages{b.known.paths, b.known.names}, Files: map[string]string{}, Tools: b.tools,
		Root: b.goRoot, Left: left,
	}
	for path := range wanted {
		if lacks(path) || slices.ContainsFunc(imports[path], lacks) ||
			!needed[path] && slices.ContainsFunc(imports[path], foreign) {
			continue
		}
		for _, p := range append(imports[path], path) {
			if files[p] != "" {
				l.Files[p] = files[p]
			}
		}
	}
	l.Sources, err = b.sums([]string{LiveGenerator})
	return l, err
}

// compilable returns the pages that compile for a browser. It adds the reasons why other pages do not compile to left.
func (b *builder) compilable(ctx context.Context, work string, pages []*made, left map[string]Fault) (
	good []*made, err error,
) {
	if len(pages) == 0 {
		return nil, nil
	}
	_, good, err = b.buildModule(ctx, work, pages, left)
	var failed *compile.GoError
	if !errors.As(err, &failed) {
		return good, err
	}
	if len(pages) == 1 { // Go's message names no cell
		left[pages[0].page.Name] = Fault{Message: "the page imports a package that cannot be compiled for a browser"}
		return nil, nil
	}
	for _, p := range pages {
		some, err := b.compilable(ctx, work, []*made{p}, left)
		if err != nil {
			return nil, err
		}
		good = append(good, some...)
	}
	return good, nil
}

// Answer returns the program for the page: a Go file in which the cells follow each other. Lines and columns of faults
// are relative to the cell, and numbered from 1.
func (r LiveRequest) Answer() (a LiveAnswer) {
	line, begins := 1, []int{}
	for i, c := range r.Page.Cells {
		r.Page.Cells[i].Line, r.Page.Cells[i].Column = line, 1
		begins = append(begins, line)
		line += strings.Count(c.Code, "\n") + 1
	}
	b := &builder{known: packages{r.Packages.Paths, r.Packages.Names}}
	m := &made{page: r.Page, silent: map[int]bool{}, result: &PageResult{}}
	for _, cell := range r.Silent {
		m.silent[cell] = true
	}
	s := newSource(r.Page, m.silent)
	m.locals, m.text = s.locals, s.file(m.name(), b.known)
	faults := append(s.faults, r.lacks(m)...)
	if r.Said != "" && len(faults) == 0 && len(b.silence([]*made{m}, r.Said)) == 0 {
		b.blame("", []*made{m}, r.Said)
		if faults = m.result.Faults; len(faults) == 0 {
			faults = []Fault{{Line: 1, Column: 1, Message: strings.Join(strings.Fields(r.Said), " ")}}
		}
	}
	if len(faults) > 0 {
		sortFaults(faults)
		for i := range faults {
			faults[i].Line -= begins[faults[i].Cell] - 1
			faults[i].Cure = cmp.Or(faults[i].Cure, hint(faults[i].Message))
		}
		a.Faults = faults
		return a
	}
	a.Silent = slices.Sorted(maps.Keys(m.silent))
	if m.computesEarly() {
		if text, err := delayed(m.text, r.Compiled); err == nil {
			m.text = text
		} // the compiler reports the fault
	}
	a.Program = strings.Replace(m.text, "package "+m.name()+"\n", "package main\n", 1) + fmt.Sprintf(
		"%sfunc init() {\n\t%s.Main(map[string]func(*%[2]s.Session){%[3]q: Page}, nil)\n}\n\nfunc main() {}\n",
		ownLine, packageName, r.Page.Name)
	return a
}

// lacks returns a fault for each package that the page imports but the browser does not have. The fault is in the first
// cell that contains the package's path or name.
func (r LiveRequest) lacks(m *made) (faults []Fault) {
	for _, path := range importsOf(m.text) {
		if r.Compiled[path] != "" || path == "unsafe" {
			continue
		}
		f := Fault{
			Line: 1, Column: 1, Message: fmt.Sprintf("the package %q is not available in this page", path),
			Cure: "use the common packages of Go, or packages that the book itself uses",
		}
		name := r.Packages.Names[path]
		if name == "" {
			name = gosource.PackageName(path)
		}
		uses := regexp.MustCompile(regexp.QuoteMeta(`"`+path+`"`) + `|\b` + regexp.QuoteMeta(name) + `\.`)
		for i, c := range r.Page.Cells {
			if at := uses.FindStringIndex(c.Code); at != nil {
				f.Cell = i
				f.Line, f.Column = (&source{page: r.Page, cell: i}).place(at[0])
				break
			}
		}
		faults = append(faults, f)
	}
	return faults
}
