package browsertest

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-rod/rod/lib/proto"
	"golang.org/x/net/html"

	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/internal/must"
)

// pieces is a program split into pieces. Each piece has a class, which may be "", and a text.
type pieces [][2]string

// pythonOf appends the Python programs below a node of a page to all, with the classes of their colours.
func pythonOf(n *html.Node, all []pieces) []pieces {
	if n.Type == html.ElementNode && n.Data == "pre" && strings.Contains(attribute(n, "aria-label"), "python") {
		_, functions := listing.Words()
		var program pieces
		before := ""
		for e := n.FirstChild.FirstChild; e != nil; e = e.NextSibling {
			class, letters := attribute(e, "class"), e.Data
			if e.Type == html.ElementNode {
				letters = e.FirstChild.Data
			}
			// A page colours all of Python's functions. In an editor, functions that programs cannot call look like
			// other names.
			if class == "tok-function" && strings.TrimSpace(before) != "def" && !slices.Contains(functions, letters) {
				class = ""
			}
			if program = append(program, [2]string{class, letters}); strings.TrimSpace(letters) != "" {
				before = letters
			}
		}
		return append(all, program)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		all = pythonOf(c, all)
	}
	return all
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// joined returns a program as text, with adjacent pieces of the same class joined, including the spaces between them.
func (all pieces) joined() string {
	var b strings.Builder
	last := ""
	for _, piece := range all {
		for _, r := range piece[1] {
			if class := piece[0]; class != last && strings.TrimSpace(string(r)) != "" {
				fmt.Fprintf(&b, "<%s>", class)
				last = class
			}
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

const setProgram = `const box = host.querySelector(".x-program");
	const write = (text) => { box.value = text; box.dispatchEvent(new Event("input", {bubbles: true})); };
	const lines = () => [...host.querySelectorAll(".x-tokens > div > div")];
`

// aligned is a program whose highlighted text is hard to align with the program's own text.
var aligned = strings.Repeat("def at_defenders(n, s, d, wave, N, S, D):\n"+
	"    \"\"\"Castle first: a 'text'.\n\n  more \\\"\"\"\n"+
	"\tif\tN - 12 <= S and not D: # by tabs\n\n    return min(N, max(0x1F, D)) if wave != 1 else None  \n"+
	"# é 東京 😀 \u05d0\u05d1 (x) e\u0301 fi ff -> == "+strings.Repeat("long ", 60)+"\nr'\\' # open\nx = \"open\n", 9)

// TestEditorTokens checks that a program has the same colours in an editor as on a page, that the highlighted text
// covers the program's own text exactly, and that a new letter changes only its line.
func TestEditorTokens(t *testing.T) {
	t.Parallel()
	r := report(t)
	var books []pieces
	for _, page := range r.pages {
		data := must.Get(os.ReadFile(page))
		root := must.Get(html.Parse(strings.NewReader(string(data))))
		books = pythonOf(root, books)
	}
	if len(books) == 0 {
		t.Fatal("no page has a program")
	}
	t.Logf("%d programs", len(books))
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		each(t, w, pagesOf(t, r, "castle-own"), func(p *player) {
			p.begin("")
			p.wantsTokens(books)
			p.changesOneLine()
			for _, size := range []struct {
				width int
				ratio float64
			}{{1280, 1}, {1280, 1.1}, {1280, 1.25}, {640, 2}, {320, 1}, {320, 3}} {
				p.zoom(size.width, 1000, size.ratio)
				for _, at := range [][2]int{{0, 0}, {37, 431}, {1e6, 1e6}} {
					p.liesOver(fmt.Sprintf("%d wide, enlarged %v times, scrolled %v", size.width, size.ratio, at), at)
				}
			}
			p.resize(1280, 1000)
			p.staysPlain()
			p.quiet()
		})
	})
}

// wantsTokens checks that each program has the same colours as on its page.
func (p *player) wantsTokens(books []pieces) {
	p.Helper()
	var texts []string
	for _, book := range books {
		text := ""
		for _, piece := range book {
			text += piece[1]
		}
		texts = append(texts, text)
	}
	all := inHost[[]pieces](p, setProgram+`return given[0].map((text) => {
		write(text);
		return lines().flatMap((line) => [...line.childNodes].map((e) => [e.className ?? "", e.textContent]));
	});`, texts)
	for i, got := range all {
		if want := books[i].joined(); got.joined() != want {
			p.Errorf("in the editor\n%s\non the page\n%s", got.joined(), want)
		}
	}
	if text := inHost[string](p, setProgram+`write(given[0]);
		return lines().map((line) => line.textContent).join("");`, aligned); text != aligned+"\n" {
		p.Errorf("the lines in colours are %q, of %q", text, aligned)
	}
}

// changesOneLine checks that each letter that a reader types repaints one line, and only once.
func (p *player) changesOneLine() {
	p.Helper()
	got := inHost[[]int](p, setProgram+`
		write("    return min(N, D) # more\n".repeat(400));
		const before = new Set(lines());
		box.setRangeText("x", 200 * 28 + 4, 200 * 28 + 4, "end");
		box.dispatchEvent(new Event("input", {bubbles: true}));
		const letter = lines().filter((line) => !before.has(line)).length;
		box.setRangeText("\n", 100 * 28 + 4, 100 * 28 + 4, "end");
		box.dispatchEvent(new Event("input", {bubbles: true}));
		return [letter, lines().filter((line) => !before.has(line)).length, lines().length];`)
	if fmt.Sprint(got) != "[1 3 402]" {
		p.Errorf("a letter paints and a line break comes to %v lines of all", got)
	}
}

// liesOver checks that the highlighted text covers the program's own text exactly: in a single colour, both must look
// the same.
func (p *player) liesOver(what string, at [2]int) {
	p.Helper()
	var seen [2]image.Image
	inHost[bool](p, drawnNow+`host.querySelector(".x-program").scrollIntoView({block: "center", behavior: "instant"});
		await frame();
		return true;`)
	for i, plain := range []bool{false, true} {
		box := inHost[struct{ Left, Top, Width, Height float64 }](p, setProgram+`
			if (box.value !== given[0]) write(given[0]);
			const written = box.parentElement;
			for (const name of ["comment", "keyword", "string", "number", "function"]) {
				written.style.setProperty("--tok-" + name, "var(--ink)");
			}
			written.classList.toggle("x-plain", given[3]);
			box.scrollTo(given[1], given[2]);
			await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))));
			const {left, top} = box.getBoundingClientRect();
			return {left, top, width: box.clientWidth, height: box.clientHeight};`, aligned, at[0], at[1], plain)
		seen[i] = p.picture(box.Left, box.Top, box.Width, box.Height)
	}
	// A letter at the end of a token may be off by a fraction of a pixel.
	if others, all := different(seen[0], seen[1]); 20*others > all || all == 0 {
		p.Errorf("%s: %d of %d pixels of the text in colours are not those of the text", what, others, all)
	}
}

// different counts the pixels that differ between two pictures, and all pixels that are not background.
func different(a, b image.Image) (others, all int) {
	if a.Bounds() != b.Bounds() {
		return 1, 1
	}
	ground := color.RGBAModel.Convert(a.At(a.Bounds().Max.X-4, a.Bounds().Min.Y+4))
	for y := a.Bounds().Min.Y; y < a.Bounds().Max.Y; y++ {
		for x := a.Bounds().Min.X; x < a.Bounds().Max.X; x++ {
			one, other := color.RGBAModel.Convert(a.At(x, y)), color.RGBAModel.Convert(b.At(x, y))
			if one != ground {
				all++
			}
			if one != other {
				others++
			}
		}
	}
	return others, all
}

// staysPlain checks that the editor shows the program without highlighting if the system chooses the colours, while
// letters are composed, and if the program is too long to run.
func (p *player) staysPlain() {
	p.Helper()
	const shown = `const layer = getComputedStyle(host.querySelector(".x-tokens")).display !== "none";
		const letters = getComputedStyle(box).webkitTextFillColor !== "rgba(0, 0, 0, 0)";
		return (layer ? "in colours" : "") + (letters ? "plain" : "");`
	is := func(want, when string, do string, given ...any) {
		p.Helper()
		if got := inHost[string](p, setProgram+do+shown, given...); got != want {
			p.Errorf("%s the program is %s, want %s", when, got, want)
		}
	}
	is("in colours", "at first", `write("x");`)
	is("plain", "while letters are composed", `box.dispatchEvent(new CompositionEvent("compositionstart"));`)
	is("in colours", "after that", `box.dispatchEvent(new CompositionEvent("compositionend"));`)
	is("plain", "if it is too long", `write("x".repeat(1 << 17));`)
	is("in colours", "after that", `write("x");`)
	if w, ok := p.window.(*chromiumWindow); ok {
		forced := func(value string) {
			w.must(proto.EmulationSetEmulatedMedia{
				Features: []*proto.EmulationMediaFeature{{Name: "forced-colors", Value: value}},
			}.Call(w.tab))
		}
		forced("active")
		is("plain", "in forced colours", "")
		forced("none")
	}
}
