package site

import (
	"fmt"
	"strings"
)

// ReadText reads the file of a page: lines between two of "---" that say what the page is called, and the Markdown
// below them. The lines are a name, a colon and the rest, which is plain text: title, which has to be there, nav,
// description, and "unnumbered: true". The error, if any, is an *Error.
func ReadText(slug, file, text string) (Page, error) {
	page := Page{Slug: slug, File: file}
	lines := strings.SplitAfter(plainLines(text), "\n")
	fail := func(line int, format string, args ...any) (Page, error) {
		return page, &Error{File: page.file(), Line: line, Msg: fmt.Sprintf(format, args...)}
	}
	if lines[0] != "---\n" {
		return fail(1, `the file does not begin with a line "---", its title in a line such as "title: The game", and another "---": add them`)
	}
	seen := map[string]bool{}
	for i, line := range lines[1:] {
		number := i + 2
		if line = strings.TrimSuffix(line, "\n"); line == "---" {
			if page.Title == "" {
				return fail(number, `the page has no title: add a line such as "title: The game"`)
			}
			// Empty lines keep the numbers of those that follow.
			page.Source = strings.Repeat("\n", number) + strings.Join(lines[number:], "")
			return page, nil
		}
		name, value, ok := strings.Cut(line, ": ")
		if seen[name] {
			return fail(number, "%s is given twice: leave one out", name)
		}
		seen[name] = true
		switch {
		case !ok || strings.TrimSpace(value) == "":
			return fail(number, `%q says nothing: write a line such as "title: The game"`, line)
		case name == "title":
			page.Title = value
		case name == "nav":
			page.Nav = value
		case name == "description":
			page.Description = value
		case name == "unnumbered" && value == "true":
			page.Unnumbered = true
		default:
			return fail(number, "%q: there is no such line, use title, nav, description and unnumbered: true", line)
		}
	}
	return fail(1, `the lines about the page do not end: close them with a line "---"`)
}

// Show gives a page what another one shows: all that its text can name.
func (p *Page) Show(other Page) {
	p.Values, p.Lookups, p.Lists = other.Values, other.Lookups, other.Lists
	p.Figures, p.Tables, p.Entries = other.Figures, other.Tables, other.Entries
	p.Assets, p.Downloads = other.Assets, other.Downloads
}
