package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// tutorialBlock is a block of the tutorial: a file where it has a name.
type tutorialBlock struct{ language, file, text string }

var (
	blockStart    = regexp.MustCompile("^(```+)([a-z]+)(?: ([^ ]+/[^ ]+))?$")
	progressLines = regexp.MustCompile(`(?m)^[a-z ]+: at work for \d+ s\n`)
)

// tutorialBlocks returns the blocks of a text.
func tutorialBlocks(text string) []tutorialBlock {
	var blocks []tutorialBlock
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		m := blockStart.FindStringSubmatch(lines[i])
		if m == nil {
			continue
		}
		from := i + 1
		for i++; lines[i] != m[1]; i++ {
		}
		blocks = append(blocks, tutorialBlock{m[2], m[3], strings.Join(lines[from:i], "\n") + "\n"})
	}
	return blocks
}

// TestTutorial does what docs/book.md says: it writes the files whose names stand behind the fence, runs the commands,
// and compares what the last one of a block says, in which ... stands for anything.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(repo, "docs", "book.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(libraryVariable, repo)
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	t.Chdir(t.TempDir())
	ran, said := 0, ""
	for _, block := range tutorialBlocks(string(text)) {
		switch {
		case block.file != "":
			if err := os.WriteFile(block.file, []byte(block.text), 0o600); err != nil {
				t.Fatal(err)
			}
		case block.language == "sh":
			for command := range strings.Lines(block.text) {
				if arguments, ours := strings.CutPrefix(command, "genreport "); ours {
					_, stdout, stderr := run(t.Context(), strings.Fields(arguments)...)
					said = progressLines.ReplaceAllString(stdout+stderr, "")
					ran++
				}
			}
		case block.language == "text":
			pattern := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(block.text)), `\.\.\.`, `.*`)
			if !regexp.MustCompile(`^` + pattern + `$`).MatchString(strings.TrimSpace(said)) {
				t.Errorf("it says %q\nwant %q", said, block.text)
			}
		}
	}
	if ran < 5 {
		t.Errorf("%d commands ran", ran)
	}
}

// TestExamples builds the books of examples, as pages and as one file, and checks them.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	for book, wants := range map[string]map[string]string{
		"worksheet": {
			"01-the-game.html":       `data-kind="castle-hunt"`,
			"02-our-strategies.html": "Waves lost by half, n = 12",
			"claims.html":            "(10,000 cases)",
			"bibliography.html":      "Mario Livio",
		},
		"continued-fractions": {
			"index.html":            "A small book with a Go module of its own",
			"01-what-they-are.html": "has the terms [3 7 16]",
			"02-how-good.html":      "Right digits of the convergents",
		},
	} {
		folder, out := filepath.Join(repo, "examples", book), filepath.Join(t.TempDir(), "out")
		if code, _, stderr := run(t.Context(), "build", folder, "--out", out, "--quiet"); code != 0 {
			t.Errorf("%s: exit code %d: %s", book, code, stderr)
			continue
		}
		for page, want := range wants {
			text, err := os.ReadFile(filepath.Join(out, page))
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s: %s has no %q, error %v", book, page, want, err)
			}
		}
		if code, _, stderr := run(t.Context(), "check", folder, "--out", out, "--trust-cache", "--quiet"); code != 0 {
			t.Errorf("%s: check: exit code %d: %s", book, code, stderr)
		}
		if code, _, stderr := run(t.Context(), "build", folder, "--single", out+".html", "--quiet"); code != 0 {
			t.Errorf("%s: one file: exit code %d: %s", book, code, stderr)
		}
	}
}
