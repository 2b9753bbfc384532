package main

import (
	"bufio"
	"cmp"
	"context"
	_ "embed"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
)

// leagueFlags are the flags that the leagues of all games share.
type leagueFlags struct {
	Listings string `arg:"" name:"FOLDER|FILE" json:"-"`
	Out      string `json:"-" placeholder:"FILE|-"`
	jsonFlag `embed:""`
}

// leagueCastle is "siegebook league castle".
type leagueCastle struct {
	Soldiers         span `json:"soldiers" default:"1:20" placeholder:"A:B"`
	CastleHits       span `json:"castle_hits" default:"1:40" aliases:"castle" placeholder:"A:B"`
	DefendersPerWave span `json:"defenders_per_wave" default:"1:20" aliases:"defenders" placeholder:"A:B"`
	leagueFlags      `embed:""`
}

// leagueTower is "siegebook league tower".
type leagueTower struct {
	Soldiers    span `json:"soldiers" default:"1:40" placeholder:"A:B"`
	Hits        span `json:"hits" default:"1:4" placeholder:"A:B"`
	Kills       span `json:"kills" default:"1:3" placeholder:"A:B"`
	Towers      span `json:"towers" default:"1:6" placeholder:"A:B"`
	leagueFlags `embed:""`
}

// leagueAnts is "siegebook league ants".
type leagueAnts struct {
	Rows        span `json:"rows" default:"1:3" placeholder:"A:B"`
	Columns     span `json:"columns" default:"1:3" placeholder:"A:B"`
	Owners      span `json:"owners" default:"2" placeholder:"A:B"`
	Radius2     span `json:"radius2" name:"radius2" default:"5" placeholder:"A:B"`
	leagueFlags `embed:""`
}

// leagueNaval is "siegebook league naval".
type leagueNaval struct {
	Fleets      span `json:"fleets" default:"1:20" placeholder:"A:B"`
	leagueFlags `embed:""`
}

// leagueColumn is a column of a league between the column of titles and the column of faults.
type leagueColumn struct {
	name string
	of   func(listing.Tally) any
}

// leagueColumns are the columns of each game's league.
var leagueColumns = map[string][]leagueColumn{
	"castle": battleColumns("waves"),
	"tower":  battleColumns("rounds"),
	"ants": {
		rightColumn, percentColumn,
		{"ants otherwise", func(t listing.Tally) any { return t.Extra }},
		firstColumn,
	},
	"naval": {
		{"mean shots", func(t listing.Tally) any {
			return json.Number(big.NewRat(t.Extra, max(t.Battles, 1)).FloatString(shownDecimals))
		}},
		{"most shots", func(t listing.Tally) any { return t.ExtraMax }},
	},
}

var (
	rightColumn   = leagueColumn{"right", func(t listing.Tally) any { return t.Right }}
	percentColumn = leagueColumn{
		"percent",
		func(t listing.Tally) any { return json.Number(percent(t.Right, t.Battles)) },
	}
	firstColumn = leagueColumn{"first error", func(t listing.Tally) any { return cmp.Or(t.First(), "-") }}
)

func battleColumns(unit string) []leagueColumn {
	return []leagueColumn{
		rightColumn, percentColumn,
		{"wrong side", func(t listing.Tally) any { return t.WrongSide }},
		{"too many", func(t listing.Tally) any { return t.TooMany }},
		{"most extra " + unit, func(t listing.Tally) any { return t.ExtraMax }},
		firstColumn,
	}
}

// leagueRow is a player in the league.
type leagueRow struct {
	place       int    // 0 if the player has a fault
	file, title string // file is "-" for a player of the library
	tally       listing.Tally
	fault       string // the reason why the player has no place
}

// league is the answer of "siegebook league".
type league struct {
	command any
	game    listing.Game
	spans   []span
	cases   grid.Grid
	rows    []leagueRow
}

// Run evaluates the listings of a folder, or one listing, and the players of the library. It evaluates each player
// separately: an error in one does not affect the others.
func (c *leagueFlags) Run(ctx context.Context, s streams, k *kong.Context) error {
	files, err := listingsOf(c.Listings)
	if err != nil {
		return err
	}
	format := strings.ToLower(filepath.Ext(c.Out))
	if !isStdout(c.Out) && !slices.Contains([]string{".csv", ".html", ".txt", ".json"}, format) {
		return usagef("--out %s: use a name that ends with .csv, .html, .json or .txt", c.Out)
	}
	selected := k.Selected()
	l := league{command: selected.Target.Addr().Interface()}
	for _, flag := range selected.Flags {
		if axis, is := flag.Target.Interface().(span); is {
			l.spans = append(l.spans, axis)
		}
	}
	l.game = games.Games[slices.IndexFunc(games.Games,
		func(g listing.Game) bool { return g.Name == selected.Name })]
	if err := l.play(ctx, s, files); err != nil {
		return err
	}
	l.rank()
	return writeOutput(s.Out, c.Out, func(w io.Writer) error {
		switch {
		case c.JSON || format == ".json":
			s.Out = w
			return show(ctx, s, true, l)
		case format == ".csv":
			return csv.NewWriter(w).WriteAll(append([][]string{l.columns("_")}, l.Cells()...))
		case format == ".html":
			return leaguePage.Execute(w, l)
		}
		s.Out = w
		return show(ctx, s, false, l)
	})
}

// listingsOf returns the listings in a folder, or the file itself.
func listingsOf(name string) (files []string, err error) {
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		return []string{name}, nil
	}
	entries, err := os.ReadDir(name)
	if err != nil {
		return nil, usagef("the folder of the league: %w", err)
	}
	for _, entry := range entries {
		if strings.HasSuffix(entry.Name(), listingEnding) {
			files = append(files, filepath.Join(name, entry.Name()))
		}
	}
	if files == nil {
		err = usagef("the folder of the league: %s: it contains no %s files: put the listings there", name,
			listingEnding)
	}
	return files, err
}

// play evaluates the players of the library and the listings.
func (l *league) play(ctx context.Context, s streams, files []string) error {
	var ranges []grid.Range
	for _, s := range l.spans {
		ranges = append(ranges, s.Range)
	}
	var err error
	if l.cases, err = grid.Product(ranges...); err != nil {
		return command.Usage(err)
	}
	for _, p := range l.game.Library() {
		row := leagueRow{file: "-", title: p.Name}
		switch row.tally, err = l.judge(ctx, s, p.Judge); {
		case ctx.Err() != nil:
			return err
		case err != nil: // the grid contains a case that does not exist
			return command.Usage(err)
		}
		l.rows = append(l.rows, row)
	}
	for _, file := range files {
		row := leagueRow{file: filepath.Base(file)}
		own, err := readPlayer(file, l.game.Signature)
		if err == nil {
			row.title = own.Title
			row.tally, err = l.judge(ctx, s, l.game.Own(own))
		}
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			row.fault = strings.ReplaceAll(err.Error(), file, row.file)
		}
		l.rows = append(l.rows, row)
	}
	return nil
}

// judge has a player play all cases.
func (l *league) judge(ctx context.Context, s streams, judge listing.Judge) (all listing.Tally, err error) {
	size := l.cases.Size()
	progress := s.StartProgress("league "+l.game.Name, size, false)
	defer progress.Stop()
	options := grid.Options{BlockSize: max(1, min(size/64, 256)), Progress: progress.Set}
	err = grid.Sweep(ctx, size, options,
		func(ctx context.Context, block grid.Block, _ listing.Tally) (t listing.Tally, err error) {
			for at := range l.cases.Points(block) {
				if err := judge(ctx, at, &t); err != nil {
					return t, err
				}
			}
			return t, nil
		},
		func(_ grid.Block, t listing.Tally) error {
			all.Add(t)
			return all.Affordable()
		})
	return all, err
}

// rank sorts the rows by the number of right battles (most first), then by the number of battles with a wrong winner
// (fewest first), then by the number of battles with too many waves (fewest first). Listings with errors come last.
func (l *league) rank() {
	better := func(a, b leagueRow) int {
		return cmp.Or(min(len(a.fault), 1)-min(len(b.fault), 1), cmp.Compare(b.tally.Right, a.tally.Right),
			cmp.Compare(a.tally.WrongSide, b.tally.WrongSide), cmp.Compare(a.tally.TooMany, b.tally.TooMany),
			cmp.Compare(a.tally.Extra, b.tally.Extra))
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

// columns returns the headings of the table, with each space replaced by blank.
func (l league) columns(blank string) []string {
	heads := []string{"place", "file", "title"}
	for _, column := range leagueColumns[l.game.Name] {
		heads = append(heads, strings.ReplaceAll(column.name, " ", blank))
	}
	return append(heads, "fault")
}

// Heads returns the headings of the table on the page.
func (l league) Heads() []string { return l.columns(" ") }

// Cells returns the rows as text, the same in every format.
func (l league) Cells() (rows [][]string) {
	for _, r := range l.rows {
		row := []string{"-", r.file, r.title}
		if r.fault == "" {
			row[0] = fmt.Sprint(r.place)
		}
		for _, column := range leagueColumns[l.game.Name] {
			cell := "-"
			if r.fault == "" {
				cell = fmt.Sprint(column.of(r.tally))
			}
			row = append(row, cell)
		}
		rows = append(rows, append(row, r.fault))
	}
	return rows
}

// Headline returns a sentence that describes what the league compares.
func (l league) Headline() string {
	listings, battles := int64(0), int64(0)
	for _, r := range l.rows {
		if battles = max(battles, r.tally.Battles); r.file != "-" {
			listings++
		}
	}
	var spans []string
	for i, s := range l.spans {
		spans = append(spans, l.game.Axes[i]+" "+s.String())
	}
	return fmt.Sprintf("%s, compared with the library's own in %s each: %s.",
		plural.Count(listings, "listing"), plural.Count(battles, "battle"), strings.Join(spans, ", "))
}

func (l league) text(w *bufio.Writer) {
	fmt.Fprintf(w, "%s\n\n", l.Headline())
	out := newTable(w)
	for _, row := range append([][]string{l.Heads()}, l.Cells()...) {
		fmt.Fprintf(out, "%s\t\n", strings.Join(row[:len(row)-1], "\t"))
	}
	_ = out.Flush() // w keeps the error for its caller
	for _, r := range l.rows {
		if r.fault != "" {
			fmt.Fprintf(w, "\nNot ranked: %s.\n", r.fault)
		}
	}
}

func (l league) json(o *jsonObject) {
	o.echo(l.command)
	o.list("listings", elements(slices.Values(l.rows), func(r leagueRow) any {
		if r.fault != "" {
			return ordered{{"file", r.file}, {"fault", r.fault}}
		}
		row := ordered{{"place", r.place}, {"file", r.file}, {"title", r.title}, {"battles", r.tally.Battles}}
		for _, column := range leagueColumns[l.game.Name] {
			row = append(row, member{strings.ReplaceAll(column.name, " ", "_"), column.of(r.tally)})
		}
		return row
	}))
}

//go:embed league.html.tmpl
var leagueTemplate string

// leaguePage is the template of the league as an HTML page, without scripts.
var leaguePage = template.Must(template.New("league").Parse(leagueTemplate))
