package gosource

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestShared changes a program in one place after another, and checks which changes may affect a value.
func TestShared(t *testing.T) {
	const program = `package main

import (
	"fmt"
	"math"
	"example.org/m/a"
	own "example.org/m/b"
	"strings"
)

var most, n = 3, 4

type pair struct{ x int }

func (p pair) twice() int { return 2 * p.x }

const two = 2

func unused() int { return len(strings.Repeat("x", most)) }

// values has a local variable with the name of another one.
func values(n int) int { return pair{n}.twice() * two * a.Of(n) * int(math.Sqrt(4)) }

func main() {
	fmt.Println(show.Shared(values, 5), show.Shared(own.Values, 6), show.Shared(func(n int) int { return n }, 7))
}
`
	root := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.org/m\n\ngo 1.26\n", "a/a.go": "package a\n\nfunc Of(n int) int { return n }\n",
		"b/b.go": "package b\n\nfunc Values(n int) int { return n }\n",
	}
	module := func() []*Module {
		for name, text := range files {
			must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o755))
			must.Write(t, filepath.Join(root, name), []byte(text))
		}
		return []*Module{must.Get(OpenModule(root))}
	}
	sums := func(program string) (values, other string) {
		t.Helper()
		all := Shared(program)
		if len(all) != 2 || all[0].Name != "values" || all[1].Package != "example.org/m/b" {
			t.Fatalf("found %+v", all)
		}
		var both [2]string
		for i, f := range all {
			sum, reads, err := f.SumOf(module())
			if err != nil || reads || len(f.Variables) > 0 {
				t.Errorf("%s: error %v, reads files: %v, uses the variables %v", f.Name, err, reads, f.Variables)
			}
			both[i] = sum
		}
		return both[0], both[1]
	}
	values, other := sums(program)
	for _, change := range []struct {
		old, new string
		changes  bool
	}{
		{"2 * p.x", "3 * p.x", true},
		{"two = 2", "two = 3", true},
		{"* int(", "+ int(", true},
		{"x int }", "x, y int }", true},
		{"most, n = 3, 4", "most, n = 5, 6", false},
		{`len(strings.Repeat("x", most))`, "most", false},
		{"// values has", "\n\n// values still has", false},
		{"values, 5", "values, 8", false},
	} {
		changed := strings.Replace(program, change.old, change.new, 1)
		if changed == program {
			t.Fatalf("%q is not in the program", change.old)
		}
		v, o := sums(changed)
		if (v != values) != change.changes || o != other {
			t.Errorf("%q for %q: the sums changed: %v and %v, want %v and false", change.new, change.old, v != values,
				o != other, change.changes)
		}
	}
	files["a/a.go"] += "// changed\n"
	if v, o := sums(program); v == values || o != other {
		t.Error("a change of a package that only values imports changes the other sum, or none")
	}
	files["b/b.go"] = strings.Replace(files["b/b.go"], "package b", "package b\n\nimport _ \"os\"", 1)
	if _, reads, err := Shared(program)[1].SumOf(module()); !reads || err != nil {
		t.Errorf("package os may read files: reads %v, error %v", reads, err)
	}
	uses := Shared(strings.Replace(program, "* two", "* two * most", 1))[0]
	if !slices.Equal(uses.Variables, []string{"most"}) || !strings.Contains(uses.NotKept(), "variable most:") {
		t.Errorf("%v: %s", uses.Variables, uses.NotKept())
	}
}
