//go:build !wasip1

package module

import (
	"fmt"
	"os"
)

// Main ends the program, because a module runs only in browsers.
func Main() {
	fmt.Fprintln(os.Stderr, "engine: this program runs only as WebAssembly; compile it with GOOS=wasip1 GOARCH=wasm")
	os.Exit(2)
}
