package folder

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"

	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/site"
)

// A translation is a folder inside the book's folder. It is a book of its own with its own book.yaml, search and words.
// Pages with the same name link to each other.

// Volume is a book in one of its languages.
type Volume struct {
	Folder *Folder
	Dir    string // its folder in the site; "" for the book itself
	Book   book.Book
}

// Volumes returns the book of the folder, and its translations, with links between them.
func (f *Folder) Volumes() []Volume {
	all := []Volume{{Folder: f, Book: f.Book()}}
	for _, t := range f.translations {
		all = append(all, Volume{t, t.dir, t.Book()})
	}
	if len(all) == 1 {
		return all
	}
	for i := range all {
		b := &all[i].Book
		for k, other := range all {
			l := site.Language{Tag: cmp.Or(other.Book.Lang, "en"), Address: other.Book.Address}
			switch {
			case i == k:
			case other.Dir == "":
				l.Base = "../"
			case i == 0:
				l.Base = other.Dir + "/"
			default:
				l.Base = "../" + other.Dir + "/"
			}
			for _, page := range other.Book.Pages {
				l.Slugs = append(l.Slugs, page.Slug)
			}
			b.Languages = append(b.Languages, l)
		}
		before, languages := *b, b.Languages
		b.Digest = func() []byte {
			sum := sha256.Sum256(fmt.Appendf(nil, "%x %+v", before.Hash(), languages))
			return sum[:]
		}
	}
	return all
}

// checkLanguages reports folders that cannot be translations, and leaves them out.
func (f *Folder) checkLanguages(at func(key string) (line, column int)) {
	line, column := at("languages")
	seen := map[string]bool{}
	f.config.Languages = slices.DeleteFunc(f.config.Languages, func(dir string) bool {
		info, err := fs.Lstat(f.files, dir)
		switch {
		case f.dir != "":
			f.fault(configFile, line, column, "languages: this folder is a translation: list all languages in the "+
				"book.yaml of the folder above it")
		case !fs.ValidPath(dir) || site.Slug(dir) != dir || unread(dir):
			f.fault(configFile, line, column, "languages: %q is not a valid folder name: use lower-case letters, "+
				"digits and hyphens, as in de or pt-br", dir)
		case seen[dir]:
			f.fault(configFile, line, column, "languages: %q is listed twice: leave one out", dir)
		case err != nil || !info.IsDir():
			f.fault(configFile, line, column, "languages: there is no folder %q: create it, and put the pages in "+
				"that language there", dir)
		default:
			seen[dir] = true
			return false
		}
		return true
	})
}

// readTranslations reads the folders of translations.
func (f *Folder) readTranslations() error {
	for _, dir := range f.config.Languages {
		t, err := read(f.path(dir), f.explorables, nil, f.memo, f, dir)
		if err != nil {
			return err
		}
		line, column := 1, 1
		switch tag := cmp.Or(t.config.Language, "en"); {
		case t.Pages() == 0:
			t.fault(configFile, line, column, "the translation has no pages: translate a page of %s, and keep its "+
				"file name", f.Name)
		case slices.ContainsFunc(append([]*Folder{f}, f.translations...), func(other *Folder) bool {
			return cmp.Or(other.config.Language, "en") == tag
		}):
			t.fault(configFile, line, column, "another folder has the language %q, too: set the language of this "+
				"translation",
				tag)
		}
		f.translations = append(f.translations, t)
	}
	return nil
}

// inherit returns the settings of a translation: the book's settings, unless the translation has its own.
func (c config) inherit(dir string) config {
	own := config{
		Author: c.Author, Licence: c.Licence, Address: c.Address, Citations: c.Citations, Claims: c.Claims,
		Keep: c.Keep, Colours: c.Colours, Fonts: c.Fonts, Macros: c.Macros,
	}
	if own.Address != "" {
		own.Address += dir + "/"
	}
	return own
}

// Translations returns the book and its translations.
func (f *Folder) Translations() []*Folder { return append([]*Folder{f}, f.translations...) }
