// Package derivations holds the proofs, as Markdown that reads well as it is. The report makes pages of them.
package derivations

import "embed"

// Texts are the files of this folder.
//
//go:embed *.md
var Texts embed.FS
