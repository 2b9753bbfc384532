package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/pictures"
	"github.com/siegebook/siegebook/report/pictures/ants"
	"github.com/siegebook/siegebook/report/pictures/castle"
	"github.com/siegebook/siegebook/report/pictures/tower"
)

// Pictures are the pictures that readers can change.
func Pictures() []pictures.Picture {
	return slices.Concat(castle.Pictures(), tower.Pictures(), ants.Pictures())
}

// See does on a picture what a reader wants, if that is anything, and draws it for a hand. The reply has the view as
// JSON, see [pictures.View], and as bytes the pixels of a map
// that moves.
func See(name, settings, do string, hand pictures.Hand) (Reply, error) {
	all := Pictures()
	at := slices.IndexFunc(all, func(p pictures.Picture) bool { return p.Name == name })
	if at < 0 {
		return Reply{}, fmt.Errorf("%q: there is no such picture", name)
	}
	values, err := all[at].Values(settings)
	if err != nil {
		return Reply{}, err
	}
	view, err := all[at].After(values, do)
	if err != nil {
		return Reply{}, err
	}
	pixels, err := view.Drawn(hand)
	if err != nil {
		return Reply{}, err
	}
	text, err := json.Marshal(view)
	return Reply{Bytes: pixels, Text: string(text)}, err
}

// Ask answers a request of a page: lines, of which the first names what is asked. Behind "see" come the name of the
// picture, "dark" or "light", "moving" or "rest", the settings, what is done, and the keys of the drawings that the
// page
// has; behind
// the name of a [Function] its arguments. Of an error, it also returns the field that it is about, if it is one.
func Ask(request string) (r Reply, field string, err error) {
	lines := strings.Split(request, "\n")
	if lines[0] == "see" && len(lines) >= 6 {
		r, err = See(lines[1], lines[4], lines[5], pictures.Hand{
			Dark: lines[2] == "dark", Moving: lines[3] == "moving",
			Has: lines[6:],
		})
	} else {
		r, err = CallText(lines[0], lines[1:])
	}
	var refusal *pictures.Refusal
	if errors.As(err, &refusal) {
		field = refusal.Field
	}
	return r, field, err
}
