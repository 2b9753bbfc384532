package jupyter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// install writes a kernel.json below a Jupyter folder.
func install(t *testing.T, folder, name, text string) {
	t.Helper()
	dir := filepath.Join(folder, "kernels", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFindKernelspec(t *testing.T) {
	first, second, user := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("JUPYTER_PATH", first+":"+second)
	t.Setenv("JUPYTER_DATA_DIR", user)
	t.Setenv("SOME", "value")
	install(t, second, "k", `{"argv":["second"],"language":"go"}`)
	install(t, user, "k", `{"argv":["user"]}`)
	install(
		t,
		user,
		"mine",
		`{"argv":["prog","{resource_dir}/x","-f={connection_file}"],"env":{"A":"${SOME}:${NONE}","SOME":"new"},"metadata":{"debugger":true,"siegebook":{"run_argv":["-raw"]}}}`,
	)
	install(t, user, "broken", "{\n  \"argv\": [}")
	install(t, user, "empty", `{"argv":[]}`)

	for name, want := range map[string]string{"k": "second", "K": "second", "mine": "prog"} {
		spec, err := FindKernelspec(name)
		if err != nil || spec.Argv[0] != want || spec.Name != strings.ToLower(name) {
			t.Errorf("%s: %+v, error %v", name, spec, err)
		}
	}
	for name, want := range map[string]string{
		"none":        `kernel "none": there is no such kernel (installed are broken, empty, k, mine`,
		ProjectKernel: "run 'go run ./cmd/genreport kernel install' in the repository",
		"../k":        "consists of letters",
		"":            "consists of letters",
		"broken":      "line 2, column 12: broken JSON",
		"empty":       "has no argv",
	} {
		if _, err := FindKernelspec(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", name, err, want)
		}
	}

	spec, err := FindKernelspec("mine")
	if err != nil {
		t.Fatal(err)
	}
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
	if err := os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
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
	write := func(text string) {
		if err := os.WriteFile(program, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	fingerprint := func(k Kernelspec) string {
		sum, err := k.Fingerprint(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return string(sum)
	}
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
		t.Error("another program, the same fingerprint")
	}
}
