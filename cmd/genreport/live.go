package main

import (
	"cmp"
	"context"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/report/explore"
)

// checkLive returns an error for flags that live pages cannot have.
func (c *buildCommand) checkLive() error {
	switch c.WithLive = c.Live; {
	case !c.Live:
	case c.Single != "" || c.EPUB != "" || c.PDF != "":
		return command.Usagef("--live: one file cannot hold the Go compiler that readers need: leave out --single, " +
			"--epub and --pdf")
	}
	return c.liveAllowed()
}

// liveAllowed returns an error for settings with which no page can be live.
func (c *settings) liveAllowed() error {
	switch {
	case !c.WithLive:
	case c.runsNothing():
		return command.Usagef("--live: readers edit cells that the build has run: leave out --no-run")
	case c.Explorables == "off":
		return command.Usagef("--live: readers cannot run cells on pages without scripts: leave out --explorables off")
	}
	return nil
}

// followLive makes a check expect live pages if the report has the files that live pages load.
func (c *checkCommand) followLive() {
	_, err := os.Stat(filepath.Join(c.Out, explore.PartName(1)+".js"))
	c.WithLive = err == nil && c.Single == ""
}

// live lets readers edit the cells of this program's own book.
func (c settings) live(
	ctx context.Context, s command.Streams, pages ownPages, b book.Book, lessons []lesson.Lesson,
) (book.Book, []lesson.Lesson, error) {
	b, lessons, notes, err := pages.press.Live(ctx, b, lessons, c.folder())
	return b, lessons, cmp.Or(err, tellNotes(s, notes))
}

// tellNotes prints each note on a line.
func tellNotes(s command.Streams, notes []string) error {
	for _, note := range notes {
		if err := s.Note("%s", command.Line(note)); err != nil {
			return err
		}
	}
	return nil
}
