package castle

import (
	"fmt"
	"math"
	"strings"

	game "github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/figure"
)

// Params chooses the grid that the maps and comparisons cover: one number of soldiers, ranges of castle hits and of
// defenders per wave.
type Params struct {
	Soldiers          int64
	Castle, Defenders grid.Range
}

// defaultParams are the grid of the report when nothing is asked for.
var defaultParams = Params{Soldiers: 100, Castle: grid.Range{First: 1, Last: 400}, Defenders: grid.Range{First: 1, Last: 200}}

// maxCells bounds the battles of a map.
const maxCells = 1 << 22

// narrowest is the largest ratio of an axis's last value to its length: beyond it the labels of the scale would be all
// alike.
const narrowest = 1000

// farthest is the largest number on an axis. Figures hold their values as int, which is too short for more where it has
// 32 bits.
const farthest = min(maxCells*narrowest-1, math.MaxInt/2)

// String returns the grid in the form of the --grid flag.
func (p Params) String() string {
	return fmt.Sprintf("soldiers=%d,castle=%v,defenders=%v", p.Soldiers, p.Castle, p.Defenders)
}

// Validate returns an error unless every number is positive and the map is of a size that a page can show.
func (p Params) Validate() error {
	if p.Soldiers < 1 {
		return fmt.Errorf("soldiers = %d: must be a positive whole number, use 1 or more", p.Soldiers)
	}
	for _, axis := range []struct {
		name string
		r    grid.Range
	}{{"castle", p.Castle}, {"defenders", p.Defenders}} {
		if axis.r.First < 1 || axis.r.Last < axis.r.First {
			return fmt.Errorf("%s = %v: must be a rising range of positive whole numbers, such as 1:400", axis.name, axis.r)
		}
		if axis.r.Last-axis.r.First >= figure.MaxMapSide {
			return fmt.Errorf("%s = %v: %d values: a map shows at most %d in each direction, use a shorter range", axis.name, axis.r, uint64(axis.r.Last-axis.r.First)+1, figure.MaxMapSide)
		}
		if axis.r.First == axis.r.Last {
			return fmt.Errorf("%s = %v: a map needs at least two values, such as 1:400", axis.name, axis.r)
		}
	}
	g, err := grid.Product(p.Castle, p.Defenders)
	if err != nil {
		return err
	}
	for _, r := range []grid.Range{p.Castle, p.Defenders} {
		if r.Last > farthest {
			return fmt.Errorf("%v: too far from 0 to draw, use numbers up to %d", r, int64(farthest))
		}
		if r.Last-r.First < r.Last/narrowest {
			return fmt.Errorf("%v: too narrow to draw with an axis from %d to %d, use a range of at least %d values", r, r.First, r.Last, r.Last/narrowest+1)
		}
	}
	if g.Size() > maxCells {
		return fmt.Errorf("castle=%v,defenders=%v has %d battles: a map shows at most %d, use shorter ranges", p.Castle, p.Defenders, g.Size(), maxCells)
	}
	return nil
}

// gridParameter lets whoever builds the report choose the grid.
var gridParameter = chapter.Parameter{
	Name: "grid", Placeholder: "GRID", Default: defaultParams.String(),
	Help: fmt.Sprintf("Battles of the maps, %v unless told otherwise; parts that are left out keep these values.", defaultParams),
	Normal: func(text string) (string, error) {
		p, err := parseParams(text)
		return p.String(), err
	},
}

// parseParams reads a grid such as "soldiers=100,castle=1:400,defenders=1:200", and validates it. Parts that are left
// out keep their default.
func parseParams(text string) (Params, error) {
	p := defaultParams
	err := eachPart(text, func(name, value string) (err error) {
		switch name {
		case "soldiers":
			p.Soldiers, err = grid.ParseNumber(value, 1)
		case "castle":
			p.Castle, err = grid.ParseRange(value, 1)
		case "defenders":
			p.Defenders, err = grid.ParseRange(value, 1)
		}
		return err
	})
	if err != nil {
		return p, err
	}
	return p, p.Validate()
}

// eachPart calls read for each name and value of a text such as "soldiers=100,castle=1:400,defenders=1:200". The error
// is one line that says what is wrong with which part.
func eachPart(text string, read func(name, value string) error) error {
	seen := map[string]bool{}
	for part := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(part, "=")
		switch {
		case !ok:
			return fmt.Errorf("%q has no =: write it like %v", part, defaultParams)
		case seen[name]:
			return fmt.Errorf("%s is given twice: leave one out", name)
		case name != "soldiers" && name != "castle" && name != "defenders":
			return fmt.Errorf("%s: there is no such part, use soldiers, castle and defenders", name)
		}
		seen[name] = true
		if err := read(name, value); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// Compared are the battles on which the algorithms are compared: those of the maps, of a grid with a range of armies,
// or of a survey that was made elsewhere.
type Compared struct {
	Grid                        bool // those of the maps
	Soldiers, Castle, Defenders grid.Range
	// Made is a survey that was made elsewhere, nil for one that is to be made.
	Made *madeSurvey
}

// comparesGrid is how the --survey flag names the battles of the maps.
const comparesGrid = "grid"

// maxCompared bounds the battles of a comparison: a build takes some seconds for so many.
const maxCompared = 100_000_000

// String returns the battles in the form of the --survey flag.
func (c Compared) String() string {
	switch {
	case c.Grid:
		return comparesGrid
	case c.Made != nil:
		return c.Made.text()
	}
	return fmt.Sprintf("soldiers=%v,castle=%v,defenders=%v", c.Soldiers, c.Castle, c.Defenders)
}

// surveyParameter lets whoever builds the report choose the battles on which the algorithms are compared.
var surveyParameter = chapter.Parameter{
	Name: "survey", Placeholder: "BATTLES|FILE|DIR", Default: comparesGrid,
	Help: fmt.Sprintf("Battles on which all algorithms are compared: %s for those of the maps, or for many armies like soldiers=1:60,castle=1:240,defenders=1:120; parts that are left out are those of %v. Or a file with a survey of any size, as siegebook survey castle --json writes it, or a folder with all its shards.", comparesGrid, defaultParams),
	File: &surveyFile,
	Normal: func(text string) (string, error) {
		c, err := parseCompared(text)
		if err != nil {
			return "", err
		}
		return c.String(), nil
	},
}

// parseCompared reads the battles of a comparison: "grid", or such as "soldiers=1:60,castle=1:240,defenders=1:120", or
// what is in the file of a survey. Parts that are left out are those of the default grid.
func parseCompared(text string) (Compared, error) {
	if text == comparesGrid {
		return Compared{Grid: true}, nil
	}
	if isMade(text) {
		made, err := readMade(text)
		return Compared{Soldiers: made.Soldiers, Castle: made.Castle, Defenders: made.Defenders, Made: &made}, err
	}
	c := Compared{Soldiers: grid.Range{First: defaultParams.Soldiers, Last: defaultParams.Soldiers}, Castle: defaultParams.Castle, Defenders: defaultParams.Defenders}
	ranges := map[string]*grid.Range{"soldiers": &c.Soldiers, "castle": &c.Castle, "defenders": &c.Defenders}
	err := eachPart(text, func(name, value string) (err error) {
		*ranges[name], err = grid.ParseRange(value, 1)
		return err
	})
	if err != nil {
		return c, err
	}
	size, err := game.Survey{Soldiers: c.Soldiers, Castle: c.Castle, Defenders: c.Defenders}.Size()
	if err != nil {
		return c, err
	}
	if size > maxCompared {
		return c, fmt.Errorf("%v has %d battles: a report compares at most %d, use shorter ranges, or the command siegebook survey", c, size, maxCompared)
	}
	return c, nil
}
