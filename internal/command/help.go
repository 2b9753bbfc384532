package command

import (
	"bytes"
	"context"
	"encoding"
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
	"github.com/posener/complete"
)

// exitCodes is the description of the exit codes in the help of each command.
const exitCodes = "Exit codes: 0 success; 1 failure; 2 invalid arguments or input; 130 after Ctrl-C; 143 after " +
	"SIGTERM; 141 if the reader of the output exited."

// helpItem matches an item "- --out: ..." about a flag, or "- soldiers: ..." about an argument.
var helpItem = regexp.MustCompile(`(?m)^- (\S+): ((?:.+\n?)(?:  .+\n?)*)`)

// describe adds Markdown texts to the help of a grammar. A heading such as "## sweep castle" introduces a command. The
// paragraph below it describes what the command does, each list item describes a flag or an argument, and the rest is
// shown by the command's --help. Items below "## *" describe flags of all commands. Names in ${} are replaced by the
// values in vars, and ${default} by the default of a flag. The error names a text that does not belong to a command, an
// argument or a flag.
func describe(app *kong.Application, vars kong.Vars, texts []string) (err error) {
	nodes, values := map[string]*kong.Node{}, map[string][]*kong.Value{}
	_ = kong.Visit(app, func(at kong.Visitable, next kong.Next) error {
		if app, ok := at.(*kong.Application); ok {
			at = app.Node
		}
		if node, ok := at.(*kong.Node); ok {
			name := strings.TrimPrefix(node.FullPath(), app.Name+" ")
			nodes[name] = node
			for _, flag := range node.Flags {
				for _, key := range []string{name + " --" + flag.Name, "* --" + flag.Name} {
					values[key] = append(values[key], flag.Value)
				}
			}
			for _, argument := range node.Positional {
				values[name+" "+argument.Name] = []*kong.Value{argument}
			}
		}
		return next(nil)
	})
	sections := []string{}
	for _, text := range texts {
		sections = append(sections, strings.Split("\n"+text, "\n## ")[1:]...)
	}
	for _, section := range sections {
		name, body, _ := strings.Cut(section, "\n")
		expand := func(text string, vars kong.Vars) string {
			return os.Expand(text, func(variable string) string {
				value, ok := vars[variable]
				if !ok {
					err = fmt.Errorf("help: %s: ${%s} is not a variable", name, variable)
				}
				return value
			})
		}
		for _, item := range helpItem.FindAllStringSubmatch(body, -1) {
			key := name + " " + item[1]
			if values[key] == nil {
				err = fmt.Errorf("help: there is no %s", key)
			}
			for _, value := range values[key] {
				value.Help = oneLine(expand(item[2], vars.CloneWith(kong.Vars{"default": value.Default})))
			}
		}
		if node := nodes[name]; node != nil {
			text := expand(helpItem.ReplaceAllString(body, ""), vars)
			summary, detail, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
			node.Help, node.Detail = oneLine(summary), strings.TrimSpace(detail)
		} else if name != "*" {
			err = fmt.Errorf("help: there is no command %s", name)
		}
	}
	app.Detail = exitCodes
	for _, leaf := range app.Leaves(false) {
		leaf.Detail = strings.TrimLeft(strings.ReplaceAll(leaf.Detail, "PROGRAM", app.Name)+"\n\n"+exitCodes, "\n")
	}
	return err
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// completed prints the completions if a shell asks for them, and reports whether it did.
func completed(parser *kong.Kong, out io.Writer) bool {
	if os.Getenv("COMP_LINE") == "" {
		return false
	}
	shell := complete.New(parser.Model.Name, completions(parser.Model.Node))
	shell.Out = out
	return shell.Complete()
}

// completions returns the possible next words after the words of a command.
func completions(node *kong.Node) complete.Command {
	command := complete.Command{Sub: complete.Commands{}, GlobalFlags: complete.Flags{}}
	for _, child := range node.Children {
		command.Sub[child.Name] = completions(child)
	}
	for _, flag := range node.Flags {
		command.GlobalFlags["--"+flag.Name] = valuesOf(flag.Value)
	}
	for _, argument := range node.Positional {
		command.Args = valuesOf(argument)
	}
	return command
}

// valuesOf returns the values of a flag or an argument, or none if the shell should offer file names.
func valuesOf(value *kong.Value) complete.Predictor {
	if value.IsBool() {
		return complete.PredictNothing
	}
	return complete.PredictFunc(func(typed complete.Args) (words []string) {
		before := ""
		if value.Target.Kind() == reflect.Slice { // keeps the previous values of a comma-separated list
			before = typed.Last[:strings.LastIndexByte(typed.Last, ',')+1]
		}
		for _, choice := range choicesOf(value) {
			words = append(words, before+choice)
		}
		return words
	})
}

// choicesOf returns the possible values of a flag. For an invalid value, the error from the flag's type lists them
// after "use one of".
func choicesOf(value *kong.Value) []string {
	if text, ok := reflect.New(value.Target.Type()).Interface().(encoding.TextUnmarshaler); ok {
		if err := text.UnmarshalText([]byte("?")); err != nil {
			if _, list, found := strings.Cut(err.Error(), "use one of "); found {
				return strings.Split(strings.ReplaceAll(list, ", or ", ", "), ", ")
			}
		}
	}
	if value.Enum == "" {
		return nil
	}
	return value.EnumSlice()
}

// completionCommand prints a script that makes a shell ask the program for completions.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Help returns the additional text for --help. describe inserts the name of the program.
func (*completionCommand) Help() string {
	return `Add the script to a file that the shell reads at startup. The program must be on the PATH:

    PROGRAM completion bash >> ~/.bashrc
    PROGRAM completion zsh >> ~/.zshrc
    PROGRAM completion fish > ~/.config/fish/completions/PROGRAM.fish`
}

var completionScripts = map[string]string{
	"bash": "complete -o default -o bashdefault -C %[1]s %[1]s\n",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -o bashdefault -C %[1]s %[1]s\n",
	"fish": "complete -c %[1]s -a '(set -lx COMP_LINE (commandline -cp); %[1]s)'\n",
}

// Run prints the script.
func (c *completionCommand) Run(k *kong.Context, s Streams) error {
	_, err := fmt.Fprintf(s.Out, completionScripts[c.Shell], k.Model.Name)
	return err
}

// manCommand prints the manual page.
type manCommand struct{}

// Run prints the manual page in roff, for man(1): the help of the program and of each command.
func (manCommand) Run(k *kong.Context, s Streams) error {
	roff := strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'")
	app := k.Model
	page := fmt.Sprintf(".TH %s 1 \"\" %[2]s\n.SH NAME\n%[2]s \\- %[3]s\n.SH SYNOPSIS\n",
		strings.ToUpper(app.Name), app.Name, roff.Replace(app.Help))
	options := kong.HelpOptions{Compact: true, ValueFormatter: kong.DefaultHelpValueFormatter}
	var help bytes.Buffer
	k.Stdout = &help
	for _, node := range append([]*kong.Node{app.Node}, app.Leaves(true)...) {
		named, err := kong.Trace(k.Kong, strings.Fields(node.FullPath())[1:])
		if err == nil {
			err = kong.DefaultHelpPrinter(options, named)
		}
		if err != nil {
			return err
		}
		if node != app.Node {
			page += ".SS " + roff.Replace(strings.TrimPrefix(node.FullPath(), app.Name+" ")) + "\n"
		}
		page += ".nf\n" + roff.Replace("\n" + help.String())[1:] + ".fi\n"
		help.Reset()
	}
	_, err := io.WriteString(s.Out, page)
	return err
}

// Grammar describes the arguments of a command.
type Grammar struct {
	Name, Description string
	// Commands is a pointer to the struct that kong fills. The struct embeds Common. Each of its commands has a method
	// Run, which may take a context.Context and Streams.
	Commands interface{ common() *Common }
	// Vars are interpolated into the struct's tags and into Texts. The variable "version" is the output of --version;
	// it is Version(Name) by default.
	Vars kong.Vars
	// Texts contains the help of commands, arguments and flags; see describe.
	Texts []string
}

// Common contains the flags and commands that all programs share.
type Common struct {
	Version kong.VersionFlag `short:"V" help:"Print the version and exit."`
	Quiet   bool             `short:"q" help:"Print only results and errors, without progress and notes."`

	Help       helpCommand       `cmd:"" help:"Show how to use a command."`
	Completion completionCommand `cmd:"" help:"Print a script that lets a shell complete commands, flags and values."`
	Man        manCommand        `cmd:"" help:"Print the manual page."`
}

func (c *Common) common() *Common { return c }

// helpCommand exists only so that --help lists it. Execute turns "help WORDS" into "WORDS --help".
type helpCommand struct {
	Command []string `arg:"" optional:"" help:"The command."`
}

// Execute parses the arguments and runs the command that they select. Help and version go to s.Out. An error in the
// arguments is a user error (Usage) that names the help to read.
func (g Grammar) Execute(ctx context.Context, args []string, s Streams) error {
	// The parser would replace invalid bytes, so that an argument would name a different file.
	for _, arg := range args {
		if !utf8.ValidString(arg) {
			return Usagef("%q: arguments must be UTF-8: write it in UTF-8, or rename the file", arg)
		}
	}
	if len(args) > 0 && args[0] == "help" {
		args = append(slices.Clone(args[1:]), "--help")
	}
	if width := terminalWidth(s.Out); width > 0 && os.Getenv("COLUMNS") == "" {
		_ = os.Setenv("COLUMNS", strconv.Itoa(width)) // kong cannot get the width from a buffer
	}
	var help bytes.Buffer
	helped := false
	parser, err := g.parser(
		kong.Writers(&help, io.Discard),
		kong.Exit(func(int) { helped = true }), // kong calls it for --help and --version
		kong.BindTo(ctx, (*context.Context)(nil)),
	)
	if err != nil {
		return err
	}
	if completed(parser, s.Out) {
		return nil
	}
	if err := strayWord(parser, args); err != nil {
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
	s.Quiet = s.Quiet || g.Commands.common().Quiet
	return command.Run(s)
}

// parser returns the grammar's parser.
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

// Selected parses the arguments and returns a pointer to the struct of the selected command, without running it. An
// error in the arguments is a user error, as in Execute.
func (g Grammar) Selected(args []string) (any, error) {
	helped := false
	parser, err := g.parser(kong.Writers(io.Discard, io.Discard), kong.Exit(func(int) { helped = true }))
	if err != nil {
		return nil, err
	}
	command, err := parser.Parse(args)
	switch {
	case helped:
		return nil, Usagef("%s: use --help and --version without other arguments", g.Name)
	case err != nil:
		return nil, g.misunderstood(args, err)
	}
	if err := emptyFlag(command); err != nil {
		return nil, err
	}
	return command.Selected().Target.Addr().Interface(), nil
}

// Named returns a pointer to the struct of the command with the given name, such as "sweep castle", or nil if there is
// none. The struct has no arguments and no defaults.
func (g Grammar) Named(name string) (any, error) {
	parser, err := g.parser()
	if err != nil {
		return nil, err
	}
	for _, leaf := range parser.Model.Leaves(false) {
		if leaf.FullPath() == g.Name+" "+name {
			return leaf.Target.Addr().Interface(), nil
		}
	}
	return nil, nil
}

// emptyFlag returns an error for a flag whose value is an empty string or list, for example because of a shell variable
// that was never set. The command could not distinguish such a flag from a missing one. Commands check flags that have
// a default themselves, because they can distinguish the two cases.
func emptyFlag(command *kong.Context) error {
	for _, element := range command.Path {
		flag := element.Flag
		if flag == nil || flag.HasDefault {
			continue
		}
		if kind := flag.Target.Kind(); (kind == reflect.String || kind == reflect.Slice) && flag.Target.Len() == 0 {
			return Usagef("--%s \"\": the value is empty: give a value (%s) or leave the flag out; see %s --help",
				flag.Name, flag.FormatPlaceHolder(), command.Selected().FullPath())
		}
	}
	return nil
}

// notAmong matches kong's error for a value that is not in an enum.
var notAmong = regexp.MustCompile(`^(\S+) must be one of (.*) but got (.*)$`)

// strayWord returns an error if the first argument is a word but not a command. The parser would treat the word as an
// argument of the default command.
func strayWord(parser *kong.Kong, args []string) error {
	if len(args) == 0 || args[0] == "" || args[0][0] == '-' {
		return nil
	}
	var near []string
	for _, child := range parser.Model.Children {
		switch {
		case child.Name == args[0]:
			return nil
		case distance(child.Name, args[0]) <= 2:
			near = append(near, strconv.Quote(child.Name))
		}
	}
	hint := ""
	switch len(near) {
	case 0:
	case 1:
		hint = ", did you mean " + near[0] + "?"
	default:
		hint = ", did you mean one of " + strings.Join(near, ", ") + "?"
	}
	read := parser.Model.Node
	if read.DefaultCmd != nil {
		read = read.DefaultCmd
	}
	return Usagef("unexpected argument %s%s; see %s --help", args[0], hint, read.FullPath())
}

// misunderstood converts an error from the parser into an error that names the help to read.
func (g Grammar) misunderstood(args []string, err error) error {
	command := g.commandOf(err)
	for _, arg := range args {
		// The parser treats a negative number as an unknown flag.
		negative := len(arg) > 1 && arg[0] == '-' && '0' <= arg[1] && arg[1] <= '9'
		known := strings.Contains(err.Error(), "unknown flag "+arg[:min(len(arg), 2)]) ||
			strings.Contains(err.Error(), strconv.Quote(arg)+" (short flag)")
		if negative && known {
			return Usagef("%q: a number must not be negative: write it without the sign; see %s --help", arg, command)
		}
	}
	// It removes the brackets around optional arguments, which do not matter in an error.
	message := strings.Replace(strings.TrimPrefix(err.Error(), "["), ">]: ", ">: ", 1)
	if form := notAmong.FindStringSubmatch(message); form != nil {
		message = fmt.Sprintf("%s: %s: unknown, use one of %s", form[1], form[3],
			strings.NewReplacer(`"`, "", ",", ", ").Replace(form[2]))
	}
	return Usagef("%s; see %s --help", message, command)
}

// distance returns the number of letters that must be added, removed or replaced to turn one word into the other.
func distance(a, b string) int {
	switch {
	case a == "" || b == "":
		return len(a) + len(b)
	case a[0] == b[0]:
		return distance(a[1:], b[1:])
	case len(a) > 12 || len(b) > 12:
		return len(a) + len(b) // more than any distance, because no command is that long
	}
	return 1 + min(distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:]))
}

// commandOf returns the command that the parser had recognized before the error.
func (g Grammar) commandOf(err error) string {
	if parse, is := errors.AsType[*kong.ParseError](err); is && parse.Context.Selected() != nil {
		return parse.Context.Selected().FullPath()
	}
	return g.Name
}

// Version returns the program's name, the version of its module, and the version of Go. If the module's version is
// unknown, it returns the name and "(devel)".
func Version(name string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return name + " (devel)"
	}
	return fmt.Sprintf("%s %s %s", name, info.Main.Version, info.GoVersion)
}
