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
	"time"

	"golang.org/x/mod/modfile"

	"github.com/siegebook/siegebook/notebooks/show/values"
)

// cellProgram is the program of the cell in the working folder. Programs are cached in a folder that is removed with
// the kernel; a program's key covers everything that it is built from. A plan records how Go called its compiler and
// its linker. A plan's key covers everything except the cell's text. If a file cannot be written or read, the build
// only takes longer.
type cellProgram struct {
	realGo string // the real go command
	kept   string // the folder of cached programs and plans
	out    string // the file to build
}

// build builds the program in the fastest way possible.
func (c cellProgram) build() (text []byte, code int) {
	_ = os.Remove(c.out) // the file may be a hard link to a cached program, which must not change
	if source, err := os.ReadFile("main.go"); err == nil {
		before := source
		defer func() {
			if code != 0 {
				_ = os.WriteFile("main.go", before, 0o600) // because gonb shows lines of the file
			}
		}()
		if folder := keptFolder(); folder != "" {
			if running, err := tellProxy(buildNews{}); err == nil {
				var news buildNews
				_, keeps, _ := asTyped(running.Code) // false for cells that define their own main
				source, news.Said = keepValues(source, folder, declaredBy(running.Code), keeps)
				if news.Said != "" {
					_, _ = tellProxy(news)
				}
			}
		}
		_ = os.WriteFile("main.go", shareAll(showAll(source)), 0o600) // if this fails, the file stays unchanged
	}
	key, err := c.key()
	if err == nil && (os.Link(c.program(key), c.out) == nil || c.follow(key) == nil) {
		return nil, 0
	}
	return c.buildByGo(key, err == nil)
}

// showAll changes a program so that, before it ends, it waits until gonb has displayed all of its output, because gonb
// stops reading when a program ends. Line numbers stay the same.
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

// gonbuiPackage is the package with which programs display rich content. Other such packages have paths that begin with
// this path.
const gonbuiPackage = "github.com/janpfeifer/gonb/gonbui"

// endsProgram matches calls that end the program without running deferred calls.
var endsProgram = regexp.MustCompile(`^(os\.Exit|log\.Fatal(f|ln)?)\(`)

// buildByGo builds the program with the real go command. If the program has a key, buildByGo caches the program and
// records a plan.
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
	// If a file changed during the build, or just before it, the program may contain either version.
	if after, err := c.key(); code == 0 && keyed && err == nil && after.program == key.program && !after.fresh {
		c.keep(c.out, c.program(key))
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

// mostKept limits the total size of cached programs in bytes. When a new program does not fit, all others are removed.
var mostKept = int64(256 << 20)

// keep stores a file under the name of a cached program.
func (c cellProgram) keep(made, program string) {
	programs, _ := filepath.Glob(filepath.Join(c.kept, "program-*"))
	size := int64(0)
	for _, file := range append(programs, made) {
		if info, err := os.Stat(file); err == nil {
			size += info.Size()
		}
	}
	for _, file := range programs {
		if size > mostKept {
			_ = os.Remove(file)
		}
	}
	_ = os.Link(made, program)
}

// Go calls recorderProgram instead of its compiler and its linker (-toolexec). recordVariable names the folder for the
// recorded calls, which together form the plan of a program.
const (
	recorderProgram = "siegebook-record"
	recordVariable  = "SIEGEBOOK_RECORD"
)

// toolCall records how Go called its compiler or its linker for a cell's program: the command line, the settings, and
// the file that lists the locations of the imported packages.
type toolCall struct {
	Argv   []string
	Env    []string
	Work   string // Go's work folder for this program; Go removes it
	Config string // the content of the -importcfg file
}

// runRecorded replaces this process by the tool that Go wanted to call. If the call is for the program itself, it first
// records the call.
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

// record writes a call to a file in the folder. Without the file, there is no plan.
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
	// A package that was just compiled is not in Go's cache yet. At the next build, it will be.
	others := strings.ReplaceAll(call.Config, call.Work+string(filepath.Separator), "")
	if strings.Contains(others, filepath.Dir(call.Work)+string(filepath.Separator)) {
		return
	}
	call.Env = slices.DeleteFunc(os.Environ(), func(entry string) bool {
		return !strings.HasPrefix(entry, "GO") || strings.HasPrefix(entry, "GONB_")
	})
	_ = os.WriteFile(filepath.Join(folder, name), encoded(call), 0o600)
}

// argument returns the value of a tool's flag, or "" if the flag is absent.
func argument(argv []string, flag string) string {
	if i := slices.Index(argv, flag); i >= 0 && i+1 < len(argv) {
		return argv[i+1]
	}
	return ""
}

// follow builds the program according to its plan. If that fails, Go builds the program and reports any error.
func (c cellProgram) follow(key cellKey) error {
	if key.imports == "" {
		return errNoKey
	}
	again := c.seen(key)
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
	// After a change, a cell may import packages that until then only other packages of the program imported.
	for line := range strings.Lines(link.Config) {
		if strings.HasPrefix(line, "packagefile ") {
			compile.Config += line
		}
	}
	files := packageFiles(compile.Config)
	if slices.ContainsFunc(key.std, func(path string) bool { return files[path] == "" }) {
		return errNoKey
	}
	if again && c.followLifted(key, compile, link, work) == nil {
		return nil
	}
	made, err := buildAgain(work, key.program, compile, link)
	if err != nil {
		return err
	}
	// Only this input can have changed in the meantime; the others come from Go's cache.
	if text, err := os.ReadFile("main.go"); err != nil || !bytes.Equal(text, key.text) {
		return errors.Join(err, errors.New("the cell has changed"))
	}
	if err := os.Rename(made, c.out); err != nil {
		return err
	}
	c.keep(c.out, c.program(key))
	return nil
}

// buildAgain calls the compiler and the linker again. It returns the linked file, which is in the folder work.
func buildAgain(work, id string, compile, link toolCall) (made string, err error) {
	for _, call := range []toolCall{compile, link} {
		if err := call.again(work, id); err != nil {
			return "", err
		}
	}
	return filepath.Join(work, "exe", filepath.Base(argument(link.Argv, "-o"))), nil
}

// packageFiles returns the files with export data that an -importcfg file lists, by package path.
func packageFiles(config string) map[string]string {
	files := map[string]string{}
	for line := range strings.Lines(config) {
		if entry, is := strings.CutPrefix(strings.TrimSpace(line), "packagefile "); is {
			path, file, _ := strings.Cut(entry, "=")
			files[path] = file
		}
	}
	return files
}

// again calls the tool again, with the folder work in place of Go's work folder. The program gets its own build ID.
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

// cellKey identifies everything that a cell's program is built from.
type cellKey struct {
	// program is the key of the program.
	program string
	// imports is the key of everything except the text of the cell. It covers the packages that the cell imports,
	// except Go's own packages, which are in std. It is "" if only Go itself can build the program.
	imports string
	std     []string
	text    []byte // the text of the cell
	rest    []byte // a hash of everything except the text
	// fresh means that a file was modified so recently that another change might leave its modification time unchanged.
	fresh bool
}

// settleTime is the time after which a new change to a file is certain to get a different modification time.
var settleTime = 2 * time.Second

// mostFiles is the maximum number of files to check for each cell. If there are more, Go builds every cell.
const mostFiles = 20_000

var errNoKey = errors.New("this program may depend on files that the key does not cover")

// key returns the key of everything that goes into the program: Go and its settings; the content of the cell and of the
// files that name modules; and the size, mode and times of all other files in this folder and in the folders of modules
// outside the module cache. It returns an error if other things may go into the program, because of a C compiler, flags
// that may name files, or links to folders. In that case, Go builds the program.
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
	byContent := append([]string{"main.go", out, out + cellSuffix}, moduleFiles...) // out is built from main.go
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
	key.rest = rest
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

// hidden matches the paths of packages that only their own module can import.
var hidden = regexp.MustCompile(`(^|/)(internal|vendor)(/|$)`)

// plainImports returns the packages that a cell imports. It reports whether the text contains nothing else that Go
// reads before it calls the compiler: no directives in comments, and no C.
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

// keyWriter hashes everything that goes into a program.
type keyWriter struct {
	hash.Hash
	newest time.Time // the time of the latest change to a file that is hashed by its times
	files  int
}

// settings hashes the path of the go command, its variables, and the files that hold defaults for unset variables.
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
			return errNoKey // there is a workspace, or Go is in another folder
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

// moduleFiles lists the files in a cell's folder that name modules.
var moduleFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// moduleFiles hashes the path of the cell's folder, and the files in it that name modules.
func (w *keyWriter) moduleFiles() error {
	here, err := os.Getwd()
	fmt.Fprintf(w, "%q\n", here)
	for _, name := range moduleFiles {
		text, readErr := os.ReadFile(name)
		if readErr != nil && (!errors.Is(readErr, fs.ErrNotExist) || !strings.HasSuffix(name, ".sum")) {
			return errNoKey // Go would search the parent folders for go.mod
		}
		fmt.Fprintf(w, "%s %q %v\n", name, text, readErr == nil)
	}
	return err
}

// moduleFolders returns the folders of the modules that go.work uses, and the folders that replace modules.
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
		mod, err := modfile.Parse(file, data, nil) // ParseLax ignores replace directives
		if err != nil {
			return nil, err
		}
		replaced(dir, mod.Replace)
	}
	return dirs, nil
}

// folder hashes the metadata of all files in a folder and its subfolders, except the files with the given names in the
// folder itself.
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
			return errNoKey // for example a link to a folder, or a broken link
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

// Behind the proxy (proxy.go), gonb finds our go and our goimports on its PATH. They are links to the proxy's program.
// They pass on every command, except for the commands that gonb runs for each cell:
//
//   - `go get` does nothing until a build lacks a module, because it would nearly always find nothing to do.
//   - A program is cached until something that it depends on changes.
//   - If a cell imports everything that it uses, goimports does not search for packages (runImports).
//   - If only the cell's text has changed and it imports nothing new, our go repeats the recorded calls of the
//     compiler and the linker. The rest of a go build takes half as long as these two.
//
// If one of these shortcuts fails, the real go does its usual work.
const (
	realGoVariable      = "SIEGEBOOK_GO"        // the real go
	realImportsVariable = "SIEGEBOOK_GOIMPORTS" // the real goimports
	builtVariable       = "SIEGEBOOK_BUILT"     // the folder of this kernel's cached programs and plans
)

// giveGo puts our go before the real go on the PATH of an environment. If that fails, it returns the environment
// unchanged.
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

// RunTool runs one of our tools if gonb or Go has called it by its name on their PATH, and returns its exit code. It
// does not return if another program replaces this process. ours is false if the name is not the name of one of our
// tools.
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

// RunGo runs our go and returns its exit code. It does not return if the real go replaces this process.
func RunGo(args []string) int {
	realGo, built := os.Getenv(realGoVariable), os.Getenv(builtVariable)
	if realGo == "" {
		fmt.Fprintln(os.Stderr, "go: "+realGoVariable+" is not set to the path of the real go")
		return 2
	}
	program := ""
	if here, err := os.Getwd(); err == nil && len(args) > 2 && (args[0] == "build" || args[0] == "test") {
		if at := slices.Index(args, "-o") + 1; at > 0 && at < len(args) &&
			filepath.Base(args[at]) == filepath.Base(here) {
			program = args[at] // gonb's path for the program of a cell
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
			_ = os.Remove(program) // the file may be our script, which go test would not overwrite
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
		_ = os.WriteFile(file, nameless(source), 0o600) // if this fails, the compiler reports an error
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
	// gonb would turn each of the removed lines into a line on the page.
	_, _ = os.Stderr.Write(bytes.TrimSpace(packageLine.ReplaceAll(text, nil)))
	if code == 0 && program != "" {
		if err := endInput(program); err != nil {
			fmt.Fprintf(os.Stderr, "go: %v\n", err)
			return 1
		}
	}
	return code
}

// Nobody can type into a cell. gonb gives its child processes a standard input that stays open but never delivers data,
// so a program that reads it would wait forever. Instead, shells switch to an empty input when they start, and a script
// starts the cell's program with an empty input.
//
// Both get a folder for temporary files, which they may remove. Its parent folder holds our own files and gonb's files.
const (
	cellTemporary = "export TMPDIR='%s'\n[ -d \"$TMPDIR\" ] || mkdir \"$TMPDIR\"\n"

	shellInput = "case $BASH_EXECUTION_STRING in ?*) exec </dev/null ;; esac\nunset BASH_ENV\n"
	cellInput  = "#!/bin/sh\n. \"$BASH_ENV\"\nexec \"$0" + cellSuffix + "\" \"$@\" </dev/null\n"
	cellSuffix = ".cell" // the suffix of the program itself
)

// asksForInput matches code that reads input.
var asksForInput = regexp.MustCompile(`\bos\.Stdin\b|\bfmt\.Scan|RequestInput\(|%with_(inputs|password)\b`)

// noInput returns an environment in which the shells of cells have no input. The shells still read the user's own
// BASH_ENV file.
func noInput(folder string, env []string) ([]string, error) {
	script := fmt.Sprintf(cellTemporary, strings.ReplaceAll(filepath.Join(folder, "tmp"), "'", `'\''`)) + shellInput
	if own, is := variable(env, "BASH_ENV"); is {
		script += "export BASH_ENV='" + strings.ReplaceAll(own, "'", `'\''`) + "'\n. \"$BASH_ENV\"\n"
	}
	file := filepath.Join(folder, "input.sh")
	return append(env, "BASH_ENV="+file), os.WriteFile(file, []byte(script), 0o600)
}

// endInput replaces a program with a script that starts the program with an empty input.
func endInput(program string) error {
	_ = os.Remove(program + cellSuffix) // because Rename keeps both names if they refer to the same file
	if err := os.Rename(program, program+cellSuffix); err != nil {
		return err
	}
	return os.WriteFile(program, []byte(cellInput), 0o700)
}

// become replaces this process by another program.
func become(program string, argv []string) int {
	err := replaceProcess(program, argv, os.Environ())
	fmt.Fprintf(os.Stderr, "go: %v\n", err)
	return 2
}

// packageLine matches a line that Go prints before compiler errors, or a line about the module that gonb generates from
// a cell.
var packageLine = regexp.MustCompile(`(?m)^(# .*\n|go: gonb_\w+ imports\n\t?)`)

// missingModule matches Go's error message about a package whose module is not in go.mod.
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
