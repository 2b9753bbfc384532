package browsertest

import (
	_ "embed"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod"

	"github.com/siegebook/siegebook/internal/must"
)

// faultyPages are pages with the faults that checks have to find. A line that begins with ">" names a check and the
// beginnings of the problems, if any, that the check must find, separated by " | ". The body of the page follows.
//
//go:embed testdata/faults.txt
var faultyPages string

// fault is a case of faultyPages.
type fault struct {
	check string
	want  []string
	page  string
	alone string // the folder of the page
}

func readFaults(t *testing.T) []fault {
	t.Helper()
	var all []fault
	for part := range strings.SplitSeq("\n"+faultyPages, "\n> ") {
		head, body, _ := strings.Cut(part, "\n")
		name, want, _ := strings.Cut(head, " ")
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		f := fault{check: name, page: barePage(t, strings.TrimSpace(body)+"</body></html>\n")}
		if want != "" {
			f.want = strings.Split(want, " | ")
		}
		f.alone = filepath.Dir(f.page)
		all = append(all, f)
	}
	return all
}

// compare fails the test unless the problems are exactly the wanted problems.
func (f fault) compare(t *testing.T, problems []string) {
	t.Helper()
	begins := func(problem string) func(string) bool {
		return func(want string) bool { return strings.HasPrefix(problem, want) }
	}
	missing := slices.DeleteFunc(slices.Clone(f.want), func(want string) bool {
		return slices.ContainsFunc(problems, func(problem string) bool { return strings.HasPrefix(problem, want) })
	})
	more := slices.DeleteFunc(slices.Clone(problems), func(problem string) bool {
		return slices.ContainsFunc(f.want, begins(problem))
	})
	if len(missing)+len(more) > 0 {
		text, _ := os.ReadFile(f.page)
		t.Errorf("%s does not find %q, and finds %q too: %s", f.check, missing, more, strings.TrimPrefix(string(text),
			barePageHead))
	}
}

// TestFaultsAreFound runs each check on pages with faults, and on pages without faults.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	light, lightHeard := open(t, start(t, false))
	dark, darkHeard := open(t, start(t, true))
	axeCore := axeSource(t)
	looked := func(f fault, tab *rod.Page, heard *seen, width int, dark bool) []string {
		// The browser's own log repeats a failed request.
		repeats := func(p string) bool {
			return strings.HasPrefix(p, "the browser says: ") &&
				strings.Contains(p, "ERR_")
		}
		return slices.DeleteFunc(look(t, tab, heard, f.page, width, dark), repeats)
	}
	shown := func(f fault, width int, name string, args ...any) []string {
		show(t, light, fileURL(f.page), width)
		check(t, light, "settled")
		return check(t, light, name, args...).Problems
	}
	var validated []fault
	for _, f := range readFaults(t) {
		switch f.check {
		case "inspect":
			f.compare(t, looked(f, light, lightHeard, 320, false))
		case "desktop":
			f.compare(t, looked(f, light, lightHeard, 1280, false))
		case "dark":
			f.compare(t, looked(f, dark, darkHeard, 320, true))
		case "not-dark":
			f.compare(t, looked(f, dark, darkHeard, 320, false))
		case "axe":
			look(t, light, lightHeard, f.page, 320, false)
			a, err := axe(t, light, axeCore, "all")
			must.Do(t, err)
			f.compare(t, a.Findings)
		case "printed":
			problems := shown(f, paperWidth, f.check, paperWidth, paperHeight)
			empty := printPage(t, light).problems
			f.compare(t, append(problems, empty...))
		case "reserved":
			f.compare(t, shown(f, 320, f.check, 280))
		case "links":
			f.compare(t, crawl(t, f.alone))
		case "numbers", "figures":
			text := must.Get(os.ReadFile(f.page))
			problems, _ := figureProblems(string(text))
			if f.check == "numbers" {
				problems = oddNumbers(t, "the page", text)
			}
			f.compare(t, problems)
		case "html":
			validated = append(validated, f)
		default:
			f.compare(t, shown(f, 320, f.check))
		}
	}
	var pages []string
	for _, f := range validated {
		pages = append(pages, f.page)
	}
	found := validate(t, pages...)
	for _, f := range validated {
		f.compare(t, found[f.page])
	}
}
