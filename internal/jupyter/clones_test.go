package jupyter

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func needGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go toolchain on the PATH")
	}
	t.Setenv("GOPROXY", "off")
}

// TestTwoClones: two clones share the programs of the kernel, and none builds that of the other away; what a kernel is
// for the results of a run tells neither where it lies, nor which clone it belongs to, nor how it was called.
func TestTwoClones(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	needGo(t)
	a, b, tools := clones(t)
	data, cache := t.TempDir(), t.TempDir()
	dir := filepath.Join(data, "kernels", ProjectKernel)
	var fingerprints []string
	see := func(spec Kernelspec, err error) Kernelspec {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		sum, err := spec.Fingerprint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		fingerprints = append(fingerprints, string(sum))
		return spec
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	first := see(Prepare(t.Context(), SetupOptions{Repo: a, Dir: cache}))
	built := stat(t, first.Argv[0])
	t.Setenv("GOFLAGS", "-mod=mod")
	second := see(Prepare(t.Context(), SetupOptions{Repo: b, Dir: cache}))
	if !os.SameFile(built, stat(t, second.Argv[0])) {
		t.Error("the second clone built its own programs")
	}
	see(Prepare(t.Context(), SetupOptions{Repo: a, Dir: t.TempDir()})) // built anew, with other flags
	var elsewhere [2]Kernelspec
	for i := range elsewhere { // of sources in different folders
		var err error
		if elsewhere[i], err = Prepare(t.Context(), SetupOptions{Repo: fakeModule(t), Dir: t.TempDir()}); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(read(t, elsewhere[0].Argv[0]), read(t, elsewhere[1].Argv[0])) {
		t.Error("the same programs have other bytes in another folder")
	}
	if first.Repo() != a || second.Repo() != b {
		t.Errorf("cells import the packages of %s and %s, want %s and %s", first.Repo(), second.Repo(), a, b)
	}
	installed := see(Setup(t.Context(), SetupOptions{Repo: a, Dir: dir}))
	program := stat(t, installed.Argv[0])
	for _, repo := range []string{b, a} {
		spec := see(Setup(t.Context(), SetupOptions{Repo: repo, Dir: dir}))
		if spec.Repo() != repo || !os.SameFile(program, stat(t, spec.Argv[0])) {
			t.Errorf(
				"installed from %s: cells import the packages of %s; programs built anew: %v",
				repo,
				spec.Repo(),
				!os.SameFile(program, stat(t, spec.Argv[0])),
			)
		}
	}
	t.Setenv("GOFLAGS", "-tags=other")
	t.Setenv("GODEBUG", "panicnil=1")
	see(Setup(t.Context(), SetupOptions{Repo: a, Dir: dir}))
	for i, f := range fingerprints {
		if f != fingerprints[0] {
			t.Errorf("fingerprint %d differs", i)
		}
	}
	if err := os.WriteFile(filepath.Join(tools, "gonb", "more.go"), []byte("package main\n\nfunc init() { println() "+
		"}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	see(Prepare(t.Context(), SetupOptions{Repo: b, Dir: t.TempDir()}))
	if fingerprints[len(fingerprints)-1] == fingerprints[0] {
		t.Error("another program, the same fingerprint")
	}
}

// clones returns two repositories, and the folder of the tools of both.
func clones(t *testing.T) (a, b, tools string) {
	t.Helper()
	a, b, tools = fakeModule(t), fakeModule(t), fakeModule(t)
	for _, repo := range []string{a, b} {
		file := filepath.Join(repo, "go.mod")
		text := strings.ReplaceAll(string(read(t, file)), "=> ./", "=> "+tools+"/")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return a, b, tools
}

func stat(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFindRepository: a file belongs to the nearest folder above it whose go.mod names the kernel's programs.
func TestFindRepository(t *testing.T) {
	repo := fakeModule(t)
	other := filepath.Join(repo, "notebooks", "own")
	if err := os.MkdirAll(other, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(other, "go.mod"), []byte("module example.com/own\n\ngo 1.26.0\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(t.TempDir(), "linked")
	if err := os.Symlink(filepath.Join(repo, "notebooks"), linked); err != nil {
		t.Fatal(err)
	}
	for dir, want := range map[string]string{
		linked: repo, repo: repo, filepath.Join(repo, "notebooks"): repo,
		other: repo, t.TempDir(): "", "/": "",
	} {
		if got := FindRepository(dir); got != want {
			t.Errorf("%s: %q, want %q", dir, got, want)
		}
	}
}

// TestSetupLosesNothing: what Setup has not made stays as it is, or is the reason why it does nothing.
func TestSetupLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	needGo(t)
	t.Setenv("GOFLAGS", "-buildvcs=false")
	a, b, _ := clones(t)
	for _, test := range []struct {
		name, file, text string
		want             string // of the errors; "" where the file is in nobody's way
	}{
		{"notes", "notes.txt", "mine", ""},
		{"notes among programs", "bin/notes.txt", "mine", ""},
		{"a foreign kernel", "kernel.json", `{"argv":["x"]}`, "this kernel was not installed by siegebook: move it " +
			"away"},
		{"a broken kernel", "kernel.json", `{`, "move it away"},
		{"a changed kernelspec", "kernel.json", "", "kernel.json: it was changed since siegebook wrote it: move it " +
			"away"},
	} {
		t.Run(test.name, func(t *testing.T) {
			o := SetupOptions{Repo: a, Dir: filepath.Join(t.TempDir(), "kernels", ProjectKernel)}
			spec, err := Setup(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(o.Dir, test.file)
			if test.text == "" {
				spec.Env["MINE"] = "kept"
				changed, err := json.Marshal(spec)
				if err != nil {
					t.Fatal(err)
				}
				test.text = string(changed)
			}
			if err := os.WriteFile(file, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
			o.Repo = b
			if _, err := Setup(t.Context(), o); (err == nil) != (test.want == "") ||
				err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("set up: error %v, want %q", err, test.want)
			}
			removed, kept, err := RemoveSetup(o.Dir)
			if removed != (test.want == "") || (err == nil) != (test.want == "") ||
				err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("removed %v: error %v, want %q", removed, err, test.want)
			}
			if test.want == "" && strings.Join(kept, " ") != file {
				t.Errorf("it says that %v is kept", kept)
			}
			if got := read(t, file); string(got) != test.text {
				t.Errorf("%s is %q now", test.file, got)
			}
			if _, err := os.Stat(filepath.Join(o.Dir, "bin", "goimports")); (err != nil) != removed {
				t.Errorf("the other program: %v", err)
			}
		})
	}
}
