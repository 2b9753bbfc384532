// Package rapidseed gives the random tests of rapid a fixed seed, so that a run of the tests depends on nothing but the
// code. Every package whose tests use rapid imports it for this effect. The flag -rapid.seed=N chooses other cases.
package rapidseed

import (
	"flag"

	_ "pgregory.net/rapid" // defines the flag
)

func init() {
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic(err)
	}
}
