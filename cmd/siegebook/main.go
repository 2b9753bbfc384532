package main

import (
	"context"
	"embed"
	"io/fs"
	"maps"
	"runtime"

	"github.com/alecthomas/kong"

	"github.com/siegebook/siegebook/internal/command"
)

// program is the name of the program.
const program = "siegebook"

const description = "Exact analysis of small siege games: who wins, how fast, in how many ways."

// games is the register of games. A game is a function in a file of its own, and its help in help/GAME.md.
var games = []func() game{castleGame, towerGame, antGame, navalGame}

// game is what a game adds to the command line.
type game struct {
	// verbs are the commands of the game by verb: each a pointer to a struct with one field, the command.
	verbs map[string]any
	// vars are the names in ${} of its help.
	vars kong.Vars
}

// verb is a command whose commands are those of the games that have it.
type verb struct{ kong.Plugins }

// commands is the grammar of the command line.
type commands struct {
	Solve      verb        `cmd:""`
	Sweep      verb        `cmd:""`
	Survey     verb        `cmd:""`
	League     verb        `cmd:""`
	Measure    verb        `cmd:""`
	Count      verb        `cmd:""`
	Paths      verb        `cmd:""`
	Tournament verb        `cmd:""`
	Play       verb        `cmd:""`
	Merge      mergeShards `cmd:""`
	Slurm      struct {
		Array  slurmArray  `cmd:"" default:"withargs"`
		Status slurmStatus `cmd:""`
	} `cmd:""`
	command.Common

	Workers natural `default:"0" placeholder:"N"`
}

// byName returns the verbs that games have commands of.
func (c *commands) byName() map[string]*verb {
	return map[string]*verb{
		"solve": &c.Solve, "sweep": &c.Sweep, "survey": &c.Survey, "league": &c.League, "measure": &c.Measure,
		"count": &c.Count, "paths": &c.Paths, "tournament": &c.Tournament, "play": &c.Play,
	}
}

//go:embed help/*.md
var helpTexts embed.FS

// streams is the world outside as the commands see it.
type streams = command.Streams

// usagef makes an error that the user mends by other arguments or another input.
func usagef(format string, args ...any) error { return command.Usagef(format, args...) }

func main() { command.Main(program, execute) }

// grammar returns the command line, without arguments.
func grammar() command.Grammar {
	var c commands
	g := command.Grammar{Name: program, Description: description, Commands: &c, Vars: kong.Vars{}}
	verbs := c.byName()
	for _, register := range games {
		game := register()
		maps.Copy(g.Vars, game.vars)
		for name, command := range game.verbs {
			verbs[name].Plugins = append(verbs[name].Plugins, command)
		}
	}
	files, _ := fs.Glob(helpTexts, "help/*.md")
	for _, name := range files {
		text, _ := helpTexts.ReadFile(name)
		g.Texts = append(g.Texts, string(text))
	}
	return g
}

// execute parses the arguments and runs the command that they select.
func execute(ctx context.Context, args []string, s streams) error {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	return grammar().Execute(ctx, args, s)
}

// mostWorkers bounds --workers: more are of no use on any machine.
const mostWorkers = 1024

// AfterApply sets the number of cores, before the command runs.
func (c *commands) AfterApply() error {
	if c.Workers > 0 {
		runtime.GOMAXPROCS(int(min(c.Workers, mostWorkers)))
	}
	return nil
}
