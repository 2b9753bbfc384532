//go:build !wasip1

package module

import (
	"fmt"
	"os"
)

// Main ends a program for other systems: a module runs in browsers only.
func Main() {
	fmt.Fprintln(os.Stderr, "engine: it runs as WebAssembly only; compile it with GOOS=wasip1 GOARCH=wasm")
	os.Exit(2)
}
