package browsertest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// filmPage is an author's page with a film of four states.
const filmPage = "# Lilies\n\n```go run {#pond}\n" + `import "github.com/siegebook/siegebook/report/pictures"

show.Film(pictures.Film{
	Name: "pond", Step: "day", Still: 1, Fields: []pictures.Field{pictures.Number("n", "lilies at the start", 9, "", "")},
	Of: func(v pictures.Values) (*pictures.Reel, error) {
		n := v.Int("n")
		reel := &pictures.Reel{Title: "Lilies in a pond", Head: "day", Rows: []pictures.FilmRow{{Name: "lilies"}}}
		reel.Buttons = []pictures.Button{{Label: "One more", Set: pictures.With("n", n+1)}}
		var film []figure.Crowds
		for day := range 4 {
			lilies := figure.Crowd{Label: fmt.Sprint(n, " lilies"), Role: figure.Ours, Count: uint64(n)}
			discs := []figure.Disc{{Crowds: []figure.Crowd{lilies}}}
			film = append(film, figure.Crowds{
				Title: "A pond", Sides: []figure.Side{{Name: "pond", Discs: discs}}, Seconds: 0.3,
			})
			reel.Rows[0].Cells = append(reel.Rows[0].Cells, fmt.Sprint(n))
			reel.Frames = append(reel.Frames, pictures.Frame{
				Head: fmt.Sprint(day), Say: fmt.Sprintf("Day %d: %d lilies.", day, n), Seconds: 0.3,
				Drawing: func(narrow bool) pictures.MovingDrawing { return film[day] },
			})
			n *= 2
		}
		figure.ComeCloser(film, 1, 0)
		return reel, nil
	},
})
` + "```\n"

// filmBook builds a book whose front page has the film.
func filmBook(t *testing.T) edition {
	t.Helper()
	book := filepath.Join(t.TempDir(), "book")
	must.Write(t, filepath.Join(book, "index.md"), filmPage)
	must.Write(t, filepath.Join(book, "01-more.md"), "# More\n\nText.\n")
	return must.Get(build(t.TempDir(), book))
}

// TestFilm checks that a film plays itself as soon as it is visible, without changing the address, and ends. Columns
// and keys lead to states, and a button plays other values from the start.
func TestFilm(t *testing.T) {
	t.Parallel()
	e := filmBook(t)
	page := filepath.Join(e.dir, "index.html")
	inBrowsers(t, false, func(t *testing.T, w window) {
		p := &player{T: t, window: w, game: game{page: page, block: "fig-pond"}}
		answer := func() string { return p.answer("answer") }
		w.resize(1000, 800)
		p.begin("")
		p.wants("the end", "Day 3: 8 lilies.", answer)
		if hash := p.state().Hash; hash != "" {
			t.Errorf("the address has %s, though nobody has done anything", hash)
		}
		p.wants("the button", "true", func() string {
			return fmt.Sprint(inHost[bool](p, `return host.querySelector("button").textContent === "Play again";`))
		})
		height := inHost[float64](p, `return host.getBoundingClientRect().height;`)

		p.push(mouse, "1")
		p.wants("the state of a column", "Day 1: 2 lilies.", answer)
		p.wantsInAddress("day=1")
		p.focus(".x-steps thead th:nth-child(3) button")
		p.press(0, input.ArrowRight)
		p.wants("the next state", "Day 2: 4 lilies.", answer)
		if now := inHost[string](p, `return host.querySelector("[aria-current=step]").textContent;`); now != "2" {
			t.Errorf("the column of day %s stands out", now)
		}
		p.push(mouse, "One more")
		p.wants("the end of another film", "Day 3: 16 lilies.", answer)
		if now := inHost[float64](p, `return host.getBoundingClientRect().height;`); now != height {
			t.Errorf("the film is %v pixels high, and was %v", now, height)
		}
		p.quiet()
	})
}

// TestFilmStill checks that if the reader prefers no motion, nothing starts by itself, and the button advances by one
// state.
func TestFilmStill(t *testing.T) {
	t.Parallel()
	e := filmBook(t)
	tab, _ := open(t, start(t, false))
	calm(t, tab)
	show(t, tab, fileURL(filepath.Join(e.dir, "index.html")), 1000)
	answer := func() string {
		return ask[string](t, tab, `() => document.querySelector(".x-film.explorable output")?.textContent ?? ""`)
	}
	waittest.Until(t, "the state on paper", func() bool { return answer() == "Day 1: 2 lilies." })
	if waited := ask[string](t, tab, `async () => {
		await new Promise((done) => setTimeout(done, 1500));
		return document.querySelector(".x-film output").textContent;
	}`); waited != "Day 1: 2 lilies." {
		t.Errorf("it goes on to %q by itself", waited)
	}
	ask[bool](t, tab, `() => { document.querySelector(".x-film button").click(); return true; }`)
	waittest.Until(t, "the next state", func() bool { return answer() == "Day 2: 4 lilies." })
}
