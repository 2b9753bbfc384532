//go:build !wasip1

package main

import (
	"fmt"
	"os"
)

// main ends a build for other systems: the engine runs in browsers only.
func main() {
	fmt.Fprintln(os.Stderr, "engine: it runs as WebAssembly only; compile it with GOOS=wasip1 GOARCH=wasm")
	os.Exit(2)
}
