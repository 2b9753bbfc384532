package chapter

import (
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
