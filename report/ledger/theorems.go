package ledger

import "github.com/siegebook/siegebook/report/chapter"

// theorem is one that a machine has checked, with the claims that it proves as they stand.
type theorem struct {
	chapter.Theorem
	proves []string
}

// theorems are those of the folder proofs. A test compares their names with the folder.
var theorems []theorem
