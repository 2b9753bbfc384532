package repotest

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// parts are the headings of an accepted record, in order; see docs/adr/README.md. The third is optional.
var parts = []string{"## Context", "## Decision", "## Rejected options", "## Consequences"}

const (
	onePage  = 70 // lines of an accepted record, at most
	oneEntry = 7  // lines of a record that another one has replaced, at most: title, status, and a sentence
)

var (
	decisionName  = regexp.MustCompile(`^(\d{4})-[a-z0-9]+(-[a-z0-9]+)*\.md$`)
	decisionTitle = regexp.MustCompile(
		`^# (\d{4})\. \S.*\n\nStatus: (accepted|(?:superseded by|merged into) \[\d{4}\]\([^)]+\).*)\n`)
)

// checkDecisions checks the form of docs/adr: numbers without gaps, the parts of accepted records in order, no text in
// records that are superseded or merged, every file in the index.
func checkDecisions(tree fs.FS) ([]string, error) {
	index, err := fs.ReadFile(tree, "docs/adr/README.md")
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(tree, "docs/adr/*.md")
	if err != nil {
		return nil, err
	}
	names = slices.DeleteFunc(names, func(name string) bool { return path.Base(name) == "README.md" })
	var problems []string
	for i, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		fail := func(format string, args ...any) {
			problems = append(problems, name+": "+fmt.Sprintf(format, args...))
		}
		number := decisionName.FindStringSubmatch(path.Base(name))
		if number == nil || number[1] != fmt.Sprintf("%04d", i+1) {
			fail("want a name like %04d-what-was-decided.md", i+1)
			continue
		}
		title := decisionTitle.FindSubmatch(text)
		if title == nil || string(title[1]) != number[1] {
			fail("does not begin with \"# %s. Title\" and \"Status: accepted\"", number[1])
		}
		want, most := parts, onePage
		if title != nil && string(title[2]) != "accepted" {
			want, most = nil, oneEntry
		}
		headings := regexp.MustCompile(`(?m)^## .*$`).FindAllString(string(text), -1)
		if want != nil && len(headings) < len(parts) {
			want = slices.Concat(parts[:2], parts[3:])
		}
		if !slices.Equal(headings, want) {
			fail("has the headings %q, want %q", headings, want)
		}
		if lines := strings.Count(string(text), "\n"); lines > most {
			fail("is %d lines long, at most %d are allowed", lines, most)
		}
		if !strings.Contains(string(index), "("+path.Base(name)+")") {
			fail("is not in docs/adr/README.md")
		}
	}
	return problems, nil
}

var requirement = regexp.MustCompile(`(?m)^\t?(?:require |tool )?([^\s()/]+\.[^\s()]*)( v\S+)?( // indirect)?$`)

// checkDependencies finds modules and tools that go.mod names as our own choice and that no decision gives a reason
// for.
func checkDependencies(tree fs.FS) ([]string, error) {
	mod, err := fs.ReadFile(tree, "go.mod")
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(tree, "docs/adr/[0-9]*.md")
	if err != nil {
		return nil, err
	}
	var reasons strings.Builder
	for _, name := range names {
		text, err := fs.ReadFile(tree, name)
		if err != nil {
			return nil, err
		}
		reasons.Write(text)
	}
	var problems []string
	for _, match := range requirement.FindAllStringSubmatch(string(mod), -1) {
		if match[3] == "" && !strings.Contains(reasons.String(), "`"+match[1]+"`") {
			problems = append(problems, fmt.Sprintf("go.mod: no decision in docs/adr gives the reason for %s",
				match[1]))
		}
	}
	return problems, nil
}

func TestDecisions(t *testing.T) {
	problems, err := checkDecisions(tree(t))
	report(t, problems, err)
	problems, err = checkDependencies(tree(t))
	report(t, problems, err)
}

// TestChangelog checks that the newest section comes first and says something.
func TestChangelog(t *testing.T) {
	text, err := fs.ReadFile(tree(t), "CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`\A# Changelog\n(?:[^#\n].*\n|\n)*## (Unreleased|\d+\.\d+\.\d+.*)\n+[^#\s]`).Match(text) {
		t.Error("CHANGELOG.md does not begin with a title, what it is about and the newest section")
	}
}

func TestDecisionCheckerFails(t *testing.T) {
	good := func(number string) string {
		return "# " + number + ". Title\n\nStatus: accepted\n\n" + strings.Join(parts, "\n\nText.\n\n") +
			"\n\n`example.org/a`\n"
	}
	const replaced = "# 0006. Title\n\nStatus: merged into [0001](0001-a.md)\n"
	problems, err := checkDecisions(mapFS(
		"docs/adr/README.md", "(0001-a.md) (0002-b-c.md) (0003-d.md) (0004-e.md) (0006-g.md) (0007-h.md)",
		"docs/adr/0001-a.md", good("0001"), "docs/adr/0002-b-c.md",
		strings.Replace(good("0002"), "accepted", "perhaps", 1), "docs/adr/0003-d.md",
		strings.Replace(good("0003"), "## Decision", "### Decision", 1), "docs/adr/0004-e.md",
		good("0004")+strings.Repeat("\n", onePage), "docs/adr/0005-f.md",
		strings.Replace(good("0005"), "accepted", "superseded by [0001](0001-a.md)", 1), "docs/adr/0006-g.md", replaced,
		"docs/adr/0007-h.md", strings.Replace(good("0007"), "## Rejected options\n\nText.\n\n", "", 1),
		"docs/adr/0009-i.md", good("0009"),
	))
	wantProblems(t, problems, err,
		"docs/adr/0002-b-c.md: does not begin", "docs/adr/0003-d.md: has the headings", "docs/adr/0004-e.md: is 8",
		"docs/adr/0005-f.md: has the headings", "docs/adr/0005-f.md: is 1", "docs/adr/0005-f.md: is not in",
		"docs/adr/0009-i.md: want a name like 0008")

	mod := "module example.org/m\n\ngo 1.26.0\n\nrequire example.org/a v1.0.0\n\n" +
		"require (\n\texample.org/b v1.0.0\n\texample.org/c v1.0.0 // indirect\n)\n\n" +
		"tool (\n\texample.org/d/cmd\n)\n\ntool example.org/e\n"
	problems, err = checkDependencies(mapFS("go.mod", mod, "docs/adr/0001-a.md", good("0001")))
	wantProblems(t, problems, err, "go.mod: no decision in docs/adr gives the reason for example.org/b",
		"go.mod: no decision in docs/adr gives the reason for example.org/d/cmd",
		"go.mod: no decision in docs/adr gives the reason for example.org/e")
}
