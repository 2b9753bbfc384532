package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
)

// countCastle is "siegebook count castle".
type countCastle struct {
	battleArguments `embed:""`

	Convention  castle.Convention `json:"convention" default:"complete" placeholder:"\"${default}\""`
	jsonFlag    `embed:""`
	memoryLimit `embed:""`
}

// Run prints the number of ways to win, by side and wave.
func (c *countCastle) Run(ctx context.Context, s streams) error {
	progress := s.StartProgress("count castle", 0, false)
	counts, err := c.battle().Count(ctx, castle.CountOptions{Convention: c.Convention, MemoryLimit: int64(c.Memory)})
	progress.Stop()
	if _, is := errors.AsType[*castle.OutOfMemoryError](err); is {
		return fmt.Errorf("%w (--memory)", err)
	}
	if err != nil {
		return err
	}
	return show(ctx, s, c.JSON, waysAnswer{c, counts})
}

// waysByWave returns an object that maps waves, in numerical order, to numbers of ways.
func waysByWave(h castle.Histogram) (members ordered) {
	for _, count := range h {
		members = append(members, member{strconv.FormatInt(count.Wave, 10), count.Ways.String()})
	}
	return members
}

// waysAnswer is the number of ways to win a battle.
type waysAnswer struct {
	command *countCastle
	counts  castle.Counts
}

func (a waysAnswer) json(o *jsonObject) {
	o.echo(a.command)
	o.member("soldier_wins_by_wave", waysByWave(a.counts.Soldiers))
	o.member("castle_wins_by_wave", waysByWave(a.counts.Castle))
	o.member("soldier_wins", a.counts.Soldiers.Total().String())
	o.member("castle_wins", a.counts.Castle.Total().String())
	o.member("ties", a.counts.Ties.String())
}

func (a waysAnswer) text(w *bufio.Writer) {
	fmt.Fprintf(w, "%s\n\n", headline(a.command.battle().Solve()))
	out := newTable(w)
	fmt.Fprintln(out, "wave\tsoldiers win\tcastle wins\t")
	ways := map[int64][2]string{} // the ways of the soldiers and of the castle, by wave
	for side, histogram := range [2]castle.Histogram{a.counts.Soldiers, a.counts.Castle} {
		for _, count := range histogram {
			row := ways[count.Wave]
			row[side] = count.Ways.String()
			ways[count.Wave] = row
		}
	}
	for _, wave := range slices.Sorted(maps.Keys(ways)) {
		fmt.Fprintf(out, "%d\t%s\t%s\t\n", wave, cmp.Or(ways[wave][0], "0"), cmp.Or(ways[wave][1], "0"))
	}
	fmt.Fprintf(out, "total\t%v\t%v\t\n", a.counts.Soldiers.Total(), a.counts.Castle.Total())
	_ = out.Flush() // w keeps the error for its caller
	if a.counts.Ties.Sign() > 0 {
		fmt.Fprintf(w, "\nTies: %v.\n", a.counts.Ties)
	}
}

// pathsCastle is "siegebook paths castle".
type pathsCastle struct {
	battleArguments `embed:""`

	Side        string   `json:"side" enum:"soldiers,castle,both" default:"both"`
	Minimum     bool     `json:"minimum"`
	Max         positive `json:"-" default:"1000" placeholder:"N"`
	MaxMoves    positive `json:"-" default:"100000000" aliases:"max-steps" placeholder:"N"`
	jsonFlag    `embed:""`
	memoryLimit `embed:""`
}

// Run lists the paths while the search finds them.
func (c *pathsCastle) Run(ctx context.Context, s streams) error {
	progress := s.StartProgress("paths castle", 0, true)
	defer progress.Stop()
	search := &pathSearch{ctx: ctx, command: c, found: map[castle.Winner]int64{}}
	if err := show(ctx, s, c.JSON, search); err != nil {
		return err
	}
	if search.gaveUp != nil {
		return fmt.Errorf("%w (%s)", search.gaveUp, search.met())
	}
	return nil
}

func (c *pathsCastle) options() castle.PathOptions {
	return castle.PathOptions{
		Side:    map[string]castle.Winner{"soldiers": castle.Soldiers, "castle": castle.Castle}[c.Side],
		Minimum: c.Minimum, MaxMoves: int64(c.MaxMoves), MemoryLimit: int64(c.Memory),
	}
}

// pathSearch lists the paths that a command asks for, and records how the search ended.
type pathSearch struct {
	ctx     context.Context
	command *pathsCastle
	listed  int64
	found   map[castle.Winner]int64
	cut     bool  // there are more paths than --max
	gaveUp  error // why the search gave up: it reached a limit or was interrupted
}

// met returns the flag of the limit that the search reached.
func (p *pathSearch) met() string {
	if _, is := errors.AsType[*castle.OutOfMemoryError](p.gaveUp); is {
		return "--memory"
	}
	return "--max-moves"
}

// stoppedBy returns the flag that limited the list, or nil if the list is complete.
func (p *pathSearch) stoppedBy() any {
	switch {
	case p.cut:
		return "--max"
	case p.gaveUp != nil:
		return p.met()
	}
	return nil
}

// paths yields the paths to list. Each path is valid only until the next.
func (p *pathSearch) paths() iter.Seq[castle.Path] {
	return func(yield func(castle.Path) bool) {
		for path, err := range p.command.battle().Paths(p.ctx, p.command.options()) {
			if err != nil {
				p.gaveUp = err
				return
			}
			if p.listed == int64(p.command.Max) {
				p.cut = true
				return
			}
			p.listed++
			p.found[path.Winner]++
			if !yield(path) {
				return
			}
		}
	}
}

// summary returns the number of paths, by winner.
func (p *pathSearch) summary() string {
	if p.listed == 0 {
		return "no path"
	}
	text := fmt.Sprintf("%s: %s for the soldiers, %s for the castle",
		plural.Count(p.listed, "path"), plural.Count(p.found[castle.Soldiers], "win"),
		plural.Count(p.found[castle.Castle], "win"))
	if ties := p.found[castle.Tie]; ties > 0 {
		text += ", " + plural.Count(ties, "tie")
	}
	return text
}

// notes returns the reasons why the list is not complete.
func (p *pathSearch) notes() []string {
	b := p.command.battle()
	switch {
	case p.cut:
		return []string{fmt.Sprintf("there are more than %s: raise --max, or count them with siegebook count "+
			"castle %d %d %d",
			plural.Count(p.listed, "path"), b.Soldiers, b.CastleHits, b.DefendersPerWave)}
	case p.gaveUp != nil:
		return []string{"the list is not complete: the search reached " + p.met()}
	}
	return nil
}

// text prints each path as a line of states.
func (p *pathSearch) text(out *bufio.Writer) {
	for path := range p.paths() {
		if _, err := out.Write(appendPath(out.AvailableBuffer(), path)); err != nil {
			return
		}
	}
	if p.ctx.Err() != nil {
		return
	}
	if p.listed > 0 {
		fmt.Fprintln(out)
	}
	sentences(out, append([]string{p.summary()}, p.notes()...))
}

func appendPath(line []byte, path castle.Path) []byte {
	for i, state := range path.States {
		if i > 0 {
			line = append(line, " -> "...)
		}
		line = strconv.AppendInt(append(line, "N="...), state.Soldiers, 10)
		line = strconv.AppendInt(append(line, " S="...), state.CastleHits, 10)
		line = strconv.AppendUint(append(line, " D="...), state.Defenders, 10)
	}
	ending := "the castle wins in"
	switch path.Winner {
	case castle.Soldiers:
		ending = "the soldiers win in"
	case castle.Tie:
		ending = "a tie in"
	}
	return fmt.Appendf(line, "  (%s %s)\n", ending, plural.Count(path.Waves(), "wave"))
}

// json prints the paths as a list. Each path has a trace as in solve castle.
func (p *pathSearch) json(o *jsonObject) {
	o.echo(p.command)
	o.list("paths", elements(p.paths(), func(path castle.Path) any {
		var trace []traceState
		for wave, state := range path.States {
			trace = append(trace, traceStateOf(int64(wave), state))
		}
		return ordered{{"winner", path.Winner}, {"waves", path.Waves()}, {"trace", trace}}
	}))
	o.member("listed", p.listed)
	o.member("complete", !p.cut && p.gaveUp == nil)
	o.member("soldier_wins", p.found[castle.Soldiers])
	o.member("castle_wins", p.found[castle.Castle])
	o.member("ties", p.found[castle.Tie])
	o.member("stopped_by", p.stoppedBy())
	o.notes(p.notes())
}
