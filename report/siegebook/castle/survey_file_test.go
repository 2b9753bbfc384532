package castle

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/site"
)

const madeGrid = "soldiers=9,castle=1:40,defenders=1:20"

// smallSurvey returns a survey that a build can make itself.
func smallSurvey(t *testing.T) game.Survey {
	t.Helper()
	return must.Get(game.NewSurvey(t.Context(), span2(1, 9), span2(1, 30), span2(1, 20),
		game.SurveyOptions{Effort: game.Effort{Steps: game.SurveySteps}}))
}

// huge returns a survey of 2 * 10^12 battles that is known without computing. One soldier against one or more defenders
// per wave wins if the castle takes one hit, and never otherwise. The checksum is arbitrary.
func huge() game.Survey {
	const castles, defenders = 2_000_000, 1_000_000
	v := game.Survey{Soldiers: span2(1, 1), Castle: span2(1, castles), Defenders: span2(1, defenders)}
	v.Battles, v.Winnable, v.MinWaves = castles*defenders, defenders, map[int64]int64{1: defenders}
	for _, name := range []string{"exact", "castle-first", "exact-by-root"} {
		v.Algorithms = append(v.Algorithms,
			game.Tally{Name: name, Battles: v.Battles, Right: v.Battles, RightWinnable: v.Winnable})
	}
	v.Algorithms = append(v.Algorithms, game.Tally{Name: "search", Battles: 36 * 24, Right: 36 * 24, RightWinnable: 24})
	return v
}

// TestMadeSurvey checks that a survey from elsewhere gives the same numbers as a survey that the build makes, and the
// page says where it comes from.
func TestMadeSurvey(t *testing.T) {
	made := smallSurvey(t)
	text := strings.ReplaceAll(mustJSON(t, made), ",", ",\n\t") // another program may write it like this
	value, err := surveyParameter.Normal(text)
	if err != nil || value != line(made) {
		t.Fatalf("%v, %s", err, value)
	}
	for _, normal := range []func(string) (string, error){surveyParameter.Normal, surveyParameter.File.Read} {
		if again, err := normal(value); err != nil || again != value {
			t.Errorf("%v, %s", err, again)
		}
	}
	here := must.Get(data(chapter.Settings{"grid": madeGrid, "survey": "soldiers=1:9,castle=1:30,defenders=1:20"}))
	there := must.Get(data(chapter.Settings{"grid": madeGrid, "survey": value}))
	if mustJSON(t, here.Compared) != mustJSON(t, there.Compared) || must.Get(here.Learned()).Text != must.Get(
		there.Learned()).Text || here.Command() != there.Command() ||
		fmt.Sprint(must.Get(here.Matrix())) != fmt.Sprint(must.Get(there.Matrix())) {
		t.Error("the numbers differ")
	}
	if files := there.Files(); len(files) != 1 || string(files[0].Data) != value ||
		surveyFile.Kept[0] != "assets/castle-compared/"+files[0].Name {
		t.Errorf("the page offers %s", files)
	}
	sum := surveyParameter.Shown(value)
	for _, want := range []string{"were computed elsewhere", sum, "computed all of its battles again, and every " +
		"number is the same"} {
		if !strings.Contains(string(there.OriginText()), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if there.Command() != "siegebook survey castle --soldiers 1:9 --castle 1:30 --defenders 1:20 --json" {
		t.Error(there.Command())
	}
	if here.OriginText() != "" || there.Compared.Checksum != made.Checksum {
		t.Error("the pages mistake where the surveys come from")
	}
	if !strings.HasPrefix(sum, chapter.HashPrefix) || len(sum) != len(chapter.HashPrefix)+64 ||
		surveyParameter.Shown("grid") != "grid" || gridParameter.Shown("{}") != "{}" {
		t.Errorf("shown as %s", sum)
	}
}

// TestHugeSurvey checks that the build compares a survey that is too large to recompute, and checks randomly drawn
// battles.
func TestHugeSurvey(t *testing.T) {
	v := huge()
	s := must.Get(data(chapter.Settings{"grid": madeGrid, "survey": line(v)}))
	page := string(s.BattlesText()+s.OriginText()) + s.Command()
	for _, want := range []string{"2,000,000,000,000 battles", "65,536 drawn at random", "--algorithms " +
		"exact,castle-first,exact-by-root,search --json"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	said, err := surveyFile.Recheck(t.Context(), line(v), 7)
	if err != nil ||
		said != "of 2,000,000,000,000 battles: 0 that the survey names, 0 just before its first errors, and 1,048,576 "+
			"drawn at random, with the seed 7" {
		t.Errorf("%s, %v", said, err)
	}
}

// TestWrongSurveys checks that the parameter, the build or a check refuses a survey that cannot be right.
func TestWrongSurveys(t *testing.T) {
	found, summed := huge(), smallSurvey(t)
	found.Algorithms[0].Right--
	found.Algorithms[0].WrongSide++
	found.Algorithms[0].First.WrongSide = new(Battle(1, 2, 1))
	summed.Checksum++
	for want, v := range map[string]game.Survey{
		"exact: the survey names (1, 2, 1) as the first battle with the verdict wrong_side, but its verdict is " +
			"right": found,
		"checksum is ": summed,
	} {
		_, err := data(chapter.Settings{"grid": madeGrid, "survey": line(v)})
		var setting *chapter.SettingError
		if must.ErrorContains(t, err, want); !errors.As(err, &setting) || setting.Name != "survey" {
			t.Errorf("the build: %v", err)
		}
		for seed := range uint64(2) {
			_, err := surveyFile.Recheck(t.Context(), line(v), seed)
			must.ErrorContains(t, err, want, "the check")
		}
	}
	good := line(smallSurvey(t))
	for _, row := range append(must.Rows(t, tables, "TestWrongSurveys"),
		[]string{good[:200], "unexpected EOF"}, []string{strings.Replace(good, `"right":`, `"right":1`, 1), "must be"}) {
		for _, read := range []func(string) (string, error){surveyParameter.Normal, surveyFile.Read} {
			_, err := read(row[0])
			must.ErrorContains(t, err, row[1], row[0])
		}
	}
	if _, err := surveyFile.Read("soldiers=1"); err == nil {
		t.Error("the name of battles is read from a file")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := fmt.Errorf("enough")
	cancel(enough)
	if err := (&Survey{}).take(ctx, madeSurvey{Survey: huge()}); !errors.Is(err, enough) {
		t.Error(err)
	}
}

// cut returns the texts of shards of the small survey, which has 5400 battles, as siegebook writes them.
func cut(t *testing.T, sizes ...int64) (parts []string) {
	t.Helper()
	part := smallSurvey(t)
	first := int64(0)
	for _, size := range sizes {
		part.Totals = must.Get(part.Part(t.Context(), grid.Block{First: first, Size: size},
			game.SurveyOptions{Effort: game.Effort{Steps: game.SurveySteps}}))
		parts = append(parts, line(part))
		first += size
	}
	return parts
}

// shards returns shards with the given texts. A shard without a text is missing.
func shards(parts ...string) chapter.Shards {
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

// TestShardsOfSurveys checks that shards add up to the survey, the page names their number, and a check recomputes
// each.
func TestShardsOfSurveys(t *testing.T) {
	value, err := surveyFile.Join(shards(cut(t, 1000, 1, 2399, 2000)...))
	if err != nil || !strings.HasPrefix(value, line(smallSurvey(t))) {
		t.Fatalf("%v, %s", err, value)
	}
	for _, normal := range []func(string) (string, error){surveyParameter.Normal, surveyFile.Read} {
		if again, err := normal(strings.ReplaceAll(value, ",", " ,\n")); err != nil || again != value {
			t.Errorf("%v, %s", err, again)
		}
	}
	s := must.Get(data(chapter.Settings{"grid": madeGrid, "survey": value}))
	files := s.Files()
	if len(files) != 2 || string(files[0].Data)+string(files[1].Data) != value ||
		surveyFile.Kept[1] != "assets/castle-compared/"+files[1].Name {
		t.Errorf("kept as %s", files)
	}
	for _, want := range []string{"by siegebook 1.2.3 in 4 shards", surveyParameter.Shown(value)} {
		if !strings.Contains(string(s.OriginText()), want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if said, err := surveyFile.Recheck(t.Context(), value, 1); err != nil || said != "all 5400 battles in 4 shards" {
		t.Errorf("%s, %v", said, err)
	}
}

// redrawn returns the state of recomputing a survey of shards.
func redrawn(t *testing.T, value string) recheck {
	t.Helper()
	made := must.Get(readMade(value))
	algorithms := must.Get(made.Asked())
	return recheck{made, game.SurveyOptions{Algorithms: algorithms, Effort: game.Effort{Steps: game.SurveySteps}}}
}

// TestRedraw checks that redraw recomputes as many shards as the limit allows, and at least one. It finds each shard
// whose totals differ from the listed totals, whatever else the lists say.
func TestRedraw(t *testing.T) {
	value := must.Get(surveyFile.Join(shards(cut(t, 1000, 1, 2399, 2000)...)))
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
		if got := numbersText(must.Get(r.redraw(t.Context(), test.order, test.most))); got != test.want {
			t.Errorf("%v, %d: %s, want %s", test.order, test.most, got, test.want)
		}
	}
	if said := must.Get(r.sample(t.Context(), 3)); !strings.Contains(said, ", with the seed 3; shards ") ||
		!strings.HasSuffix(said, " of 4") {
		t.Error(said)
	}
	vast := r
	vast.shards = &madeShards{Battles: []int64{maxRedrawn + 1}}
	if got, err := vast.redraw(t.Context(), []int{0}, maxCompared); got != nil || err != nil {
		t.Error(got, err)
	}
	for i := range 4 {
		tampered := redrawn(t, value)
		tampered.shards.Totals[i] = strings.Repeat("0", 64)
		_, err := tampered.redraw(t.Context(), allShards(4), 5400)
		must.ErrorContains(t, err, fmt.Sprintf("shard %d of 4 has different totals when recomputed", i+1))
		swapped := redrawn(t, value)
		swapped.shards.Checksums[i]++
		swapped.shards.Checksums[(i+1)%4]--
		if _, err := readMade(swapped.text()); err != nil {
			t.Fatal(err)
		}
		_, err = surveyFile.Recheck(t.Context(), swapped.text(), 1)
		must.ErrorContains(t, err, "has different totals when recomputed", "checksums of shard", i+1)
		moved := redrawn(t, value)
		moved.shards.Battles[i]++
		moved.shards.Battles[(i+2)%4]--
		if moved.shards.Battles[1] > 0 {
			_, err := surveyFile.Recheck(t.Context(), moved.text(), 1)
			must.ErrorContains(t, err, "has different totals when recomputed", "battles of shard", i+1)
		}
	}
	if got := numbersText(allShards(25)); got != "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, "+
		"20 and 5 others" {
		t.Error(got)
	}
}

// TestWrongShards checks that Join and Read refuse shards of different surveys and impossible lists of shards.
func TestWrongShards(t *testing.T) {
	all := cut(t, 1000, 1, 2399, 2000)
	replaced := func(number int, with string) chapter.Shards {
		parts := slices.Clone(all)
		parts[number-1] = with
		return shards(parts...)
	}
	other := smallSurvey(t)
	other.Castle.Last++
	fewer := smallSurvey(t)
	fewer.Algorithms = fewer.Algorithms[1:]
	for name, test := range map[string]struct {
		shards chapter.Shards
		want   string
	}{
		"missing": {replaced(3, ""), "shard 3 is not a survey of castle games: it is missing"},
		"no survey": {replaced(1, `{"placements":[]}`), "shard 1 is not a survey of castle games: survey: " +
			"json: unknown field"},
		"other battles":    {replaced(2, line(other)), "shard 2 belongs to a different survey from the first"},
		"other algorithms": {replaced(2, line(fewer)), "shard 2 belongs to a different survey from the first"},
		"too many": {replaced(2, line(smallSurvey(t))), "the sum of the shards: battles = 10799: must " +
			"be from 0 to 5400, the battles of the grid"},
	} {
		_, err := surveyFile.Join(test.shards)
		must.ErrorContains(t, err, test.want, name)
	}
	// The survey of the grid notices missing shards.
	value := must.Get(surveyFile.Join(shards(all[:3]...)))
	if _, err := data(chapter.Settings{"grid": madeGrid, "survey": value}); err == nil ||
		!strings.Contains(err.Error(), "battles = 3400: the grid has 5400") {
		t.Error(err)
	}
	value = must.Get(surveyFile.Join(shards(all...)))
	for _, row := range must.Rows(t, tables, "TestWrongShards") {
		_, err := surveyFile.Read(strings.Replace(value, row[0], row[1], 1))
		must.ErrorContains(t, err, row[2], row[1])
	}
	made := must.Get(readMade(value))
	made.shards.Checksums[0]++
	for text, want := range map[string]string{
		made.text():                      "5400 battles with the checksum",
		line(made.Survey) + "null":       "0 battles, 0 checksums and 0 totals",
		value + "{}":                     "text after the survey of castle games and its shards: remove it",
		value + "}":                      "text after the survey of castle games and its shards: remove it",
		line(made.Survey) + "{\"command": "unexpected EOF",
	} {
		_, err := surveyFile.Read(text)
		must.ErrorContains(t, err, want)
	}
}

// FuzzMade checks that if a text can be read as a survey, the survey is written in a form that can be read again.
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

// castleFirstText returns the posts' first heuristic as a program.
func castleFirstText(t *testing.T) string {
	t.Helper()
	return string(must.Get(os.ReadFile("../listings/castle/castle-first.star")))
}

// withPrograms returns the data of a small chapter with added programs.
func withPrograms(t *testing.T, files ...chapter.NamedText) (*Survey, error) {
	t.Helper()
	value := must.Get(algorithmParameter.File.Gather(files))
	return data(chapter.Settings{
		gridParameter.Name: "soldiers=12,castle=1:40,defenders=1:30", algorithmParameter.Name: value,
	})
}

// TestAdded checks that a program that plays like a registered algorithm has the same row, map and first errors.
func TestAdded(t *testing.T) {
	const title = "Ä $x_1$ | <b>"
	text := strings.Replace(castleFirstText(t), "):\n", "):\n    \"\"\""+title+".\"\"\"\n", 1)
	s := must.Get(withPrograms(t, chapter.NamedText{Name: "some/where/Mine 2.star", Text: text}))
	for _, v := range []game.Survey{s.OfGrid, s.Compared} {
		got, _ := v.Of("mine-2")
		want, _ := v.Of("castle-first")
		if want.Name = got.Name; got.Battles == 0 || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if !slices.Equal(s.added[0].verdicts, s.algorithms[0].verdicts) || s.algorithms[0].Name != "castle-first" {
		t.Error("the map is not that of castle first")
	}
	matrix := must.Get(s.Matrix())
	row := fmt.Sprint(matrix.Rows[len(matrix.Rows)-1])
	for _, want := range []string{site.Escape(title), "castle-agreement.html#own-mine-2", "Mine 2.star"} {
		if !strings.Contains(row, want) {
			t.Errorf("the row has no %q: %s", want, row)
		}
	}
	if command := s.Command(); !strings.Contains(command, ",'Mine 2.star'") {
		t.Error(command)
	}
	_, others := s.Agreements()
	lost := s.added[0].first.Of(game.WrongSide)
	if len(others) != 1 || others[0].Name != "own-mine-2" || others[0].Figure.ID != "own-mine-2" ||
		!strings.Contains(string(others[0].Text),
			fmt.Sprintf("The first battle that it loses is %s, which", Triple(*lost))) ||
		!strings.Contains(string(others[0].Program), "```python\ndef at_defenders(") {
		t.Errorf("%+v", others)
	}
}

// TestAddedFault checks that a fault of a program is reported as a fault of the setting, on every page that finds it.
func TestAddedFault(t *testing.T) {
	// The page's example is not on the map.
	s, err := withPrograms(t, chapter.NamedText{Name: "rash.star", Text: "def at_defenders(n, s, d, wave, N, S, D):\n" +
		"    return N + 1 if (n, s, d) == (10, 43, 8) else min(N, D)\n"})
	if err == nil {
		_, err = s.Matrix()
	}
	var setting *chapter.SettingError
	var fault *listing.Error
	if !errors.As(err, &setting) || setting.Name != "algorithm" || !errors.As(err, &fault) ||
		!strings.Contains(err.Error(), "battle (10, 43, 8), wave 1, N = 10, S = 43, D = 0") {
		t.Errorf("%v", err)
	}
	_, err = withPrograms(t, chapter.NamedText{Name: "rash.star", Text: "def at_defenders(n, s, d, wave, N, S, D):\n " +
		"   return -1\n"})
	if !errors.As(err, &setting) || !strings.Contains(err.Error(), "rash.star: battle (12, 1, 1), wave 1") {
		t.Errorf("%v", err)
	}
	large := game.Survey{
		Soldiers: grid.Range{First: 1, Last: 1000}, Castle: grid.Range{First: 1, Last: 1000},
		Defenders: grid.Range{First: 1, Last: 1000},
	}
	large.Battles = maxCompared + 1
	if err := judgeAdded(context.Background(), &large, []game.Algorithm{s.added[0].Algorithm}); !errors.As(err,
		&setting) {
		t.Errorf("%v", err)
	}
}

// TestPrograms checks that the parameter for programs has one normal form for each value, and that it refuses anything
// other than a list of programs.
func TestPrograms(t *testing.T) {
	text := castleFirstText(t)
	value := must.Get(algorithmParameter.File.Gather([]chapter.NamedText{
		{Name: "a.star", Text: text},
		{Name: "x/b.star", Text: text},
	}))
	for _, same := range []string{value, " " + strings.ReplaceAll(value, `,"text"`, `,  "text"`)} {
		for _, read := range []func(string) (string, error){algorithmParameter.Normal, algorithmParameter.File.Read} {
			if got, err := read(same); err != nil || got != value {
				t.Errorf("%v: %s", err, got)
			}
		}
	}
	rows := append(must.Rows(t, tables, "TestPrograms"), []string{value + "x", "after the list"},
		[]string{"[" + strings.Repeat(`{"file":"a.star","text":""},`, maxAdded) + `{"file":"a.star","text":""}]`, "11 programs"},
		[]string{strings.ReplaceAll(value, "b.star", "A.star"), "named twice"})
	for _, row := range rows {
		_, err := algorithmParameter.File.Read(row[0])
		must.ErrorContains(t, err, row[1], row[0])
	}
	if fence := fenced("a ``` b ```` c"); !strings.HasPrefix(fence, "`````python\n") ||
		!strings.HasSuffix(fence, "\n`````") {
		t.Error(fence)
	}
}
