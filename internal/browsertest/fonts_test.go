package browsertest

import (
	"encoding/xml"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationmonobold"
	"codeberg.org/go-fonts/liberation/liberationmonobolditalic"
	"codeberg.org/go-fonts/liberation/liberationmonoitalic"
	"codeberg.org/go-fonts/liberation/liberationmonoregular"
	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansbolditalic"
	"codeberg.org/go-fonts/liberation/liberationsansitalic"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"codeberg.org/go-fonts/liberation/liberationserifbold"
	"codeberg.org/go-fonts/liberation/liberationserifbolditalic"
	"codeberg.org/go-fonts/liberation/liberationserifitalic"
	"codeberg.org/go-fonts/liberation/liberationserifregular"
	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"github.com/go-fonts/dejavu/dejavusansboldoblique"
	"github.com/go-fonts/dejavu/dejavusansmono"
	"github.com/go-fonts/dejavu/dejavusansmonobold"
	"github.com/go-fonts/dejavu/dejavusansmonoboldoblique"
	"github.com/go-fonts/dejavu/dejavusansmonooblique"
	"github.com/go-fonts/dejavu/dejavusansoblique"
	"github.com/go-fonts/dejavu/dejavuserif"
	"github.com/go-fonts/dejavu/dejavuserifbold"
	"github.com/go-fonts/dejavu/dejavuserifbolditalic"
	"github.com/go-fonts/dejavu/dejavuserifitalic"

	"github.com/siegebook/siegebook/internal/must"
)

// fonts are all fonts that a browser finds on the disk: a family for each kind of text, as on a reader's machine.
type fonts struct {
	serif, sans, mono string
	files             [][]byte
}

// A light browser has wide letters, and a dark browser has narrow letters. So pages that are tested in both browsers
// are tested with both kinds of letters, and the results do not depend on the fonts of the machine. Times and Arial are
// as narrow as Liberation, and hardly any text font is as wide as DejaVu.
var (
	wideLetters = fonts{"DejaVu Serif", "DejaVu Sans", "DejaVu Sans Mono", [][]byte{
		dejavuserif.TTF, dejavuserifitalic.TTF, dejavuserifbold.TTF, dejavuserifbolditalic.TTF,
		dejavusans.TTF, dejavusansoblique.TTF, dejavusansbold.TTF, dejavusansboldoblique.TTF,
		dejavusansmono.TTF, dejavusansmonooblique.TTF, dejavusansmonobold.TTF, dejavusansmonoboldoblique.TTF,
	}}
	narrowLetters = fonts{"Liberation Serif", "Liberation Sans", "Liberation Mono", [][]byte{
		liberationserifregular.TTF, liberationserifitalic.TTF, liberationserifbold.TTF, liberationserifbolditalic.TTF,
		liberationsansregular.TTF, liberationsansitalic.TTF, liberationsansbold.TTF, liberationsansbolditalic.TTF,
		liberationmonoregular.TTF, liberationmonoitalic.TTF, liberationmonobold.TTF, liberationmonobolditalic.TTF,
	}}
)

// fontFolders are the folders with both sets of fonts. They are created when the first browser needs them, and TestMain
// removes them.
var fontFolders struct {
	once sync.Once
	root string
	err  error
}

// fontsFor returns the additional environment variable for a light or a dark browser, so that it finds only its own
// fonts.
func fontsFor(t *testing.T, dark bool) string {
	t.Helper()
	f := &fontFolders
	f.once.Do(func() {
		if f.root, f.err = os.MkdirTemp("", "siegebook-fonts-"); f.err == nil {
			f.err = wideLetters.write(filepath.Join(f.root, "light"))
		}
		if f.err == nil {
			f.err = narrowLetters.write(filepath.Join(f.root, "dark"))
		}
	})
	must.Do(t, f.err)
	folder := "light"
	if dark {
		folder = "dark"
	}
	return "FONTCONFIG_FILE=" + filepath.Join(f.root, folder, "fonts.conf")
}

// write writes the fonts into a folder, with a configuration for fontconfig. Letters keep the widths of their outlines.
// With full hinting, the widths would be whole numbers of pixels.
func (f fonts) write(folder string) error {
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	for i, data := range f.files {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i, ".ttf")), data, 0o600); err != nil {
			return err
		}
	}
	var path strings.Builder
	if err := xml.EscapeText(&path, []byte(folder)); err != nil {
		return err
	}
	conf := `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
	<dir>` + path.String() + `</dir>
	<cachedir>` + path.String() + `/cache</cachedir>
	<match target="pattern">
		<edit name="family" mode="append_last"><string>sans-serif</string></edit>
		<edit name="hintstyle"><const>hintslight</const></edit>
		<edit name="antialias"><bool>true</bool></edit>
	</match>
`
	for _, alias := range [][2]string{
		{"serif", f.serif},
		{"sans-serif", f.sans},
		{"system-ui", f.sans},
		{"monospace", f.mono},
		{"ui-monospace", f.mono},
	} {
		conf += fmt.Sprintf(`	<alias binding="same"><family>%s</family><prefer><family>%s</family></prefer></alias>
`, alias[0], alias[1])
	}
	return os.WriteFile(filepath.Join(folder, "fonts.conf"), []byte(conf+"</fontconfig>\n"), 0o600)
}

// TestFonts checks that each browser uses only its own fonts, whatever fonts the machine has.
func TestFonts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("where browsers do not ask fontconfig, they have the fonts of the machine")
	}
	t.Parallel()
	page := fileURL(filepath.Join(some(t).dir, "castle-rules.html"))
	look := func(name string, w window, want fonts) {
		t.Helper()
		w.open(page)
		families := []string{want.serif, want.sans, want.mono}
		got := evaluate[[][2]float64](t, w, `(families) => {
			const text = document.body.appendChild(document.createElement("span"));
			text.textContent = "A text of 17 words, (m, w)";
			const width = (family) => {
				text.style.font = "100px " + family;
				return text.getBoundingClientRect().width;
			};
			const kinds = ["serif", "sans", "mono"];
			return kinds.map((kind, i) => [width("var(--" + kind + ")"), width(JSON.stringify(families[i]))]);
		}`, families)
		for i, widths := range got {
			if widths[0] != widths[1] || i > 0 && widths[0] == got[i-1][0] {
				t.Errorf("%s: a text is %g pixels long, and %g in %s", name, widths[0], widths[1], families[i])
			}
		}
	}
	look("light", startChromium(t, false), wideLetters)
	look("dark", startChromium(t, true), narrowLetters)
	if !testing.Short() {
		look("Firefox", startFirefox(t, false), wideLetters)
	}
}
