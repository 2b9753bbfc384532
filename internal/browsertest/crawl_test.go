package browsertest

import (
	"encoding/xml"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// markup holds what the crawler knows about a page.
type markup struct {
	ids   map[string]bool
	links []string // href, src, srcset and download addresses
	plays bool     // the page has explorables
}

// readMarkup reads a page as XML, because every page is well-formed XML.
func readMarkup(t *testing.T, page []byte) markup {
	t.Helper()
	m := markup{ids: map[string]bool{}}
	for token := range must.Tokens(t, "the page", page) {
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "id":
				m.ids[a.Value] = true
			case "href", "src", "srcset":
				m.links = append(m.links, a.Value)
			case "class":
				m.plays = m.plays || a.Value == "explorable"
			}
		}
	}
	return m
}

// filesIn returns the files of a folder by their names, with slashes.
func filesIn(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	files, folder := map[string][]byte{}, os.DirFS(dir)
	must.Do(t, fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			files[name], err = fs.ReadFile(folder, name)
		}
		return err
	}))
	return files
}

// searchPart matches the files that the search script loads by number.
var searchPart = regexp.MustCompile(`^search-\d+\.js$`)

// crawl follows every link of the pages in a folder. It returns the links without a target, or with a kind of address
// that reports do not use, and the files to which no link leads.
func crawl(t *testing.T, dir string) []string {
	t.Helper()
	files := map[string]bool{}
	pages := map[string]markup{}
	styles := ""
	for name, data := range filesIn(t, dir) {
		files[name] = false
		switch path.Ext(name) {
		case ".html":
			pages[name] = readMarkup(t, data)
		case ".css":
			styles += string(data)
		}
	}
	problems := []string{}
	for name, page := range pages {
		for _, link := range page.links {
			if problem := follow(name, link, pages, files); problem != "" {
				problems = append(problems, name+": the link to "+link+" "+problem)
			}
		}
	}
	for name, led := range files {
		if !led && !strings.Contains(styles, name) && path.Ext(name) != ".html" && name != ".siegebook" &&
			name != "SHA256SUMS" && !searchPart.MatchString(name) {
			problems = append(problems, name+": nothing leads there")
		}
	}
	return problems
}

// follow returns the fault of a link, or "", and marks the link's target as reached.
func follow(from, link string, pages map[string]markup, files map[string]bool) string {
	u, err := url.Parse(link)
	switch {
	case err != nil:
		return "is no address"
	case u.Scheme == "https" || u.Scheme == "http" || u.Scheme == "mailto" || strings.HasPrefix(link, "data:image/") ||
		strings.HasPrefix(link, "data:,") || strings.HasPrefix(link, "data:text/csv;") ||
		strings.HasPrefix(link, "data:application/json;") || strings.HasPrefix(link, "data:application/octet-stream;"):
		return ""
	case u.Scheme != "" || u.Host != "" || path.IsAbs(u.Path):
		return "leaves the report"
	}
	target := from
	if u.Path != "" {
		target = path.Join(path.Dir(from), u.Path)
	}
	if _, ok := files[target]; !ok {
		return "leads nowhere"
	}
	files[target] = true
	anchor, named := u.Fragment, true
	if strings.Contains(anchor, "=") { // settings; the explorable's name precedes them unless it is the page's first
		if anchor, _, named = strings.Cut(anchor, ":"); !pages[target].plays {
			return "has settings, where nothing can be moved"
		}
	}
	if u.Fragment != "" && named && !pages[target].ids[anchor] {
		return "leads to no anchor"
	}
	return ""
}

// TestLinks follows every link of the report, and of its edition in one file.
func TestLinks(t *testing.T) {
	t.Parallel()
	r := some(t)
	for _, problem := range crawl(t, r.dir) {
		t.Error(problem)
	}
	alone := t.TempDir()
	data := must.Get(os.ReadFile(r.single))
	must.Write(t, filepath.Join(alone, "report.html"), data)
	for _, problem := range crawl(t, alone) {
		t.Error(problem)
	}
}

var (
	pictureAlt = regexp.MustCompile(`<img src="[^"]*"[^>]* alt="([^"]*)"`)
	dataTable  = regexp.MustCompile(`(?s)<details>\s*<summary>\s*(?:(?:Data|Summary) as a table|(?:Daten|Übersicht) als Tabelle|(?:Données|Résumé) en tableau).*?<table.*?<tbody>\s*<tr>`)
	// noNumbers matches the end of a description that needs no table, because one class covers the whole picture, or a
	// board is empty.
	noNumbers = regexp.MustCompile(`\(100 %\)\.|cells: empty\.`)
)

// figureProblems reports figures of a page without words or numbers.
func figureProblems(page string) (problems []string, figures int) {
	parts := strings.Split(page, `<div class="figure-block" id="`)
	for _, part := range parts[1:] {
		figures++
		id, _, _ := strings.Cut(part, `"`)
		alt := pictureAlt.FindStringSubmatch(part)
		if alt == nil || len(strings.Fields(alt[1])) < 8 {
			problems = append(problems, id+" has no alternative text that says what it shows")
		}
		if !dataTable.MatchString(part) && (alt == nil || !noNumbers.MatchString(alt[1])) {
			problems = append(problems, id+" has no table of its numbers")
		}
	}
	return problems, figures
}

// TestFiguresHaveWordsAndNumbers checks that readers who cannot see a figure can read what it shows.
func TestFiguresHaveWordsAndNumbers(t *testing.T) {
	t.Parallel()
	figures := 0
	for _, page := range report(t).pages {
		data := must.Get(os.ReadFile(page))
		problems, n := figureProblems(string(data))
		figures += n
		for _, problem := range problems {
			t.Errorf("%s: %s", filepath.Base(page), problem)
		}
	}
	if figures < 15 {
		t.Errorf("only %d figures", figures)
	}
}
