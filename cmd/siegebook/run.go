package main

import (
	"context"

	"github.com/siegebook/siegebook/internal/command"
)

// streams is the world outside as the commands see it.
type streams = command.Streams

// usagef makes an error that the user mends by other arguments or another input.
func usagef(format string, args ...any) error { return command.Usagef(format, args...) }

// grammar returns the command line, without arguments.
func grammar() command.Grammar {
	return command.Grammar{
		Name: program, Description: description, Commands: &commands{},
		Vars: castleVars().CloneWith(surveyVars()).CloneWith(towerVars()).CloneWith(antVars()).CloneWith(navalVars()).CloneWith(measureVars()),
	}
}

// program is the name of the program.
const program = "siegebook"

// execute parses the arguments and runs the command that they select.
func execute(ctx context.Context, args []string, s streams) error {
	return grammar().Execute(ctx, args, s)
}
