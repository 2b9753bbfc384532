package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
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
	// context.Context and Streams. It embeds Common.
	Commands interface{ common() *Common }
	// Vars are interpolated into the struct's tags and into Texts; "version" is set by the parser.
	Vars kong.Vars
	// Texts are the help of commands, arguments and flags; see describe.
	Texts []string
}

// Common are the flags and commands that all programs have.
type Common struct {
	Version kong.VersionFlag `short:"V" help:"Print the version and exit."`
	Quiet   bool             `short:"q" help:"Print no progress and no notes: results and errors only."`

	Help       helpCommand       `cmd:"" help:"Show how a command is used."`
	Completion completionCommand `cmd:"" help:"Print the script by which a shell completes commands, flags and values."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`
}

func (c *Common) common() *Common { return c }

// helpCommand is there for --help to list; Execute turns "help WORDS" into "WORDS --help".
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command."`
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
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if width := terminalWidth(s.Out); width > 0 && os.Getenv("COLUMNS") == "" {
		_ = os.Setenv("COLUMNS", strconv.Itoa(width)) // where kong looks, as help goes through a buffer
	}
	var help bytes.Buffer
	helped := false
	parser, err := g.parser(
		kong.Writers(&help, io.Discard),
		kong.Exit(func(int) { helped = true }), // kong's way to say that --help or --version was all
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return err
	}
	if completed(parser, s.Out) {
		return nil
	}
	command, err := parser.Parse(args)
	if err == nil && !helped && strayWord(parser, args) {
		// A command that may be left out takes it for its argument.
		err = &kong.ParseError{Context: command}
		return g.misunderstood(parser, args, stray{err, args[0]})
	}
	if helped {
		_, err := s.Out.Write(help.Bytes())
		return err
	}
	if err != nil {
		return g.misunderstood(parser, args, err)
	}
	if err := emptyFlag(command); err != nil {
		return err
	}
	s.Quiet = s.Quiet || g.Commands.common().Quiet
	return command.Run(s)
}

// parser returns the parser of the grammar.
func (g Grammar) parser(options ...kong.Option) (*kong.Kong, error) {
	vars := kong.Vars{"version": Version(g.Name)}.CloneWith(g.Vars)
	parser, err := kong.New(g.Commands, append([]kong.Option{
		kong.Name(g.Name), kong.Description(g.Description), vars, kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	}, options...)...)
	if err != nil {
		return nil, err
	}
	return parser, describe(parser.Model, vars, g.Texts)
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
		return nil, g.misunderstood(parser, args, err)
	}
	if err := emptyFlag(command); err != nil {
		return nil, err
	}
	return command.Selected().Target.Addr().Interface(), nil
}

// Named returns a pointer to the struct of the command with a name such as "sweep castle", without any argument or
// default; nil if there is none.
func (g Grammar) Named(name string) (any, error) {
	parser, err := g.parser()
	if err != nil {
		return nil, err
	}
	node := parser.Model.Node
	for word := range strings.SplitSeq(name, " ") {
		at := slices.IndexFunc(node.Children, func(child *kong.Node) bool { return child.Name == word })
		if at < 0 {
			return nil, nil
		}
		node = node.Children[at]
	}
	return node.Target.Addr().Interface(), nil
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
			return Usagef("--%s \"\": empty, give a value (%s) or leave the flag out; see %s --help",
				flag.Name, flag.FormatPlaceHolder(), command.Selected().FullPath())
		}
	}
	return nil
}

// notAmong is kong's error for a value that is none of an enum, and unexpected that for a word that is no command.
var (
	notAmong   = regexp.MustCompile(`^(\S+) must be one of (.*) but got (.*)$`)
	unexpected = regexp.MustCompile(`^unexpected argument (\S+)$`)
)

// strayWord says whether the first argument is a word that is no command.
func strayWord(parser *kong.Kong, args []string) bool {
	return len(args) > 0 && args[0] != "" && args[0][0] != '-' &&
		!slices.ContainsFunc(parser.Model.Children, func(child *kong.Node) bool { return child.Name == args[0] })
}

// stray is the error about such a word, in the words of the parser.
type stray struct {
	error
	word string
}

func (s stray) Error() string { return "unexpected argument " + s.word }
func (s stray) Unwrap() error { return s.error }

// misunderstood turns an error of the parser into one that says where to read on.
func (g Grammar) misunderstood(parser *kong.Kong, args []string, err error) error {
	command := g.commandOf(err)
	for _, arg := range args {
		// To the parser a negative number is a flag that it does not know.
		negative := len(arg) > 1 && arg[0] == '-' && '0' <= arg[1] && arg[1] <= '9'
		known := strings.Contains(err.Error(), "unknown flag "+arg[:min(len(arg), 2)]) ||
			strings.Contains(err.Error(), strconv.Quote(arg)+" (short flag)")
		if negative && known {
			return Usagef("%q: a number must not be negative, write it without the sign; see %s --help", arg, command)
		}
	}
	// Optional arguments stand in brackets, which is of no interest when one is wrong.
	message := strings.Replace(strings.TrimPrefix(err.Error(), "["), ">]: ", ">: ", 1)
	if form := notAmong.FindStringSubmatch(message); form != nil {
		message = fmt.Sprintf("%s: %s: unknown, use one of %s", form[1], form[3],
			strings.NewReplacer(`"`, "", ",", ", ").Replace(form[2]))
	}
	if form := unexpected.FindStringSubmatch(message); form != nil && len(args) > 0 && form[1] == args[0] {
		// A program whose first command may be left out looks for others no further.
		for _, child := range parser.Model.Children {
			if distance(child.Name, args[0]) <= 2 {
				message += fmt.Sprintf(", did you mean %q?", child.Name)
			}
		}
	}
	return Usagef("%s; see %s --help", message, command)
}

// distance is how many letters must be added, left out or replaced to turn one word into the other.
func distance(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return distance(a[1:], b[1:])
	case len(a) > 12 || len(b) > 12:
		return len(a) + len(b) // no command is as long
	}
	return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))
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
