package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/rows"
)

// foreignEndings are those of names that promise another format than the ones we write, or a compressed file.
var foreignEndings = []string{
	".arrow", ".avro", ".feather", ".json", ".jsonl", ".ndjson", ".ods", ".orc", ".parq", ".pq", ".tsv", ".xls", ".xlsx",
	".bz2", ".gz", ".lz4", ".xz", ".zip", ".zst",
}

// tableFormat returns the format of a table in a file: Parquet with a recipe if its name ends with .parquet, else CSV.
// A name that promises something else is refused.
func tableFormat(name string, recipe func() map[string]string) (rows.Format, error) {
	ending := strings.ToLower(filepath.Ext(name))
	switch {
	case ending == ".parquet":
		metadata := recipe()
		return rows.Parquet{Program: "siegebook", Version: metadata[recipeVersion], Metadata: metadata}, nil
	case slices.Contains(foreignEndings, ending):
		return nil, usagef("--out %s: %s is no format that is written here, end the name with .csv or .parquet", name, ending)
	}
	return rows.CSV{}, nil
}
