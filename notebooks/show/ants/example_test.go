package ants_test

import (
	"github.com/siegebook/siegebook/analysis/ants"
	view "github.com/siegebook/siegebook/notebooks/show/ants"
)

func ExampleKills() {
	view.Kills("...B.\n.A.A.\n...C.", ants.Focus).Show()
	// Output:
	// Who killed whom, by the rule focus
	// ant     enemies in range  killed by
	// B(0,3)                 3  A(1,1) A(1,3) C(2,3)
	// A(1,1)                 2  nobody
	// A(1,3)                 2  nobody
	// C(2,3)                 3  B(0,3) A(1,1) A(1,3)
}
