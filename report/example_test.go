package report_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"testing/fstest"

	"github.com/siegebook/siegebook/report"
)

// This example builds a book of one page, which has a cell and a value in its text. The site is kept in memory.
func ExampleBuild() {
	page := "# Powers of two\n\n" +
		"```go run show\n" +
		"power := 1 << 10\n" +
		"fmt.Println(\"computed\", power)\n" +
		"```\n\n" +
		"The tenth power of two is `go: power`.\n"
	source := fstest.MapFS{
		"book.yaml":    {Data: []byte("title: Powers\n")},
		"01-powers.md": {Data: []byte(page)},
	}

	result, err := report.Build(context.Background(), source, "", report.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	html := result.Site["01-powers.html"]
	fmt.Printf("%s\n", regexp.MustCompile(`The tenth power.*\.`).Find(html))
	fmt.Printf("%s\n", regexp.MustCompile(`computed \d+`).Find(html))
	fmt.Println(result.Ran, "of", result.Pages, "pages were run")
	// Output:
	// The tenth power of two is 1024.
	// computed 1024
	// 1 of 1 pages were run
}

// The error lists all faults of all pages, each with its place.
func ExampleFaults() {
	source := fstest.MapFS{
		"01-wrong.md": {Data: []byte("# Wrong\n\n```go run\nvar n int = \"one\"\n```\n")},
		"02-lost.md":  {Data: []byte("# Lost\n\nSee [nothing](nothing.md).\n")},
	}

	_, err := report.Build(context.Background(), source, "", report.Options{})
	var faults report.Faults
	if errors.As(err, &faults) {
		for _, fault := range faults {
			fmt.Println(fault.File, "line", fault.Line, "column", fault.Column)
		}
	}
	// Output:
	// 01-wrong.md line 4 column 13
	// 02-lost.md line 3 column 15
}
