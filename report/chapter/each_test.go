package chapter

import (
	"errors"
	"slices"
	"testing"
)

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
