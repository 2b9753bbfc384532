package castle

import (
	"context"
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
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/chapter/chaptertest"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// castleFirstText is the posts' first heuristic as a program.
func castleFirstText(t *testing.T) string {
	t.Helper()
	return string(must.Get(os.ReadFile("../explore/listings/castle/castle-first.star")))
}

// withPrograms are the data of a small chapter to which programs are added.
func withPrograms(t *testing.T, files ...chapter.NamedText) (*survey, error) {
	t.Helper()
	value := must.Get(algorithmParameter.File.Gather(files))
	return data(t, chapter.Settings{
		gridParameter.Name: "soldiers=12,castle=1:40,defenders=1:30", algorithmParameter.Name: value,
	})
}

// TestAdded: a program that plays as a registered algorithm has its row, its map and its first errors.
func TestAdded(t *testing.T) {
	const title = "Ä $x_1$ | <b>"
	text := strings.Replace(castleFirstText(t), "):\n", "):\n    \"\"\""+title+".\"\"\"\n", 1)
	s := must.Get(withPrograms(t, chapter.NamedText{Name: "some/where/Mine 2.star", Text: text}))
	for _, v := range []game.Survey{s.ofGrid, s.compared} {
		got, _ := v.Of("mine-2")
		want, _ := v.Of("castle-first")
		if want.Name = got.Name; got.Battles == 0 || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if !slices.Equal(s.added[0].verdicts, s.algorithms[0].verdicts) || s.algorithms[0].Name != "castle-first" {
		t.Error("the map is not that of castle first")
	}
	compared := comparedPage(t.Context(), s)
	matrix := compared.Tables[slices.IndexFunc(compared.Tables, func(t content.Table) bool { return t.ID == "matrix" })]
	row := fmt.Sprint(matrix.Rows[len(matrix.Rows)-1])
	for _, want := range []string{site.Escape(title), "castle-agreement.html#own-mine-2", "Mine 2.star"} {
		if !strings.Contains(row, want) {
			t.Errorf("the row has no %q: %s", want, row)
		}
	}
	if command := s.surveyCommand(); !strings.Contains(command, ",'Mine 2.star'") {
		t.Error(command)
	}
	others := agreementPage(t.Context(), s).Lists["others"]
	lost := s.added[0].first.Of(game.WrongSide)
	if len(others) != 1 || !strings.Contains(others[0]["text"], fmt.Sprintf("The first that it loses is %s, which",
		triple(*lost))) ||
		!strings.Contains(others[0]["program"], "```python\ndef at_defenders(") {
		t.Errorf("%+v", others)
	}
	without := must.Get(data(t, chapter.Settings{gridParameter.Name: s.params.String()}))
	if fmt.Sprint(frontOf(without).Values) != fmt.Sprint(frontOf(s).Values) {
		t.Error("an added program changes the front page")
	}
}

// TestAddedFault: the fault of a program is that of the setting, whichever page finds it.
func TestAddedFault(t *testing.T) {
	// The example of the page is not on the map.
	s, err := withPrograms(t, chapter.NamedText{Name: "rash.star", Text: "def at_defenders(n, s, d, wave, N, S, D):\n" +
		"    return N + 1 if (n, s, d) == (10, 43, 8) else min(N, D)\n"})
	if err == nil {
		err = chaptertest.Stops(func() { comparedPage(t.Context(), s) })
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

// TestPrograms: the value of the parameter has one form, and what is no list of programs is refused.
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
	many := "[" + strings.Repeat(`{"file":"a.star","text":""},`, maxAdded) + `{"file":"a.star","text":""}]`
	for bad, want := range map[string]string{
		"[]": "0 programs", "[{}]": `"": the name of a program`, value + "x": "behind the list",
		"{}": "no list of programs", many: "11 programs", `[{"file":"../a.star","text":""}]`: "rename the file",
		`[{"file":"a.star","text":"","more":1}]`: "unknown field", strings.ReplaceAll(value, "b.star",
			"A.star"): "named twice",
	} {
		if _, err := algorithmParameter.File.Read(bad); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v, want %s", bad, err, want)
		}
	}
	if fence := fenced("a ``` b ```` c"); !strings.HasPrefix(fence, "`````python\n") ||
		!strings.HasSuffix(fence, "\n`````") {
		t.Error(fence)
	}
}
