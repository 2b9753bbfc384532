package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/plural"
)

// antVars returns the values of ${} in the ant game's help.
func antVars() kong.Vars {
	return kong.Vars{"antRules": anyOf(ants.Rules(), "the contest's"), "antCells": strconv.Itoa(ants.MaxCells)}
}

// solveAnts is "siegebook solve ants".
type solveAnts struct {
	Map string `arg:"" name:"MAPFILE|-" json:"-"`

	Radius2  positive `json:"radius2" name:"radius2" default:"5" placeholder:"N"`
	Rule     antRule  `json:"rule" default:"focus" aliases:"algorithm" placeholder:"\"${default}\""`
	Torus    bool     `json:"torus" default:"true" negatable:""`
	jsonFlag `embed:""`
}

// Run reads the map and prints the battle.
func (c *solveAnts) Run(ctx context.Context, s streams) error {
	m, err := c.readMap(ctx, s)
	if err != nil {
		return err
	}
	fight := &antFight{
		ctx: ctx, command: c, m: m, rule: c.Rule, world: m.World(int64(c.Radius2), !c.Torus),
		army: m.Ants(),
	}
	if err := fight.solve(s); err != nil {
		return err
	}
	return show(ctx, s, c.JSON, fight)
}

// readMap reads the map. Input that is not a map is a user error; a failure to read the input is not.
func (c *solveAnts) readMap(ctx context.Context, s streams) (ants.Map, error) {
	in, err := openInput(ctx, s, c.Map)
	if err != nil {
		return ants.Map{}, err
	}
	defer in.Close()
	m, err := ants.ReadMap(in)
	if err != nil {
		err = command.Unreadable(fmt.Errorf("%s: %w", in.name, err))
	}
	if wrong := (*ants.MapError)(nil); errors.As(err, &wrong) {
		err = command.Usage(err)
	}
	return m, err
}

// antFight is a battle and its outcome.
type antFight struct {
	ctx       context.Context // listing the kills can also take a long time
	command   *solveAnts
	m         ants.Map
	world     ants.World
	rule      antRule
	army      []ants.Ant
	outcome   ants.Outcome
	otherwise int64 // the number of ants whose fate by a listing differs from the contest's rule
}

func (f *antFight) solve(s streams) error {
	progress := s.StartProgress("solve ants", 0, false)
	defer progress.Stop()
	solver, err := ants.NewSolver(f.world)
	if err != nil {
		return err
	}
	f.outcome, err = solver.Solve(f.ctx, f.army, f.rule.Rule)
	if err == nil && f.rule.own != nil {
		var dead []bool
		dead, err = games.Deaths(f.ctx, f.rule.own, f.world, f.army)
		for i := range dead {
			if dead[i] != f.outcome.Dead[i] {
				f.otherwise++
			}
		}
		f.outcome = ants.Outcome{Enemies: f.outcome.Enemies, Dead: dead}
	}
	return atFault(err)
}

// antRule is a value of --rule: a rule, or a listing. A listing does not name killers, and is compared with the
// contest's rule.
type antRule struct {
	ants.Rule
	own *listing.Listing
}

func (r antRule) String() string {
	if r.own != nil {
		return r.own.Name
	}
	return r.Rule.String()
}

func (r antRule) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

func (r *antRule) UnmarshalText(text []byte) (err error) {
	if isListing(string(text)) {
		r.own, err = readPlayer(string(text), games.AntsSignature)
		return err
	}
	return r.Rule.UnmarshalText(text)
}

// json prints the outcome as one object. Ants are ordered by row and column.
func (f *antFight) json(o *jsonObject) {
	o.echo(f.command)
	o.member("map", strings.Split(f.m.String(), "\n"))
	o.list("dead", func(yield func(any) bool) {
		for i, ant := range f.army {
			if f.outcome.Dead[i] && !yield(cell{ant.Row, ant.Col}) {
				return
			}
		}
	})
	o.list("enemies", func(yield func(any) bool) {
		for i, ant := range f.army {
			if !yield(ordered{{"row", ant.Row}, {"col", ant.Col}, {"enemies", f.outcome.Enemies[i]}}) {
				return
			}
		}
	})
	if f.rule.own != nil {
		o.member("otherwise_than_focus", f.otherwise)
		return
	}
	o.list("kills", elements(f.outcome.Kills(), func(kill ants.Kill) any {
		a, b := f.army[kill.Victim], f.army[kill.Killer]
		return ordered{{"victim", cell{a.Row, a.Col}}, {"killer", cell{b.Row, b.Col}}}
	}))
}

// deadAnt marks dead ants on maps. It is not a letter, so it cannot be an owner. The contest's maps also used it.
const deadAnt = '!'

// text prints the outcome for people: the map, the enemy counts and the survivors, the armies, and who killed whom.
func (f *antFight) text(out *bufio.Writer) {
	fmt.Fprintf(out, "%s\n\n", f.headline())
	f.pictures(out)
	if len(f.army) > 0 {
		out.WriteByte('\n')
		f.armies(out)
	}
	f.listKills(out)
}

func (f *antFight) headline() string {
	edges := "a torus"
	if f.world.Bounded {
		edges = "with edges"
	}
	return fmt.Sprintf("%s on %d x %d cells, %s; attack radius squared %d, rule %v.",
		plural.Count(len(f.army), "ant"), f.world.Rows, f.world.Cols, edges, f.world.Radius2, f.rule)
}

// widest is the maximum width of maps side by side, in characters.
const widest = 100

// pictures prints the three maps side by side, or one below the other if they are too wide.
func (f *antFight) pictures(out *bufio.Writer) {
	titles := []string{"map", "enemies in range", "after (" + string(deadAnt) + " died)"}
	panels := [][]string{strings.Split(f.m.String(), "\n"), f.counts(), strings.Split(f.m.Redrawn(f.after), "\n")}
	widths := make([]int, len(panels))
	total := 0
	for i, panel := range panels {
		widths[i] = max(utf8.RuneCountInString(panel[0]), len(titles[i]))
		total += widths[i] + 3
	}
	if total > widest {
		for i, panel := range panels {
			if i > 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintf(out, "%s\n%s\n", titles[i], strings.Join(panel, "\n"))
		}
		return
	}
	fmt.Fprintf(out, "%-*s   %-*s   %s\n", widths[0], titles[0], widths[1], titles[1], titles[2])
	for row := range panels[0] {
		fmt.Fprintf(out, "%-*s   %-*s   %s\n", widths[0], panels[0][row], widths[1], panels[1][row], panels[2][row])
	}
}

// after returns the sign of an ant after the battle.
func (f *antFight) after(ant int) rune {
	if f.outcome.Dead[ant] {
		return deadAnt
	}
	return f.army[ant].Owner
}

// counts returns the rows of the map with each ant replaced by its number of enemies. All cells are as wide as the
// widest number, plus a space if it has several digits.
func (f *antFight) counts() []string {
	most := 0
	if len(f.army) > 0 {
		most = slices.Max(f.outcome.Enemies)
	}
	width := len(strconv.Itoa(most))
	if width > 1 {
		width++
	}
	rows := make([]string, f.world.Rows)
	var line strings.Builder
	next := 0 // the next ant in the order of cells
	for row := range rows {
		line.Reset()
		for col := range f.world.Cols {
			if next < len(f.army) && f.army[next] == (ants.Ant{Row: row, Col: col, Owner: f.m.At(row, col)}) {
				fmt.Fprintf(&line, "%*d", width, f.outcome.Enemies[next])
				next++
				continue
			}
			fmt.Fprintf(&line, "%*c", width, f.m.At(row, col))
		}
		rows[row] = line.String()
	}
	return rows
}

// armies prints how many ants each owner had and lost.
func (f *antFight) armies(w io.Writer) {
	type army struct{ ants, died int }
	armies := map[rune]army{}
	all := army{}
	for i, ant := range f.army {
		a := armies[ant.Owner]
		a.ants++
		all.ants++
		if f.outcome.Dead[i] {
			a.died++
			all.died++
		}
		armies[ant.Owner] = a
	}
	out := newTable(w)
	fmt.Fprint(out, "owner\tants\tdied\tleft\t\n")
	for _, owner := range slices.Sorted(maps.Keys(armies)) {
		a := armies[owner]
		fmt.Fprintf(out, "%c\t%d\t%d\t%d\t\n", owner, a.ants, a.died, a.ants-a.died)
	}
	fmt.Fprintf(out, "total\t%d\t%d\t%d\t\n", all.ants, all.died, all.ants-all.died)
	_ = out.Flush() // w keeps the error for its caller
}

// listKills prints a line for each dead ant.
func (f *antFight) listKills(out *bufio.Writer) {
	if f.rule.own != nil {
		fmt.Fprintf(out, "\nThis rule and focus, the rule of the contest, disagree on %s.\n",
			plural.Count(f.otherwise, "ant"))
		return
	}
	if !slices.Contains(f.outcome.Dead, true) {
		out.WriteString("\nNobody dies.\n")
		return
	}
	out.WriteString("\nWho killed whom, with rows and columns numbered from 0:\n")
	last, listed := -1, 0
	for kill := range f.outcome.Kills() {
		if listed++; listed%1024 == 0 && f.ctx.Err() != nil {
			return // show returns the error
		}
		if kill.Victim != last {
			if last >= 0 {
				out.WriteByte('\n')
			}
			fmt.Fprintf(out, "%s by", placeOf(f.army[kill.Victim]))
			last = kill.Victim
		}
		out.WriteByte(' ')
		out.WriteString(placeOf(f.army[kill.Killer]))
	}
	out.WriteByte('\n')
}

func placeOf(ant ants.Ant) string { return fmt.Sprintf("%c(%d, %d)", ant.Owner, ant.Row, ant.Col) }
