package live

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/program"
	"github.com/siegebook/siegebook/report/explore"
)

// kitFiles returns the files of a kit by name.
func kitFiles(t *testing.T, l *explore.Live) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	at := 0
	for _, p := range l.Pieces {
		unpack := must.Get(gzip.NewReader(bytes.NewReader(l.Bytes[at : at+p.Size])))
		files[p.Name] = must.Get(io.ReadAll(unpack))
		at += p.Size
	}
	if at != len(l.Bytes) {
		t.Errorf("the pieces have %d bytes of %d", at, len(l.Bytes))
	}
	return files
}

// machine runs the tools on files in a folder, as web/live/worker.js does on files in memory.
type machine struct {
	*testing.T
	runtime wazero.Runtime
	tools   map[string]wazero.CompiledModule
	folder  string
}

func (m *machine) run(name string, input []byte, args ...string) (code uint32, said string) {
	m.Helper()
	var out bytes.Buffer
	config := wazero.NewModuleConfig().WithName("").WithArgs(append([]string{name}, args...)...).
		WithStdin(bytes.NewReader(input)).WithStdout(&out).WithStderr(&out).WithSysNanotime().WithSysWalltime().
		WithFSConfig(wazero.NewFSConfig().WithDirMount(m.folder, "/"))
	for _, s := range [][2]string{
		{"GOOS", "wasip1"},
		{"GOARCH", "wasm"},
		{"GOWASM", "satconv,signext"},
		{"PWD", "/"},
		{"TMPDIR", "/"},
	} {
		config = config.WithEnv(s[0], s[1])
	}
	instance, err := m.runtime.InstantiateModule(m.Context(), m.tools[name], config)
	var exit *sys.ExitError
	switch {
	case err == nil:
		must.Do(m.T, instance.Close(m.Context()))
	case asExit(err, &exit):
		code = exit.ExitCode()
	default:
		m.Fatalf("%s: %v: %s", name, err, out.String())
	}
	return code, out.String()
}

func asExit(err error, to **sys.ExitError) bool {
	exit, is := err.(*sys.ExitError) //nolint:errorlint // wazero returns it as it is
	*to = exit
	return is
}

// program compiles the program of a page. If that fails, it returns the compiler's messages.
func (m *machine) program(request program.LiveRequest) (wasm []byte, said string) {
	m.Helper()
	code, text := m.run(generateName, must.Get(json.Marshal(request)))
	var a program.LiveAnswer
	if err := json.Unmarshal([]byte(text), &a); err != nil || code != 0 || len(a.Faults) > 0 {
		m.Fatalf("generate: %d %s", code, text)
	}
	must.Do(m.T, os.WriteFile(filepath.Join(m.folder, "page.go"), []byte(a.Program), 0o600))
	if code, said := m.run(compileName, nil, "-o", "/page.a", "-p", "main", "-complete", "-importcfg", "/importcfg",
		"-pack", "-c=1", "-dwarf=false", "/page.go"); code != 0 {
		return nil, said
	}
	if code, said := m.run(linkName, nil, "-o", "/page.wasm", "-importcfg", "/importcfg", "-buildmode=c-shared", "-s",
		"-w", "-buildid=", "/page.a"); code != 0 {
		m.Fatalf("link: %s", said)
	}
	return must.Get(os.ReadFile(filepath.Join(m.folder, "page.wasm"))), ""
}

// TestKit checks that the files that live pages load can compile and link the program of a page, and report its faults.
// The files must contain the promised packages, and must not be too large.
func TestKit(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles Go's compiler, which takes minutes; leave out -short")
	}
	library := must.Get(filepath.Abs("../../.."))
	pages := []program.Page{
		{Name: "plots", File: "plots.md", Cells: []program.Cell{{Line: 3, Column: 1, Code: "show.Plot(nil, \"\")"}}},
		{Name: "sums", File: "sums.md", Cells: []program.Cell{{Line: 1, Column: 1, Code: "fmt.Println(1)"}}},
	}
	l, left, err := Kit(t.Context(), program.Program{Library: library, Work: t.TempDir()}, pages)
	must.Do(t, err)
	if len(left) != 1 || !strings.Contains(left["plots"].Message, "cannot show plots of gonum.org/v1/plot") {
		t.Errorf("pages are left out: %+v", left)
	}
	const most = 22_000_000 // our own book adds 2.1 MB of packages, and the limit for a book is 24 MB
	if len(l.Bytes) > most {
		t.Errorf("%d bytes, at most %d", len(l.Bytes), most)
	}
	t.Logf("%+v", l.Pieces)
	files := kitFiles(t, l)
	m := &machine{T: t, tools: map[string]wazero.CompiledModule{}, folder: t.TempDir()}
	head, rest, _ := bytes.Cut(files[packagesName], []byte("\n"))
	var index struct {
		Packages program.Packages
		Files    []struct {
			Path string
			Size int
		}
	}
	must.Do(t, json.Unmarshal(head, &index))
	var list strings.Builder
	var paths []string
	for i, f := range index.Files {
		must.Do(t, os.WriteFile(filepath.Join(m.folder, fmt.Sprint(i)), rest[:f.Size], 0o600))
		rest = rest[f.Size:]
		fmt.Fprintf(&list, "packagefile %s=/%d\n", f.Path, i)
		paths = append(paths, f.Path)
	}
	must.Do(t, os.WriteFile(filepath.Join(m.folder, "importcfg"), []byte(list.String()), 0o600))
	for _, path := range append([]string{
		"github.com/siegebook/siegebook/notebooks/show",
		"github.com/siegebook/siegebook/report/figure",
	}, Standard...) {
		if !slices.Contains(paths, path) {
			t.Errorf("there is no package %s", path)
		}
	}
	if len(rest) > 0 || slices.Contains(paths, "net/http") {
		t.Errorf("%d bytes are left over, of %q", len(rest), paths)
	}

	m.runtime = wazero.NewRuntime(t.Context())
	defer m.runtime.Close(context.Background()) //nolint:usetesting // that of the test has ended
	wasi_snapshot_preview1.MustInstantiate(t.Context(), m.runtime)
	for _, name := range []string{generateName, compileName, linkName} {
		m.tools[name] = must.Get(m.runtime.CompileModule(t.Context(), files[name]))
	}
	request := func(code ...string) (r program.LiveRequest) {
		r.Packages, r.Page = index.Packages, program.Page{Name: "sums", File: "sums.md"}
		for _, c := range code {
			r.Page.Cells = append(r.Page.Cells, program.Cell{Code: c})
		}
		return r
	}
	wrong := request("n := 2", "\nfmt.Println(n + m)")
	_, said := m.program(wrong)
	wrong.Said, wrong.Compiled = said, map[string]string{}
	for _, path := range paths {
		wrong.Compiled[path] = path
	}
	if a := wrong.Answer(); len(a.Faults) != 1 || a.Faults[0].Cell != 1 || a.Faults[0].Line != 2 ||
		a.Faults[0].Column != 17 || a.Faults[0].Message != "undefined: m" {
		t.Errorf("of %q the faults are %+v", said, a.Faults)
	}
	wasm, said := m.program(request("var n = strings.Count(\"banana\", \"a\")", "fmt.Println(\"n =\", n)"))
	if said != "" {
		t.Fatal(said)
	}
	var out bytes.Buffer
	instance := must.Get(m.runtime.InstantiateWithConfig(t.Context(), wasm, wazero.NewModuleConfig().WithName("").
		WithStartFunctions("_initialize").WithStdout(&out)))
	const ask = "run\nsums\nMARK"
	at := must.Get(instance.ExportedFunction("request").Call(t.Context(), uint64(len(ask))))
	instance.Memory().Write(uint32(at[0]), []byte(ask))
	must.Get(instance.ExportedFunction("ask").Call(t.Context(), uint64(len(ask))))
	const want = "\x00MARK 10 0\n{\"cell\":1}n = 3\n\x00MARK 22 0\n{\"cell\":1,\"done\":true}"
	if !strings.HasSuffix(out.String(), want) {
		t.Errorf("the program puts out %q", out.String())
	}
}
