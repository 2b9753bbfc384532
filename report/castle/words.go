package castle

import (
	"strconv"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// outcome writes the end of a line of play for a narrow column: "soldiers in 4".
func outcome(w game.Winner, waves int64) string {
	switch w {
	case game.Soldiers:
		return "soldiers in\u00a0" + strconv.FormatInt(waves, 10)
	case game.Castle:
		return "castle in\u00a0" + strconv.FormatInt(waves, 10)
	default:
		return "tie"
	}
}

// sentenceCase begins a title with a capital letter.
func sentenceCase(title string) string { return strings.ToUpper(title[:1]) + title[1:] }

// waves writes a number of waves.
func waves(n int64) string { return content.Counted(n, "wave", "waves") }

// triple writes a battle for prose and tables, unbroken: (10, 43, 8).
func triple(b game.Battle) string { return chapter.NoBreak(b.String()) }
