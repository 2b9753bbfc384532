package chapter

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/siegebook/siegebook/report/content"
)

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
