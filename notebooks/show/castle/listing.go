//go:build !wasip1

package castle

import (
	"io"
	"os"
	"strings"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/notebooks/show"
	pictures "github.com/siegebook/siegebook/report/siegebook/pictures/castle"
)

// CompareListing tests a listing: a program in Python's syntax that defines at_defenders. See package analysis/listing,
// and CastleSignature in analysis/listing/games. The listing is given either as text or as the name of a file that ends
// in .star:
//
//	view.CompareListing(view.Plane(24, "1:96", "1:60"), "mine.star")
//
// It ends the cell if the file cannot be read, if the text is not such a program, or if [CompareAlgorithm] ends the
// cell.
func CompareListing(p pictures.Plane, textOrFile string) {
	name, text := "listing", []byte(textOrFile)
	if strings.HasSuffix(textOrFile, ".star") && !strings.Contains(textOrFile, "\n") {
		file, err := os.Open(textOrFile)
		if err == nil {
			defer file.Close()
			name = textOrFile
			text, err = io.ReadAll(io.LimitReader(file, int64(listing.DefaultLimits.Text)+1))
		}
		if err != nil {
			show.Fail("%v; name a file that can be read", err)
		}
	}
	l, err := listing.Read(name, text, games.CastleSignature, listing.Limits{})
	if err != nil {
		show.Fail("%v", err)
	}
	CompareAlgorithm(p, games.Castle(l))
}
