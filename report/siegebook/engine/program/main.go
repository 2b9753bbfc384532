// Engine is the module that most pages of the book ask: package report/siegebook/engine as WebAssembly, a WASI reactor
// without files, clock and network. genreport build compiles it, and the other modules, with the arguments that
// report/explore gives to Go.
package main

import (
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/siegebook/engine"
)

func init() { module.Served = engine.Module }

func main() { module.Main() }
