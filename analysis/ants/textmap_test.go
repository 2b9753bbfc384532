package ants

import (
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

func TestParseMap(t *testing.T) {
	for _, text := range []string{
		"..A\n.Ж%\n?a.", "..A\n.Ж%\n?a.\n", "..A\r\n.Ж%\r\n?a.\r\n\r\n\n", "\ufeff..A\n.Ж%\n?a.\r",
	} {
		m, err := ParseMap(text)
		if err != nil || m.Rows != 3 || m.Cols != 3 || m.String() != "..A\n.Ж%\n?a." {
			t.Errorf("%q reads as %d x %d %q, %v", text, m.Rows, m.Cols, m, err)
		}
		if got, want := m.Ants(), []Ant{{0, 2, 'A'}, {1, 1, 'Ж'}, {2, 1, 'a'}}; !slices.Equal(got, want) {
			t.Errorf("%q: ants %v, want %v", text, got, want)
		}
		if got := m.At(1, 2); got != '%' {
			t.Errorf("%q: %q at (1, 2)", text, got)
		}
		if got := m.Redrawn(func(ant int) rune { return '0' + rune(ant) }); got != "..0\n.1%\n?2." {
			t.Errorf("%q: numbered %q", text, got)
		}
	}
	m, err := ParseMap("?")
	if err != nil || m.World(7, true) != (World{1, 1, true, 7}) || m.Ants() != nil {
		t.Errorf("%v, %v", m, err)
	}
}

const (
	ragged  = "make all rows equally long"
	unknown = "unknown, use . or ? for land, % for water and a letter for an ant"
)

func TestWrongMaps(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "line 1, column 1: no map, write one line for each row, of . for land, % for water and letters for ants"},
		{"\n\r\n\n", "line 1, column 1: no map, write one line for each row, of . for land, % for water and letters " +
			"for ants"},
		{"...\n..\n...", "line 2, column 3: the row ends here, the length of the first is 3, " + ragged},
		{"...\n..", "line 2, column 3: the row ends here, the length of the first is 3, " + ragged},
		{"...\n....\n...", "line 2, column 4: the row is longer than the first, whose length is 3, " + ragged},
		{"...\n\n...", "line 2, column 1: an empty row with more rows below it, remove it"},
		{"\n...", "line 1, column 1: an empty row with more rows below it, remove it"},
		{"a.\nЖ!", "line 2, column 2: '!': " + unknown},
		{"a b", "line 1, column 2: ' ': " + unknown},
		{"a1", "line 1, column 2: '1': " + unknown},
		{"a\x00", `line 1, column 2: '\x00': ` + unknown},
		{"a\rb", `line 1, column 2: '\r': ` + unknown},
		{"и\u0306", `line 1, column 2: '̆': ` + unknown},
		{"a\xff", "line 1, column 2: a byte that is not UTF-8, save the map as UTF-8"},
	} {
		_, err := ParseMap(test.text)
		var wrong *MapError
		if !errors.As(err, &wrong) || err.Error() != test.want {
			t.Errorf("%q: error %v, want %s", test.text, err, test.want)
		}
	}
}

// endless is a map without an end.
type endless struct {
	text string
	read int
}

func (e *endless) Read(p []byte) (int, error) {
	n := copy(p, e.text[e.read%len(e.text):])
	e.read += n
	return n, nil
}

// TestHugeMaps: of a map that is too large no more is read than a map may have.
func TestHugeMaps(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{strings.Repeat(".", 1000), "line 1, column 4194305: the map is too large, use one of at most 4194304 cells"},
		{strings.Repeat("a", 1000) + "\n", "line 4195, column 305: the map is too large, use one of at most 4194304 " +
			"cells"},
	} {
		input := &endless{text: test.line}
		_, err := ReadMap(input)
		if err == nil || err.Error() != test.want || input.read > MaxCells+MaxCells/100 {
			t.Errorf("error %v after %d bytes, want %s", err, input.read, test.want)
		}
	}
	largest := strings.Repeat(strings.Repeat(".", 2048)+"\n", 2048)
	if m, err := ParseMap(largest); err != nil || m.Rows != 2048 || m.Cols != 2048 {
		t.Errorf("the largest map: %v", err)
	}
}

func TestReaderFails(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, before := range []string{"", "..", "..\n.", "..\r"} {
		if _, err := ReadMap(io.MultiReader(strings.NewReader(before), iotest.ErrReader(broken))); !errors.Is(err,
			broken) {
			t.Errorf("after %q: error %v", before, err)
		}
	}
}

// FuzzReadMap: whatever the text, no panic; errors are of the text and in one line; a map that is printed reads as
// itself, and its ants are where it shows them.
func FuzzReadMap(f *testing.F) {
	for _, seed := range []string{
		wall, "С..\n...\nС.К\n...\n..К", "1..\n.2.", "???AAA???\n...???...\n...?B?...", "", "\n",
		"a\r\nb\r\n\r\n", "\ufeffa", "...\n..", "%?Ж\n文.a", "a\xff", "a\rb", "\r",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := ParseMap(text)
		if err != nil {
			var wrong *MapError
			if !errors.As(err, &wrong) || wrong.Line < 1 || wrong.Column < 1 ||
				strings.ContainsAny(err.Error(), "\r\n") {
				t.Errorf("error %T %q", err, err)
			}
			return
		}
		again, err := ParseMap(m.String())
		if err != nil || again.Rows != m.Rows || again.Cols != m.Cols || !slices.Equal(again.cells, m.cells) {
			t.Errorf("read %q, printed %q, read %q, %v", text, m, again, err)
		}
		for _, ant := range m.Ants() {
			if m.At(ant.Row, ant.Col) != ant.Owner {
				t.Errorf("%q: no %v", text, ant)
			}
		}
		if outcome, err := Solve(m.World(ContestRadius2, false), m.Ants(), Focus); err != nil ||
			len(outcome.Dead) != len(m.Ants()) {
			t.Errorf("%q: %v", text, err)
		}
	})
}
