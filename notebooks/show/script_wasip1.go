package show

import "github.com/siegebook/siegebook/report/explore"

func script(explore.Set) (explore.Cell, error) { return explore.Cell{}, errNoEngine }
