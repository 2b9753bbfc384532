package explore

import (
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/pictures"
)

// looks is what a script has to know before the engine is there: the pictures, and the programs that an editor offers.
func looks() map[string]any {
	return map[string]any{"pictures": described(), "examples": listings.Offered()}
}

// description is what a script has to know of a picture before the engine is there.
type description struct {
	Name   string           `json:"name"`
	Fields []pictures.Field `json:"fields"`
	Module string           `json:"module"`
}

func described() []description {
	var all []description
	for _, m := range Modules() {
		for _, p := range m.asked.Pictures {
			all = append(all, description{p.Name, p.Fields, m.Name})
		}
	}
	return all
}
