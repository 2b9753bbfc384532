package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestDocumentation runs the commands of the package comment and compares what they print.
func TestDocumentation(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	examples := documented(file.Doc.Text())
	if len(examples) < 7 {
		t.Errorf("only %d commands found in the package comment", len(examples))
	}
	for _, example := range examples {
		if got := strings.TrimRight(mustRun(t, "", example.args...), "\n"); got != example.output {
			t.Errorf("siegebook %s prints\n%s\nbut doc.go says\n%s", strings.Join(example.args, " "), got,
				example.output)
		}
	}
}

type documentedCommand struct {
	args   []string
	output string
}

// documented returns the commands in the indented blocks of a comment, each with the lines up to the next.
func documented(text string) []documentedCommand {
	var found []documentedCommand
	inside := false
	for line := range strings.SplitSeq(text, "\n") {
		code, indented := strings.CutPrefix(line, "\t")
		call, isCommand := strings.CutPrefix(code, "$ siegebook ")
		switch {
		case isCommand:
			found, inside = append(found, documentedCommand{args: strings.Fields(call)}), true
		case inside && (indented || line == ""):
			found[len(found)-1].output += code + "\n"
		default:
			inside = false
		}
	}
	for i := range found {
		found[i].output = strings.TrimRight(found[i].output, "\n")
	}
	return found
}

// TestHelpExamples runs the examples of every command's --help, but for the two that need a file of battles.
func TestHelpExamples(t *testing.T) {
	wall := readFile(t, filepath.Join("testdata", "wall.txt"))
	t.Chdir(t.TempDir())
	if err := os.WriteFile("map.txt", wall, 0o644); err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile(`(?m)^    siegebook (.*)$`)
	for _, verb := range []string{
		"solve castle", "sweep castle", "survey castle", "count castle", "paths castle", "merge", "solve ants",
		"solve tower", "tournament naval", "play naval", "measure naval",
	} {
		help := mustRun(t, "", append(strings.Fields(verb), "--help")...)
		calls := example.FindAllStringSubmatch(help, -1)
		if len(calls) < 3 {
			t.Errorf("%s --help has %d examples", verb, len(calls))
		}
		for _, call := range calls {
			if strings.Contains(call[1], "battles.csv") {
				continue
			}
			mustRun(t, "a.b\n", strings.Fields(call[1])...)
		}
	}
}

// TestAllIsDescribed: every command, flag and argument has its help.
func TestAllIsDescribed(t *testing.T) {
	page := mustRun(t, "", "man")
	for item := range strings.SplitSeq(page, "\n.TP\n") {
		if lines := strings.Split(item, "\n"); strings.HasPrefix(item, ".B ") && (len(lines) < 2 || len(lines[1]) < 5) {
			t.Errorf("no help of %q", lines[0])
		}
	}
	if strings.Contains(page, "${") || strings.Count(page, "\n.SS ") < 16 {
		t.Errorf("the manual page has %d commands, or names of variables:\n%s", strings.Count(page, "\n.SS "), page)
	}
}

// TestAnotherGame: a game is a function in the register; its commands are listed, parsed, run and completed.
func TestAnotherGame(t *testing.T) {
	before := games
	defer func() { games = before }()
	games = append(slices.Clone(games), func() game {
		return game{verbs: map[string]any{"solve": &struct {
			Toy toyGame `cmd:"" help:"Who wins a toy game."`
		}{}}}
	})
	for args, want := range map[string]string{
		"--help": "Who wins a toy game.", "solve toy 7": "7 wins\n", "solve toy --help": "How many.",
		"man": ".SS solve toy <n>\n",
	} {
		if out := mustRun(t, "", strings.Fields(args)...); !strings.Contains(out, want) {
			t.Errorf("%s prints %q, want %q", args, out, want)
		}
	}
}

type toyGame struct {
	N positive `arg:"" help:"How many."`
}

func (g *toyGame) Run(s streams) error { return s.Say("%d wins", g.N) }
