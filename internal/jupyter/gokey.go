package jupyter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/modfile"
)

// cellKey names all that goes into the program of a cell.
type cellKey struct {
	// program is for the program itself.
	program string
	// imports is for all but the text of the cell, with the packages that it imports; "" where Go has to look at the
	// text itself.
	imports string
	text    []byte // of the cell
	// fresh says that a file was changed so lately that one more change might leave no trace.
	fresh bool
}

func (k cellKey) same(other cellKey) bool {
	return k.program == other.program && k.imports == other.imports
}

// settleTime is how old a file's last change has to be before its time tells it from the next one.
var settleTime = 2 * time.Second

// mostFiles bounds what is looked at for each cell. Who has more gets every cell from Go itself.
const mostFiles = 20_000

var errNoKey = errors.New("what goes into this program is not known")

// key names what goes into the program in this folder: Go and its settings; the text of the cell, and the modules that
// it names, by their content; all other files here, and in the folders of modules that are not in the module cache, by
// what the system says of them, which changes with each change of a file. What lies in the module cache does not
// change.
//
// It is an error where settings name what cannot be looked at: C compilers, and files by flags.
func (c cellProgram) key() (cellKey, error) {
	if value := os.Getenv("CGO_ENABLED"); value != "0" {
		return cellKey{}, errNoKey // C compilers, headers, libraries
	}
	if !plainFlags(os.Getenv("GOFLAGS")) {
		return cellKey{}, errNoKey
	}
	text, err := os.ReadFile("main.go")
	if err != nil {
		return cellKey{}, err
	}
	w := keyWriter{Hash: sha256.New(), visited: map[string]bool{}}
	if err := w.settings(c.realGo); err != nil {
		return cellKey{}, err
	}
	if err := w.modules(filepath.Base(c.out)); err != nil {
		return cellKey{}, err
	}
	key := cellKey{text: text, fresh: w.newest.After(time.Now().Add(-settleTime))}
	rest := w.Sum(nil)
	if imports, plain := plainImports(text); plain {
		key.imports = digest("imports", rest, imports)
	}
	key.program = digest("program", rest, text)
	return key, nil
}

// envKey names what goes into an answer of go env: Go and its settings, the folder, and the modules that it names. It
// is an error where Go looks for these in the folders above.
func (c cellProgram) envKey(args []string) (string, error) {
	if !isFile("go.mod") || !isFile("go.work") {
		return "", errNoKey
	}
	w := keyWriter{Hash: sha256.New()}
	if err := errors.Join(w.settings(c.realGo), w.moduleFiles()); err != nil {
		return "", err
	}
	return digest("env", w.Sum(nil), args), nil
}

func digest(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])
}

// plainFlags says whether GOFLAGS has nothing but flags whose meaning is in their text, and keeps out of the program
// what git says of this folder.
func plainFlags(flags string) bool {
	fields, plain := strings.Fields(flags), false
	for _, flag := range fields {
		name, value, _ := strings.Cut(strings.TrimLeft(flag, "-"), "=")
		switch name {
		case "buildvcs":
			plain = value == "false"
		case "mod":
			if value != "mod" && value != "readonly" {
				return false
			}
		case "ldflags", "gcflags", "asmflags", "tags", "trimpath", "modcacherw", "p":
		default:
			return false
		}
	}
	// Flags for a program that links or compiles in the place of Go's name another file.
	return plain && !strings.ContainsAny(flags, `'"`)
}

// plainImports returns the packages that a cell imports, and whether Go looks at nothing else in it before it calls the
// compiler: no instructions in comments, no C.
func plainImports(text []byte) ([]string, bool) {
	for _, sign := range []string{"//go:", "// +build", "//+build", "//line", "/*line"} {
		if bytes.Contains(text, []byte(sign)) {
			return nil, false
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "main.go", text, parser.ImportsOnly)
	if err != nil || file.Name.Name != "main" {
		return nil, false
	}
	var imports []string
	for _, spec := range file.Imports {
		if spec.Path.Value == `"C"` {
			return nil, false
		}
		imports = append(imports, spec.Path.Value)
	}
	slices.Sort(imports)
	return slices.Compact(imports), true
}

// keyWriter writes down what goes into a program.
type keyWriter struct {
	hash.Hash
	newest  time.Time // the last change of a file that is known by its time
	files   int
	line    []byte          // of a file, in the making: there are a thousand, and fmt takes as long as the system
	visited map[string]bool // folders, by their real paths
}

// settings writes down Go and what it is told: variables of the environment, and the files that stand for those that
// are not set.
func (w *keyWriter) settings(realGo string) error {
	program, err := filepath.EvalSymlinks(realGo)
	if err != nil {
		return err
	}
	root := cmp.Or(os.Getenv("GOROOT"), filepath.Dir(filepath.Dir(program)))
	tools, err := filepath.Glob(filepath.Join(root, "pkg", "tool", "*", "*"))
	if err != nil {
		return err
	}
	for _, name := range append(tools, program) {
		if err := w.file(name); err != nil {
			return err
		}
	}
	files := []string{filepath.Join(root, "VERSION"), filepath.Join(root, "go.env"), os.Getenv("GOENV")}
	if config, err := os.UserConfigDir(); err == nil && files[2] == "" {
		files[2] = filepath.Join(config, "go", "env")
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if bytes.Contains(text, []byte("GOWORK")) || bytes.Contains(text, []byte("GOROOT")) {
			return errNoKey // a workspace or a Go elsewhere
		}
		fmt.Fprintf(w, "%q %q %v\n", name, text, err == nil)
	}
	env := slices.DeleteFunc(os.Environ(), func(entry string) bool {
		name, _, _ := strings.Cut(entry, "=")
		return !(strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "GONB_") || strings.HasPrefix(name, "CGO") || name == "HOME")
	})
	slices.Sort(env)
	fmt.Fprintf(w, "%q\n", env)
	return nil
}

// moduleFiles writes down the cell's own folder, and the files there that name modules.
func (w *keyWriter) moduleFiles() error {
	here, err := os.Getwd()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%q\n", here)
	for _, name := range []string{"go.mod", "go.sum", "go.work", "go.work.sum"} {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		fmt.Fprintf(w, "%s %q %v\n", name, text, err == nil)
	}
	return nil
}

// modules writes down the modules that the cell's folder names, and that folder.
func (w *keyWriter) modules(out string) error {
	if value := os.Getenv("GOWORK"); value != "" && value != "off" {
		return errNoKey
	}
	if err := w.moduleFiles(); err != nil {
		return err
	}
	// By content, or made of the rest.
	if err := w.folder(".", never, "main.go", "go.mod", "go.sum", "go.work", "go.work.sum", out); err != nil {
		return err
	}
	dirs, err := moduleFolders()
	if err != nil {
		return err
	}
	for _, dir := range dirs {
		if err := w.folder(dir, never); err != nil {
			return err
		}
	}
	return nil
}

// moduleFolders returns the folders of other modules: those that go.work uses, and what they and it say to take in the
// place of others.
func moduleFolders() ([]string, error) {
	used, dirs := []string{"."}, []string{}
	replaced := func(base string, list []*modfile.Replace) {
		for _, r := range list {
			if !modfile.IsDirectoryPath(r.New.Path) {
				continue
			}
			if dir := filepath.FromSlash(r.New.Path); filepath.IsAbs(dir) {
				dirs = append(dirs, dir)
			} else {
				dirs = append(dirs, filepath.Join(base, dir))
			}
		}
	}
	data, err := os.ReadFile("go.work")
	switch {
	case errors.Is(err, fs.ErrNotExist) && os.Getenv("GOWORK") != "off":
		// Go looks for a go.work in the folders above this one too.
		if found, err := workAbove(); found || err != nil {
			return nil, errNoKey
		}
	case err == nil && os.Getenv("GOWORK") != "off":
		work, err := modfile.ParseWork("go.work", data, nil)
		if err != nil {
			return nil, err
		}
		for _, use := range work.Use {
			if filepath.Clean(use.Path) != "." {
				used, dirs = append(used, use.Path), append(dirs, use.Path)
			}
		}
		replaced(".", work.Replace)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	for _, dir := range used {
		file := filepath.Join(dir, "go.mod")
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		mod, err := modfile.Parse(file, data, nil) // ParseLax leaves out what is replaced
		if err != nil {
			return nil, err
		}
		replaced(dir, mod.Replace)
	}
	return dirs, nil
}

func workAbove() (bool, error) {
	dir, err := os.Getwd()
	for err == nil && filepath.Dir(dir) != dir {
		if dir = filepath.Dir(dir); isFile(filepath.Join(dir, "go.work")) {
			return true, nil
		}
	}
	return false, err
}

// folder writes down all files of a folder and of those below, but for some. above says whether a package in a folder
// above embeds files. What no package is made of unless it embeds it, and what changes all the time, is left out
// otherwise: notebooks, and hidden folders without Go files.
func (w *keyWriter) folder(dir string, above func() bool, except ...string) error {
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	if resolved, err = filepath.Abs(resolved); err != nil {
		return err
	}
	// Its files may have been written down under another name.
	fmt.Fprintf(w, "%q leads to %q\n", dir, resolved)
	return w.resolvedFolder(dir, resolved, above, except...)
}

// resolvedFolder is folder for one whose real path is known.
func (w *keyWriter) resolvedFolder(dir, resolved string, above func() bool, except ...string) error {
	visit := resolved
	if w.visited[visit] && above() {
		visit += " embedded" // now with what was left out
	}
	if w.visited[visit] {
		return nil
	}
	w.visited[visit] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%q\n", dir)
	embedded := sync.OnceValue(func() bool { return above() || embeds(dir, entries) })
	for _, entry := range entries {
		name := entry.Name()
		path := filepath.Join(dir, name)
		if name == ".git" || slices.Contains(except, name) {
			continue
		}
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			fmt.Fprintf(w, "%q leads nowhere\n", path)
			continue
		}
		if err != nil {
			return err
		}
		changing := !info.IsDir() && strings.HasSuffix(name, ".ipynb") ||
			info.IsDir() && strings.HasPrefix(name, ".") && !holdsGo(path, map[string]bool{})
		switch {
		case changing && !embedded():
		case info.IsDir() && isFile(filepath.Join(path, "go.mod")):
			fmt.Fprintf(w, "%q is another module\n", path)
		case entry.IsDir():
			err = w.resolvedFolder(path, filepath.Join(resolved, name), embedded)
		case info.IsDir():
			err = w.folder(path, embedded)
		case info.Mode().IsRegular(): // no pipes
			err = w.say(path, info)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func never() bool { return false }

// embeds says whether a Go file of a folder embeds files.
func embeds(dir string, entries []fs.DirEntry) bool {
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		if !strings.HasSuffix(entry.Name(), ".go") {
			return false
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		return err != nil || bytes.Contains(text, []byte("//go:embed"))
	})
}

// holdsGo says whether there are Go files in a folder or below it, links included: they may be packages. What cannot
// be read holds none for Go either.
func holdsGo(dir string, visited map[string]bool) bool {
	resolved, err := filepath.EvalSymlinks(dir)
	if err != nil || visited[resolved] {
		return false
	}
	visited[resolved] = true
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		if strings.HasSuffix(entry.Name(), ".go") {
			return true
		}
		path := filepath.Join(dir, entry.Name())
		info, err := os.Stat(path)
		return err == nil && info.IsDir() && holdsGo(path, visited)
	})
}

// file writes down what the system says of a file.
func (w *keyWriter) file(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return w.say(path, info)
}

func (w *keyWriter) say(path string, info fs.FileInfo) error {
	if w.files++; w.files > mostFiles {
		return errNoKey
	}
	changed := changeTime(info)
	if changed.time.After(w.newest) {
		w.newest = changed.time
	}
	w.line = append(strconv.AppendQuote(w.line[:0], path), ' ')
	for _, number := range []int64{info.Size(), int64(info.Mode()), info.ModTime().UnixNano(), changed.time.UnixNano(), int64(changed.file)} {
		w.line = append(strconv.AppendInt(w.line, number, 10), ' ')
	}
	_, err := w.Write(append(w.line, '\n'))
	return err
}
