package jupyter

import (
	"encoding/json"
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

// goplsSession is a session of the real kernel with a real gopls, behind the proxy, which has read our packages: until
// then it has nothing to say.
func goplsSession(t *testing.T) *session {
	npmtest.GoplsOnPath(t, Gopls())
	s := must.Get(startSession(t.Context(), projectKernel(t), "", defaultPatience))
	t.Cleanup(s.Close)
	waittest.Until(t, "a gopls that has read our packages",
		func() bool { return slices.Contains(complete(t, s, phiCell+"x := phi.Fi"), "Fib") })
	return s
}

const phiCell = "import (\n\t\"fmt\"\n\t\"github.com/siegebook/siegebook/analysis/phi\"\n)\n\n%%\n"

// TestCompletion asks the real kernel what may follow, as front ends do.
func TestCompletion(t *testing.T) {
	s := goplsSession(t)
	for _, test := range []struct{ code, want string }{
		{phiCell + "x := phi.", "FloorDiv"},
		{phiCell + "x := phi.Fib(3)\nfmt.Pri", "Println"},
		{phiCell + "longName := phi.Fib(3)\nfmt.Println(longN", "longName"},
		{phiCell + "fmt.Println(\"φ 🏰\", phi.Fib(3)); fmt.Pri", "Println"},
		{strings.Replace(phiCell, "%%\n", "", 1) + "phi.Fi", "Fib"}, // the line %% is not there yet
	} {
		if matches := complete(t, s, test.code); !slices.Contains(matches, test.want) {
			t.Errorf("after %q the kernel proposes %q, want %s too", test.code, matches, test.want)
		}
	}
}

// TestHelp asks the real kernel what a name is, as front ends do for Shift+Tab: the answer is plain text too, for
// Jupyter Notebook 6.
func TestHelp(t *testing.T) {
	s := goplsSession(t)
	const code = phiCell + "n := phi.Fib(3)\nm := 3\nfmt.Println(n, \"φ🏰\", m)"
	for _, test := range []struct {
		name string
		want []string
	}{
		{"Fib(", []string{"func phi.Fib(k int) uint64 ", "for 0 <= k <= MaxIndex", "pkg.go.dev: https://pkg.go.dev/"}},
		{"Println", []string{"func fmt.Println(a ...any) (n int, err error)"}},
		{"n := ", []string{"var n uint64"}},
		{"m)", []string{"var m int"}},
	} {
		data := explain(t, s, code, utf8.RuneCountInString(code[:strings.Index(code, test.name)+1]))
		for _, want := range test.want { // lines end where they are full
			if !strings.Contains(strings.Join(strings.Fields(data["text/plain"]), " "), want) {
				t.Errorf("of %q the kernel says %q, want %q in it", test.name, data["text/plain"], want)
			}
		}
		if data["text/markdown"] == "" {
			t.Errorf("of %q the kernel says %v, want Markdown too", test.name, data)
		}
	}
}

// TestHelpOnNothing: where there is no name to explain, there is no answer to wait for, and the kernel goes on; gonb
// would look for one for ever. Cells that it would panic at do it no harm.
func TestHelpOnNothing(t *testing.T) {
	s := goplsSession(t)
	for _, code := range []string{
		"|", phiCell + "fmt.Println(nothing|Here)", "\n|\n", phiCell + "a|, b := 3, 4",
		phiCell + "a, b := 3|, 4", " (|", "%%\n)|", "!ls|\n! ", "! |",
	} {
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
		"%%\n! ": "ok", "%%\n% ": "ok", "%%script": "error",
		"%%\nprintln(3)": "ok",
	} {
		var in struct{ Status string }
		ask(t, s, "execute", map[string]any{"code": code, "silent": false, "store_history": true, "allow_stdin": false},
			&in)
		if in.Status != want {
			t.Errorf("%q ends with %q, want %q", code, in.Status, want)
		}
	}
}

// TestCompletionReplaces: what is replaced in a cell without the line %% is the name before the cursor.
func TestCompletionReplaces(t *testing.T) {
	s := goplsSession(t)
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

// complete returns what the kernel proposes at the end of a cell, nothing where it has no answer.
func complete(t *testing.T, s *session, code string) []string {
	t.Helper()
	var in struct{ Matches []string }
	ask(t, s, "complete", map[string]any{"code": code, "cursor_pos": utf8.RuneCountInString(code)}, &in)
	return in.Matches
}

// explain returns what the kernel says of a place in a cell, in each form.
func explain(t *testing.T, s *session, code string, place int) map[string]string {
	t.Helper()
	var in struct{ Data map[string]string }
	ask(t, s, "inspect", map[string]any{"code": code, "cursor_pos": place, "detail_level": 0}, &in)
	return in.Data
}

// ask sends a request and takes the content of its reply.
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

// TestWithHelp: an answer in Markdown gets the other forms, where it has them not; one without Markdown stays as it is,
// but for one that says that gopls is late.
func TestWithHelp(t *testing.T) {
	f := proxy{key: signer("key")}
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestWithHelp") {
		data, becomes := row[0], row[1]
		m := request("session", "inspect_reply", map[string]any{"data": json.RawMessage(data), "found": true})
		got := must.Get(f.key.decode(f.withHelp(m, f.key.encode(m))))
		if want := `{"data":` + becomes + `,"found":` + strconv.FormatBool(becomes != "{}") + `}`; string(
			got.content,
		) != want {
			t.Errorf("%s becomes %s, want %s", data, got.content, want)
		}
	}
}

// TestHelpText: who sees plain text sees no signs of Markdown, and code as it is.
func TestHelpText(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/cases.txtar", "TestHelpText") {
		if got := helpText(row[0]); got != row[1] {
			t.Errorf("%s\nwant\n%s", got, row[1])
		}
	}
}
