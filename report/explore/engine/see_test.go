package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
)

// settings are random values of a picture: mostly small ones that can be drawn, some of any size, and now and then one
// that there is not.
func settings(r *rand.Rand, p pictures.Picture) string {
	var all []string
	for _, f := range p.Fields {
		value := f.Start
		switch {
		case r.IntN(60) == 0:
			value = []string{"", "x", "-1", "0", "99999999999999999999", "1,2,3"}[r.IntN(6)]
		case f.Memory:
		case strings.HasPrefix(f.Label, "last "):
			value = fmt.Sprint(64 + r.IntN(10)) // no less than the first
		case len(f.Options) > 0:
			value = f.Options[r.IntN(len(f.Options))].Value
		default:
			most := min(f.Most, 1<<r.IntN(7))
			if r.IntN(20) == 0 && p.Name != "castle-compared" && p.Name != "castle-counts" {
				most = math.MaxInt64 >> r.IntN(60)
			}
			value = fmt.Sprint(f.Least + r.Int64N(max(1, most-f.Least)))
		}
		all = append(all, f.Name+"="+value)
	}
	switch p.Name {
	case "castle-play":
		all = append(all, "moves="+moves(r, p, strings.Join(all, "&")))
	case "naval-play":
		all = append(all, "shots="+shots(r), "phase="+[]string{"play", "play", "place"}[r.IntN(3)])
		if r.IntN(4) == 0 {
			all = append(all, "fleet=00r4.03d3", "held=1", "at=55")
		}
	}
	return strings.Join(all, "&")
}

// moves are orders of a battle that is played, now and then with one that is not legal.
func moves(r *rand.Rand, p pictures.Picture, battle string) string {
	v, err := p.Values(battle)
	if err != nil {
		return ""
	}
	b := castle.Battle{Soldiers: v.Int("n"), CastleHits: v.Int("s"), DefendersPerWave: v.Int("d")}
	state, winner := b.Start(), castle.Undecided
	var all []string
	for range r.IntN(20) {
		if winner != castle.Undecided {
			break
		}
		low, high := state.Moves()
		order := low + r.Int64N(high-low+1)
		all = append(all, fmt.Sprint(order))
		state, winner = b.Step(state, order)
	}
	if r.IntN(10) == 0 {
		all = append(all, "7")
	}
	return strings.Join(all, ",")
}

// shots are some different cells, rarely the same one twice.
func shots(r *rand.Rand) string {
	var all strings.Builder
	for _, c := range r.Perm(100)[:r.IntN(40)] {
		fmt.Fprintf(&all, "%02d", c)
	}
	if r.IntN(10) == 0 {
		return "1111"
	}
	return all.String()
}

func see(t *testing.T, p pictures.Picture, settings string, hand pictures.Hand) (pictures.View, module.Reply, error) {
	t.Helper()
	reply, err := engine.Module.See(p.Name, settings, "", hand)
	if err != nil {
		return pictures.View{}, reply, err
	}
	var view pictures.View
	must.Do(t, json.Unmarshal([]byte(reply.Text), &view))
	return view, reply, nil
}

// TestSee: what a page shows at rest is the figure that Go gives for paper, byte for byte; and what it has already is
// not sent again.
func TestSee(t *testing.T) {
	for _, p := range engine.Module.Pictures {
		if p.Exercise != nil {
			continue // TestExercises
		}
		t.Run(p.Name, func(t *testing.T) {
			t.Parallel()
			random, drawn := rand.New(rand.NewPCG(1, 2)), 0
			for range 24 {
				values := settings(random, p)
				view, _, err := see(t, p, values, pictures.Hand{})
				f, wrong := p.Figure(values)
				if (err != nil) && (wrong == nil) || err != nil && strings.ContainsAny(err.Error(), "\n") {
					t.Fatalf("%s: %v, the figure: %v", values, err, wrong)
				}
				if err != nil || wrong != nil {
					continue // nothing can be drawn, as where no castle can fall
				}
				drawn++
				got := view.Parts[0].Plate.Drawn
				if got == nil || got.SVG != string(f.Light) || got.Alt != f.Alt || got.Width != f.Width ||
					got.Height != f.Height {
					t.Fatalf("%s: the page shows another drawing than the figure", values)
				}
				if view.Answer != f.Explore.Answer || len(got.Legend) != len(f.Legend) {
					t.Errorf("%s: the answer is %q, of the figure %q; legends %v, %v", values, view.Answer,
						f.Explore.Answer, got.Legend, f.Legend)
				}
				dark, _, _ := see(t, p, values, pictures.Hand{Dark: true})
				if dark.Parts[0].Plate.Drawn.SVG != string(f.Dark) {
					t.Errorf("%s: in the dark the page shows another drawing than the figure", values)
				}
				again, _, _ := see(t, p, values, pictures.Hand{Moving: true, Has: []string{view.Parts[0].Plate.Key}})
				if again.Parts[0].Plate.Drawn != nil {
					t.Errorf("%s: the drawing is sent again", values)
				}
			}
			if drawn < 5 {
				t.Errorf("only %d settings are drawn: the test shows nothing", drawn)
			}
		})
	}
}

// TestSeeMoving: a map that moves comes as pixels of the colours of its cells, with the box of the drawing at rest. On
// a narrow screen the box is higher than wide.
func TestSeeMoving(t *testing.T) {
	maps := 0
	for _, p := range engine.Module.Pictures {
		random := rand.New(rand.NewPCG(3, 4))
		for i := range 16 {
			values, tall := settings(random, p), i%2 == 1
			view, reply, err := see(t, p, values, pictures.Hand{Moving: true, Tall: tall})
			if err != nil || view.Parts[0].Plate == nil || !strings.HasPrefix(view.Parts[0].Plate.Key, "moving:") {
				continue
			}
			maps++
			rest, _, err := see(t, p, values, pictures.Hand{Tall: tall})
			must.Do(t, err)
			got, want := view.Parts[0].Plate.Drawn, rest.Parts[0].Plate.Drawn
			if got.Box != want.Box || got.Width != want.Width || got.Height != want.Height ||
				len(reply.Bytes) != 4*got.Columns*got.Rows {
				t.Errorf("%s %s: %+v with %d bytes, at rest %+v", p.Name, values, got.Box, len(reply.Bytes), want.Box)
			}
			if b := got.Box; tall != (b.Bottom-b.Top > b.Right-b.Left) {
				t.Errorf("%s %s: for a narrow screen %v, and the box is %+v", p.Name, values, tall, b)
			}
			if reflect.DeepEqual(view, rest) {
				t.Errorf("%s %s: it is drawn as at rest", p.Name, values)
			}
		}
	}
	if maps < 8 {
		t.Errorf("%d maps move: the test shows nothing", maps)
	}
}

// TestSeeRefuses: what is wrong is said of its field, in one line.
func TestSeeRefuses(t *testing.T) {
	for _, c := range [][3]string{
		{"castle-map", "n=0", "n"},
		{"castle-map", "play=nobody", "play"},
		{"castle-compared", "sa=9&sz=5", "sz"},
		{"castle-compared", "sa=1&sz=100000000", "sz"},
		{"castle-counts", "n=9&s=99999&d=3", "s"},
		{"castle-counts", "n=500&s=2000&d=400", "n"},
		{"tower-map", "n=1000", "n"},
		{"castle-hunt", "what=1", ""},
		{"nothing", "n=1", ""},
	} {
		_, field, err := engine.Module.Ask(strings.Join([]string{c[0], "light", "rest", c[1], ""}, "\n"))
		if err == nil || field != c[2] || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: field %q, want %q; %v", c[0], c[1], field, c[2], err)
		}
	}
	var refusal *pictures.Refusal
	if _, err := engine.Module.See("castle-hunt", "x=-1", "", pictures.Hand{}); !errors.As(err, &refusal) ||
		refusal.Field != "x" {
		t.Errorf("%v", err)
	}
}

// BenchmarkSee draws the 400 x 200 map while a hand moves it, and at rest.
func BenchmarkSee(b *testing.B) {
	for name, moving := range map[string]bool{"moving": true, "rest": false} {
		b.Run(name, func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				must.Get(engine.Module.See("castle-map", fmt.Sprintf("n=%d&s=150&d=100", 51+i%49), "",
					pictures.Hand{Moving: moving}))
			}
		})
	}
}
