// Package must helps tests: it performs the steps that must succeed before a test can test anything.
package must

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// T is a test. It may be a test of package rapid.
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

// Get returns value. It panics if err is not nil, so use it for calls to the system and the library, not for the
// functions under test.
func Get[V any](value V, err error) V {
	if err != nil {
		panic(err)
	}
	return value
}

// Write writes text to a file, and creates its parent folders. If there is an error, it ends the test.
func Write[Text string | []byte](t T, name string, text Text) {
	t.Helper()
	Do(t, os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
}

// Rows returns the rows of a table in a file of tables. A line "# NAME: ..." begins a table. Each row is a line of
// tab-separated fields. A field that begins with a quotation mark is a Go string literal. The comment of a txtar
// archive may contain tables.
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
	return rows[1:] // without the heading
}

// Table reads a table as Rows does. For each row, it yields the row's position, for messages, and the row as a struct
// with a field for each column. It reads a field with its method UnmarshalText, or as fmt.Sscan does. Blanks separate
// the fields of a struct, and commas separate the elements of a list.
func Table[Row any](t T, file, name string) iter.Seq2[string, Row] {
	t.Helper()
	rows := Rows(t, file, name)
	return func(yield func(string, Row) bool) {
		for i, texts := range rows {
			if !yield(rowOf[Row](t, file, name, i, texts)) {
				return
			}
		}
	}
}

// rowOf returns a row parsed from its fields, and the row's position.
func rowOf[Row any](t T, file, name string, i int, texts []string) (place string, row Row) {
	place = fmt.Sprintf("row %d of %s in %s", i+1, name, file)
	if err := readFields(reflect.ValueOf(&row).Elem(), texts); err != nil {
		t.Fatal(place, err)
	}
	return place, row
}

// Test is a test with a name.
type Test interface {
	T
	Errorf(format string, args ...any)
	Name() string
}

// Answers calls a function for each row of the test's own table, and compares the results, formatted as by fmt.Sprint,
// with the last fields of the row. The fields before them are the fields of Row, as Table reads them.
func Answers[Row any](t Test, file string, call func(Row) []any) {
	t.Helper()
	fields := reflect.TypeFor[Row]().NumField()
	for i, texts := range Rows(t, file, t.Name()) {
		place, row := rowOf[Row](t, file, t.Name(), i, texts[:fields])
		var got []string
		for _, answer := range call(row) {
			got = append(got, fmt.Sprint(answer))
		}
		if want := texts[fields:]; !slices.Equal(got, want) {
			t.Errorf("%s: %+v: %q, want %q", place, row, got, want)
		}
	}
}

// Refusals calls a function for each row of the test's own table, and checks its error with ErrorContains. The last
// field of the row is what the error must contain.
func Refusals[Row any](t Test, file string, call func(Row) error) {
	t.Helper()
	for i, texts := range Rows(t, file, t.Name()) {
		last := len(texts) - 1
		place, row := rowOf[Row](t, file, t.Name(), i, texts[:last])
		ErrorContains(t, call(row), texts[last], fmt.Sprintf("%s: %+v", place, row))
	}
}

func readFields(of reflect.Value, texts []string) error {
	if len(texts) != of.NumField() {
		return fmt.Errorf("%q: must have %d fields", texts, of.NumField())
	}
	for i, text := range texts {
		if err := read(of.Field(i), text); err != nil {
			return fmt.Errorf("%q: %w", text, err)
		}
	}
	return nil
}

func read(value reflect.Value, text string) error {
	switch into := value.Addr().Interface().(type) {
	case encoding.TextUnmarshaler:
		return into.UnmarshalText([]byte(text))
	case *string:
		*into = text
		return nil
	}
	switch value.Kind() {
	case reflect.Struct:
		return readFields(value, strings.Fields(text))
	case reflect.Slice:
		for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ',' }) {
			element := reflect.New(value.Type().Elem()).Elem()
			if err := read(element, strings.TrimSpace(part)); err != nil {
				return err
			}
			value.Set(reflect.Append(value, element))
		}
		return nil
	}
	_, err := fmt.Sscan(text, value.Addr().Interface())
	return err
}

// JSON decodes a JSON file into a value.
func JSON(t T, file string, value any) {
	t.Helper()
	Do(t, json.Unmarshal(Get(os.ReadFile(file)), value))
}

// ErrorContains fails the test unless err is one line that contains the given text. The last arguments describe, in the
// test's message, what should have been rejected.
func ErrorContains(t interface {
	Helper()
	Errorf(format string, args ...any)
}, err error, text string, what ...any,
) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%.200s: error %v\nwant %s", strings.TrimSpace(fmt.Sprintln(what...)), err, text)
	}
}

// Panic returns the value with which a call panics, or nil if it does not panic.
func Panic(call func()) (value any) {
	defer func() { value = recover() }()
	call()
	return nil
}

// ErrEnough is the cause with which tests cancel contexts.
var ErrEnough = errors.New("enough")

// CanceledContext returns a context that has already been canceled.
func CanceledContext(t interface{ Context() context.Context }) context.Context {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(ErrEnough)
	return ctx
}

// Stopped reports whether an error comes from a context that was canceled with the cause ErrEnough, and contains that
// cause.
func Stopped(err error) bool { return errors.Is(err, ErrEnough) && errors.Is(err, context.Canceled) }

// Tokens yields the tokens of a page or a drawing, which must be XML with HTML's entities. If the XML is not
// well-formed, Tokens ends the test.
func Tokens(t T, name string, page []byte) iter.Seq[xml.Token] {
	return func(yield func(xml.Token) bool) {
		t.Helper()
		decoder := xml.NewDecoder(bytes.NewReader(page))
		decoder.Entity = xml.HTMLEntity
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(name+" is not well-formed:", err)
			}
			if !yield(token) {
				return
			}
		}
	}
}

// Program builds one of our programs in a folder and returns its path. The program has the same bytes as in `make
// report`, so it can use results that `make report` has cached.
func Program(t interface {
	T
	Context() context.Context
	Fatalf(format string, args ...any)
}, name, folder string,
) string {
	t.Helper()
	path := filepath.Join(folder, name)
	command := exec.CommandContext(t.Context(), "go", "run", "-buildvcs=false", "-exec", "cp",
		"github.com/siegebook/siegebook/cmd/"+name, path)
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%q: %v\n%s", command.Args, err, out)
	}
	return path
}

// SkipMissing skips a test because something that it needs is missing, or fails it if CI=true. The message says what is
// missing and how to get it.
func SkipMissing(t interface {
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

// Python runs a Python 3 program and returns its output.
func Python(t interface {
	T
	Context() context.Context
	Fatalf(format string, args ...any)
	Skipf(format string, args ...any)
}, program string,
) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), "python3", "-")
	command.Stdin = strings.NewReader(program)
	var stderr strings.Builder
	command.Stderr = &stderr
	out, err := command.Output()
	if errors.Is(err, exec.ErrNotFound) {
		SkipMissing(t, "no Python 3 (%v): make setup installs it", err)
	}
	if err != nil {
		t.Fatalf("Python: %v: %.2000s", err, stderr.String())
	}
	return string(out)
}
