package main

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/chapter"
)

// TestParameterFlags: what chapters state becomes flags with their help, and what the flags say settings.
func TestParameterFlags(t *testing.T) {
	few := func(text string) (string, error) {
		if text != "1" {
			return "", errors.New("too many")
		}
		return text, nil
	}
	for _, c := range []struct {
		args   string
		follow chapter.Settings
		want   chapter.Settings
		err    string
	}{
		{want: chapter.Settings{}},
		{args: "--toy-blocks 1", want: chapter.Settings{"toy-blocks": "1"}},
		{args: "--toy-blocks 1 --marbles=1", want: chapter.Settings{"toy-blocks": "1", "marbles": "1"}},
		{args: "--marbles 2", err: "--marbles: too many"},
		{
			args: "--marbles 1", follow: chapter.Settings{"toy-blocks": "1", "marbles": "2"},
			want: chapter.Settings{"toy-blocks": "1", "marbles": "1"},
		},
		{follow: chapter.Settings{"toy-blocks": "2", "marbles": "1"}, err: "--toy-blocks: too many"},
	} {
		grammar := struct {
			parameterFlags
			Last bool
		}{parameterFlags: newParameterFlags([]chapter.Parameter{
			{Name: "toy-blocks", Placeholder: "N", Help: `"Blocks", 'so called', \ and such.`, Normal: few},
			{Name: "marbles", Placeholder: "N|M", Help: "Marbles.", Normal: few},
		})}
		var help strings.Builder
		parser, err := kong.New(&grammar, kong.Writers(&help, &help), kong.Exit(func(int) {}))
		must.Do(t, err)
		must.Get(parser.Parse(strings.Fields(c.args)))
		grammar.follow(c.follow)
		got, err := grammar.settings(t.Context())
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err || err == nil &&
			!maps.Equal(got, c.want) {
			t.Errorf("%q: %v, %v, want %v, %s", c.args, got, err, c.want, c.err)
		}
		if _, err := parser.Parse([]string{"--help"}); err != nil ||
			!strings.Contains(help.String(), `--toy-blocks=N    "Blocks", 'so called', \ and such.`) ||
			!strings.Contains(help.String(), "--marbles=N|M     Marbles.") {
			t.Errorf("%v, the help is\n%s", err, help.String())
		}
	}
}
