package site

import (
	"maps"
	"slices"
	"strings"
)

// ownNames are the files of the site itself that lie beside the pages.
var ownNames = []string{styleName, mathFontLicenseName, explorerName, explorerStyleName, engineName}

// validateDownloads checks the names of the files that pages put at the root of the site.
func (s *Site) validateDownloads(errs *errorList) {
	taken := map[string]string{"assets": "the folder of assets"}
	for _, name := range ownNames {
		taken[name] = "a file of the site itself"
	}
	for i := range s.Pages {
		p := &s.Pages[i]
		for _, name := range slices.Sorted(maps.Keys(p.Downloads)) {
			folded := strings.ToLower(name)
			by, isTaken := taken[folded]
			_, isAsset := p.Assets[name]
			switch {
			case !ValidAsset(name):
				errs.addf(p.start(), "download %q: use a file name of letters, digits, '-' and '_' with an extension", name)
			case strings.HasSuffix(folded, ".html"):
				errs.addf(p.start(), "download %q: names that end in .html are those of pages, use another", name)
			case isTaken:
				errs.addf(p.start(), "download %q: the name is that of %s, use another", name, by)
			case isAsset:
				errs.addf(p.start(), "download %q: page %q has an asset of that name, rename one", name, p.Slug)
			}
			taken[folded] = "a download of page \"" + p.Slug + "\""
		}
	}
}

// asset returns a file of the page that its source may refer to by name.
func (p *Page) asset(name string) (data []byte, ok bool) {
	if data, ok = p.Assets[name]; !ok {
		data, ok = p.Downloads[name]
	}
	return data, ok
}
