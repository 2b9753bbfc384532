package site

import (
	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

func init() {
	lexers.Register(chroma.MustNewLexer(
		&chroma.Config{Name: "pseudocode", Aliases: []string{"pseudocode"}},
		func() chroma.Rules {
			return chroma.Rules{"root": {
				{Pattern: `#.*`, Type: chroma.Comment},
				{Pattern: `"[^"\n]*"`, Type: chroma.LiteralString},
				{Pattern: `\b(function|return|if|else|for|each|in|from|to|while|repeat|until|add|and|or|not)\b`, Type: chroma.Keyword},
				{Pattern: `\b[\p{L}][\p{L}\d′]*(?=\()`, Type: chroma.NameFunction},
				{Pattern: `[\p{L}][\p{L}\d′]*`, Type: chroma.Name},
				{Pattern: `\d+`, Type: chroma.LiteralNumber},
				{Pattern: `[^\p{L}\d"#]+`, Type: chroma.Text},
			}}
		},
	))
}
