//go:build !wasip1

// Package explorables lists the pictures of the book that readers can change, and the modules that draw them.
package explorables

import (
	_ "embed"

	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/siegebook/engine"
	"github.com/siegebook/siegebook/report/siegebook/listings"
)

//go:embed heights.css
var heights string

// Set returns the explorables of all games.
func Set() explore.Set {
	return explore.Set{
		Heights: heights,
		Modules: []explore.Module{
			{Module: engine.Module, Name: "engine", Program: "report/siegebook/engine/program"},
			{
				Module: listings.Module, Name: "listings", Program: "report/siegebook/listings/program",
				Inlined: []string{"runtime", "internal/runtime/...", "internal/abi"},
			},
		},
	}
}
