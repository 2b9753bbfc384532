package jupyter

import (
	"encoding/json"
	"strconv"
	"testing"
)

// helpSample has all that gopls writes.
const helpSample = "```go\nfunc Max[T cmp.Ordered](a, b T) T // <T>\n\n\treturn\n```\n\n---\n\nMax is the `larger` " +
	"one,\nalways\\.\n\n### Rules\n\n  - first\n    of all\n  - second\n\nSample:\n\n\tMax(1, 2)\n\t\tMax(`3`)\n\n" +
	"[`x` on pkg.go.dev](https://pkg.go.dev/x#Max)\n"

// TestWithHelp: an answer in Markdown gets the other forms, where it has them not; one without Markdown stays as it is,
// but for one that says that gopls is late.
func TestWithHelp(t *testing.T) {
	f := proxy{key: signer("key")}
	for _, test := range []struct{ data, want string }{
		{`{"text/markdown":"a b"}`, `{"text/markdown":"a b","text/plain":"a b"}`},
		{
			`{"text/html":"h","text/markdown":"m","text/plain":"p"}`,
			`{"text/html":"h","text/markdown":"m","text/plain":"p"}`,
		},
		{
			`{"text/plain":"context deadline exceeded"}`,
			`{"text/plain":"gopls is still reading the packages: ask again in a moment"}`,
		},
		{`{"text/plain":"p"}`, `{"text/plain":"p"}`},
		{`{"text/markdown":"see [a](file:///b/c.go#3,4)"}`, `{"text/markdown":"see a","text/plain":"see a"}`},
		{`{"text/plain":"gopls request returned 'hover' with unexpected kind \"\"\n\nexpected declaration"}`, `{}`},
		{`{"text/plain":"line number 4294967295 out of range 0-325"}`, `{}`},
		{`3`, `3`},
	} {
		m := request("session", "inspect_reply", map[string]any{"data": json.RawMessage(test.data), "found": true})
		got, err := f.key.decode(f.withHelp(m, f.key.encode(m)))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"data":` + test.want + `,"found":` + strconv.FormatBool(test.want != "{}") + `}`; string(
			got.content,
		) != want {
			t.Errorf("%s becomes %s, want %s", test.data, got.content, want)
		}
	}
}

// TestHelpText: who sees plain text sees no signs of Markdown, and code as it is.
func TestHelpText(t *testing.T) {
	const want = "func Max[T cmp.Ordered](a, b T) T // <T>\n\n\treturn\n\nMax is the larger one,\nalways.\n\n" +
		"Rules\n\n  - first\n    of all\n  - second\n\nSample:\n\n\tMax(1, 2)\n\t\tMax(`3`)\n\n" +
		"x on pkg.go.dev: https://pkg.go.dev/x#Max"
	if got := helpText(helpSample); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
