package main

import "github.com/siegebook/siegebook/internal/command"

const description = "Exact analysis of small siege games: who wins, how fast, in how many ways."

// commands is the grammar of the command line. A game adds a line to each verb that it knows.
type commands struct {
	Solve struct {
		Castle solveCastle `cmd:"" help:"Who wins a castle game, how fast, and wave by wave how."`
		Tower  solveTower  `cmd:"" help:"Who wins a tower defense game, and round by round how; or with what probability."`
		Ants   solveAnts   `cmd:"" help:"Who dies in an ant battle, and who killed whom."`
	} `cmd:"" help:"Answer one question, or a file of them."`
	Sweep struct {
		Castle sweepCastle `cmd:"" help:"Solve every castle game of a grid, as CSV or Parquet."`
	} `cmd:"" help:"Answer the same question over a grid."`
	Survey struct {
		Castle surveyCastle `cmd:"" help:"How often each algorithm is right on a grid of castle games, and where it is not."`
	} `cmd:"" help:"Compare all algorithms over a grid."`
	Measure struct {
		Naval measureNaval `cmd:"" help:"How many shots strategies of naval battle need for a fleet, with intervals."`
	} `cmd:"" help:"Measure what chance decides."`
	Merge mergeShards `cmd:"" help:"Put the shards of a sweep, a survey or a measurement together."`
	Count struct {
		Castle countCastle `cmd:"" help:"In how many ways a castle game can be won, by side and wave."`
	} `cmd:"" help:"Count the ways to win."`
	Paths struct {
		Castle pathsCastle `cmd:"" help:"List the ways in which a castle game can go, state by state."`
	} `cmd:"" help:"List the ways to win."`
	Tournament struct {
		Naval tournamentNaval `cmd:"" help:"A knockout in naval battle, with its statistics."`
	} `cmd:"" help:"Let many players meet."`
	Play struct {
		Naval playNaval `cmd:"" help:"One game of naval battle, shot by shot."`
	} `cmd:"" help:"Play one game."`
	Slurm struct {
		Array  slurmArray  `cmd:"" default:"withargs" help:"Print or submit a job array that computes the shards of a command."`
		Status slurmStatus `cmd:"" help:"How far the shards in a folder are: there, running, waiting, failed."`
	} `cmd:"" help:"Compute the shards of a command on a cluster with Slurm."`

	command.Common
}
