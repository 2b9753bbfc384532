package command

import (
	"bufio"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/posener/complete"
)

// exitCodes is what the help of each command says of them.
const exitCodes = "Exit codes: 0 the work is done; 1 it failed; 2 the arguments or the input are at fault; " +
	"130 after Ctrl-C, 143 after SIGTERM."

// describe puts the texts into the help of a grammar. Each of them is Markdown: a heading "## sweep castle" begins a
// command, the paragraph below it says what the command does, an item "- --out: ..." is about a flag, "- soldiers: ..."
// about an argument, and all else is read in the command's --help. Items below "## *" are about flags of all commands.
// Names in ${} stand for vars, ${default} for the default of a flag. The error says which text has no place.
func describe(app *kong.Application, vars kong.Vars, texts []string) error {
	nodes, flags := map[string]*kong.Node{}, map[string][]*kong.Value{}
	_ = kong.Visit(app, func(at kong.Visitable, next kong.Next) error {
		switch at := at.(type) {
		case *kong.Node:
			nodes[strings.TrimPrefix(at.FullPath(), app.Name+" ")] = at
		case *kong.Flag:
			flags["--"+at.Name] = append(flags["--"+at.Name], at.Value)
		}
		return next(nil)
	})
	for _, text := range texts {
		for _, section := range strings.Split("\n"+text, "\n## ")[1:] {
			name, body, _ := strings.Cut(section, "\n")
			values, err := flags, error(nil)
			if name != "*" {
				node := nodes[name]
				if node == nil {
					return fmt.Errorf("help: there is no command %s", name)
				}
				values, err = valuesByName(node), describeNode(node, vars, body)
			}
			if err = errors.Join(err, describeItems(values, vars, body)); err != nil {
				return fmt.Errorf("help: %s: %w", name, err)
			}
		}
	}
	app.Detail = exitCodes
	for _, leaf := range app.Leaves(false) {
		leaf.Detail = strings.TrimLeft(leaf.Detail+"\n\n"+exitCodes, "\n")
	}
	return nil
}

var (
	helpVar  = regexp.MustCompile(`\$\{(\w+)\}`)
	helpItem = regexp.MustCompile(`(?m)^- (\S+): ((?:.+\n?)(?:  .+\n?)*)`)
)

// valuesByName returns the flags and arguments of a command.
func valuesByName(node *kong.Node) map[string][]*kong.Value {
	values := map[string][]*kong.Value{}
	for _, flag := range node.Flags {
		values["--"+flag.Name] = []*kong.Value{flag.Value}
	}
	for _, argument := range node.Positional {
		values[argument.Name] = []*kong.Value{argument}
	}
	return values
}

// describeItems gives flags and arguments the help of a section's items.
func describeItems(values map[string][]*kong.Value, vars kong.Vars, text string) error {
	for _, item := range helpItem.FindAllStringSubmatch(text, -1) {
		if values[item[1]] == nil {
			return fmt.Errorf("there is no %s", item[1])
		}
		for _, value := range values[item[1]] {
			help, err := expand(item[2], vars.CloneWith(kong.Vars{"default": value.Default}))
			if err != nil {
				return err
			}
			value.Help = strings.Join(strings.Fields(help), " ")
		}
	}
	return nil
}

// describeNode gives a command the help that is no item: its first paragraph, and all others.
func describeNode(node *kong.Node, vars kong.Vars, text string) error {
	text, err := expand(helpItem.ReplaceAllString(text, ""), vars)
	summary, detail, _ := strings.Cut(strings.TrimSpace(text), "\n\n")
	node.Help, node.Detail = strings.Join(strings.Fields(summary), " "), strings.TrimSpace(detail)
	return err
}

// expand puts the values of variables in the place of their names.
func expand(text string, vars kong.Vars) (string, error) {
	var unknown error
	text = helpVar.ReplaceAllStringFunc(text, func(name string) string {
		value, ok := vars[helpVar.FindStringSubmatch(name)[1]]
		if !ok {
			unknown = fmt.Errorf("%s is no variable", name)
		}
		return value
	})
	return text, unknown
}

// completed prints what a shell asks for that completes a command line, and reports whether one asked.
func completed(parser *kong.Kong, out io.Writer) bool {
	if os.Getenv("COMP_LINE") == "" {
		return false
	}
	shell := complete.New(parser.Model.Name, completions(parser.Model.Node))
	shell.Out = out
	return shell.Complete()
}

// completions returns the words that may follow those of a command.
func completions(node *kong.Node) complete.Command {
	command := complete.Command{Sub: complete.Commands{}, GlobalFlags: complete.Flags{}}
	for _, child := range node.Children {
		if !child.Hidden {
			command.Sub[child.Name] = completions(child)
		}
	}
	for _, flag := range node.Flags {
		command.GlobalFlags["--"+flag.Name] = valuesOf(flag.Value, flag.PlaceHolder)
	}
	for _, argument := range node.Positional {
		command.Args = valuesOf(argument, strings.ToUpper(argument.Name))
	}
	return command
}

// valuesOf returns the values of a flag or an argument.
func valuesOf(value *kong.Value, placeholder string) complete.Predictor {
	choices := choicesOf(value)
	switch {
	case value.IsBool():
		return complete.PredictNothing
	case choices != nil:
		return complete.PredictFunc(func(typed complete.Args) []string {
			before := ""
			if value.Target.Kind() == reflect.Slice { // of several, with commas between them
				before = typed.Last[:strings.LastIndexByte(typed.Last, ',')+1]
			}
			words := make([]string, len(choices))
			for i, choice := range choices {
				words[i] = before + choice
			}
			return words
		})
	case value.Enum != "":
		return complete.PredictSet(value.EnumSlice()...)
	case strings.Contains(placeholder, "FILE"):
		return complete.PredictFiles("*")
	case strings.Contains(placeholder, "DIR"), strings.Contains(placeholder, "FOLDER"):
		return complete.PredictDirs("*")
	}
	return complete.PredictAnything
}

// choicesOf returns the values that a flag chooses among: its error for another one lists them, behind "use one of".
func choicesOf(value *kong.Value) []string {
	text, ok := reflect.New(value.Target.Type()).Interface().(encoding.TextUnmarshaler)
	if !ok {
		return nil
	}
	err := text.UnmarshalText([]byte("?"))
	if err == nil {
		return nil
	}
	_, list, found := strings.Cut(err.Error(), "use one of ")
	if !found {
		return nil
	}
	return strings.Split(strings.ReplaceAll(list, ", or ", ", "), ", ")
}

// completionCommand prints a script that lets a shell ask the program for words.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

// Help is what --help says beyond the list of arguments.
func (*completionCommand) Help() string {
	return `The script belongs into a file that the shell reads when it begins, and needs the program on PATH:

    program completion bash >> ~/.bashrc
    program completion zsh >> ~/.zshrc
    program completion fish > ~/.config/fish/completions/program.fish`
}

var completionScripts = map[string]string{
	"bash": "complete -o default -o bashdefault -C %[1]s %[1]s\n",
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -o bashdefault -C %[1]s %[1]s\n",
	"fish": "complete -f -c %[1]s -a '(set -lx COMP_LINE (commandline -cp); %[1]s)'\n",
}

// Run prints the script.
func (c *completionCommand) Run(k *kong.Context, s Streams) error {
	_, err := fmt.Fprintf(s.Out, completionScripts[c.Shell], k.Model.Name)
	return err
}

// manCommand prints the manual page.
type manCommand struct{}

// Run prints the page in roff, for man(1).
func (manCommand) Run(_ context.Context, k *kong.Context, s Streams) error {
	page := bufio.NewWriter(s.Out)
	app := k.Model
	fmt.Fprintf(page, ".TH %s 1 \"\" %[2]s\n.SH NAME\n%[2]s \\- %[3]s\n.SH SYNOPSIS\n.B %[2]s\n<command> [flags]\n",
		strings.ToUpper(app.Name), app.Name, roff(app.Help))
	manItems(page, app.Node)
	fmt.Fprintln(page, ".SH COMMANDS")
	for _, leaf := range app.Leaves(true) {
		summary := strings.TrimSuffix(strings.TrimPrefix(leaf.FullPath()+strings.TrimPrefix(leaf.Summary(),
			leaf.Path()),
			app.Name+" "), " [flags]")
		fmt.Fprintf(page, ".SS %s\n%s\n", roff(summary), roff(leaf.Help))
		manItems(page, leaf)
		manText(page, strings.TrimSuffix(leaf.Detail, exitCodes))
	}
	fmt.Fprintln(page, ".SH EXIT STATUS")
	manText(page, strings.TrimPrefix(exitCodes, "Exit codes: "))
	return page.Flush()
}

// manItems lists the arguments and the flags of a command.
func manItems(page io.Writer, node *kong.Node) {
	for _, argument := range node.Positional {
		fmt.Fprintf(page, ".TP\n.B %s\n%s\n", roff(argument.Summary()), roff(argument.Help))
	}
	for _, flag := range node.Flags {
		fmt.Fprintf(page, ".TP\n.B %s\n%s\n", roff(flag.String()), roff(flag.Help))
	}
}

// manText prints paragraphs. Those that are indented are printed line by line.
func manText(page io.Writer, text string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		format := ".PP\n%s\n"
		if strings.HasPrefix(paragraph, "    ") {
			format = ".PP\n.nf\n%s\n.fi\n"
		}
		fmt.Fprintf(page, format, roff(paragraph))
	}
}

// roff escapes what roff takes for its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	return regexp.MustCompile(`(?m)^[.']`).ReplaceAllString(text, `\&$0`)
}
