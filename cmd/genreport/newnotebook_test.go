package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// TestOpenCommand: the command that opens a new notebook works from the folder in which the notebook was made.
func TestOpenCommand(t *testing.T) {
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
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

// TestRuns: a build says why notebooks were not run.
func TestRuns(t *testing.T) {
	now, known := lesson.Lesson{Ran: true, RanNow: true}, lesson.Lesson{Ran: true}
	omitted, text := lesson.Lesson{Page: site.Page{Omit: true}}, lesson.Lesson{}
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
