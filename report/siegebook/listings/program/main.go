// Listings is the module that answers pages with an editor. It is package report/siegebook/listings compiled to
// WebAssembly.
package main

import (
	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/siegebook/listings"
)

func init() { module.Served = listings.Module }

func main() { module.Main() }
