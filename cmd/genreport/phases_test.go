package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/siegebook/siegebook/internal/command"
)

// TestPhases checks that long work shows its current phase, and shows nothing when it is over.
func TestPhases(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said strings.Builder
		p := &phases{streams: command.Streams{Err: &said}, usual: "running the cells"}
		p.begin()
		done := p.doing("building the kernel")
		time.Sleep(3 * time.Second)
		done()
		time.Sleep(3 * time.Second)
		p.end()
		p.doing("asked later")()
		time.Sleep(time.Minute)
		const want = "building the kernel: running for 2 s\nrunning the cells: running for 2 s\n"
		if said.String() != want {
			t.Errorf("said %q, want %q", said.String(), want)
		}
	})
}
