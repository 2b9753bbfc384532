package pseudocode

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func run(t *testing.T, text string, args ...any) any {
	t.Helper()
	p, err := Parse([]string{"n"}, text)
	if err != nil {
		t.Fatal(err)
	}
	result, err := p.Call(map[string]int64{"n": 7}, "F", args...)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestExpressions evaluates what stands behind return.
func TestExpressions(t *testing.T) {
	for text, want := range map[string]any{
		"1 + 2·3":                       int64(7),
		"(1 + 2)·3":                     int64(9),
		"10 − 3 − 2":                    int64(5),
		"2n":                            int64(14),
		"2(n + 1)·3":                    int64(48),
		"−n²":                           int64(-49),
		"3n²":                           int64(147),
		"√(9)":                          3.0,
		"√n² + 1":                       8.0,
		"7 / 2":                         3.5,
		"⌈7 / 2⌉ + ⌊7 / 2⌋":             int64(7),
		"⌈−1 / 2⌉":                      int64(0),
		"⌈1 / 0⌉":                       math.Inf(1),
		"min(3, 2, 5)":                  int64(2),
		"max(0, −1)":                    int64(0),
		"max(2, 7 / 2)":                 3.5,
		"log(φ) / log(φ)":               1.0,
		"n < 8 and not n = 8":           true,
		"n ≥ 8 or n ≠ 7":                false,
		`"a" = "a"`:                     true,
		`"a" = 1`:                       false,
		"(1, 2) = (1, 2)":               true,
		"(1, 2) = (1, 3)":               false,
		"n ≤ ∞":                         true,
		"{} = {}":                       true,
		"9223372036854775807 − n + n":   int64(math.MaxInt64),
		"−9223372036854775807 − 1":      int64(math.MinInt64),
		"(0 − 3)·4":                     int64(-12),
		"n # the rest is not looked at": int64(7),
	} {
		if got := run(t, "function F():\n    return "+text); got != want {
			t.Errorf("%s: %v (%T), want %v (%T)", text, got, got, want, want)
		}
	}
}

// TestStatements runs each kind of statement.
func TestStatements(t *testing.T) {
	for text, want := range map[string]any{
		"a, b ← 1, 2\na, b ← b, a\nreturn 10a + b":                                           int64(21),
		"a ← 0\nfor i from 1 to 4: add i² to a\nreturn a":                                    int64(30),
		"a ← 0\nfor i from 5 to 4: add i to a\nreturn a":                                     int64(0),
		"a ← 1\nwhile a < 100: a ← 3a\nreturn a":                                             int64(243),
		"a ← 100\nrepeat:\n    a ← a − 30\nuntil a < 50\nreturn a":                           int64(40),
		"if n = 7:\n    return 1\nreturn 2":                                                  int64(1),
		"if n = 6: return 1\nelse if n = 7: return 2\nelse: return 3":                        int64(2),
		"if n = 6: return 1\nelse if n = 8: return 2\nelse:\n    return 3":                   int64(3),
		"t ← {}\nt[1, \"x\"] ← 5\nadd 2 to t[1, \"x\"]\nreturn t[1, \"x\"] + t[9]":           int64(7),
		"t, u ← {}, {}\nt[1] ← 5\nu[1] ← 6\nu[2] ← 7\nadd u to t\nreturn t[1] + 10t[2]":      int64(81),
		"t ← {}\nt[3, 4] ← 5\na ← 0\nfor each x, y in t: a ← 100x + 10y + t[x, y]\nreturn a": int64(345),
		"t ← {}\nt[3, 4] ← 5\na ← 0\nfor each x, y in t:\n    if y = 4: return x\nreturn a":  int64(3),
		"return G(2, G)": int64(12),
		"for i from 1 to 9:\n    if i = 3: return i": int64(3),
		"a ← 1": nil,
	} {
		body := "    " + strings.ReplaceAll(text, "\n", "\n    ")
		if got := run(t, "function F():\n"+body+"\n\nfunction G(k, Rule):\n    if k = 0: return n + 3\n    return 1 + Rule(k − 1, Rule)\n"); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

// TestFaults: what is wrong with a listing is said in a line, with its number.
func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"return 1":                                       `line 1: a listing is functions`,
		"function F():\n    return y":                    `line 2: nothing is called y`,
		"function F():\n    y[1] ← 2":                    `line 2: nothing is called y`,
		"function F():\n    add 1 to y":                  `line 2: nothing is called y`,
		"function F():\n   return 1":                     `line 2: "return 1" is indented by 3`,
		"function F():\n        return 1":                `line 2: the line is indented too far`,
		"function F():\n":                                `line 1: nothing follows the colon`,
		"function F():\n    return 1 - 2":                `line 2: '-' is no sign of the notation`,
		"function F():\n    return \"a":                  `line 2: a text has no end`,
		"function F():\n    return 1 2":                  `line 2: "2" is not understood here`,
		"function F():\n    return (1":                   `line 2: "" where ")" should be`,
		"function F():\n    return else":                 `line 2: "else" where a value should be`,
		"function F():\n    min ← 1":                     `line 2: "min" where a name should be`,
		"function F():\n    repeat:\n        a ← 1":      `line 3: repeat without until`,
		"function F():\n    until 1":                     `line 1: nothing follows the colon`,
		"function F(): return 1\nfunction F(): return 2": `line 2: there are two functions F`,
		"function F(): return 99999999999999999999":      `line 1: 99999999999999999999 is beyond 64 bits`,
	} {
		_, err := Parse([]string{"n"}, text)
		checkFault(t, text, err, want)
	}
	for text, want := range map[string]string{
		"if n = 9: a ← 1\nreturn a": `line 3: a has no value yet`,
		"return n + \"x\"":          `line 2: x is no number`,
		"a, b ← 1, 2, 3":            `line 2: 3 values for 2 names`,
		"return F(1)":               `line 2: F takes 0 values, not 1`,
		"return n(1)":               `line 2: n is no function`,
		"return log(1, 2)":          `line 2: log does not take 2 values`,
		"return n[1]":               `line 2: what stands before [ is no table`,
		"a ← 1\na[1] ← 2":           `line 3: a is no table`,
		"for each x in n: return x": `line 2: for each goes through tables only`,
		"t ← {}\nt[1, 2] ← 3\nfor each x in t: return x": `line 4: 2 values for 1 names`,
		"if n: return 1":                  `line 2: 7 is neither true nor false`,
		"return F()":                      `line 2: F calls itself more than 5000 times`,
		"while n = 7: a ← 1":              `pseudocode: not over after 4194304 steps`,
		"return 9223372036854775807·2":    `line 2: 9223372036854775807 · 2 is beyond 64 bits`,
		"return 9223372036854775807 + 1":  `line 2: 9223372036854775807 + 1 is beyond 64 bits`,
		"return −9223372036854775807 − 2": `line 2: -9223372036854775807 − 2 is beyond 64 bits`,
	} {
		p, err := Parse([]string{"n"}, "function F():\n    "+strings.ReplaceAll(text, "\n", "\n    "))
		if err == nil {
			_, err = p.Call(map[string]int64{"n": 7}, "F")
		}
		checkFault(t, text, err, want)
	}
	p, err := Parse(nil, "function F(a):\n    return a")
	if err != nil {
		t.Fatal(err)
	}
	_, err = p.Call(nil, "G")
	checkFault(t, "G", err, "there is no function G: use one of F")
	_, err = p.Call(nil, "F", Function("G"))
	checkFault(t, "F(G)", err, "there is no function G")
	_, err = p.Call(nil, "F", 1)
	checkFault(t, "F(int)", err, "F: a int is no value of the notation")
}

func checkFault(t *testing.T, text string, err error, want string) {
	t.Helper()
	var f *Fault
	if !errors.As(err, &f) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("%q: error %v, want %q", text, err, want)
	}
}

// TestTables: a caller sees what a function has put into a table, in its order.
func TestTables(t *testing.T) {
	table := run(t, "function F():\n    t ← {}\n    t[\"b\", 2] ← 3\n    t[\"a\"] ← 4\n    return t\n").(*Table)
	entries := table.Entries()
	if len(entries) != 2 || entries[0].Key[0] != "b" || entries[0].Key[1] != int64(2) || table.At("a") != int64(4) || table.At("c") != int64(0) {
		t.Errorf("%+v", entries)
	}
}
