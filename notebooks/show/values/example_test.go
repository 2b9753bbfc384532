package values_test

import (
	"fmt"
	"os"

	"github.com/siegebook/siegebook/notebooks/show/values"
)

// The kernel inserts these calls into the programs of two cells: x := 20, and x + 1.
func Example() {
	folder, err := os.MkdirTemp("", "values-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	if err := os.Setenv(values.FolderVariable, folder); err != nil {
		panic(err)
	}

	x := 20
	done := make(chan bool)
	values.Save("", values.Of("x", x), values.Of("done", done))

	x = values.Take[int](values.Load("x", []any{(*int)(nil)}, nil), 0)
	fmt.Println(x + 1)
	fmt.Println("done:", values.ReadTable(folder)["done"].Why)
	// Output:
	// 21
	// done: a chan cannot outlive its cell
}
