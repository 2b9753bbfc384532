package main

import (
	"context"
	"encoding"
	"fmt"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/analysis/naval"
	"github.com/siegebook/siegebook/internal/command"
)

// navalRules are the settings that a naval tournament and a single game have in common.
type navalRules struct {
	Placement navalPlacements `default:"all" placeholder:"NAME|all" help:"How ships are placed: ${navalPlacements}, or all: each player draws one of the first eight (default ${default})."`
	Moves     navalMoves      `default:"all" placeholder:"NAME|all" help:"Where players shoot while no ship is hit: ${navalMoves}, or all: each draws one of the first three for each game (default ${default})."`
	Targeting naval.Targeting `default:"as_coded" placeholder:"NAME" help:"Where they shoot after a hit: ${navalTargetings}; or ${navalEveryShot}, which choose every shot (default ${default})."`
	Halo      bool            `default:"true" negatable:"" help:"Take the cells around a sunk ship as empty (default ${default})."`
	Seed      natural         `default:"1" placeholder:"N" help:"Seed of all that chance decides (default ${default})."`
}

// navalVars are what the help says of the library's tables.
func navalVars() kong.Vars {
	follows := func(t naval.Targeting) bool { return !t.EveryShot() }
	return kong.Vars{
		"navalPlacements": names(naval.Placements()), "navalMoves": names(naval.AllMoves()),
		"navalTargetings": names(slices.DeleteFunc(naval.Targetings(), naval.Targeting.EveryShot)),
		"navalEveryShot":  names(slices.DeleteFunc(naval.Targetings(), follows)),
	}
}

func (r navalRules) tournament(players int) naval.Tournament {
	return naval.Tournament{
		Players: players, Placements: r.Placement, Moves: r.Moves,
		Targeting: r.Targeting, Halo: r.Halo, Seed: uint64(r.Seed),
	}
}

const navalHelp = `

The placements are regions for the ships of one deck: the other ships lie wholly outside of them. With as_coded players shoot as the published program does, with as_described as its text says; proper leaves out what cannot be; density shoots at the cell that most ships could lie on (of several, one on the list of its moves), and informed at the one that most probably has a ship on it, knowing the eight placements.`

// navalPlacements is a choice of placements: all, or one by name.
type navalPlacements []naval.Placement

func (c *navalPlacements) UnmarshalText(text []byte) (err error) {
	*c, err = oneOrAll(text, naval.PostPlacements())
	return err
}

// navalMoves is a choice of move strategies.
type navalMoves []naval.Moves

func (c *navalMoves) UnmarshalText(text []byte) (err error) {
	*c, err = oneOrAll(text, naval.PostMoves())
	return err
}

// oneOrAll reads "all" or a name.
func oneOrAll[T any, P interface {
	*T
	encoding.TextUnmarshaler
}](text []byte, all []T) ([]T, error) {
	if string(text) == "all" {
		return all, nil
	}
	one := make([]T, 1)
	if err := P(&one[0]).UnmarshalText(text); err != nil {
		return nil, fmt.Errorf("%w, or all", err)
	}
	return one, nil
}

// tournamentNaval is "siegebook tournament naval".
type tournamentNaval struct {
	Players    positive `default:"1024" placeholder:"N" help:"How many players begin, a power of two (default ${default})."`
	navalRules `embed:""`
	Workers    natural `default:"0" placeholder:"N" help:"How many games to play at the same time, 0 for one per core; the result is the same (default ${default})."`
	JSON       bool    `name:"json" help:"Print one JSON object."`
}

// Help is what --help says beyond the list of arguments.
func (*tournamentNaval) Help() string {
	return `Examples:

    siegebook tournament naval
    siegebook tournament naval --players 64 --placement 36 --moves random --halo=false
    siegebook tournament naval --targeting density --seed 7 --json

Who loses a game is out, until one player is left. A move is a shot: a hit scores 1 and keeps the turn, a miss passes it, and who has sunk all ten ships wins.` + navalHelp
}

// Run plays the tournament and prints its statistics.
func (c *tournamentNaval) Run(ctx context.Context, s streams) error {
	t := c.tournament(int(min(int64(c.Players), naval.MaxPlayers+1)))
	if err := t.Validate(); err != nil {
		return command.Usagef("--players %d: a knockout needs a power of two from 2 to %d, use one such as 1024", c.Players, naval.MaxPlayers)
	}
	progress := s.StartProgress("tournament naval", int64(t.Players)-1, false)
	statistics, err := t.Play(ctx, naval.Options{Workers: int(min(c.Workers, 1024)), Progress: progress.Set})
	progress.Stop()
	if err != nil {
		return err
	}
	return show(ctx, s, c.JSON, knockout{t, statistics})
}

// playNaval is "siegebook play naval".
type playNaval struct {
	navalRules `embed:""`
	JSON       bool `name:"json" help:"Print one JSON object."`
}

// Help is what --help says beyond the list of arguments.
func (*playNaval) Help() string {
	return `Examples:

    siegebook play naval --seed 3
    siegebook play naval --placement 36 --moves linear --targeting as_described
    siegebook play naval --targeting informed --json

The game is the first one of the tournament with the same settings.` + navalHelp
}

// Run plays one game and prints it shot by shot.
func (c *playNaval) Run(ctx context.Context, s streams) error {
	game, err := c.tournament(2).FirstGame()
	if err != nil {
		return err
	}
	return show(ctx, s, c.JSON, navalGame{game, int64(c.Seed)})
}
