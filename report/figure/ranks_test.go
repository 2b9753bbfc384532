package figure

import (
	"encoding/xml"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// drawn is a part of a drawing.
type drawn struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Text     string     `xml:",chardata"`
	Children []drawn    `xml:",any"`
}

func (g drawn) attr(name string) string {
	for _, a := range g.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// seenAtEnd are the subpaths and texts of a drawing that are seen when everything has moved, sorted.
func seenAtEnd(t *testing.T, svg []byte) []string {
	t.Helper()
	var whole drawn
	if err := xml.NewDecoder(strings.NewReader(string(svg))).Decode(&whole); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	var all []string
	var look func(drawn)
	look = func(g drawn) {
		if gone := slices.ContainsFunc(g.Children, func(c drawn) bool {
			return c.XMLName.Local == "animate" && strings.HasSuffix(c.attr("values"), ";0")
		}); gone {
			return
		}
		for _, child := range g.Children {
			style := child.attr("fill") + "/" + child.attr("stroke") + "/" + child.attr("stroke-width")
			switch child.XMLName.Local {
			case "path":
				for part := range strings.SplitSeq(child.attr("d"), "M") {
					if part != "" {
						all = append(all, style+" M"+part)
					}
				}
			case "text":
				all = append(all, child.Text)
			case "g":
				look(child)
			}
		}
	}
	look(whole)
	slices.Sort(all)
	return all
}

// randomRanks are groups of any sizes with all that can become of them.
func randomRanks(r *rand.Rand, many bool) Ranks {
	ranks := Ranks{Title: "Groups"}
	for i, look := range []Swatch{Blocked, Vermilion, Sky} {
		row := Rank{Label: "g", Swatch: look, Round: i > 0, Going: i < 2, Whole: 1 + r.Uint64N(rankUnits)}
		if many {
			row.Whole = 1 + r.Uint64N(1<<r.IntN(63))
		}
		row.Count = r.Uint64N(row.Whole + 1)
		row.Part, row.Came = r.Uint64N(row.Count+1), r.Uint64N(row.Count+1)
		row.Lost = r.Uint64N(row.Whole - row.Count + row.Came + 1)
		row.Shots = []Shots{{At: r.IntN(3), Count: r.Uint64N(60), Late: r.IntN(2) == 0}}
		ranks.Rows = append(ranks.Rows, row)
	}
	return ranks
}

// TestRanksMoving: what moves ends as the figure.
func TestRanksMoving(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	moved := 0
	for i := range 120 {
		ranks := sampleRanks()
		if i > 0 {
			ranks = randomRanks(random, i%2 == 0)
		}
		f, err := ranks.Figure()
		if err != nil {
			t.Fatalf("%+v: %v", ranks, err)
		}
		for dark, want := range map[bool][]byte{false: f.Light, true: f.Dark} {
			moving, err := ranks.Moving(dark)
			if err != nil {
				t.Fatal(err)
			}
			moved += strings.Count(string(moving), "<animate ")
			got, still := seenAtEnd(t, moving), seenAtEnd(t, want)
			// Of many units those that come are a bar of their own.
			if len(still) < 6 || i%2 == 1 && !slices.Equal(got, still) {
				t.Fatalf("%+v: it ends as\n%q\nwant\n%q", ranks, got, still)
			}
		}
	}
	if moved < 500 {
		t.Errorf("%d things move: the test shows nothing", moved)
	}
}
