// Package repotest tests the repository itself: packages import only what ARCHITECTURE.md allows, the commands and
// examples in the documentation work and print what the documentation shows, links have targets, the make targets that
// documents mention exist, and the picture in the README is the picture that the code draws.
//
// The package contains only tests. Each check is a function of a file tree, so that tests can show that it fails for a
// small broken tree.
package repotest

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

// shell runs commands from the documentation.
type shell struct {
	dir string // the working folder
	bin string // the folder with the project's programs, which is on the PATH
}

// run runs a command line and returns everything that it prints, in order.
func (s shell) run(ctx context.Context, line string) (string, error) {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir = s.dir
	cmd.Env = append(environment(), "PATH="+s.bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	cmd.WaitDelay = time.Second
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// environment returns the test's environment without the variables that a running make passes to the makes that it
// starts.
func environment() []string {
	var kept []string
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); name != "MAKEFLAGS" && name != "MAKELEVEL" && name != "MFLAGS" {
			kept = append(kept, entry)
		}
	}
	return kept
}

// install builds the project's programs that the blocks call by name, and puts them into a folder.
func install(t *testing.T, blocks []block) string {
	t.Helper()
	bin := t.TempDir()
	built := map[string]bool{}
	for _, b := range blocks {
		for _, c := range b.commands() {
			name, _, _ := strings.Cut(strings.TrimSpace(c.line), " ")
			if _, err := os.Stat(filepath.Join(root(t), "cmd", name)); err != nil || built[name] {
				continue
			}
			built[name] = true
			must.Program(t, name, bin)
		}
	}
	return bin
}

// failure matches the line with which `go run` ends the output of a program that failed.
var failure = regexp.MustCompile(`(?m)^exit status \d+\n*\z`)

// progress matches the lines that command.Progress prints about long work. On a slow machine, everything is long work.
var progress = regexp.MustCompile(`(?m)^[^:\n]+: (?:running for \d+ s|\d+0 %, \d+ of \d+)\n`)

// checkCommand runs a command from the documentation. If the output is wrong, it returns a description of the problem,
// otherwise "". It ignores lines about progress. For make, it only checks that the target exists, because the targets
// run these tests.
func checkCommand(ctx context.Context, s shell, c command) string {
	line := c.line
	if strings.HasPrefix(line, "make ") {
		line = "make -n " + strings.TrimPrefix(line, "make ")
	}
	got, err := s.run(ctx, line)
	if failed := err != nil; failed != failure.MatchString(c.want) {
		return fmt.Sprintf("$ %s%v, the documentation shows the opposite; output:\n%s", c.line, err, got)
	}
	if line == c.line && !matches(c.want, progress.ReplaceAllLiteralString(got, "")) {
		return fmt.Sprintf("$ %sprints\n%s\nthe documentation shows\n%s", c.line, got, c.want)
	}
	return ""
}

// TestCommandsInDocumentation runs every command that follows a prompt. Commands in a package comment run in the
// package's folder, and commands in a Markdown file run in the repository's top folder. The commands in a file in docs
// run one after the other in a folder for that file.
func TestCommandsInDocumentation(t *testing.T) {
	blocks := allBlocks(tree(t))
	seen := false
	s := shell{bin: install(t, blocks)}
	own := map[string]string{} // the folder for each file in docs
	for _, b := range blocks {
		switch {
		case strings.HasSuffix(b.file, ".go"):
			s.dir = filepath.Join(root(t), filepath.Dir(b.file))
		case strings.HasPrefix(b.file, "docs/"):
			if own[b.file] == "" {
				own[b.file] = t.TempDir()
			}
			s.dir = own[b.file]
		default:
			s.dir = root(t)
		}
		for _, c := range b.commands() {
			seen = seen || b.file == "README.md"
			if problem := checkCommand(t.Context(), s, c); problem != "" {
				t.Errorf("%s: %s", b.place(), problem)
			}
		}
	}
	if !seen {
		t.Error("README.md shows no command")
	}
}

// TestSlowCommands checks that checkCommand ignores the lines about long work that a slow machine prints, but no other
// differences.
func TestSlowCommands(t *testing.T) {
	for line, differs := range map[string]bool{
		"echo 'reading a file: running for 2 s'; echo 'survey castle: 70 %, 7 of 10'; echo done": false,
		"echo 'survey castle: 7 of 10'; echo done":                                               true,
		"echo 'survey castle: 70 %, 7 of 10 battles'; echo done":                                 true,
		"echo 'survey castle: 70 %, 7 of 10'":                                                    true,
	} {
		problem := checkCommand(t.Context(), shell{dir: t.TempDir()}, command{line: line, want: "done\n"})
		if (problem != "") != differs {
			t.Errorf("%s: %q, want a problem: %v", line, problem, differs)
		}
	}
}

// TestProgramsInDocumentation runs every Go program in a Markdown file that shows its output, and checks the format of
// all Go blocks.
func TestProgramsInDocumentation(t *testing.T) {
	blocks := allBlocks(tree(t))
	seen := false
	for _, b := range blocks {
		if b.lang != "go" {
			continue
		}
		if formatted, err := format.Source([]byte(b.text)); err != nil || string(formatted) != b.text {
			t.Errorf("%s: the Go code is not formatted (%v)", b.place(), err)
		}
		if !strings.HasPrefix(b.text, "package main\n") {
			continue
		}
		seen = seen || b.file == "README.md"
		if problem := checkProgram(t.Context(), root(t), t.TempDir(), b.text); problem != "" {
			t.Errorf("%s: %s", b.place(), problem)
		}
	}
	if !seen {
		t.Error("README.md shows no Go program")
	}
}

// TestProgramOfAnotherModule runs an example in another module, which finds this module only through its go.mod.
func TestProgramOfAnotherModule(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join(root(t), "examples", "own-strategy", "main.go")))
	ours := modulePath(tree(t))
	dir := t.TempDir()
	mod := fmt.Sprintf("module example.org/other\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %[1]s => %s\n", ours,
		root(t))
	must.Write(t, filepath.Join(dir, "go.mod"), mod)
	if problem := checkProgram(t.Context(), dir, dir, string(text)); problem != "" {
		t.Error(problem)
	}
}

// checkProgram runs a program that ends in a comment "// Output:", as if it were part of the module in dir.
func checkProgram(ctx context.Context, dir, scratch, text string) string {
	_, comment, ok := strings.Cut(text, "// Output:\n")
	if !ok {
		return "the program has no comment // Output:"
	}
	want := ""
	for line := range strings.Lines(comment) {
		line, ok := strings.CutPrefix(strings.TrimSpace(line), "//")
		if !ok {
			break
		}
		want += strings.TrimPrefix(line, " ") + "\n"
	}
	name := filepath.Join(scratch, "main.go")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		return err.Error()
	}
	cmd := exec.CommandContext(ctx, "go", "run", name)
	cmd.Dir = dir
	got, err := cmd.CombinedOutput()
	if err != nil || !matches(want, string(got)) {
		return fmt.Sprintf("the program prints (%v)\n%s\nits comment says\n%s", err, got, want)
	}
	return ""
}

// parts are the headings of an accepted record, in order; see docs/adr/README.md. The third one is optional.
var parts = []string{"## Context", "## Decision", "## Rejected options", "## Consequences"}

const (
	onePage     = 70 // the maximum number of lines of an accepted record
	mostRecords = 45 // the maximum number of accepted records
)

var (
	decisionName  = regexp.MustCompile(`^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$`)
	acceptedTitle = regexp.MustCompile(`^# (\d{4})\. \S.*\n\nStatus: accepted\n`)
	oldTitle      = regexp.MustCompile(
		`^# (\d{4})\. \S.*\n\nStatus: (?:(?:superseded by|merged into) \[\d{4}\]\(\.\./[^)]+\)|retired: .+)\n`)
)

// checkDecisions checks the form of docs/adr: the numbers have no gaps, accepted records are few and short and have
// their parts in order, records in docs/adr/old have a valid status, and the index lists every file.
func checkDecisions(tree fs.FS) []string {
	index := must.Get(fs.ReadFile(tree, "docs/adr/README.md"))
	names := must.Get(fs.Glob(tree, "docs/adr/*.md"))
	names = slices.DeleteFunc(names, func(name string) bool { return path.Base(name) == "README.md" })
	var problems []string
	if len(names) > mostRecords {
		problems = append(problems, fmt.Sprintf("docs/adr: has %d records, at most %d are allowed: merge two",
			len(names), mostRecords))
	}
	names = append(names, must.Get(fs.Glob(tree, "docs/adr/old/*.md"))...)
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(path.Base(a), path.Base(b)) })
	next := 0
	for _, name := range names {
		for next++; bytes.Contains(index, fmt.Appendf(nil, "| %04d |", next)); next++ {
		} // a replaced record has a row in the index, but no file
		text := must.Get(fs.ReadFile(tree, name))
		fail := func(format string, args ...any) {
			problems = append(problems, name+": "+fmt.Sprintf(format, args...))
		}
		number := decisionName.FindStringSubmatch(path.Base(name))
		if number == nil || number[1] != fmt.Sprintf("%04d", next) {
			fail("want a name like %04d-what-was-decided.md", next)
			continue
		}
		if !strings.Contains(string(index), "("+strings.TrimPrefix(name, "docs/adr/")+")") {
			fail("is not in docs/adr/README.md")
		}
		if path.Dir(name) == "docs/adr/old" {
			if title := oldTitle.FindSubmatch(text); title == nil || string(title[1]) != number[1] {
				fail("does not begin with \"# %s. Title\" and how it was merged, superseded or retired", number[1])
			}
			continue
		}
		if title := acceptedTitle.FindSubmatch(text); title == nil || string(title[1]) != number[1] {
			fail("does not begin with \"# %s. Title\" and \"Status: accepted\"", number[1])
		}
		want, headings := parts, regexp.MustCompile(`(?m)^## .*$`).FindAllString(string(text), -1)
		if len(headings) < len(parts) {
			want = slices.Concat(parts[:2], parts[3:])
		}
		if !slices.Equal(headings, want) {
			fail("has the headings %q, want %q", headings, want)
		}
		if lines := strings.Count(string(text), "\n"); lines > onePage {
			fail("is %d lines long, at most %d are allowed", lines, onePage)
		}
	}
	return problems
}

var requirement = regexp.MustCompile(`(?m)^\t?(?:require |tool )?([^\s()/]+\.[^\s()]*)( v\S+)?( // indirect)?$`)

// checkDependencies finds modules and tools that go.mod requires directly but for which no decision record gives a
// reason.
func checkDependencies(tree fs.FS) []string {
	mod := must.Get(fs.ReadFile(tree, "go.mod"))
	names := must.Get(fs.Glob(tree, "docs/adr/[0-9]*.md"))
	var reasons strings.Builder
	for _, name := range names {
		text := must.Get(fs.ReadFile(tree, name))
		reasons.Write(text)
	}
	var problems []string
	for _, match := range requirement.FindAllStringSubmatch(string(mod), -1) {
		if match[3] == "" && !strings.Contains(reasons.String(), "`"+match[1]+"`") {
			problems = append(problems, fmt.Sprintf("go.mod: no decision in docs/adr gives the reason for %s",
				match[1]))
		}
	}
	return problems
}

func TestDecisions(t *testing.T) {
	report(t, checkDecisions(tree(t)))
	report(t, checkDependencies(tree(t)))
}

// TestChangelog checks that the newest edition comes first and is not empty, and that headings name kinds of changes.
func TestChangelog(t *testing.T) {
	text := must.Get(fs.ReadFile(tree(t), "CHANGELOG.md"))
	if !regexp.MustCompile(`\A# Changelog\n(?:[^#\n].*\n|\n)*## (Unreleased|\d+\.\d+\.\d+.*)\n+[^#\s]`).Match(text) {
		t.Error("CHANGELOG.md does not begin with a title, what it is about and the newest section")
	}
	for _, heading := range regexp.MustCompile(`(?m)^###.*$`).FindAllString(string(text), -1) {
		if !slices.Contains([]string{"### Added", "### Changed", "### Fixed"}, heading) {
			t.Errorf("CHANGELOG.md has the heading %q, want Added, Changed or Fixed", heading)
		}
	}
}

var update = flag.Bool("update", false, "rewrite the pictures of the README, or lower the ceilings of TestPlainWords")

// pictures maps the README's pictures to the files of the report that they copy.
var pictures = map[string]string{
	"phase-map.svg":      "assets/index/fig-phase.svg",
	"phase-map-dark.svg": "assets/index/fig-phase.dark.svg",
}

// TestReadmePicture builds the front page of the report, and compares its first figure with the README's picture.
func TestReadmePicture(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("builds the report, which takes seconds; leave out -short")
	}
	site := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/genreport", "build", "--only", "about", "--out", site,
		"--cache", "off")
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("genreport build: %v\n%s", err, out)
	}
	for name, source := range pictures {
		drawn := must.Get(os.ReadFile(filepath.Join(site, filepath.FromSlash(source))))
		name = filepath.Join(root(t), "docs", "images", name)
		if *update {
			must.Write(t, name, drawn)
		}
		kept := must.Get(os.ReadFile(name))
		if !bytes.Equal(kept, drawn) {
			t.Errorf("%s is not what the report draws (%d bytes, drawn %d): look at both, then run make golden", name,
				len(kept), len(drawn))
		}
	}
}

// TestAccessibilityStatement compares the accessibility statement with the tests that it names: the tests must exist,
// every row must have one, and the checkers must have the stated versions.
func TestAccessibilityStatement(t *testing.T) {
	read := func(name ...string) string {
		t.Helper()
		data := must.Get(os.ReadFile(filepath.Join(append([]string{root(t)}, name...)...)))
		return string(data)
	}
	statement := read("report", "siegebook", "accessibility.md")
	files, err := filepath.Glob(filepath.Join(root(t), "internal", "browsertest", "*_test.go"))
	if err != nil || len(files) < 10 {
		t.Fatalf("%d files of tests, %v", len(files), err)
	}
	tests := ""
	for _, file := range files {
		tests += read("internal", "browsertest", filepath.Base(file))
	}
	test := regexp.MustCompile("`(Test[A-Za-z]+)`")
	rows := 0
	for line := range strings.Lines(statement) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| what") {
			continue
		}
		rows++
		if !test.MatchString(line) {
			t.Errorf("no test is named: %s", line)
		}
	}
	if rows < 10 {
		t.Errorf("the statement has only %d rows", rows)
	}
	for _, m := range test.FindAllStringSubmatch(statement, -1) {
		if !strings.Contains(tests, "\nfunc "+m[1]+"(t *testing.T) {") {
			t.Errorf("there is no test %s", m[1])
		}
	}
	var checkers struct{ Dependencies map[string]string }
	must.Do(t, json.Unmarshal([]byte(read("internal", "browsertest", "npm", "package.json")), &checkers))
	for _, name := range []string{"axe-core", "html-validate"} {
		if !strings.Contains(statement, name+" "+checkers.Dependencies[name]) {
			t.Errorf("the statement does not name %s %s", name, checkers.Dependencies[name])
		}
	}
}
