package command

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"
)

// TestProgressLines: a line for each tenth of the work, but none in the first seconds and none twice.
func TestProgressLines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		p := Streams{Err: &stderr}.StartProgress("sweep castle", 1000, true)
		time.Sleep(progressTick / 2) // never at the same moment as the display
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

// TestProgressOfUnknownWork: a line whenever the time has doubled.
func TestProgressOfUnknownWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stderr bytes.Buffer
		p := Streams{Err: &stderr}.StartProgress("count castle", 0, false)
		time.Sleep(10 * time.Second)
		p.Stop()
		want := "count castle: at work for 2 s\ncount castle: at work for 4 s\ncount castle: at work for 8 s\n"
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

// TestProgressBar: the bar shows itself after a while and is gone at the end.
func TestProgressBar(t *testing.T) {
	for _, all := range []int64{0, 1000} {
		synctest.Test(t, func(t *testing.T) {
			var terminal bytes.Buffer
			p := &Progress{label: "sweep castle", all: all, over: make(chan struct{})}
			p.shown.Go(func() { p.showBar(&terminal) })
			time.Sleep(quietOnTerminal - progressTick/2)
			synctest.Wait()
			if terminal.Len() > 0 {
				t.Errorf("all %d: shown too early: %q", all, terminal.String())
			}
			p.Set(300, all)
			time.Sleep(2 * progressTick)
			p.Stop()
			frames := strings.Split(terminal.String(), "\r")
			if last := frames[len(frames)-1]; strings.TrimSpace(last) != "" {
				t.Errorf("all %d: the terminal is left with %q", all, last)
			}
			if text := terminal.String(); !strings.Contains(text, "sweep castle") || all > 0 &&
				!strings.Contains(text, "30%") {
				t.Errorf("all %d: bar %q", all, text)
			}
		})
	}
}

// TestBarFits: a bar with its label and counts is no longer than a line of the terminal.
func TestBarFits(t *testing.T) {
	for _, columns := range []int{1, 40, 60, 80, 200} {
		for _, label := range []string{"", "sweep castle, shard 17/20", strings.Repeat("é", 300)} {
			for _, all := range []int64{0, 100, 1 << 62} {
				short, width := barLayout(label, all, columns)
				line := utf8.RuneCountInString(short) + width + 40 + 2*len(fmt.Sprint(all))
				if line > columns && (short != "" || width > 1) || width < 1 || !strings.HasPrefix(label, short) {
					t.Errorf("%d columns, %q, %d: label %q, bar of %d", columns, label, all, short, width)
				}
			}
		}
	}
}
