package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestMessages runs the commands of testdata/messages.txt, which cannot succeed. A line with arguments is followed by
// one that begins with a tab: the exit code, and a pattern for the one line of the error. ” stands for an empty
// argument. The commands run in a folder with the files of the archive, and leave them as they are.
func TestMessages(t *testing.T) {
	archive, err := txtar.ParseFile(filepath.Join("testdata", "messages.txt"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := txtar.Write(archive, "."); err != nil {
		t.Fatal(err)
	}
	before := filesBelow(t)
	t.Setenv("XDG_CACHE_HOME", testCacheFolder)
	var args []string
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSuffix(line, "\n")
		want, isWanted := strings.CutPrefix(line, "\t")
		if !isWanted {
			if args = strings.Fields(line); len(args) > 0 && args[0] == "#" {
				args = nil
			}
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "''", "")
			}
			continue
		}
		code, pattern, _ := strings.Cut(want, " ")
		got, _, stderr := run(t.Context(), args...)
		if fmt.Sprint(got) != code || !regexp.MustCompile("^genreport: "+pattern+"\n$").MatchString(stderr) {
			t.Errorf("%q: exit code %d: %s", args, got, stderr)
		}
	}
	if after := filesBelow(t); after != before {
		t.Errorf("there is another set of files:\n%s\nbefore:\n%s", after, before)
	}
}

// filesBelow describes what is in the working folder.
func filesBelow(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			data, err := os.ReadFile(name)
			fmt.Fprintf(&all, "%s %q %v\n", name, data, err)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
