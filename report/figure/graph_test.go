package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/report/content"
)

// drawGraph makes a random graph.
func drawGraph(t *rapid.T) Graph {
	g := Graph{Title: "Random", One: "box", Many: "boxes"}
	var names []string
	for i := range rapid.IntRange(1, 6).Draw(t, "groups") {
		group := Group{Name: fmt.Sprintf("group %d", i)}
		for range rapid.IntRange(1, 5).Draw(t, "boxes") {
			b := Box{Name: fmt.Sprint("b", len(names)), Target: "#x"}
			for range rapid.IntRange(1, 3).Draw(t, "lines") {
				b.Lines = append(b.Lines, strings.Repeat("W", rapid.IntRange(1, 24).Draw(t, "width")))
			}
			for range rapid.IntRange(0, min(3, len(names))).Draw(t, "needs") {
				b.Needs = append(b.Needs, rapid.SampledFrom(names).Draw(t, "need"))
			}
			names, group.Boxes = append(names, b.Name), append(group.Boxes, b)
		}
		g.Groups = append(g.Groups, group)
	}
	return g
}

// TestGraphLayout: boxes stand in their frames and frames in the drawing, none upon another; no line goes through a box
// or a frame's name; each line that is not left out ends at its box, and labels fit.
func TestGraphLayout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		nodes, err := g.check()
		if err != nil {
			t.Fatal(err)
		}
		reduce(nodes)
		l := g.layout(nodes)
		for i, frame := range l.frames {
			if !frame.inside(box{0, 0, l.width, l.height}) || textWidth(l.names[i]) > frame.w()-2*graphPad {
				t.Fatalf("frame %v of %v x %v, with %q", frame, l.width, l.height, l.names[i])
			}
			for _, other := range l.frames[:i] {
				if frame.overlaps(other) {
					t.Fatalf("%v overlaps %v", frame, other)
				}
			}
		}
		ends := map[pos]int{}
		for _, w := range l.wires {
			for _, part := range w.segments {
				way := box{
					min(part[0][0], part[1][0]), min(part[0][1], part[1][1]), max(part[0][0], part[1][0]),
					max(part[0][1], part[1][1]),
				}
				if !way.inside(box{0, 0, l.width, l.height}) || way.w() > 0 && way.h() > 0 {
					t.Fatalf("a line goes along %v, of %v x %v", way, l.width, l.height)
				}
				for _, n := range nodes {
					if way.overlaps(n.box) {
						t.Fatalf("the line %v goes through %s, %v", way, n.Name, n.box)
					}
				}
			}
			for _, end := range w.ends {
				ends[end.at]++
			}
		}
		needed := 0
		for i, n := range nodes {
			if !n.box.inside(l.frames[n.group]) || widest(n.Lines)+2*nodePadX > n.box.w()+1e-9 ||
				float64(len(n.Lines))*lineHeight > n.box.h() {
				t.Fatalf("%s: %v in %v", n.Name, n.box, l.frames[n.group])
			}
			for _, other := range nodes[:i] {
				if n.box.overlaps(other.box) {
					t.Fatalf("%s overlaps %s", n.Name, other.Name)
				}
			}
			met := 0
			for at, times := range ends {
				if (at[0] == n.box.x0 || at[0] == n.box.x1) && at[1] > n.box.y0 && at[1] < n.box.y1 {
					met += times
				}
			}
			if met != len(n.needs) {
				t.Fatalf("%d lines end at %s, which needs %d", met, n.Name, len(n.needs))
			}
			needed += len(n.needs)
		}
		f, err := g.Figure()
		if err != nil || len(f.Links) != len(nodes) || !strings.Contains(f.Alt, content.Counted(needed, "line", "lines")) {
			t.Fatalf("%d links, %q, %v", len(f.Links), f.Alt, err)
		}
	})
}

// TestGraphReduced: a need that follows from others is left out, and no other: what can be reached stays the same.
func TestGraphReduced(t *testing.T) {
	reach := func(nodes []*graphNode, n *graphNode) []int {
		found := make([]bool, len(nodes))
		var follow func(n *graphNode)
		follow = func(n *graphNode) {
			for _, need := range n.needs {
				found[need.id] = true
				follow(need)
			}
		}
		follow(n)
		var all []int
		for i, is := range found {
			if is {
				all = append(all, i)
			}
		}
		return all
	}
	rapid.Check(t, func(t *rapid.T) {
		g := drawGraph(t)
		whole, err := g.check()
		if err != nil {
			t.Fatal(err)
		}
		reduced, _ := g.check()
		reduce(reduced)
		for i, n := range reduced {
			if all := reach(reduced, n); !slices.Equal(all, reach(whole, whole[i])) {
				t.Fatalf("%s reaches %v, not %v", n.Name, all, reach(whole, whole[i]))
			}
			for _, need := range n.needs {
				for _, other := range n.needs {
					if other != need && slices.Contains(reach(reduced, other), need.id) {
						t.Fatalf("%s needs %s and %s, which leans on it", n.Name, need.Name, other.Name)
					}
				}
			}
		}
	})
}

func TestGraphWords(t *testing.T) {
	f := mustBuild(sampleGraph().Figure)
	const want = "Graph of 10 boxes in 5 groups, with 8 lines from what is needed to what needs it. Most lines begin at " +
		"two (3). The longest chain is one, two, three, five."
	if f.Alt != want {
		t.Errorf("%q, want %q", f.Alt, want)
	}
	if l := f.Links[0]; l.Label != "one" || l.Target != "#one" || math.Min(l.Width, l.Height) < 20 {
		t.Errorf("%+v", l)
	}
}

func TestGraphFaults(t *testing.T) {
	one := Box{Name: "a", Lines: []string{"a"}}
	graph := func(groups ...Group) Graph { return Graph{Title: "t", One: "box", Many: "boxes", Groups: groups} }
	for want, g := range map[string]Graph{
		"Groups is empty": graph(),
		"has no boxes":    graph(Group{Name: "g"}),
		"occurs twice":    graph(Group{"g", []Box{one, one}}),
		"which does not come before": graph(Group{
			"g",
			[]Box{{Name: "b", Lines: []string{"b"}, Needs: []string{"a"}}, one},
		}),
		"has 0 label lines":            graph(Group{"g", []Box{{Name: "b"}}}),
		"has more than 24 characters":  graph(Group{"g", []Box{{Name: "b", Lines: []string{strings.Repeat("b", 25)}}}}),
		"One is empty":                 {Title: "t", Many: "boxes", Groups: []Group{{"g", []Box{one}}}},
		"boxes, more than 150":         graph(Group{"g", many()}),
		`Groups[0].Name is empty; `:    graph(Group{"", []Box{one}}),
		"Title is empty; name it":      {One: "box", Many: "boxes", Groups: []Group{{"g", []Box{one}}}},
		`the Name of a box is empty; `: graph(Group{"g", []Box{{Lines: []string{"b"}}}}),
	} {
		if _, err := g.Figure(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func many() (boxes []Box) {
	for i := range maxBoxes + 1 {
		boxes = append(boxes, Box{Name: fmt.Sprint(i), Lines: []string{"b"}})
	}
	return boxes
}
