package castle

import (
	"encoding"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestNames reads every value of every set back from its text, and expects an error that names what is none and the
// choices.
func TestNames(t *testing.T) {
	checkNames(t, Winners(), Winner(9), "undecided, soldiers, castle, tie")
	checkNames(t, Cases(), Case(-1), "1, 2a, 2b, 2c, 2d")
	checkNames(t, Conventions(), Convention(-1), "complete, printed")
	checkNames(t, Verdicts(), Verdict(5), "right, wrong_side, too_many, too_few, no_answer")
	checkNames(t, Questions(), Question(4), "soldiers_fewest, castle_fewest, plays_line, counts_ways")
	checkNames(t, Kinds(), Kind(4), "exact, heuristic, formula, check")
}

func checkNames[T interface {
	comparable
	fmt.Stringer
	encoding.TextMarshaler
}, P interface {
	*T
	encoding.TextUnmarshaler
}](t *testing.T, all []T, none T, choices string) {
	t.Helper()
	for _, want := range all {
		text, err := json.Marshal(want)
		got := none
		if err == nil {
			err = json.Unmarshal(text, P(&got))
		}
		if err != nil || got != want || string(text) != `"`+want.String()+`"` {
			t.Errorf("%v: %s is read as %v, %v", want, text, got, err)
		}
	}
	if text, err := none.MarshalText(); err == nil || !strings.Contains(err.Error(), choices) {
		t.Errorf("%v marshals as %q, %v", none, text, err)
	}
	got := all[1]
	err := P(&got).UnmarshalText([]byte("Soldier"))
	if got != all[1] || err == nil || !strings.Contains(err.Error(), `"Soldier"`) ||
		!strings.Contains(err.Error(), choices) {
		t.Errorf("%T: %v, %v", got, got, err)
	}
	if text := fmt.Sprint(none); !strings.Contains(text, "(") {
		t.Errorf("a value without a name is %q", text)
	}
}
