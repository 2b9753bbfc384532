package command

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
)

// How long work may take before it says how far it is.
const (
	quietOnTerminal = 500 * time.Millisecond
	quietInLog      = 2 * time.Second
	progressTick    = 100 * time.Millisecond
)

// Progress tells on Err how far long work is: a bar on a terminal, else a line for every tenth of the work, or, where
// the amount of work is not known, a line whenever the time has doubled.
type Progress struct {
	label string
	all   int64 // 0 if it is not known
	done  atomic.Int64
	over  chan struct{}
	shown sync.WaitGroup
}

// StartProgress begins to watch work of all steps, 0 if their number is not known. Nothing is shown if the user wants
// none, or if the rows that the work prints go to the same terminal.
func (s Streams) StartProgress(label string, all int64, printsRows bool) *Progress {
	p := &Progress{label: Line(label), all: all, over: make(chan struct{})}
	switch {
	case s.Quiet, isTerminal(s.Err) && printsRows && isTerminal(s.Out):
	case isTerminal(s.Err):
		p.shown.Go(func() { p.showBar(unscreened(s.Err)) })
	default:
		p.shown.Go(func() { p.showLines(s.Err) })
	}
	return p
}

// Set says how much is done.
func (p *Progress) Set(done, _ int64) { p.done.Store(done) }

// Stop ends the display; nothing is printed afterwards.
func (p *Progress) Stop() {
	close(p.over)
	p.shown.Wait()
}

// ticks calls show every tick after the quiet time until the work is over.
func (p *Progress) ticks(quiet time.Duration, show func(elapsed time.Duration)) {
	begin := time.Now()
	ticker := time.NewTicker(progressTick)
	defer ticker.Stop()
	for {
		select {
		case <-p.over:
			return
		case <-ticker.C:
			if elapsed := time.Since(begin); elapsed >= quiet {
				show(elapsed)
			}
		}
	}
}

func (p *Progress) showBar(w io.Writer) {
	size := p.all
	if size == 0 {
		size = -1 // a spinner
	}
	label, width := barLayout(p.label, p.all, terminalWidth(w))
	bar := progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(label), progressbar.OptionSetWidth(width),
		progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetSpinnerChangeInterval(0)) // without a goroutine of its own, which would go on for ever
	bar.StartWithoutRender()
	shown := false
	p.ticks(quietOnTerminal, func(time.Duration) {
		shown = true
		_ = bar.Set64(p.done.Load())
	})
	if shown {
		_ = bar.Finish()
	}
}

// barLayout returns a label and the width of a bar that fit into a line of so many columns, beside the counts of the
// work that is done.
func barLayout(label string, all int64, columns int) (string, int) {
	const most, least, numbers = 30, 5, 40 // numbers: share, rate and times
	room := cmp.Or(columns, 80) - numbers - 2*len(strconv.FormatInt(all, 10))
	if letters := []rune(label); len(letters) > room-least {
		label = string(letters[:max(0, room-least)])
	}
	return label, max(1, min(most, room-utf8.RuneCountInString(label)))
}

func (p *Progress) showLines(w io.Writer) {
	tenth, next := int64(0), quietInLog
	p.ticks(quietInLog, func(elapsed time.Duration) {
		done := p.done.Load()
		switch {
		case p.all == 0 && elapsed >= next:
			next *= 2
			fmt.Fprintf(w, "%s: at work for %d s\n", p.label, int(elapsed.Seconds()))
		case p.all > 0 && tenthOf(done, p.all) > tenth:
			tenth = tenthOf(done, p.all)
			fmt.Fprintf(w, "%s: %d0 %%, %d of %d\n", p.label, tenth, done, p.all)
		}
	})
}

// tenthOf returns how many tenths of all are done, 0 to 10.
func tenthOf(done, all int64) int64 {
	return int64(float64(done) / float64(all) * 10)
}
