package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/ants"
	"github.com/siegebook/siegebook/internal/command"
)

// solveAnts is "siegebook solve ants".
type solveAnts struct {
	Map string `arg:"" name:"MAPFILE|-" help:"Map, one line for each row: . or ? for land, % for water, a letter for an ant of that owner; - for standard input."`

	Radius2 positive  `name:"radius2" default:"5" placeholder:"N" help:"Square of the attack radius (default ${default}, as in the contest)."`
	Rule    ants.Rule `default:"focus" placeholder:"\"${default}\"" help:"Rule of the battle: ${antRules}, as its engine had them."`
	Torus   bool      `default:"true" negatable:"" help:"Join opposite edges of the map, as in the contest (default true); --torus=false for a map that ends at its edges."`
	JSON    bool      `name:"json" help:"Print one JSON object."`
}

// Help is what --help says beyond the list of arguments.
func (*solveAnts) Help() string {
	return fmt.Sprintf(`Examples:

    siegebook solve ants map.txt
    siegebook solve ants map.txt --torus=false --json
    siegebook solve ants - --rule damage --radius2 10

A letter is one of any alphabet; case counts. All rows must be equally long. A map may have up to %d cells; more is not read. In the results rows and columns count from 0.`, ants.MaxCells)
}

// Run reads the map and prints the battle.
func (c *solveAnts) Run(ctx context.Context, s streams) error {
	m, err := c.readMap(ctx, s)
	if err != nil {
		return err
	}
	fight := &antFight{ctx: ctx, m: m, rule: c.Rule, world: m.World(int64(c.Radius2), !c.Torus), army: m.Ants()}
	if err := fight.solve(s); err != nil {
		return err
	}
	return show(ctx, s, c.JSON, fight)
}

// antVars are what the help of solve ants says of the library's rules.
func antVars() kong.Vars {
	return kong.Vars{"antRules": anyOf(ants.Rules(), "the contest's")}
}

// readMap tells a text that is no map, which the user mends, from one that cannot be read.
func (c *solveAnts) readMap(ctx context.Context, s streams) (ants.Map, error) {
	in, err := openInput(ctx, s, c.Map)
	if err != nil {
		return ants.Map{}, err
	}
	defer in.Close()
	m, err := ants.ReadMap(in)
	if err != nil {
		err = fmt.Errorf("%s: %w", in.name, err)
	}
	if wrong := (*ants.MapError)(nil); errors.As(err, &wrong) {
		err = command.Usage(err)
	}
	return m, err
}

// antFight is a battle and its outcome.
type antFight struct {
	ctx     context.Context // listing the kills can take long too
	m       ants.Map
	world   ants.World
	rule    ants.Rule
	army    []ants.Ant
	outcome ants.Outcome
}

func (f *antFight) solve(s streams) error {
	progress := s.StartProgress("solve ants", 0, false)
	defer progress.Stop()
	solver, err := ants.NewSolver(f.world)
	if err != nil {
		return err
	}
	f.outcome, err = solver.Solve(f.ctx, f.army, f.rule)
	return err
}

// json prints the outcome as one object. The ants are in the order of their rows and columns.
func (f *antFight) json(o *jsonObject) {
	o.list("dead", func(yield func(any) bool) {
		for i, ant := range f.army {
			if f.outcome.Dead[i] && !yield([2]int{ant.Row, ant.Col}) {
				return
			}
		}
	})
	o.list("enemies", func(yield func(any) bool) {
		for i, ant := range f.army {
			if !yield([3]int{ant.Row, ant.Col, f.outcome.Enemies[i]}) {
				return
			}
		}
	})
	o.list("kills", elements(f.outcome.Kills(), func(kill ants.Kill) any {
		a, b := f.army[kill.Victim], f.army[kill.Killer]
		return [4]int{a.Row, a.Col, b.Row, b.Col}
	}))
}
