package report

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

//go:embed front.md
var frontSource string

// frontTitle is the title of the report, beside its name.
const frontTitle = "Who wins a siege?"

// frontPage shows what the games have for it, and where the other pages are. The games' values share one page, so a
// game's names begin with its own, save the castle's, which is what the page is about.
func (o Options) frontPage(fronts []chapter.Front, others []site.Page) site.Page {
	values := map[string]any{}
	var figures []content.Figure
	for _, front := range fronts {
		maps.Copy(values, front.Values)
		figures = append(figures, front.Figures...)
	}
	return site.Page{
		Slug: "index", Title: frontTitle, Nav: "Start", Unnumbered: true,
		Description: "Exact answers to small siege games: who wins, how fast, and in how many ways.",
		Source:      frontSource, File: "report/front.md",
		Values: values, Figures: figures,
		Funcs: map[string]any{
			"lessons":  func() []site.Page { return lessonPages(o.Lessons) },
			"link":     func(slugs ...string) (string, error) { return linkToFirst(others, slugs) },
			"contents": func() string { return contents(others) },
			"citation": citation,
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
		inPart := p.Part == last.Part
		switch {
		case inPart && p.Group == last.Group:
			list.WriteString(" · ")
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

// citation says how to refer to the report: in words, and for BibTeX.
func citation() string {
	words := fmt.Sprintf("> siegebook %s, *%s* Exact answers to small siege games. <%s>", Version, frontTitle, home)
	return words + "\n\n```text\n@misc{siegebook,\n  author = {{siegebook}},\n  title  = {" + frontTitle + " Exact answers to small siege games},\n" +
		"  note   = {Version " + Version + "},\n  url    = {" + home + "}\n}\n```\n"
}
