package main

import (
	"strings"
	"testing"
)

// TestBadArguments: exit code 2, nothing on stdout, and one line that names the value.
func TestBadArguments(t *testing.T) {
	for _, test := range []struct {
		args []string
		want string
	}{
		{[]string{"solve", "castle", "0", "1", "1"}, `<soldiers>: "0": too small, use 1 or more`},
		{[]string{"solve", "castle", "1", "-5", "1"}, `"-5": a number must not be negative, write it without the sign`},
		{
			[]string{"count", "castle", "1", "1", "-50"},
			`"-50": a number must not be negative, write it without the sign`,
		},
		{[]string{"solve", "castle", "--", "1", "-5", "1"}, `<castle-hits>: "-5": too small, use 1 or more`},
		{
			[]string{"paths", "castle", "1", "2", "1e3"},
			`<defenders-per-wave>: "1e3": not a whole number, use decimal digits only, like 10`,
		},
		{
			[]string{"solve", "castle", "", "1", "1"},
			`<soldiers>: "": not a whole number, use decimal digits only, like 10`,
		},
		{
			[]string{"solve", "castle", "ten", "1", "1"},
			`<soldiers>: "ten": not a whole number, use decimal digits only, like 10`,
		},
		{
			[]string{"solve", "castle", "1.5", "1", "1"},
			`<soldiers>: "1.5": not a whole number, use decimal digits only, like 10`,
		},
		{
			[]string{"solve", "castle", "1", "1", "9223372036854775808"},
			`<defenders-per-wave>: "9223372036854775808": too large, use 9223372036854775807 or less`,
		},
		{
			[]string{"solve", "castle", "1", "2", "3\n4"},
			`<defenders-per-wave>: "3\n4": not a whole number, use decimal digits only, like 10`,
		},
		{[]string{"solve", "castle", "1", "2", "3", "--a\nb"}, `unknown flag --a b`},
		{[]string{"solve", "castle", "1", "2", "3", "--max-steps", "0"}, `--max-steps: "0": too small, use 1 or more`},
		{
			[]string{"solve", "castle", "1", "2", "3", "--trace-limit", "x"},
			`--trace-limit: "x": not a whole number, use decimal digits only, like 10`,
		},
	} {
		code, stdout, stderr := siegebook(t.Context(), "", test.args...)
		line := "siegebook: " + test.want + "; see siegebook " + test.args[0] + " castle --help\n"
		if code != exitUsage || stdout != "" || stderr != line {
			t.Errorf("%q: exit code %d, stdout %q\n got %q\nwant %q", test.args, code, stdout, stderr, line)
		}
	}
}

// FuzzArguments: whatever is typed, no panic; an error is one line.
func FuzzArguments(f *testing.F) {
	for _, line := range []string{
		"solve castle 10 43 8", "solve castle -5 1 1", "solve castle --json 1 2", "count castle 3 4 5 --limit 1kB",
		"--", "-", "-é", "--=", "paths castle 3 4 5 --max=1", "sweep castle --soldiers 1:2 --castle 3 --defenders 4",
		"solve --help", "-hh", "solve castle - - -",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, " ")
		if len(args) > 1 && args[0] != "solve" || strings.Contains(line, "batch") ||
			strings.Contains(line, "trace-limit") {
			t.Skip("could take long, or touch files")
		}
		code, _, stderr := siegebook(t.Context(), "", args...)
		if wantLines := min(code, 1); strings.Count(stderr, "\n") != wantLines {
			t.Errorf("%q: exit code %d, stderr %q", args, code, stderr)
		}
	})
}
