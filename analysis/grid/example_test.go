package grid_test

import (
	"context"
	"fmt"
	"os"

	"github.com/siegebook/siegebook/analysis/grid"
)

// This example computes a multiplication table in parallel and prints it in order.
func Example() {
	rows, err := grid.ParseRange("1:3", 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	table, err := grid.Product(rows, grid.Range{First: 8, Last: 9})
	if err != nil {
		fmt.Println(err)
		return
	}
	multiply := func(_ context.Context, block grid.Block, line []byte) ([]byte, error) {
		line = line[:0]
		for point := range table.Points(block) {
			line = fmt.Appendf(line, "%d × %d = %d\n", point[0], point[1], point[0]*point[1])
		}
		return line, nil
	}
	write := func(_ grid.Block, line []byte) error {
		_, err := os.Stdout.Write(line)
		return err
	}
	if err := grid.Sweep(context.Background(), table.Size(), grid.Options{}, multiply, write); err != nil {
		fmt.Println(err)
	}
	// Output:
	// 1 × 8 = 8
	// 1 × 9 = 9
	// 2 × 8 = 16
	// 2 × 9 = 18
	// 3 × 8 = 24
	// 3 × 9 = 27
}

func ExampleParseRange() {
	for _, text := range []string{"1:36", "5", "36:1", "0:9", "ten"} {
		r, err := grid.ParseRange(text, 1)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(r.First, "to", r.Last)
	}
	// Output:
	// 1 to 36
	// 5 to 5
	// range "36:1": runs backwards, write the smaller number first: 1:36
	// range "0:9": "0": too small, use 1 or more
	// "ten": not a whole number, use decimal digits only, like 10
}
