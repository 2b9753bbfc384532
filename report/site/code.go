package site

import (
	"cmp"
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
)

// codeClasses are the kinds of tokens that have a colour of their own.
var codeClasses = map[chroma.TokenType]string{
	chroma.Comment:         "tok-comment",
	chroma.KeywordType:     "tok-type",
	chroma.Keyword:         "tok-keyword",
	chroma.LiteralString:   "tok-string",
	chroma.LiteralNumber:   "tok-number",
	chroma.NameFunction:    "tok-function",
	chroma.NameBuiltin:     "tok-function",
	chroma.NameClass:       "tok-type",
	chroma.NameTag:         "tok-keyword",
	chroma.NameAttribute:   "tok-function",
	chroma.GenericDeleted:  "tok-comment",
	chroma.GenericInserted: "tok-string",
}

// code renders a block of code in its language's colours; a block without a known language is plain.
func (r *pageRenderer) code(n ast.Node, src []byte) element {
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(src))
	}
	return whole(codeHTML(language, string(n.Lines().Value(src))))
}

func codeHTML(language, text string) string {
	return `<pre tabindex="0" role="group" aria-label="` + html.EscapeString(
		codeLabel(language),
	) + `"><code>` + highlight(language, text) + "</code></pre>\n"
}

func codeLabel(language string) string {
	if language == "" {
		return "Code"
	}
	return "Code, " + language
}

// highlight returns code as HTML. Lexers may fail on odd input; the code is then plain, never lost.
func highlight(language, text string) string {
	var tokens []chroma.Token
	if language != "" {
		if lexer := lexers.Get(language); lexer != nil {
			tokens, _ = chroma.Tokenise(chroma.Coalesce(lexer), nil, text)
		}
	}
	var b, plain strings.Builder
	for _, t := range tokens {
		plain.WriteString(t.Value)
		if class := codeClass(t.Type); class != "" {
			b.WriteString(`<span class="` + class + `">` + html.EscapeString(t.Value) + `</span>`)
		} else {
			b.WriteString(html.EscapeString(t.Value))
		}
	}
	if strings.TrimRight(plain.String(), "\n") != strings.TrimRight(text, "\n") {
		return html.EscapeString(text)
	}
	return b.String()
}

// codeClass is the class of a kind of tokens, or of the kinds that it belongs to.
func codeClass(t chroma.TokenType) string {
	return cmp.Or(codeClasses[t], codeClasses[t.SubCategory()], codeClasses[t.Category()])
}
