package values

import (
	"container/list"
	"errors"
	"maps"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// These types look like types in other packages.
type (
	Node struct {
		value string
		next  *Node
		all   []*Node
	}
	Pair[A, B any] struct {
		A A
		b B
	}
	Disc struct{ r float64 }
)

var table = &Disc{1}

// Area makes Disc implement an interface.
func (d Disc) Area() float64 { return d.r * d.r * 3 }

// again returns the value as a later program gets it, or the reason why it could not be stored.
func again[T any](t *testing.T, value T) (T, string) {
	t.Helper()
	t.Setenv(FolderVariable, t.TempDir())
	Save(" local ", At("x", &value))
	e := ReadTable(os.Getenv(FolderVariable))["x"]
	if e.Why != "" {
		return value, e.Why
	}
	return Take[T](load(t, "x", (*T)(nil)), e.Root), ""
}

// load reads a file in the same way as a program that the kernel has changed.
func load(t *testing.T, name string, types ...any) Loaded {
	t.Helper()
	folder := os.Getenv(FolderVariable)
	h, _, err := ReadHeader(filepath.Join(folder, ReadTable(folder)[name].File))
	if err != nil {
		t.Fatal(err)
	}
	var held []any
	for _, name := range h.Held {
		for _, of := range []any{(*Disc)(nil), (*int)(nil), (**Node)(nil)} {
			if expression(reflect.TypeOf(of).Elem(), "") == name {
				held = append(held, of)
			}
		}
	}
	return Load(name, types, held)
}

func same[T any](t *testing.T, value T) {
	t.Helper()
	if got, why := again(t, value); why != "" || !reflect.DeepEqual(got, value) {
		t.Errorf("%#v becomes %#v, %s", value, got, why)
	}
}

func TestValuesComeBack(t *testing.T) {
	same(t, 20)
	same(t, "a\tb\n")
	same(t, [3]int8{1, -2, 3})
	same(t, 2+3i)
	same(t, Pair[string, []float64]{"x", []float64{1.5, 0}})
	same(t, Pair[map[string][]Pair[*Disc, int], any]{map[string][]Pair[*Disc, int]{"a": {{&Disc{1}, 2}}}, 3})
	same(t, []string(nil))
	same(t, []string{})
	same(t, map[string][]int{"b": nil, "a": {}, "c": {3, 1}})
	if got, why := again(t, map[float64]int{math.NaN(): 1, math.Copysign(math.NaN(), 1): 1}); len(got) != 2 {
		t.Error(got, why)
	}
	same(t, map[[2]int]Disc{{1, 2}: {3}, {2, 1}: {4}})
	same(t, map[string]int(nil))
	same(t, struct {
		A int
		B []any
	}{1, []any{1, Disc{2}, nil, 3}})
	same(t, error(nil))
	same(t, (*Node)(nil))
	same(t, big.NewInt(0).Exp(big.NewInt(7), big.NewInt(99), nil))
	same(t, func() *int { n := 5; return &n }())
	same(t, time.Date(2026, 3, 4, 5, 6, 7, 8, time.UTC))
	same(t, time.Date(2026, 3, 4, 5, 6, 7, 8, time.Local))
	same(t, struct{}{})
	same(t, []struct{}{{}, {}})
	same(t, []*struct{}{{}, nil, {}})
}

func TestNames(t *testing.T) {
	const here = `"github.com/siegebook/siegebook/notebooks/show/values".`
	for want, of := range map[string]any{
		"[]map[string]*" + here + "Disc":                             []map[string]*Disc{},
		here + "Pair[map[string][]*" + here + "Disc,interface {}]":   Pair[map[string][]*Disc, any]{},
		here + "Pair[[2]int," + here + "Pair[int,\"math/big\".Int]]": Pair[[2]int, Pair[int, big.Int]]{},
		"struct{A any; B error; }": struct {
			A any
			B error
		}{},
	} {
		if got := expression(reflect.TypeOf(of), ""); got != want {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

func TestShared(t *testing.T) {
	ring := &Node{value: "a", next: &Node{value: "b"}}
	ring.next.next = ring
	ring.all = []*Node{ring, ring.next, nil}
	got, why := again(t, ring)
	if why != "" || got.next.next != got || got.all[1] != got.next || got.value+got.next.value != "ab" {
		t.Errorf("%+v %s", got, why)
	}
	spare, why := again(t, append(make([]int, 0, 9), 1, 2))
	if why != "" || cap(spare) != 9 || !slices.Equal(spare[:3], []int{1, 2, 0}) {
		t.Errorf("%v of %d %s", spare, cap(spare), why)
	}
}

// TestGroups checks that memory shared by two variables stays shared, even if a third variable is redeclared.
func TestGroups(t *testing.T) {
	t.Setenv(FolderVariable, t.TempDir())
	shared := map[string]int{"n": 1}
	a, b, c := &Pair[map[string]int, int]{A: shared}, shared, 5
	Save("", Of("a", a), Of("b", b), Of("c", c))
	now := ReadTable(os.Getenv(FolderVariable))
	if now["a"].File != now["b"].File || now["a"].File == now["c"].File {
		t.Fatal(now)
	}
	l := load(t, "b", (**Pair[map[string]int, int])(nil), (*map[string]int)(nil))
	a, b = Take[*Pair[map[string]int, int]](l, 0), Take[map[string]int](l, 1)
	if b["n"]++; a.A["n"] != 2 {
		t.Error("a and b share nothing any more")
	}
	Save("", Of("c", 5), Of("a", a), Of("b", b))
	if next := ReadTable(os.Getenv(FolderVariable)); next["c"] != now["c"] || next["a"] == now["a"] {
		t.Error(now, next)
	}
	before := ReadTable(os.Getenv(FolderVariable))
	Save("", Of("b", map[string]int{}))
	if next := ReadTable(os.Getenv(FolderVariable)); next["a"] != before["a"] || next["b"].File == next["a"].File {
		t.Error(before, next)
	}
	used := map[string]bool{"table": true}
	for _, e := range ReadTable(os.Getenv(FolderVariable)) {
		used[e.File] = true
	}
	files, _ := os.ReadDir(os.Getenv(FolderVariable))
	for _, f := range files {
		if delete(used, f.Name()); len(used) > len(files) {
			t.Error(f.Name(), "is left")
		}
	}
	if len(used) > 0 || len(files) != 4 {
		t.Error(used, files)
	}
}

func TestRefused(t *testing.T) {
	refuse := func(why, want string) {
		t.Helper()
		if !strings.Contains(why, want) || want == "" {
			t.Errorf("%q, not %q", why, want)
		}
	}
	refused := func(value any, want string) {
		t.Helper()
		_, why := again(t, Pair[any, int]{A: value})
		refuse(why, want)
	}
	refused(func() {}, "a func cannot outlive")
	refused(make(chan int), "a chan cannot outlive")
	refused(errors.New("x"), "no cell can name its type errors.errorString")
	refused(func() any { type local int; return local(1) }(), "no cell can name")
	_, why := again(t, time.Now().In(time.FixedZone("x", 60)))
	refuse(why, "other than UTC and local")
	_, why = again(t, os.Stdout)
	refuse(why, "a value of type os.File cannot outlive its cell")
	_, why = again(t, table)
	refuse(why, "points to a variable of package")
	_, why = again(t, Pair[func(), int]{A: func() {}})
	refuse(why, "a func cannot outlive")
	_, why = again(t, map[*int]int{new(int): 1})
	refuse(why, "pointers as keys")
	_, why = again(t, list.New())
	refuse(why, "points into itself")
	var text strings.Builder
	text.WriteString("a")
	t.Setenv(FolderVariable, t.TempDir())
	n := []int{1, 2, 3}
	all := map[int]int{1: 2}
	Save("", At("text", &text), Of("n", n), Of("part", n[1:]), Of("first", &n[0]), Of("m", maps.Clone(all)))
	now := ReadTable(os.Getenv(FolderVariable))
	refuse(now["text"].Why, "points into itself")
	refuse(now["part"].Why, "points into n")
	refuse(now["first"].Why, "points into n")
	if now["n"].Why+now["m"].Why != "" {
		t.Error(now)
	}
}
