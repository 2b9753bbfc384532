package site

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// edits are what somebody may do to the sample site between two renderings: one function each, with a random number.
var edits = map[string]func(s *Site, n int){
	"text":         func(s *Site, n int) { s.Pages[2].Source += fmt.Sprintf("\n\nMore text, %d.\n", n) },
	"formula":      func(s *Site, n int) { s.Pages[0].Source += fmt.Sprintf("\n\nLet $x_{%d} = 1$.\n", n) },
	"equation":     func(s *Site, n int) { s.Pages[0].Source = "$$y = 1 \\tag{x}$$\n\n" + s.Pages[0].Source },
	"heading":      func(s *Site, n int) { s.Pages[1].Source = fmt.Sprintf("## New %d\n\nText.\n\n", n) + s.Pages[1].Source },
	"bad TeX":      func(s *Site, n int) { s.Pages[2].Source += "\n\nBad $\\frac{1$.\n" },
	"bad template": func(s *Site, n int) { s.Pages[2].Source += "\n\n{{ .Value \"gone\" }}\n" },
	"bad link":     func(s *Site, n int) { s.Pages[0].Source += "\n\n[x](rules.html#new-4)\n" },
	"reference":    func(s *Site, n int) { s.Pages[0].Source += "\n\n{{ ref \"tbl:outcomes\" }}\n" },
	"title":        func(s *Site, n int) { s.Pages[n%3].Title += fmt.Sprint(n) },
	"menu":         func(s *Site, n int) { s.Pages[n%3].Nav += fmt.Sprint(n) },
	"part":         func(s *Site, n int) { s.Pages[1+n%2].Part = "Part" },
	"numbers":      func(s *Site, n int) { s.Pages[1].Unnumbered = !s.Pages[1].Unnumbered },
	"omission":     func(s *Site, n int) { s.Pages[1+n%2].Omit = !s.Pages[1+n%2].Omit },
	"order":        func(s *Site, n int) { s.Pages[1], s.Pages[2] = s.Pages[2], s.Pages[1] },
	"value":        func(s *Site, n int) { s.Pages[0].Values = map[string]any{"total": n, "wins": n} },
	"function":     func(s *Site, n int) { s.Pages[0].Funcs = map[string]any{"unused": func() int { return n }} },
	"figure": func(s *Site, n int) {
		for i := range s.Pages {
			if len(s.Pages[i].Figures) > 0 {
				s.Pages[i].Figures = slices.Clone(s.Pages[i].Figures)
				s.Pages[i].Figures[0].Alt += fmt.Sprint(n)
			}
		}
	},
	"new page": func(s *Site, n int) {
		s.Pages = append(s.Pages, Page{Slug: fmt.Sprintf("extra-%d", len(s.Pages)), Title: "Extra", Source: "Text."})
	},
	"stamp":   func(s *Site, n int) { s.Stamp = []Field{{"data", fmt.Sprint(n)}} },
	"macros":  func(s *Site, n int) { s.Macros = map[string]string{`\ceil`: `#1`, `\floor`: fmt.Sprint(n)} },
	"nothing": func(s *Site, n int) {},
}

// TestPressEqualsRender edits the sample at random. After every edit the press must give what a rendering from nothing
// gives, byte by byte, faults included; and where the edit is taken back, too.
func TestPressEqualsRender(t *testing.T) {
	names := slices.Sorted(maps.Keys(edits))
	ctx := context.Background()
	for seed := range uint64(25) {
		random := rand.New(rand.NewPCG(seed, 1))
		var press Press
		var history []string
		s := sampleSite(t)
		for range 1 + random.IntN(6) {
			before := clonePages(s)
			name, n := names[random.IntN(len(names))], random.IntN(10)
			history = append(history, fmt.Sprint(name, " ", n))
			edits[name](&s, n)
			want, wantErr := Render(ctx, clonePages(s), Options{Cache: testCache})
			got, touched, gotErr := press.Render(ctx, clonePages(s), Options{Cache: testCache})
			if !reflect.DeepEqual(gotErr, wantErr) {
				t.Fatalf("after %q: error %v, want %v", history, gotErr, wantErr)
			}
			if !maps.EqualFunc(got, want, bytes.Equal) {
				t.Fatalf("after %q: another result; touched %q", history, touched)
			}
			if wantErr != nil || random.IntN(2) == 0 {
				s, history = before, append(history, "undo")
			}
		}
		press.Close()
	}
}

func clonePages(s Site) Site {
	s.Pages = slices.Clone(s.Pages)
	return s
}

// TestPressTouches tells which pages an edit renders.
func TestPressTouches(t *testing.T) {
	for edit, want := range map[string]string{
		"nothing": "", "function": "", "text": "colophon", "formula": "index", "reference": "index", "value": "index", "figure": "rules",
		"equation": "index", "heading": "index rules colophon", "title": "index rules colophon", "stamp": "index rules colophon", "new page": "index rules colophon extra-3",
	} {
		var press Press
		s := sampleSite(t)
		if _, touched, err := press.Render(context.Background(), s, Options{Cache: testCache}); err != nil || len(touched) != 3 {
			t.Fatalf("at first %q, %v", touched, err)
		}
		edits[edit](&s, 3)
		_, touched, err := press.Render(context.Background(), s, Options{Cache: testCache})
		if got := strings.Join(touched, " "); err != nil || got != want {
			t.Errorf("%s: touched %q, want %q, %v", edit, got, want, err)
		}
		press.Close()
	}
}

func BenchmarkPress(b *testing.B) {
	for _, name := range []string{"all", "edit"} {
		b.Run(name, func(b *testing.B) {
			var press Press
			defer press.Close()
			s := sampleSite(b)
			for i := 0; b.Loop(); i++ {
				s.Pages[2].Source = strings.TrimRight(s.Pages[2].Source, "0123456789") + fmt.Sprint(i)
				var err error
				if name == "all" {
					_, err = Render(context.Background(), s, Options{Cache: testCache})
				} else {
					_, _, err = press.Render(context.Background(), s, Options{Cache: testCache})
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
