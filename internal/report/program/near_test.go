package program

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/gosource"
	"github.com/siegebook/siegebook/internal/must"
)

// TestPreferred checks that if several packages of Go have the same name, one of them is preferred for pages without an
// import.
func TestPreferred(t *testing.T) {
	root := strings.TrimSpace(string(must.Get(exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output())))
	paths := map[string][]string{}
	for _, path := range standard(filepath.Join(root, "src")) {
		paths[gosource.PackageName(path)] = append(paths[gosource.PackageName(path)], path)
	}
	if len(paths["fmt"]) != 1 || len(paths["rand"]) < 2 {
		t.Fatalf("the packages are %v", paths)
	}
	for name, all := range paths {
		if len(all) > 1 && name != "main" && preferred[name] == "" {
			t.Errorf("%v are called %s, and no one is preferred", all, name)
		}
	}
}

// TestNearText checks that texts are near if they differ only in the last digits of floats.
func TestNearText(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"", "", true},
		{"same 12", "same 12", true},
		{"0.1", "0.10000000000000002", true},
		{"0.1", "0.1000001", false},
		{"12.34 a", "12.35 a", true}, // a coordinate in a drawing
		{"12.34", "12.36", false},
		{"12.34", "12.34.1", false},
		{"1.23456e-07", "1.2345600000001e-07", true},
		{"1.23456e-07", "1.2346e-07", false},
		{"1e3", "2e3", false},
		{"41 points", "42 points", false},
		{"0.5 points", "0.5 lines", false},
		{"332833.4999999999", "332833.50000000006", true},
		{"-0.25", "0.25", false},
	} {
		if got := nearText(c.a, c.b); got != c.want {
			t.Errorf("nearText(%q, %q) is %t", c.a, c.b, got)
		}
	}
}
