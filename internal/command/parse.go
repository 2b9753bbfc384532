package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// Grammar describes the arguments of a command.
type Grammar struct {
	Name, Description string
	// Commands is a pointer to the struct that kong fills; its commands have a method Run, which may take a
	// context.Context and Streams.
	Commands any
	// Vars are interpolated into the struct's tags; "version" is set by Parse.
	Vars kong.Vars
	// Options are further options of the parser.
	Options []kong.Option
}

// Execute parses the arguments and runs the command that they select. Help and version go to s.Out. An error of the
// arguments is marked by Usage and says where to read on.
func (g Grammar) Execute(ctx context.Context, args []string, s Streams) error {
	// The parser would put other characters in place of such bytes, and so name another file.
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return Usagef("%q: not UTF-8, as arguments have to be: write it so, or rename the file", arg)
		}
	}
	var help bytes.Buffer
	helped := false
	parser, err := g.parser(
		kong.Writers(&help, io.Discard),
		kong.Exit(func(int) { helped = true }), // kong's way to say that --help or --version was all
		kong.BindTo(ctx, (*context.Context)(nil)),
		kong.Bind(s),
	)
	if err != nil {
		return err
	}
	command, err := parser.Parse(args)
	if helped {
		_, err := s.Out.Write(help.Bytes())
		return err
	}
	if err != nil {
		return g.misunderstood(args, err)
	}
	if err := emptyFlag(command); err != nil {
		return err
	}
	return command.Run()
}

// parser returns the parser of the grammar.
func (g Grammar) parser(options ...kong.Option) (*kong.Kong, error) {
	vars := kong.Vars{"version": Version(g.Name)}.CloneWith(g.Vars)
	return kong.New(g.Commands, slices.Concat([]kong.Option{
		kong.Name(g.Name),
		kong.Description(g.Description),
		vars,
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	}, options, g.Options)...)
}

// Selected parses the arguments and returns a pointer to the struct of the command that they select, which has not been
// run. An error of the arguments is marked by Usage, as by Execute.
func (g Grammar) Selected(args []string) (any, error) {
	helped := false
	parser, err := g.parser(kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return nil, err
	}
	command, err := parser.Parse(args)
	switch {
	case helped:
		return nil, Usagef("%s: --help and --version stand alone here", g.Name)
	case err != nil:
		return nil, g.misunderstood(args, err)
	}
	if err := emptyFlag(command); err != nil {
		return nil, err
	}
	return command.Selected().Target.Addr().Interface(), nil
}

// emptyFlag refuses a flag that is given without a text or a list, as by a variable of the shell that was never set: to
// its command it would look as if it had been left out. A flag with a default can tell the two apart, and is left to
// its command.
func emptyFlag(command *kong.Context) error {
	for _, element := range command.Path {
		flag := element.Flag
		if flag == nil || flag.HasDefault {
			continue
		}
		if kind := flag.Target.Kind(); (kind == reflect.String || kind == reflect.Slice) && flag.Target.Len() == 0 {
			return Usagef("--%s \"\": empty, give a value (%s) or leave the flag out; see %s --help", flag.Name, flag.FormatPlaceHolder(), command.Selected().FullPath())
		}
	}
	return nil
}

// misunderstood turns an error of the parser into one that says where to read on.
func (g Grammar) misunderstood(args []string, err error) error {
	command := g.commandOf(err)
	for _, arg := range args {
		// To the parser a negative number is a flag that it does not know.
		negative := len(arg) > 1 && arg[0] == '-' && '0' <= arg[1] && arg[1] <= '9'
		if negative && (strings.Contains(err.Error(), "unknown flag "+arg[:2]) || strings.Contains(err.Error(), strconv.Quote(arg)+" (short flag)")) {
			return Usagef("%q: a number must not be negative, write it without the sign; see %s --help", arg, command)
		}
	}
	// Optional arguments stand in brackets, which is of no interest when one is wrong.
	message := strings.Replace(strings.TrimPrefix(err.Error(), "["), ">]: ", ">: ", 1)
	return Usagef("%s; see %s --help", message, command)
}

// commandOf returns the command that was understood before the error.
func (g Grammar) commandOf(err error) string {
	var parse *kong.ParseError
	if errors.As(err, &parse) && parse.Context.Selected() != nil {
		return parse.Context.Selected().FullPath()
	}
	return g.Name
}

// Version names the build: the module's version where the program was installed by one.
func Version(name string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return name + " (devel)"
	}
	return fmt.Sprintf("%s %s %s", name, info.Main.Version, info.GoVersion)
}
