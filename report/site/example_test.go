package site_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/report/site"
)

func Example() {
	report := site.Site{
		Title: "Report",
		Stamp: []site.Field{{Name: "seed", Value: "1"}},
		Pages: []site.Page{{
			Slug: "index", Title: "Who wins", File: "index.md",
			Source: "The soldiers win {{ .Value \"wins\" }} times, by {{ ref \"eq:border\" }}.\n\n$$ d + s < 3n " +
				"\\label{eq:border} $$\n",
			Values: map[string]any{"wins": 42},
		}},
	}
	ctx := context.Background()
	tree, err := site.Render(ctx, report, site.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(string(tree["index.html"])) {
		if strings.HasPrefix(line, "<p>") {
			fmt.Print(line)
		}
	}

	parent, err := os.MkdirTemp("", "report")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(parent)
	dir := filepath.Join(parent, "site")
	fmt.Println(site.Folder{Dir: dir}.Publish(ctx, tree))
	diff, err := site.Check(dir, tree)
	fmt.Println(diff.Empty(), err)

	report.Pages[0].Values = nil
	_, err = site.Render(ctx, report, site.Options{})
	fmt.Println(err)
	// Output:
	// <p>The soldiers win 42 times, by <a class="ref" href="#eq-border">(1.1)</a>.</p>
	// <nil>
	// true <nil>
	// index.md:1: there is no value "wins"; the page has none
}
