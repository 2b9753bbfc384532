// Package siegebook identifies the sources of the command cmd/siegebook. Programs compiled from the same sources give
// the same answers.
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

// sources contains the packages from which the command is compiled, and the go.mod with the versions of modules. The
// pattern for commands matches other commands too, so that the package compiles in a copy without cmd/siegebook. digest
// omits them.
//
//go:embed go.mod analysis/*/*.go analysis/*/*/*.go cmd/*/*.go
//go:embed internal/addresses/*.go internal/atomicfile/*.go internal/canceled/*.go internal/command/*.go
//go:embed internal/limitedread/*.go internal/plural/*.go internal/rows/*.go internal/shard/*.go
var sources embed.FS

// Digest returns 16 hexadecimal digits that depend only on the text of the sources, and not on the folder, the kind of
// build, version control, the system or the processor.
var Digest = sync.OnceValue(func() string { return digest(sources) })

// isOther reports whether a file belongs to another command.
func isOther(name string) bool {
	return strings.HasPrefix(name, "cmd/") && !strings.HasPrefix(name, "cmd/siegebook/")
}

// digest returns the digits for a tree of sources. It omits tests and other commands, because they do not affect
// answers.
func digest(tree fs.FS) string {
	sum := sha256.New()
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") || isOther(name) {
			return err
		}
		text, err := fs.ReadFile(tree, name)
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")) // Windows may check files out with these line ends
		fmt.Fprintf(sum, "%s %d\n%s", name, len(text), text)
		return err
	})
	if err != nil {
		panic(err) // cannot fail: the sources are embedded
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}
