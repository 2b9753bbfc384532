package explore

import (
	"github.com/siegebook/siegebook/report/explore/listings"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// looks are the colours of the figures, for what a script draws: the same outcome looks the same. With them go the
// names of what readers choose from before the engine is there.
func looks() map[string]any {
	return map[string]any{
		"scale":    figure.Scale(),
		"pictures": described(),
		"examples": listings.Offered(),
		"outcomes": map[string]pictures.LookColors{
			"won": pictures.Won.Colors(), "lost": pictures.Lost.Colors(), "hit": pictures.Hit.Colors(),
			"afloat": pictures.Afloat.Colors(), "miss": pictures.Miss.Colors(), "closed": pictures.Closed.Colors(),
		},
	}
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
