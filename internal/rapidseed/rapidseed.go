// Package rapidseed gives the random tests of package rapid a fixed seed, so that test runs depend only on the code.
// Every package whose tests use rapid imports it for this effect. The flag -rapid.seed=N chooses other cases.
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
