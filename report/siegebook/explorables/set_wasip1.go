package explorables

import "github.com/siegebook/siegebook/report/explore"

// Set returns no explorables: the program of a page links no other module, and has named its explorables when it ran
// first.
func Set() explore.Set { return explore.Set{} }
