package command

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		"plain, é, 火, 😀, a\u0301":                "plain, é, 火, 😀, a\u0301",
		"ends\n":                                 "ends",
		"two\nlines\r\nor\tthree\r":              "two lines or three",
		"title \x1b]0;owned\x07 and\x9b":         `title \x1b]0;owned\a and\x9b`,
		"\x1b[31mred\x1b[0m \x1b[2J":             `red \x1b[2J`,
		"back\b\b\b\x00\x7f":                     `back\b\b\b\x00\x7f`,
		"abc\u202egnp.exe\u2066\u200f":           `abc\u202egnp.exe\u2066\u200f`,
		"csi \u009b31m, next\u0085line":          `csi \u009b31m, next line`,
		"half \xe2\x82 and \xff":                 `half \xe2\x82 and \xff`,
		"soft\u00adhyphen\ufeff\u2028\U000e0041": `soft\u00adhyphen\ufeff \U000e0041`,
	} {
		got := Line(text)
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
		if again := Line(got); again != got {
			t.Errorf("%q: at the second time %q", text, again)
		}
	}
}

// TestLineIsBounded: of a long text its head and its tail are left, whatever it is made of.
func TestLineIsBounded(t *testing.T) {
	const most = lineHead + lineTail + len(lineGap)
	for _, middle := range []string{"x", "é", "火", "😀", "\x00", "\u202e", "\xff", "ab\n", "\x1b[31mred"} {
		for _, size := range []int{lineHead, most, most + 1, 100_000, 10_000_000} {
			text := "head:" + strings.Repeat(middle, size/len(middle)) + ":tail"
			line := Line(text)
			if len(line) > most || !utf8.ValidString(line) || !strings.HasPrefix(line, "head:") ||
				!strings.HasSuffix(line, ":tail") {
				t.Errorf("%d bytes of %q: a line of %d bytes, %.10q to %q", len(text), middle, len(line), line,
					line[max(0, len(line)-10):])
			}
			if len(line) == len(text) != !strings.Contains(line, lineGap) && middle == "x" {
				t.Errorf("%d bytes of %q: %q", len(text), middle, line)
			}
			if again := Line(line); again != line {
				t.Errorf("%d bytes of %q: another line at the second time", len(text), middle)
			}
		}
	}
}

// TestErrIsSafe: whatever is written to Err, by whomever, nothing in it steers a terminal, and lines stay lines.
func TestErrIsSafe(t *testing.T) {
	var out, stderr bytes.Buffer
	code := Run(t.Context(), "test", nil, Streams{Out: &out, Err: &stderr},
		func(_ context.Context, _ []string, s Streams) error {
			fmt.Fprintf(s.Err, "warning: \x1b[2J%s\n", strings.Repeat("x", 1_000_000))
			fmt.Fprint(s.Err, "first\x07\nsecond\u202e\n")
			if err := s.Say("%s: \x1b]0;%s", "a\nb", "c\n"); err != nil {
				return err
			}
			return fmt.Errorf("cell \x1b[31m1\x1b[0m:\n panic: \x1b[5n%s!", strings.Repeat("y", 1_000_000))
		})
	lines := strings.Split(stderr.String(), "\n")
	if code != 1 || len(lines) != 5 || lines[1] != `first\a` || lines[2] != `second\u202e` ||
		strings.ContainsAny(stderr.String(), "\x1b\x07") {
		t.Errorf("exit code %d, %d lines: %.200q", code, len(lines), lines)
	}
	for _, line := range lines {
		if len(line) > lineHead+lineTail+len(lineGap) {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if want := `test: cell 1:  panic: \x1b[5nyyy`; !strings.HasPrefix(lines[3], want) ||
		!strings.HasSuffix(lines[3], "y!") {
		t.Errorf("%.100q", lines[3])
	}
	if want := "a b: \\x1b]0;c\n"; out.String() != want {
		t.Errorf("said %q, want %q", out.String(), want)
	}
}
