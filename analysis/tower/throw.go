package tower

import (
	"cmp"
	"errors"
	"math/rand/v2"
)

// Aims returns the shots of soldiers who each fire at a random tower, in an undecided state: what chance does in one
// round. Soldiers who find no tower standing fire at the last one. Time and memory grow with the soldiers and the
// towers.
func (r Reading) Aims(s State, random *rand.Rand) []Aim {
	refuse(cmp.Or(readingNames.Validate(r), s.undecided()))
	if random == nil {
		refuse(errors.New("random = nil: give a source of chance"))
	}
	aims := make([]Aim, 0, s.standing())
	for _, group := range s.Groups {
		for range group.Towers {
			aims = append(aims, Aim{Towers: 1, Hits: group.Hits})
		}
	}
	among := len(aims) // those at the front are the ones to choose from
	for range s.Soldiers {
		at := random.IntN(among)
		aims[at].Shots++
		if r == Sequential && aims[at].Left() == 0 && among > 1 {
			among--
			aims[at], aims[among] = aims[among], aims[at]
		}
	}
	return aims
}
