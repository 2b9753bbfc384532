package imports

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/siegebook/siegebook/internal/report/site"
)

// anchors maps the anchors that links use for a page's headings to the headings' anchors in the book.
type anchors map[string]string

var (
	headingLine = regexp.MustCompile(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	headingTail = regexp.MustCompile(`[ \t]*\{([^{}]*)\}[ \t]*$`)
	labelLine   = regexp.MustCompile(`^\(([^()]+)\)=[ \t]*$`)
	underlined  = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*$`)
	nameTag     = regexp.MustCompile(`(?i)<(?:a|span|div|h[1-6])\s[^<>]*?(?:name|id)=["']([^"']+)["'][^<>]*>`)
	codeMarks   = regexp.MustCompile("[`*]|\\\\([[:punct:]])|!?\\[([^\\[\\]]*)\\]\\([^()]*\\)")
)

// anchorsOf returns the anchors of the headings in lines, mapped to the anchors that the book will give them.
func anchorsOf(lines []line) anchors {
	all, taken := anchors{}, map[string]bool{}
	used := map[string]int{}
	var waiting []string
	var code fences
	for i, l := range lines {
		text := strings.TrimSpace(l.text)
		if code.hold(text) {
			continue
		}
		if m := labelLine.FindStringSubmatch(text); m != nil {
			waiting = append(waiting, m[1])
			continue
		}
		m := headingLine.FindStringSubmatch(l.text)
		title := ""
		switch {
		case m != nil:
			title = m[2]
		case text != "" && i+1 < len(lines) && underlined.MatchString(lines[i+1].text) && !strings.HasPrefix(text, "|"):
			title = text
		default:
			for _, m := range nameTag.FindAllStringSubmatch(l.text, -1) {
				waiting = append(waiting, m[1])
			}
			continue
		}
		name := ""
		if tail := headingTail.FindStringSubmatch(title); tail != nil {
			title = strings.TrimSuffix(title, tail[0])
			for word := range strings.FieldsSeq(tail[1]) {
				if id, ok := strings.CutPrefix(word, "#"); ok {
					name = id
				}
			}
		}
		title = closingMarks.ReplaceAllString(title, "")
		for _, m := range nameTag.FindAllStringSubmatch(title, -1) {
			waiting = append(waiting, m[1])
		}
		plain := codeMarks.ReplaceAllString(anyTag.ReplaceAllString(title, ""), "$1$2")
		anchor := site.Slug(plain)
		if name != "" && site.Slug(name) != "" {
			anchor = site.Slug(name)
		}
		if anchor == "" {
			anchor = "section"
		}
		free := anchor
		for n := 2; taken[free]; n++ {
			free = anchor + "-" + strconv.Itoa(n)
		}
		taken[free] = true
		aliases := append(waiting, name, gitHubName(plain, used), site.Slug(plain),
			strings.Join(strings.Fields(plain), "-"))
		for _, alias := range aliases {
			if _, known := all[alias]; alias != "" && !known {
				all[alias] = free
			}
		}
		waiting = nil
	}
	for _, alias := range waiting {
		if _, known := all[alias]; !known {
			all[alias] = ""
		}
	}
	return all
}

// gitHubName returns the anchor that GitHub gives to a heading.
func gitHubName(title string, used map[string]int) string {
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
			return unicode.ToLower(r)
		case r == ' ':
			return '-'
		}
		return -1
	}, strings.TrimSpace(title))
	used[name]++
	if n := used[name]; n > 1 {
		return name + "-" + strconv.Itoa(n-1)
	}
	return name
}

// fences is the mark of the current block of fenced code, or "" outside code.
type fences string

// hold reports whether a line belongs to fenced code. It must be called with each line in order, with surrounding
// blanks removed.
func (f *fences) hold(text string) bool {
	open := string(*f)
	switch {
	case open == "":
		*f = fences(fenceMark(text))
		return *f != ""
	case strings.HasPrefix(text, open) && strings.Trim(text, open[:1]) == "":
		*f = ""
	}
	return true
}

// fenceMark returns the mark that ends the block of code beginning in a line, or "" if none begins there.
func fenceMark(text string) string {
	for _, sign := range []string{"`", "~"} {
		mark := text[:len(text)-len(strings.TrimLeft(text, sign))]
		if len(mark) >= 3 && (sign == "~" || !strings.Contains(text[len(mark):], "`")) {
			return mark
		}
	}
	return ""
}
