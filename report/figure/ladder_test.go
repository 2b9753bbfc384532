package figure

import (
	"strings"
	"testing"
)

func sampleLadder() Ladder {
	return Ladder{
		Title: "A line of successors", Columns: [2]string{"soldiers", "defenders"}, Kept: "from this number",
		Less: "take this one away",
		Rungs: []Rung{
			{"3,820", "n", "wave 2"},
			{"2,360", "x", ""},
			{"1,460", "n − x", "wave 3"},
			{"900", "2x − n", ""},
			{"560", "", "wave 4"},
		},
	}
}

func TestLadderLimits(t *testing.T) {
	for want, change := range map[string]func(*Ladder){
		"Title is empty":                         func(l *Ladder) { l.Title = "" },
		"Columns[1] is empty":                    func(l *Ladder) { l.Columns[1] = "" },
		"Less is empty":                          func(l *Ladder) { l.Less = "" },
		"Kept is empty":                          func(l *Ladder) { l.Kept = "" },
		"Rungs has 2 numbers; give 3 to 16":      func(l *Ladder) { l.Rungs = l.Rungs[:2] },
		"Rungs[1].Value is empty":                func(l *Ladder) { l.Rungs[1].Value = "" },
		"Rungs[0].Value is \"1234567890123\"":    func(l *Ladder) { l.Rungs[0].Value = "1234567890123" },
		"Rungs[2].Group is \"the third wave\"":   func(l *Ladder) { l.Rungs[2].Group = "the third wave" },
		"too long for its column; shorten it":    func(l *Ladder) { l.Rungs[0].Formula = strings.Repeat("n + ", 8) + "n" },
		"Rungs[3].Formula is \"a\\x00b\" with t": func(l *Ladder) { l.Rungs[3].Formula = "a\x00b" },
	} {
		l := sampleLadder()
		change(&l)
		_, err := l.Figure()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, want one line with %q", err, want)
		}
	}
}

// TestLadderSays: a number's column and group stand in the data, and all of it in the alternative text.
func TestLadderSays(t *testing.T) {
	f := mustBuild(sampleLadder().Figure)
	if row := strings.Join(f.Data.Rows[3], "|"); row != "wave 3|defenders|900|2x − n" {
		t.Errorf("row %q", row)
	}
	for _, want := range []string{"wave 3: soldiers 1,460 = n − x", "defenders 900 = 2x − n", "wave 4: soldiers 560."} {
		if !strings.Contains(f.Alt, want) {
			t.Errorf("%q lacks %q", f.Alt, want)
		}
	}
	if len(f.Legend) != 2 || f.Legend[0].Label != "from this number" {
		t.Errorf("legend %v", f.Legend)
	}
}
