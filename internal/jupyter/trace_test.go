package jupyter

import (
	"strings"
	"testing"
)

// TestTraceFilter: of what a program says when it panics, the reason and the line of the cell are left, wherever the
// text is cut.
func TestTraceFilter(t *testing.T) {
	const said = "warning: goroutines ahead\npanic: runtime error: index out of range [7] with length 0\n\n" +
		"goroutine 1 [running]:\ncastle.deep(...)\n\t/repo/deep.go:3\nmain.main()\n\t \x1b[7m[[ Cell [4] Line 9 ]]\x1b[0m /tmp/gonb_1/main.go:33 +0x1d\n" +
		"main.again()\n\t \x1b[7m[[ Cell [4] Line 2 ]]\x1b[0m /tmp/gonb_1/main.go:26 +0x1d\nexit status 2\n"
	const want = "warning: goroutines ahead\npanic: runtime error: index out of range [7] with length 0\n\n  at [[ Cell [4] Line 9 ]]\nexit status 2\n"
	for cut := range len(said) {
		var f traceFilter
		if got := f.filter(said[:cut]) + f.filter(said[cut:]); got != want {
			t.Fatalf("cut at %d: %q, want %q", cut, got, want)
		}
	}
	var f traceFilter
	var got strings.Builder
	for _, letter := range []byte(said) {
		got.WriteString(f.filter(string(letter)))
	}
	if got.String() != want {
		t.Errorf("letter by letter: %q, want %q", got.String(), want)
	}
	f = traceFilter{}
	if got := f.filter("g") + f.end(); got != "g" {
		t.Errorf("the end without a line's end is %q", got)
	}
	f = traceFilter{}
	if text := "no end, and no trace: goroutine"; f.filter(text) != text {
		t.Error("a text without an end is kept back")
	}
}

func TestHelpHTML(t *testing.T) {
	const text = "```go\nfunc Max[T cmp.Ordered](a, b T) T // <T>\n```\n\n---\n\nMax is the `larger` one,\nalways\\.\n\n[`x` on pkg.go.dev](https://pkg.go.dev/x#Max)\n"
	const want = "<pre>func Max[T cmp.Ordered](a, b T) T // &lt;T&gt;\n</pre>\n<hr>\n<p>Max is the <code>larger</code> one,\nalways.</p>\n" +
		"<p><a href=\"https://pkg.go.dev/x#Max\" target=\"_blank\" rel=\"noopener\"><code>x</code> on pkg.go.dev</a></p>\n"
	if got := helpHTML(text); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := helpHTML("[a](javascript:x) <script>"); strings.Contains(got, "<script") || strings.Contains(got, "<a ") {
		t.Error(got)
	}
}
