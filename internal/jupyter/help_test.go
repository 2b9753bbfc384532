package jupyter

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// helpSample has all that gopls writes.
const helpSample = "```go\nfunc Max[T cmp.Ordered](a, b T) T // <T>\n\n\treturn\n```\n\n---\n\nMax is the `larger` one,\nalways\\.\n\n" +
	"### Rules\n\n  - first\n    of all\n  - second\n\nSample:\n\n\tMax(1, 2)\n\t\tMax(`3`)\n\n" +
	"[`x` on pkg.go.dev](https://pkg.go.dev/x#Max)\n"

// TestWithHelp: an answer in Markdown gets the other forms, where it has them not; one without Markdown stays as it is,
// but for one that says that gopls is late.
func TestWithHelp(t *testing.T) {
	f := front{key: signer("key")}
	for _, test := range []struct{ data, want string }{
		{`{"text/markdown":"a b"}`, `{"text/html":"\u003cp\u003ea b\u003c/p\u003e\n","text/markdown":"a b","text/plain":"a b"}`},
		{`{"text/html":"h","text/markdown":"m","text/plain":"p"}`, `{"text/html":"h","text/markdown":"m","text/plain":"p"}`},
		{`{"text/plain":"context deadline exceeded"}`, `{"text/plain":"gopls is still reading the packages: ask again in a moment"}`},
		{`{"text/plain":"p"}`, `{"text/plain":"p"}`},
		{`{"text/markdown":"see [a](file:///b/c.go#3,4)"}`, `{"text/html":"\u003cp\u003esee a\u003c/p\u003e\n","text/markdown":"see a","text/plain":"see a"}`},
		{`{"text/plain":"gopls request returned 'hover' with unexpected kind \"\"\n\nexpected declaration"}`, `{}`},
		{`{"text/plain":"line number 4294967295 out of range 0-325"}`, `{}`},
		{`3`, `3`},
	} {
		m := request("session", "inspect_reply", map[string]any{"data": json.RawMessage(test.data), "found": true})
		got, err := f.key.decode(f.withHelp(m, f.key.encode(m)))
		if err != nil {
			t.Fatal(err)
		}
		if want := `{"data":` + test.want + `,"found":` + strconv.FormatBool(test.want != "{}") + `}`; string(got.content) != want {
			t.Errorf("%s becomes %s, want %s", test.data, got.content, want)
		}
	}
}

func TestHelpHTML(t *testing.T) {
	const want = "<pre>func Max[T cmp.Ordered](a, b T) T // &lt;T&gt;\n\n\treturn\n</pre>\n<hr>\n<p>Max is the <code>larger</code> one, always.</p>\n" +
		"<p><b>Rules</b></p>\n<p>• first of all</p>\n<p>• second</p>\n<p>Sample:</p>\n<pre>Max(1, 2)\n\tMax(`3`)\n</pre>\n" +
		"<p><a href=\"https://pkg.go.dev/x#Max\" target=\"_blank\" rel=\"noopener\"><code>x</code> on pkg.go.dev</a></p>\n"
	if got := helpHTML(helpSample); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for _, text := range []string{"[a](javascript:x) <script>", "`<script>`", "```\n<script>", "# <script>", "\t<script>", "- <script>", "\\<script>", "[<script>](https://x\"><script>)"} {
		if got := helpHTML(text); strings.Contains(got, "<script") || strings.Contains(got, "javascript:x\"") || strings.Contains(got, `x">`) {
			t.Errorf("%q becomes %s", text, got)
		}
	}
}

// TestHelpText: who sees plain text sees no signs of Markdown, and lines that fit.
func TestHelpText(t *testing.T) {
	const want = "func Max[T cmp.Ordered](a, b T) T // <T>\n\n\treturn\n\nMax is the larger one, always.\n\nRules\n\n• first of all\n\n• second\n\nSample:\n\nMax(1, 2)\n\tMax(`3`)\n\n" +
		"x on pkg.go.dev: https://pkg.go.dev/x#Max"
	if got := helpText(helpSample); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(helpText(strings.Repeat("vierzehn ÄÖÜß ", 40) + "\n\n- " + strings.Repeat("words ", 40))) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > helpWidth {
			t.Errorf("%d characters: %s", n, line)
		}
	}
}

// FuzzHelp: whatever a comment says, no sign of HTML comes from it.
func FuzzHelp(f *testing.F) {
	f.Add(helpSample)
	f.Add("[a](https://x\" onclick=\"y) `<b>` \\<i>")
	f.Fuzz(func(t *testing.T, text string) {
		rest := helpHTML(text)
		for _, own := range []string{"<pre>", "</pre>", "<hr>", "<p>", "</p>", "<b>", "</b>", "<code>", "</code>", `<a href="http`, `" target="_blank" rel="noopener">`, "</a>"} {
			rest = strings.ReplaceAll(rest, own, "")
		}
		if strings.ContainsAny(rest, `<>"`) {
			t.Errorf("%q becomes %s", text, helpHTML(text))
		}
		_ = helpText(text)
	})
}
