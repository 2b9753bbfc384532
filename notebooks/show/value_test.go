package show

import (
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/figure"
)

type shower struct{ shown *int }

func (s shower) Show() { *s.shown++ }

type man struct {
	Name string
	age  int
	Late time.Duration
	half float32
}

type secret struct{ n int }

func (s *secret) String() string { return "secret" }

// TestValue checks how a value is shown: as text, or as a block in its plain form.
func TestValue(t *testing.T) {
	var none *man
	var failed error
	ann, bob := man{"Ann", 1200, time.Second, 0.5}, man{"Bob", -4, 0, 2}
	const head = "Name   age  Late  half\n"
	for _, test := range []struct {
		values []any
		want   string
	}{
		{[]any{42}, "text 42\n"},
		{[]any{"a\n"}, "text a\n\n"},
		{[]any{12, failed}, "text 12\n"},
		{[]any{0, errors.New("no")}, "text 0 no\n"},
		{[]any{ann, 3}, "text {Name:Ann age:1200 Late:1s half:0.5} 3\n"},
		{[]any{failed}, ""},
		{[]any{nil}, ""},
		{nil, ""},
		{[]any{none}, ""},
		{[]any{struct{}{}}, ""},
		{[]any{[]int{1, 2}}, "text [1 2]\n"},
		{[]any{[]man{}}, "text []\n"},
		{[]any{map[string]int{"b": 2, "a": 1}}, "text map[a:1 b:2]\n"},
		{[]any{big.NewInt(7)}, "text 7\n"},
		{[]any{*big.NewInt(7)}, "text 7\n"},
		{[]any{secret{1}}, "text secret\n"},
		{[]any{[]secret{{1}}}, "text [{n:1}]\n"},
		{[]any{time.Unix(0, 0).UTC()}, "text 1970-01-01 00:00:00 +0000 UTC\n"},
		{[]any{man{"Ann", 12000, time.Second, 0.5}}, "table Name     age  Late  half\nAnn   12,000  1s     0.5"},
		{[]any{&bob}, "table Name  age  Late  half\nBob    −4  0s       2"},
		{[]any{[]man{ann, bob}}, "table " + head + "Ann   1200  1s     0.5\nBob     −4  0s       2"},
		{[]any{[...]*man{&ann, nil}}, "table " + head + "Ann   1200  1s     0.5\n"},
		{[]any{figure.Lines{}}, "fails show: cannot draw the figure: figure: Lines: Series has 0 series; give 1 to 6"},
	} {
		got := valueOf(t, test.values...)
		if got != test.want {
			t.Errorf("%#v: %q, want %q", test.values, got, test.want)
		}
	}
	long := valueOf(t, make([]man, 10001))
	if !strings.HasPrefix(long, "table The first 100 of 10,001 rows\n") || strings.Count(long, "\n") != 101 {
		t.Errorf("a long table is %q", long)
	}
	n := 0
	if got := valueOf(t, shower{&n}); got != "" || n != 1 {
		t.Errorf("what shows itself has done so %d times, and is %q", n, got)
	}
}

// valueOf returns what Value shows, and its kind.
func valueOf(t *testing.T, values ...any) (got string) {
	t.Helper()
	oldSend, stdout := send, os.Stdout
	read, write, err := os.Pipe()
	must.Do(t, err)
	os.Stdout = write
	defer func() { send, os.Stdout = oldSend, stdout }()
	send = func(_ content.Block, _, plain string) {
		got += "table " + plain
	}
	func() {
		defer func() {
			if failure := recover(); failure != nil {
				got += "fails " + fmt.Sprint(failure)
			}
		}()
		Value(values...)
	}()
	must.Do(t, write.Close())
	if text := string(must.Get(io.ReadAll(read))); text != "" {
		got += "text " + text
	}
	return got
}
