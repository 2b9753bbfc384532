package site

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"
	"rsc.io/qr"
)

// Kit is a single file with some of the pages. It does not need other files, so teachers can hand it out.
type Kit struct {
	// Name is the name of the file, without ".html".
	Name string `yaml:"file"`
	// Title is the name of the kit in plain text, which the kit's header shows.
	Title string `yaml:"title"`
	// Lang and Words are like the fields of Site. If they are not set, the kit has the site's language and words.
	Lang  string `yaml:"language"`
	Words Words  `yaml:"-"`
	// Pages are the slugs of the kit's pages, in order.
	Pages []string `yaml:"pages"`
}

// validateKits makes the checks that are possible before the kits are made.
func (s *Site) validateKits(slugs map[string]bool, errs *errorList) {
	taken := map[string]bool{searchSlug: true}
	for _, k := range s.Kits {
		if at := siteStart; !content.ValidID(k.Name) || slugs[k.Name] || taken[k.Name] {
			errs.addf(at, "the kit %q: a kit needs a name of its own, in lower-case letters, digits and single hyphens",
				k.Name)
		}
		if taken[k.Name] = true; len(k.Pages) == 0 {
			errs.addf(siteStart, "the kit %q has no pages: add some", k.Name)
		}
		for _, slug := range k.Pages {
			if !slugs[slug] {
				errs.addf(siteStart, "the kit %q lists the page %q, which does not exist: add the page, or leave it "+
					"out",
					k.Name, slug)
			}
		}
	}
}

// canMake reports whether the site can make a kit. For that, no page of the kit may be left out.
func (s *Site) canMake(k Kit) bool {
	return !slices.ContainsFunc(s.Pages, func(p Page) bool { return p.Omit && slices.Contains(k.Pages, p.Slug) })
}

// pagesOf returns a site that has only the pages of a kit. If the kit has only one page, the page is not numbered.
func (s Site) pagesOf(k Kit) Site {
	s.Lang, s.Title, s.LinkOmitted = cmp.Or(k.Lang, s.Lang), k.Title, false
	if k.Words != nil {
		s.Words = k.Words
	}
	place := func(p Page) int { return slices.Index(k.Pages, p.Slug) }
	s.Pages = slices.Clone(s.Pages)
	for i := range s.Pages {
		p := &s.Pages[i]
		p.Omit = place(*p) < 0
		p.Unnumbered, p.Kit, p.Part, p.Group, p.Series = p.Omit || len(k.Pages) == 1, false, "", "", ""
	}
	slices.SortStableFunc(s.Pages, func(a, b Page) int {
		return cmp.Or(cmp.Compare(btoi(a.Omit), btoi(b.Omit)), cmp.Compare(place(a), place(b)))
	})
	return s
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// withoutKits returns the site without the pages that appear only in kits.
func (s Site) withoutKits() Site {
	if slices.ContainsFunc(s.Pages, func(p Page) bool { return p.Kit }) {
		s.Pages = slices.Clone(s.Pages)
		for i := range s.Pages {
			s.Pages[i].Omit = s.Pages[i].Omit || s.Pages[i].Kit
		}
	}
	return s
}

// addKits adds the kits of a site to its files.
func (s Site) addKits(ctx context.Context, tree Tree, opts Options) error {
	var errs errorList
	for _, k := range s.Kits {
		if !s.canMake(k) {
			continue
		}
		page, err := renderSingle(ctx, s.pagesOf(k), opts, &k)
		if err != nil {
			var many Errors
			if !errors.As(err, &many) {
				return err
			}
			errs.join(err)
		}
		tree[k.Name+".html"] = page
	}
	return errs.err()
}

// kitAt returns the kit that an address leads to, or nil if there is none.
func (b *book) kitAt(file string) *Kit {
	name, is := strings.CutSuffix(file, ".html")
	at := slices.IndexFunc(b.Kits, func(k Kit) bool { return k.Name == name })
	if !is || at < 0 {
		return nil
	}
	return &b.Kits[at]
}

// hosted returns the element of a kit that shows its future address, also as a QR code. It returns "" if the site has
// no address.
func (b *book) hosted(k *Kit) (template.HTML, error) {
	if b.Address == "" {
		return "", nil
	}
	address := b.Address + url.PathEscape(k.Name) + ".html"
	code, err := qr.Encode(address, qr.M)
	if err != nil {
		return "", fmt.Errorf("%s: %w", address, err)
	}
	quoted := template.HTMLEscapeString(address)
	link := `<a href="` + quoted + `">` + quoted + "</a>"
	return template.HTML(`<aside class="hosted"><img src="` + dataURL("code.svg", drawCode(code)) + `" alt="" />` +
		"<p>" + strings.Replace(template.HTMLEscapeString(b.Words.Say("hosted", "{}")), "{}", link, 1) +
		"</p></aside>\n"), nil
}

// quiet is the width, in modules, of the margin that the standard requires around a QR code.
const quiet = 4

// drawCode draws a QR code as SVG. The path contains a rectangle for each horizontal run of dark modules.
func drawCode(code *qr.Code) []byte {
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1H%dz", from+quiet, y+quiet, x-from, from+quiet)
			}
		}
	}
	side := code.Size + 2*quiet
	return fmt.Appendf(nil, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" shape-rendering="crispEdges">`+
		`<path fill="#fff" d="M0 0h%dv%dH0z"/><path d="%s"/></svg>`, side, side, side, side, path.String())
}
