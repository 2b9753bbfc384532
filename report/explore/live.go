package explore

import (
	_ "embed"
	"fmt"
	"slices"
)

// Live contains what readers of live pages need to compile and run cells, see package internal/report/live.
type Live struct {
	// Pieces lists the compressed files. Bytes contains their contents one after the other.
	Pieces []Piece
	Bytes  []byte
}

// Piece is a file with its compressed size.
type Piece struct {
	Name string `json:"name"`
	Size int    `json:"size"`
}

// mostPart is the maximum number of bytes that a live page loads in one script. As text, four bytes become five
// characters.
const mostPart = 4_000_000

// Parts encodes the bytes as text for scripts; each part is at most 5 MB long.
func (l *Live) Parts() (parts []string) {
	for part := range slices.Chunk(l.Bytes, mostPart) {
		parts = append(parts, Text(part))
	}
	return parts
}

// PartName returns the name of the part with the given 1-based number.
func PartName(number int) string { return fmt.Sprintf("live-%d", number) }

// License returns a comment that contains Go's licence, for scripts that contain parts of Go.
func License() string {
	return "/*! Go's compiler and linker, and compiled packages of Go and of this book.\n\n" + goLicense + "*/\n"
}

// lines returns the definitions for live pages that precede the script.
func (l *Live) lines() string {
	return "const liveWorker = " + literal(thread("live/worker.js")) + ";\nconst liveKit = " + literal(map[string]any{
		"pieces": l.Pieces, "parts": (len(l.Bytes) + mostPart - 1) / mostPart,
	}) + ";\n"
}
