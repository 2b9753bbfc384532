// Package derivations contains the proofs in Markdown, which is readable as plain text. The report makes pages of them.
package derivations

import "embed"

// Texts are the files of this folder.
//
//go:embed *.md
var Texts embed.FS
