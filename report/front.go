package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/site"
)

// fillFront shows what the games have for the front page, and where the other pages are. The games' values share one
// page, so a game's names begin with its own, save the castle's, which is what the page is about.
func fillFront(c *Contents, page *site.Page) error {
	page.Values, page.Figures = c.figuresOf()
	page.Funcs = map[string]any{
		"lessons":  func() []site.Page { return lessonPages(c.Options.Lessons) },
		"link":     func(slugs ...string) (string, error) { return linkToFirst(c.Pages, slugs) },
		"contents": func() string { return contents(c.Pages) },
		"citation": func() string { return citation(page.Title) },
	}
	return nil
}

// Index is a front page that lists the other pages, for a book whose author has written none.
func Index(title, description string) BookPage {
	read := func(file, text string) site.Page {
		return site.Page{
			Slug: frontSlug, File: file, Title: title, Description: description, Unnumbered: true,
			Source: text,
		}
	}
	return BookPage{
		Slug: frontSlug, File: "index.md", Text: site.Escape(description) + "\n\n{{ contents }}\n", Read: read,
		Fill: func(c *Contents, page *site.Page) error {
			page.Funcs = map[string]any{"contents": func() string { return contents(c.Pages) }}
			return nil
		},
	}
}

// linkToFirst returns a link to the first page that is there.
func linkToFirst(pages []site.Page, slugs []string) (string, error) {
	for _, slug := range slugs {
		if i := slices.IndexFunc(pages, func(p site.Page) bool { return p.Slug == slug }); i >= 0 {
			return linkTo(pages[i]), nil
		}
	}
	return "", fmt.Errorf("none of the pages %q is in the report", slugs)
}

func linkTo(p site.Page) string { return "[" + site.Escape(p.Title) + "](" + p.Slug + ".html)" }

// contents lists pages by their parts and groups.
func contents(pages []site.Page) string {
	var list strings.Builder
	var last site.Page
	for _, p := range pages {
		inPart := p.Part == last.Part && p.Part != ""
		switch {
		case inPart && p.Group == last.Group:
			list.WriteString(" · ")
		case p.Part == "":
			list.WriteString("\n- ")
		case p.Group == "":
			fmt.Fprintf(&list, "\n- **%s:** ", site.Escape(p.Part))
		case inPart:
			fmt.Fprintf(&list, "\n  - *%s:* ", site.Escape(p.Group))
		default:
			fmt.Fprintf(&list, "\n- **%s**\n  - *%s:* ", site.Escape(p.Part), site.Escape(p.Group))
		}
		list.WriteString(linkTo(p))
		if p.Series == lessonSeries {
			list.WriteString(" (notebook)")
		}
		last = p
	}
	return list.String() + "\n"
}

// home is where the source is.
const home = "https://github.com/siegebook/siegebook"

// citation says how to refer to the report under the title of its front page: in words, and for BibTeX.
func citation(title string) string {
	words := fmt.Sprintf("> siegebook %s, *%s* Exact answers to small siege games. <%s>", Version, title, home)
	return words + "\n\n```text\n@misc{siegebook,\n  author = {{siegebook}},\n  title  = {" + title +
		" Exact answers to small siege games},\n" +
		"  note   = {Version " + Version + "},\n  url    = {" + home + "}\n}\n```\n"
}
