package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/siegebook/siegebook/internal/command"
)

// testCacheFolder is a cache that all tests share, so that formulas are converted once.
var testCacheFolder string

func TestMain(m *testing.M) {
	testscript.Main(withCache{m}, map[string]func(){
		"genreport": func() { command.Main("genreport", execute) },
	})
}

// withCache runs the tests with the shared cache.
type withCache struct{ *testing.M }

func (w withCache) Run() int {
	var err error
	if testCacheFolder, err = os.MkdirTemp("", "genreport-test-"); err != nil {
		panic(err)
	}
	defer os.RemoveAll(testCacheFolder)
	return w.M.Run()
}

// TestScript runs the cases in testdata/script. They share a cache, so that formulas are converted once.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("XDG_CACHE_HOME", testCacheFolder)
			return nil
		},
		Condition: func(name string) (bool, error) {
			return name == "root" && os.Getuid() == 0, nil
		},
	})
}
