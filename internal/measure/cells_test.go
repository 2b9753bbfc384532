package main

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

// TestSameOutputs: what makes cells fast changes no byte of what they show. Each notebook is run by the kernel as it is
// installed, and by gonb alone with Go as it is by default.
func TestSameOutputs(t *testing.T) {
	if testing.Short() {
		t.Skip("runs all notebooks twice; leave out -short")
	}
	spec := must.Get(jupyter.Setup(t.Context(), jupyter.SetupOptions{
		Repo: "../..", Dir: filepath.Join(t.TempDir(), "kernels", jupyter.ProjectKernel),
		Imports: []string{"./notebooks/..."},
	}))
	plain := must.Get(plainGonb(spec))
	files, err := filepath.Glob("../../notebooks/*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("no notebooks, error %v", err)
	}
	for _, file := range files {
		n := must.Get(jupyter.Read(file))
		var executed [2][]byte
		for i, spec := range []jupyter.Kernelspec{spec, plain} {
			run, err := jupyter.Run(t.Context(), n, jupyter.RunOptions{Kernel: spec, Dir: "../../notebooks"})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			executed[i] = run.Bytes()
		}
		if !bytes.Equal(executed[0], executed[1]) {
			t.Errorf("%s: other outputs than those of gonb alone", file)
		}
	}
}
