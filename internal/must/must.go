// Package must is for tests: for what has to succeed before there is anything to test.
package must

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// T is a test, also one of package rapid.
type T interface {
	Helper()
	Fatal(args ...any)
}

// Do ends the test at the first error.
func Do(t T, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Get returns a value. It panics at an error, so it is for functions of the system and the library, not for those that
// are tested.
func Get[V any](value V, err error) V {
	if err != nil {
		panic(err)
	}
	return value
}

// Write makes a file with a text, and the folders around it. It ends the test at an error.
func Write[Text string | []byte](t T, name string, text Text) {
	t.Helper()
	Do(t, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
}

// Rows returns the rows of a table in a file of tables. A line "# NAME: ..." begins one; a row is a line whose fields
// are parted by tabs. A field that begins with a quotation mark is a string of Go. Tables may be the comment of a
// txtar.
func Rows(t T, file, name string) (rows [][]string) {
	t.Helper()
	_, text, _ := strings.Cut(string(Get(os.ReadFile(file))), "# "+name+":")
	text, _, _ = strings.Cut(text, "\n# ")
	text, _, _ = strings.Cut(text, "\n-- ")
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		row := strings.Split(line, "\t")
		for i, field := range row {
			if strings.HasPrefix(field, `"`) || strings.HasPrefix(field, "`") {
				row[i] = Get(strconv.Unquote(field))
			}
		}
		rows = append(rows, row)
	}
	if len(rows) < 2 {
		t.Fatal(file + " has no table " + name)
	}
	return rows[1:] // behind the heading
}

// Need ends a test for want of something: skipped, or failed if CI=true. The format says what is missing and how to get
// it.
func Need(t interface {
	Helper()
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}, format string, args ...any,
) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}
