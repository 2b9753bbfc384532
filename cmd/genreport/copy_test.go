package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/jupyter"
)

// TestCopiesOfRuns: a copy replaces an older one, that of a run that failed does not, and what came meanwhile stays.
func TestCopiesOfRuns(t *testing.T) {
	read := func(source string) notebookFile {
		n, err := jupyter.Parse([]byte(`{"cells": [{"cell_type": "code", "id": "one", "metadata": {}, "outputs": [], "execution_count": null, "source": ["` + source + `"]}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}`))
		if err != nil {
			t.Fatal(err)
		}
		return notebookFile{filepath.Join(t.TempDir(), "a.ipynb"), n}
	}
	c := &notebooksRun{Out: filepath.Join(t.TempDir(), "new", "folder")}
	failed := errors.New("a cell failed")
	written := filepath.Join(c.Out, "a.ipynb")
	holds := func(source string) {
		t.Helper()
		if n, err := jupyter.Read(written); err != nil || n.Cells()[0].Source != source {
			t.Errorf("%v, want the copy of %s", err, source)
		}
	}
	write := func(source string, failed error) error {
		file := read(source)
		if err := c.checkOut([]notebookFile{file}); err != nil {
			return err
		}
		return c.write(file, file.notebook.Clone(), failed)
	}
	if err := write("first", failed); err != nil { // nothing is there yet, and the copy shows where it failed
		t.Error(err)
	}
	holds("first")
	if err := write("second", nil); err != nil {
		t.Error(err)
	}
	holds("second")
	if err := write("third", failed); err != nil {
		t.Error(err)
	}
	holds("second")
	meanwhile := read("fourth")
	if err := os.WriteFile(written, meanwhile.notebook.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.write(meanwhile, meanwhile.notebook.Clone(), nil); !atomicfile.Refused(err) {
		t.Errorf("a file that came during the run: %v", err)
	}
	if err := write("fifth", nil); !atomicfile.Refused(err) {
		t.Errorf("a file that came before the run: %v", err)
	}
	holds("fourth")
}
