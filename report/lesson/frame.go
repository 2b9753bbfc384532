package lesson

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/jupyter"
	"github.com/siegebook/siegebook/report/site"
)

// longestDescription is about as much as search results show, in characters.
const longestDescription = 200

// describe gives the page its title and its description.
func (b *builder) describe(title *heading, cells []jupyter.Cell, texts map[int]*cellText) {
	b.page.Title = titleOf(b.options.File)
	if title != nil {
		b.page.Title = unnumbered(title.plain)
	}
	for i := range cells {
		if text := texts[i]; text != nil && b.page.Description == "" {
			b.page.Description = text.sentence()
		}
	}
	if utf8.RuneCountInString(b.page.Description) > longestDescription {
		words := string([]rune(b.page.Description)[:longestDescription])
		if i := strings.LastIndexByte(words, ' '); i > 0 {
			words = words[:i]
		}
		b.page.Description = words + " …"
	}
}

var leadingNumber = regexp.MustCompile(`^[0-9]+[.:)][ \t]+`)

// unnumbered takes the number of the notebook off a title: pages have numbers of their own.
func unnumbered(title string) string {
	return cmp.Or(leadingNumber.ReplaceAllString(title, ""), title)
}

// titleOf makes a title of the name of a file: "01-battle-by-hand.ipynb" is "Battle by hand".
func titleOf(file string) string {
	name := strings.TrimSuffix(filepath.Base(clean(file)), ".ipynb")
	name = strings.TrimLeftFunc(name, func(r rune) bool { return unicode.IsDigit(r) || r == '-' || r == '_' || r == ' ' })
	name = strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || unicode.IsSpace(r) }), " ")
	if name == "" {
		return "Notebook"
	}
	first, size := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(first)) + name[size:]
}

// opening writes what stands above the notebook: where to get it, and the note.
func (b *builder) opening(n *jupyter.Notebook) {
	name := assetName(filepath.Base(b.options.File), "notebook.ipynb")
	b.page.Assets[name] = b.options.Download
	if b.options.Download == nil {
		stripped := n.Clone()
		stripped.Strip()
		b.page.Assets[name] = stripped.Bytes()
	}
	b.src.write("This page is a Jupyter notebook: [download it]("+name+") to change its values and run it.", origin{})
	if b.options.Note != "" {
		b.src.gap()
		b.src.write("> [!WARNING]", origin{})
		b.src.write("> "+site.Escape(b.options.Note), origin{})
	}
	b.src.wall()
}

var (
	assetForm  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)
	assetOther = regexp.MustCompile(`[^A-Za-z0-9_.-]+`)
)

// assetName returns a name that a file of a page may have: the name itself, or what it can keep of it.
func assetName(name, otherwise string) string {
	name = strings.TrimLeft(assetOther.ReplaceAllString(name, "-"), "-_.")
	if !assetForm.MatchString(name) {
		return otherwise
	}
	return name
}
