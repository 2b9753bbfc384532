package claims

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"go.starlark.net/starlark"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// toy returns a game of two numbers. Conditions may name their sum and product.
func toy(table string) *Game {
	return &Game{
		Name: "toy", File: "toy.star", Table: table,
		Space: Space{
			Kind: "every", Axes: []string{"a", "b"}, Wide: []int64{5, 4}, Small: []int64{2, 2},
			Values: map[string]func([]int64) int64{
				"sum":     func(at []int64) int64 { return at[0] + at[1] },
				"product": func(at []int64) int64 { return at[0] * at[1] },
			},
		},
		Play: func(_ context.Context, at []int64, _ starlark.Value, values, holds string) (any, starlark.StringDict,
			error,
		) {
			return fmt.Sprint(at, " ", values, " ", holds), starlark.StringDict{"left": Numbers(at...)}, nil
		},
	}
}

// TestTable checks that a row becomes a claim. The claim's check computes its texts and the numbers for the checker.
func TestTable(t *testing.T) {
	all := toy(`
three = army(1, 2)
erratum(
    id = "bad", where = "x", says = "{{three}} is all", verdict = "wrong", title = "T", example = "{{first}}: {{first.sum}}",
    checked = '{{count("sum == product")}} of {{wide}}', check = refuted("a > 1", "sum > product", values = "v"),
)
noted(id = "good", where = "y", says = "s", check = every("a > 1 and not b == 1", "product >= sum"))
noted(id = "line", where = "z", says = "s", check = battle(three, holds = "left == [1, 2] and left[1] == b"))
noted(id = "false", where = "f", says = "s", check = every("a > 0", "product >= sum"))
noted(id = "wasted", where = "w", says = "s", convention = "no wasted shots", example = "{{first}}", check = refuted("a > 1", "a > 2"),
      false_with_waste = refuted("a > 2", "a > 3", values = "v"))
`).Claims()
	bad := all.Errata[0]
	f, err := bad.Check(t.Context())
	if err != nil || bad.Printed != "(1,\u00a02) is all" || f.Example != "(2,\u00a02): 4" ||
		f.Checked != "1 of a\u00a0≤\u00a05, b\u00a0≤\u00a04" ||
		f.Recompute != "[2 2] v (a > 1) and not (sum > product)" {
		t.Errorf("%+v, %+v, %v", bad, f, err)
	}
	if bad.Place.File != "toy.star" || bad.Place.Line == 0 {
		t.Errorf("it stands at %+v", bad.Place)
	}
	f, err = all.Noted[0].Check(t.Context())
	want := chapter.Every{
		Game: "toy", Kind: "every", Box: []chapter.Side{{Name: "a", To: 2}, {Name: "b", To: 2}},
		If: "a > 1 and not b == 1", Then: "product >= sum", Cases: 1,
	}
	if err != nil || fmt.Sprint(f.Recompute) != fmt.Sprint(want) {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err = all.Noted[1].Check(t.Context()); err != nil {
		t.Error(err)
	}
	_, err = all.Noted[2].Check(t.Context())
	must.ErrorContains(t, err, "[a b] = [1 1]")
	wasted := all.Noted[3]
	f, err = wasted.Check(t.Context())
	if told := fmt.Sprint(f.Recompute); err != nil || wasted.WithWaste != content.False ||
		f.Example != "(2,\u00a01)" || f.Wasted != "(3,\u00a01)" || !strings.Contains(told, "[2 1]") ||
		!strings.Contains(told, "[3 1] v") {
		t.Errorf("%+v, %+v, %v", wasted, f, err)
	}
	for _, row := range []string{
		`true_with_waste = expect("True")`,
		`convention = "no wasted shots", true_with_waste = expect("True"), false_with_waste = expect("True")`,
	} {
		_, err := catch(toy(`noted(id = "x", where = "w", says = "s", ` + row + ")"))
		if err == nil || !strings.Contains(err.Error(), "a check with waste, and at most one") {
			t.Errorf("%s: %v", row, err)
		}
	}
}

// catch reads the table of a game, and returns a panic as an error.
func catch(g *Game) (all chapter.Claims, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("%v", fault)
		}
	}()
	return g.Claims(), nil
}

// TestConditions checks that a condition means the same as in Python, and that unsupported expressions are errors.
func TestConditions(t *testing.T) {
	s := toy("").Space
	for text, want := range map[string]int64{
		"a + b * 2": 7, "-a - -b": 2, "(a == 1) == (b == 3)": 1, "not a or b": 3, "a and b": 3, "a < b and b <= 3": 1,
		"a > b or a >= b": 0, "a != 1": 0, "sum == 4 and product == 3": 1,
	} {
		if got := must.Get(s.compile("1", text)).says([]int64{1, 3}); got != want {
			t.Errorf("%s is %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"c > 1": "c is not defined", "a[0]": "a condition can contain", "a if b else 1": "a condition can contain",
		"a <":   "got end of file",
		"a & b": "a condition can contain", `"a"`: "a condition can contain",
	} {
		_, err := s.compile("1", text)
		must.ErrorContains(t, err, want, text)
	}
}
