// Command cross checks that packages of the repository, with their tests, compile for other systems. It type-checks
// them from source, using only the declarations of their imports. Compiling everything for each system, as go vet does,
// would take many times as long.
//
//	go run ./internal/cross
//
// It prints the errors, and exits with 1 if there are any.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

var (
	all     = []string{"./..."}
	library = []string{"./analysis/..."}
	command = []string{
		"./analysis/...", "./cmd/siegebook", "./internal/command", "./internal/cache",
		"./internal/limitedread",
	}
	engine = []string{"./analysis/...", "./report/siegebook/engine/program", "./report/siegebook/listings/program"}
)

// systems lists the systems, the packages that must compile there, and whether their tests must compile, too. On
// Windows, reports are built without running notebooks, and tests that send signals are left out. The analysis also
// runs in a browser.
var systems = []struct {
	platform string
	tests    bool
	patterns []string
}{
	{"linux/386", true, all},
	{"linux/arm64", true, all},
	{"darwin/arm64", true, all},
	{"freebsd/amd64", true, all},
	{"windows/amd64", true, command},
	{"windows/amd64", false, all},
	{"js/wasm", true, library},
	{"wasip1/wasm", true, engine},
}

func main() {
	told := map[string]bool{} // a package and its tests have the same errors
	for _, s := range systems {
		system, architecture, _ := strings.Cut(s.platform, "/")
		loaded, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
				packages.NeedDeps | packages.NeedTypes | packages.NeedTypesSizes | packages.NeedModule,
			Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+architecture, "CGO_ENABLED=0"),
			Tests: s.tests,
		}, s.patterns...)
		if err != nil {
			fmt.Fprintln(os.Stderr, "cross:", err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d packages\n", s.platform, len(loaded))
		packages.Visit(loaded, nil, func(p *packages.Package) {
			for _, fault := range p.Errors {
				if line := fault.Error(); !told[line] {
					told[line] = true
					fmt.Fprintln(os.Stderr, line)
				}
			}
		})
	}
	if len(told) > 0 {
		os.Exit(1)
	}
}
