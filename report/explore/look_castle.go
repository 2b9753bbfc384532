package explore

import (
	"slices"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/report/pictures"
	pictured "github.com/siegebook/siegebook/report/pictures/castle"
)

// verdict is what an answer about a battle of the castle can be, by its number.
type verdict struct {
	Words string              `json:"words"`
	Look  pictures.LookColors `json:"look"`
}

func verdicts() []verdict {
	var all []verdict
	for _, v := range castle.Verdicts() {
		all = append(all, verdict{pictured.Words(v), pictured.Look(v).Colors()})
	}
	return all
}

// algorithm is one that says in how few waves the soldiers win. Place is where the table of castle.Algorithms has it,
// by which the engine is asked.
type algorithm struct {
	Place int         `json:"place"`
	Name  string      `json:"name"`
	Title string      `json:"title"`
	Kind  castle.Kind `json:"kind"`
	Plays bool        `json:"plays"` // whether it plays a line
}

func algorithms() []algorithm {
	var all []algorithm
	for place, a := range castle.Algorithms() {
		if slices.ContainsFunc(castle.DefaultSurveyed(), func(s castle.Algorithm) bool { return s.Name == a.Name }) {
			all = append(all, algorithm{place, a.Name, a.Title, a.Kind, a.Strategy != nil})
		}
	}
	return all
}
