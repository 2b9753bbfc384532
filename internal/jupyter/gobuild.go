package jupyter

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"hash"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/notebooks/show/values"
)

// cellProgram is the program of the cell in the working folder. Programs are kept in a folder that is removed with the
// kernel, under a key of all that goes into them. A plan, under the key of all but the cell's text, says how Go has
// called its compiler and its linker. A file that cannot be kept or read costs time alone.
type cellProgram struct {
	realGo string // the go that does the work
	kept   string // the folder
	out    string // the file of the program
}

// build makes the program in the shortest way there is.
func (c cellProgram) build() (text []byte, code int) {
	_ = os.Remove(c.out) // it may have another name too, under which it must not change
	if source, err := os.ReadFile("main.go"); err == nil {
		before := source
		defer func() {
			if code != 0 {
				_ = os.WriteFile("main.go", before, 0o600) // of which gonb shows lines
			}
		}()
		if folder := keptFolder(); folder != "" {
			if running, err := tellProxy(buildNews{}); err == nil {
				var news buildNews
				_, keeps, _ := asTyped(running.Code) // others say themselves what they run
				source, news.Said = keepValues(source, folder, declaredBy(running.Code), keeps)
				if news.Said != "" {
					_, _ = tellProxy(news)
				}
			}
		}
		_ = os.WriteFile("main.go", showAll(source), 0o600) // where that fails, it is as it was
	}
	key, err := c.key()
	if err == nil && (os.Link(c.program(key), c.out) == nil || c.follow(key) == nil) {
		return nil, 0
	}
	return c.buildByGo(key, err == nil)
}

// showAll returns a program that waits, before it ends, until gonb has shown all that it has for it. gonb reads no more
// when a program has ended. Lines keep their numbers.
func showAll(source []byte) []byte {
	const shown = "siegebookShown"
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	shows := func(spec *ast.ImportSpec) bool { return strings.HasPrefix(spec.Path.Value, `"`+gonbuiPackage) }
	if err != nil || os.Getenv("GOOS") == "js" || bytes.Contains(source, []byte(shown)) ||
		!slices.ContainsFunc(file.Imports, shows) {
		return source
	}
	insert := map[int]string{int(file.Name.End()) - 1: "; import " + shown + strconv.Quote(gonbuiPackage)}
	for _, decl := range file.Decls {
		if d, is := decl.(*ast.FuncDecl); is && d.Recv == nil && d.Name.Name == "main" && d.Body != nil {
			insert[int(d.Body.Lbrace)] = "defer " + shown + ".Sync();"
		}
	}
	ends := func(list []ast.Stmt) {
		for _, statement := range list {
			if s, is := statement.(*ast.ExprStmt); is && endsProgram.MatchString(types.ExprString(s.X)) {
				insert[int(s.Pos())-1] = shown + ".Sync();"
			}
		}
	}
	ast.Inspect(file, func(node ast.Node) bool {
		switch n := node.(type) {
		case *ast.BlockStmt:
			ends(n.List)
		case *ast.CaseClause:
			ends(n.Body)
		case *ast.CommClause:
			ends(n.Body)
		}
		return true
	})
	for _, at := range slices.Backward(slices.Sorted(maps.Keys(insert))) {
		source = slices.Insert(source, at, []byte(insert[at])...)
	}
	return source
}

// gonbuiPackage is that by which programs show what is no text; there are others below it.
const gonbuiPackage = "github.com/janpfeifer/gonb/gonbui"

// endsProgram matches calls that do not come back, and after which nothing is done.
var endsProgram = regexp.MustCompile(`^(os\.Exit|log\.Fatal(f|ln)?)\(`)

// buildByGo leaves the work to Go, and learns from it where the program has a key.
func (c cellProgram) buildByGo(key cellKey, keyed bool) ([]byte, int) {
	args := []string{"build", "-o", c.out}
	record := ""
	if keyed && key.imports != "" {
		record, _ = os.MkdirTemp(c.kept, "recording-")
		defer os.RemoveAll(record)
	}
	if record != "" {
		args = slices.Insert(args, 1, "-toolexec="+recorderProgram)
	}
	env := append(os.Environ(), recordVariable+"="+record)
	text, code := runGo(c.realGo, env, args...)
	if code != 0 && missingModule.Match(text) {
		if text, code = runGo(c.realGo, env, "get"); code == 0 {
			text, code = runGo(c.realGo, env, args...)
		}
	}
	if code != 0 && os.Getenv("GOPROXY") == "off" && withoutNetwork(string(text)) != "" {
		text = append(text, "C"+allowNetwork[1:]+"\n"...)
	}
	// A file that was changed while Go was at work, or a moment before, may or may not be in the program.
	if after, err := c.key(); code == 0 && keyed && err == nil && after.program == key.program && !after.fresh {
		c.keep(key)
		if isFile(filepath.Join(record, "compile")) && isFile(filepath.Join(record, "link")) {
			_ = os.RemoveAll(c.plan(key))
			_ = os.Rename(record, c.plan(key))
		}
	}
	return text, code
}

func (c cellProgram) program(key cellKey) string {
	return filepath.Join(c.kept, "program-"+key.program)
}

func (c cellProgram) plan(key cellKey) string { return filepath.Join(c.kept, "plan-"+key.imports) }

// mostKept bounds the bytes of all programs that are kept: one that finds no room has it to itself.
var mostKept = int64(256 << 20)

func (c cellProgram) keep(key cellKey) {
	programs, _ := filepath.Glob(filepath.Join(c.kept, "program-*"))
	size := int64(0)
	for _, file := range append(programs, c.out) {
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	for _, file := range programs {
		if size > mostKept {
			_ = os.Remove(file)
		}
	}
	_ = os.Link(c.out, c.program(key))
}

// recorderProgram is the name under which Go calls us in the place of its compiler and its linker (-toolexec), and
// recordVariable has the folder for what we see: that is the plan of a program.
const (
	recorderProgram = "siegebook-record"
	recordVariable  = "SIEGEBOOK_RECORD"
)

// toolCall is how Go has called its compiler or its linker for the program of a cell: the command line, the settings,
// and the file that says where the packages are which the program imports.
type toolCall struct {
	Argv   []string
	Env    []string
	Work   string // the folder of Go for this program, which is gone later
	Config string // the file's content
}

// runRecorded becomes the tool of a command line, which Go has wanted to call, and notes first what it was for the
// program itself.
func runRecorded(argv []string) int {
	if len(argv) == 0 {
		fmt.Fprintln(os.Stderr, "usage: "+recorderProgram+" TOOL [ARGUMENTS...]; Go calls it")
		return 2
	}
	if folder := os.Getenv(recordVariable); folder != "" && len(argv) > 2 {
		record(folder, argv)
	}
	return become(argv[0], argv)
}

// record notes a call. A call that cannot be noted makes no plan.
func record(folder string, argv []string) {
	name := strings.TrimSuffix(filepath.Base(argv[0]), ".exe")
	config := argument(argv, "-importcfg")
	last := len(argv) - 1
	cell := argument(argv, "-p") == "main" && argv[last-1] == "-pack" && filepath.Base(argv[last]) == "main.go"
	if argument(argv, "-o") == "" || config == "" || name != "link" && (name != "compile" || !cell) {
		return
	}
	text, err := os.ReadFile(config)
	if err != nil {
		return
	}
	call := toolCall{Argv: argv, Work: filepath.Dir(config), Config: string(text)}
	// A package that was compiled just now is not in Go's cache yet: next time it is.
	others := strings.ReplaceAll(call.Config, call.Work+string(filepath.Separator), "")
	if strings.Contains(others, filepath.Dir(call.Work)+string(filepath.Separator)) {
		return
	}
	call.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return !strings.HasPrefix(entry, "GO") || strings.HasPrefix(entry, "GONB_")
	})
	_ = os.WriteFile(filepath.Join(folder, name), encoded(call), 0o600)
}

// argument returns the value of a flag of a tool, "" if it is not there.
func argument(argv []string, flag string) string {
	if i := slices.Index(argv, flag); i >= 0 && i+1 < len(argv) {
		return argv[i+1]
	}
	return ""
}

// follow builds the program as its plan says. Where that fails, Go is asked next and says why.
func (c cellProgram) follow(key cellKey) error {
	if key.imports == "" {
		return errNoKey
	}
	work, err := os.MkdirTemp(c.kept, "work-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var compile, link toolCall
	for name, call := range map[string]*toolCall{"compile": &compile, "link": &link} {
		data, err := os.ReadFile(filepath.Join(c.plan(key), name))
		if err == nil {
			err = json.Unmarshal(data, call)
		}
		if err == nil && (len(call.Argv) == 0 || call.Work == "") {
			err = errors.New("no call")
		}
		if err != nil {
			return err
		}
	}
	// The cell may import what other packages of the program import.
	for line := range strings.Lines(link.Config) {
		if path, is := strings.CutPrefix(line, "packagefile "); is {
			path, _, _ = strings.Cut(path, "=")
			key.std = slices.DeleteFunc(key.std, func(std string) bool { return std == path })
			compile.Config += line
		}
	}
	if len(key.std) > 0 {
		return errNoKey
	}
	for _, call := range []toolCall{compile, link} {
		if err := call.again(work, key.program); err != nil {
			return err
		}
	}
	// Nothing else was read from where it may have changed meanwhile.
	if text, err := os.ReadFile("main.go"); err != nil || !bytes.Equal(text, key.text) {
		return errors.Join(err, errors.New("the cell has changed"))
	}
	if err := os.Rename(filepath.Join(work, "exe", filepath.Base(argument(link.Argv, "-o"))), c.out); err != nil {
		return err
	}
	c.keep(key)
	return nil
}

// again calls the tool again, with another folder in the place of the one that Go had. The id of the program tells it
// from that of the recorded one.
func (t toolCall) again(work, id string) error {
	argv := slices.Clone(t.Argv)
	for i, arg := range argv {
		switch {
		case i > 0 && argv[i-1] == "-buildid":
			argv[i] = id + "/" + id
		case strings.HasPrefix(arg, "-buildid="):
			argv[i] = "-buildid=" + id + "/" + id + "/" + id + "/" + id
		default:
			argv[i] = strings.ReplaceAll(arg, t.Work, work)
		}
	}
	if err := os.MkdirAll(filepath.Join(work, "exe"), 0o700); err != nil {
		return err
	}
	text := strings.ReplaceAll(t.Config, t.Work, work)
	if err := os.WriteFile(argument(argv, "-importcfg"), []byte(text), 0o600); err != nil {
		return err
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), t.Env...)
	return cmd.Run()
}

// cellKey names all that goes into the program of a cell.
type cellKey struct {
	// program is for the program itself.
	program string
	// imports is for all but the text of the cell, with the packages that it imports but for Go's own, which are std;
	// "" where Go has to look at the text itself.
	imports string
	std     []string
	text    []byte // of the cell
	// fresh says that a file was modified too recently for its time to show a further change.
	fresh bool
}

// settleTime is how old a file's last change has to be before its time tells it from the next one.
var settleTime = 2 * time.Second

// mostFiles bounds the files that are looked at for each cell. With more of them Go builds every cell.
const mostFiles = 20_000

var errNoKey = errors.New("what goes into this program is not known")

// key names what goes into the program: Go and its settings; the text of the cell, and the modules that it names, by
// their content; all other files here, and in the folders of modules outside the module cache, by what the system says
// of them. Where that is not enough (C compilers, flags that may name files, links to folders) it is an error, and Go
// builds the program.
func (c cellProgram) key() (cellKey, error) {
	plain := strings.Fields(os.Getenv("GOFLAGS"))
	for _, flag := range plain {
		if !slices.Contains(strings.Fields(cellFlags), flag) {
			return cellKey{}, errNoKey
		}
	}
	if !slices.Contains(plain, noHistory) || os.Getenv("CGO_ENABLED") != "0" || os.Getenv("GOWORK") != "" {
		return cellKey{}, errNoKey
	}
	text, err := os.ReadFile("main.go")
	if err != nil {
		return cellKey{}, err
	}
	w := keyWriter{Hash: sha256.New()}
	out := filepath.Base(c.out)
	byContent := append([]string{"main.go", out, out + cellSuffix}, moduleFiles...) // or made of the rest
	err = errors.Join(w.settings(c.realGo), w.moduleFiles(), w.folder(".", byContent...))
	dirs, foldersErr := moduleFolders()
	if err = cmp.Or(err, foldersErr); err != nil {
		return cellKey{}, err
	}
	for _, dir := range dirs {
		if err := w.folder(dir); err != nil {
			return cellKey{}, err
		}
	}
	key := cellKey{text: text, fresh: w.newest.After(time.Now().Add(-settleTime))}
	rest := w.Sum(nil)
	if imports, plain := plainImports(text); plain {
		key.imports = digest("imports", rest, slices.DeleteFunc(imports, func(path string) bool {
			first, _, _ := strings.Cut(path, "/")
			std := !strings.Contains(first, ".") && !hidden.MatchString(path)
			if std && path != "unsafe" {
				key.std = append(key.std, path)
			}
			return std
		}))
	}
	key.program = digest("program", rest, text)
	return key, nil
}

func digest(parts ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", parts))
	return hex.EncodeToString(sum[:])
}

// hidden matches packages that others than their own module cannot import.
var hidden = regexp.MustCompile(`(^|/)(internal|vendor)(/|$)`)

// plainImports returns the packages that a cell imports, and whether Go looks at nothing else in it before it calls the
// compiler: no instructions in comments, no C.
func plainImports(text []byte) ([]string, bool) {
	for _, sign := range []string{"//go:", "// +build", "//+build", "//line", "/*line", `import "C"`} {
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
		path, _ := strconv.Unquote(spec.Path.Value)
		imports = append(imports, path)
	}
	slices.Sort(imports)
	return slices.Compact(imports), true
}

// keyWriter writes down what goes into a program.
type keyWriter struct {
	hash.Hash
	newest time.Time // the last change of a file that is known by its time
	files  int
}

// settings writes down Go, the variables that it knows, and the files that stand for those that are not set.
func (w *keyWriter) settings(realGo string) error {
	program, err := filepath.EvalSymlinks(realGo)
	if err != nil {
		return err
	}
	root := cmp.Or(os.Getenv("GOROOT"), filepath.Dir(filepath.Dir(program)))
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
		goes := strings.HasPrefix(name, "GO") && !strings.HasPrefix(name, "GONB_")
		return !goes && !strings.HasPrefix(name, "CGO") && name != "HOME"
	})
	slices.Sort(env)
	fmt.Fprintf(w, "%q %q\n", program, env)
	return nil
}

// moduleFiles are the files in a cell's folder that name modules.
var moduleFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// moduleFiles writes down the cell's own folder, and the files there that name modules.
func (w *keyWriter) moduleFiles() error {
	here, err := os.Getwd()
	fmt.Fprintf(w, "%q\n", here)
	for _, name := range moduleFiles {
		text, readErr := os.ReadFile(name)
		if readErr != nil && (!errors.Is(readErr, fs.ErrNotExist) || !strings.HasSuffix(name, ".sum")) {
			return errNoKey // Go would look in the folders above
		}
		fmt.Fprintf(w, "%s %q %v\n", name, text, readErr == nil)
	}
	return err
}

// moduleFolders returns the folders of modules that go.work uses, or that it and they put in the place of others.
func moduleFolders() ([]string, error) {
	data, err := os.ReadFile("go.work")
	if err != nil {
		return nil, err
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil, err
	}
	used, dirs := []string{"."}, []string{}
	replaced := func(base string, list []*modfile.Replace) {
		for _, r := range list {
			if dir := filepath.FromSlash(r.New.Path); filepath.IsAbs(dir) {
				dirs = append(dirs, dir)
			} else if modfile.IsDirectoryPath(r.New.Path) {
				dirs = append(dirs, filepath.Join(base, dir))
			}
		}
	}
	for _, use := range work.Use {
		if filepath.Clean(use.Path) != "." {
			used, dirs = append(used, use.Path), append(dirs, use.Path)
		}
	}
	replaced(".", work.Replace)
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

// folder writes down all files of a folder and of those below, but for some in the folder itself.
func (w *keyWriter) folder(dir string, except ...string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "%q leads to %q\n", dir, root)
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			if entry != nil && entry.Name() == ".git" {
				return fs.SkipDir
			}
			return err
		}
		if filepath.Dir(path) == root && slices.Contains(except, entry.Name()) {
			return nil
		}
		info, err := os.Stat(path)
		if w.files++; err != nil || info.IsDir() || w.files > mostFiles {
			return errNoKey // a link to a folder, or to nothing, among others
		}
		changed := changeTime(info)
		if changed.time.After(w.newest) {
			w.newest = changed.time
		}
		_, err = fmt.Fprintf(w, "%s %d %d %d %d %d\n", path, info.Size(), info.Mode(), info.ModTime().UnixNano(),
			changed.time.UnixNano(), changed.file)
		return err
	})
}

// Behind the proxy (proxy.go) gonb finds a go and a goimports of ours on its PATH, which are the proxy's program under
// other names. They pass on everything but what gonb does for each cell:
//
//   - `go get`, which nearly always finds that all is there, is left out until a build says that something is missing.
//   - Programs are kept until something changes on which they depend.
//   - Where a cell names all that it needs, goimports need not look for packages (runImports).
//   - Where only the cell has changed, and imports nothing new, compiler and linker are called as Go has called
//     them before. The rest of the work of Go takes half as long as both of them.
//
// Whenever one of these does not work out, Go does what it always does.
const (
	realGoVariable      = "SIEGEBOOK_GO"        // the go that does the work
	realImportsVariable = "SIEGEBOOK_GOIMPORTS" // and goimports
	builtVariable       = "SIEGEBOOK_BUILT"     // the folder of programs and plans, of this kernel alone
)

// giveGo puts our go before the other one on the PATH of an environment. Where that cannot be done, the other one
// stays.
func giveGo(folder string, env []string) []string {
	program, err := os.Executable()
	if err != nil || filepath.Base(program) != proxyProgram {
		return env
	}
	realGo, err := lookPath("go", env)
	if err != nil {
		return env
	}
	bin, built, kept := filepath.Join(folder, "bin"), filepath.Join(folder, "built"), filepath.Join(folder, "kept")
	imports, err := lookPath("goimports", env)
	if errors.Join(
		err, os.Mkdir(bin, 0o700), os.Mkdir(built, 0o700), os.Mkdir(kept, 0o700),
		os.Symlink(program, filepath.Join(bin, "go")),
		os.Symlink(program, filepath.Join(bin, "goimports")), os.Symlink(program, filepath.Join(bin, recorderProgram)),
	) != nil {
		return env
	}
	path, _ := variable(env, "PATH")
	return append(env, "PATH="+bin+string(filepath.ListSeparator)+path, realGoVariable+"="+realGo,
		realImportsVariable+"="+imports, builtVariable+"="+built, values.FolderVariable+"="+kept)
}

// RunTool runs what gonb and Go find under a name of ours on their PATH, and returns the exit code; it does not return
// where another program takes its place. It returns false where the name is that of the kernel.
func RunTool(args []string) (code int, ours bool) {
	switch filepath.Base(args[0]) {
	case "go":
		return RunGo(args[1:]), true
	case "goimports":
		return runImports(args), true
	case recorderProgram:
		return runRecorded(args[1:]), true
	}
	return 0, false
}

// RunGo is our go. It returns the exit code, or does not return, where the other one takes its place.
func RunGo(args []string) int {
	realGo, built := os.Getenv(realGoVariable), os.Getenv(builtVariable)
	if realGo == "" {
		fmt.Fprintln(os.Stderr, "go: "+realGoVariable+" does not say which go is meant")
		return 2
	}
	program := ""
	if here, err := os.Getwd(); err == nil && len(args) > 2 && (args[0] == "build" || args[0] == "test") {
		if at := slices.Index(args, "-o") + 1; at > 0 && at < len(args) &&
			filepath.Base(args[at]) == filepath.Base(here) {
			program = args[at] // gonb's name for that of a cell
		}
	}
	cells := isFile("main.go") && built != ""
	var build func() ([]byte, int)
	switch {
	case cells && slices.Equal(args, []string{"get"}):
		return 0
	case cells && len(args) == 3 && args[0] == "build" && args[1] == "-o":
		build = cellProgram{realGo, built, args[2]}.build
	case program != "":
		build = func() ([]byte, int) {
			_ = os.Remove(program) // a script of ours, which go test would not replace
			return runGo(realGo, os.Environ(), args...)
		}
	default:
		return become(realGo, append([]string{"go"}, args...))
	}
	file := "main.go"
	if !isFile(file) {
		file = "main_test.go"
	}
	if source, err := os.ReadFile(file); err == nil && blankImport.Match(source) {
		_ = os.WriteFile(file, nameless(source), 0o600) // where that fails, the compiler complains
	}
	buildAll := build
	build = func() (text []byte, code int) {
		for {
			if text, code = buildAll(); code == 0 {
				return text, code
			}
			source, err := os.ReadFile(file)
			source, again := WithoutValues(source, text)
			if err != nil || !again || os.WriteFile(file, source, 0o600) != nil {
				return text, code
			}
		}
	}
	text, code := build()
	if code != 0 && program != "" {
		text, code = setAside(file, text, build)
	}
	// gonb makes a line of a page of each of these.
	_, _ = os.Stderr.Write(bytes.TrimSpace(packageLine.ReplaceAll(text, nil)))
	if code == 0 && program != "" {
		if err := endInput(program); err != nil {
			fmt.Fprintf(os.Stderr, "go: %v\n", err)
			return 1
		}
	}
	return code
}

// Nobody can type into a cell. gonb gives what it starts an input that nobody writes to and that has no end, so
// programs would wait for ever: shells get an empty one at their start, and programs by a script in their place.
//
// Both have a folder for temporary files that they may remove: in that above it are our own and gonb's.
const (
	cellTemporary = "export TMPDIR='%s'\n[ -d \"$TMPDIR\" ] || mkdir \"$TMPDIR\"\n"

	shellInput = "case $BASH_EXECUTION_STRING in ?*) exec </dev/null ;; esac\nunset BASH_ENV\n"
	cellInput  = "#!/bin/sh\n. \"$BASH_ENV\"\nexec \"$0" + cellSuffix + "\" \"$@\" </dev/null\n"
	cellSuffix = ".cell" // of the program itself
)

// asksForInput matches what a cell asks for input with.
var asksForInput = regexp.MustCompile(`\bos\.Stdin\b|\bfmt\.Scan|RequestInput\(|%with_(inputs|password)\b`)

// noInput returns an environment in which the shells of cells have no input. The user's own BASH_ENV is read then.
func noInput(folder string, env []string) ([]string, error) {
	script := fmt.Sprintf(cellTemporary, strings.ReplaceAll(filepath.Join(folder, "tmp"), "'", `'\''`)) + shellInput
	if own, is := variable(env, "BASH_ENV"); is {
		script += "export BASH_ENV='" + strings.ReplaceAll(own, "'", `'\''`) + "'\n. \"$BASH_ENV\"\n"
	}
	file := filepath.Join(folder, "input.sh")
	return append(env, "BASH_ENV="+file), os.WriteFile(file, []byte(script), 0o600)
}

// endInput puts the script in the place of a program.
func endInput(program string) error {
	_ = os.Remove(program + cellSuffix) // where it is the same file, Rename would leave it under both names
	if err := os.Rename(program, program+cellSuffix); err != nil {
		return err
	}
	return os.WriteFile(program, []byte(cellInput), 0o700)
}

// replaceProcess is replaced by tests, which would end well where they are another program.
var replaceProcess = syscall.Exec

// become runs another program in the place of this one.
func become(program string, argv []string) int {
	err := replaceProcess(program, argv, os.Environ())
	fmt.Fprintf(os.Stderr, "go: %v\n", err)
	return 2
}

// packageLine is what Go says before what the compiler says, or of the module that gonb makes of a cell.
var packageLine = regexp.MustCompile(`(?m)^(# .*\n|go: gonb_\w+ imports\n\t?)`)

// missingModule matches where Go complains of a package whose module go.mod does not name.
var missingModule = regexp.MustCompile(
	`no required module provides package|cannot find module providing package|` +
		`missing go.sum entry|updates to go.mod needed`)

func runGo(realGo string, env []string, args ...string) ([]byte, int) {
	cmd := exec.Command(realGo, args...)
	cmd.Env = env
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return text, max(1, exit.ExitCode())
	case err != nil:
		return []byte(err.Error() + "\n"), 1
	}
	return text, 0
}
