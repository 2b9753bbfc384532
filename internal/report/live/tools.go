// Package live makes the files with which a browser compiles a page's program, so that readers can edit and run its Go
// code.
//
// A browser needs Go's own compiler and linker as WebAssembly, a generator that turns the page's cells into a Go file,
// and the compiled packages that cells may import. All of these come from the Go version and the modules of the build.
// See ADR 102.
package live

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/report/compile"
)

// settings are the environment settings for compiling everything that runs in the browser.
var settings = append(slices.Clip(compile.WebAssembly), "GO111MODULE=on", "GOFLAGS=-buildvcs=false", "GOPROXY=off",
	"GOSUMDB=off", "GOFIPS140=off", "GOWORK=off", "CGO_ENABLED=0")

// inlined is a flag that compiles a tool with inlining. Only the linker gets it: the other tools are a fifth smaller
// without inlining, but the linker takes most of the time of a run in a browser, and would take half as long again.
const inlined = "-gcflags=all="

// building returns the arguments for the go command to compile a tool. A flag in flags overrides the same flag among
// them.
func building(file string, flags ...string) []string {
	return append([]string{"build", "-trimpath", "-gcflags=all=-l", "-ldflags=-s -w", "-o", file}, flags...)
}

// tool compiles cmd/compile or cmd/link of Go to WebAssembly. A browser compiles only for WebAssembly, so tool leaves
// out the code for other processors, which is half of the compiler. If that fails with the sources of this Go version,
// tool compiles the whole command.
func tool(ctx context.Context, goRoot, name string) ([]byte, error) {
	temp, err := atomicfile.NewFolder("", "siegebook-live")
	if err != nil {
		return nil, err
	}
	defer func() { _ = temp.Remove() }()
	file := filepath.Join(temp.Path, name)
	args := building(file)
	if name == linkName {
		args = building(file, inlined)
	}
	instead, err := narrow(goRoot, name, temp.Path)
	if err == nil {
		_, err = compile.Go(ctx, temp.Path, settings, append(args, "-overlay="+instead, "cmd/"+name)...)
	}
	if err != nil && ctx.Err() == nil {
		_, err = compile.Go(ctx, temp.Path, settings, append(args, "cmd/"+name)...)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(file)
}

var (
	// otherEntry matches the map entry or the case in a tool's main package that refers to a processor.
	otherEntry = regexp.MustCompile(`(?m)^\t"\w+":\s+(\w+)\.Init,\n|^\tcase "\w+"(?:, "\w+")*:\n\t\t.* = (\w+)\.Init\(\)\n`)
	// otherRules matches the names of files with the compiler's rules for one processor.
	otherRules = regexp.MustCompile(`^rewrite[A-Z0-9].*\.go$`)
	// rulesFunction matches the declaration of a function in such a file that the compiler calls.
	rulesFunction = regexp.MustCompile(`(?m)^func rewrite(?:Value|Block)[A-Z0-9][A-Za-z0-9]*\(\w+ \*\w+\) bool \{$`)
)

// ours is the name of the WebAssembly processor in Go.
const ours = "wasm"

// narrow writes variants of a tool's source files without the code for other processors into a folder. It returns the
// name of an overlay file for the go command, which maps each replaced file to its variant.
func narrow(goRoot, name, folder string) (list string, err error) {
	replaced := map[string]string{}
	replace := func(file, text string) error {
		to := filepath.Join(folder, fmt.Sprintf("%d.go", len(replaced)))
		replaced[file] = to
		return os.WriteFile(to, []byte(text), 0o600)
	}
	source := filepath.Join(goRoot, "src", "cmd", name)
	file := filepath.Join(source, "main.go")
	data, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	text := string(data)
	for _, m := range otherEntry.FindAllStringSubmatch(text, -1) {
		if other := m[1] + m[2]; other != ours {
			text = strings.Replace(text, m[0], "", 1)
			text = strings.Replace(text, "\t\"cmd/"+name+"/internal/"+other+"\"\n", "", 1)
		}
	}
	if err := replace(file, text); err != nil {
		return "", err
	}
	entries, _ := os.ReadDir(filepath.Join(source, "internal", "ssa")) // only the compiler has this folder
	for _, e := range entries {
		if !otherRules.MatchString(e.Name()) || strings.HasPrefix(e.Name(), "rewriteWasm") ||
			strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file := filepath.Join(source, "internal", "ssa", e.Name())
		data, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		heads := rulesFunction.FindAllString(string(data), -1)
		text := "package ssa\n\n" + strings.Join(heads, " panic(\"no rules\") }\n") + " panic(\"no rules\") }\n"
		if len(heads) == 0 {
			continue
		}
		if err := replace(file, text); err != nil {
			return "", err
		}
	}
	written, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	list = filepath.Join(folder, "overlay.json")
	return list, os.WriteFile(list, written, 0o600)
}
