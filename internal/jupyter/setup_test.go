package jupyter

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// fakeModule writes a repository whose go.mod replaces the tools of the kernel by small programs of its own, so that
// Setup has something to build without the network.
func fakeModule(t *testing.T) string {
	t.Helper()
	repo := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.com/book\n\ngo 1.26.0\n\ntool " +
			"(\n\tgithub.com/janpfeifer/gonb\n\tgolang.org/x/tools/cmd/goimports\n)\n\nrequire " +
			"(\n\tgithub.com/janpfeifer/gonb v0.0.0 // indirect\n\tgolang.org/x/tools v0.0.0 // " +
			"indirect\n)\n\nreplace github.com/janpfeifer/gonb => ./gonb\n\nreplace golang.org/x/tools => ./tools\n",
		"book.go":                     "package book\n",
		"gonb/go.mod":                 "module github.com/janpfeifer/gonb\n\ngo 1.26.0\n",
		"gonb/main.go":                "package main\n\nfunc main() { panic(\"no kernel\") }\n",
		"tools/go.mod":                "module golang.org/x/tools\n\ngo 1.26.0\n",
		"tools/cmd/goimports/main.go": "package main\n\nfunc main() {}\n",
	}
	for name, text := range files {
		path := filepath.Join(repo, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return repo
}

func TestSetup(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go toolchain on the PATH")
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("GOPROXY", "off")
	repo := fakeModule(t)
	data := t.TempDir()
	o := SetupOptions{Repo: repo, Dir: filepath.Join(data, "kernels", ProjectKernel)}

	if got := unmet(CheckSetup(t.Context(), o)); !strings.Contains(
		got,
		"kernelspec siegebook: not in "+o.Dir+": run 'go run ./cmd/genreport kernel install' in the repository",
	) {
		t.Errorf("before: %s", got)
	}
	spec, err := Setup(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if spec.DisplayName != "Go (siegebook)" || spec.Argv[0] != filepath.Join(o.Dir, "bin", "gonb") ||
		spec.Argv[3] != "-go_work="+repo || !strings.HasPrefix(spec.Env["PATH"], filepath.Join(o.Dir, "bin")+":") ||
		spec.Env["GOPROXY"] != "off" {
		t.Errorf("kernelspec %+v", spec)
	}
	if entries, err := os.ReadDir(data); err != nil || len(entries) != 1 {
		t.Errorf("left beside the kernels: %v, error %v", entries, err)
	}
	// The program is no kernel: the last check finds that out.
	if got := unmet(CheckSetup(t.Context(), o)); !strings.Contains(
		got,
		"a cell that imports the repository: kernel siegebook: the kernel died",
	) {
		t.Errorf("after: %s", got)
	}

	before, err := os.Stat(spec.Argv[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Setup(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Stat(spec.Argv[0]); err != nil || !os.SameFile(before, after) {
		t.Errorf("the second time it was built anew, error %v", err)
	}
	if err := os.Remove(filepath.Join(o.Dir, "bin", "goimports")); err != nil {
		t.Fatal(err)
	}
	if got := unmet(CheckSetup(t.Context(), o)); !strings.Contains(got, "programs: not all are in "+filepath.Join(o.Dir,
		"bin")) {
		t.Errorf("without goimports: %s", got)
	}
	if _, err := Setup(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "bin", "goimports")); err != nil {
		t.Errorf("it was not mended: %v", err)
	}
	testMovedRepository(t, o)
	testRemoveSetup(t, o.Dir)
}

// TestGoplsOnKernelPath: completion works with a gopls that is where go install puts it, on the user's PATH or not.
func TestGoplsOnKernelPath(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go toolchain on the PATH")
	}
	first, gobin := t.TempDir(), t.TempDir()
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("GOPROXY", "off")
	o := SetupOptions{Repo: fakeModule(t), Dir: filepath.Join(t.TempDir(), "kernels", ProjectKernel)}
	for _, test := range []struct{ gopath, gobin, want string }{
		{first + string(filepath.ListSeparator) + t.TempDir(), "", filepath.Join(first, "bin", "gopls")},
		{first, gobin, filepath.Join(gobin, "gopls")},
	} {
		t.Setenv("GOPATH", test.gopath)
		t.Setenv("GOBIN", test.gobin)
		if _, err := Setup(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		gopls := Requirement{Name: "gopls"}
		for _, r := range CheckSetup(t.Context(), o) {
			if r.Name == gopls.Name {
				gopls = r
			}
		}
		if !gopls.Optional || gopls.Have == "" &&
			!strings.Contains(gopls.String(), "go install golang.org/x/tools/gopls@v") {
			t.Errorf("%+v", gopls)
		}
		if err := os.MkdirAll(filepath.Dir(test.want), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(test.want, []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", filepath.Dir(goOnPath(t)))
		if list := CheckSetup(t.Context(), o); !slices.ContainsFunc(
			list,
			func(r Requirement) bool { return r.Name == "gopls" && r.Have == test.want },
		) {
			t.Errorf("want gopls in %s, got %v", test.want, list)
		}
	}
}

func goOnPath(t *testing.T) string {
	t.Helper()
	path, err := findGo()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func testMovedRepository(t *testing.T, o SetupOptions) {
	t.Helper()
	other := SetupOptions{Repo: fakeModule(t), Dir: o.Dir}
	if got := unmet(CheckSetup(t.Context(), other)); !strings.Contains(got, "cells import the packages of "+o.Repo) {
		t.Errorf("from another repository: %s", got)
	}
	if err := os.RemoveAll(o.Repo); err != nil {
		t.Fatal(err)
	}
	if got := unmet(CheckSetup(t.Context(), other)); !strings.Contains(got, "is not there any more") {
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
	if _, _, err := RemoveSetup(filepath.Join(foreign, "kernels", "k")); err == nil ||
		!strings.Contains(err.Error(), "not installed by siegebook") {
		t.Errorf("a kernel of others: error %v", err)
	}
}

// unmet returns what is missing.
func unmet(list []Requirement) string {
	var lines []string
	for _, r := range list {
		if !r.Met() && !r.Optional {
			lines = append(lines, r.String())
		}
	}
	return strings.Join(lines, "\n")
}

func TestSetupErrors(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kernels", ProjectKernel)
	if _, err := Setup(t.Context(), SetupOptions{Repo: t.TempDir(), Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "it has no go.mod") {
		t.Errorf("no repository: error %v", err)
	}
	repo := fakeModule(t)
	if err := os.WriteFile(filepath.Join(repo, "go.mod"), []byte("module example.com/book\n\ngo 1.26.0\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	if _, err := Setup(t.Context(), SetupOptions{Repo: repo, Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "does not name the tools of the kernel") {
		t.Errorf("no tools: error %v", err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Setup(cancelled, SetupOptions{Repo: repo, Dir: dir}); err == nil {
		t.Error("cancelled: no error")
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := Setup(t.Context(), SetupOptions{Repo: fakeModule(t), Dir: dir}); err == nil ||
		!strings.Contains(err.Error(), "install it from https://go.dev/dl") {
		t.Errorf("no Go: error %v", err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Error("something was installed")
	}
}
