package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/pictures"
)

func poseTo(t *testing.T, name, settings, do string) pictures.View {
	t.Helper()
	reply, err := engine.Module.See(name, settings, do, pictures.Hand{})
	if err != nil {
		t.Fatalf("%s %s, %s: %v", name, settings, do, err)
	}
	var got pictures.View
	must.Do(t, json.Unmarshal([]byte(reply.Text), &got))
	return got
}

// TestExercises: the right answers are judged right and all others wrong, for the numbers of the page and for others,
// which stay within their bounds; no reply has an answer before it is given.
func TestExercises(t *testing.T) {
	exercises := 0
	for _, p := range engine.Module.Pictures {
		if p.Exercise == nil {
			continue
		}
		exercises++
		random := rand.New(rand.NewPCG(5, uint64(len(p.Name))))
		settings := ""
		for range 40 {
			values, err := p.Values(settings)
			if err != nil {
				t.Fatalf("%s: %v", p.Name, err)
			}
			problem := p.Exercise.Pose(values)
			first := poseTo(t, p.Name, settings, "")
			for i, ask := range first.Parts[1].Form.Asks {
				if ask.Verdict != "" || ask.Given != "" {
					t.Errorf("%s %s: %q is judged before it is answered: %+v", p.Name, settings, problem.Asks[i].Label,
						ask)
				}
			}
			for i, ask := range problem.Asks {
				for _, off := range []int64{0, 1, -1, 1 + random.Int64N(50)} {
					given := make([]string, len(problem.Asks))
					given[i] = fmt.Sprintf(" %d", ask.Answer+off)
					field := poseTo(t, p.Name, settings, "answer "+strings.Join(given, ";")).Parts[1].Form.Asks[i]
					if field.Right != (off == 0) || strings.HasPrefix(field.Verdict, "✓") != (off == 0) {
						t.Errorf("%s %s: %s is %d, and %d is judged %+v", p.Name, settings, ask.Label, ask.Answer,
							ask.Answer+off, field)
					}
				}
			}
			settings = ""
			for name, value := range p.Exercise.Other(random.Uint64() >> 11) {
				settings += "&" + name + "=" + value
			}
			settings = settings[1:]
		}
		solved := poseTo(t, p.Name, "help=solution", "")
		if len(solved.Parts) != 4 || len(solved.Parts[3].Text) == 0 || solved.Say == "" {
			t.Errorf("%s: its solution is not shown: %+v", p.Name, solved)
		}
		other := poseTo(t, p.Name, "help=hint&answer=1", "other 12345")
		if other.Set["answer"] != "" || other.Set["help"] != "" || len(other.Set) < 3 {
			t.Errorf("%s: with other numbers its values are %v", p.Name, other.Set)
		}
		for _, do := range []string{"answer one", "answer", "answer 1.5", "answer 99999999999999999999", "dance"} {
			if got := poseTo(t, p.Name, "", do); got.Notice == "" || strings.Contains(got.Notice, "\n") {
				t.Errorf("%s: %q is told %q", p.Name, do, got.Notice)
			}
		}
	}
	if exercises < 12 {
		t.Errorf("only %d exercises", exercises)
	}
}
