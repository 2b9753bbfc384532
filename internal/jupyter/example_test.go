package jupyter_test

import (
	"fmt"

	"github.com/siegebook/siegebook/internal/jupyter"
)

// Only the requested change is made to the notebook.
func Example() {
	n, err := jupyter.Parse([]byte(`{"cells": [
  {"cell_type": "code", "id": "p", "metadata": {"tags": ["parameters"]}, "execution_count": 4, "outputs": [],
   "source": "var n = 20 // soldiers"}
], "metadata": {"author":   "somebody"}, "nbformat": 4, "nbformat_minor": 5}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, problem := range n.Check() {
		fmt.Println(problem)
	}
	n.Strip()
	if err := n.SetParameters(map[string]string{"n": "50"}); err != nil {
		fmt.Println(err)
	}
	fmt.Println(string(n.Bytes()))
	// Output:
	// cell "p": the execution count is stored in the file
	// {"cells": [
	//   {"cell_type": "code", "id": "p", "metadata": {"tags": ["parameters"]}, "execution_count": null, "outputs": [],
	//    "source": "var n = 50 // soldiers"}
	// ], "metadata": {"author":   "somebody"}, "nbformat": 4, "nbformat_minor": 5}
}
