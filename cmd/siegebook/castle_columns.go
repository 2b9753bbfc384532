package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
)

const columnsHelp = `The columns are

    soldiers, castle_hits, defenders_per_wave            the battle
    min_waves                                            the soldiers' fewest waves
    castle_min_waves                                     the castle's, if no shot is wasted
    castle_first_winner, castle_first_waves              the battle of one heuristic
    defenders_first_winner, defenders_first_waves        the battle of the other
    published_waves                                      the formula of the posts, as printed

A winner is soldiers, castle or tie. Waves are empty where a side cannot win, and ? where --max-steps did not suffice; a tie's are
those up to the one that changes nothing.`

// castleColumn is a column of the CSV.
type castleColumn int

const (
	columnSoldiers castleColumn = iota
	columnCastleHits
	columnDefendersPerWave
	columnMinWaves
	columnCastleMinWaves
	columnCastleFirstWinner
	columnCastleFirstWaves
	columnDefendersFirstWinner
	columnDefendersFirstWaves
	columnPublishedWaves
)

// castleColumnNames are the names in the order in which the columns are printed by default.
func castleColumnNames() []string {
	return []string{
		"soldiers", "castle_hits", "defenders_per_wave", "min_waves", "castle_min_waves",
		"castle_first_winner", "castle_first_waves", "defenders_first_winner", "defenders_first_waves",
		"published_waves",
	}
}

// castleColumns are the columns to print, in order; nil means all.
type castleColumns []castleColumn

func (c *castleColumns) UnmarshalText(text []byte) error {
	names := castleColumnNames()
	columns := castleColumns{}
	for name := range strings.SplitSeq(string(text), ",") {
		column := castleColumn(slices.Index(names, name))
		if column < 0 {
			return fmt.Errorf("column %q: unknown, choose among %s", name, strings.Join(names, ","))
		}
		if slices.Contains(columns, column) {
			return fmt.Errorf("column %q: named twice, name it once", name)
		}
		columns = append(columns, column)
	}
	*c = columns
	return nil
}

// castleRows turns battles into rows of CSV. It keeps nothing from row to row, so all cores may use the same one.
type castleRows struct {
	columns  castleColumns
	maxSteps int64
	// Which battles the columns ask for.
	castleFirst, defendersFirst bool
}

func newCastleRows(columns castleColumns, maxSteps int64) castleRows {
	if columns == nil {
		for column := range castleColumnNames() {
			columns = append(columns, castleColumn(column))
		}
	}
	has := func(column castleColumn) bool { return slices.Contains(columns, column) }
	return castleRows{
		columns: columns, maxSteps: maxSteps,
		castleFirst:    has(columnCastleFirstWinner) || has(columnCastleFirstWaves),
		defendersFirst: has(columnDefendersFirstWinner) || has(columnDefendersFirstWaves),
	}
}

// header returns the first row.
func (r castleRows) header() string {
	names := castleColumnNames()
	header := make([]string, len(r.columns))
	for i, column := range r.columns {
		header[i] = names[column]
	}
	return strings.Join(header, ",") + "\n"
}

// append appends the row of a battle.
func (r castleRows) append(row []byte, b castle.Battle) []byte {
	var castleFirst, defendersFirst played
	if r.castleFirst {
		castleFirst = play(b, castle.CastleFirst, r.maxSteps)
	}
	if r.defendersFirst {
		defendersFirst = play(b, castle.DefendersFirst, r.maxSteps)
	}
	for _, column := range r.columns {
		switch column {
		case columnSoldiers:
			row = strconv.AppendInt(row, b.Soldiers, 10)
		case columnCastleHits:
			row = strconv.AppendInt(row, b.CastleHits, 10)
		case columnDefendersPerWave:
			row = strconv.AppendInt(row, b.DefendersPerWave, 10)
		case columnMinWaves:
			row = appendWaves(row, b.MinWaves())
		case columnCastleMinWaves:
			row = appendWaves(row, b.CastleMinWaves())
		case columnCastleFirstWinner:
			row = castleFirst.appendWinner(row)
		case columnCastleFirstWaves:
			row = castleFirst.appendWaves(row)
		case columnDefendersFirstWinner:
			row = defendersFirst.appendWinner(row)
		case columnDefendersFirstWaves:
			row = defendersFirst.appendWaves(row)
		case columnPublishedWaves:
			if waves, _, ok := b.Published(); ok {
				row = appendWhole(row, waves)
			}
		}
		row = append(row, ',')
	}
	row[len(row)-1] = '\n'
	return row
}

// played is how a battle ends, Undecided if it was broken off.
type played struct {
	winner castle.Winner
	waves  int64
}

// play plays a battle for at most so many steps, which are runs of equal waves.
func play(b castle.Battle, strategy castle.Strategy, maxSteps int64) played {
	var last castle.Run
	for last = range b.Runs(strategy) {
		if maxSteps--; maxSteps == 0 {
			break
		}
	}
	return played{last.Winner, last.Last}
}

func (p played) appendWinner(row []byte) []byte {
	if p.winner == castle.Undecided {
		return append(row, '?')
	}
	return append(row, p.winner.String()...)
}

func (p played) appendWaves(row []byte) []byte {
	if p.winner == castle.Undecided {
		return append(row, '?')
	}
	return strconv.AppendInt(row, p.waves, 10)
}

// appendWaves appends a number of waves, nothing for 0: that side cannot win.
func appendWaves(row []byte, waves int64) []byte {
	if waves == 0 {
		return row
	}
	return strconv.AppendInt(row, waves, 10)
}

// appendWhole appends a whole number held in a float64, all its digits and no exponent.
func appendWhole(row []byte, whole float64) []byte {
	if math.Abs(whole) < 1<<53 {
		return strconv.AppendInt(row, int64(whole), 10)
	}
	return strconv.AppendFloat(row, whole, 'f', 0, 64)
}
