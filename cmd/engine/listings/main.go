// Listings is the module that pages with an editor ask: package report/explore/listings as WebAssembly. See cmd/engine.
package main

import (
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/explore/module"
)

func init() { module.Served = listings.Module }

func main() { module.Main() }
