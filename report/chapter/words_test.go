package chapter

import (
	"errors"
	"math/big"
	"reflect"
	"slices"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

func TestThousands(t *testing.T) {
	for v, want := range map[int]string{0: "0", 999: "999", 1000: "1000", 10_000: "10,000", -1234567: "−1,234,567"} {
		if got := Thousands(v); got != want {
			t.Errorf("%d: %q, want %q", v, got, want)
		}
	}
}

type fakeBattle struct{}

func (fakeBattle) Validate() error { return nil }
func (fakeBattle) String() string  { return "(1, 2)" }

func TestMDKeepsBattlesOnOneLine(t *testing.T) {
	if got, want := MD("%v in %d waves", fakeBattle{}, 3), content.Markdown("(1,\u00a02) in 3 waves"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEach(t *testing.T) {
	var done [50]bool
	if err := Each(t.Context(), len(done), func(i int) error { done[i] = true; return nil }); err != nil ||
		slices.Contains(done[:], false) {
		t.Errorf("%v, error %v", done, err)
	}
	one, two := errors.New("one"), errors.New("two")
	if err := Each(t.Context(), 9, func(i int) error { return map[int]error{3: one, 7: two}[i] }); !errors.Is(err,
		one) {
		t.Errorf("error %v", err)
	}
}

func TestRow(t *testing.T) {
	type count int8
	marked := content.Text("no").Marked(content.Mark{Tone: content.Red, Sign: "✗", Meaning: "wrong side"})
	got := Row("a < b", content.Markdown("$n$"), -3, count(4), uint64(1<<63), big.NewInt(5), marked)
	want := []content.Cell{
		content.Text(
			"a < b",
		), content.Rich("$n$"), content.Int(-3), content.Int(4), content.Int(uint64(1 << 63)),
		content.BigInt(big.NewInt(5)), marked,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the row is\n%v\nwant\n%v", got, want)
	}
	table := Table("id", "one", "two")
	if err := table.Validate(); err != nil || !table.RowHeader || len(table.Header) != 2 {
		t.Errorf("the table is %+v, %v", table, err)
	}
}

func TestRowOfNothingKnown(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a fraction has become a cell, though nobody has said with how many digits")
		}
	}()
	Row(0.5)
}
