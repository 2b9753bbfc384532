package proofs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// twins names the table of the Go functions that Words.v transcribes. A row contains a file, the names of functions,
// the digest of their code, the names of the definitions that transcribe them, and the digest of the code of these
// definitions.
const twins = "testdata/twins.txt"

// twin is a row of that table.
type twin struct{ file, functions, digest, definitions, modelDigest string }

// digestOf returns the first 8 bytes of the hash of a text in hexadecimal, a length that people can compare.
func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// goCode returns the code of the named functions in a Go file, without comments. The name of a method is preceded by
// its type.
func goCode(source, names string) (string, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "source.go", source, parser.SkipObjectResolution)
	if err != nil {
		return "", err
	}
	var found []string
	for _, declared := range file.Decls {
		function, ok := declared.(*ast.FuncDecl)
		if !ok {
			continue
		}
		full := function.Name.Name
		if function.Recv != nil {
			if receiver, ok := function.Recv.List[0].Type.(*ast.Ident); ok {
				full = receiver.Name + "." + full
			}
		}
		if slices.Contains(strings.Split(names, " "), full) {
			var text bytes.Buffer
			function.Doc = nil
			if err := printer.Fprint(&text, fset, function); err != nil {
				return "", err
			}
			found = append(found, strings.Join(strings.Fields(text.String()), " "))
		}
	}
	if want := strings.Count(names, " ") + 1; len(found) != want {
		return "", fmt.Errorf("there are %d functions of %q", len(found), names)
	}
	return strings.Join(found, "\n"), nil
}

// coqCode returns the code of the named definitions in a Coq file, without comments.
func coqCode(text, names string) (string, error) {
	plain := code(text)
	var found []string
	for _, s := range naming(plain, plain) {
		if slices.Contains(strings.Split(names, " "), s.name) {
			found = append(found, strings.Join(strings.Fields(s.text), " "))
		}
	}
	if want := strings.Count(names, " ") + 1; len(found) != want {
		return "", fmt.Errorf("there are %d definitions of %q", len(found), names)
	}
	return strings.Join(found, "\n"), nil
}

// compared returns the row with the current digests. The error reports that one of the twins has changed without the
// other.
func (w twin) compared(source, model string) (twin, error) {
	now := w
	ours, err := goCode(source, w.functions)
	if err != nil {
		return w, fmt.Errorf("%s: %w", w.file, err)
	}
	theirs, err := coqCode(model, w.definitions)
	if err != nil {
		return w, fmt.Errorf("Words.v: %w", err)
	}
	now.digest, now.modelDigest = digestOf(ours), digestOf(theirs)
	switch changed, modelChanged := now.digest != w.digest, now.modelDigest != w.modelDigest; {
	case changed && !modelChanged:
		return now, fmt.Errorf("%s: %s changed, and %s in Words.v, which transcribes it, did not: compare them "+
			"line by line and change the proof, or, if it says the same already, write %s in %s",
			w.file, w.functions, w.definitions, now.digest, twins)
	case modelChanged && !changed:
		return now, fmt.Errorf("Words.v: %s changed, and %s in %s, which it transcribes, did not: compare them line "+
			"by line, and write %s in %s", w.definitions, w.functions, w.file, now.modelDigest, twins)
	}
	return now, nil
}

// TestTwins checks that no Go function that Words.v transcribes changes without its transcription, or the other way
// round. If both have changed, -update records them.
func TestTwins(t *testing.T) {
	model := string(must.Get(os.ReadFile("Words.v")))
	var text strings.Builder
	text.WriteString("# TestTwins: file, functions, digest of their code; definitions of Words.v, digest of theirs\n")
	transcribed := map[string]bool{}
	for _, row := range must.Rows(t, twins, "TestTwins") {
		recorded := twin{row[0], row[1], row[2], row[3], row[4]}
		source := string(must.Get(os.ReadFile(filepath.Join("..", filepath.FromSlash(recorded.file)))))
		now, err := recorded.compared(source, model)
		switch {
		case err != nil:
			t.Error(err)
		case now != recorded && !*update:
			t.Errorf("%s and %s have changed: compare them line by line, and run go test -update",
				recorded.functions, recorded.definitions)
		}
		for name := range strings.SplitSeq(recorded.definitions, " ") {
			transcribed[name] = true
		}
		fmt.Fprintf(&text, "%s\n", strings.Join(
			[]string{now.file, now.functions, now.digest, now.definitions, now.modelDigest}, "\t"))
	}
	// Each definition in the program part of Words.v must have a twin.
	_, program, _ := strings.Cut(model, "(** ** The program *)")
	program, _, _ = strings.Cut(program, "(** ** It is [min_waves] *)")
	for _, s := range naming(program, code(program)) {
		if s.name != "loops" && !transcribed[s.name] {
			t.Errorf("Words.v: %s transcribes no function that %s lists", s.name, twins)
		}
	}
	if *update && !t.Failed() {
		must.Do(t, os.WriteFile(twins, []byte(text.String()), 0o644))
	}
}

// TestTwinsChange checks that a change to one twin is found, that a change to a comment does not count, and that a
// change to both is recorded.
func TestTwinsChange(t *testing.T) {
	const source = "package p\n\n// f is f.\nfunc (b T) f(x int) int { return x + 1 }\n"
	const model = "Definition f64 (x : Z) := x + 1.\n"
	w := must.Get(twin{file: "p.go", functions: "T.f", definitions: "f64"}.compared(source, model))
	again := func(source, model string) string {
		_, err := w.compared(source, model)
		if err == nil {
			return ""
		}
		return err.Error()
	}
	otherSource, otherModel := strings.Replace(source, "+", "-", 1), strings.Replace(model, "+", "-", 1)
	for _, test := range []struct{ source, model, want string }{
		{source, model, ""},
		{strings.Replace(source, "f is", "f must be", 1), "(* f *)\n" + model, ""},
		{otherSource, model, "p.go: T.f changed, and f64"},
		{source, otherModel, "Words.v: f64 changed, and T.f"},
		{otherSource, otherModel, ""},
		{"package p\n", model, `p.go: there are 0 functions of "T.f"`},
		{source, "", `Words.v: there are 0 definitions of "f64"`},
	} {
		got := again(test.source, test.model)
		if !strings.HasPrefix(got, test.want) || (got == "") != (test.want == "") {
			t.Errorf("%q and %q: %q, want %q", test.source, test.model, got, test.want)
		}
	}
}
