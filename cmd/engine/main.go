// Engine is the module that most pages of the report ask: package report/explore/engine as WebAssembly, a WASI reactor
// without files, clock and network. genreport build compiles it, and the other modules, whose programs are below:
//
//	GOOS=wasip1 GOARCH=wasm go build -buildmode=c-shared -trimpath -gcflags=std=-l -ldflags='-s -w' ./cmd/engine
package main

import (
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/explore/module"
)

func init() { module.Served = engine.Module }

func main() { module.Main() }
