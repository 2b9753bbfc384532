package jupyter

import (
	"strings"
	"testing"
)

// TestPlainText: what gonb says of a cell that does not compile loses its commands and temporary files.
func TestPlainText(t *testing.T) {
	for said, want := range map[string]string{
		`failed to run "/tmp/f-1/bin/go build -o /tmp/f-1/gonb_2/gonb_2": exit status 1`:                           "the cell does not compile",
		`parsing go files in TempDir "/tmp/gonb_2": /tmp/gonb_2/main.go:3:1: expected declaration, found fmt`:      "the cell does not compile",
		`/tmp/gonb_2/main.go:3:1: expected declaration, found 'for'`:                                               "statements go below a line %%",
		`/tmp/gonb_2/main.go:9:1: expected declaration, found '}'`:                                                 "expected declaration, found '}'",
		`<span class="a">./main.go:3:1: </span>undefined: x`:                                                       `<span class="a"></span>undefined: x`,
		`<span class="a">/tmp/gonb_2/main_test.go:3:1: </span>expected declaration, found x<div class="b">x</div>`: `<span class="a"></span>statements go below a line %%<div class="b">x</div>`,
		"the domain.go:3:1: of mine": "the domain.go:3:1: of mine",
	} {
		if got := plainText(said); got != want {
			t.Errorf("%s: %q, want %q", said, got, want)
		}
	}
	if got := string(plainJSON([]byte(`{"a":[1,"./main.go:3:1: b"],"c":null}`))); got != `{"a":[1,"b"],"c":null}` {
		t.Error(got)
	}
}

// TestFailure: the line of a failed cell says what is known, and the reason before all else.
func TestFailure(t *testing.T) {
	stderr := func(text string) []*Output { return []*Output{{Type: Stream, Name: "stderr", Text: text}} }
	exit := reply{Status: "error", Name: "ERROR", Value: "exit status 2"}
	const trace = "\n\ngoroutine 1 [running]:\nmain.main()\n\t\x1b[7m[[ Cell [3] Line 2 ]]\x1b[0m main.go:8 " +
		"+0x2c\nexit status 2\n"
	for _, test := range []struct {
		name    string
		reply   reply
		outputs []*Output
		want    string
	}{
		{"a panic", exit, stderr("panic: out of soldiers" + trace), "panic: out of soldiers at Cell [3] Line 2"},
		{
			"a panic without a place", exit, stderr("panic: out of soldiers\n\ngoroutine 1 " +
				"[running]:\nexit status 2\n"),
			"panic: out of soldiers",
		},
		{
			"talk before a panic", exit, stderr("loading\npanic: this claim does not hold: n is 2" + trace),
			"panic: this claim does not hold: n is 2 at Cell [3] Line 2",
		},
		{
			"a claim",
			reply{Status: "error", Name: "ERROR", Value: "exit status 1"},
			stderr("log\n2 is 3\n  at  \x1b[7m[[ Cell [4] Line 2 ]]\x1b[0m /tmp/gonb_1/main.go:12\nof many\nexit " +
				"status 1\n"), "2 is 3 at Cell [4] Line 2",
		},
		{"an exit", exit, stderr("no more shots\nexit status 2\n"), "exit status 2 (no more shots)"},
		{"a silent exit", exit, stderr("exit status 2\n"), "exit status 2"},
		{
			"a test", exit,
			[]*Output{{Type: Stream, Name: "stdout", Text: "--- FAIL: TestX (0.00s)\n"}},
			"--- FAIL: TestX (0.00s)",
		},
		{
			"an error of another kernel",
			reply{Status: "error", Name: "ValueError", Value: "x"},
			stderr("panic: y\n"),
			"ValueError: x (panic: y)",
		},
		{"nothing said", reply{Status: "aborted"}, nil, `the kernel says "aborted" and no more`},
		{
			"a package that is not there",
			reply{Status: "error", Name: "ERROR", Value: "failed to run \"go get\"\n\ngo: gonb_1 " +
				"imports\n\texample.com/x: cannot find module providing package example.com/x\n\n---\nNote\n"},
			nil,
			"example.com/x is not there, and " + allowNetwork,
		},
		{
			"a module of which the version is not there",
			reply{Status: "error", Name: "ERROR", Value: "failed to run \"go get\"\n\ngo: example.com/x@v1.0.0: " +
				"module lookup disabled by GOPROXY=off\n"},
			nil,
			"example.com/x@v1.0.0 is not there, and " + allowNetwork,
		},
		{
			"a package that a proxy does not have",
			reply{Status: "error", Name: "ERROR", Value: "cannot find module providing package example.com/x: module " +
				"example.com/x: 404 Not Found"},
			nil,
			"cannot find module providing package example.com/x: module example.com/x: 404 Not Found",
		},
		{"a long one", exit, stderr("panic: " + strings.Repeat("é", 1000)), "panic: " + strings.Repeat("é",
			lineLength-len("panic: ")) + "..."},
	} {
		if got := failure(test.reply, test.outputs).Error(); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}
