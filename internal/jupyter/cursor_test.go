package jupyter

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestAskedName: the cursor is at |, and what is asked for begins at ^, if anything is.
func TestAskedName(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestAskedName") {
		text := row[0]
		cursor := strings.Index(strings.ReplaceAll(text, "^", ""), "|")
		want := strings.Index(strings.ReplaceAll(text, "|", ""), "^")
		at, found := askedName(strings.NewReplacer("|", "", "^", "").Replace(text), cursor)
		if found != (want >= 0) || found && at != want {
			t.Errorf("%q: at %d, %v, want %d", text, at, found, want)
		}
	}
}

// FuzzAskedName: what is found is a place at which gonb does not go on to look for a name.
func FuzzAskedName(f *testing.F) {
	for _, seed := range []string{
		"", "%%\nfmt.Println(1, 2)", "import \"fmt\"", "!ls", "a, b := 3, 4", "\"",
		"x := T{f(), []int{1}}",
	} {
		f.Add(seed, len(seed)/2)
	}
	f.Fuzz(func(t *testing.T, code string, points int) {
		at, found := askedName(code, byteAt(code, points))
		if !found {
			return
		}
		if r, _ := utf8.DecodeRuneInString(code[at:]); r == utf8.RuneError ||
			strings.ContainsRune("\x00 \t\n,()[]{}\"`'", r) {
			t.Errorf("%q, %d: at %d there is %q", code, points, at, r)
		}
	})
}

// TestPlaces: front ends count code points, gonb counts in UTF-16, and both know which place is meant.
func TestPlaces(t *testing.T) {
	f := proxy{key: signer("key")}
	changed := func(frames [][]byte) string { return string(must.Get(f.key.decode(frames)).content) }
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestPlaces") {
		m := request("session", "complete_request", cursorRequest{row[0], must.Get(strconv.Atoi(row[1])), 0})
		frames, kept, main := f.atCursor(m, f.key.encode(m))
		if got := changed(frames); got != row[2] {
			t.Errorf("gonb gets %s, want %s", got, row[2])
		}
		m = request("session", "complete_reply", json.RawMessage(row[3]))
		if got := changed(f.replaced(m, f.key.encode(m), asking{code: kept, main: main})); got != row[4] {
			t.Errorf("the front end gets %s, want %s", got, row[4])
		}
	}
	for _, content := range []string{
		`{"code":"%%\nx := name","cursor_pos":-3}`, `{"code":"","cursor_pos":7}`, `{}`,
		`[]`,
	} {
		m := request("session", "inspect_request", json.RawMessage(content))
		if frames, found := f.atName(m, f.key.encode(m)); found && !strings.HasPrefix(content, `{"code":"%%`) {
			t.Errorf("%s: found, %q", content, frames)
		}
	}
}

// TestSurvivable: nothing is left that gonb panics at, lines and columns stay, and so does everything else.
func TestSurvivable(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestSurvivable") {
		code, want := row[0], row[1]
		f := proxy{key: signer("key")}
		m := request("session", "execute_request", map[string]any{"code": code})
		m, frames, err := f.survivableMessage(m, f.key.encode(m))
		must.Do(t, err)
		got, err := f.key.decode(frames)
		if want := string(encoded(map[string]any{"code": want})); err != nil || string(got.content) != want ||
			string(m.content) != want {
			t.Errorf("%q becomes %s, want %s (%v)", code, got.content, want, err)
		}
	}
}

// TestStatementAt: a statement is told from a declaration where a cell has no line %% yet. The place of the cursor is
// |, and "" stands for none.
func TestStatementAt(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestStatementAt") {
		code, want := row[0], row[1]
		cursor := strings.Index(code, "|")
		code = strings.Replace(code, "|", "", 1)
		got := ""
		if at, is := statementAt(code, cursor); is {
			got = code[at:]
		}
		if got != want {
			t.Errorf("%q at %d: the statement %q, want %q", code, cursor, got, want)
		}
	}
}

// cellSession is the project's kernel, behind its proxy.
func cellSession(t *testing.T) (run func(code string) (stdout, stderr string, err error)) {
	t.Helper()
	s := must.Get(startSession(t.Context(), projectKernel(t), t.TempDir(), unhurried))
	t.Cleanup(s.Close)
	return func(code string) (stdout, stderr string, err error) {
		result, err := s.runCell(t.Context(), Cell{Kind: Code, Source: code},
			RunOptions{CellTimeout: waittest.Patience}.withDefaults(), map[string][]*Output{})
		for _, o := range result.outputs {
			switch {
			case o.Type == ErrorOutput:
				stderr += stripANSI(strings.Join(o.Traceback, "\n"))
			case o.Name == "stdout":
				stdout += o.Text
			default:
				stderr += o.Text
			}
		}
		return stdout, stderr, err
	}
}

// TestForgets: what a cell declares anew runs, and what another one has declared and no longer fits is forgotten, which
// is said. Where the cell itself does not fit, a line says what to do.
func TestForgets(t *testing.T) {
	run := cellSession(t)
	_, cells := cases()
	for cell := range strings.SplitSeq(cells, "---\n") {
		code, want, wantErr := "", "", ""
		for line := range strings.Lines(cell) {
			text, prints := strings.CutPrefix(line, "=> ")
			said, says := strings.CutPrefix(line, "-> ")
			switch {
			case prints:
				want += text
			case says:
				wantErr = strings.TrimSpace(said)
			default:
				code += line
			}
		}
		stdout, stderr, err := run(strings.TrimSuffix(code, "\n"))
		if err != nil {
			stdout = "fails\n"
		}
		if stdout != want || !strings.Contains(stderr, wantErr) || wantErr == "" && stderr != "" {
			t.Errorf("%q: %q and %q (%v), want %q and %q", code, stdout, stderr, err, want, wantErr)
		}
	}
}

// TestEditedNotebook: after any edits, and any of its cells run at any time, Run All gives what a new kernel gives.
func TestEditedNotebook(t *testing.T) {
	used := cellSession(t)
	r := rand.New(rand.NewPCG(22, 23))
	names, arities, field := []string{"one", "two", "three"}, []int{1, 1, 0}, "Soldiers"
	cells := func() []string {
		params := func(i int) string {
			return strings.Join([]string{"a int", "b int", "c int"}[:arities[i]], ", ")
		}
		call := func(i int) string {
			return names[i] + "(" + strings.Join([]string{"3", "4", "5"}[:arities[i]], ", ") + ")"
		}
		return []string{
			fmt.Sprintf("type Army struct { %s int }\n\nfunc %s(%s) int { return Army{%s: %d}.%s }", field, names[0],
				params(0), field, 10*arities[0]+len(names[0]), field),
			fmt.Sprintf("func %s(%s) int { return %s + 1 }\n%%%%\nfmt.Println(%s)", names[1], params(1), call(0),
				call(1)),
			fmt.Sprintf("var total = %s\n\nfunc %s(%s) int { return total * Army{%s: 2}.%s }\n%%%%\nfmt.Println(%s)",
				call(1), names[2], params(2), field, field, call(2)),
		}
	}
	for round := range 4 {
		for range 1 + r.IntN(3) {
			switch i := r.IntN(3); r.IntN(3) {
			case 0:
				arities[i] = r.IntN(4)
			case 1:
				names[i] = fmt.Sprint("name", round, "of", i)
			case 2:
				field = fmt.Sprint("Field", r.IntN(3))
			}
		}
		for range 2 {
			_, _, _ = used(cells()[r.IntN(3)]) // which may fail
		}
	}
	fresh := cellSession(t)
	for _, cell := range cells() {
		want, _, err := fresh(cell)
		must.Do(t, err)
		if got, said, err := used(cell); err != nil || got != want {
			t.Errorf("%s: %q (%s, %v), in a new kernel %q", cell, got, said, err, want)
		}
	}
}

func TestDeclaredBy(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestDeclaredBy") {
		if got := strings.Join(declaredBy(row[0]), ", "); got != row[1] {
			t.Errorf("%s: %s, want %s", row[0], got, row[1])
		}
	}
}
