package explorables

import "github.com/siegebook/siegebook/report/explore"

// Set returns no explorables. The program of a page links no modules, and has already named its explorables in its
// first run.
func Set() explore.Set { return explore.Set{} }
