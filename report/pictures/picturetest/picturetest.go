// Package picturetest draws pictures for the tests of the games' picture packages.
package picturetest

import (
	"errors"
	"html"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Picture is something that can be drawn.
type Picture interface {
	Figure() (content.Figure, error)
}

// Drawn draws a picture. It fails the test if the picture breaks a rule of its type, or has no title or alternative
// text.
func Drawn(t *testing.T, p Picture) content.Figure {
	t.Helper()
	f, err := p.Figure()
	must.Do(t, err)
	if f.Title == "" || f.Alt == "" {
		t.Errorf("title %q, alternative text %q", f.Title, f.Alt)
	}
	return f
}

// Legend returns the entries of a figure's legend: the sign, if any, and the name.
func Legend(f content.Figure) []string {
	var list []string
	for _, entry := range f.Legend {
		list = append(list, strings.TrimSpace(entry.Sign+" "+entry.Label))
	}
	return list
}

// texts matches a text in a drawing.
var texts = regexp.MustCompile(`<text[^>]*>([^<]*)</text>`)

// Names returns the given names that a figure contains, either in its legend or in its drawing. In the drawing, the
// sign before a name may be missing, and a number may follow the name.
func Names(f content.Figure, names []string) (has []string) {
	written := Legend(f)
	for _, m := range texts.FindAllStringSubmatch(string(f.Light), -1) {
		written = append(written, html.UnescapeString(m[1]))
	}
	for _, name := range names {
		_, label, _ := strings.Cut(name, " ")
		is := func(text string) bool {
			text, _, _ = strings.Cut(text, ": ")
			return text != "" && (name == text || strings.HasPrefix(name, text+": ") || text == label)
		}
		if slices.ContainsFunc(written, is) {
			has = append(has, name)
		}
	}
	return has
}

// Tells checks the text of pictures. A row contains the name of a picture, its title, the names of its classes and its
// alternative text.
func Tells(t *testing.T, rows [][]string, all map[string]Picture) {
	t.Helper()
	for _, want := range rows {
		f := Drawn(t, all[want[0]])
		names := strings.Split(want[2], "; ")
		if want[2] == "" {
			names = nil
		}
		got := []string{want[0], f.Title, strings.Join(Names(f, names), "; "), f.Alt}
		for _, entry := range Legend(f) {
			if !slices.Contains(names, entry) {
				t.Errorf("%s: the legend has %q", want[0], entry)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("told is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	if len(rows) != len(all) {
		t.Errorf("%d rows of %d pictures", len(rows), len(all))
	}
}

// Values returns the values of a picture for settings such as "n=19&s=50".
func Values(t *testing.T, p pictures.Picture, settings string) pictures.Values {
	t.Helper()
	v, err := p.Parse(settings)
	if err != nil {
		t.Fatalf("%s: %v", settings, err)
	}
	return v
}

// See returns the view of a picture.
func See(t *testing.T, p pictures.Picture, v pictures.Values) *pictures.View {
	t.Helper()
	view, _ := After(t, p, v, "")
	return view
}

// After performs actions of a reader one after the other. It returns the last view, and the values that the page has
// afterwards. If the last action was impossible, the view's notice explains why.
func After(t *testing.T, p pictures.Picture, v pictures.Values, all ...string) (*pictures.View, pictures.Values) {
	t.Helper()
	var view *pictures.View
	for _, what := range all {
		var err error
		if view, err = p.After(v, what); err != nil {
			t.Fatalf("%q in %v: %v", what, v, err)
		}
		v = maps.Clone(v)
		maps.Copy(v, view.Set)
	}
	return view, v
}

// Done performs actions as After does, and fails the test if one of them is impossible. It returns the values.
func Done(t *testing.T, p pictures.Picture, v pictures.Values, all ...string) pictures.Values {
	t.Helper()
	for _, what := range all {
		var view *pictures.View
		if view, v = After(t, p, v, what); view.Notice != "" {
			t.Fatalf("%q in %v: %s", what, v, view.Notice)
		}
	}
	return v
}

// Acts checks the results of readers' actions. A row contains settings, actions separated by commas, and a value that
// the page has afterwards, such as moves=0,15; or "notice: " and the reason why the last action is impossible.
func Acts(t *testing.T, p pictures.Picture, rows [][]string) {
	t.Helper()
	for _, row := range rows {
		all := strings.Split(row[1], ", ")
		last := len(all) - 1
		view, v := After(t, p, Done(t, p, Values(t, p, row[0]), all[:last]...), all[last])
		notice, refused := strings.CutPrefix(row[2], "notice: ")
		name, value, _ := strings.Cut(row[2], "=")
		if view.AtBoard != refused || refused && !strings.Contains(view.Notice, notice) ||
			!refused && (view.Notice != "" || v[name] != value) {
			t.Errorf("%s: after %s: %v, notice %q, want %s", row[0], row[1], v, view.Notice, row[2])
		}
	}
}

// Refuses checks one-line errors, or a notice next to a drawing. A case contains settings, an action or "", and the
// beginning of the error.
func Refuses(t *testing.T, p pictures.Picture, cases [][]string) {
	t.Helper()
	for _, c := range cases {
		v := Values(t, p, c[0])
		view, err := p.See(v)
		switch {
		case err == nil && c[1] != "":
			_, err = p.Do(v, c[1])
		case err == nil && view.Notice != "":
			err = errors.New(view.Notice)
		}
		if err == nil || !strings.HasPrefix(err.Error(), c[2]) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s %s: %v, want %q", c[0], c[1], err, c[2])
		}
	}
}
