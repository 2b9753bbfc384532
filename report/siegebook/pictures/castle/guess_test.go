package castle

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/pictures"
)

// TestGuessTold checks that after the answer, a line has a score, a comparison with the score in a link, and a link for
// other readers.
func TestGuessTold(t *testing.T) {
	const right, wrong = "8.8.8.8.5.4.3.3.3.3.3.3", "8.8.8.8.5.4.4.3.3.3.3.3" // 1 of 96 cells is wrong
	for settings, want := range map[string]string{
		"line=" + right + "&seen=yes":          "Your score: 100 of 100. Who",
		"line=" + wrong + "&seen=yes":          "Your score: 98 of 100. Who",
		"line=" + wrong + "&seen=yes&beat=97":  "Your score: 98 of 100. You beat 97. Who",
		"line=" + wrong + "&seen=yes&beat=98":  "Your score: 98 of 100. The score to beat is 98. Who",
		"line=" + wrong + "&seen=yes&beat=100": "Your score: 98 of 100. The score to beat is 100. Who",
	} {
		view := must.Get(Guess().See(must.Get(Guess().Parse("n=4&" + settings))))
		told := view.Parts[len(view.Parts)-1].Text
		if len(told) != 3 || !strings.HasPrefix(told[0].Text, want) {
			t.Fatalf("%s: %v, want %s", settings, told, want)
		}
		link := pictures.Values{"n": "4", "beat": strings.Fields(want)[2]}
		if diff := cmp.Diff(link, told[1].Link); diff != "" {
			t.Errorf("%s: the link: -want +got:\n%s", settings, diff)
		}
	}
	for _, beat := range []string{"101", "-1", "x"} {
		_, err := Guess().See(must.Get(Guess().Parse("n=4&beat=" + beat)))
		must.ErrorContains(t, err, "must be a score from 0 to 100")
	}
}
