package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/rows"
)

// The keys of a recipe. They are read by others, so they stay as they are.
const (
	recipeVersion = "siegebook.version" // of the program
	recipeCommand = "siegebook.command" // that gives the rows, with all that they depend on
	recipeGrid    = "siegebook.grid"    // the ranges, a JSON object
	recipeColumns = "siegebook.columns" // a JSON array of recipeColumn
)

// recipeColumn is a column in a recipe.
type recipeColumn struct {
	Name string `json:"name"`
	Null string `json:"null,omitempty"` // what a row without a value means: "absent" or "unknown"; "" if each has one
}

// recipe says how a sweep's rows come about. What does not change them is not in it: the name of the file, and how much
// memory may be spent.
func (c *sweepCastle) recipe() map[string]string {
	columns := c.Columns
	if columns == nil {
		columns = castleTable()
	}
	described := make([]recipeColumn, len(columns))
	for i, column := range columns {
		null := map[rows.Gaps]string{rows.NoGaps: "", rows.Absences: "absent", rows.Unknowns: "unknown"}[column.Gaps]
		described[i] = recipeColumn{column.Name, null}
	}
	soldiers, castle, defenders := grid.Range(c.Soldiers), grid.Range(c.Castle), grid.Range(c.Defenders)
	return map[string]string{
		recipeVersion: command.Version("siegebook"),
		recipeCommand: fmt.Sprintf("siegebook sweep castle --soldiers %v --castle %v --defenders %v --columns %s --max-steps %d",
			soldiers, castle, defenders, strings.Join(columnNames(columns), ","), c.MaxSteps),
		recipeGrid: inJSON(struct {
			Soldiers  string `json:"soldiers"`
			Castle    string `json:"castle_hits"`
			Defenders string `json:"defenders_per_wave"`
		}{soldiers.String(), castle.String(), defenders.String()}),
		recipeColumns: inJSON(described),
	}
}

// inJSON returns the JSON text of a value of texts alone, which always has one.
func inJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}
