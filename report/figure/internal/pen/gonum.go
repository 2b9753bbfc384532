//go:build !wasip1

// Package pen has the lines and paths of figures. They are those of gonum.org/v1/plot, so that figures and plots draw
// on each other. The engine of the pages draws no plots: there they are types of the same form without gonum, which
// brings readers of fonts along: a sixth of the engine.
package pen

import (
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

type (
	Length    = vg.Length
	Point     = vg.Point
	Rectangle = vg.Rectangle
	Path      = vg.Path
	PathComp  = vg.PathComp
	Painter   = vg.Canvas
	LineStyle = draw.LineStyle
	Canvas    = draw.Canvas
)

const (
	MoveComp  = vg.MoveComp
	LineComp  = vg.LineComp
	ArcComp   = vg.ArcComp
	CurveComp = vg.CurveComp
	CloseComp = vg.CloseComp
)

// NewCanvas returns a canvas of a size that a painter paints.
func NewCanvas(p Painter, width, height Length) Canvas { return draw.NewCanvas(p, width, height) }

// Initialize gives a painter its first ink and line.
func Initialize(p Painter) { vg.Initialize(p) }
