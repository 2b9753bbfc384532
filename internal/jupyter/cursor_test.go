package jupyter

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/npmtest"
	"github.com/siegebook/siegebook/internal/waittest"
)

// TestAskedName checks askedName with the cursor at |. The expected name, if any, begins at ^.
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

// FuzzAskedName checks that the result is a position at which gonb finds a name at once.
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

// TestPlaces checks the conversion between the positions of front ends, which count code points, and gonb's, which
// count UTF-16 units.
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

// TestForGonb checks that gonb gets the Go code of a cell line by line, or that the cell is refused.
func TestForGonb(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Code string }) []any {
		long := strings.Repeat("x", longest)
		code, err := forGonb(strings.NewReplacer("<cr>", "\r", "<long>", long).Replace(row.Code))
		if err != nil {
			return []any{"refused: " + err.Error()}
		}
		return []any{strings.ReplaceAll(code, long, "<long>")}
	})
}

// FuzzForGonb checks that the cell for gonb has the same number of lines, the same commands and, token by token, the
// same Go code. Only the form of strings may differ, and there may be additional text that turns statements into a
// function. A cell with a cursor keeps its length.
func FuzzForGonb(f *testing.F) {
	for _, row := range must.Rows(f, "testdata/cases.txtar", "TestForGonb") {
		f.Add(row[0])
	}
	f.Fuzz(func(t *testing.T, code string) {
		if shown, _ := forCursor(code); len(shown) != len(code) {
			t.Errorf("%q has %d bytes with a cursor: %q", code, len(shown), shown)
		}
		got, err := forGonb(code)
		if err != nil || otherLanguage.MatchString(code) {
			return
		}
		code = strings.ReplaceAll(code, "\r\n", "\n")
		commands, original := splitCell(code), code
		if c, _, _ := asTyped(code); len(c.items) > 0 && c.first >= 0 {
			made := c.code
			for _, put := range c.insertions() {
				code = code[:put.from] + put.text + code[put.from:]
				made = made[:put.from] + put.text + made[put.from:]
			}
			code += c.uses() + "}"
			made = "package p;" + made + c.uses() + "}"
			if _, err := parser.ParseFile(token.NewFileSet(), "", made, 0); err != nil {
				t.Errorf("%q is no Go for gonb: %v", made, err)
			}
		}
		if strings.Count(got, "\n") != strings.Count(code, "\n") {
			t.Fatalf("%q has other lines than %q", got, code)
		}
		lines := strings.Split(got, "\n")
		taken := map[int]bool{} // the lines that gonb reads as commands
		for i, line := range lines {
			line = strings.TrimPrefix(line, gonbComment)
			if taken[i] || len(line) < 2 || line[0] != '%' && line[0] != '!' {
				continue
			}
			command := ""
			for at := i; at < len(lines); at++ {
				taken[at] = true
				command += strings.TrimPrefix(lines[at], gonbComment)
				if !strings.HasSuffix(command, `\`) {
					break
				}
				command = strings.TrimSuffix(command, `\`) + " "
			}
			if strings.Trim(command[1:], " \t") == "" {
				t.Errorf("%q: gonb panics at the command %q", code, command)
			}
			if !slices.ContainsFunc(commands, func(p cellPart) bool {
				return p.kind == commandPart && strings.Count(original[:p.from], "\n") == i
			}) {
				t.Errorf("%q: line %d of %q is no command", code, i+1, got)
			}
		}
		if before, after := tokensOf(code), tokensOf(string(nameless([]byte(got)))); !slices.Equal(before, after) {
			t.Errorf("%q is %q for gonb:\n%q\n%q", code, got, before, after)
		}
	})
}

// tokensOf returns the tokens of the Go code in a cell. It represents strings by their values, without brackets around
// them, and without an end of statement after them.
func tokensOf(code string) (tokens []string) {
	for s, _ := scan(code, 0); ; {
		_, kind, text := s.Scan()
		n := len(tokens)
		switch value, err := strconv.Unquote(text); {
		case kind == token.EOF:
			return tokens
		case kind == token.STRING && err == nil:
			tokens = append(tokens, "string "+value)
		case kind == token.RPAREN && n > 1 && tokens[n-2] == "( " && strings.HasPrefix(tokens[n-1], "string "):
			tokens = append(tokens[:n-2], tokens[n-1])
		case kind == token.SEMICOLON && n > 0 && strings.HasPrefix(tokens[n-1], "string "):
		default:
			tokens = append(tokens, kind.String()+" "+text)
		}
	}
}

// TestStatementAt checks that statementAt distinguishes statements from declarations in a cell without a line %%. The
// cursor is at |. "" means that there is no statement.
func TestStatementAt(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Code string }) []any {
		before, behind, _ := strings.Cut(row.Code, "|")
		if at, is := statementAt(before+behind, len(before)); is {
			return []any{(before + behind)[at:]}
		}
		return []any{""}
	})
}

// cellSession starts the project's kernel behind its proxy, and returns a function that runs a cell.
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

// TestForgets checks that cells with redeclarations run, and that gonb forgets declarations of other cells that no
// longer fit, with a message. If the running cell itself does not fit, a line explains what to do.
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

// TestEditedNotebook checks that after any edits and any runs of single cells, Run All gives the same result as in a
// new kernel.
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
			_, _, _ = used(cells()[r.IntN(3)]) // the cell may fail
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
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Cell string }) []any {
		return []any{strings.Join(declaredBy(row.Cell), ", ")}
	})
}

// TestCursor asks the real kernel, behind the proxy and with a real gopls, about positions in cells. gopls cannot
// answer until it has read our packages, so all tests share one kernel.
func TestCursor(t *testing.T) {
	kernel := projectKernel(t)
	npmtest.GoplsOnPath(t, Gopls())
	s := must.Get(startSession(t.Context(), kernel, "", defaultPatience))
	t.Cleanup(s.Close)
	waittest.Until(t, "a gopls that has read our packages",
		func() bool { return slices.Contains(complete(t, s, phiCell+"x := phi.Fi"), "Fib") })
	t.Run("completion", func(t *testing.T) { testCompletion(t, s) })
	t.Run("completion replaces", func(t *testing.T) { testCompletionReplaces(t, s) })
	t.Run("help", func(t *testing.T) { testHelp(t, s) })
	t.Run("help on nothing", func(t *testing.T) { testHelpOnNothing(t, s) })
}

const phiCell = "import (\n\t\"fmt\"\n\t\"github.com/siegebook/siegebook/analysis/phi\"\n)\n\n%%\n"

// testCompletion asks the real kernel for completions, as front ends do.
func testCompletion(t *testing.T, s *session) {
	t.Helper()
	for _, row := range must.Rows(t, "testdata/cases.txtar", "testCompletion") {
		code := inPhiCell(row[0])
		if matches := complete(t, s, code); !slices.Contains(matches, row[1]) {
			t.Errorf("after %q the kernel proposes %q, want %s too", code, matches, row[1])
		}
	}
}

// inPhiCell puts the beginning of phiCell before the text after a first line "PHI".
func inPhiCell(code string) string { return strings.Replace(code, "PHI\n", phiCell, 1) }

// testHelp asks the real kernel for help on a name, as front ends do for Shift+Tab. The answer also has plain text,
// for Jupyter Notebook 6.
func testHelp(t *testing.T, s *session) {
	t.Helper()
	const code = phiCell + "n := phi.Fib(3)\nm := 3\nfmt.Println(n, \"φ🏰\", m)"
	for _, row := range must.Rows(t, "testdata/cases.txtar", "testHelp") {
		name := row[0]
		data := explain(t, s, code, utf8.RuneCountInString(code[:strings.Index(code, name)+1]))
		for _, want := range row[1:] { // only part of a line, because long lines are wrapped
			if !strings.Contains(strings.Join(strings.Fields(data["text/plain"]), " "), want) {
				t.Errorf("of %q the kernel says %q, want %q in it", name, data["text/plain"], want)
			}
		}
		if data["text/markdown"] == "" {
			t.Errorf("of %q the kernel says %v, want Markdown too", name, data)
		}
	}
}

// testHelpOnNothing checks that if there is no name to explain, the kernel answers at once and continues, whereas gonb
// alone would search forever. It also checks that cells that would make gonb panic do no harm.
func testHelpOnNothing(t *testing.T, s *session) {
	t.Helper()
	for _, row := range must.Rows(t, "testdata/cases.txtar", "testHelpOnNothing") {
		code := inPhiCell(row[0])
		place := strings.Index(code, "|")
		data := explain(t, s, strings.Replace(code, "|", "", 1), place)
		if command := strings.HasPrefix(code, "!"); command != strings.Contains(data["text/plain"], "%script") {
			t.Errorf("%q: the kernel says %v", code, data)
		}
	}
	if got := explain(t, s, phiCell+"fmt.Println(\"🏰\", phi.Fib(3), )",
		utf8.RuneCountInString(phiCell+"fmt.Println(\"🏰\", phi.Fib(3), ")); !strings.Contains(got["text/plain"],
		"func fmt.Println(") {
		t.Errorf("between the brackets of a call the kernel says %v", got)
	}
	if got := complete(t, s, "! "); len(got) > 0 {
		t.Errorf("behind an empty command the kernel proposes %q", got)
	}
	for code, want := range map[string]string{
		"%%\n! ": "ok", "%%\n% ": "ok", "%%script": "error", "%%\nprintln(3)": "ok",
	} {
		var in struct{ Status string }
		ask(t, s, "execute", map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": false},
			&in)
		if in.Status != want {
			t.Errorf("%q ends with %q, want %q", code, in.Status, want)
		}
	}
}

// testCompletionReplaces checks that a completion in a cell without the line %% replaces the name before the cursor.
func testCompletionReplaces(t *testing.T, s *session) {
	t.Helper()
	code := strings.Replace(phiCell, "%%\n", "var π = 3\n", 1) + "phi.Fi"
	var in struct {
		Matches []string
		Start   int `json:"cursor_start"`
		End     int `json:"cursor_end"`
	}
	length := utf8.RuneCountInString(code)
	ask(t, s, "complete", map[string]any{"code": code, "cursor_pos": length}, &in)
	if in.Start != length-len("Fi") || in.End != length || !slices.Contains(in.Matches, "Fib") {
		t.Errorf("%d to %d of %d, %q", in.Start, in.End, length, in.Matches)
	}
}

// complete returns the kernel's completions at the end of a cell, or nil if the kernel does not answer.
func complete(t *testing.T, s *session, code string) []string {
	t.Helper()
	var in struct{ Matches []string }
	ask(t, s, "complete", map[string]any{"code": code, "cursor_pos": utf8.RuneCountInString(code)}, &in)
	return in.Matches
}

// explain returns the kernel's help for a position in a cell, in each format.
func explain(t *testing.T, s *session, code string, place int) map[string]string {
	t.Helper()
	var in struct{ Data map[string]string }
	ask(t, s, "inspect", map[string]any{"code": code, "cursor_pos": place, "detail_level": 0}, &in)
	return in.Data
}

// ask sends a request and stores the content of its reply.
func ask(t *testing.T, s *session, kind string, content map[string]any, reply any) {
	t.Helper()
	m := request(s.id, kind+"_request", content)
	must.Do(t, s.sockets.send(shell, m))
	expired := time.After(waittest.Patience)
	for {
		select {
		case r := <-s.sockets.incoming:
			if r.err != nil {
				t.Fatal(r.err)
			}
			if r.message.header.Type != kind+"_reply" || r.message.parent.ID != m.header.ID {
				continue
			}
			if err := json.Unmarshal(r.message.content, reply); err != nil {
				t.Fatalf("the kernel replies %s: %v", r.message.content, err)
			}
			return
		case <-expired:
			t.Fatal("the kernel does not reply to " + kind)
		}
	}
}

// TestWithHelp checks that missing formats are added to an answer in Markdown. An answer without Markdown does not
// change, unless it reports that gopls is late.
func TestWithHelp(t *testing.T) {
	f := proxy{key: signer("key")}
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Data string }) []any {
		m := request("session", "inspect_reply", map[string]any{"data": json.RawMessage(row.Data), "found": true})
		got := must.Get(f.key.decode(f.withHelp(m, f.key.encode(m)))).content
		var reply struct{ Data json.RawMessage }
		must.Do(t, json.Unmarshal(got, &reply))
		data := string(reply.Data)
		if want := fmt.Sprintf(`{"data":%s,"found":%t}`, data, data != "{}"); string(got) != want {
			t.Errorf("%s becomes %s, want %s", row.Data, got, want)
		}
		return []any{data}
	})
}

// TestHelpText checks that plain text contains no Markdown markup, and that code is unchanged.
func TestHelpText(t *testing.T) {
	must.Answers(t, "testdata/cases.txtar", func(row struct{ Help string }) []any { return []any{helpText(row.Help)} })
}
