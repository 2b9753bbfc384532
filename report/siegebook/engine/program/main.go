// Engine is the module that answers most pages of the book. It is package report/siegebook/engine compiled to
// WebAssembly: a WASI reactor without files, clock or network. genreport build compiles it like the other modules.
package main

import (
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/siegebook/engine"
)

func init() { module.Served = engine.Module }

func main() { module.Main() }
