package site

import (
	"cmp"
	"slices"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Language is an edition of a site in one language. All editions are folders of one site. Pages with the same slug are
// translations of each other.
type Language struct {
	Tag string // a BCP 47 tag
	// Base is the relative path from this site to the folder of the edition, such as "../de/"; "" for this site itself.
	Base string
	// Address is the address of the edition's folder; "" if it is unknown.
	Address string
	// Slugs are the slugs of its pages.
	Slugs []string
}

// languageView is a link to a page in another language.
type languageView struct {
	Tag, Dir, Name, Href string
	Published            string // the address of the same page, for search engines; "" if the edition lacks the page
	Current              bool
}

// languages returns a link to each edition: to the same page there, or else to the front page.
func (b *book) languages(c *chapter) (views []languageView) {
	if b.single {
		return nil
	}
	for _, l := range b.Languages {
		tag := cmp.Or(l.Tag, "en")
		v := languageView{
			Tag: tag, Dir: cmp.Or(direction(tag), "ltr"), Name: cmp.Or(display.Self.Name(language.Make(tag)), tag),
			Href: l.Base + "index.html", Current: l.Base == "",
		}
		same := c.Slug == searchSlug || slices.Contains(l.Slugs, c.Slug)
		if same {
			v.Href = l.Base + pageFile(c.Slug)
		}
		switch {
		case same && l.Address != "":
			v.Published = publishedAt(l.Address, c.Slug)
		case same && c.Slug != searchSlug:
			v.Published = v.Href
		}
		views = append(views, v)
	}
	return views
}
