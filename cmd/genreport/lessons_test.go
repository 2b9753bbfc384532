package main

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/press"
)

func readTree(t testing.TB, root string) map[string][]byte {
	t.Helper()
	tree := map[string][]byte{}
	must.Do(t, filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		tree[name], err = os.ReadFile(path)
		return err
	}))
	return tree
}

// TestCopiesOfRuns checks that a copy replaces an older copy, that the copy of a failed run does not, and that a file
// created during the run stays.
func TestCopiesOfRuns(t *testing.T) {
	read := func(source string) notebookFile {
		cells := []map[string]any{jupyter.CodeCell("one", source, map[string]any{})}
		return notebookFile{filepath.Join(t.TempDir(), "a.ipynb"), jupyter.Compose(cells, nil)}
	}
	c := &notebooksRun{Out: filepath.Join(t.TempDir(), "new", "folder")}
	failed := errors.New("a cell failed")
	written := filepath.Join(c.Out, "a.ipynb")
	holds := func(source string) {
		t.Helper()
		if n, err := jupyter.Read(written); err != nil || n.Cells()[0].Source != source {
			t.Errorf("%v, want the copy of %s", err, source)
		}
	}
	write := func(source string, failed error) error {
		file := read(source)
		if err := c.checkOut([]notebookFile{file}); err != nil {
			return err
		}
		return c.write(file, file.notebook.Clone(), failed)
	}
	if err := write("first", failed); err != nil { // there is no file yet, so the copy shows where the run failed
		t.Error(err)
	}
	holds("first")
	if err := write("second", nil); err != nil {
		t.Error(err)
	}
	holds("second")
	if err := write("third", failed); err != nil {
		t.Error(err)
	}
	holds("second")
	meanwhile := read("fourth")
	must.Write(t, written, meanwhile.notebook.Bytes())
	if err := c.write(meanwhile, meanwhile.notebook.Clone(), nil); !atomicfile.Refused(err) {
		t.Errorf("a file that came during the run: %v", err)
	}
	if err := write("fifth", nil); !atomicfile.Refused(err) {
		t.Errorf("a file that came before the run: %v", err)
	}
	holds("fourth")
}

// TestOpenCommand checks that the command that opens a new notebook works in the folder in which the notebook was
// created.
func TestOpenCommand(t *testing.T) {
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	for path, want := range map[string]string{
		"mine.ipynb":         "make -C " + repo + " jupyter NOTEBOOK=" + filepath.Join(repo, "notebooks", "mine.ipynb"),
		"/tmp/it's $a.ipynb": "make -C " + repo + ` jupyter NOTEBOOK='/tmp/it'\''s $$a.ipynb'`,
		"/tmp/a \"b\".ipynb": "make -C " + repo + ` jupyter NOTEBOOK='/tmp/a "b".ipynb'`,
	} {
		t.Chdir(filepath.Join(repo, "notebooks"))
		if got := openCommand(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	t.Chdir(os.TempDir())
	if got := openCommand("mine.ipynb"); got != "jupyter notebook mine.ipynb" {
		t.Errorf("away from the repository: %s", got)
	}
}

// TestRuns checks that a build reports why notebooks were not run.
func TestRuns(t *testing.T) {
	now, known := lesson.Lesson{Ran: true, RanNow: true}, lesson.Lesson{Ran: true}
	omitted, text := lesson.Lesson{Omit: true}, lesson.Lesson{}
	for want, lessons := range map[string][]lesson.Lesson{
		"":                      nil,
		"; ran 1 of 1 notebook": {now},
		"; ran 0 of 1 notebook, 1 left out by --only":                                  {omitted},
		"; ran 1 of 4 notebooks, 1 unchanged since the last run, 1 left out by --only": {now, known, omitted, text},
	} {
		if got := runs(lessons); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// tutorialBlock is a block of the tutorial. A block with a name is a file.
type tutorialBlock struct{ language, file, text string }

var (
	blockStart    = regexp.MustCompile("^(```+)([a-z]+)(?: ([^ ]+/[^ ]+))?$")
	progressLines = regexp.MustCompile(`(?m)^[A-Za-z, ]+: running for \d+ s\n`)
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

// TestTutorial follows docs/book.md and docs/cells.md: it writes the files that the fences name, runs the commands,
// and compares the output of the last command of each block. In the wanted output, ... stands for any text.
func TestTutorial(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the kernel, and programs for it, which takes seconds; leave out -short")
	}
	for _, file := range []struct {
		name  string
		least int
	}{{"book.md", 5}, {"cells.md", 4}} { // in this order: cells.md finds pages of book.md in the cache
		t.Run(file.name, func(t *testing.T) {
			if ran := checkTutorial(t, file.name); ran < file.least {
				t.Errorf("%d commands ran", ran)
			}
		})
	}
}

// TestPagesTutorial follows docs/pages.md and docs/publish.md in the same way. Their books have no cells. It checks
// that the recipe for GitHub Pages has the command that was run, and publishes the folder that this command has
// written.
func TestPagesTutorial(t *testing.T) {
	t.Run("pages.md", func(t *testing.T) {
		if ran := checkTutorial(t, "pages.md"); ran < 1 {
			t.Errorf("%d commands ran", ran)
		}
	})
	checkTutorial(t, "publish.md")
	var recipe struct {
		Jobs map[string]struct {
			Steps []struct {
				Run, Uses string
				With      struct{ Path string }
			}
		}
	}
	must.Do(t, yaml.Unmarshal(must.Get(os.ReadFile(".github/workflows/book.yml")), &recipe))
	built, published := false, ""
	for _, step := range recipe.Jobs["book"].Steps {
		built = built || step.Run == "genreport build notes --out site"
		if strings.HasPrefix(step.Uses, "actions/upload-pages-artifact@") {
			published = step.With.Path
		}
	}
	for _, name := range []string{"index.html", "feed.xml", "sitemap.xml", "2025/start.html", "logo.svg"} {
		if _, err := os.Stat(filepath.Join(published, name)); err != nil || !built {
			t.Errorf("the recipe builds: %t, and publishes %q: %v", built, published, err)
		}
	}
}

// checkTutorial follows a file in docs, and returns the number of genreport commands in it.
func checkTutorial(t *testing.T, name string) (ran int) {
	t.Helper()
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	text := must.Get(os.ReadFile(filepath.Join(repo, "docs", name)))
	t.Setenv(press.LibraryVariable, repo)
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	t.Chdir(t.TempDir())
	said := ""
	for _, block := range tutorialBlocks(string(text)) {
		switch {
		case block.file != "":
			must.Write(t, block.file, block.text)
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
	return ran
}
