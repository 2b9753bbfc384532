package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Cell makes figures in the output of a notebook's cell explorable.
type Cell struct {
	// Name stands for script and engine, in letters and digits: outputs of different versions of the repository may
	// stand in one notebook.
	Name string
	// Script makes an explorable of each element of the class "siegebook-explorable" whose data-script is the name. The
	// element has the drawing inside, and the kind and the settings as data-kind and data-start. The script has no tag
	// in it, holds the engine, and leaves the rest of the page alone.
	Script string
}

// ForCell returns the script for a notebook, with an engine that Compile has made.
func ForCell(engine []byte) Cell {
	scope := plain(scope("const cellStyle = "+literal(read("cell.css")+Style())+";\n", "cell.js"))
	sum := sha256.Sum256(append([]byte(scope), engine...))
	name := hex.EncodeToString(sum[:8])
	// All outputs of the notebook share these definitions and one engine.
	return Cell{name, head() + "(() => {\n\"use strict\";\nconst name = " + literal("siegebook-"+name) + ";\n" +
		"const siegebook = globalThis[name] || (globalThis[name] = " + scope + ");\n" +
		"siegebook.begin(" + literal(name) + ", " + literal(Text(engine)) + ");\n})();\n"}
}

// plain is a style, or a script with one in it, for a notebook. There drawings have a light ground of their own,
// whatever the reader's system prefers, and the size of the page's root is anything: Jupyter Notebook 6 has 10 pixels.
func plain(text string) string {
	text = strings.ReplaceAll(text, "(prefers-color-scheme: dark)", "not all")
	for digit := '0'; digit <= '9'; digit++ {
		text = strings.ReplaceAll(text, string(digit)+"rem", string(digit)+"em")
	}
	return text
}
