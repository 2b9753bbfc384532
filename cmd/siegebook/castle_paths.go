package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/internal/plural"
)

// pathsCastle is "siegebook paths castle".
type pathsCastle struct {
	battleArguments `embed:""`

	Side     string   `enum:"soldiers,castle,both" default:"both" help:"Whose wins to list: soldiers, castle or both (then a tie is listed too)."`
	Minimum  bool     `help:"Only the fastest wins of each side."`
	Max      positive `default:"1000" placeholder:"N" help:"Most paths to list (default ${default})."`
	MaxSteps positive `default:"100000000" placeholder:"N" help:"Most moves to look at (default ${default})."`
	Limit    byteSize `default:"2GiB" placeholder:"SIZE" help:"Most memory for one path, in bytes or with a unit (default ${default})."`
	JSON     bool     `name:"json" help:"Print one JSON object."`
}

// Help is what --help says beyond the list of arguments.
func (*pathsCastle) Help() string {
	return `Examples:

    siegebook paths castle 10 11 15
    siegebook paths castle 10 43 8 --side soldiers --minimum
    siegebook paths castle 19 50 15 --max 5 --json

Each path is a line of states: S soldiers, D defenders, C hits that the castle can still take. The paths are in order of how many soldiers shoot at defenders, wave by wave, the fewest first.`
}

// Run lists the paths as the search finds them.
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
		Minimum: c.Minimum, MaxMoves: int64(c.MaxSteps), MemoryLimit: int64(c.Limit),
	}
}

// pathSearch lists the paths that a command asks for and remembers how that ended.
type pathSearch struct {
	ctx     context.Context
	command *pathsCastle
	listed  int64
	found   map[castle.Winner]int64
	cut     bool  // there are more than --max
	gaveUp  error // the search met a bound, or was interrupted
}

// met names the option that bounds what the search gave up at.
func (p *pathSearch) met() string {
	var memory *castle.OutOfMemoryError
	if errors.As(p.gaveUp, &memory) {
		return "--limit"
	}
	return "--max-steps"
}

// paths yields the paths to list. Each is valid until the next only.
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

// summary is the number of paths, by who wins.
func (p *pathSearch) summary() string {
	if p.listed == 0 {
		return "no path"
	}
	text := fmt.Sprintf("%s: %s of the soldiers, %s of the castle",
		plural.Count(p.listed, "path"), plural.Count(p.found[castle.Soldiers], "win"), plural.Count(p.found[castle.Castle], "win"))
	if ties := p.found[castle.Tie]; ties > 0 {
		text += ", " + plural.Count(ties, "tie")
	}
	return text
}

// notes says why the list is not complete.
func (p *pathSearch) notes() []string {
	b := p.command.battle()
	switch {
	case p.cut:
		return []string{fmt.Sprintf("there are more paths than %d: raise --max, or count them with siegebook count castle %d %d %d",
			p.listed, b.Soldiers, b.CastleHits, b.DefendersPerWave)}
	case p.gaveUp != nil:
		return []string{"the list is not complete: the search met " + p.met()}
	}
	return nil
}

// text prints a path as a line of states.
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
		line = strconv.AppendInt(append(line, "S="...), state.Soldiers, 10)
		line = strconv.AppendUint(append(line, " D="...), state.Defenders, 10)
		line = strconv.AppendInt(append(line, " C="...), state.CastleHits, 10)
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

// pathElement is a path in JSON.
type pathElement struct {
	Winner castle.Winner `json:"winner"`
	Waves  int64         `json:"waves"`
	Trace  []traceState  `json:"trace"`
}

// json prints the paths as the elements of a list, each with a trace like that of solve castle.
func (p *pathSearch) json(o *jsonObject) {
	battleMembers(o, p.command.battle())
	o.member("side", p.command.Side)
	o.member("minimum", p.command.Minimum)
	o.list("paths", elements(p.paths(), func(path castle.Path) any {
		element := pathElement{Winner: path.Winner, Waves: path.Waves()}
		for wave, state := range path.States {
			element.Trace = append(element.Trace, traceStateOf(int64(wave), state))
		}
		return element
	}))
	o.member("listed", p.listed)
	o.member("complete", !p.cut && p.gaveUp == nil)
	o.notes(p.notes())
}
