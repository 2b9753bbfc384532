package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/must"
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
		{fmt.Errorf("a program of ours: %w", syscall.EPIPE), 1, "test: a program of ours: broken pipe\n"},
		{Unreadable(fs.ErrNotExist), 2, "test: file does not exist\n"},
		{Unreadable(&fs.PathError{Op: "open", Path: "x", Err: syscall.EACCES}), 2, "test: open x: permission denied\n"},
		{Unreadable(syscall.EISDIR), 2, "test: is a directory\n"},
		{Unreadable(syscall.EIO), 1, "test: input/output error\n"},
		{
			Unwritable("--out", "x/y", &fs.PathError{Op: "open", Path: ".z", Err: syscall.ENOENT}), 2,
			"test: --out x/y: file does not exist; name a place in a folder that exists\n",
		},
		{
			Unwritable("--out", "x/y", syscall.ENOTDIR), 2,
			"test: --out x/y: not a directory; name a place in a folder that exists\n",
		},
		{
			Unwritable("--out", "x", syscall.EACCES), 1,
			"test: --out x: permission denied; name a place that you can write to\n",
		},
		{
			Unwritable("--out", "x", syscall.ENOSPC), 1,
			"test: --out x: no space left on device; make room, or name another place\n",
		},
	} {
		if code, stderr := runWith(context.Background(), c.err); code != c.code || stderr != c.stderr {
			t.Errorf("%v: exit code %d, stderr %q, want %d, %q", c.err, code, stderr, c.code, c.stderr)
		}
	}
	if Usage(nil) != nil {
		t.Error("no error became a usage error")
	}
}

// gone is a writer whose reader has gone away.
type gone struct{}

func (gone) Write([]byte) (int, error) {
	return 0, &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}
}

// TestUnread checks that a program whose reader has gone away exits with 141, like programs that SIGPIPE ends, and
// prints nothing.
func TestUnread(t *testing.T) {
	var stderr bytes.Buffer
	code := Run(t.Context(), "test", nil, Streams{Out: gone{}, Err: &stderr},
		func(_ context.Context, _ []string, s Streams) error { return fmt.Errorf("rows: %w", s.Say("x")) })
	if code != 141 || stderr.Len() > 0 {
		t.Errorf("exit code %d, %q", code, stderr.String())
	}
}

// TestStuck checks that Run gives up on an interrupted command that does not return, and that the message calls the
// output blocked only if the command is writing.
func TestStuck(t *testing.T) {
	atWork := func(_ Streams, release <-chan struct{}) { <-release }
	printing := func(s Streams, _ <-chan struct{}) { fmt.Fprint(s.Out, "x") }
	warning := func(s Streams, _ <-chan struct{}) { fmt.Fprint(s.Err, "x") }
	const slow = "test: interrupted: the command did not stop in time, so it was killed\n"
	const blocked = "test: interrupted while the output was blocked\n"
	for _, c := range []struct {
		name       string
		work       func(Streams, <-chan struct{})
		outBlocks  bool
		errBlocks  bool
		wantStderr string
	}{
		{"at work", atWork, false, false, slow},
		{"at work, nobody could read", atWork, true, false, slow},
		{"writing its output", printing, true, false, blocked},
		{"writing a message", warning, false, true, ""}, // so that the last message cannot be written, either
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				release := make(chan struct{})
				out, stderr := &gate{}, &gate{}
				if c.outBlocks {
					out.closed = release
				}
				if c.errBlocks {
					stderr.closed = release
				}
				done := make(chan int)
				go func() {
					done <- Run(ctx, "test", nil, Streams{Out: out, Err: stderr},
						func(_ context.Context, _ []string, s Streams) error {
							c.work(s, release)
							return nil
						})
				}()
				synctest.Wait()
				cancel()
				if code := <-done; code != 1 || stderr.text.String() != c.wantStderr {
					t.Errorf("exit code %d, stderr %q", code, stderr.text.String())
				}
				close(release)
			})
		})
	}
}

// gate is a writer that can be blocked for a while.
type gate struct {
	closed <-chan struct{}
	text   bytes.Buffer
}

func (g *gate) Write(p []byte) (int, error) {
	if g.closed != nil {
		<-g.closed
	}
	return g.text.Write(p)
}

func TestLine(t *testing.T) {
	must.Answers(t, "testdata/tables.txt", func(row struct{ Text string }) []any {
		got := Line(row.Text)
		if again := Line(got); again != got {
			t.Errorf("%q: at the second time %q", row.Text, again)
		}
		return []any{got}
	})
}

// TestLineIsBounded checks that Line keeps the beginning and the end of long text, whatever its content.
func TestLineIsBounded(t *testing.T) {
	const most = lineHead + lineTail + len(lineGap)
	for _, middle := range []string{"x", "é", "火", "😀", "\x00", "\u202e", "\xff", "ab\n", "\x1b[31mred"} {
		for _, size := range []int{lineHead, most, most + 1, 100_000, 10_000_000} {
			text := "head:" + strings.Repeat(middle, size/len(middle)) + ":tail"
			line := Line(text)
			if len(line) > most || !utf8.ValidString(line) || !strings.HasPrefix(line, "head:") ||
				!strings.HasSuffix(line, ":tail") {
				t.Errorf("%d bytes of %q: a line of %d bytes, %.10q to %q", len(text), middle, len(line), line,
					line[max(0, len(line)-10):])
			}
			if len(line) == len(text) != !strings.Contains(line, lineGap) && middle == "x" {
				t.Errorf("%d bytes of %q: %q", len(text), middle, line)
			}
			if again := Line(line); again != line {
				t.Errorf("%d bytes of %q: another line at the second time", len(text), middle)
			}
		}
	}
}

// TestErrIsSafe checks that nothing written to Err controls a terminal, and that lines stay lines.
func TestErrIsSafe(t *testing.T) {
	var out, stderr bytes.Buffer
	code := Run(t.Context(), "test", nil, Streams{Out: &out, Err: &stderr},
		func(_ context.Context, _ []string, s Streams) error {
			fmt.Fprintf(s.Err, "warning: \x1b[2J%s\n", strings.Repeat("x", 1_000_000))
			fmt.Fprint(s.Err, "first\x07\nsecond\u202e\n")
			if err := s.Say("%s: \x1b]0;%s", "a\nb", "c\n"); err != nil {
				return err
			}
			return fmt.Errorf("cell \x1b[31m1\x1b[0m:\n panic: \x1b[5n%s!", strings.Repeat("y", 1_000_000))
		})
	lines := strings.Split(stderr.String(), "\n")
	if code != 1 || len(lines) != 5 || lines[1] != `first\a` || lines[2] != `second\u202e` ||
		strings.ContainsAny(stderr.String(), "\x1b\x07") {
		t.Errorf("exit code %d, %d lines: %.200q", code, len(lines), lines)
	}
	for _, line := range lines {
		if len(line) > lineHead+lineTail+len(lineGap) {
			t.Errorf("a line of %d bytes", len(line))
		}
	}
	if want := `test: cell 1:  panic: \x1b[5nyyy`; !strings.HasPrefix(lines[3], want) ||
		!strings.HasSuffix(lines[3], "y!") {
		t.Errorf("%.100q", lines[3])
	}
	if want := "a b: \\x1b]0;c\n"; out.String() != want {
		t.Errorf("said %q, want %q", out.String(), want)
	}
}

// TestProgressLines checks that one line is printed for each tenth of the work, but none in the first seconds.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		p := Streams{Err: &stderr}.StartProgress("sweep castle", 1000, true)
		time.Sleep(progressTick / 2) // never at the same time as the display
		for done := int64(0); done <= 600; done += 10 {
			p.Set(done, 1000)
			time.Sleep(100 * time.Millisecond)
		}
		p.Stop()
		want := `sweep castle: 10 %, 190 of 1000
sweep castle: 20 %, 200 of 1000
sweep castle: 30 %, 300 of 1000
sweep castle: 40 %, 400 of 1000
sweep castle: 50 %, 500 of 1000
sweep castle: 60 %, 600 of 1000
`
		if got := stderr.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

// TestProgressOfUnknownWork checks that Progress prints a line whenever the elapsed time has doubled.
func TestProgressOfUnknownWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		p := Streams{Err: &stderr}.StartProgress("count castle", 0, false)
		time.Sleep(10 * time.Second)
		p.Stop()
		want := "count castle: running for 2 s\ncount castle: running for 4 s\ncount castle: running for 8 s\n"
		if got := stderr.String(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	})
}

func TestProgressOfShortWorkIsSilent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		p := Streams{Err: &stderr}.StartProgress("sweep castle", 1000, true)
		time.Sleep(quietInLog - 2*progressTick)
		p.Set(1000, 1000)
		p.Stop()
		if stderr.Len() > 0 {
			t.Errorf("stderr %q", stderr.String())
		}
	})
}

// TestProgressInPlace checks that on a terminal, a line appears after a while, fits the width, and is removed at the
// end.
func TestProgressInPlace(t *testing.T) {
	for all, want := range map[int64]string{
		0: "sweep castle: running for 0 s", 1000: "sweep castle: 30 %, 300 of 1000, about 1 s left",
	} {
		for _, columns := range []int{1, 20, 80} {
			synctest.Test(t, func(t *testing.T) {
				var terminal bytes.Buffer
				p := &Progress{label: "sweep castle", all: all, over: make(chan struct{})}
				p.shown.Go(func() { p.showInPlace(&terminal, columns) })
				time.Sleep(quietOnTerminal - progressTick/2)
				synctest.Wait()
				if terminal.Len() > 0 {
					t.Errorf("all %d: shown too early: %q", all, terminal.String())
				}
				p.Set(300, all)
				time.Sleep(2 * progressTick)
				p.Stop()
				frames := strings.Split(terminal.String(), "\r")
				for _, frame := range frames {
					if utf8.RuneCountInString(frame) >= columns {
						t.Errorf("%d columns: %q", columns, frame)
					}
				}
				if strings.TrimSpace(strings.Join(frames[len(frames)-2:], "")) != "" || columns > 1 &&
					frames[1] != want[:min(len(want), columns-1)] {
					t.Errorf("all %d: the terminal got %q", all, frames)
				}
			})
		}
	}
}
