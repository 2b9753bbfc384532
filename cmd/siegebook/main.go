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

// commands is the grammar of the command line: verbs, and below each verb the games that support it. The folder help
// has their help texts.
type commands struct {
	Solve struct {
		Castle solveCastle `cmd:""`
		Tower  solveTower  `cmd:""`
		Ants   solveAnts   `cmd:""`
	} `cmd:""`
	Sweep struct {
		Castle sweepCastle `cmd:""`
	} `cmd:""`
	Survey struct {
		Castle surveyCastle `cmd:""`
	} `cmd:""`
	League struct {
		Castle leagueCastle `cmd:""`
		Tower  leagueTower  `cmd:""`
		Ants   leagueAnts   `cmd:""`
		Naval  leagueNaval  `cmd:""`
	} `cmd:""`
	Measure struct {
		Naval measureNaval `cmd:""`
	} `cmd:""`
	Count struct {
		Castle countCastle `cmd:""`
	} `cmd:""`
	Paths struct {
		Castle pathsCastle `cmd:""`
	} `cmd:""`
	Tournament struct {
		Naval tournamentNaval `cmd:""`
	} `cmd:""`
	Play struct {
		Naval playNaval `cmd:""`
	} `cmd:""`
	Merge mergeShards `cmd:""`
	Slurm struct {
		Array  slurmArray  `cmd:"" default:"withargs"`
		Status slurmStatus `cmd:""`
	} `cmd:""`
	command.Common

	Workers natural `default:"0" placeholder:"N"`
}

//go:embed help/*.md
var helpTexts embed.FS

// streams are the standard streams that commands use.
type streams = command.Streams

// usagef returns an error that the user can fix by changing the arguments or the input.
func usagef(format string, args ...any) error { return command.Usagef(format, args...) }

func main() { command.Main(program, execute) }

// grammar returns the grammar of the command line, without arguments.
func grammar() command.Grammar {
	g := command.Grammar{
		Name: program, Description: description, Commands: new(commands), Vars: kong.Vars{"version": versionText()},
	}
	for _, vars := range []kong.Vars{castleVars(), towerVars(), antVars(), navalVars()} {
		maps.Copy(g.Vars, vars)
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

// mostWorkers is the maximum of --workers: no machine can use more.
const mostWorkers = 1024

// AfterApply sets the number of cores before the command runs.
func (c *commands) AfterApply() error {
	if c.Workers > 0 {
		runtime.GOMAXPROCS(int(min(c.Workers, mostWorkers)))
	}
	return nil
}
