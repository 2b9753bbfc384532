package main

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/internal/report/press"
)

// TestKernelScript runs the cases in testdata/kernel in the real kernel. A file NAME.cells there becomes a notebook
// NAME.ipynb. Its cells, named one, two and three, are separated by lines of ---. A cell that begins with # is
// Markdown.
//
// In addition to the commands of testscript there are
//
//	status N COMMAND...   the command ends with this exit code
//	nothingleft           no process is left that a command of the script has started
//	copyrepository DIR    copies the packages that cells can import
//	newcache DIR          makes DIR the folder of caches
//
// The cache of a script, like each cache that newcache creates, contains only the programs of the kernel and the
// engine. The scripts in testdata/fresh build these programs.
func TestKernelScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	data, settings := t.TempDir(), goSettings(t)
	spec := must.Get(jupyter.Setup(t.Context(), jupyter.SetupOptions{Repo: repo, Dir: filepath.Join(data, "kernels",
		jupyter.ProjectKernel)}))
	built := t.TempDir()
	must.Get(jupyter.Prepare(t.Context(), jupyter.SetupOptions{
		Repo: repo, Dir: filepath.Join(built, press.KernelFolder),
	}))
	engine := own.Explorables.Modules[0]
	must.Get(compile.Module(t.Context(), repo, filepath.Join(built, compile.Folder), engine))
	newCache := func(dir string) error { return os.CopyFS(filepath.Join(dir, "siegebook"), os.DirFS(built)) }
	testscript.Run(t, testscript.Params{
		Dir: "testdata/kernel",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("REPO", repo)
			env.Setenv(press.LibraryVariable, repo)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("JUPYTER_DATA_DIR", filepath.Join(env.WorkDir, "jupyter"))
			env.Setenv("JUPYTER_PATH", data)
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
			env.Setenv("BIN", bin) // the folder of genreport, with nothing else
			env.Setenv("KERNEL", filepath.Join(spec.Dir, "kernel.json"))
			keepGoCaches(env, settings)
			return errors.Join(newCache(env.Getenv("XDG_CACHE_HOME")), writeNotebooks(env.WorkDir))
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": faulttest.Status, "nothingleft": nothingLeft,
			"copyrepository": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(copyRepository(ts.MkAbs(args[0])))
			},
			"newcache": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(newCache(ts.MkAbs(args[0])))
				ts.Setenv("XDG_CACHE_HOME", ts.MkAbs(args[0]))
			},
		},
	})
}

// writeNotebooks writes a notebook for each NAME.cells.
func writeNotebooks(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.cells"))
	for _, file := range files {
		var cells []map[string]any
		for i, source := range strings.Split(string(must.Get(os.ReadFile(file))), "\n---\n") {
			source = strings.TrimSuffix(source, "\n")
			id, metadata := fmt.Sprint("cell", i+1), map[string]any{}
			if i < 3 {
				id = []string{"one", "two", "three"}[i]
			}
			if strings.HasPrefix(source, "#") {
				text := map[string]any{"cell_type": "markdown", "id": id, "metadata": metadata, "source": source}
				cells = append(cells, text)
				continue
			}
			cells = append(cells, jupyter.CodeCell(id, source, metadata))
		}
		name := strings.TrimSuffix(file, "cells") + "ipynb"
		err = errors.Join(err, os.WriteFile(name, jupyter.Compose(cells, nil).Bytes(), 0o600))
	}
	return err
}

// nothingLeft searches for the script's own folder, which is in the environment of all its commands.
func nothingLeft(ts *testscript.TestScript, _ bool, _ []string) {
	if left := processesWith("WORK=" + ts.Getenv("WORK")); len(left) > 0 {
		ts.Fatalf("left: %s", left)
	}
}

// processesWith returns the processes whose environment has an entry.
func processesWith(entry string) (found []string) {
	files, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, file := range files {
		environ, err := os.ReadFile(file)
		if err == nil && bytes.Contains(environ, []byte(entry+"\x00")) {
			line, _ := os.ReadFile(filepath.Join(filepath.Dir(file), "cmdline"))
			found = append(found, fmt.Sprintf("%s %q", filepath.Dir(file), line))
		}
	}
	return found
}

// TestFreshScript runs the cases in testdata/fresh: a machine whose caches are emptied, with several clones. Modules
// are taken from the module cache of the user who runs the test, as far as possible, so the network is not needed.
// MODULES names that cache. The scripts begin with an empty module cache. Notebooks are written as in TestKernelScript.
func TestFreshScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	settings := goSettings(t)
	testscript.Run(t, testscript.Params{
		Dir: "testdata/fresh",
		Setup: func(env *testscript.Env) error {
			copied := filepath.Join(env.WorkDir, "repository")
			if err := copyRepository(copied); err != nil {
				return err
			}
			env.Setenv("REPO_COPY", copied)
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, "cache"))
			env.Setenv("JUPYTER_DATA_DIR", filepath.Join(env.WorkDir, "jupyter"))
			env.Setenv("GOCACHE", settings["GOCACHE"]) // so that nothing is compiled twice, wherever modules are
			env.Setenv("GOGC", os.Getenv("GOGC"))
			env.Setenv("CGO_ENABLED", "0")
			env.Setenv("GOMODCACHE", emptyModuleCache(t))
			env.Setenv("MODULES", settings["GOMODCACHE"])
			env.Setenv("PROXY", "file://"+filepath.Join(settings["GOMODCACHE"], "cache", "download")+","+
				settings["GOPROXY"])
			env.Setenv("GOPROXY", env.Getenv("PROXY"))
			return writeNotebooks(env.WorkDir)
		},
	})
}

// emptyModuleCache returns an empty folder for modules. Tests use the same folder one after another, because Go would
// recompile modules in another folder.
func emptyModuleCache(t *testing.T) string {
	dir := filepath.Join(testCacheFolder, "modules")
	t.Cleanup(func() {
		_ = exec.Command("chmod", "-R", "u+w", dir).Run()
		must.Do(t, os.RemoveAll(dir))
	})
	return dir
}

// copyRepository copies the packages that cells can import. Go does not follow links to packages.
func copyRepository(to string) error {
	return copyParts(to, "analysis", "internal", "notebooks/show", "report", "go.mod", "go.sum", "notebooks/modules.go")
}

// TestInstalled installs the program from a module proxy, as a user without a clone does. It builds a folder with the
// program in an empty environment, first with that proxy, then without a proxy.
func TestInstalled(t *testing.T) {
	if testing.Short() {
		t.Skip("installs the program and builds the kernel, which takes minutes; leave out -short")
	}
	settings := goSettings(t)
	work, proxy := t.TempDir(), t.TempDir()
	writeModule(t, filepath.Join(proxy, press.Module, "@v"), "v0.9.0")
	downloaded := "file://" + filepath.Join(settings["GOMODCACHE"], "cache", "download")
	modules := emptyModuleCache(t)
	// The compiler gets the flag that -trimpath would give it, but only for this module. So the program does not
	// contain the path of its source. With -trimpath itself, Go would recompile all packages, including the standard
	// library.
	trimmed := filepath.Join(modules, press.Module+"@v0.9.0")
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + work, "GOCACHE=" + settings["GOCACHE"], "GOMODCACHE=" + modules,
		"GOSUMDB=off", "GOBIN=" + filepath.Join(work, "bin"), "CGO_ENABLED=0", "GOGC=" + os.Getenv("GOGC"),
		"GOFLAGS=-gcflags=-trimpath=" + trimmed + "=>" + press.Module,
	}
	do := func(goProxy string, line ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
		cmd.Dir, cmd.Env = work, append(env[:len(env):len(env)], "GOPROXY="+goProxy)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", line, err, text)
		}
		return string(text)
	}
	online := strings.Join([]string{"file://" + proxy, downloaded, settings["GOPROXY"]}, ",")
	do(online, "go", "install", press.Module+"/cmd/genreport@v0.9.0")
	program := filepath.Join(work, "bin", "genreport")
	do(online, program, "new", "book")
	if said := do(online, program, "build", "book", "--out", "out"); !strings.Contains(said,
		"ran the cells of 2 of 2 pages") {
		t.Errorf("it says %s", said)
	}
	page := filepath.Join(work, "book", "01-first-page.md")
	text := must.Get(os.ReadFile(page))
	must.Write(t, page, strings.ReplaceAll(string(text), "odd(10)", "odd(12)"))
	if said := do("off", program, "build", "book", "--out", "out"); !strings.Contains(said,
		"ran the cells of 1 of 2 pages") {
		t.Errorf("offline it says %s", said)
	}
	if made, err := os.ReadFile(filepath.Join(work, "out", "01-first-page.html")); err != nil ||
		!strings.Contains(string(made), "add up to 144.") {
		t.Errorf("the page has no new value, error %v", err)
	}
}

// writeModule writes the current state of this module into the folder of a proxy.
func writeModule(t *testing.T, dir, version string) {
	t.Helper()
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = repo
	names, err := list.Output()
	if err != nil {
		t.Skipf("no git, or no repository: %v", err)
	}
	must.Do(t, os.MkdirAll(dir, 0o755))
	archive := must.Get(os.Create(filepath.Join(dir, version+".zip")))
	defer archive.Close()
	zipped := zip.NewWriter(archive)
	for name := range strings.FieldsSeq(string(names)) {
		data, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil || strings.HasPrefix(name, "examples/continued-fractions/") { // a deleted file, or another module
			continue
		}
		file, err := zipped.Create(press.Module + "@" + version + "/" + name)
		if err == nil {
			_, err = file.Write(data)
		}
		must.Do(t, err)
	}
	must.Do(t, zipped.Close())
	mod := must.Get(os.ReadFile(filepath.Join(repo, "go.mod")))
	for name, text := range map[string]string{
		"list": version + "\n", version + ".info": `{"Version": "` + version + `"}`, version + ".mod": string(mod),
	} {
		must.Write(t, filepath.Join(dir, name), text)
	}
}

// TestKernelsOf checks that the cells of a notebook import the module that contains it, and that a notebook written for
// plain gonb runs in the project's kernel, with a note.
func TestKernelsOf(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := t.TempDir()
	must.Write(t, filepath.Join(root, "go.mod"), "module example.org/own\n")
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	for _, test := range []struct{ path, kernel, module, note string }{
		{filepath.Join(root, "chapter", "a.ipynb"), jupyter.ProjectKernel, root, ""},
		{filepath.Join(repo, "notebooks", "a.ipynb"), "", "", ""},
		{filepath.Join(repo, "examples", "continued-fractions", "a.ipynb"), "", "/examples/continued-fractions", ""},
		{
			"a.ipynb", jupyter.PlainKernel, "",
			"a.ipynb: this notebook was made for the kernel gonb, but runs in siegebook",
		},
	} {
		var said bytes.Buffer
		find := kernels{streams: command.Streams{Out: &said, Err: &said}, own: map[string]*press.Kernel{}}
		n := must.Get(jupyter.Parse(fmt.Appendf(nil,
			`{"cells":[],"metadata":{"kernelspec":{"name":%q}},"nbformat":4,"nbformat_minor":5}`, test.kernel)))
		if _, err := find.kernelFor(notebookFile{test.path, n}); err != nil {
			t.Errorf("%s: %v", test.path, err)
		}
		for key := range find.own {
			own := strings.HasPrefix(key, repo) && strings.HasSuffix(key, test.module)
			if !own || test.module == "" && key != repo {
				t.Errorf("%s: the kernel of %s, want module %q", test.path, key, test.module)
			}
		}
		if !strings.Contains(said.String(), test.note) || (test.note == "") != (said.Len() == 0) {
			t.Errorf("%s: %q, want %q", test.path, said.String(), test.note)
		}
		find.close()
	}
}
