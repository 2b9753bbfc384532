package site

import (
	"html"
	"strings"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// codeClasses are the kinds of tokens that have a colour of their own. The first match counts: a subcategory stands
// before its category.
var codeClasses = []struct {
	token chroma.TokenType
	class string
}{
	{chroma.Comment, "tok-comment"},
	{chroma.KeywordType, "tok-type"},
	{chroma.Keyword, "tok-keyword"},
	{chroma.LiteralString, "tok-string"},
	{chroma.LiteralNumber, "tok-number"},
	{chroma.NameFunction, "tok-function"},
	{chroma.NameBuiltin, "tok-function"},
	{chroma.NameClass, "tok-type"},
	{chroma.NameTag, "tok-keyword"},
	{chroma.NameAttribute, "tok-function"},
	{chroma.GenericDeleted, "tok-comment"},
	{chroma.GenericInserted, "tok-string"},
}

// code renders a block of code in its language's colours; a block without a known language is plain.
func (r *pageRenderer) code(w util.BufWriter, src []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	text := string(n.Lines().Value(src))
	language := ""
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		language = string(fenced.Language(src))
	}
	w.WriteString(codeHTML(language, text))
	return ast.WalkSkipChildren, nil
}

func codeHTML(language, text string) string {
	return `<pre tabindex="0" role="group" aria-label="` + html.EscapeString(codeLabel(language)) + `"><code>` + highlight(language, text) + "</code></pre>\n"
}

func codeLabel(language string) string {
	if language == "" {
		return "Code"
	}
	return "Code, " + language
}

// highlight returns code as HTML. Lexers may fail on odd input; the code is then plain, never lost.
func highlight(language, text string) string {
	if language == "" {
		return html.EscapeString(text)
	}
	lexer := lexers.Get(language)
	if lexer == nil {
		return html.EscapeString(text)
	}
	tokens, err := chroma.Tokenise(chroma.Coalesce(lexer), nil, text)
	if err != nil {
		return html.EscapeString(text)
	}
	var b, plain strings.Builder
	for _, t := range tokens {
		plain.WriteString(t.Value)
		class := codeClass(t.Type)
		if class == "" {
			b.WriteString(html.EscapeString(t.Value))
			continue
		}
		b.WriteString(`<span class="` + class + `">` + html.EscapeString(t.Value) + `</span>`)
	}
	if strings.TrimRight(plain.String(), "\n") != strings.TrimRight(text, "\n") {
		return html.EscapeString(text)
	}
	return b.String()
}

func codeClass(t chroma.TokenType) string {
	for _, c := range codeClasses {
		if t == c.token || c.token == c.token.SubCategory() && t.InSubCategory(c.token) || c.token == c.token.Category() && t.InCategory(c.token) {
			return c.class
		}
	}
	return ""
}
