package diagram

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/figure"
)

// describe writes a diagram in a form that tests can compare: first its items, then its arrows.
func describe(d figure.Diagram) string {
	out := fmt.Sprint(d.Towards)
	for _, i := range d.Items {
		out += fmt.Sprintf("; %s %d %s", i.Name, i.Form, strings.Join(i.Lines, "/"))
	}
	for _, a := range d.Arrows {
		out += fmt.Sprintf("; %s>%s", a.From, a.To)
		if a.Plain {
			out += " plain"
		}
		if a.Line != figure.Thin {
			out += fmt.Sprint(" ", a.Line)
		}
		if a.Label != "" {
			out += " " + a.Label
		}
	}
	return out
}

// TestParse reads diagrams in every form of the language, and checks that they can be drawn.
func TestParse(t *testing.T) {
	long := strings.Repeat("b", 30)
	for _, c := range []struct{ source, want string }{
		{"graph TD\nA-->B", "0; A 0 A; B 0 B; A>B"},
		{"flowchart LR; \nA;B", "1; A 0 A; B 0 B"},
		{
			"graph\n%% a comment\n\n  A[One] --> B(Two) --> C{Three}",
			"0; A 0 One; B 1 Two; C 3 Three; A>B; B>C",
		},
		{
			"flowchart BT\nA([p]) & B((c)) --> C{{h}} & D[(d)]",
			"2; A 2 p; B 4 c; C 5 h; D 6 d; A>C; A>D; B>C; B>D",
		},
		{
			"graph RL\nA -->|yes| B ==> C -.-> D --- E -.- F === G",
			"3; A 0 A; B 0 B; C 0 C; D 0 D; E 0 E; F 0 F; G 0 G; " +
				"A>B yes; B>C 2; C>D 1; D>E plain; E>F plain 1; F>G plain 2",
		},
		{
			"graph TB\nA -- so it is --> B -. dots .-> C == thick ==> D --x--- E",
			"0; A 0 A; B 0 B; C 0 C; D 0 D; E 0 E; A>B so it is; B>C 1 dots; C>D 2 thick; D>E plain x",
		},
		{"graph\nA ---->|\"two words\"| B; B --> A", "0; A 0 A; B 0 B; A>B two words; B>A"},
		{
			"graph\n" + `A["f(x) [y]"] --> a-b.c[one<br>two<br/>three]`,
			"0; A 0 f(x) [y]; a-b.c 0 one/two/three; A>a-b.c",
		},
		{"graph\nпервый[Начало] --> 終[おわり]", "0; первый 0 Начало; 終 0 おわり; первый>終"},
		{
			"graph\nA[A sentence that is longer than a line can be] --> " + long,
			"0; A 0 A sentence that is/longer than a line can/be; " + long + " 0 " + long[:24] + "/bbbbbb; A>" + long,
		},
		{
			"tree LR\nroot\n  one\n    leaf\n\ttwo\n  three",
			"1; line 2 1 root; line 3 1 one; line 4 1 leaf; line 5 1 two; line 6 1 three; " +
				"line 2>line 3 plain; line 3>line 4 plain; line 3>line 5 plain; line 2>line 6 plain",
		},
		{"tree\n a\n b", "0; line 2 1 a; line 3 1 b"},
	} {
		made, err := Parse(c.source)
		if must.Do(t, err); describe(made) != c.want {
			t.Errorf("%s\nis %s\nnot %s", c.source, describe(made), c.want)
		}
		made.Title = "Diagram"
		if _, err := made.Figure(); err != nil {
			t.Errorf("%s: %v", c.source, err)
		}
	}
}

// TestFaults checks that the message about a fault has its place, and says what to write instead.
func TestFaults(t *testing.T) {
	boxes, arrows := "graph", "graph"
	for i := range mostArrows + 1 {
		boxes += fmt.Sprintf("\nb%d", i)
		arrows += "\na --> b"
	}
	for _, c := range []struct{ source, want string }{
		{"", "1:1: the diagram is empty"},
		{"graph TD\n", "2:1: the diagram is empty"},
		{"sequenceDiagram\nA->>B: x", `1:1: "sequenceDiagram": a diagram must begin with flowchart TD`},
		{"graph XY\nA", `1:7: "XY" is not a direction: write TD, LR, BT or RL`},
		{"graph\n  A -> B", `2:5: "-> B": write an arrow between two boxes`},
		{"graph\nA -->", `2:6: "": write the name of a box here`},
		{"graph\nA --> B[open", "2:8: the text of the box is not closed: end it with ]"},
		{"graph\nA[f(x)]", `2:2: "f(x)": put text with brackets in quotation marks`},
		{"graph\nA[[x]]", "2:2: \"[x\": put text with brackets"},
		{"graph\nA[x]\nA[y]", "3:2: the box A already has a text"},
		{"graph\nA[ ]", "2:2: the box A has no text"},
		{"graph\nA --> A", "2:8: the arrow leads from A to A itself"},
		{"graph\nsubgraph one\nA\nend", `2:1: "subgraph": a diagram can only have boxes and arrows`},
		{"graph\nA:::red", `2:2: ":::red": write an arrow between two boxes`},
		{"graph\nA -->|" + strings.Repeat("x", 41) + "| B", "more than 40 characters: shorten them"},
		{"graph\nA[" + strings.Repeat("long words ", 20) + "]", "has more than 6 lines of 24 characters"},
		{"tree\n    a\n  b", "3:3: the line is indented by 2"},
		{"tree\na\n    b\n  c", "4:3: the line is indented by 2"},
		{boxes, "82:1: the diagram has more than 80 boxes"},
		{arrows, "162:8: the diagram has more than 160 arrows"},
	} {
		_, err := Parse(c.source)
		var fault *Fault
		if !errors.As(err, &fault) {
			t.Errorf("%s: no fault, want %s", c.source, c.want)
			continue
		}
		if got := fmt.Sprintf("%d:%d: %s", fault.Line, fault.Column, fault.Message); !strings.Contains(got, c.want) {
			t.Errorf("%.60s: fault %s, want %s", c.source, got, c.want)
		}
	}
}

// FuzzParse checks that any text is either refused, with a place in the text, or a diagram that can be drawn.
func FuzzParse(f *testing.F) {
	f.Add("graph TD\nA[x] --> B{y}\nB -- no --> A")
	f.Add("tree\n a\n  b")
	f.Add("\f")
	f.Add("graph 0\t0")
	f.Add("flowchart LR\nA & B -.->|z| C((c)); C --> D[(\"d\")]")
	f.Fuzz(func(t *testing.T, source string) {
		made, err := Parse(source)
		var fault *Fault
		if errors.As(err, &fault) {
			lines := strings.Split(source, "\n")
			if fault.Line < 1 || fault.Line > len(lines) || fault.Column < 1 ||
				fault.Column > len(lines[fault.Line-1])+1 {
				t.Errorf("%q: the fault %v has no place in the text: %d:%d", source, err, fault.Line, fault.Column)
			}
			return
		}
		made.Title = "Diagram"
		if _, err := made.Figure(); err != nil && !strings.Contains(err.Error(), "UTF-8") &&
			!strings.Contains(err.Error(), "control character") {
			t.Errorf("%q: %v", source, err)
		}
	})
}
