package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"fmt"
	"html/template"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
)

// leagueCastle is "siegebook league castle".
type leagueCastle struct {
	Folder           string `arg:"" json:"-"`
	Soldiers         span   `json:"soldiers" default:"1:20" placeholder:"A:B"`
	CastleHits       span   `json:"castle_hits" default:"1:40" aliases:"castle" placeholder:"A:B"`
	DefendersPerWave span   `json:"defenders_per_wave" default:"1:20" aliases:"defenders" placeholder:"A:B"`
	Out              string `json:"-" placeholder:"FILE|-"`
	jsonFlag         `embed:""`
}

// leagueRow is a listing of the league.
type leagueRow struct {
	place       int // 0 if it is at fault
	file, title string
	tally       castle.Tally
	fault       string // why it has no place
}

// league is the answer of "siegebook league castle".
type league struct {
	command *leagueCastle
	survey  castle.Survey
	rows    []leagueRow
}

// Run surveys the listings of a folder, each for itself: one that is at fault is no fault of the others.
func (c *leagueCastle) Run(ctx context.Context, s streams) error {
	files, err := filepath.Glob(filepath.Join(escaped(c.Folder), "*"+listingEnding))
	if err == nil && len(files) == 0 {
		if _, err = os.ReadDir(c.Folder); err == nil {
			err = usagef("%s: holds no file that ends in %s, put the listings there", c.Folder, listingEnding)
		}
	}
	if err != nil {
		return usagef("the folder of the league: %w", err)
	}
	format := strings.ToLower(filepath.Ext(c.Out))
	if !isStdout(c.Out) && !slices.Contains([]string{".csv", ".html", ".txt", ".json"}, format) {
		return usagef("--out %s: write a name that ends in .csv, .html, .json or .txt", c.Out)
	}
	l := league{command: c}
	for _, file := range files {
		row := leagueRow{file: filepath.Base(file)}
		if row.title, row.tally, err = l.judge(ctx, file); err != nil {
			if ctx.Err() != nil {
				return err
			}
			row.fault = strings.ReplaceAll(err.Error(), file, row.file)
		}
		l.rows = append(l.rows, row)
	}
	l.rank()
	return writeOutput(s.Out, c.Out, func(w io.Writer) error {
		switch {
		case c.JSON || format == ".json":
			s.Out = w
			return show(ctx, s, true, l)
		case format == ".csv":
			return l.csv(w)
		case format == ".html":
			return leaguePage.Execute(w, l)
		}
		s.Out = w
		return show(ctx, s, false, l)
	})
}

// escaped is a folder's name in which no sign means others.
func escaped(folder string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(folder)
}

// judge surveys the battles with the algorithm of a file.
func (l *league) judge(ctx context.Context, file string) (title string, t castle.Tally, err error) {
	own, err := readAlgorithm(file)
	if err != nil {
		return "", t, err
	}
	own.Name = "own" // two files may have names that differ in capitals alone, or that of an algorithm of the library
	c := l.command
	survey, err := castle.NewSurvey(ctx, c.Soldiers.Range, c.CastleHits.Range, c.DefendersPerWave.Range,
		castle.SurveyOptions{Algorithms: []castle.Algorithm{own.Algorithm}, Effort: castle.Effort{Steps: castle.SurveySteps}})
	if err != nil {
		return own.Title, t, atFault(err)
	}
	l.survey = survey
	t, _ = survey.Of(own.Name)
	return own.Title, t, nil
}

// rank orders the rows: more right battles first, then fewer waves too many; listings at fault last.
func (l *league) rank() {
	better := func(a, b leagueRow) int {
		return cmp.Or(min(len(a.fault), 1)-min(len(b.fault), 1), cmp.Compare(b.tally.Right, a.tally.Right),
			cmp.Compare(a.tally.WrongSide, b.tally.WrongSide), cmp.Compare(a.tally.TooMany, b.tally.TooMany))
	}
	slices.SortStableFunc(l.rows, better)
	for i := range l.rows {
		switch {
		case l.rows[i].fault != "":
		case i > 0 && better(l.rows[i-1], l.rows[i]) == 0:
			l.rows[i].place = l.rows[i-1].place
		default:
			l.rows[i].place = i + 1
		}
	}
}

// cells are the rows as text, the same in every format.
func (l league) cells() iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for _, r := range l.rows {
			row := []string{"-", r.file, r.title, "-", "-", "-", "-", "-", "-", r.fault}
			if t := r.tally; r.fault == "" {
				number := func(n int64) string { return strconv.FormatInt(n, 10) }
				row = []string{
					strconv.Itoa(r.place), r.file, r.title, number(t.Right), percent(t.Right, t.Battles),
					number(t.WrongSide), number(t.TooMany), number(t.ExtraWavesMax), place(firstError(t)), "",
				}
			}
			if !yield(row) {
				return
			}
		}
	}
}

// firstError returns the first battle on which an algorithm errs, those on the wrong side first; nil if there is none.
func firstError(t castle.Tally) *castle.Battle {
	return cmp.Or(t.First.WrongSide, t.First.TooMany, t.First.TooFew)
}

var leagueColumns = []string{
	"place", "file", "title", "right", "percent", "wrong side", "too many", "most extra waves", "first error", "fault",
}

func (l league) headline() string {
	c := l.command
	return fmt.Sprintf("%s of the castle game, %s each: soldiers %v, castle hits %v, defenders a wave %v.",
		plural.Count(int64(len(l.rows)), "listing"), plural.Count(l.survey.Battles, "battle"),
		c.Soldiers, c.CastleHits, c.DefendersPerWave)
}

func (l league) text(w *bufio.Writer) {
	fmt.Fprintf(w, "%s\n\n", l.headline())
	out := newTable(w)
	fmt.Fprintf(out, "%s\t\n", strings.Join(leagueColumns[:9], "\t"))
	for row := range l.cells() {
		fmt.Fprintf(out, "%s\t\n", strings.Join(row[:9], "\t"))
	}
	_ = out.Flush() // w keeps the error
	for _, r := range l.rows {
		if r.fault != "" {
			fmt.Fprintf(w, "\nNo place for %s.\n", r.fault)
		}
	}
}

func (l league) json(o *jsonObject) {
	o.echo(l.command)
	o.list("listings", elements(slices.Values(l.rows), func(r leagueRow) any {
		if r.fault != "" {
			return struct {
				File  string `json:"file"`
				Fault string `json:"fault"`
			}{r.file, r.fault}
		}
		t := r.tally
		return struct {
			Place         int            `json:"place"`
			File          string         `json:"file"`
			Title         string         `json:"title"`
			Battles       int64          `json:"battles"`
			Right         int64          `json:"right"`
			WrongSide     int64          `json:"wrong_side"`
			TooMany       int64          `json:"too_many"`
			ExtraWavesMax int64          `json:"extra_waves_max"`
			FirstError    *castle.Battle `json:"first_error"`
		}{r.place, r.file, r.title, t.Battles, t.Right, t.WrongSide, t.TooMany, t.ExtraWavesMax, firstError(t)}
	}))
}

func (l league) csv(w io.Writer) error {
	out := csv.NewWriter(w)
	rows := slices.Collect(l.cells())
	header := make([]string, len(leagueColumns))
	for i, name := range leagueColumns {
		header[i] = strings.ReplaceAll(name, " ", "_")
	}
	return out.WriteAll(append([][]string{header}, rows...))
}

// leaguePage is the league as a page of its own, without script.
var leaguePage = template.Must(template.New("league").Funcs(template.FuncMap{
	"columns": func() []string { return leagueColumns },
	"rows":    func(l league) [][]string { return slices.Collect(l.cells()) },
	"says":    league.headline,
}).Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>League of the castle game</title>
<style>
:root { color-scheme: light dark }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem }
div { overflow-x: auto }
table { border-collapse: collapse; font-variant-numeric: tabular-nums }
th, td { border-bottom: 1px solid; padding: .3rem .6rem; text-align: right }
th:nth-child(2), td:nth-child(2), th:nth-child(3), td:nth-child(3), td:last-child, th:last-child { text-align: left }
</style>
<main>
<h1>League of the castle game</h1>
<p>{{ says . }}</p>
<div role="region" aria-label="League" tabindex="0">
<table>
<thead><tr>{{ range columns }}<th scope="col">{{ . }}</th>{{ end }}</tr></thead>
<tbody>
{{ range rows . }}<tr>{{ range . }}<td>{{ . }}</td>{{ end }}</tr>
{{ end }}</tbody>
</table>
</div>
</main>
</html>
`))
