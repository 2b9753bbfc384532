// Package rapidseed gives the random tests that use package rapid a fixed seed, so that test runs depend only on the
// code. Every package with such tests imports it for this effect. The flag -rapid.seed=N selects other cases.
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
