package jupyter

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var ansi = regexp.MustCompile("\x1b\\[[0-9;?]*[ -/]*[@-~]")

// stripANSI takes the escape sequences of terminals out of a text.
func stripANSI(text string) string { return ansi.ReplaceAllString(text, "") }

// plainer is what to say instead of gonb's words about a cell that does not compile: no commands, no temporary files.
var plainer = []struct {
	said *regexp.Regexp
	text string
}{
	{regexp.MustCompile(`failed to run "(\\.|[^"])*": exit status \d+`), "the cell does not compile"},
	{regexp.MustCompile(`(?s)parsing go files in TempDir ".*`), "the cell does not compile"},
	{regexp.MustCompile(`([^\s"<>]*/)?\bmain(_test)?\.go:\d+:\d+: `), ""},
	{programPath, ""},
	{statement, "statements go below a line %%"},
}

var statement = regexp.MustCompile(`expected declaration, found ([\pL_]\w*|'(if|for|switch|select|go|defer|return)')`)

// programPath is the place in the program that gonb makes of a cell, behind that in the cell.
var programPath = regexp.MustCompile(`(?:[ \t]*\bat)?[ \t]*[^\s"<>]*/gonb_\w+/main(_test)?\.go:\d+`)

// plainText is a text of gonb about a cell that does not compile, for people.
func plainText(text string) string {
	for _, p := range plainer {
		text = p.said.ReplaceAllString(text, p.text)
	}
	return text
}

const lineLength = 400

// oneLine makes a single line of at most lineLength characters.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > lineLength {
		return string(runes[:lineLength]) + "..."
	}
	return text
}

// refusal is what a compiler says of a cell.
type refusal struct {
	text string
	line int // the first that it names
}

func (r *refusal) Error() string { return oneLine(r.text) }

// failure says in one line why a cell failed: what the compiler says, or the kernel and, where that knows no more than
// that a program has failed, the program.
func failure(r reply, outputs []*Output) error {
	if refused := compileErrors(outputs); refused != nil {
		return refused
	}
	return errors.New(kernelSays(r, outputs))
}

func kernelSays(r reply, outputs []*Output) string {
	message := strings.TrimSpace(plainText(stripANSI(r.Value)))
	if r.Name != "" && !strings.EqualFold(r.Name, "error") {
		message = strings.TrimSuffix(r.Name+": "+message, ": ")
	}
	if missing := withoutNetwork(message); missing != "" {
		return oneLine(missing + " is not there, and " + allowNetwork)
	}
	if message == "" {
		message = fmt.Sprintf("the kernel says %q and no more", r.Status)
	}
	reason, final := because(outputs)
	switch {
	case reason == "":
		return oneLine(message)
	case final && strings.HasPrefix(message, "exit status "):
		return oneLine(reason)
	}
	return oneLine(message) + " (" + oneLine(reason) + ")"
}

// compilerSays matches an entry of the traceback that gonb makes of an error of the compiler: the place, the code
// around it, and in the last line what is wrong.
var compilerSays = regexp.MustCompile(`(?s)^Cell\[\d+\]: Line (\d+)\n.*\n([^\n]+)\s*$`)

// compileErrors returns what Go's compiler says of a cell, with the lines of the cell, not of the file that gonb made
// of it; nil if it says nothing.
func compileErrors(outputs []*Output) *refusal {
	var all []string
	first := 0
	for _, o := range outputs {
		for _, entry := range o.Traceback {
			if m := compilerSays.FindStringSubmatch(stripANSI(entry)); m != nil {
				all = append(all, "line "+m[1]+": "+strings.TrimSpace(plainText(m[2])))
				if first == 0 {
					first, _ = strconv.Atoi(m[1])
				}
			}
		}
	}
	if all == nil {
		return nil
	}
	return &refusal{strings.Join(all, "; "), first}
}

// cellLine matches the place that gonb writes into the stack trace of a cell's program, where it finds it: a trace that
// comes in pieces may have none.
var cellLine = regexp.MustCompile(`\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]`)

// saysWhy matches the line of a panic or of a test that says why a program has failed.
var saysWhy = regexp.MustCompile(`^(?:panic|fatal error|--- FAIL): `)

// failedAt matches the line with a place that package show writes behind the line which says why a cell has failed, as
// gonb passes it on.
var failedAt = regexp.MustCompile(`^at +\[\[ (Cell (?:\[\d+\] )?Line \d+) \]\]( [^:]*:\d+)?$`)

// because returns the line of the outputs that says why a program has failed: that of a panic or of a test, or the one
// that a place follows, which is final, else the last line of stderr that is not just an exit status.
func because(outputs []*Output) (reason string, final bool) {
	for _, o := range outputs {
		text := stripANSI(o.Text)
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			place := failedAt.FindStringSubmatch(line)
			switch {
			case final || line == "" || strings.HasPrefix(line, "exit status "):
			case saysWhy.MatchString(line):
				reason, final = line, true
				if place := cellLine.FindStringSubmatch(text); place != nil {
					reason += " at " + place[1]
				}
			case o.Name == "stderr" && place != nil:
				reason, final = reason+" at "+place[1], true
			case o.Name == "stderr":
				reason = line
			}
		}
	}
	return reason, final
}

// plainJSON does the same in all texts of a JSON value.
func plainJSON(content []byte) []byte {
	var value any
	if json.Unmarshal(content, &value) != nil {
		return content
	}
	var plain func(value any) any
	plain = func(value any) any {
		switch v := value.(type) {
		case string:
			return plainText(v)
		case []any:
			for i := range v {
				v[i] = plain(v[i])
			}
		case map[string]any:
			for name := range v {
				v[name] = plain(v[name])
			}
		}
		return value
	}
	return encoded(plain(value))
}

// missingPackage matches what Go says of a package or a module that it could not get without the network. With it, Go
// may say the same, if a proxy has no more to say than that.
var missingPackage = regexp.MustCompile(
	`cannot find module providing package ([^\s:]+)(?:\s|$)|(\S+): module lookup disabled by GOPROXY=off`)

// allowNetwork says how cells get a module that is not there: the kernelspec keeps them from the network.
const allowNetwork = "cells get nothing from the network unless a cell before allows it " +
	"by %env GOPROXY=... and %env GOSUMDB=..., with what 'go env GOPROXY GOSUMDB' prints"

// withoutNetwork returns the package or module that Go did not find, by a text of its own; "" if that is not what it
// says.
func withoutNetwork(text string) string {
	m := missingPackage.FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1] + m[2] // one of them
}
