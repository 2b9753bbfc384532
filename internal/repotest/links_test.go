package repotest

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/siegebook/siegebook/internal/must"
)

// page holds the parts of a Markdown file that the check of links needs.
type page struct {
	links   []string
	anchors map[string]bool
}

// attribute matches addresses in the HTML of a Markdown file.
var attribute = regexp.MustCompile(`(?:href|src|srcset)="([^"]*)"`)

func readPage(source []byte) page {
	p := page{anchors: map[string]bool{}}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	// The visitor returns no error, so Walk does not return one.
	_ = ast.Walk(root, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch node := node.(type) {
		case *ast.Link:
			p.links = append(p.links, string(node.Destination))
		case *ast.Image:
			p.links = append(p.links, string(node.Destination))
		case *ast.HTMLBlock:
			p.addHTML(node.Lines().Value(source))
		case *ast.RawHTML:
			p.addHTML(node.Segments.Value(source))
		case *ast.Heading:
			p.addHeading(plainText(node, source))
		}
		return ast.WalkContinue, nil
	})
	return p
}

func (p *page) addHTML(html []byte) {
	for _, match := range attribute.FindAllSubmatch(html, -1) {
		p.links = append(p.links, string(match[1]))
	}
}

// addHeading adds a heading's anchor in the form that code hosts use: lower case, hyphens in place of blanks, no
// punctuation, and a number if the same anchor occurs again.
func (p *page) addHeading(heading string) {
	slug := strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
	anchor := slug
	for i := 1; p.anchors[anchor]; i++ {
		anchor = fmt.Sprintf("%s-%d", slug, i)
	}
	p.anchors[anchor] = true
}

func plainText(node ast.Node, source []byte) string {
	if leaf, ok := node.(*ast.Text); ok {
		return string(leaf.Value(source))
	}
	all := ""
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		all += plainText(child, source)
	}
	return all
}

// checkLinks checks every relative link in the Markdown files. It skips the chapters of the report, because the build
// checks the links of pages.
func checkLinks(tree fs.FS) []string {
	names := files(tree, func(name string) bool {
		return strings.HasSuffix(name, ".md") && !strings.HasPrefix(name, "report/") &&
			!strings.Contains("/"+name, "/testdata/")
	})
	pages := map[string]page{}
	for _, name := range names {
		pages[name] = readPage(must.Get(fs.ReadFile(tree, name)))
	}
	var problems []string
	for _, name := range names {
		for _, link := range pages[name].links {
			if problem := checkLink(tree, pages, name, link); problem != "" {
				problems = append(problems, fmt.Sprintf("%s: link %q: %s", name, link, problem))
			}
		}
	}
	return problems
}

func checkLink(tree fs.FS, pages map[string]page, from, link string) string {
	if strings.HasPrefix(link, "https://") {
		return "" // because tests do not use the network
	}
	file, anchor, hasAnchor := strings.Cut(link, "#")
	target := from
	if file != "" {
		target = path.Join(path.Dir(from), file)
	}
	if strings.HasPrefix(file, "/") || !fs.ValidPath(target) {
		return "leads out of the repository"
	}
	if _, err := fs.Stat(tree, target); err != nil {
		return "there is no such file"
	}
	if hasAnchor && !pages[target].anchors[anchor] {
		return "there is no such heading"
	}
	return ""
}

// mention matches a comment's reference to a document.
var mention = regexp.MustCompile(`\bdocs/[\w./-]+\.md\b`)

// checkMentions checks that the documents named in Go files and in the report's texts exist.
func checkMentions(tree fs.FS) []string {
	documented := func(name string) bool {
		return suffix(".go", ".md")(name) && !strings.HasPrefix(name, "internal/repotest/")
	}
	return inEach(tree, documented, func(name string, source []byte) (problems []string) {
		for _, document := range mention.FindAll(source, -1) {
			if _, err := fs.Stat(tree, string(document)); err != nil {
				problems = append(problems, fmt.Sprintf("%s: names %s: there is no such file", name, document))
			}
		}
		return problems
	})
}

func TestLinks(t *testing.T) {
	report(t, checkLinks(tree(t)))
	report(t, checkMentions(tree(t)))
}

// TestFoldsLookFolded checks that every summary element sets its triangle explicitly, because otherwise Jupyter
// Notebook 6 removes the triangle.
func TestFoldsLookFolded(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "notebooks", "*.ipynb"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no notebooks, error %v", err)
	}
	for _, path := range paths {
		text := must.Get(os.ReadFile(path))
		all := strings.Count(string(text), "<summary")
		if folded := strings.Count(string(text), `<summary style=\"display:list-item;cursor:pointer\">`); all == 0 ||
			folded != all {
			t.Errorf("%s: %d of %d summaries have the style of the others", filepath.Base(path), folded, all)
		}
	}
}

// foreign matches text that ties the repository to the machine of an author: absolute paths of personal folders, and
// hosts of package registries, which users configure themselves. The brackets keep the pattern from matching itself.
var foreign = regexp.MustCompile(`(?i)(^|[\s"'(=])/([w]ork|[r]oot|[h]ome|[U]sers)/|[p]roxy\.golang\.org|[r]egistry\.npmjs|[p]ypi\.org|[a]rtifactory`)

// checkWords finds lines in text files that contain foreign words.
func checkWords(tree fs.FS) []string {
	return inEach(tree, func(string) bool { return true }, func(name string, text []byte) (problems []string) {
		if !isText(text) {
			return nil
		}
		for _, at := range foreign.FindAllIndex(text, -1) {
			problems = append(problems, fmt.Sprintf("%s: %q belongs to one machine, not to the project", name,
				text[at[0]:at[1]]))
		}
		return problems
	})
}

func TestWords(t *testing.T) {
	report(t, checkWords(tree(t)))
}
