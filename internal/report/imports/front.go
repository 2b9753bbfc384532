package imports

import (
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/siegebook/siegebook/internal/limitedread"
)

// front turns the front matter of a file into the front matter of a page. Fields that pages do not have are kept in a
// comment. If readers should see them, they move to the start of the text.
func (p *page) front(in []line) (out, rest []line) {
	if len(in) == 0 || in[0].text != "---" && in[0].text != "+++" {
		return nil, in
	}
	mark := in[0].text
	end := slices.IndexFunc(in[1:], func(l line) bool {
		text := strings.TrimRight(l.text, " \t")
		return text == mark || mark == "---" && text == "..."
	}) + 1
	if end == 0 {
		return nil, in
	}
	rest = in[end+1:]
	var matter []string
	for _, l := range in[1:end] {
		matter = append(matter, l.text)
	}
	var fields map[string]any
	text := strings.Join(matter, "\n")
	if mark == "+++" {
		fields = toml(matter)
	} else if yaml.Unmarshal([]byte(text), &fields) != nil {
		if fields = nil; len(matter) > 0 && strings.TrimSpace(matter[0]) == "" {
			return nil, in // a horizontal rule
		}
		fields = toml(matter)
	}
	if fields == nil && strings.TrimSpace(text) != "" {
		return nil, in
	}
	kept := map[string]string{}
	for from, to := range map[string]string{
		"title": "title", "description": "description", "short_title": "nav", "linkTitle": "nav",
	} {
		if value := words(fields[from]); value != "" {
			kept[to] = value
			delete(fields, from)
		}
	}
	if p.isFirst(rest, kept["title"]) {
		delete(kept, "title") // the heading already shows the title
	}
	number := in[0].number
	p.titled = kept["title"] != ""
	if kept["title"] != "" {
		kept["title"] = p.inline(kept["title"], number)
	}
	add := func(text string) { out = append(out, line{text, number}) }
	if len(kept) > 0 {
		data, _ := yaml.Marshal(kept)
		add("---")
		for _, l := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			add(l)
		}
		add("---")
		add("")
	}
	var shown []string
	for _, name := range []string{"subtitle", "author", "authors", "date", "abstract"} {
		if value := words(fields[name]); value != "" && fields[name] != nil {
			shown = append(shown, p.inline(value, number))
		}
	}
	for i, s := range shown {
		if i < len(shown)-1 {
			s += `\`
		}
		for l := range strings.SplitSeq(s, "\n") {
			add(l)
		}
	}
	add("")
	if file := words(fields["bibliography"]); file != "" {
		p.bibliography(file, number)
	}
	if len(fields) > 0 {
		has := strings.Join(slices.Sorted(maps.Keys(kept)), ", ")
		p.note(number, "the front matter becomes a comment; of its fields, the page keeps %s", cmp.Or(has, "nothing"))
		add("<!-- front matter")
		for _, l := range matter {
			add(strings.ReplaceAll(l, "-->", "- ->"))
		}
		add("-->")
		add("")
	}
	return out, rest
}

// isFirst reports whether the first line that is not empty is a heading with the given title.
func (p *page) isFirst(lines []line, title string) bool {
	for _, l := range lines {
		if strings.TrimSpace(l.text) == "" {
			continue
		}
		return strings.TrimSpace(l.text) == "# "+title
	}
	return false
}

// words returns the text of a value in front matter.
func words(value any) string {
	switch v := value.(type) {
	case string:
		return strings.TrimSpace(v)
	case nil, bool:
		return ""
	case []any:
		var all []string
		for _, item := range v {
			if w := words(item); w != "" {
				all = append(all, w)
			}
		}
		return strings.Join(all, ", ")
	case map[string]any:
		for _, key := range []string{"name", "literal", "title", "text"} {
			if w := words(v[key]); w != "" {
				return w
			}
		}
		return ""
	case interface{ Format(string) string }:
		return v.Format("2006-01-02")
	}
	return ""
}

var tomlLine = regexp.MustCompile(`^\s*([A-Za-z_][\w-]*)\s*=\s*(.*?)\s*$`)

// toml parses lines such as title = "words"; it returns nil if there are none.
func toml(lines []string) map[string]any {
	var fields map[string]any
	for _, l := range lines {
		if m := tomlLine.FindStringSubmatch(l); m != nil {
			if fields == nil {
				fields = map[string]any{}
			}
			fields[m[1]] = strings.Trim(m[2], `"'`)
		}
	}
	return fields
}

// bibliography copies a bibliography file into the book.
func (p *page) bibliography(file string, number int) {
	if p.c.bib != "" {
		return
	}
	first, _, _ := strings.Cut(file, ", ")
	name := path.Join(path.Dir(p.d.from), first)
	ext := strings.ToLower(path.Ext(name))
	data, err := limitedread.ReadFS(p.c.source, name, mostFile)
	if err != nil || !slices.Contains([]string{".bib", ".json"}, ext) {
		p.note(number, "the bibliography %s does not exist, or is not a .bib or .json file: citations become text",
			first)
		return
	}
	for _, m := range entryKey.FindAllStringSubmatch(string(data), -1) {
		p.c.keys[cmp.Or(m[1], m[2])] = true
	}
	p.c.files[name], p.c.bib = data, name
	p.note(number, "the bibliography of the book is %s", name)
}

var entryKey = regexp.MustCompile(`(?m)^\s*@[A-Za-z]+\s*[{(]\s*([^\s,{}()]+)\s*,|"id"\s*:\s*"([^"]+)"`)
