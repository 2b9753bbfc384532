package folder

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
)

// TestRoundTrip checks that any page survives Export and Import byte for byte.
func TestRoundTrip(t *testing.T) {
	line := rapid.SampledFrom([]string{
		"", "Text.", "# Title", "```go run", "```go run show {#a}", "```go run parameters", "```", "````go " +
			"run", "````", "~~~", "---", "title: x",
		"  indented", "%%", "fmt.Println(1)", "var x = 1", "import \"fmt\"", "> quoted", "```go", "\r", "`go: x`", " ",
	})
	rapid.Check(t, func(t *rapid.T) {
		page := strings.Join(rapid.SliceOfN(line, 0, 14).Draw(t, "lines"), "\n")
		if rapid.Bool().Draw(t, "ended") {
			page += "\n"
		}
		if rapid.Bool().Draw(t, "marked") {
			page = "\uFEFF" + page
		}
		notebook, err := Export([]byte(page))
		must.Do(t, err)
		back, err := Import(notebook)
		must.Do(t, err)
		if string(back) != page {
			t.Fatalf("%q came back as %q", page, back)
		}
		if !ExportOf(notebook, []byte(page)) {
			t.Fatal("the notebook does not know its page")
		}
	})
}

// TestExport checks that the notebook has the cells of the page, in a form that Jupyter runs the way the page does.
func TestExport(t *testing.T) {
	notebook, err := Export([]byte("---\ntitle: A\n---\n\nText.\n\n```go run\nimport \"fmt\"\n\nfmt.Println(1)\n```\n"))
	must.Do(t, err)
	n, err := jupyter.Parse(notebook)
	must.Do(t, err)
	if problems := n.Check(); len(problems) > 0 {
		t.Errorf("it is not clean: %v", problems)
	}
	cells := n.Cells()
	if len(cells) != 3 || cells[1].Source != "Text." || cells[2].Source != "import \"fmt\"\n\nfmt.Println(1)" ||
		n.Kernel() != jupyter.ProjectKernel {
		t.Errorf("%q", notebook)
	}
}

// TestImportOthers checks that cells added in Jupyter become blocks of the page.
func TestImportOthers(t *testing.T) {
	n := jupyter.Compose([]map[string]any{
		textCell("markdown", "a", "One.", note{}), textCell("markdown", "b", "Two.", note{}),
		jupyter.CodeCell("c", "/*\n```\n*/\nvar x = 1", map[string]any{"tags": []string{"show-input"}}),
		jupyter.CodeCell("d", "var y = 2", map[string]any{"tags": []string{jupyter.TagParameters}}),
	}, nil)
	page, err := Import(n.Bytes())
	const want = "One.\n\nTwo.\n\n````go run show\n/*\n```\n*/\nvar x = 1\n````\n\n" +
		"```go run parameters\nvar y = 2\n```\n"
	if err != nil || string(page) != want {
		t.Errorf("%v: %s", err, page)
	}
}
