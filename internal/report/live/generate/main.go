// Command generate turns the cells of a page into a Go file. It is compiled to WebAssembly and runs in a browser. It
// reads a [program.LiveRequest] and the list of compiled packages from its input, and writes a [program.LiveAnswer].
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/siegebook/siegebook/internal/report/program"
)

// listFile is the file that lists the compiled packages for Go's compiler. Each line is "packagefile PATH=FILE".
const listFile = "/importcfg"

func main() {
	if err := answer(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answer() error {
	var r program.LiveRequest
	if err := json.NewDecoder(os.Stdin).Decode(&r); err != nil {
		return err
	}
	list, err := os.ReadFile(listFile)
	if err != nil {
		return err
	}
	r.Compiled = map[string]string{}
	for line := range strings.Lines(string(list)) {
		if path, file, is := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "packagefile ")), "="); is {
			r.Compiled[path] = file
		}
	}
	return json.NewEncoder(os.Stdout).Encode(r.Answer())
}
