package main

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
)

// positive is a whole number of at least 1. The zero value stands for an argument that was not given.
type positive int64

func (p *positive) UnmarshalText(text []byte) error {
	number, err := grid.ParseNumber(string(text), 1)
	*p = positive(number)
	return err
}

// natural is a whole number of at least 0.
type natural int64

func (n *natural) UnmarshalText(text []byte) error {
	number, err := grid.ParseNumber(string(text), 0)
	*n = natural(number)
	return err
}

// span is a range of positive whole numbers, A:B or A.
type span grid.Range

func (s *span) UnmarshalText(text []byte) error {
	r, err := grid.ParseRange(string(text), 1)
	*s = span(r)
	return err
}

// byteSize is an amount of memory: bytes, or with a unit (2GiB, 500MB).
type byteSize int64

func (b *byteSize) UnmarshalText(text []byte) error {
	size, err := humanize.ParseBytes(string(text))
	if err != nil || size < 1 || size > math.MaxInt64 {
		return fmt.Errorf("%q: not an amount of memory of at least one byte, use one like 2GiB, 500MB or 65536", text)
	}
	*b = byteSize(size)
	return nil
}

// effort bounds what a command may spend on one value.
type effort struct {
	Limit    byteSize `default:"2GiB" placeholder:"SIZE" help:"Most memory to spend, in bytes or with a unit (default ${default})."`
	MaxSteps positive `default:"100000000" placeholder:"N" help:"Most steps to spend on one battle (default ${default})."`
}

// castle returns the effort for an algorithm of the castle game.
func (e effort) castle() castle.Effort {
	return castle.Effort{Steps: int64(e.MaxSteps), Memory: int64(e.Limit)}
}

// battleArguments is a castle game on the command line.
type battleArguments struct {
	Soldiers         positive `arg:"" help:"Soldiers that attack."`
	CastleHits       positive `arg:"" help:"Hits that the castle can take."`
	DefendersPerWave positive `arg:"" help:"Defenders that a standing castle sends out after each wave."`
}

func (a battleArguments) battle() castle.Battle {
	return castle.Battle{
		Soldiers:         int64(a.Soldiers),
		CastleHits:       int64(a.CastleHits),
		DefendersPerWave: int64(a.DefendersPerWave),
	}
}
