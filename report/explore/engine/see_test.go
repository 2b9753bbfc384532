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
	return strings.Join(all, "&")
}

func ask(t *testing.T, name string, args ...int64) module.Reply {
	t.Helper()
	reply, err := engine.Module.Call(name, args)
	if err != nil {
		t.Fatal(err)
	}
	return reply
}

// shown is what a page gets of a view.
type shown struct {
	Answer string
	Parts  []struct {
		Plate *struct {
			Key   string
			Drawn *pictures.Drawn
		}
	}
}

func see(t *testing.T, p pictures.Picture, settings string, hand pictures.Hand) (shown, module.Reply, error) {
	t.Helper()
	reply, err := engine.Module.See(p.Name, settings, "", hand)
	if err != nil {
		return shown{}, reply, err
	}
	var view shown
	if err := json.Unmarshal([]byte(reply.Text), &view); err != nil {
		t.Fatal(err)
	}
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
				if got == nil || got.SVG != string(f.Light) || got.Alt != f.Alt || got.Width != f.Width || got.Height != f.Height {
					t.Fatalf("%s: the page shows another drawing than the figure", values)
				}
				if view.Answer != f.Explore.Answer || len(got.Legend) != len(f.Legend) {
					t.Errorf("%s: the answer is %q, of the figure %q; legends %v, %v", values, view.Answer, f.Explore.Answer, got.Legend, f.Legend)
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

// TestSeeMoving: a map that moves comes as pixels of the colours of its cells, with the box of the drawing at rest.
func TestSeeMoving(t *testing.T) {
	maps := 0
	for _, p := range engine.Module.Pictures {
		random := rand.New(rand.NewPCG(3, 4))
		for range 8 {
			values := settings(random, p)
			view, reply, err := see(t, p, values, pictures.Hand{Moving: true})
			if err != nil || view.Parts[0].Plate == nil || !strings.HasPrefix(view.Parts[0].Plate.Key, "moving:") {
				continue
			}
			maps++
			rest, _, err := see(t, p, values, pictures.Hand{})
			if err != nil {
				t.Fatal(err)
			}
			got, want := view.Parts[0].Plate.Drawn, rest.Parts[0].Plate.Drawn
			if got.Box != want.Box || got.Width != want.Width || got.Height != want.Height || len(reply.Bytes) != 4*got.Columns*got.Rows {
				t.Errorf("%s %s: %+v with %d bytes, at rest %+v", p.Name, values, got.Box, len(reply.Bytes), want.Box)
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
		_, field, err := engine.Module.Ask(strings.Join([]string{"see", c[0], "light", "rest", c[1], ""}, "\n"))
		if err == nil || field != c[2] || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: field %q, want %q; %v", c[0], c[1], field, c[2], err)
		}
	}
	var refusal *pictures.Refusal
	if _, err := engine.Module.See("castle-hunt", "x=-1", "", pictures.Hand{}); !errors.As(err, &refusal) || refusal.Field != "x" {
		t.Errorf("%v", err)
	}
}
