package figure

import (
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
)

// drawing is a kind of figure.
type drawing interface {
	Figure() (content.Figure, error)
}

// cases is the file with the tables of the tests.
const cases = "testdata/cases.txt"

// TestFaults checks that a sample with invalid fields leads to a one-line error that says what is wrong and what is
// allowed.
func TestFaults(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestFaults") {
		_, err := changed(t, row).Figure()
		if must.ErrorContains(t, err, row[2], row); !strings.HasPrefix(fmt.Sprint(err), "figure: ") {
			t.Errorf("%s: error %q does not name the package", row, err)
		}
	}
}

// TestDescriptions checks the alternative text, the legend and the table of a sample with changed fields. Even extreme
// input must give well-formed documents in which every coordinate is a number.
func TestDescriptions(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestDescriptions") {
		f, err := changed(t, row).Figure()
		if err != nil {
			t.Errorf("%s: %s: %v", row[0], row[1], err)
			continue
		}
		var legend []string
		for _, e := range f.Legend {
			legend = append(legend, strings.TrimSpace(e.Label+" "+e.Count))
		}
		told := fmt.Sprintf("alt: %s\nlegend: %s.\n%s", f.Alt, strings.Join(legend, ", "), f.Data.CSV())
		for _, want := range row[2:] {
			text, not := strings.CutPrefix(want, "not: ")
			if strings.Contains(told, text) == not {
				t.Errorf("%s: %s: want %q in\n%.600s", row[0], row[1], want, told)
			}
		}
		for _, th := range []theme{light, dark} {
			checkDocument(t, &f, th)
		}
		if svg := string(f.Light); strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Errorf("%s: %s: the SVG has a coordinate that is no number", row[0], row[1])
		}
	}
}

// changed returns a sample with some fields changed, or the zero value of its type if the changes are "zero".
func changed(t *testing.T, row []string) drawing {
	all := samples()
	d := all[slices.IndexFunc(all, func(s sample) bool { return s.name == row[0] })].drawing
	v := reflect.New(reflect.TypeOf(d))
	if row[1] != "zero" {
		v.Elem().Set(reflect.ValueOf(d))
		change(t, v.Elem(), row[1])
	}
	return v.Interface().(drawing)
}

var (
	pathStep = regexp.MustCompile(`\w+`)
	repeated = regexp.MustCompile(`\{([^{}]*)\*(\d+)\}`)
)

// change sets fields of a value: "Rows[0].Label = a; Title = b". {x*201} stands for 201 copies of x. Nested braces are
// expanded from the inside out.
func change(t *testing.T, v reflect.Value, changes string) {
	for part := range strings.SplitSeq(changes, "; ") {
		path, text, _ := strings.Cut(part, " = ")
		field := v
		for _, step := range pathStep.FindAllString(path, -1) {
			if i, err := strconv.Atoi(step); err == nil {
				field = field.Index(i)
			} else {
				field = reflect.Indirect(field).FieldByName(step)
			}
		}
		for repeated.MatchString(text) {
			text = repeated.ReplaceAllStringFunc(text, func(s string) string {
				m := repeated.FindStringSubmatch(s)
				return strings.Repeat(m[1], must.Get(strconv.Atoi(m[2])))
			})
		}
		field.SetZero()
		must.Do(t, yaml.Unmarshal([]byte(text), field.Addr().Interface()))
	}
}

// FuzzLabels checks for any label that Figure returns an error, or that its documents are well-formed and contain the
// label.
func FuzzLabels(f *testing.F) {
	for _, s := range []string{
		"plain", "<script>", `a&b"c'd`, "]]>", "d + s = (φ+1) n", "⌈x⌉₂", "a\x00b", "\xff",
		"\ufffe", "\u202eabc", "--><!--", "\u0085",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		m := samplePhase()
		m.Title, m.X.Label, m.One, m.Classes[0].Label, m.Curves[0].Label = s, s, s, s, s
		check := func(fig content.Figure, err error) {
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("error of several lines: %q", err)
				}
				return
			}
			checkDocument(t, &fig, light)
			checkDocument(t, &fig, dark)
			for _, e := range fig.Legend {
				if _, err := parseSVG(e.Icon); err != nil {
					t.Error(err)
				}
			}
		}
		check(m.Figure())
		check(Tree{Title: s, Root: &Node{
			Lines:    []string{s},
			Children: []*Node{{Lines: []string{s}, Edge: s}},
		}}.Figure())
		check(Trace{
			Title: s, XLabel: s, YLabel: s,
			Panels: []Panel{{Title: s, Series: []Series{{s, ys(1, 2)}}}},
		}.Figure())
	})
}

// TestTexts checks that numbers have the form that readers expect: exact fractions, not the nearest floats, are
// rounded, with halves away from zero, and counts of any size have a short form.
func TestTexts(t *testing.T) {
	for _, row := range must.Rows(t, cases, "TestTexts") {
		arguments := strings.Fields(row[1])
		float := func(i int) float64 { return must.Get(strconv.ParseFloat(arguments[i], 64)) }
		whole := func(i int) int { return must.Get(strconv.Atoi(arguments[i])) }
		got := map[string]func() string{
			"Decimal":    func() string { return Decimal(float(0)) },
			"Percent":    func() string { return Percent(whole(0), whole(1), whole(2)) },
			"Fixed":      func() string { return Fixed(float(0), whole(1)) },
			"Percentage": func() string { return Percentage(float(0), whole(1)) },
			"Ratio":      func() string { return Ratio(whole(0), whole(1), whole(2)) },
			"Share":      func() string { return share(whole(0), whole(1)) },
			"short":      func() string { return short(whole(0)) },
			"bigText":    func() string { return bigText(big.NewInt(int64(whole(0)))) },
			"centreText": func() string { return centreText(Cells("s/n", 1, 400, 100), whole(0), 400) },
			"capital":    func() string { return content.Capital(row[1]) },
			"logTicks": func() string {
				var labels []string
				for _, tick := range logTicks(float(0), float(1), 5) {
					labels = append(labels, tick.label)
				}
				return strings.Join(labels, " ")
			},
		}[row[0]]()
		if got != row[2] {
			t.Errorf("%s of %q is %q, want %q", row[0], row[1], got, row[2])
		}
	}
}
