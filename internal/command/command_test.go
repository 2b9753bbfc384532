package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
)

func runWith(ctx context.Context, err error) (code int, stderr string) {
	var out bytes.Buffer
	code = Run(ctx, "test", nil, Streams{Err: &out}, func(context.Context, []string, Streams) error { return err })
	return code, out.String()
}

func TestExitCodes(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   int
		stderr string
	}{
		{nil, 0, ""},
		{errors.New("the disk is full"), 1, "test: the disk is full\n"},
		{Usagef("%q is wrong", "x"), 2, "test: \"x\" is wrong\n"},
		{fmt.Errorf("in context: %w", Usage(errors.New("wrong"))), 2, "test: in context: wrong\n"},
		{errors.New("two\nlines\r\nor three"), 1, "test: two lines or three\n"},
		{context.Canceled, 1, "test: interrupted before the work was done\n"},
		{fmt.Errorf("write: %w", syscall.EPIPE), 1, ""},
	} {
		if code, stderr := runWith(context.Background(), c.err); code != c.code || stderr != c.stderr {
			t.Errorf("%v: exit code %d, stderr %q, want %d, %q", c.err, code, stderr, c.code, c.stderr)
		}
	}
	if Usage(nil) != nil {
		t.Error("no error became a usage error")
	}
}

// TestStuck: an interrupted command that does not come back is given up after a while.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		ctx, cancel := context.WithCancel(t.Context())
		release := make(chan struct{})
		done := make(chan int)
		go func() {
			done <- Run(ctx, "test", nil, Streams{Err: &stderr}, func(context.Context, []string, Streams) error {
				<-release
				return nil
			})
		}()
		synctest.Wait()
		cancel()
		if code := <-done; code != 1 || stderr.String() != "test: interrupted while the output was blocked\n" {
			t.Errorf("exit code %d, stderr %q", code, stderr.String())
		}
		close(release)
	})
}

type greeting struct {
	Greet greet `cmd:"" help:"Say hello."`
}

type greet struct {
	Times int    `arg:"" help:"How often."`
	Name  string `default:"world" help:"Whom."`

	Language string   `placeholder:"NAME" help:"In which language."`
	Loud     []string `placeholder:"WORD" help:"Words to stress."`
}

func (g *greet) Run(s Streams) error {
	_, err := fmt.Fprintln(s.Out, strings.Repeat("hello "+g.Name+" ", g.Times))
	return err
}

func TestGrammar(t *testing.T) {
	for args, want := range map[string]struct {
		code   int
		output string
	}{
		"greet 2":             {0, "hello world hello world"},
		"greet 1 --name moon": {0, "hello moon"},
		"--help":              {0, "Say hello."},
		"--version":           {2, "unknown flag --version"}, // the struct has none
		"greet":               {2, `expected "<times>"; see test greet --help`},
		"greet -3":            {2, `"-3": a number must not be negative, write it without the sign; see test greet --help`},
		"greet two":           {2, "see test greet --help"},
		"greet 1 --name=":     {0, "hello  "},
		"greet 1 --language=": {2, `--language "": empty, give a value (NAME) or leave the flag out; see test greet --help`},
		"greet 1 --loud=":     {2, `--loud "": empty, give a value (WORD,...)`},
		"burn":                {2, "unexpected argument burn; see test --help"},
	} {
		var out, stderr bytes.Buffer
		code := Run(t.Context(), "test", strings.Fields(args), Streams{Out: &out, Err: &stderr}, Grammar{Name: "test", Description: "A test.", Commands: &greeting{}}.Execute)
		if code != want.code || !strings.Contains(out.String()+stderr.String(), want.output) {
			t.Errorf("%q: exit code %d, output %q, errors %q, want %d with %q", args, code, out.String(), stderr.String(), want.code, want.output)
		}
	}
}
