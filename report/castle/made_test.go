package castle

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
)

const madeGrid = "soldiers=9,castle=1:40,defenders=1:20"

// smallSurvey is a survey that a build can make itself.
func smallSurvey(t *testing.T) game.Survey {
	t.Helper()
	v, err := game.NewSurvey(
		t.Context(), span2(1, 9), span2(1, 30), span2(1, 20),
		game.SurveyOptions{Effort: game.Effort{Steps: game.SurveySteps}},
	)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// huge is a survey of 2 * 10^12 battles, which is known without computing: one soldier against one or more defenders a
// wave wins if the castle takes one hit, and in no other battle. The checksum is any.
func huge() game.Survey {
	const castles, defenders = 2_000_000, 1_000_000
	v := game.Survey{Soldiers: span2(1, 1), Castle: span2(1, castles), Defenders: span2(1, defenders)}
	v.Battles, v.Winnable, v.MinWaves = castles*defenders, defenders, map[int64]int64{1: defenders}
	for _, name := range []string{"exact", "castle-first", "exact-by-root"} {
		v.Algorithms = append(
			v.Algorithms, game.Tally{Name: name, Battles: v.Battles, Right: v.Battles, RightWinnable: v.Winnable},
		)
	}
	v.Algorithms = append(v.Algorithms, game.Tally{Name: "search", Battles: 36 * 24, Right: 36 * 24, RightWinnable: 24})
	return v
}

// TestMadeSurvey: a survey that is handed over gives the same numbers as the one that is made here, and the page says
// where it comes from.
func TestMadeSurvey(t *testing.T) {
	made := smallSurvey(t)
	text := strings.ReplaceAll(mustJSON(t, made), ",", ",\n\t") // as another program may write it
	value, err := surveyParameter.Normal(text)
	if err != nil || value != line(made) {
		t.Fatalf("%v, %s", err, value)
	}
	for _, normal := range []func(string) (string, error){surveyParameter.Normal, surveyParameter.File.Read} {
		if again, err := normal(value); err != nil || again != value {
			t.Errorf("%v, %s", err, again)
		}
	}
	_, here := built(t, chapter.Settings{"grid": madeGrid, "survey": "soldiers=1:9,castle=1:30,defenders=1:20"})
	pages, there := built(t, chapter.Settings{"grid": madeGrid, "survey": value})
	for name, data := range here {
		if name != "castle-compared.html" && name != "SHA256SUMS" && !strings.HasSuffix(name, ".html") &&
			string(there[name]) != string(data) {
			t.Errorf("%s differs", name)
		}
	}
	if string(there[surveyFile.Kept[0]]) != value {
		t.Errorf("the page offers %s", there[surveyFile.Kept[0]])
	}
	page := string(there["castle-compared.html"])
	sum := surveyParameter.Shown(value)
	for _, want := range []string{"were computed elsewhere", sum, "computed all of its battles again, and every " +
		"number is the same", "siegebook survey castle --soldiers 1:9 --castle 1:30 --defenders 1:20 --json"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if strings.Contains(string(here["castle-compared.html"]), "computed elsewhere") ||
		pages["castle-compared"].Values["checksum"] != made.Checksum.String() {
		t.Error("the pages mistake where the surveys come from")
	}
	if !strings.HasPrefix(sum, chapter.Sum) || len(sum) != len(chapter.Sum)+64 ||
		surveyParameter.Shown("grid") != "grid" || gridParameter.Shown("{}") != "{}" {
		t.Errorf("shown as %s", sum)
	}
}

// TestHugeSurvey: a survey of more battles than anybody can count is compared, and checked by drawing.
func TestHugeSurvey(t *testing.T) {
	v := huge()
	_, tree := built(t, chapter.Settings{"grid": madeGrid, "survey": line(v)})
	page := string(tree["castle-compared.html"])
	for _, want := range []string{"2,000,000,000,000 battles", "65,536 that were drawn at random", "--algorithms " +
		"exact,castle-first,exact-by-root,search --json"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	said, err := surveyFile.Recheck(t.Context(), line(v), 7)
	if err != nil ||
		said != "of 2,000,000,000,000 battles 0 that the survey names, 0 right before its first errors, and 1,048,576 "+
			"that were drawn at random, with the seed 7" {
		t.Errorf("%s, %v", said, err)
	}
}

// TestWrongSurveys: a survey that cannot be right is refused by the parameter, by the build, or by a check.
func TestWrongSurveys(t *testing.T) {
	for name, test := range map[string]struct {
		survey    game.Survey
		change    func(*game.Survey)
		built     string // the error of the build, "" for none
		rechecked string // that of a check
	}{
		"errors that there are": {huge(), func(v *game.Survey) {
			v.Algorithms[0].Right--
			v.Algorithms[0].WrongSide++
			v.Algorithms[0].First.WrongSide = &game.Battle{Soldiers: 1, CastleHits: 2, DefendersPerWave: 1}
		}, "exact: the first battle with wrong_side is said to be (1, 2, 1), which is right", "exact: the first"},
		"more than there are": {huge(), func(v *game.Survey) {
			v.Winnable *= 100_000
			v.MinWaves[1] *= 100_000
		}, "winnable: said of 100000000000 of 2000000000000 battles", "winnable: said of"},
		"part of a grid": {
			huge(), func(v *game.Survey) { v.Castle.Last++ }, "not all the 2000001000000 of the grid",
			"not all the",
		},
		"unknown": {huge(), func(v *game.Survey) { v.Algorithms[1].Name = "guess" }, `algorithm "guess": ` +
			`unknown here`, `algorithm "guess": unknown here`},
		"checksum": {
			smallSurvey(t), func(v *game.Survey) { v.Checksum++ }, "checksum is said to be ",
			"checksum is said to be ",
		},
		"a few less": {smallSurvey(t), func(v *game.Survey) {
			v.Algorithms[1].Right++
			v.Algorithms[1].WrongSide--
		}, "castle-first: right is said to be ", "castle-first: right is said to be "},
	} {
		t.Run(name, func(t *testing.T) {
			v := test.survey
			test.change(&v)
			_, err := chapterData(t.Context(), chapter.Settings{"grid": madeGrid, "survey": line(v)})
			var setting *chapter.SettingError
			if refused := errors.As(err, &setting); refused != (test.built != "") || err != nil && !refused ||
				refused && (setting.Name != "survey" || !strings.Contains(err.Error(), test.built)) {
				t.Errorf("the build: %v, want %q", err, test.built)
			}
			for seed := range uint64(2) {
				if said, err := surveyFile.Recheck(t.Context(), line(v), seed); err == nil ||
					!strings.Contains(err.Error(), test.rechecked) {
					t.Errorf("the check: %s, %v, want %q", said, err, test.rechecked)
				}
			}
		})
	}
	for text, want := range map[string]string{
		"{":                        "no survey of castle games: unexpected EOF",
		"{}":                       `no survey of castle games: survey: member "algorithms": is missing`,
		`{"games":1}`:              `unknown field "games"`,
		" \n{\"a\":1}":             `unknown field "a"`,
		line(smallSurvey(t))[:200]: "unexpected EOF",
		strings.Replace(line(smallSurvey(t)), `"right":`, `"right":1`, 1): "must be",
	} {
		for _, read := range []func(string) (string, error){surveyParameter.Normal, surveyFile.Read} {
			if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%.50q: %v, want %q", text, err, want)
			}
		}
	}
	if _, err := surveyFile.Read("soldiers=1"); err == nil {
		t.Error("the name of battles is read from a file")
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := fmt.Errorf("enough")
	cancel(enough)
	if err := (&survey{}).take(ctx, madeSurvey{Survey: huge()}); !errors.Is(err, enough) {
		t.Error(err)
	}
}
