package program

import (
	"context"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"go/version"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/report/compile"
)

// builder is a Program together with the state of a build.
type builder struct {
	Program
	tools      string // Go's version and platform
	goRoot     string
	modules    []*gosource.Module // the library and the book's own module
	known      packages
	modulePath string // the path of the module that contains the programs
	got        bool   // whether the modules that pages import have been downloaded
	files      []byte // a hash of the files that cells may read; nil if it was not computed
}

// packages contains the packages that cells can import, as maps from names to paths and from paths to names.
type packages struct{ paths, names map[string]string }

// Fingerprint returns the version and platform of Go, because results may depend on them.
func (g Program) Fingerprint(ctx context.Context) ([]byte, error) {
	b := &builder{Program: g}
	err := b.askGo(ctx)
	return []byte(b.tools), err
}

// askGo sets the version, the platform and the folder of the go command.
func (b *builder) askGo(ctx context.Context) error {
	if _, err := exec.LookPath("go"); err != nil {
		return jupyter.ErrNoGo
	}
	said, err := b.goCommand(ctx, b.Library, "env", "GOVERSION", "GOOS", "GOARCH", "GOEXPERIMENT", "GOAMD64", "GOROOT")
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	b.tools, b.goRoot = strings.Join(lines[:len(lines)-1], "\n"), lines[len(lines)-1]
	return nil
}

// open returns a builder that has read the modules.
func (g Program) open(ctx context.Context) (*builder, error) {
	b := &builder{Program: g, known: packages{map[string]string{}, map[string]string{}}}
	err := b.askGo(ctx)
	if err != nil {
		return nil, err
	}
	if b.Module != "" {
		if b.Module, err = filepath.Abs(b.Module); err != nil {
			return nil, err
		}
	}
	for _, root := range []string{b.Library, b.Module} {
		if root == "" {
			continue
		}
		m, err := gosource.OpenModule(root)
		if err != nil {
			return nil, err
		}
		b.modules = append(b.modules, m)
	}
	b.learn()
	return b, nil
}

// shown lists packages of the library that cells can use without an import.
var shown = []string{"notebooks/show", "report/content", "report/figure", "report/pictures"}

// preferred maps package names that occur several times in Go's library to the preferred paths.
var preferred = map[string]string{
	"rand": "math/rand", "template": "text/template", "scanner": "text/scanner", "pprof": "runtime/pprof",
	"trace": "runtime/trace", "json": "encoding/json",
}

// learn records all packages and their names: Go's own, then the library's, then the book's. Later packages take
// precedence.
func (b *builder) learn() {
	for _, path := range standard(filepath.Join(b.goRoot, "src")) {
		name := gosource.PackageName(path)
		b.known.names[path] = name
		if want := preferred[name]; want == "" || want == path {
			b.known.paths[name] = path
		}
	}
	for _, m := range b.modules {
		for _, path := range slices.Sorted(maps.Keys(m.Packages)) {
			name := m.Packages[path].Name
			b.known.names[path] = name
			inside := strings.TrimPrefix(path, library+"/")
			if name != "main" && (m.Path != library || slices.Contains(shown, inside) ||
				strings.HasPrefix(inside, "analysis/") && !strings.Contains(inside, "internal")) {
				b.known.paths[name] = path
			}
		}
	}
}

// standard returns the paths of the packages in Go's library that any module can import.
func standard(src string) (paths []string) {
	_ = filepath.WalkDir(src, func(name string, entry fs.DirEntry, err error) error {
		switch base := path.Base(filepath.ToSlash(name)); {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(base, "_") ||
			slices.Contains([]string{"internal", "vendor", "testdata", "cmd", "builtin"}, base)):
			return fs.SkipDir
		case !entry.IsDir() && strings.HasSuffix(base, ".go") && !strings.HasSuffix(base, "_test.go"):
			if rel, err := filepath.Rel(src, filepath.Dir(name)); err == nil && rel != "." {
				paths = append(paths, filepath.ToSlash(rel))
			}
		}
		return nil
	})
	return slices.Compact(slices.Sorted(slices.Values(paths)))
}

// goCommand runs the go command in a folder and returns its output. The user's settings determine where Go stores
// modules and other files. Building a page does not use the network.
func (b *builder) goCommand(ctx context.Context, dir string, args ...string) (string, error) {
	return b.goCommandWith(ctx, dir, nil, args...)
}

// goCommandWith runs the go command with additional environment settings.
func (b *builder) goCommandWith(ctx context.Context, dir string, settings []string, args ...string) (string, error) {
	all := []string{
		"GO111MODULE=on", "GOFLAGS=-buildvcs=false", "GOPROXY=off", "GOSUMDB=off", "CGO_ENABLED=0", "PWD=" + dir,
	} // without cgo, because Go's own linker is faster
	if dir != b.Library {
		all = append(all, "GOWORK="+filepath.Join(dir, "go.work"))
	}
	return compile.Go(ctx, dir, append(all, settings...), args...)
}

// workspace writes go.mod and go.work for the programs' module. The module's path begins with the path of the book's
// own module, so that the programs can import the internal packages of that module.
func (b *builder) workspace(work string) error {
	module, goVersion := "siegebook.local/pages", "1.26"
	uses := ""
	for _, m := range b.modules {
		data, err := os.ReadFile(filepath.Join(m.Root, "go.mod"))
		if err != nil {
			return err
		}
		file, err := modfile.ParseLax("go.mod", data, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Root, err)
		}
		if file.Go != nil && version.Compare("go"+file.Go.Version, "go"+goVersion) > 0 {
			goVersion = file.Go.Version
		}
		root, err := filepath.Abs(m.Root)
		if err != nil {
			return err
		}
		if uses += "\t" + strconv.Quote(root) + "\n"; m.Path != library {
			module = m.Path + "/siegebook-pages"
		}
	}
	b.modulePath = module
	return errors.Join(
		writeIfNew(filepath.Join(work, "go.mod"), fmt.Sprintf("module %s\n\ngo %s\n", module, goVersion)),
		writeIfNew(filepath.Join(work, "go.work"), fmt.Sprintf("go %s\n\nuse (\n\t.\n%s)\n", goVersion, uses)),
	)
}

// writeIfNew writes a file unless it already contains text, so that Go need not rebuild it.
func writeIfNew(name, text string) error {
	if old, err := os.ReadFile(name); err == nil && string(old) == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o644)
}

// workFolder returns the folder in which programs are built, and a function to call when the folder is no longer
// needed.
func (b *builder) workFolder() (work string, done func(), err error) {
	done = func() {}
	if work = b.Work; work == "" {
		temp, err := atomicfile.NewFolder("", "siegebook-pages")
		if err != nil {
			return "", nil, err
		}
		work, done = temp.Path, func() { _ = temp.Remove() }
	}
	work, err = filepath.Abs(work)
	if err == nil {
		err = os.MkdirAll(work, 0o755)
	}
	return work, done, err
}

// run builds a program of pages, and runs the pages.
func (b *builder) run(ctx context.Context, pages []*made) error {
	work, done, err := b.workFolder()
	if err != nil {
		return err
	}
	defer done()
	// Each run has its own folder for its program, because another run may build at the same time.
	own, err := atomicfile.NewFolder(work, "run")
	if err != nil {
		return err
	}
	defer func() { _ = own.Remove() }()
	program := filepath.Join(own.Path, "book"+executable)
	unlock, err := atomicfile.Lock(ctx, filepath.Join(work, "lock"))
	if err != nil {
		return err
	}
	built, err := b.build(ctx, work, pages)
	if err == nil && len(built) > 0 {
		err = os.Link(filepath.Join(work, "book", "program"), program)
	}
	unlock()
	if err != nil {
		return err
	}
	return b.runAll(ctx, program, own.Path, built)
}

// pageFile is the name of the Go file in the folder of a page's package.
const pageFile = "page.go"

// write writes the packages of pages.
func (b *builder) write(ctx context.Context, work string, pages []*made) error {
	if err := b.workspace(work); err != nil {
		return err
	}
	if err := b.delay(ctx, work, pages); err != nil {
		return err
	}
	for _, m := range pages {
		dir := filepath.Join(work, m.name())
		if err := writeIfNew(filepath.Join(dir, pageFile), m.text); err != nil {
			return err
		}
		if err := m.page.copyEmbedded(dir, pageFile); err != nil {
			return err
		}
	}
	return nil
}

// build builds the program of all pages that compile, and returns these pages. It adds faults to the other pages.
func (b *builder) build(ctx context.Context, work string, pages []*made) ([]*made, error) {
	if err := b.write(ctx, work, pages); err != nil {
		return nil, err
	}
	return b.link(ctx, work, pages, "main", nil, "-gcflags="+b.modulePath+"/...=-e", "-ldflags=-s -w")
}

// link builds a program of the pages that compile, and returns these pages. It adds faults to the other pages. The
// function is main for a book's program, and init for a module.
func (b *builder) link(
	ctx context.Context, work string, pages []*made, function string, settings []string, flags ...string,
) ([]*made, error) {
	folder := map[string]string{"main": "book", "init": "module"}[function]
	args := append(append([]string{"build"}, flags...), "-o", folder+"/program", "./"+folder)
	for len(pages) > 0 {
		if err := writeIfNew(filepath.Join(work, folder, "main.go"), b.mainFile(pages, function)); err != nil {
			return nil, err
		}
		_, err := b.goCommandWith(ctx, work, settings, args...)
		var failed *compile.GoError
		switch {
		case err == nil:
			return pages, nil
		case !errors.As(err, &failed):
			return nil, err
		}
		switch got, err := b.getModules(ctx, failed); {
		case err != nil:
			return nil, err
		case got:
			continue
		}
		if again := b.silence(pages, failed.Text); len(again) > 0 {
			if err := b.write(ctx, work, again); err != nil {
				return nil, err
			}
			continue
		}
		good := b.blame(work, pages, failed.Text)
		if len(good) == len(pages) {
			return nil, failed
		}
		pages = good
	}
	return nil, nil
}

// getModules gets the modules that cells import if a build failed because they are missing, but only once. It reports
// whether the build should be tried again.
func (b *builder) getModules(ctx context.Context, failed *compile.GoError) (got bool, err error) {
	if b.got || b.Get == nil || !lacksModule.MatchString(failed.Text) {
		return false, nil
	}
	b.got = true
	return true, b.Get(ctx)
}

var lacksModule = regexp.MustCompile(`GOPROXY=off|missing go\.sum entry|cannot find module|no required module`)

// mainFile returns the main Go file of the program. The file's function main, or init for a module, passes the pages to
// page.Main.
func (b *builder) mainFile(pages []*made, function string) string {
	var imports, list strings.Builder
	for _, m := range pages {
		fmt.Fprintf(&imports, "\t%q\n", b.modulePath+"/"+m.name())
		fmt.Fprintf(&list, "\t\t%q: %s.Page,\n", m.page.Name, m.name())
	}
	shared, other := "", ""
	if function != "main" {
		shared, other = sharedValues(pages), "func main() {}\n"
	}
	return fmt.Sprintf("package main\n\nimport (\n\tpage %q\n%s)\n\nfunc %s() {\n\tpage.Main("+
		"map[string]func(*page.Session){\n%s\t}%s)\n}\n%s", library+"/notebooks/show/page", imports.String(), function,
		list.String(), shared, other)
}

var (
	// atPlace matches a line in which Go reports an error at a position.
	atPlace = regexp.MustCompile(`^(.+?):(\d+)(?::(\d+))?: (.*)$`)
	// beside matches the position in the Go file, which Go prints after the position in the page.
	beside = regexp.MustCompile(`\[[^\[\]\s]*page\.go:[0-9:]+\]`)
	// placeLine matches a line directive that refers to the page.
	placeLine = regexp.MustCompile(`//line .*\n|/\*line [^*]*\*/`)
)

const noValue = " (no value) used as value"

// silence finds in the messages of the go command the cells whose last line is a call without a value, and makes them
// show no value. It returns their pages.
func (b *builder) silence(pages []*made, text string) (changed []*made) {
	for said := range strings.SplitSeq(text, "\n") {
		place := atPlace.FindStringSubmatch(beside.ReplaceAllString(said, ""))
		if place == nil || !strings.HasSuffix(place[4], noValue) {
			continue
		}
		i := slices.IndexFunc(pages, func(p *made) bool { return place[1] == p.page.shownFile() })
		if i < 0 {
			continue
		}
		m := pages[i]
		if m.page.together != nil {
			said := strings.ReplaceAll(beside.ReplaceAllString(text, ""), m.page.shownFile()+":", "main.go:")
			if source, again := jupyter.WithoutValues([]byte(m.text), []byte(said)); again {
				m.text, changed = string(source), append(changed, m)
			}
			continue
		}
		line, _ := strconv.Atoi(place[2])
		column, _ := strconv.Atoi(place[3])
		if cell := m.page.cellAt(line, column); !m.silent[cell] && !m.page.Cells[cell].Value {
			m.silent[cell] = true
			changed = append(changed, m)
		}
	}
	changed = slices.Compact(changed)
	for _, m := range changed {
		if m.page.together == nil {
			m.text = newSource(m.page, m.silent).file(m.name(), b.known)
		}
	}
	return changed
}

// blame turns the messages of the go command into faults of pages. It returns the pages that get no fault.
func (b *builder) blame(work string, pages []*made, text string) (good []*made) {
	blamed := map[*made]bool{}
	of := "" // the package that the messages are about
	var last *Fault
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		line = beside.ReplaceAllString(line, "")
		if path, is := strings.CutPrefix(line, "# "); is {
			of, _, _ = strings.Cut(path, " ")
			last = nil
			continue
		}
		if rest, is := strings.CutPrefix(line, "\t"); is && last != nil {
			if place := atPlace.FindStringSubmatch(rest); place != nil {
				rest = fmt.Sprintf("(%s, line %s)", place[4], place[2])
			}
			last.Message += " " + strings.TrimSpace(rest)
			continue
		}
		if m := atPlace.FindStringSubmatch(line); m != nil {
			f := Fault{File: m[1], Message: m[4]}
			f.Line, _ = strconv.Atoi(m[2])
			f.Column, _ = strconv.Atoi(m[3])
			last = b.accuse(work, pages, of, f, blamed)
		}
	}
	return slices.DeleteFunc(slices.Clone(pages), func(p *made) bool { return blamed[p] })
}

// accuse adds a fault to the page in whose file it is. If the file belongs to the book's own module, the first page
// that imports the file's package gets the fault, and all pages that import the package are blamed.
func (b *builder) accuse(work string, pages []*made, of string, f Fault, blamed map[*made]bool) (noted *Fault) {
	at := slices.IndexFunc(pages, func(p *made) bool { return f.File == p.page.shownFile() })
	if at >= 0 {
		f.File, f.Cell = "", pages[at].page.cellAt(f.Line, f.Column)
		f.Cure = pages[at].cure(f.Message)
	} else {
		file, err := filepath.Rel(b.Module, filepath.Join(work, filepath.FromSlash(f.File)))
		if b.Module == "" || err != nil || !filepath.IsLocal(file) {
			return nil
		}
		f.File, f.Cure = filepath.ToSlash(file), "correct it"
		for i, p := range pages {
			if b.imports(p, of) {
				blamed[p] = true
				if at < 0 {
					at = i
				}
			}
		}
	}
	if at < 0 {
		return nil
	}
	blamed[pages[at]] = true
	faults := &pages[at].result.Faults
	*faults = append(*faults, f)
	return &(*faults)[len(*faults)-1]
}

var undefined = regexp.MustCompile(`^undefined: (\pL\w*)$`)

// cure returns advice on a message about an undefined name, or "" if there is none.
func (m *made) cure(message string) string {
	if found := undefined.FindStringSubmatch(message); found != nil && m.locals[found[1]] {
		return "functions cannot see what a statement declares, so declare it with var above the statements of a cell"
	}
	return ""
}

// imports reports whether a page imports a package directly or indirectly.
func (b *builder) imports(m *made, of string) bool {
	paths := importsOf(m.text)
	return slices.ContainsFunc(b.modules, func(module *gosource.Module) bool { return module.Closure(paths)[of] })
}

// importsOf returns the paths that a Go file imports.
func importsOf(text string) (paths []string) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return nil
	}
	for _, spec := range file.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err == nil {
			paths = append(paths, path)
		}
	}
	return paths
}

// cellAt returns the index of the cell at a position in the page: the last cell that begins at or before the position.
func (p Page) cellAt(line, column int) int {
	at := 0
	for i, c := range p.Cells {
		if c.Line < line || c.Line == line && c.Column <= max(column, 1) {
			at = i
		}
	}
	return at
}
