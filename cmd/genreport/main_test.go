package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/command"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"genreport": func() { command.Main("genreport", execute) },
	})
}

// TestScript runs the cases in testdata/script. They share a cache, so that formulas are converted once.
func TestScript(t *testing.T) {
	cache := t.TempDir()
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", cache)
			return nil
		},
		Condition: func(name string) (bool, error) {
			return name == "root" && os.Getuid() == 0, nil
		},
	})
}
