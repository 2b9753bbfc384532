package chapter

import "testing"

func TestThousands(t *testing.T) {
	for v, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", -1234567: "−1,234,567"} {
		if got := Thousands(v); got != want {
			t.Errorf("%d: %q, want %q", v, got, want)
		}
	}
}
