package explore

import (
	"github.com/siegebook/siegebook/report/explore/engine"
	"github.com/siegebook/siegebook/report/figure"
	"github.com/siegebook/siegebook/report/pictures"
)

// looks are the colours of the figures, for what a script draws: the same outcome looks the same. With them go the
// names of what readers choose from before the engine is there.
func looks() map[string]any {
	return map[string]any{
		"scale":    figure.Scale(),
		"pictures": described(),
		"outcomes": map[string]pictures.LookColors{
			"won": pictures.Won.Colors(), "lost": pictures.Lost.Colors(), "tied": pictures.Tied.Colors(), "cannot": pictures.Cannot.Colors(),
			"right": pictures.Right.Colors(), "wrong": pictures.Wrong.Colors(), "too many": pictures.TooMany.Colors(), "too few": pictures.TooFew.Colors(),
			"no answer": pictures.NoAnswer.Colors(),
			"hit":       pictures.Hit.Colors(), "afloat": pictures.Afloat.Colors(), "miss": pictures.Miss.Colors(),
			"intact": pictures.Intact.Colors(), "damaged": pictures.Damaged.Colors(), "fallen": pictures.Fallen.Colors(),
			"target": pictures.Target.Colors(), "closed": pictures.Closed.Colors(), "open": pictures.Open.Colors(), "quiet": pictures.Nothing.Colors(),
		},
	}
}

// description is what a script has to know of a picture before the engine is there.
type description struct {
	Name   string           `json:"name"`
	Fields []pictures.Field `json:"fields"`
}

func described() []description {
	var all []description
	for _, p := range engine.Pictures() {
		all = append(all, description{p.Name, p.Fields})
	}
	return all
}
