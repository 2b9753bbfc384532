package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

// TestKernelScript runs the cases in testdata/kernel, in the real kernel. A file NAME.cells there is a notebook
// NAME.ipynb: its cells, named one, two and three, are separated by lines of ---.
//
// Beside the commands of testscript there are
//
//	status N COMMAND...   the command ends with this exit code
//	nothingleft           no process is left that a command of the script has started
//	copyrepository DIR    makes a copy of what cells can import
func TestKernelScript(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	data, settings := t.TempDir(), goSettings(t)
	spec := must.Get(jupyter.Setup(t.Context(), jupyter.SetupOptions{Repo: repo, Dir: filepath.Join(data, "kernels",
		jupyter.ProjectKernel)}))
	testscript.Run(t, testscript.Params{
		Dir: "testdata/kernel",
		Setup: func(env *testscript.Env) error {
			env.Setenv("REPO", repo)
			env.Setenv(libraryVariable, repo)
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("JUPYTER_DATA_DIR", filepath.Join(env.WorkDir, "jupyter"))
			env.Setenv("JUPYTER_PATH", data)
			bin, _, _ := strings.Cut(env.Getenv("PATH"), string(filepath.ListSeparator))
			env.Setenv("BIN", bin) // where genreport is, and nothing else
			env.Setenv("KERNEL", filepath.Join(spec.Dir, "kernel.json"))
			keepGoCaches(env, settings)
			return writeNotebooks(env.WorkDir)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status, "nothingleft": nothingLeft,
			"copyrepository": func(ts *testscript.TestScript, _ bool, args []string) {
				ts.Check(copyRepository(ts.MkAbs(args[0])))
			},
		},
	})
}

// writeNotebooks writes a notebook for each NAME.cells.
func writeNotebooks(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.cells"))
	if err != nil {
		return err
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		var cells []any
		for i, source := range strings.Split(string(text), "\n---\n") {
			cells = append(cells, map[string]any{
				"cell_type": "code", "id": []string{"one", "two", "three"}[i], "metadata": map[string]any{},
				"execution_count": nil, "outputs": []any{}, "source": strings.TrimSuffix(source, "\n"),
			})
		}
		notebook, err := json.Marshal(map[string]any{
			"cells": cells, "metadata": map[string]any{}, "nbformat": 4,
			"nbformat_minor": 5,
		})
		if err != nil {
			return err
		}
		if err := os.WriteFile(strings.TrimSuffix(file, "cells")+"ipynb", notebook, 0o600); err != nil {
			return err
		}
	}
	return nil
}

func status(ts *testscript.TestScript, _ bool, args []string) {
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		code = exit.ExitCode()
	}
	if fmt.Sprint(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// nothingLeft looks for the script's own folder, which is in the environment of all its commands.
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
