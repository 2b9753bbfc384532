package browsertest

import (
	_ "embed"
	"strings"
	"testing"
)

//go:embed fields.js
var fieldsPlay string

// TestFields plays each field of each explorable at both ends, at random, and with what is no number, and presses each
// button while a field is wrong. A reader sees no exception, what is refused stands at its field, and nothing fails
// without a word. The test finds the fields and buttons in the page. Each
// kind is played in one of the browsers, as no event comes from a hand.
func TestFields(t *testing.T) {
	t.Parallel()
	r := report(t)
	pages := pagesToPlay(t, r)
	inBrowsers(t, false, func(t *testing.T, w window) {
		w.resize(1280, 1000)
		played := map[string]bool{}
		each(t, w, pages, func(p *player) {
			if played[p.kind] {
				return
			}
			played[p.kind] = true
			if !inTurn(w, len(played)) {
				return
			}
			p.begin("")
			wrong := inHost[string](p,
				`return [...host.querySelectorAll("input[type=number]")].map((e) => e.name + "=1e9").join("&");`)
			for _, address := range []string{"", wrong} {
				if address != "" {
					p.begin(address)
				}
				for _, fault := range inHost[[]string](p, fieldsPlay, len(p.kind)) {
					p.Errorf("#%s: %s", address, fault)
				}
				for _, problem := range p.problems() {
					p.Errorf("#%s: %s", address, problem)
				}
			}
		})
	})
}

// TestFieldsFail shows that TestFields finds what a reader should not see, and an error that nobody catches.
func TestFieldsFail(t *testing.T) {
	t.Parallel()
	page := badPage(t, `<div class="figure-block" id="fig-a"><div class="explorable" data-kind="a" data-start="n=1" data-drawn="1">
<p class="x-problem" hidden></p><div class="x-row"><input type="number" name="n" value="1"><input type="range" min="0" max="7"></div><p id="words"></p><button>Go</button></div></div>
<script>
const [box, slider, words, button] = ["[name=n]", "[type=range]", "#words", "button"].map((name) => document.querySelector(name));
slider.addEventListener("input", () => { words.textContent = slider.value === "7" ? "undefined is not iterable" : ""; });
box.addEventListener("input", () => box.setAttribute("aria-invalid", String(box.value === "")));
button.addEventListener("click", () => { if (box.value !== "1") BigInt(1.5); });
</script>`)
	p := &player{T: t, window: startChromium(t, false), game: game{page, "fig-a", "a", "n=1"}}
	p.open(fileURL(page))
	found := strings.Join(append(inHost[[]string](p, fieldsPlay, 1), p.problems()...), "\n")
	for _, want := range []string{
		`range = "7": it shows “`, `n = "": nobody says what is wrong`,
		"a script fails: ",
	} {
		if !strings.Contains(found, want) {
			t.Errorf("not found is %s in:\n%s", want, found)
		}
	}
}
