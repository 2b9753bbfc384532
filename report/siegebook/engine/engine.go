// Package engine answers requests from most of the report's pages while readers change the pictures.
package engine

import (
	"slices"

	"github.com/siegebook/siegebook/report/explore/module"
	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/siegebook/pictures/ants"
	"github.com/siegebook/siegebook/report/siegebook/pictures/castle"
	"github.com/siegebook/siegebook/report/siegebook/pictures/naval"
	"github.com/siegebook/siegebook/report/siegebook/pictures/tower"
)

// Module contains the pictures that readers change, in the order of the games in the report.
var Module = module.Module{
	Pictures: slices.Concat(castle.Pictures(), tower.Pictures(), ants.Pictures(), naval.Pictures(),
		pictures.Posed(slices.Concat(castle.Exercises(), tower.Exercises(), ants.Exercises(), naval.Exercises())...)),
}
