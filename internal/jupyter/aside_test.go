package jupyter

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// cellSession is the project's kernel, behind its proxy.
func cellSession(t *testing.T) (run func(code string) (stdout, stderr string, err error)) {
	t.Helper()
	s, err := startSession(t.Context(), projectKernel(t), t.TempDir(), unhurried)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return func(code string) (stdout, stderr string, err error) {
		result, err := s.runCell(
			t.Context(),
			Cell{Kind: Code, Source: code},
			RunOptions{CellTimeout: waittest.Patience}.withDefaults(),
			map[string][]*Output{},
		)
		for _, o := range result.outputs {
			switch {
			case o.Type == ErrorOutput:
				stderr += stripANSI(strings.Join(o.Traceback, "\n"))
			case o.Name == "stdout":
				stdout += o.Text
			default:
				stderr += o.Text
			}
		}
		return stdout, stderr, err
	}
}

// TestForgets: what a cell declares anew runs, and what another one has declared and no longer fits is forgotten, which
// is said. Where the cell itself does not fit, a line says what to do.
func TestForgets(t *testing.T) {
	run := cellSession(t)
	for _, step := range []struct{ cell, stdout, stderr string }{
		{"func Helper(n int) int { return n }", "", ""},
		{"func caller() int { return Helper(1) }\n%%\nfmt.Println(caller())", "1\n", ""},
		{
			"func caller() int { return Helper(1, 2) }\n%%\nfmt.Println(caller())", "fails",
			"The compiler has Helper of Cell [1]: if you have changed it there, run that cell first.",
		},
		{"func Helper(n, m int) int { return n + m }", "", "caller of Cell [2] does not fit any more and is " +
			"forgotten: not enough arguments in call to Helper. Run its cell again.\n"},
		{"%%\nfmt.Println(\"another cell\")", "another cell\n", ""},
		{"func caller() int { return Helper(1, 2) }\n%%\nfmt.Println(caller())", "3\n", ""},
		{
			"func Helper(s string) string { return s }\n%%\nfmt.Println(caller())", "fails",
			"caller of Cell [6] does not fit this cell: cannot use Helper(1, 2)",
		},
		{"%rm Helper", ". removed func Helper\n", ""},
		{"%%\nfmt.Println(8)", "8\n", "caller of Cell [6] does not fit any more and is forgotten: undefined: Helper. " +
			"Run its cell again.\n"},
		{"type Army struct{ Soldiers int }\n\nfunc (a *Army) Half() int { return a.Soldiers / 2 }", "", ""},
		{"var (\n\tarmy = Army{Soldiers: 8}\n\tother = 1\n)\n\nfunc top() int { return army.Half() + " +
			"strings.Count(\"a\", \"a\") }\n%%\nfmt.Println(top())", "5\n", ""},
		{
			"type Army struct{ Men int }\n\nfunc (a *Army) Half() int { return a.Men / 2 }", "",
			"top of Cell [11] does not fit any more and is forgotten: undefined: army.",
		},
		{"%%\nfmt.Println(other)", "1\n", ""},
		{"type other struct{}\n%%\nfmt.Println(other{})", "{}\n", "other of Cell [11] does not fit any more"},
		{"func other() int { return 7 }\n%%\nfmt.Println(other())", "7\n", "other of Cell [14] does not fit any more"},
		{"%%\nfmt.Println(other())", "7\n", ""},
		{"func printing() { fmt.Println(9) }", "", ""},
		{"%%\nfmt.Printn(\"a slip\")", "fails", "undefined: fmt.Printn"},
		{"%%\nprinting()", "9\n", ""},
	} {
		stdout, stderr, err := run(step.cell)
		if err != nil {
			stdout = "fails"
		}
		if stdout != step.stdout || !strings.Contains(stderr, step.stderr) || step.stderr == "" && stderr != "" {
			t.Errorf("%q: %q and %q (%v), want %q and %q", step.cell, stdout, stderr, err, step.stdout, step.stderr)
		}
	}
}

// TestEditedNotebook: after any edits, and any of its cells run at any time, Run All gives what a new kernel gives.
func TestEditedNotebook(t *testing.T) {
	used := cellSession(t)
	r := rand.New(rand.NewPCG(22, 23))
	names, arities, field := []string{"one", "two", "three"}, []int{1, 1, 0}, "Soldiers"
	cells := func() []string {
		params := func(i int) string {
			return strings.Join([]string{"a int", "b int", "c int"}[:arities[i]], ", ")
		}
		call := func(i int) string {
			return names[i] + "(" + strings.Join([]string{"3", "4", "5"}[:arities[i]], ", ") + ")"
		}
		return []string{
			fmt.Sprintf(
				"type Army struct { %s int }\n\nfunc %s(%s) int { return Army{%s: %d}.%s }",
				field,
				names[0],
				params(0),
				field,
				10*arities[0]+len(names[0]),
				field,
			),
			fmt.Sprintf("func %s(%s) int { return %s + 1 }\n%%%%\nfmt.Println(%s)", names[1], params(1), call(0),
				call(1)),
			fmt.Sprintf(
				"var total = %s\n\nfunc %s(%s) int { return total * Army{%s: 2}.%s }\n%%%%\nfmt.Println(%s)",
				call(1),
				names[2],
				params(2),
				field,
				field,
				call(2),
			),
		}
	}
	for round := range 4 {
		for range 1 + r.IntN(3) {
			switch i := r.IntN(3); r.IntN(3) {
			case 0:
				arities[i] = r.IntN(4)
			case 1:
				names[i] = fmt.Sprint("name", round, "of", i)
			case 2:
				field = fmt.Sprint("Field", r.IntN(3))
			}
		}
		for range 2 {
			_, _, _ = used(cells()[r.IntN(3)]) // which may fail
		}
	}
	fresh := cellSession(t)
	for _, cell := range cells() {
		want, _, err := fresh(cell)
		if err != nil {
			t.Fatal(err)
		}
		if got, said, err := used(cell); err != nil || got != want {
			t.Errorf("%s: %q (%s, %v), in a new kernel %q", cell, got, said, err, want)
		}
	}
}

func TestDeclaredBy(t *testing.T) {
	got := declaredBy(
		"package x\nimport \"fmt\"\n%goflags -x\nconst (\n\tA = iota\n\tB\n)\ntype T[E any] struct{}\nfunc (t *T[E]) " +
			"M() {}\nfunc (T2) N() {}\nvar a, b = 1, 2\nfunc f() {}\n%% -n 3\nvar inner = 3\nfunc not() {}",
	)
	want := []string{
		"func main",
		"func init",
		"const A",
		"const B",
		"type T",
		"func T[E]~M",
		"func T2~N",
		"var a",
		"var b",
		"func f",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := declaredBy("x := 3"); len(got) != 2 {
		t.Errorf("of statements: %q", got)
	}
}
