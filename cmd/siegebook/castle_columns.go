package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/rows"
)

// castleColumn is a column of a sweep: a number of the battle, or what an algorithm says of it.
type castleColumn struct {
	rows.Column
	number    func(castle.Battle) int64      // of the battle
	algorithm string                         // whose answer it shows, "" if it is a number of the battle
	says      func(castle.Answer) rows.Value // what it shows of that
}

func whoWins(a castle.Answer) rows.Value { return rows.Choice(int(a.Winner)) }

func inWaves(a castle.Answer) rows.Value {
	if a.Waves > 0 {
		return rows.Int(a.Waves)
	}
	return rows.Absent // that side cannot win
}

func inRoundedWaves(a castle.Answer) rows.Value {
	if a.Rounded() {
		return rows.Real(a.InFloat)
	}
	return rows.Absent
}

// castleTable is all columns, in the order in which they are printed by default.
func castleTable() []castleColumn {
	table := []castleColumn{
		{Column: rows.Column{Name: "soldiers"}, number: func(b castle.Battle) int64 { return b.Soldiers }},
		{Column: rows.Column{Name: "castle_hits"}, number: func(b castle.Battle) int64 { return b.CastleHits }},
		{Column: rows.Column{Name: "defenders_per_wave"}, number: func(b castle.Battle) int64 { return b.DefendersPerWave }},
	}
	for _, a := range sweptAlgorithms() {
		table = append(table, columnsOf(a)...)
	}
	return table
}

// sweptAlgorithms are those that a sweep has columns of: all but the checks, which take more time to say the same.
func sweptAlgorithms() []castle.Algorithm {
	return castle.AlgorithmsOf(castle.Exact, castle.Heuristic, castle.Formula)
}

// columnsOf returns the columns of an algorithm, as its question has it.
func columnsOf(a castle.Algorithm) []castleColumn {
	prefix := a.Column
	if prefix == "" {
		prefix = strings.ReplaceAll(a.Name, "-", "_")
	}
	wavesColumn := castleColumn{Column: rows.Column{Name: prefix + "_waves", Gaps: rows.Absences}, algorithm: a.Name, says: inWaves}
	switch a.Question {
	case castle.PlaysLine:
		// A line that is played to its end has a winner and waves, and who wins is not known of one that is not.
		winner := castleColumn{Column: rows.Column{Name: prefix + "_winner", Type: rows.Name, Gaps: rows.Unknowns}, algorithm: a.Name, says: whoWins}
		wavesColumn.Gaps = rows.Unknowns
		for _, w := range castle.Winners() {
			winner.Names = append(winner.Names, w.String())
		}
		return []castleColumn{winner, wavesColumn}
	case castle.SoldiersFewest, castle.CastleFewest:
		if a.Kind == castle.Formula {
			wavesColumn.Type, wavesColumn.says = rows.Float, inRoundedWaves
		}
		return []castleColumn{wavesColumn}
	}
	return nil
}

// columnsHelp says what the columns are.
func columnsHelp() string {
	var text strings.Builder
	text.WriteString("The columns are\n\n")
	line := func(columns []castleColumn, says string) {
		fmt.Fprintf(&text, "    %-52s %s\n", strings.Join(columnNames(columns), ", "), says)
	}
	line(castleTable()[:3], "the battle")
	for _, a := range sweptAlgorithms() {
		says := map[castle.Question]string{
			castle.SoldiersFewest: "the soldiers' fewest waves",
			castle.CastleFewest:   "the castle's, if no shot is wasted",
			castle.PlaysLine:      "the battle of " + a.Title,
		}[a.Question]
		if a.Kind == castle.Formula {
			says += " by the " + a.Title
		}
		line(columnsOf(a), says)
	}
	text.WriteString(`
A winner is soldiers, castle or tie. Waves are empty where a side cannot win, and ? where --max-steps did not suffice; a tie's are
those up to the one that changes nothing.`)
	return text.String()
}

func columnNames(columns []castleColumn) []string {
	names := make([]string, len(columns))
	for i, column := range columns {
		names[i] = column.Name
	}
	return names
}

// castleColumns are the columns to print, in order; nil means all.
type castleColumns []castleColumn

func (c *castleColumns) UnmarshalText(text []byte) error {
	table := castleTable()
	columns := castleColumns{}
	for name := range strings.SplitSeq(string(text), ",") {
		named := func(column castleColumn) bool { return column.Name == name }
		at := slices.IndexFunc(table, named)
		if at < 0 {
			return fmt.Errorf("column %q: unknown, choose among %s", name, strings.Join(columnNames(table), ","))
		}
		if slices.ContainsFunc(columns, named) {
			return fmt.Errorf("column %q: named twice, name it once", name)
		}
		columns = append(columns, table[at])
	}
	*c = columns
	return nil
}
