package castle

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
)

// cut returns the shards of the small survey, which has 5400 battles, as siegebook writes them.
func cut(t *testing.T, sizes ...int64) chapter.Shards {
	t.Helper()
	whole := smallSurvey(t)
	whole.Totals = game.Totals{}
	var parts []string
	first := int64(0)
	for _, size := range sizes {
		part := whole
		var err error
		if part.Totals, err = whole.Part(t.Context(), grid.Block{First: first, Size: size},
			game.SurveyOptions{Effort: game.Effort{Steps: game.SurveySteps}}); err != nil {
			t.Fatal(err)
		}
		parts = append(parts, line(part))
		first += size
	}
	return chapter.Shards{
		Command: "siegebook survey castle", Version: "1.2.3", Of: int64(len(parts)),
		Read: func(number int64, found any) error {
			if parts[number-1] == "" {
				return errors.New("it is missing")
			}
			return json.Unmarshal([]byte(parts[number-1]), found)
		},
	}
}

// TestShardsOfSurveys: shards add up to the survey, the page names them, and each is computed again.
func TestShardsOfSurveys(t *testing.T) {
	value, err := surveyFile.Join(cut(t, 1000, 1, 2399, 2000))
	if err != nil || !strings.HasPrefix(value, line(smallSurvey(t))) {
		t.Fatalf("%v, %s", err, value)
	}
	for _, normal := range []func(string) (string, error){surveyParameter.Normal, surveyFile.Read} {
		if again, err := normal(strings.ReplaceAll(value, ",", " ,\n")); err != nil || again != value {
			t.Errorf("%v, %s", err, again)
		}
	}
	_, tree := built(t, chapter.Settings{"grid": madeGrid, "survey": value})
	if kept := string(tree[surveyFile.Kept[0]]) + string(tree[surveyFile.Kept[1]]); kept != value {
		t.Errorf("kept as %s", kept)
	}
	for _, want := range []string{"by siegebook 1.2.3 in 4 shards", surveyParameter.Shown(value)} {
		if !strings.Contains(string(tree["castle-compared.html"]), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if said, err := surveyFile.Recheck(t.Context(), value, 1); err != nil || said != "all 5400 battles in 4 shards" {
		t.Errorf("%s, %v", said, err)
	}
}

// redrawn is a survey of shards that is computed again.
func redrawn(t *testing.T, value string) recheck {
	t.Helper()
	made, err := readMade(value)
	if err != nil {
		t.Fatal(err)
	}
	algorithms, err := made.Asked()
	if err != nil {
		t.Fatal(err)
	}
	return recheck{made, game.SurveyOptions{Algorithms: algorithms, Effort: game.Effort{Steps: game.SurveySteps}}}
}

// TestRedraw: as many shards are computed again as are paid for, at least one, and each that has other totals than it
// is said to have is found, whatever else the lists say.
func TestRedraw(t *testing.T) {
	value, err := surveyFile.Join(cut(t, 1000, 1, 2399, 2000))
	if err != nil {
		t.Fatal(err)
	}
	r := redrawn(t, value)
	for _, test := range []struct {
		order []int
		most  int64
		want  string
	}{
		{[]int{0, 1, 2, 3}, 5400, "1, 2, 3, 4"},
		{[]int{0, 1, 2, 3}, 5399, "1, 2, 3"},
		{[]int{2, 0, 1, 3}, 3399, "3, 1"},
		{[]int{2, 0, 1, 3}, 5, "3"},
		{[]int{1, 2, 0, 3}, 5, "2"},
	} {
		if got, err := r.redraw(t.Context(), test.order, test.most); err != nil || numbersText(got) != test.want {
			t.Errorf("%v, %d: %s, %v, want %s", test.order, test.most, numbersText(got), err, test.want)
		}
	}
	said, err := r.sample(t.Context(), 3)
	if err != nil || !strings.Contains(said, ", with the seed 3; shards ") || !strings.HasSuffix(said, " of 4") {
		t.Errorf("%s, %v", said, err)
	}
	vast := r
	vast.shards = &madeShards{Battles: []int64{maxRedrawn + 1}}
	if got, err := vast.redraw(t.Context(), []int{0}, maxCompared); err != nil || got != nil {
		t.Errorf("%v, %v", got, err)
	}
	for i := range 4 {
		tampered := redrawn(t, value)
		tampered.shards.Totals[i] = strings.Repeat("0", 64)
		if _, err := tampered.redraw(t.Context(), allShards(4), 5400); err == nil ||
			!strings.Contains(err.Error(), fmt.Sprintf("shard %d of 4, computed again, has other totals", i+1)) {
			t.Errorf("totals of shard %d: %v", i+1, err)
		}
		swapped := redrawn(t, value)
		swapped.shards.Checksums[i]++
		swapped.shards.Checksums[(i+1)%4]--
		if _, err := readMade(swapped.text()); err != nil {
			t.Fatal(err)
		}
		if said, err := surveyFile.Recheck(t.Context(), swapped.text(), 1); err == nil ||
			!strings.Contains(err.Error(), "computed again, has other totals") {
			t.Errorf("checksums of shard %d: %s, %v", i+1, said, err)
		}
		moved := redrawn(t, value)
		moved.shards.Battles[i]++
		moved.shards.Battles[(i+2)%4]--
		if moved.shards.Battles[1] > 0 {
			if said, err := surveyFile.Recheck(t.Context(), moved.text(), 1); err == nil ||
				!strings.Contains(err.Error(), "computed again, has other totals") {
				t.Errorf("battles of shard %d: %s, %v", i+1, said, err)
			}
		}
	}
	if got := numbersText(allShards(25)); got != "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "+
		"20 and 5 others" {
		t.Error(got)
	}
}

// TestWrongShards: shards of different surveys and impossible lists of shards are refused.
func TestWrongShards(t *testing.T) {
	replaced := func(s chapter.Shards, number int64, with string) chapter.Shards {
		read := s.Read
		s.Read = func(n int64, found any) error {
			switch {
			case n != number:
				return read(n, found)
			case with == "":
				return errors.New("it is missing")
			}
			return json.Unmarshal([]byte(with), found)
		}
		return s
	}
	all := cut(t, 1000, 1, 2399, 2000)
	other := smallSurvey(t)
	other.Castle.Last++
	fewer := smallSurvey(t)
	fewer.Algorithms = fewer.Algorithms[1:]
	short := all
	short.Of = 3
	for name, test := range map[string]struct {
		shards chapter.Shards
		want   string
	}{
		"missing": {replaced(all, 3, ""), "shard 3 is no survey of castle games: it is missing"},
		"no survey": {replaced(all, 1, `{"placements":[]}`), "shard 1 is no survey of castle games: survey: " +
			"json: unknown field"},
		"other battles":    {replaced(all, 2, line(other)), "shard 2 is of another survey than the first"},
		"other algorithms": {replaced(all, 2, line(fewer)), "shard 2 is of another survey than the first"},
		"too many": {replaced(all, 2, line(smallSurvey(t))), "the sum of the shards: battles = 10799: must " +
			"be from 0 to the 5400 of the grid"},
	} {
		if value, err := surveyFile.Join(test.shards); err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, %.40s, want %q", name, err, value, test.want)
		}
	}
	// That some are missing is seen when the survey is used.
	value, err := surveyFile.Join(short)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := chapterData(t.Context(), chapter.Settings{"grid": madeGrid, "survey": value}); err == nil ||
		!strings.Contains(err.Error(), "battles = 3400: not all the 5400 of the grid") {
		t.Error(err)
	}
	if value, err = surveyFile.Join(all); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, wrong, want string }{
		{`[1000,1,2399,2000]`, `[1000,1,2399]`, "3 battles, 4 checksums and 4 totals"},
		{`[1000,1,2399,2000]`, `[1000,0,2400,2000]`, "shard 2 has 0 battles"},
		{`[1000,1,2399,2000]`, `[1000,1,2399,2001]`, "shard 4 has 2001 battles"},
		{`[1000,1,2399,2000]`, `[1000,1,2399,1999]`, "5399 battles with the checksum"},
		{`"version":"1.2.3"`, `"versions":"1.2.3"`, `unknown field "versions"`},
		{`"command"`, `"x":1,"command"`, "behind the survey of castle games: json: unknown field"},
		{`"siegebook survey castle"`, `7`, "behind the survey of castle games: json: cannot unmarshal"},
	} {
		if _, err := surveyFile.Read(strings.Replace(value, test.old, test.wrong, 1)); err == nil ||
			!strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", test.wrong, err, test.want)
		}
	}
	made, err := readMade(value)
	if err != nil {
		t.Fatal(err)
	}
	made.shards.Checksums[0]++
	for text, want := range map[string]string{
		made.text():                      "5400 battles with the checksum",
		line(made.Survey) + "null":       "0 battles, 0 checksums and 0 totals",
		value + "{}":                     "something else: leave nothing there",
		value + "}":                      "something else: leave nothing there",
		line(made.Survey) + "{\"command": "unexpected EOF",
	} {
		if _, err := surveyFile.Read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// FuzzMade: whatever is read as a survey is written as it can be read again.
func FuzzMade(f *testing.F) {
	f.Add("{}")
	f.Add(line(huge()))
	f.Add(line(huge()) + line(madeShards{
		Battles: []int64{huge().Battles}, Checksums: []game.Checksum{0},
		Totals: []string{""},
	}))
	f.Fuzz(func(t *testing.T, text string) {
		value, err := surveyFile.Read(text)
		if err != nil {
			return
		}
		if again, err := surveyFile.Read(value); err != nil || again != value {
			t.Fatalf("%v\n%s\n%s", err, value, again)
		}
	})
}
