package pictures

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/report/content"
)

// Phrases translates the text of a picture: "after # hours" to "nach # Stunden", where # stands for a number. In a
// translation, #2 stands for the second number, and # for the next one. A phrase may be a part of a sentence. Longer
// phrases take precedence. The translations of "," and "." are the separators of the digits of numbers.
type Phrases map[string]string

// In returns the picture in another language. Text for which there is no phrase stays as it is.
func (p Picture) In(phrases Phrases) Picture {
	if len(phrases) == 0 {
		return p
	}
	t, faulty := newTranslator(phrases), phrases.check()
	p.phrases, p.Fields = phrases, slices.Clone(p.Fields)
	for i := range p.Fields {
		f := &p.Fields[i]
		f.Label, f.One, f.Many, f.Fold = t.text(f.Label), t.text(f.One), t.text(f.Many), t.text(f.Fold)
		f.Options = slices.Clone(f.Options)
		for j := range f.Options {
			f.Options[j].Label = t.text(f.Options[j].Label)
		}
	}
	see, do := p.See, p.Do
	p.See = func(v Values) (*View, error) {
		if faulty != nil {
			return nil, faulty
		}
		view, err := see(v)
		if err != nil {
			return nil, t.refusal(err)
		}
		t.view(view)
		return view, nil
	}
	if do != nil {
		p.Do = func(v Values, what string) (Values, error) {
			next, err := do(v, what)
			return next, t.refusal(err)
		}
	}
	return p
}

// refusal translates an error that readers see.
func (t *translator) refusal(err error) error {
	if refused := (*Refusal)(nil); errors.As(err, &refused) {
		return &Refusal{refused.Field, t.text(refused.Words)}
	}
	return err
}

// check returns an error if a phrase is empty, or if a translation lacks a number of its phrase.
func (p Phrases) check() error {
	for _, phrase := range slices.Sorted(maps.Keys(p)) {
		have, used := strings.Count(phrase, "#"), map[int]bool{}
		fill(p[phrase], func(number int) string {
			used[number] = true
			return ""
		})
		highest := 0
		for number := range used {
			highest = max(highest, number)
		}
		if strings.TrimSpace(phrase) == "" || highest > have {
			return fmt.Errorf("the phrase %q has %d numbers (#), but its translation %q uses number %d: use only "+
				"numbers that the phrase has", phrase, have, p[phrase], highest)
		}
	}
	return nil
}

// fill returns a translation with its numbers inserted: each # becomes the next number, and #2 becomes the second
// number.
func fill(translation string, number func(int) string) string {
	before, rest, found := strings.Cut(translation, "#")
	text := before
	for next := 1; found; {
		at := next
		if len(rest) > 0 && rest[0] >= '1' && rest[0] <= '9' {
			at, rest = int(rest[0]-'0'), rest[1:]
		} else {
			next++
		}
		before, rest, found = strings.Cut(rest, "#")
		text += number(at) + before
	}
	return text
}

// translator translates text phrase by phrase.
type translator struct {
	Phrases
	sorted []string // the phrases, longest first
}

func newTranslator(p Phrases) *translator {
	sorted := slices.SortedFunc(maps.Keys(p), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
	})
	sorted = slices.DeleteFunc(sorted, func(phrase string) bool { return phrase == "," || phrase == "." })
	return &translator{p, sorted}
}

// text translates text. A phrase matches only whole words.
func (t *translator) text(text string) string {
	if len(t.Phrases) == 0 {
		return text
	}
	var out strings.Builder
	for inside := false; text != ""; {
		r, size := utf8.DecodeRuneInString(text)
		if !inside || !inWord(r) {
			if said, rest, found := t.phrase(text); found {
				out.WriteString(said)
				text, inside = rest, false
				continue
			}
			if number := leadingNumber(text); number != "" {
				out.WriteString(t.number(number))
				text = text[len(number):]
				continue
			}
		}
		out.WriteString(text[:size])
		text, inside = text[size:], inWord(r)
	}
	return out.String()
}

// phrase translates the longest phrase at the beginning of text, and returns the translation and the rest.
func (t *translator) phrase(text string) (said, rest string, found bool) {
	for _, phrase := range t.sorted {
		if numbers, rest, is := begins(text, phrase); is {
			return fill(t.Phrases[phrase], func(i int) string {
				if i > len(numbers) {
					return ""
				}
				return t.number(numbers[i-1])
			}), rest, true
		}
	}
	return "", text, false
}

// begins reports whether text begins with a phrase. It returns the numbers in the phrase, and the rest of the text.
func begins(text, phrase string) (numbers []string, rest string, is bool) {
	rest = text
	for i, piece := range strings.Split(phrase, "#") {
		if i > 0 {
			number := leadingNumber(rest)
			if number == "" {
				return nil, text, false
			}
			numbers, rest = append(numbers, number), rest[len(number):]
		}
		if rest, is = strings.CutPrefix(rest, piece); !is {
			return nil, text, false
		}
	}
	last, _ := utf8.DecodeLastRuneInString(phrase)
	next, _ := utf8.DecodeRuneInString(rest)
	return numbers, rest, rest == "" || last == '#' || !inWord(last) || !inWord(next)
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// leadingNumber returns the number at the beginning of text, with its separators: 5,000 or 2.618.
func leadingNumber(text string) string {
	digits := func(at int) int {
		for at < len(text) && text[at] >= '0' && text[at] <= '9' {
			at++
		}
		return at
	}
	end := digits(0)
	for end > 0 && end < len(text) && (text[end] == ',' || text[end] == '.') && digits(end+1) > end+1 {
		end = digits(end + 1)
	}
	return text[:end]
}

// number formats a number with the separators of the language.
func (t *translator) number(number string) string {
	separator := func(sign string) string {
		if own, has := t.Phrases[sign]; has {
			return own
		}
		return sign
	}
	return strings.NewReplacer(",", separator(","), ".", separator(".")).Replace(number)
}

// view translates a view in place. Its drawings are translated when they are drawn.
func (t *translator) view(v *View) {
	for _, text := range []*string{&v.Answer, &v.ScreenReaderText, &v.Notice} {
		*text = t.text(*text)
	}
	t.parts(v.Parts)
}

func (t *translator) parts(parts []Part) {
	for i := range parts {
		part := &parts[i]
		t.spans(part.Text)
		if plate := part.Plate; plate != nil {
			plate.translator, plate.Label = t, t.text(plate.Label)
			if plate.Board != nil {
				plate.Board.Cells = t.texts(plate.Board.Cells)
			}
		}
		if part.Table != nil {
			t.table(part.Table)
		}
		if part.Row != nil {
			part.Row.Label = t.text(part.Row.Label)
			for j := range part.Row.Buttons {
				b := &part.Row.Buttons[j]
				b.Label, b.Say, b.Note = t.text(b.Label), t.text(b.Say), t.text(b.Note)
			}
		}
		if part.Form != nil {
			for j := range part.Form.Asks {
				one := &part.Form.Asks[j]
				one.Label, one.Verdict = t.text(one.Label), t.text(one.Verdict)
			}
		}
		if part.Fold != nil {
			part.Fold.Summary = t.text(part.Fold.Summary)
			t.parts(part.Fold.Parts)
		}
		for _, column := range part.Beside {
			t.parts(column)
		}
	}
}

func (t *translator) table(table *Table) {
	table.Caption = t.text(table.Caption)
	table.Groups = slices.Clone(table.Groups)
	for i := range table.Groups {
		table.Groups[i].Text = t.text(table.Groups[i].Text)
	}
	for _, head := range table.Heads {
		t.spans(head)
	}
	for _, row := range table.Rows {
		for i := range row {
			row[i].Text = t.text(row[i].Text)
		}
	}
}

func (t *translator) spans(spans []Span) {
	for i := range spans {
		if !spans[i].Letter {
			spans[i].Text = t.text(spans[i].Text)
		}
	}
}

func (t *translator) texts(texts []string) []string {
	all := make([]string, len(texts))
	for i, text := range texts {
		all[i] = t.text(text)
	}
	return all
}

// figure translates a finished figure. The text in its drawing stays in place.
func (t *translator) figure(f content.Figure) content.Figure {
	f.Title, f.Alt, f.SummaryNote = t.text(f.Title), t.text(f.Alt), t.text(f.SummaryNote)
	f.Legend = slices.Clone(f.Legend)
	for i := range f.Legend {
		f.Legend[i].Label = t.text(f.Legend[i].Label)
	}
	for _, data := range []*content.Records{&f.Data, &f.Summary} {
		data.Header = t.texts(data.Header)
		rows := slices.Clone(data.Rows)
		for i := range rows {
			rows[i] = slices.Clone(rows[i])
			for j, cell := range rows[i] {
				if _, err := strconv.ParseFloat(cell, 64); err != nil { // numbers are data
					rows[i][j] = t.text(cell)
				}
			}
		}
		data.Rows = rows
	}
	f.Light, f.Dark = t.svg(f.Light), t.svg(f.Dark)
	return f
}

// svg translates the text between the tags of an SVG document.
func (t *translator) svg(document []byte) []byte {
	if len(document) == 0 || document[0] != '<' {
		return document
	}
	var out strings.Builder
	for rest := string(document); rest != ""; {
		tag, after, _ := strings.Cut(rest, ">")
		text, next, more := strings.Cut(after, "<")
		out.WriteString(tag + ">" + escaped.Replace(t.text(unescaped.Replace(text))))
		if rest = ""; more {
			rest = "<" + next
		}
	}
	return []byte(out.String())
}

var (
	unescaped = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&", "&#34;", `"`, "&#39;", "'")
	escaped   = strings.NewReplacer("<", "&lt;", ">", "&gt;", "&", "&amp;")
)

// drawing returns a copy of a drawing in which all text is translated, so that its layout makes room for the text.
func drawing[T any](t *translator, d T) T {
	if t == nil {
		return d
	}
	return t.copied(reflect.ValueOf(&d).Elem()).Interface().(T)
}

// copied returns a copy of a value in which the text in exported fields is translated.
func (t *translator) copied(v reflect.Value) reflect.Value {
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	switch v.Kind() {
	case reflect.String:
		c.SetString(t.text(v.String()))
	case reflect.Interface:
		if !v.IsNil() {
			c.Set(t.copied(v.Elem()))
		}
	case reflect.Slice:
		of := v.Type().Elem().Kind()
		if v.IsNil() || of < reflect.Array { // numbers contain no text
			break
		}
		c.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			c.Index(i).Set(t.copied(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				c.Field(i).Set(t.copied(v.Field(i)))
			}
		}
	}
	return c
}
