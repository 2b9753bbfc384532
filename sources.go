// Package siegebook knows the sources of the command siegebook, cmd/siegebook, by which programs that answer alike are
// told from others.
package siegebook

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"strings"
	"sync"
)

// The packages of this module that the command is compiled from, and the versions of the modules. Of the commands, only
// siegebook counts; the pattern fits others too, so that the package compiles where that command was taken out.
//
//go:embed go.mod analysis/*/*.go analysis/*/*/*.go cmd/*/*.go
//go:embed internal/addresses/*.go internal/atomicfile/*.go internal/canceled/*.go internal/command/*.go
//go:embed internal/limitedread/*.go internal/plural/*.go internal/rows/*.go internal/shard/*.go
var sources embed.FS

// Digest returns 16 hexadecimal digits that depend on the text of the sources alone: not on the place where they were
// compiled, on the kind of build, on version control, or on the system and the processor.
var Digest = sync.OnceValue(func() string { return digest(sources) })

// isOther reports whether a file belongs to another command.
func isOther(name string) bool {
	return strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "cmd/siegebook/")
}

// digest returns the digits of a tree of sources. Tests and other commands decide no answer, so they do not count.
func digest(tree fs.FS) string {
	sum := sha256.New()
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") || isOther(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // a checkout on Windows
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return err
	})
	if err != nil {
		panic(err) // the program holds its sources
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
