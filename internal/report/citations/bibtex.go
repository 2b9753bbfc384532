package citations

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bibReader parses BibTeX.
type bibReader struct {
	text    string
	at      int
	strings map[string]string
}

// months maps BibTeX's names of months to their English names.
var months = map[string]string{
	"jan": "January", "feb": "February", "mar": "March", "apr": "April", "may": "May", "jun": "June", "jul": "July",
	"aug": "August", "sep": "September", "oct": "October", "nov": "November", "dec": "December",
}

// readBibTeX reads all entries. The text between them is a comment.
func readBibTeX(text string) (entries []Entry, err error) {
	r := &bibReader{text: text, strings: map[string]string{}}
	for name, month := range months {
		r.strings[name] = month
	}
	defer func() {
		if fault, ok := recover().(*Fault); ok {
			entries, err = nil, fault
		}
	}()
	raw := map[string]map[string]string{}
	var keys []string
	for {
		next := strings.IndexByte(r.text[r.at:], '@')
		if next < 0 {
			break
		}
		r.at += next + 1
		switch kind := strings.ToLower(r.word()); kind {
		case "comment":
			if r.blank(); r.at < len(r.text) && r.text[r.at] == '{' {
				r.braced()
			}
		case "":
			continue // the @ is part of a comment
		case "preamble":
			r.open()
			r.value()
			r.close()
		case "string":
			r.open()
			name := strings.ToLower(r.word())
			r.expect("=")
			r.strings[name] = r.value()
			r.close()
		default:
			start := r.at
			if r.blank(); r.at < len(r.text) && r.text[r.at] != '{' && r.text[r.at] != '(' {
				r.at = start
				continue // the @ is part of an e-mail address in a comment
			}
			r.open()
			key := r.key()
			fields := map[string]string{"": kind}
			for r.next(',') {
				r.blank()
				if r.at < len(r.text) && (r.text[r.at] == '}' || r.text[r.at] == ')') {
					break
				}
				name := strings.ToLower(r.word())
				if name == "" {
					r.fail("a field of %q has no name: write name = {value}", key)
				}
				r.expect("=")
				fields[name] = r.value()
			}
			r.close()
			if raw[key] == nil {
				keys = append(keys, key)
				raw[key] = fields
			} else {
				r.fail("the key %q occurs twice: rename one", key)
			}
		}
	}
	for _, key := range keys {
		fields := raw[key]
		if parent := raw[fields["crossref"]]; parent != nil {
			for name, value := range parent {
				if fields[name] == "" {
					fields[name] = value
				}
			}
			if fields["booktitle"] == "" {
				fields["booktitle"] = parent["title"]
			}
		}
		entries = append(entries, entryOf(key, fields))
	}
	return entries, nil
}

func (r *bibReader) fail(format string, args ...any) {
	panic(&Fault{r.at, "BibTeX: " + fmt.Sprintf(format, args...)})
}

// blank skips white space, and comments up to the end of the line.
func (r *bibReader) blank() {
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c == '%':
			end := strings.IndexByte(r.text[r.at:], '\n')
			if end < 0 {
				r.at = len(r.text)
				return
			}
			r.at += end
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			r.at++
		default:
			return
		}
	}
}

func (r *bibReader) next(sign byte) bool {
	r.blank()
	if r.at < len(r.text) && r.text[r.at] == sign {
		r.at++
		return true
	}
	return false
}

func (r *bibReader) expect(sign string) {
	if !r.next(sign[0]) {
		r.fail("expected %q: close the braces and quotation marks before it", sign)
	}
}

func (r *bibReader) open() {
	if !r.next('{') && !r.next('(') {
		r.fail("expected %q", "{")
	}
}

func (r *bibReader) close() {
	if !r.next('}') && !r.next(')') {
		r.fail("expected %q or a comma: close the braces and quotation marks before it", "}")
	}
}

var (
	wordRule = regexp.MustCompile(`^[^\s"#%'(),={}@]+`)
	keyRule  = regexp.MustCompile(`^[^\s,{}()"@\\]+`)
)

func (r *bibReader) word() string {
	r.blank()
	word := wordRule.FindString(r.text[r.at:])
	r.at += len(word)
	return word
}

func (r *bibReader) key() string {
	r.blank()
	key := keyRule.FindString(r.text[r.at:])
	if key == "" {
		r.fail("an entry has no key: write one after the brace, followed by a comma")
	}
	r.at += len(key)
	return key
}

// value reads a value: strings joined by #.
func (r *bibReader) value() string {
	var out strings.Builder
	for {
		r.blank()
		switch {
		case r.at >= len(r.text):
			r.fail("a value is missing at the end of the file")
		case r.text[r.at] == '{':
			out.WriteString(r.braced())
		case r.text[r.at] == '"':
			out.WriteString(r.quoted())
		default:
			word := r.word()
			if word == "" {
				r.fail("a value is missing: write it in braces")
			}
			if text, known := r.strings[strings.ToLower(word)]; known {
				word = text
			}
			out.WriteString(word)
		}
		if !r.next('#') {
			return out.String()
		}
	}
}

// braced reads a string in braces, and returns it without the braces.
func (r *bibReader) braced() string { return r.until('}', "a brace") }

// quoted reads a string in quotation marks. Quotation marks within braces are part of the string.
func (r *bibReader) quoted() string { return r.until('"', "a quotation mark") }

// until reads from an opening sign to the closing sign end, which must be outside braces. Errors use what as the name
// of the opening sign.
func (r *bibReader) until(end byte, what string) string {
	start, depth := r.at+1, 0
	for r.at = start; r.at < len(r.text); r.at++ {
		switch sign := r.text[r.at]; {
		case sign == '\\':
			r.at++
		case sign == end && depth == 0:
			r.at++
			return r.text[start : r.at-1]
		case sign == '{':
			depth++
		case sign == '}':
			depth--
		}
	}
	r.at = start
	r.fail("%s is not closed", what)
	return ""
}

// entryOf makes an entry from fields.
func entryOf(key string, fields map[string]string) Entry {
	get := func(names ...string) string {
		for _, name := range names {
			if value := strings.TrimSpace(fields[name]); value != "" {
				return PlainTeX(value)
			}
		}
		return ""
	}
	e := Entry{
		ID: key, Title: get("title"), Authors: namesOf(fields["author"]), Editors: namesOf(fields["editor"]),
		Container: get("journal", "journaltitle", "booktitle"),
		Publisher: get("publisher", "school", "institution", "organization", "howpublished"),
		Volume:    get("volume"), Issue: get("number", "issue"), Pages: get("pages"),
		DOI: strings.TrimSpace(fields["doi"]),
		URL: strings.Trim(strings.TrimPrefix(strings.TrimSpace(fields["url"]), `\url`), "{}"), Year: yearIn(get("year", "date")),
	}
	if subtitle := get("subtitle"); subtitle != "" {
		e.Title += ": " + subtitle
	}
	if number := strings.TrimSpace(fields["eprint"]); number != "" && e.URL == "" && e.DOI == "" &&
		strings.EqualFold(cmp.Or(fields["archiveprefix"], fields["eprinttype"]), "arxiv") {
		e.URL = "https://arxiv.org/abs/" + number
	}
	if strings.HasPrefix(e.URL, "http://") {
		e.URL = "https://" + strings.TrimPrefix(e.URL, "http://")
	}
	return e
}

// split splits a string at each separator outside braces.
func split(text string, at func(rest string) int) (parts []string) {
	depth, from := 0, 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
			continue
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			if length := at(text[i:]); length > 0 {
				parts = append(parts, text[from:i])
				i += length - 1
				from = i + 1
			}
		}
	}
	return append(parts, text[from:])
}

var andRule = regexp.MustCompile(`^\s+and\s+`)

// namesOf parses names joined by "and".
func namesOf(text string) (names []Name) {
	for _, one := range split(strings.TrimSpace(text), func(rest string) int { return len(andRule.FindString(rest)) }) {
		one = strings.TrimSpace(one)
		switch {
		case one == "":
		case one == "others":
			names = append(names, Name{Literal: "et al."})
		case strings.HasPrefix(one, "{") && len(split(one, isBlank)) == 1 && len(split(one, isComma)) == 1 &&
			strings.HasSuffix(one, "}"):
			names = append(names, Name{Literal: PlainTeX(one)})
		default:
			names = append(names, nameOf(one))
		}
	}
	return names
}

func isBlank(rest string) int {
	if r, size := utf8.DecodeRuneInString(rest); unicode.IsSpace(r) || r == '~' {
		return size
	}
	return 0
}

func isComma(rest string) int {
	if rest[0] == ',' {
		return 1
	}
	return 0
}

// nameOf parses a name in one of three forms: First von Last, or von Last, First, or von Last, Jr, First.
func nameOf(text string) Name {
	parts := split(text, isComma)
	words := func(text string) (all []string) {
		for _, w := range split(text, isBlank) {
			if w = strings.TrimSpace(w); w != "" {
				all = append(all, w)
			}
		}
		return all
	}
	joined := func(words []string) string { return PlainTeX(strings.Join(words, " ")) }
	first := words(parts[0])
	if len(parts) == 1 {
		if len(first) == 0 {
			return Name{}
		}
		from, to := len(first)-1, len(first)-1 // the range of the particle, which never includes the last word
		found := false
		for i := len(first) - 2; i >= 0; i-- {
			if isLower(first[i]) {
				if from = i; !found {
					found, to = true, i+1
				}
			}
		}
		return Name{Given: joined(first[:from]), Particle: joined(first[from:to]), Family: joined(first[to:])}
	}
	to := 0
	for i := range max(len(first)-1, 0) {
		if isLower(first[i]) {
			to = i + 1
		}
	}
	n := Name{Particle: joined(first[:to]), Family: joined(first[to:]), Given: joined(words(parts[len(parts)-1]))}
	if len(parts) > 2 {
		n.Suffix = joined(words(parts[1]))
	}
	return n
}

// isLower reports whether a word begins with a lowercase letter, like the particle of a family name.
func isLower(word string) bool {
	if strings.HasPrefix(word, "{") && !strings.HasPrefix(word, `{\`) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(PlainTeX(word))
	return unicode.IsLower(r)
}

// accents maps TeX commands to the combining marks that they put on a letter.
var accents = map[string]rune{
	"`": 0x300, "'": 0x301, "^": 0x302, "~": 0x303, "=": 0x304, "u": 0x306, ".": 0x307, `"`: 0x308, "r": 0x30a,
	"H": 0x30b, "v": 0x30c, "d": 0x323, "c": 0x327, "k": 0x328, "b": 0x331, "t": 0x361,
}

// special maps TeX commands to letters.
var special = map[string]string{
	"ss": "ß", "SS": "ẞ", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
	"l": "ł",
	"L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ", "ng": "ŋ",
	"NG":         "Ŋ",
	"textendash": "–", "textemdash": "—", "ldots": "…", "dots": "…", "textquoteright": "’", "LaTeX": "LaTeX",
	"TeX":            "TeX",
	"textregistered": "®", "texttrademark": "™", "copyright": "©", "pounds": "£", "S": "§", "textasciitilde": "~",
	"textbackslash": `\`, "textunderscore": "_", "slash": "/", "relax": "", "noopsort": "", "par": " ", "newblock": "",
}

// PlainTeX returns TeX as readers see it: accents, dashes and letters become characters, and braces are removed.
// Formulas between dollars stay as they are.
func PlainTeX(text string) string {
	var out strings.Builder
	text = strings.Join(strings.Fields(text), " ")
	for i := 0; i < len(text); {
		switch rest := text[i:]; {
		case rest[0] == '$':
			end := strings.IndexByte(rest[1:], '$')
			if end < 0 {
				end = len(rest) - 2
			}
			out.WriteString(rest[:min(end+2, len(rest))])
			i += min(end+2, len(rest))
		case rest[0] == '\\' && len(rest) > 1:
			words, length := command(rest)
			out.WriteString(words)
			i += length
		case rest[0] == '{' || rest[0] == '}':
			i++
		case rest[0] == '~':
			out.WriteRune('\u00a0')
			i++
		case strings.HasPrefix(rest, "---"):
			out.WriteRune('—')
			i += 3
		case strings.HasPrefix(rest, "--"):
			out.WriteRune('–')
			i += 2
		case strings.HasPrefix(rest, "``"):
			out.WriteRune('“')
			i += 2
		case strings.HasPrefix(rest, "''"):
			out.WriteRune('”')
			i += 2
		default:
			_, size := utf8.DecodeRuneInString(rest)
			out.WriteString(rest[:size])
			i += size
		}
	}
	return strings.TrimSpace(norm.NFC.String(out.String()))
}

// command reads a TeX command, and returns the text that it represents and the length of the command.
func command(text string) (words string, length int) {
	length = 2
	for length < len(text) && isASCIILetter(text[1]) && isASCIILetter(text[length]) {
		length++
	}
	if text[1] >= utf8.RuneSelf {
		_, size := utf8.DecodeRuneInString(text[1:])
		return text[1 : 1+size], 1 + size
	}
	name := text[1:length]
	if isASCIILetter(text[1]) {
		for length < len(text) && text[length] == ' ' {
			length++
		}
	}
	if mark, ok := accents[name]; ok {
		letter, size := argument(text[length:])
		if letter == "" {
			return string(mark), length + size
		}
		base, n := utf8.DecodeRuneInString(letter)
		switch base { // accents replace the dot
		case 'ı':
			base = 'i'
		case 'ȷ':
			base = 'j'
		}
		return string(base) + string(mark) + letter[n:], length + size
	}
	if letter, ok := special[name]; ok {
		return letter, length
	}
	if !isASCIILetter(name[0]) {
		return name, length // \& and similar
	}
	return "", length // drops \emph and similar commands, but not the content of their braces
}

// argument reads the argument of a TeX command: a letter, a command, or the content of braces.
func argument(text string) (words string, length int) {
	for length < len(text) && text[length] == ' ' {
		length++
	}
	rest := text[length:]
	switch {
	case rest == "":
		return "", length
	case rest[0] == '{':
		depth := 0
		for i := range len(rest) {
			switch rest[i] {
			case '{':
				depth++
			case '}':
				if depth--; depth == 0 {
					return PlainTeX(rest[1:i]), length + i + 1
				}
			}
		}
		return "", length
	case rest[0] == '}':
		return "", length
	case rest[0] == '\\' && len(rest) > 1:
		words, more := command(rest)
		return words, length + more
	}
	_, size := utf8.DecodeRuneInString(rest)
	return rest[:size], length + size
}

func isASCIILetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
