package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/shard"
)

// forged makes a folder with one shard, whose file is whole, whatever is in it.
func forged(t *testing.T, recipe shard.Recipe, version, ending, content string) string {
	t.Helper()
	mark := shard.Mark{Recipe: recipe, Version: version}
	folder := shard.Folder{Dir: filepath.Join(t.TempDir(), "forged"), Mark: mark, Parts: 1, Ending: ending}
	err := folder.Write(shard.Part{Number: 1, Of: 1}, func(w io.Writer, mark shard.Mark) error {
		_, err := fmt.Fprintf(w, content, inJSON(mark), shard.NoSum)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return folder.Dir
}

// TestForeignShards: shards that are whole, but are not what they say, or say what cannot be, are refused in one line.
func TestForeignShards(t *testing.T) {
	const (
		ranges  = `"soldiers":"1:2","castle_hits":"1","defenders_per_wave":"1"`
		columns = `"columns":"soldiers,min_waves","max_steps":100000000`
		sweep   = `{` + ranges + `,` + columns + `}`
		survey  = `{` + ranges + `,"algorithms":"exact"}`
		seal    = "# {\"siegebook.shard\":%s,\"siegebook.sha256\":\"%s\"}\n"
		sum     = "\"siegebook.shard\":%s,\"siegebook.sha256\":\"%s\"}\n"
		one     = "soldiers,min_waves\n1,1\n"
	)
	surveyOf := func(soldiers string) string {
		args := "survey castle --castle-hits 1 --defenders-per-wave 1 --algorithms exact --json --soldiers " + soldiers
		return strings.TrimSpace(mustRun(t, "", strings.Fields(args)...))
	}
	const refused = "which cannot be merged: "
	for _, test := range []struct {
		command, arguments, version, ending, content string
		code                                         int
		want                                         string
	}{
		{sweepName, sweep, "", "csv", one + "2,1\n" + seal, exitDone, ""},
		{surveyName, survey, "", "json", `{"siegebook.found": ` + surveyOf("1:2") + "," + sum, exitDone, ""},
		{
			sweepName, sweep, "v0.0.1", "csv", one + "2,1\n" + seal, exitUsage,
			"its shards are by siegebook v0.0.1, and this is ",
		},
		{"rm -r /", "{}", "", "csv", seal, exitUsage, "its shards are of siegebook rm -r /, " + refused +
			`"rm -r /" is no command that has shards`},
		{"", "{}", "", "csv", seal, exitUsage, refused + `"" is no command`},
		{"sweep", "{}", "", "csv", seal, exitUsage, refused + `"sweep" is no command`},
		{"solve castle", `{"soldiers":10}`, "", "csv", seal, exitUsage, refused + `"solve castle" is no command`},
		{"merge", "{}", "", "csv", seal, exitUsage, refused + `"merge" is no command`},
		{sweepName, "{}", "", "csv", seal, exitUsage, refused},
		{sweepName, `[]`, "", "csv", seal, exitUsage, refused},
		{sweepName, `{"soldiers":"0","castle_hits":"1","defenders_per_wave":"1"}`, "", "csv", seal, exitUsage, refused +
			`"0": too small`},
		{sweepName, `{"soldiers":7}`, "", "csv", seal, exitUsage, refused + "json: "},
		{sweepName, `{"out":"x"}`, "", "csv", seal, exitUsage, refused + "json: unknown field"},
		{sweepName, `{` + columns + `,` + ranges + `}`, "", "csv", seal, exitUsage, "it would be written as {" +
			ranges + ","},
		{
			sweepName, strings.Replace(strings.Replace(sweep, "1:2", "1:9000000000000000000", 1), `"1"`, `"1:9"`, 1),
			"", "csv", seal, exitUsage, "take smaller ranges",
		},
		{surveyName, "{}", "", "json", seal, exitUsage, refused},
		{"measure naval", "{}", "", "json", seal, exitUsage, refused},
		{sweepName, sweep, "", "csv", one + seal, exitFailed, "part-1-of-1.csv: it should have 2 rows, and has not"},
		{
			sweepName, sweep, "", "csv", one + "2,1\n3,1\n" + seal, exitFailed,
			"part-1-of-1.csv: it should have 2 rows, and has not",
		},
		{
			sweepName, sweep, "", "csv", "soldiers,published_waves\n1,1\n2,1\n" + seal,
			exitFailed, "the columns are not soldiers,min_waves",
		},
		{sweepName, sweep, "", "parquet", "PAR1" + seal + "PAR1", exitFailed, "part-1-of-1.parquet: cannot be read: "},
		{
			surveyName, survey, "", "json", `{"siegebook.found": ` + surveyOf("1:3") + "," + sum,
			exitFailed, "part-1-of-1.json: it is a survey of other battles",
		},
		{surveyName, survey, "", "json", `{"siegebook.found": {},` + sum, exitFailed, "part-1-of-1.json: survey: "},
		{
			surveyName, survey, "", "json", `{"siegebook.lost": {},` + sum, exitFailed,
			`it has no member "siegebook.found"`,
		},
		{surveyName, survey, "", "json", seal, exitFailed, "part-1-of-1.json: "},
	} {
		version := cmp.Or(test.version, ownVersion())
		folder := forged(t, shard.Recipe{Command: test.command, Arguments: test.arguments}, version, test.ending,
			test.content)
		code, stdout, stderr := siegebook(t.Context(), "", "merge", folder)
		quiet := (stderr == "") == (code == exitDone) && strings.Count(stderr, "\n") <= 1
		if code != test.code || !strings.Contains(stderr, test.want) || !quiet {
			t.Errorf("%s %s: exit code %d, %q, want %d, %q", test.command, test.arguments, code, stderr, test.code,
				test.want)
		}
		if code != exitDone && strings.Contains(stdout, "{") {
			t.Errorf("%s: printed %q", test.command, stdout)
		}
	}
}

// TestStretches: shards that follow each other are summed up.
func TestStretches(t *testing.T) {
	var lacking []lack
	for _, number := range []int64{1, 3, 4, 5, 9, 11, 12} {
		lacking = append(lacking, lack{Part: shard.Part{Number: number, Of: 20}})
	}
	if got := stretches(lacking); got != "1, 3-5, 9, 11-12" {
		t.Error(got)
	}
}

func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{
		"": "''", "a/b-c_1.x": "a/b-c_1.x", "a b": "'a b'", "$x": "'$x'",
		"it's": `'it'\''s'`, "é": "'é'", "~": "'~'",
	} {
		if got := quoted(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
