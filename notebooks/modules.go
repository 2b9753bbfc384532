// Package notebooks is never imported. It imports the packages of other modules that cells may use for plots, tables,
// numbers and values that outlive a cell. So the setup of the kernel downloads and compiles them.
package notebooks

import (
	_ "github.com/janpfeifer/gonb/cache"
	_ "github.com/jszwec/csvutil"
	_ "gonum.org/v1/gonum/floats"
	_ "gonum.org/v1/gonum/stat"
	_ "gonum.org/v1/gonum/stat/distuv"
	_ "gonum.org/v1/plot/palette/moreland"
	_ "gonum.org/v1/plot/plotter"
	_ "gonum.org/v1/plot/plotutil"
)
