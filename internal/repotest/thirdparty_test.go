package repotest

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// thirdParty is the document that lists the work of others.
const thirdParty = "docs/third-party.md"

// goList runs "go list" in the module, for the system that the document describes.
func goList(t *testing.T, args ...string) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list"}, args...)...)
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list %q: %v\n%s", args, err, stderr.Bytes())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	slices.Sort(lines)
	return slices.DeleteFunc(slices.Compact(lines), func(l string) bool { return l == "" })
}

// phrases recognizes a licence by words that occur in no other licence.
var phrases = []struct {
	name  string
	words *regexp.Regexp
}{
	{"Apache-2.0", regexp.MustCompile(`Apache License\s+Version 2\.0`)},
	// or BSD-3-Clause, see licences
	{"BSD-2-Clause", regexp.MustCompile(`Redistributions of source code must retain`)},
	{"Bitstream-Vera", regexp.MustCompile(`Bitstream Vera Fonts Copyright`)},
	{"CC-BY-4.0", regexp.MustCompile(`Creative Commons Attribution 4\.0`)},
	{"FTL", regexp.MustCompile(`FreeType License`)},
	{"GPL-2.0", regexp.MustCompile(`GNU General Public License \(GPL\), version 2`)},
	{"MIT", regexp.MustCompile(`(?i)Permission\s+is\s+hereby\s+granted,\s+free\s+of\s+charge,\s+to\s+any\s+person`)},
	{"MPL-2.0", regexp.MustCompile(`Mozilla Public License, version 2\.0`)},
	{"OFL-1.1", regexp.MustCompile(`SIL OPEN FONT LICENSE`)},
}

// threeClauses matches the third clause of the BSD licence.
var threeClauses = regexp.MustCompile(`(?i)neither the name|nor the names|names? of .{0,80} may not be used|may be ` +
	`used to endorse`)

// licenceFile matches the names of files that contain licences. It does not match licences of logos and test suites,
// because those are not linked.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice)([-._].*)?$`)

// licences returns the names of the licences in a module's folder, sorted.
func licences(module fs.FS) string {
	found := map[string]bool{}
	for _, e := range must.Get(fs.ReadDir(module, ".")) {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.Contains(e.Name(), "LOGO") ||
			strings.Contains(e.Name(), "TEST262") {
			continue
		}
		text := must.Get(fs.ReadFile(module, e.Name()))
		for _, p := range phrases {
			if !p.words.Match(text) {
				continue
			}
			name := p.name
			if name == "BSD-2-Clause" && threeClauses.Match(text) {
				name = "BSD-3-Clause"
			}
			found[name] = true
		}
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), ", ")
}

// moduleRows returns the rows that the document's table of modules must have.
func moduleRows(t *testing.T) []string {
	t.Helper()
	const format = `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}} {{.Dir}}{{end}}{{end}}`
	users := map[string][]string{}
	for _, command := range []string{"genreport", "siegebook"} {
		for _, line := range goList(t, "-deps", "-f", format, "./cmd/"+command) {
			users[line] = append(users[line], command)
		}
	}
	var rows []string
	for line, commands := range users {
		parts := strings.SplitN(line, " ", 3)
		names := licences(os.DirFS(parts[2]))
		if names == "" {
			t.Errorf("%s: no licence is recognised in %s: teach the test its words, or ask whether it may be used",
				parts[0], parts[2])
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s | %s |", parts[0], parts[1], names,
			strings.Join(commands, ", ")))
	}
	slices.Sort(rows)
	return rows
}

// embeddedRows returns the files that go:embed includes in the commands, except for the report's own Markdown and the
// sources. If the document has one row for all files of a folder, embeddedRows returns that row instead.
func embeddedRows(t *testing.T, doc string) []string {
	t.Helper()
	var rows []string
	for _, line := range goList(t, "-f", `{{$dir := .ImportPath}}{{range .EmbedFiles}}{{$dir}}/{{.}}{{"\n"}}{{end}}`,
		"./...") {
		name := strings.TrimPrefix(line, "github.com/siegebook/siegebook/")
		if name != "go.mod" && !slices.Contains([]string{".md", ".go"}, path.Ext(name)) {
			if folder := path.Dir(name) + "/*"; strings.Contains(doc, "\n| `"+folder+"` |") {
				name = folder
			}
			rows = append(rows, "| `"+name+"` |")
		}
	}
	slices.Sort(rows)
	return slices.Compact(rows)
}

// tableProblems compares the rows in a section of the document with the wanted rows. Only the beginning of a row, up to
// the length of the wanted row, is compared.
func tableProblems(doc, section string, want []string) []string {
	_, text, found := strings.Cut(doc, "\n## "+section+"\n")
	if !found {
		return []string{thirdParty + " has no section " + section}
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var problems []string
	var rows []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| `") {
			rows = append(rows, strings.TrimSpace(line))
		}
	}
	for _, w := range want {
		i := slices.IndexFunc(rows, func(row string) bool { return strings.HasPrefix(row, w) })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%s, %s: missing: %s", thirdParty, section, w))
			continue
		}
		rows = slices.Delete(rows, i, i+1)
	}
	for _, row := range rows {
		problems = append(problems, fmt.Sprintf("%s, %s: not so: %s", thirdParty, section, row))
	}
	return problems
}

// foreignProblems finds other people's licence texts in the tree that the document does not contain word for word.
func foreignProblems(tree fs.FS, doc string) (problems []string) {
	names := files(tree, func(name string) bool {
		return licenceFile.MatchString(filepath.Base(name)) && !strings.HasSuffix(name, ".go")
	})
	for _, name := range names {
		text := must.Get(fs.ReadFile(tree, name))
		if !strings.Contains(doc, strings.TrimSpace(string(text))) {
			problems = append(problems, thirdParty+" does not hold the text of "+name)
		}
		if !strings.Contains(doc, "`"+name+"`") {
			problems = append(problems, thirdParty+" does not name "+name)
		}
	}
	return problems
}

// TestThirdParty compares the document with the files and modules that are actually embedded and linked.
func TestThirdParty(t *testing.T) {
	data := must.Get(fs.ReadFile(tree(t), thirdParty))
	doc := string(data)
	problems := tableProblems(doc, "Modules in the commands", moduleRows(t))
	problems = append(problems, tableProblems(doc, "Files in the commands", embeddedRows(t, doc))...)
	report(t, append(problems, foreignProblems(tree(t), doc)...))

	version := regexp.MustCompile(`version:"([0-9.]+)"`)
	script := must.Get(fs.ReadFile(tree(t), "internal/report/site/internal/tex/katex/katex.min.js"))
	source := must.Get(fs.ReadFile(tree(t), "internal/report/site/internal/tex/katex.go"))
	for _, m := range version.FindAllSubmatch(script, -1) {
		if !strings.Contains(doc, "KaTeX "+string(m[1])) ||
			!bytes.Contains(source, []byte(`katexVersion = "`+string(m[1])+`"`)) {
			t.Errorf("the script of KaTeX is version %s: %s or katex.go says otherwise", m[1], thirdParty)
		}
	}
	if !version.Match(script) {
		t.Error("the script of KaTeX does not tell its version")
	}
}
