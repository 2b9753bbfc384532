package imports

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	emoji "github.com/yuin/goldmark-emoji/definition"
	nethtml "golang.org/x/net/html"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/folder"
	"github.com/siegebook/siegebook/internal/report/sanitize"
	"github.com/siegebook/siegebook/internal/report/site"
)

// emojis maps GitHub's names to emoji.
var emojis = emoji.Github()

var (
	anyTag       = regexp.MustCompile(`^</?[A-Za-z][A-Za-z0-9-]*(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s"'=<>` + "`" + `]+|'[^']*'|"[^"]*"))?)*\s*/?>`)
	autoLink     = regexp.MustCompile(`^<([A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+)>`)
	role         = regexp.MustCompile("^\\{([a-z][a-z0-9:+-]*)\\}`")
	braces       = regexp.MustCompile(`^\{([^{}\n]*)\}`)
	shortcode    = regexp.MustCompile(`^\{\{[<%]\s*(/?)([\w-]+)\s*(.*?)\s*/?[>%]\}\}`)
	citation     = regexp.MustCompile(`^\[([^\[\]]*-?@[\pL\pN_][^\[\]]*)\]`)
	crossRef     = regexp.MustCompile(`^@((?:fig|tbl|eq|sec|lst|thm|lem|cor|prp|cnj|def|exm|exr|rem|alg|sol)-[\pL\pN_-]*[\pL\pN_])`)
	bareKey      = regexp.MustCompile(`^@([\pL\pN_](?:[\pL\pN_:.#$%&+?<>~/-]*[\pL\pN_])?)`)
	lowered      = regexp.MustCompile(`^~([^~\s]+)~`)
	struck       = regexp.MustCompile(`^~([^~\s](?:[^~\n]*[^~\s])?)~`)
	raised       = regexp.MustCompile(`^\^([^\^\s]+)\^`)
	seen         = regexp.MustCompile(`^==([^=\s](?:[^=\n]*[^=\s])?)==`)
	wiki         = regexp.MustCompile(`^\[\[([^\[\]\n|]+)(?:\|([^\[\]\n]+))?\]\]`)
	signName     = regexp.MustCompile(`^:([a-z0-9+][a-z0-9_+-]*):`)
	command      = regexp.MustCompile(`^\\(cite[tp]?|ref|eqref|autoref|cref|label|footnote|textbf|textit|emph|sub|subsection|section|chapter|caption|item|url|href)\{([^{}]*)\}`)
	filledIn     = regexp.MustCompile(`^\{\{[^{}\n]*\}\}|^\{%[^{}\n]*%\}`)
	attributeEnd = regexp.MustCompile(`^\{[ \t]*(?:[:#.][^{}\n]*|[\w-]+=[^{}\n]*|=\w+|-)\}`)
)

// inline rewrites running text.
func (p *page) inline(s string, first int) string {
	var out strings.Builder
	var open []string // the end tags of the open elements
	for i := 0; i < len(s); {
		rest := s[i:]
		number := first + strings.Count(s[:i], "\n")
		text, length := p.piece(s, rest, i, number, &open)
		if length == 0 {
			_, length = utf8.DecodeRuneInString(rest)
			text = rest[:length]
		}
		out.WriteString(text)
		i += length
	}
	for _, end := range slices.Backward(open) {
		out.WriteString(end)
	}
	return out.String()
}

// escaped escapes all markup characters in a text.
func escaped(text string) string {
	var out strings.Builder
	for _, r := range text {
		if strings.ContainsRune("\\`*_{}[]<>$~^|@#", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	return out.String()
}

// piece rewrites the markup at the start of rest, which is s[at:]. It returns length 0 for plain text.
func (p *page) piece(s, rest string, at, number int, open *[]string) (text string, length int) {
	before, _ := utf8.DecodeLastRuneInString(s[:at])
	if at == 0 {
		before = ' '
	}
	switch rest[0] {
	case '\\':
		if m := command.FindStringSubmatch(rest); m != nil {
			return p.command(m, number), len(m[0])
		}
		if strings.HasPrefix(rest, `\(`) {
			if end := strings.Index(rest, `\)`); end > 2 {
				return `\(` + strings.TrimSpace(rest[2:end]) + `\)`, end + 2
			}
			return "(", 2
		}
		if strings.HasPrefix(rest, `\[`) {
			end := strings.Index(rest, `\]`)
			switch {
			case end < 0 || !strings.ContainsAny(rest[2:end], `\^_=`):
				return "&#91;", 2
			case strings.TrimSpace(s) == strings.TrimSpace(rest[:end+2]):
				return rest[:end+2], end + 2
			}
			p.note(number, `\[…\] within a line becomes $…$`)
			return "$" + strings.TrimSpace(rest[2:end]) + "$", end + 2
		}
		if strings.HasPrefix(rest, `\]`) {
			return "&#93;", 2
		}
		if len(rest) > 1 {
			_, n := utf8.DecodeRuneInString(rest[1:])
			if rest[1] == '\n' {
				return rest[:1], 1
			}
			return rest[:1+n], 1 + n
		}
	case '`':
		return p.codeSpan(rest, number)
	case '{':
		return p.brace(rest, before, number)
	case '$':
		return p.dollar(s, rest, before, number)
	case '<':
		return p.tag(rest, number, open)
	case '!':
		if strings.HasPrefix(rest, "![") {
			return p.link(rest, number, true)
		}
	case '[':
		if m := wiki.FindStringSubmatch(rest); m != nil && (!strings.HasPrefix(rest[len(m[0]):], "(")) &&
			unicode.IsLetter(rune(m[1][0])) {
			return p.wiki(m, number), len(m[0])
		}
		if m := citation.FindStringSubmatch(rest); m != nil && !strings.HasPrefix(rest[len(m[0]):], "(") {
			if text, ok := p.cite(m[1], number); ok {
				return text, len(m[0])
			}
		}
		if strings.HasPrefix(rest, "[^") {
			name, _, closed := strings.Cut(rest[2:], "]")
			switch {
			case closed && p.notes[name] && p.heads:
				p.note(number, "a title cannot have the footnote %s: its mark becomes text", name)
				return `(\[^` + name + "])", len(name) + 3
			case closed && p.notes[name]:
				return rest[:len(name)+3], len(name) + 3
			case closed && name != "" && !strings.ContainsAny(name, " \n"):
				p.note(number, "there is no footnote %s: its mark becomes text", name)
			}
			return `&#91;^`, 2
		}
		return p.link(rest, number, false)
	case '@':
		if unicode.IsSpace(before) || strings.ContainsRune("([;", before) {
			if m := crossRef.FindStringSubmatch(rest); m != nil {
				return p.reference(m[1], "", number), len(m[0])
			}
			if m := bareKey.FindStringSubmatch(rest); m != nil && p.c.keys[m[1]] {
				return m[0], len(m[0])
			}
		}
	case '~':
		if strings.HasPrefix(rest, "~~") {
			end := len(rest) - len(strings.TrimLeft(rest, "~"))
			return rest[:end], end
		}
		if m := lowered.FindStringSubmatch(rest); m != nil && (unicode.IsLetter(before) || unicode.IsDigit(before) ||
			p.quarto || strings.ContainsRune("*)_", before)) {
			p.note(number, "~%s~ becomes <sub>", m[1])
			return "<sub>" + p.inline(m[1], number) + "</sub>", len(m[0])
		}
		if m := struck.FindStringSubmatch(rest); m != nil && unicode.IsSpace(before) {
			p.note(number, "%s becomes ~~…~~", m[0])
			return "~~" + p.inline(m[1], number) + "~~", len(m[0])
		}
		if strings.Contains(rest[1:], "~") {
			return `\~`, 1
		}
	case '^':
		if strings.HasPrefix(rest, "^[") {
			return "^", 1
		}
		if m := raised.FindStringSubmatch(rest); m != nil {
			p.note(number, "%s becomes <sup>", m[0])
			return "<sup>" + p.inline(m[1], number) + "</sup>", len(m[0])
		}
	case '=':
		if m := seen.FindStringSubmatch(rest); m != nil && before != '=' && !strings.HasPrefix(rest[len(m[0]):], "=") {
			p.note(number, "%.40s becomes <mark>", m[0])
			return "<mark>" + p.inline(m[1], number) + "</mark>", len(m[0])
		}
		if end := len(rest) - len(strings.TrimLeft(rest, "=")); end > 1 {
			return rest[:end], end
		}
	case ':':
		if m := signName.FindStringSubmatch(rest); m != nil && !unicode.IsLetter(before) && !unicode.IsDigit(before) {
			if e, ok := emojis.Get(m[1]); ok && e.IsUnicode() {
				p.note(number, "%s becomes the sign itself", m[0])
				return string(e.Unicode), len(m[0])
			}
			return `\` + m[0], len(m[0])
		}
	case '*', '_':
	}
	return "", 0
}

// codeSpan rewrites inline code.
func (p *page) codeSpan(rest string, number int) (text string, length int) {
	mark := rest[:len(rest)-len(strings.TrimLeft(rest, "`"))]
	inside, ok := folder.CodeSpan(rest[len(mark):], mark)
	if !ok {
		return strings.Repeat("\\`", len(mark)), len(mark)
	}
	length = len(inside) + 2*len(mark)
	text = rest[:length]
	if strings.HasPrefix(strings.TrimSpace(inside), "go:") {
		p.note(number, "%s would be run, so it becomes <samp>", text)
		text = codeSpan(strings.TrimSpace(inside))
	}
	if m := attributeEnd.FindString(rest[length:]); m != "" {
		p.note(number, "%s after code is left out", m)
		length += len(m)
		if m == "{=html}" || m == "{=latex}" {
			return text, length
		}
	}
	return text, length
}

// brace rewrites markup that begins with a brace: MyST roles, calls in other programs' syntax, and attributes.
func (p *page) brace(rest string, before rune, number int) (string, int) {
	if m := role.FindStringSubmatch(rest); m != nil {
		mark := rest[len(m[0])-1:]
		mark = mark[:len(mark)-len(strings.TrimLeft(mark, "`"))]
		begin := len(m[0]) - 1 + len(mark)
		if inside, ok := folder.CodeSpan(rest[begin:], mark); ok {
			return p.role(m[1], inside, number), begin + len(inside) + len(mark)
		}
	}
	if m := shortcode.FindStringSubmatch(rest); m != nil {
		return p.shortcode(m, number), len(m[0])
	}
	if m := filledIn.FindString(rest); m != "" {
		p.note(number, "%s, which another program would fill in, becomes code", m)
		return codeSpan(m), len(m)
	}
	if strings.HasPrefix(rest, "{{") {
		return `\{\{`, 2
	}
	if strings.HasPrefix(rest, "{%") {
		return `\{%`, 2
	}
	if m := attributeEnd.FindString(rest); m != "" && (strings.ContainsRune(")]>*_", before) ||
		strings.HasPrefix(m, "{#") && unicode.IsSpace(before)) {
		p.note(number, "%s is left out", m)
		return "", len(m)
	}
	if m := braces.FindString(rest); attributeEnd.MatchString(rest) || strings.ContainsRune("`)]$>*_", before) ||
		m != "" && strings.HasPrefix(rest[len(m):], "`") {
		return `\{`, 1
	}
	return "{", 1
}

// dollar rewrites a dollar sign, and the formula that it begins, if any.
func (p *page) dollar(s, rest string, before rune, number int) (string, int) {
	if strings.HasPrefix(rest, "$$") {
		if end := strings.Index(rest[2:], "$$"); end > 0 && strings.TrimSpace(rest[2:2+end]) != "" {
			tex := rest[2 : 2+end]
			if strings.TrimSpace(s) == strings.TrimSpace(rest[:end+4]) && !p.cell && !p.heads {
				return rest[:end+4], end + 4
			}
			p.note(number, "$$…$$ within a line becomes $…$")
			return p.inlineFormula(tex), end + 4
		}
		return `\$\$`, 2
	}
	if strings.HasPrefix(rest, "$`") {
		if end := strings.Index(rest[2:], "`$"); end > 0 {
			p.note(number, "$`…`$ becomes $…$")
			return p.inlineFormula(rest[2 : 2+end]), end + 4
		}
	}
	if unicode.IsLetter(before) || unicode.IsDigit(before) {
		return `\$`, 1
	}
	for end := 1; end < len(rest); end++ {
		switch {
		case rest[end] == '\\':
			end++
		case rest[end] == '$':
			next, _ := utf8.DecodeRuneInString(rest[end+1:])
			tex := rest[1:end]
			if tex == "" || strings.TrimSpace(tex) != tex || next != utf8.RuneError && (unicode.IsDigit(next) ||
				unicode.IsLetter(next)) ||
				strings.Contains(tex, "`") || strings.Contains(tex, "](") {
				return `\$`, 1
			}
			return p.inlineFormula(tex), end + 1
		}
	}
	return `\$`, 1
}

// inlineFormula returns TeX as an inline formula.
func (p *page) inlineFormula(tex string) string {
	tex = strings.Join(strings.Fields(tex), " ")
	if p.cell {
		tex = strings.ReplaceAll(strings.ReplaceAll(tex, `\|`, `\Vert `), "|", `\vert `)
	}
	return "$" + strings.TrimSpace(tex) + "$"
}

// around maps HTML elements to Markdown marks.
var around = map[string]string{
	"b": "**", "strong": "**", "i": "*", "em": "*", "del": "~~", "s": "~~", "strike": "~~", "cite": "*", "dfn": "*",
}

// own lists the HTML elements that the dialect allows.
var own = []string{"kbd", "sub", "sup", "abbr", "mark", "ins", "samp", "var", "small"}

// tag rewrites a tag within a line.
func (p *page) tag(rest string, number int, open *[]string) (string, int) {
	if strings.HasPrefix(rest, "<!--") {
		if end := strings.Index(rest, "-->"); end > 0 {
			return rest[:end+3], end + 3
		}
		return `\<`, 1
	}
	if m := autoLink.FindStringSubmatch(rest); m != nil {
		if u, err := url.Parse(m[1]); err == nil && slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) ||
			!strings.Contains(m[1], ":") {
			return m[0], len(m[0])
		}
		p.note(number, "%s becomes text, because it is not a web address", m[0])
		return codeSpan(m[1]), len(m[0])
	}
	markup := anyTag.FindString(rest)
	if markup == "" {
		if len(rest) > 1 && (unicode.IsLetter(rune(rest[1])) || strings.ContainsRune("/!?", rune(rest[1]))) {
			return `\<`, 1
		}
		return "<", 1
	}
	tokens := nethtml.NewTokenizer(strings.NewReader(markup))
	kind := tokens.Next()
	token := tokens.Token()
	name := token.Data
	get := func(key string) string {
		for _, a := range token.Attr {
			if a.Key == key {
				return a.Val
			}
		}
		return ""
	}
	close := "</" + name + ">"
	ends := strings.Index(strings.ToLower(rest), close)
	said := func(what string) { p.note(number, "%.40s %s", markup, what) }
	switch {
	case kind == nethtml.EndTagToken:
		last := len(*open) - 1
		for i := last; i >= 0; i-- {
			if (*open)[i] == close || around[name] != "" && (*open)[i] == around[name] {
				text := (*open)[i]
				*open = slices.Delete(*open, i, i+1)
				return text, len(markup)
			}
		}
		if slices.Contains(plainTags, name) || around[name] != "" || name == "a" || slices.Contains(own, name) {
			return "", len(markup)
		}
		return `\<`, 1
	case name == "br":
		if p.heads {
			return " ", len(markup)
		}
		return "<br>", len(markup)
	case name == "wbr":
		return "", len(markup)
	case name == "img":
		text := p.image(get("alt"), get("src"), get("title"), sizes(get("width"), get("height")), number)
		return text, len(markup)
	case slices.Contains(own, name) && ends > 0:
		*open = append(*open, close)
		title := ""
		if name == "abbr" && get("title") != "" {
			title = ` title="` + html.EscapeString(get("title")) + `"`
		}
		return "<" + name + title + ">", len(markup)
	case slices.Contains(own, name):
		said("is left out, because nothing closes it")
		return "", len(markup)
	case name == "code" || name == "tt":
		if ends > 0 {
			said("becomes `…`")
			return codeSpan(html.UnescapeString(stripTags(rest[len(markup):ends]))), ends + len(close)
		}
	case around[name] != "" && ends > 0 && strings.TrimSpace(stripTags(rest[len(markup):ends])) != "":
		said("becomes " + around[name])
		*open = append(*open, around[name])
		return around[name], len(markup)
	case name == "a" && ends > 0 && get("href") != "":
		inner := strings.TrimSpace(rest[len(markup):ends])
		said("becomes a link")
		return p.linked(p.inline(inner, number), inner, get("href"), number), ends + len(close)
	case name == "a":
		said("is left out")
		return "", len(markup)
	case slices.Contains([]string{"iframe", "video", "audio", "embed", "source", "object"}, name):
		said("becomes a link")
		if address := cmp.Or(get("src"), get("srcset"), get("data")); address != "" && name != "source" {
			end := len(markup)
			if ends > 0 {
				end = ends + len(close)
			}
			return p.linked(escaped(cmp.Or(get("title"), name)), cmp.Or(get("title"), name), address, number), end
		}
		return "", len(markup)
	case slices.Contains(plainTags, name):
		said("is left out")
		return "", len(markup)
	}
	p.note(number, "%.40s becomes text", markup)
	return `\<`, 1
}

// plainTags lists elements whose tags are removed, but whose content is kept.
var plainTags = []string{
	"span", "font", "p", "div", "center", "u", "q", "big", "picture", "nobr", "section", "article", "header", "footer",
	"main", "nav", "figure", "figcaption", "label", "details", "summary", "time", "bdi", "bdo", "input", "button",
	"h1", "h2",
	"h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "table", "tr", "td", "th", "tbody", "thead", "hr",
	"strong",
	"source", "video", "audio", "iframe", "style", "svg", "path", "noscript", "wbr", "blockquote", "code", "tt", "pre",
}

var tagRule = regexp.MustCompile(`</?[A-Za-z][^<>]*>`)

func stripTags(markup string) string { return tagRule.ReplaceAllString(markup, "") }

var pixels = regexp.MustCompile(`^\s*([0-9]{1,4})(?:\.[0-9]+)?\s*(px|%)?\s*$`)

// sizes returns the attributes for the size of an image, as far as a book supports them.
func sizes(width, height string) string {
	if m := pixels.FindStringSubmatch(width); m != nil && m[1] != "0" {
		return "{width=" + m[1] + m[2] + "}"
	}
	if m := pixels.FindStringSubmatch(height); m != nil && m[1] != "0" && m[2] != "%" {
		return "{height=" + m[1] + m[2] + "}"
	}
	return ""
}

// bracketed returns the text between an opening bracket and the bracket that closes it.
func bracketed(text string) (inside string, ok bool) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '`':
			mark := text[i : len(text)-len(strings.TrimLeft(text[i:], "`"))]
			if code, closed := folder.CodeSpan(text[i+len(mark):], mark); closed {
				i += len(code) + 2*len(mark) - 1
			} else {
				i += len(mark) - 1
			}
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return text[1:i], true
			}
		}
	}
	return "", false
}

var destination = regexp.MustCompile(`^\(\s*(?:<([^<>\n]*)>|((?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.)*\))*))(?:\s+(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|\(((?:[^()\\]|\\.)*)\)))?\s*\)`)

// link rewrites a link or an image.
func (p *page) link(rest string, number int, image bool) (string, int) {
	from := 0
	if image {
		from = 1
	}
	inner, ok := bracketed(rest[from:])
	if !ok {
		if image {
			return "!&#91;", 2
		}
		return "&#91;", 1
	}
	at := from + len(inner) + 2
	behind := rest[at:]
	dest, title := "", ""
	switch m := destination.FindStringSubmatch(behind); {
	case m != nil:
		dest, title = cmp.Or(m[1], m[2]), cmp.Or(m[3], m[4], m[5])
		at += len(m[0])
	case strings.HasPrefix(behind, "["):
		label, closed := bracketed(behind)
		known, defined := p.links[labelOf(cmp.Or(label, inner))]
		if !closed || !defined {
			return p.plainBrackets(inner, behind, number, image), from + len(inner) + 2
		}
		dest = known
		at += len(label) + 2
	case p.links[labelOf(inner)] != "":
		dest = p.links[labelOf(inner)]
	case strings.HasPrefix(behind, "{") && braces.MatchString(behind) && !image:
		m := braces.FindStringSubmatch(behind)
		p.note(number, "the words before {%s} become plain text", m[1])
		return p.span(inner, m[1], number), at + len(m[0])
	default:
		return p.plainBrackets(inner, behind, number, image), from + len(inner) + 2
	}
	size := ""
	if m := braces.FindStringSubmatch(rest[at:]); m != nil && (image || attributeEnd.MatchString(rest[at:])) {
		a := attributesOf(m[1])
		size = sizes(a.keys["width"], a.keys["height"])
		at += len(m[0])
		if size != m[0] {
			p.note(number, "{%s} is left out, except for a size that a book can use", m[1])
		}
		title = cmp.Or(title, a.keys["fig-alt"])
		if image && a.keys["fig-alt"] != "" {
			inner = a.keys["fig-alt"]
		}
	}
	dest = unescapedMark(dest)
	if image {
		return p.image(plainWords(inner), dest, title, size, number), at
	}
	if dest == "" {
		return p.inline(inner, number), at
	}
	return p.linked(p.inline(inner, number), inner, dest, number), at
}

var backslashed = regexp.MustCompile(`\\([[:punct:]])`)

func unescapedMark(text string) string {
	return html.UnescapeString(backslashed.ReplaceAllString(text, "$1"))
}

// plainBrackets rewrites brackets that do not form a link.
func (p *page) plainBrackets(inner, after string, number int, image bool) string {
	mark := ""
	if image {
		mark = "!"
	}
	closing := "]"
	if strings.HasPrefix(after, "(") {
		closing = "&#93;"
	}
	if low := strings.ToLower(inner); inner == " " || low == "x" {
		return mark + "[" + inner + "]"
	}
	if strings.HasPrefix(inner, "!") && !strings.HasPrefix(inner, "![") {
		if name, _, _ := strings.Cut(inner[1:], "]"); slices.Contains([]string{
			"NOTE", "TIP", "IMPORTANT", "WARNING",
			"CAUTION",
		}, strings.ToUpper(name)) {
			return mark + "[" + inner + "]"
		}
	}
	return mark + "[" + p.inline(inner, number) + closing
}

// span rewrites words with a class.
func (p *page) span(inner, attrs string, number int) string {
	words := p.inline(inner, number)
	switch a := attributesOf(attrs); {
	case slices.Contains(a.classes, "mark"):
		return "<mark>" + words + "</mark>"
	case slices.Contains(a.classes, "kbd"):
		return "<kbd>" + words + "</kbd>"
	case slices.Contains(a.classes, "aside"):
		return "^[" + words + "]"
	}
	return words
}

// plainWords returns Markdown text without its markup.
func plainWords(text string) string {
	text = codeMarks.ReplaceAllString(stripTags(text), "$1$2")
	return strings.Join(strings.Fields(html.UnescapeString(text)), " ")
}

func isExternal(dest string) bool {
	u, err := url.Parse(dest)
	return err == nil && slices.Contains([]string{"http", "https", "mailto"}, strings.ToLower(u.Scheme))
}

// linked returns a link. If the words contain a link already, it may return the words followed by the address.
func (p *page) linked(words, plain, dest string, number int) string {
	dest = strings.TrimSpace(dest)
	if strings.HasPrefix(dest, "//") {
		dest = "https:" + dest
	}
	if isExternal(dest) {
		if strings.TrimSpace(words) == "" {
			words = escaped(dest)
		}
		if strings.ContainsAny(dest, " ()<>") {
			dest = "<" + strings.NewReplacer(" ", "%20", "<", "%3C", ">", "%3E").Replace(dest) + ">"
		}
		if strings.Contains(words, "](") { // the words contain a link made from a picture on the network
			if inner := linkIn.FindStringSubmatch(words); inner != nil && inner[0] == words {
				words = inner[1]
			} else {
				return words + " (" + codeSpan(dest) + ")"
			}
		}
		return "[" + words + "](" + dest + ")"
	}
	file, fragment, _ := strings.Cut(dest, "#")
	file, _, _ = strings.Cut(file, "?")
	if name, err := url.PathUnescape(fragment); err == nil {
		fragment = name
	}
	return fmt.Sprintf("\x00%s\x01%s\x01%s\x01%s\x02", words, file, fragment, plainWords(plain))
}

var linkIn = regexp.MustCompile(`^\[([^\[\]]*)\]\([^()\s]*\)$`)

// pending matches a link or a reference whose target is known only after all files are read.
var pending = regexp.MustCompile("\x00([^\x00-\x02]*)\x01([^\x00-\x02]*)\x01([^\x00-\x02]*)\x01([^\x00-\x02]*)\x02")

// resolve replaces the pending links and references of a line with their targets.
func (c *importer) resolve(d *document, l line) string {
	text := l.text
	for strings.ContainsRune(text, 0) {
		m := pending.FindStringSubmatchIndex(text)
		if m == nil {
			return strings.Map(func(r rune) rune {
				if r < ' ' && r != '\t' {
					return -1
				}
				return r
			}, text)
		}
		part := func(n int) string { return text[m[2*n]:m[2*n+1]] }
		made := c.lead(d, part(1), part(2), part(3), part(4), l.number)
		text = text[:m[0]] + made + text[m[1]:]
	}
	return text
}

const refMark = "ref:"

// lead returns a link with the given words to a file, or a reference to a heading in it.
func (c *importer) lead(d *document, words, file, fragment, plain string, number int) string {
	if label, is := strings.CutPrefix(file, refMark); is {
		return c.refer(d, label, words, number)
	}
	if at, known := c.labels[fragment]; known && (file == "" || c.doc(c.pathOf(d, file)) == at.doc) &&
		d.anchors[fragment] == "" {
		return c.refer(d, fragment, words, number)
	}
	if at, known := c.labels[strings.TrimPrefix(file, "#")]; known && fragment == "" && file != "" {
		_ = at
		return c.refer(d, file, words, number)
	}
	to, name := d, ""
	if file != "" {
		name = c.pathOf(d, file)
		to = c.doc(name)
	}
	if to == nil {
		ext := strings.ToLower(path.Ext(name))
		offered := slices.Contains([]string{
			".csv", ".tsv", ".json", ".txt", ".pdf", ".zip", ".go", ".png", ".jpg",
			".jpeg", ".gif", ".svg",
		}, ext)
		if offered && plain != "" && c.copied(name) {
			return "[" + words + "](" + relative(d.to, name) + ")"
		}
		c.note(d, number, "the link to %s leads nowhere in the book: it becomes text", cmp.Or(file, fragment))
		address := file
		if fragment != "" {
			address += "#" + fragment
		}
		if strings.TrimSpace(words) == "" || plainWords(words) == address {
			return codeSpan(address)
		}
		return words + " (" + codeSpan(address) + ")"
	}
	anchor := ""
	if fragment != "" {
		known, ok := to.anchors[fragment]
		if !ok {
			known, ok = to.anchors[strings.ToLower(fragment)]
		}
		if !ok {
			c.note(d, number, "there is no heading #%s: the link now leads to the page", fragment)
		}
		anchor = known
	}
	if strings.TrimSpace(words) == "" {
		words = escaped(strings.TrimSuffix(path.Base(to.from), path.Ext(to.from)))
		if anchor != "" {
			words = escaped(strings.ReplaceAll(anchor, "-", " "))
		}
	}
	address := ""
	if to != d {
		address = relative(d.to, to.to)
	}
	switch {
	case anchor != "":
		address += "#" + anchor
	case address == "":
		address = "#top"
	}
	return "[" + words + "](" + address + ")"
}

// pathOf returns the source path of the file that a link names.
func (c *importer) pathOf(d *document, file string) string {
	if name, err := url.PathUnescape(file); err == nil {
		file = name
	}
	if strings.HasPrefix(file, "/") {
		return path.Clean(strings.TrimPrefix(file, "/"))
	}
	return path.Join(path.Dir(d.from), file)
}

// relative returns the path from a page to a file.
func relative(from, to string) string {
	dir := path.Dir(from)
	up := ""
	for dir != "." && !strings.HasPrefix(to, dir+"/") {
		dir = path.Dir(dir)
		up += "../"
	}
	if dir != "." {
		to = strings.TrimPrefix(to, dir+"/")
	}
	to = up + to
	if strings.ContainsAny(to, " ()<>") {
		return (&url.URL{Path: to}).EscapedPath()
	}
	return to
}

// refer returns a reference to the item with a label. If words is "", the reference shows the default words.
func (c *importer) refer(d *document, label, words string, number int) string {
	at, known := c.labels[label]
	if !known {
		if anchor := d.anchors[label]; anchor != "" {
			at, known = place{"sec", anchor, d}, true
		} else {
			for _, other := range c.docs {
				if anchor := other.anchors[label]; anchor != "" {
					at, known = place{"sec", anchor, other}, true
					break
				}
			}
		}
	}
	if !known {
		c.note(d, number, "there is nothing named %s: the reference becomes text", label)
		if words != "" {
			return words + " (" + codeSpan(label) + ")"
		}
		return codeSpan(label)
	}
	if at.kind == "sec" {
		address := "#" + at.name
		if at.doc != d {
			address = relative(d.to, at.doc.to) + address
		}
		if words != "" {
			return "[" + words + "](" + address + ")"
		}
	}
	target := at.kind + ":" + at.name
	if at.kind == "sec" && at.name == at.doc.title {
		return fmt.Sprintf("{{ ref %q }}", "page:"+slugOf(at.doc.to))
	}
	if at.doc != d {
		target = at.kind + ":" + slugOf(at.doc.to) + "/" + at.name
	}
	if words != "" {
		return fmt.Sprintf("{{ ref %q %q }}", target, plainWords(words))
	}
	return fmt.Sprintf("{{ ref %q }}", target)
}

// reference returns a pending reference to a label.
func (p *page) reference(label, words string, number int) string {
	p.note(number, "the reference to %s becomes a reference within the book", label)
	return fmt.Sprintf("\x00%s\x01%s\x01\x01\x02", words, refMark+label)
}

// image returns an inline image, or a link to the image.
func (p *page) image(alt, src, title, size string, number int) string {
	alt = strings.Join(strings.Fields(alt), " ")
	name := cmp.Or(alt, title, strings.TrimSuffix(path.Base(src), path.Ext(src)), "picture")
	if isExternal(src) || strings.HasPrefix(src, "//") {
		p.note(number, "the picture %.80s is on the network: it becomes a link", src)
		return p.linked(escaped(name), name, src, number)
	}
	file, ok := p.picture(src)
	if !ok {
		p.note(number, "the picture %.80s does not exist, or a book cannot show it: its words become text", src)
		if strings.HasPrefix(src, "data:") {
			return escaped(name)
		}
		return escaped(name) + " (" + codeSpan(src) + ")"
	}
	return "![" + escaped(name) + "](" + file + ")" + size
}

// picture copies a picture file into the book, and returns its address on the page.
func (p *page) picture(src string) (address string, ok bool) {
	if to := p.d.places[src]; to != "" {
		return relative(p.d.to, to), true
	}
	src, _, _ = strings.Cut(src, "?")
	name := p.c.pathOf(p.d, src)
	kind, ok := media[strings.ToLower(path.Ext(name))]
	if !ok {
		return "", false
	}
	data, err := limitedread.ReadFS(p.c.source, name, mostFile)
	if err != nil {
		return "", false
	}
	if _, err := sanitize.NewPicture(kind, data); err != nil {
		return "", false
	}
	p.c.files[name] = data
	return relative(p.d.to, name), true
}

var media = map[string]string{
	".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".svg": "image/svg+xml",
}

// figure returns an image as a figure on a line of its own, with its name and caption. ok is false if the image has no
// name and no caption, or if its file is not in the folder.
func (p *page) figure(caption, src, title, attrs string, number int) (text string, ok bool) {
	a := attributesOf(attrs)
	if a.id == "" && p.waiting != "" {
		a.id, p.waiting = p.waiting, ""
	}
	words := plainWords(caption)
	if a.id == "" && (!p.quarto || words == "") && title == "" || isExternal(src) {
		return "", false
	}
	file, there := p.picture(unescapedMark(src))
	if !there {
		return "", false
	}
	alt := cmp.Or(a.keys["fig-alt"], a.keys["alt"], words, title, strings.TrimSuffix(path.Base(src), path.Ext(src)))
	shown := strings.ReplaceAll(cmp.Or(p.captionOf(caption, number), escaped(title)), `"`, "″")
	name := ""
	if a.id != "" {
		name = "{#" + p.named("fig", a.id, number) + "}"
	}
	if size := sizes(a.keys["width"], ""); size != "" {
		name = strings.TrimSpace(strings.Trim(name, "{}") + " " + strings.Trim(size, "{}"))
		name = "{" + name + "}"
	}
	p.note(number, "the picture %s becomes a figure", src)
	return fmt.Sprintf(`![%s](%s "%s")%s`, strings.Map(bracketless, alt), file, shown, name), true
}

// captionOf rewrites a caption as one line.
func (p *page) captionOf(caption string, number int) string {
	return strings.Join(strings.Fields(p.inline(caption, number)), " ")
}

func bracketless(r rune) rune {
	switch r {
	case '[':
		return '('
	case ']':
		return ')'
	}
	return r
}

// figureDirective rewrites a MyST figure or image.
func (p *page) figureDirective(kind, src, label string, set map[string]string, number int, body []line) []line {
	if label == "" {
		label, p.waiting = p.waiting, ""
	}
	for len(body) > 0 && strings.TrimSpace(body[len(body)-1].text) == "" {
		body = body[:len(body)-1]
	}
	end := slices.IndexFunc(body, func(l line) bool { return strings.TrimSpace(l.text) == "" })
	if end < 0 {
		end = len(body)
	}
	var caption []string
	for _, l := range body[:end] {
		caption = append(caption, strings.TrimSpace(l.text))
	}
	alt := cmp.Or(set["alt"], plainWords(strings.Join(caption, " ")), strings.TrimSuffix(path.Base(src), path.Ext(src)))
	if file, ok := p.picture(src); ok && src != "" && !isExternal(src) {
		if kind == "image" {
			p.note(number, "{%s} becomes a picture", kind)
			return []line{{"![" + escaped(alt) + "](" + file + ")" + sizes(set["width"], set["height"]), number}}
		}
		name := ""
		if label != "" {
			name = "#" + p.named("fig", label, number)
		}
		name = strings.TrimSpace(name + " " + strings.Trim(sizes(set["width"], ""), "{}"))
		if name != "" {
			name = "{" + name + "}"
		}
		p.note(number, "{%s} becomes a figure", kind)
		words := p.captionOf(strings.Join(caption, " "), number)
		out := []line{{fmt.Sprintf(`![%s](%s "%s")%s`, strings.Map(bracketless, alt), file, strings.ReplaceAll(cmp.Or(words, escaped(alt)), `"`, "″"), name), number}}
		if end < len(body) {
			out = append(append(out, line{"", number}), p.blocks(body[end:])...)
		}
		return out
	}
	if src == "" && label != "" {
		p.note(number, "{%s} is replaced by its figures and their caption", kind)
		return p.figures(body, label, "", number)
	}
	var out []line
	if src != "" {
		p.note(number, "{%s} is replaced by its caption and a link to the picture", kind)
		out = append(out, line{p.image(alt, src, "", "", number), number}, line{"", number})
	} else {
		p.note(number, "{%s} is replaced by its content", kind)
	}
	return append(out, p.blocks(body)...)
}

var figureLine = regexp.MustCompile(`^!\[[^\[\]]*\]\(\S+ ".*"\)(?:\{[^{}]*\})?$`)

// figures joins several figures into one. If caption is empty, the last paragraph is the caption.
func (p *page) figures(in []line, label, caption string, number int) []line {
	blank := func(l line) bool { return strings.TrimSpace(l.text) == "" }
	for len(in) > 0 && blank(in[len(in)-1]) {
		in = in[:len(in)-1]
	}
	begin := len(in)
	for begin > 0 && !blank(in[begin-1]) {
		begin--
	}
	if begin < len(in) && caption == "" && !strings.HasPrefix(in[begin].text, "![") {
		for _, l := range in[begin:] {
			caption = strings.TrimSpace(caption + " " + strings.TrimSpace(l.text))
		}
		in = in[:begin]
	}
	shown := slices.DeleteFunc(slices.Clone(in), blank)
	if len(shown) == 1 {
		if m := imageAlone.FindStringSubmatch(strings.TrimSpace(shown[0].text)); m != nil {
			if text, ok := p.figure(cmp.Or(caption, m[1]), m[2], cmp.Or(m[3], m[4]), "#"+label+" "+m[5], number); ok {
				return []line{{text, number}, {"", number}}
			}
		}
	}
	var apart []line // the lines, with each picture as its own paragraph
	for _, l := range in {
		if apart = append(apart, l); imageAlone.MatchString(l.text) {
			apart = append(apart, line{"", l.number})
		}
	}
	quarto := p.quarto
	p.quarto = true
	out := p.blocks(apart)
	p.quarto = quarto
	shown = slices.DeleteFunc(slices.Clone(out), blank)
	other := func(l line) bool { return !figureLine.MatchString(l.text) }
	joined := len(shown) > 1 && !slices.ContainsFunc(shown, other)
	if caption == "" {
		return out
	}
	caption = p.captionOf(caption, number)
	if joined {
		caption = "Figure: " + caption + " {#" + p.named("fig", label, number) + "}"
	}
	return append(out, line{"", number}, line{caption, number}, line{"", number})
}

// cite rewrites a citation. ok is false if the brackets are not a citation.
func (p *page) cite(inner string, number int) (string, bool) {
	all := strings.Split(inner, ";")
	for i, one := range all {
		one = strings.TrimSpace(one)
		at := strings.Index(one, "@")
		if at < 0 {
			return "", false
		}
		if m := crossRef.FindStringSubmatch(one[at:]); m != nil {
			all[i] = strings.TrimPrefix(one[:at], "-") + p.reference(m[1], "", number) + p.inline(one[at+len(m[0]):],
				number)
			if i == len(all)-1 {
				return strings.Join(all, ", "), true
			}
			continue
		}
		m := bareKey.FindStringSubmatch(one[at:])
		if m == nil {
			return "", false
		}
		if !p.c.keys[m[1]] {
			p.note(number, "the citation of %s becomes text, because no bibliography contains it", m[1])
			return "&#91;" + escaped(inner) + "&#93;", true
		}
	}
	return "[" + inner + "]", true
}

// wiki rewrites a wiki link, [[page]].
func (p *page) wiki(m []string, number int) string {
	file, fragment, _ := strings.Cut(strings.TrimSpace(m[1]), "#")
	words := strings.TrimSpace(cmp.Or(m[2], m[1]))
	p.note(number, "%s becomes a link", m[0])
	for _, try := range []string{file, strings.ReplaceAll(file, " ", "-"), strings.ToLower(strings.ReplaceAll(file,
		" ", "-"))} {
		if p.c.doc(p.c.pathOf(p.d, try)) != nil {
			file = try
		}
	}
	return fmt.Sprintf("\x00%s\x01%s\x01%s\x01%s\x02", p.inline(words, number), file, fragment, words)
}

// command rewrites a TeX command outside formulas.
func (p *page) command(m []string, number int) string {
	switch m[1] {
	case "cite", "citet", "citep":
		keys := strings.Split(m[2], ",")
		known := true
		for i, key := range keys {
			known = known && p.c.keys[strings.TrimSpace(key)]
			keys[i] = "@" + strings.TrimSpace(key)
		}
		if known {
			p.note(number, "%s becomes a citation", m[0])
			return "[" + strings.Join(keys, "; ") + "]"
		}
	case "ref", "eqref", "autoref", "cref":
		return p.reference(m[2], "", number)
	case "textbf":
		return "**" + p.inline(m[2], number) + "**"
	case "textit", "emph":
		return "*" + p.inline(m[2], number) + "*"
	case "footnote":
		return "^[" + p.inline(m[2], number) + "]"
	case "url":
		if isExternal(m[2]) {
			return "<" + m[2] + ">"
		}
	}
	p.note(number, "%s is shown as it is written", m[0])
	return codeSpan(m[0])
}

var roleTarget = regexp.MustCompile(`(?s)^(.*?)\s*<([^<>]+)>$`)

// role rewrites a MyST role.
func (p *page) role(name, inside string, number int) string {
	words, target := "", strings.TrimSpace(inside)
	if m := roleTarget.FindStringSubmatch(target); m != nil {
		words, target = strings.TrimSpace(m[1]), m[2]
	}
	switch base := name[strings.LastIndex(name, ":")+1:]; {
	case name == "ref" || name == "numref" || name == "eq" || name == "prf:ref" || name == "proof:ref":
		if strings.ContainsAny(words, "%{") { // Figure %s
			words = ""
		}
		return p.reference(target, p.inline(words, number), number)
	case name == "doc" || name == "download":
		p.note(number, "{%s} becomes a link", name)
		return p.linked(p.inline(words, number), words, target, number)
	case strings.HasPrefix(name, "cite"):
		keys := strings.Split(target, ",")
		for i := range keys {
			keys[i] = "@" + strings.TrimSpace(keys[i])
			if name == "cite:year" || base == "year" {
				keys[i] = "-" + keys[i]
			}
		}
		p.note(number, "{%s} becomes a citation", name)
		text, ok := p.cite(strings.Join(keys, "; "), number)
		if ok {
			return text
		}
	case name == "math":
		p.note(number, "{math} becomes a formula")
		return p.inlineFormula(inside)
	case name == "sub" || name == "subscript":
		p.note(number, "{%s} becomes <sub>", name)
		return "<sub>" + p.inline(inside, number) + "</sub>"
	case name == "sup" || name == "superscript":
		p.note(number, "{%s} becomes <sup>", name)
		return "<sup>" + p.inline(inside, number) + "</sup>"
	case name == "kbd":
		p.note(number, "{kbd} becomes <kbd>")
		return "<kbd>" + escaped(inside) + "</kbd>"
	case name == "abbr":
		short, long, is := strings.Cut(strings.TrimSuffix(inside, ")"), "(")
		p.note(number, "{abbr} becomes <abbr>")
		if is {
			return `<abbr title="` + html.EscapeString(strings.TrimSpace(long)) + `">` + escaped(strings.TrimSpace(short)) + "</abbr>"
		}
		return escaped(inside)
	case name == "del" || name == "strike":
		return "~~" + p.inline(inside, number) + "~~"
	case name == "u" || name == "underline" || name == "smallcaps" || name == "sc" || name == "button" ||
		name == "guilabel" ||
		name == "menuselection" || name == "term" || name == "abc":
		p.note(number, "{%s} is replaced by its words", name)
		return p.inline(cmp.Or(words, inside), number)
	case name == "download":
		return p.linked(p.inline(words, number), words, target, number)
	}
	p.note(number, "{%s} has no equivalent in a book and becomes code", name)
	return codeSpan(cmp.Or(words, inside))
}

// shortcode rewrites a Quarto or Hugo shortcode.
func (p *page) shortcode(m []string, number int) string {
	args := strings.Trim(m[3], " ")
	switch {
	case m[1] != "":
		p.note(number, "%s is left out", m[0])
		return ""
	case m[2] == "kbd":
		p.note(number, "%s becomes <kbd>", m[0])
		return "<kbd>" + escaped(strings.Trim(strings.Fields(args + " -")[0], `"`)) + "</kbd>"
	case m[2] == "var" && p.c.hasVariable(args):
		p.note(number, "%s becomes a variable of the book", m[0])
		return fmt.Sprintf("{{ var %q }}", args)
	case m[2] == "pagebreak":
		return ""
	case m[2] == "video" || m[2] == "youtube" || m[2] == "vimeo":
		for _, word := range strings.Fields(args) {
			if word = strings.Trim(word, `"'`); isExternal(word) {
				p.note(number, "%s becomes a link", m[0])
				return "[" + m[2] + "](" + word + ")"
			}
		}
	}
	p.note(number, "%s, which another program would fill in, becomes code", m[0])
	return codeSpan(m[0])
}

func slugOf(to string) string {
	return site.Slug(strings.ReplaceAll(strings.TrimSuffix(to, path.Ext(to)), "/", "-"))
}
