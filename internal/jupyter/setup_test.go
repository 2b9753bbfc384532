package jupyter

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/siegebook/siegebook/internal/must"
)

// fakeModule writes the repository of testdata/module.txtar. Its go.mod replaces the kernel's tools with small programs
// in the repository, so that Setup can build them without the network.
func fakeModule(t *testing.T) string {
	t.Helper()
	repo := t.TempDir()
	must.Do(t, txtar.Write(must.Get(txtar.ParseFile("testdata/module.txtar")), repo))
	return repo
}

func TestSetup(t *testing.T) {
	needGo(t)
	repo := fakeModule(t)
	data := t.TempDir()
	o := SetupOptions{Repo: repo, Dir: filepath.Join(data, "kernels", ProjectKernel)}

	spec := must.Get(Setup(t.Context(), o))
	if spec.DisplayName != "Go (siegebook)" || spec.Argv[0] != filepath.Join(o.Dir, "bin", "gonb") ||
		spec.Argv[3] != "-go_work="+repo || !strings.HasPrefix(spec.Env["PATH"], filepath.Join(o.Dir, "bin")+":") ||
		spec.Env["GOPROXY"] != "off" {
		t.Errorf("kernelspec %+v", spec)
	}
	if entries, err := os.ReadDir(data); err != nil || len(entries) != 1 {
		t.Errorf("left beside the kernels: %v, error %v", entries, err)
	}
	// The program is not a kernel, which only the last check notices.
	if got := unmet(CheckSetup(t.Context(), o)); !strings.Contains(got,
		"a cell that imports the repository: kernel siegebook: the kernel died") {
		t.Errorf("after: %s", got)
	}

	before := must.Get(os.Stat(spec.Argv[0]))
	must.Get(Setup(t.Context(), o))
	if after, err := os.Stat(spec.Argv[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("the second time it was built anew, error %v", err)
	}
	must.Do(t, os.Remove(filepath.Join(o.Dir, "bin", "goimports")))
	if got := unmet(CheckSetup(t.Context(), o)); !strings.Contains(got, "programs: some are missing from "+
		filepath.Join(o.Dir, "bin")) {
		t.Errorf("without goimports: %s", got)
	}
	must.Get(Setup(t.Context(), o))
	if _, err := os.Stat(filepath.Join(o.Dir, "bin", "goimports")); err != nil {
		t.Errorf("it was not mended: %v", err)
	}
	testMovedRepository(t, o)
	testRemoveSetup(t, o.Dir)
}

// TestGoplsOnKernelPath checks that completion works with a gopls in the folder of go install, even if that folder is
// not on the user's PATH.
func TestGoplsOnKernelPath(t *testing.T) {
	needGo(t)
	first, gobin := t.TempDir(), t.TempDir()
	o := SetupOptions{Repo: fakeModule(t), Dir: filepath.Join(t.TempDir(), "kernels", ProjectKernel)}
	for _, test := range []struct{ gopath, gobin, want string }{
		{first + string(filepath.ListSeparator) + t.TempDir(), "", filepath.Join(first, "bin", "gopls")},
		{first, gobin, filepath.Join(gobin, "gopls")},
	} {
		t.Setenv("GOPATH", test.gopath)
		t.Setenv("GOBIN", test.gobin)
		must.Get(Setup(t.Context(), o))
		gopls := func() Requirement {
			list := CheckSetup(t.Context(), o)
			return list[slices.IndexFunc(list, func(r Requirement) bool { return r.Name == "gopls" })]
		}
		if r := gopls(); !r.Optional || r.Have == "" &&
			!strings.Contains(r.String(), "go install golang.org/x/tools/gopls@v") {
			t.Errorf("%+v", r)
		}
		must.Do(t, os.MkdirAll(filepath.Dir(test.want), 0o755))
		must.Do(t, os.WriteFile(test.want, []byte("#!/bin/sh\n"), 0o755))
		t.Setenv("PATH", filepath.Dir(must.Get(findGo())))
		if r := gopls(); r.Have != test.want {
			t.Errorf("want gopls in %s, got %+v", test.want, r)
		}
	}
}

func testMovedRepository(t *testing.T, o SetupOptions) {
	t.Helper()
	other := SetupOptions{Repo: fakeModule(t), Dir: o.Dir}
	must.Do(t, os.RemoveAll(o.Repo))
	if got := unmet(CheckSetup(t.Context(), other)); !strings.Contains(got, "no longer exists") {
		t.Errorf("the repository is gone: %s", got)
	}
}

func testRemoveSetup(t *testing.T, dir string) {
	t.Helper()
	for i, want := range []bool{true, false} {
		if got, kept, err := RemoveSetup(dir); got != want || len(kept) > 0 || err != nil {
			t.Errorf("time %d: removed %v, error %v", i+1, got, err)
		}
	}
	foreign := t.TempDir()
	install(t, foreign, "k", `{"argv":["x"]}`)
	_, _, err := RemoveSetup(filepath.Join(foreign, "kernels", "k"))
	must.ErrorContains(t, err, "did not install this kernel")
}

// unmet returns the requirements that are not met.
func unmet(list []Requirement) string {
	var lines []string
	for _, r := range list {
		if !r.Met() && !r.Optional {
			lines = append(lines, r.String())
		}
	}
	return strings.Join(lines, "\n")
}

// TestSetupErrors checks that Setup reports obstacles before it installs anything. More cases are in
// cmd/genreport/testdata/kernel/broken.txtar.
func TestSetupErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kernels", ProjectKernel)
	repo := fakeModule(t)
	if _, err := Setup(must.CanceledContext(t), SetupOptions{Repo: repo, Dir: dir}); err == nil {
		t.Error("cancelled: no error")
	}
	must.Write(t, filepath.Join(repo, "go.mod"), "module example.com/book\n\ngo 1.26.0\n")
	_, err := Setup(t.Context(), SetupOptions{Repo: repo, Dir: dir})
	must.ErrorContains(t, err, "does not list both of the kernel's tools")
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("something was installed")
	}
}

// TestSetupAtOnce checks that concurrent set-ups of a kernel wait for one another, that only the first one builds the
// kernel, and that files of a killed set-up are removed.
func TestSetupAtOnce(t *testing.T) {
	needGo(t)
	data := t.TempDir()
	o := SetupOptions{Repo: fakeModule(t), Dir: filepath.Join(data, "kernels", ProjectKernel)}
	left := filepath.Join(data, ".siegebook-kernel.siegebook-part-12345678901234567", "new", "bin")
	must.Do(t, os.MkdirAll(left, 0o755))
	must.Do(t, os.Chtimes(left, time.Time{}, time.Now().AddDate(90, 0, 0)))
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if spec, err := Setup(t.Context(), o); err != nil || spec.DisplayName != ProjectKernelTitle {
				t.Errorf("%+v, %v", spec, err)
			}
		})
	}
	group.Wait()
	if entries, err := os.ReadDir(data); err != nil || len(entries) != 1 {
		t.Errorf("left beside the kernels: %v, error %v", entries, err)
	}
}

func needGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go toolchain on the PATH")
	}
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOFLAGS", "-buildvcs=false")
}

// TestTwoClones checks that a kernel installed from another clone with the same tools is not rebuilt, and that the
// results of a run depend on the kernel's versions, but not on its location or on how it was built. More tests of
// clones are in cmd/genreport/testdata/fresh/clones.txtar.
func TestTwoClones(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	needGo(t)
	a, b := clones(t)
	dir := filepath.Join(t.TempDir(), "kernels", ProjectKernel)
	installed := must.Get(Setup(t.Context(), SetupOptions{Repo: a, Dir: dir}))
	program := must.Get(os.Stat(installed.Argv[0]))
	for _, repo := range []string{b, a} {
		spec := must.Get(Setup(t.Context(), SetupOptions{Repo: repo, Dir: dir}))
		if spec.Repo() != repo || !os.SameFile(program, must.Get(os.Stat(spec.Argv[0]))) {
			t.Errorf("installed from %s: cells import the packages of %s, or its programs were built anew", repo,
				spec.Repo())
		}
	}
	file := filepath.Join(b, "go.mod")
	text := string(must.Get(os.ReadFile(file)))
	must.Write(t, file, strings.ReplaceAll(text, "golang.org/x/tools v0.0.0", "golang.org/x/tools v0.0.1"))
	t.Setenv("GOFLAGS", "-tags=other")
	t.Setenv("GODEBUG", "panicnil=1")
	same := must.Get(Prepare(t.Context(), SetupOptions{Repo: a, Dir: t.TempDir()})) // uses other flags
	other := must.Get(Prepare(t.Context(), SetupOptions{Repo: b, Dir: t.TempDir()}))
	sum := string(must.Get(installed.Fingerprint(t.Context())))
	if string(must.Get(same.Fingerprint(t.Context()))) != sum {
		t.Error("the same programs, another fingerprint")
	}
	if string(must.Get(other.Fingerprint(t.Context()))) == sum {
		t.Error("another version of a program, the same fingerprint")
	}
}

// clones returns two repositories with the same tools.
func clones(t *testing.T) (a, b string) {
	t.Helper()
	a, b = fakeModule(t), fakeModule(t)
	tools := fakeModule(t)
	for _, repo := range []string{a, b} {
		file := filepath.Join(repo, "go.mod")
		text := strings.ReplaceAll(string(must.Get(os.ReadFile(file))), "=> ./", "=> "+tools+"/")
		must.Write(t, file, text)
	}
	return a, b
}

// TestFindRepository checks that a file belongs to the nearest parent folder whose go.mod requires the kernel's tools.
func TestFindRepository(t *testing.T) {
	repo := fakeModule(t)
	other := filepath.Join(repo, "notebooks", "own")
	must.Do(t, os.MkdirAll(other, 0o755))
	must.Write(t, filepath.Join(other, "go.mod"), "module example.com/own\n\ngo 1.26.0\n")
	linked := filepath.Join(t.TempDir(), "linked")
	must.Do(t, os.Symlink(filepath.Join(repo, "notebooks"), linked))
	for dir, want := range map[string]string{
		linked: repo, repo: repo, filepath.Join(repo, "notebooks"): repo,
		other: repo, t.TempDir(): "", "/": "",
	} {
		if got := FindRepository(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestSetupLosesNothing checks that Setup leaves files alone that it did not write, or refuses to do anything because
// of them.
func TestSetupLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	needGo(t)
	a, b := clones(t)
	for _, test := range must.Table[struct{ Name, File, Text, Want string }](t, "testdata/cases.txtar", t.Name()) {
		t.Run(test.Name, func(t *testing.T) {
			o := SetupOptions{Repo: a, Dir: filepath.Join(t.TempDir(), "kernels", ProjectKernel)}
			spec := must.Get(Setup(t.Context(), o))
			file := filepath.Join(o.Dir, test.File)
			if test.Text == "" {
				spec.Env["MINE"] = "kept"
				changed := must.Get(json.Marshal(spec))
				test.Text = string(changed)
			}
			must.Write(t, file, test.Text)
			o.Repo = b
			if _, err := Setup(t.Context(), o); (err == nil) != (test.Want == "") ||
				err != nil && !strings.Contains(err.Error(), test.Want) {
				t.Errorf("set up: error %v, want %q", err, test.Want)
			}
			removed, kept, err := RemoveSetup(o.Dir)
			if removed != (test.Want == "") || (err == nil) != (test.Want == "") ||
				err != nil && !strings.Contains(err.Error(), test.Want) {
				t.Errorf("removed %v: error %v, want %q", removed, err, test.Want)
			}
			if test.Want == "" && strings.Join(kept, " ") != file {
				t.Errorf("it says that %v is kept", kept)
			}
			if got := must.Get(os.ReadFile(file)); string(got) != test.Text {
				t.Errorf("%s is %q now", test.File, got)
			}
			if _, err := os.Stat(filepath.Join(o.Dir, "bin", "goimports")); (err != nil) != removed {
				t.Errorf("the other program: %v", err)
			}
		})
	}
}

// install writes a kernel.json into a Jupyter folder.
func install(t *testing.T, folder, name, text string) {
	t.Helper()
	dir := filepath.Join(folder, "kernels", name)
	must.Do(t, os.MkdirAll(dir, 0o755))
	must.Write(t, filepath.Join(dir, "kernel.json"), text)
}

func TestFindKernelspec(t *testing.T) {
	first, second, user := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("JUPYTER_PATH", first+":"+second)
	t.Setenv("JUPYTER_DATA_DIR", user)
	t.Setenv("SOME", "value")
	install(t, second, "k", `{"argv":["second"],"language":"go"}`)
	install(t, user, "k", `{"argv":["user"]}`)
	install(t, user, "mine", `{"argv":["prog","{resource_dir}/x","-f={connection_file}"],
		"env":{"A":"${SOME}:${NONE}","SOME":"new"},"metadata":{"debugger":true,"siegebook":{"run_argv":["-raw"]}}}`)
	install(t, user, "broken", "{\n  \"argv\": [}")
	install(t, user, "empty", `{"argv":[]}`)

	for name, want := range map[string]string{"k": "second", "K": "second", "mine": "prog"} {
		spec, err := FindKernelspec(name)
		if err != nil || spec.Argv[0] != want || spec.Name != strings.ToLower(name) {
			t.Errorf("%s: %+v, error %v", name, spec, err)
		}
	}
	must.Refusals(t, "testdata/cases.txtar", func(row struct{ Name string }) error {
		_, err := FindKernelspec(row.Name)
		return err
	})

	spec := must.Get(FindKernelspec("mine"))
	if diff := cmp.Diff([]string{"prog", spec.Dir + "/x", "-f=file", "-raw"}, spec.arguments("file")); diff != "" {
		t.Errorf("arguments -want +got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"SOME=old", "A=old:${NONE}", "SOME=new"},
		spec.environment([]string{"SOME=old"})); diff != "" {
		t.Errorf("environment -want +got:\n%s", diff)
	}
}

func TestLookPath(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "prog")
	must.Do(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	if got, err := lookPath("prog", []string{"PATH=/nowhere", "PATH=/nowhere:" + dir}); err != nil || got != program {
		t.Errorf("got %q, error %v", got, err)
	}
	if _, err := lookPath("prog", []string{"PATH=" + dir, "PATH=/nowhere"}); err == nil {
		t.Error("found along a PATH that is overruled")
	}
}

func TestFingerprint(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "prog")
	write := func(text string) { must.Do(t, os.WriteFile(program, []byte(text), 0o755)) }
	fingerprint := func(k Kernelspec) string { return string(must.Get(k.Fingerprint(t.Context()))) }
	write("one")
	spec := Kernelspec{Name: "k", Argv: []string{program}}
	one := fingerprint(spec)
	if fingerprint(spec) != one {
		t.Error("it differs from call to call")
	}
	other := spec
	other.Env = map[string]string{"A": "1"}
	if fingerprint(other) == one {
		t.Error("another environment, the same fingerprint")
	}
	write("two")
	if fingerprint(spec) == one {
		t.Error("another version of a program, the same fingerprint")
	}
}
