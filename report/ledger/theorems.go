package ledger

import "github.com/siegebook/siegebook/report/chapter"

// theorem is one that a machine has checked, and what it says of claims.
type theorem struct {
	chapter.Theorem
	proves []string // claims that it proves as they stand, alone or with others; or whose counterexample it is
	partly []string // claims of which it proves a part
}

// theorems are those of the folder proofs that are about claims. A test compares them with the folder.
var theorems []theorem
