package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/press"
	"github.com/siegebook/siegebook/internal/report/site"
)

type checkCommand struct {
	settings
	outFlag
	Single     string `placeholder:"FILE.html" help:"Check a single-file report instead of a folder."`
	Seed       uint64 `default:"1" placeholder:"N" help:"Seed for choosing the battles and shards of a given survey that are computed again (default ${default})."`
	TrustCache bool   `help:"Take results from the cache, as build does, instead of computing them: faster, but errors in the cache are not found."`
}

// Help returns the additional text for --help.
func (*checkCommand) Help() string {
	return `Check computes the report again with ` + parameterNames() + `, the chapters and the lessons that are named in its stamp, in the footer of its pages; flags
override the stamp. Nothing is written. The exit code is 1 if anything differs, even a single byte, or if a page is a link.

All results are computed, including the results of notebooks, which takes a minute or two: a check that trusted the cache could not
find errors in the cache. The cache's folder only provides the kernel for the notebooks, which is built there if it is missing. So
--cache names the folder of the kernel, and --cache off builds a temporary kernel. --trust-cache takes results from the cache.

If the build was given a survey, the survey is computed again, too. A survey of up to 100,000,000 battles is computed completely. From
a larger survey, a million battles are drawn with --seed, and shards with as many battles if the build was given the folder of the
shards. Drawn battles reveal totals that are wrong by about a percent; a recomputed shard reveals any error in it.

Examples:
  genreport check                                 the report in site/
  genreport check --out /srv/report --cache off   another one, with a temporary kernel
  genreport check --single report.html            a report of one file`
}

// Run compares the report on disk with the report that a build would write.
func (c *checkCommand) Run(ctx context.Context, s command.Streams) error {
	if err := c.outFlag.validate(); err != nil {
		return err
	}
	c.anew = !c.TrustCache
	c.followLive()
	page, name, err := c.anyPage()
	if err != nil {
		return err
	}
	if err := c.follow(page); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	diff, want, size, err := c.compare(ctx, s, page)
	switch {
	case err != nil:
		return err
	case diff.Empty():
		return c.agrees(ctx, s, fmt.Sprintf("%s is identical to a new build: %s", cmp.Or(c.Single, c.Out), size))
	}
	return c.differs(s, diff, stampDiff(page, want))
}

// compare builds the report that should be on disk. It returns the differences, a page of the new report, and the size
// of the report as text.
func (c *checkCommand) compare(
	ctx context.Context, s command.Streams, page []byte,
) (diff site.Diff, want []byte, size string, err error) {
	ran := ""
	if c.Single != "" {
		want, ran, err = build(ctx, s, c.settings, book.BuildSingle)
		return site.CheckSingle(page, want), want, fmt.Sprintf("%.1f MB%s", float64(len(page))/1e6, ran), err
	}
	tree, ran, err := build(ctx, s, c.settings, book.Build)
	if err == nil {
		diff, err = site.Check(c.Out, tree)
	}
	return diff, tree["index.html"], fmt.Sprintf("%d files%s", len(tree), ran), err
}

// anyPage returns a page that has the report's stamp, and the name of the page.
func (c *checkCommand) anyPage() (page []byte, name string, err error) {
	if c.Single != "" {
		page, err = readPage(atomicfile.OpenNamed, c.Single)
		var large *limitedread.TooLarge
		if errors.As(err, &large) {
			return nil, "", command.Usage(fmt.Errorf("--single: %w", err))
		}
		if err != nil {
			return nil, "", command.Unreadable(fmt.Errorf("--single: %w; name a single-file report, as written by "+
				"genreport build --single", err))
		}
		return page, c.Single, nil
	}
	if _, err := os.Stat(c.Out); err != nil {
		return nil, "", command.Unreadable(
			fmt.Errorf("--out: %w; name the folder of a report, as written by genreport build --out", err))
	}
	others, _ := filepath.Glob(filepath.Join(c.Out, "*.html"))
	for _, name := range append([]string{filepath.Join(c.Out, "index.html")}, others...) {
		page, err := readPage(atomicfile.Open, name)
		if err != nil {
			continue
		}
		if _, err := c.book().ReadRecipe(page); err == nil {
			return page, name, nil
		}
	}
	return nil, "", fmt.Errorf("%s: no page has the stamp of a report: write a report with genreport build --out %s",
		c.Out, c.Out)
}

// readPage returns the contents of a page. open is a function of package atomicfile.
func readPage(open func(string) (*os.File, error), name string) ([]byte, error) {
	file, err := open(name)
	if err != nil {
		return nil, err
	}
	return limitedread.Read(file, name, press.MaxPage)
}

// follow takes the settings that no flag has set from the stamp of a page.
func (c *checkCommand) follow(page []byte) error {
	recipe, err := c.book().ReadRecipe(page)
	if err != nil {
		return err
	}
	for i, p := range c.book().Parameters() {
		stamped := recipe.Settings[p.Name]
		if strings.HasPrefix(stamped, chapter.HashPrefix) && len(c.parameterFlags.texts(i)) == 0 {
			if recipe.Settings[p.Name], err = c.kept(p, stamped, page); err != nil {
				return err
			}
		}
	}
	c.parameterFlags.follow(recipe.Settings)
	if len(c.Only) == 0 {
		c.Only = recipe.Only
	}
	if c.Explorables == "auto" {
		c.Explorables = map[bool]string{true: "on", false: "off"}[recipe.Explorable]
	}
	if c.Dir != "" {
		c.Param.follow(recipe.Parameters)
		return nil
	}
	if c.Notebooks == "" && recipe.Lessons == 0 {
		c.Notebooks = "off"
	}
	if c.Lessons == "auto" {
		switch recipe.Ran {
		case 0:
			c.Lessons = "text"
		case recipe.Lessons:
			c.Lessons = "run"
		}
	}
	return nil
}

// agrees recomputes results that were given to the report instead of being computed. Then it prints that the report is
// correct.
func (c *checkCommand) agrees(ctx context.Context, s command.Streams, said string) error {
	settings, err := c.parameterFlags.settings(ctx)
	if err != nil {
		return err
	}
	for _, p := range c.book().Parameters() {
		value := settings.Of(p)
		if p.File == nil || p.File.Recheck == nil || !p.File.Is(value) {
			continue
		}
		progress := s.StartProgress("drawing from the "+p.Name, 0, false)
		again, err := p.File.Recheck(ctx, value, c.Seed)
		progress.Stop()
		if ctx.Err() != nil {
			return canceled.Cause(ctx)
		}
		if err != nil {
			return fmt.Errorf("the %s of the report is wrong: %w", p.Name, err)
		}
		if err := s.Say("%s %s: computed again: %s", p.Name, p.Shown(value), again); err != nil {
			return err
		}
	}
	return s.Say("%s", said)
}

// differs lists the differences, and returns an error about them.
func (c *checkCommand) differs(s command.Streams, diff site.Diff, stamps []string) error {
	for _, line := range slices.Concat(diff.Lines(), stamps) {
		if err := s.Say("%s", line); err != nil {
			return err
		}
	}
	if c.Single != "" {
		return errors.New(c.Single + " differs from what a build would write; run genreport build --single to write " +
			"it again")
	}
	return errors.New(c.Out + " differs from what a build would write; run genreport build to write it again")
}

// stampDiff returns the fields in which the stamps of two pages differ. All other differences may result from these
// fields.
func stampDiff(have, want []byte) []string {
	old, err1 := site.ReadStamp(have)
	now, err2 := site.ReadStamp(want)
	if err1 != nil || err2 != nil {
		return nil
	}
	var lines []string
	value := func(fields []site.Field, name string) string {
		i := slices.IndexFunc(fields, func(f site.Field) bool { return f.Name == name })
		if i < 0 {
			return "nothing"
		}
		return fields[i].Value
	}
	seen := map[string]bool{}
	for _, field := range slices.Concat(old, now) {
		a, b := value(old, field.Name), value(now, field.Name)
		if a != b && !seen[field.Name] {
			lines = append(lines, fmt.Sprintf("stamp: %s: %s in the report, %s in a new build", field.Name, a, b))
		}
		seen[field.Name] = true
	}
	return lines
}
