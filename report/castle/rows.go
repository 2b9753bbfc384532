package castle

import (
	"context"
	"fmt"
	"strconv"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
)

// maxRows bounds the rows of a download. Beyond it, a map offers its grid instead, and a sweep has the rows.
const maxRows = 250_000

// rowsHeader names the columns of tidy rows, the battle as a sweep does.
var rowsHeader = []string{"soldiers", "castle_hits", "defenders_per_wave", "algorithm", "winner", "waves", "verdict"}

// tidyRows has a row for each battle of the maps with an algorithm's answer: who wins, in how many waves where the
// answer says so, and how that compares with the exact answer. It has no header if the grid has too many battles.
func (s *survey) tidyRows(ctx context.Context, a algorithmMap) (content.Records, error) {
	if len(a.verdicts) > maxRows {
		return content.Records{}, nil
	}
	soldiers := strconv.FormatInt(s.params.Soldiers, 10)
	records := content.Records{Header: rowsHeader}
	for cell, verdict := range a.verdicts {
		b := s.battle(cell)
		answer, asked, err := ask(ctx, a.Algorithm, b)
		if err != nil {
			return content.Records{}, err
		}
		winner, waves := "", ""
		if asked {
			winner = answer.Winner.String()
		}
		switch {
		case answer.Rounded():
			waves = strconv.FormatFloat(answer.InFloat, 'f', -1, 64)
		case answer.Waves > 0:
			waves = strconv.FormatInt(answer.Waves, 10)
		}
		records.Rows = append(records.Rows, []string{
			soldiers, strconv.FormatInt(b.CastleHits, 10), strconv.FormatInt(b.DefendersPerWave, 10), a.Name, winner, waves, verdict.String(),
		})
	}
	return records, nil
}

// rowsText says which rows the maps' downloads hold.
func (s *survey) rowsText() string {
	cells := chapter.Thousands(len(s.minWaves))
	if len(s.minWaves) > maxRows {
		return fmt.Sprintf("A row for each battle and algorithm is more than a page should carry: for %s battles take `siegebook sweep castle`.", cells)
	}
	return fmt.Sprintf("A row for each battle and algorithm, as CSV, is below each map of %s: %s rows each.", `[that page](castle-agreement.html)`, cells)
}
