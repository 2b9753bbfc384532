package jupyter

import (
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/waittest"
)

// TestOutputsInOrder: what a cell prints and what it shows come in the order of the program, while other processes want
// the processors too.
func TestOutputsInOrder(t *testing.T) {
	spec := projectKernel(t)
	const rounds = 100
	mixed := fmt.Sprintf(`import "github.com/siegebook/siegebook/notebooks/show"
%%%%
for i := range %d {
	fmt.Println("print", i)
	if i%%3 == 0 {
		fmt.Println("again", i)
	}
	show.Text("show %%d", i)
	if i%%7 == 0 {
		fmt.Fprintln(os.Stderr, "log", i)
		show.Text("more %%d", i)
	}
}`, rounds)
	var want []string
	for i := range rounds {
		text := fmt.Sprintf("stdout: print %d\n", i)
		if i%3 == 0 {
			text += fmt.Sprintf("again %d\n", i)
		}
		want = append(want, text, fmt.Sprintf("show %d", i))
		if i%7 == 0 {
			want = append(want, fmt.Sprintf("stderr: log %d\n", i), fmt.Sprintf("more %d", i))
		}
	}
	busy(t, 2*runtime.NumCPU())
	executed, err := Run(t.Context(), book(t, mixed, mixed), RunOptions{Kernel: spec, CellTimeout: waittest.Patience})
	if err != nil {
		t.Fatal(err)
	}
	for number, c := range executed.Cells() {
		var got []string
		for _, o := range c.Outputs {
			text, _ := o.Data.Text("text/plain")
			if o.Type == Stream {
				text = o.Name + ": " + o.Text
			}
			got = append(got, text)
		}
		wrong := 0
		for i := range want {
			if i >= len(got) || got[i] != want[i] {
				wrong++
			}
		}
		if wrong > 0 || len(got) != len(want) {
			t.Errorf(
				"cell %d: %d of %d outputs are not in their place, there are %d:\n%s",
				number,
				wrong,
				len(want),
				len(got),
				strings.Join(got, "|"),
			)
		}
	}
}

// busy starts processes that do nothing but work, and end with the test.
func busy(t *testing.T, processes int) {
	t.Helper()
	for range processes {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", "while :; do :; done")
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	}
}
