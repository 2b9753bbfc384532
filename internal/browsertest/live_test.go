package browsertest

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod/lib/input"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// liveWait limits the time of a run in a live page on a busy machine.
const liveWait = 4 * time.Minute

// livePlayer edits and runs cells of a page.
type livePlayer struct {
	*testing.T
	window
}

// liveCell is what a reader sees of a cell.
type liveCell struct{ State, Error, Output, Text string }

// see returns what a reader sees of the cell at a place. Places are numbered from 1.
func (p livePlayer) see(place int) liveCell {
	p.Helper()
	return evaluate[liveCell](p.T, p.window, `(place) => {
		const mark = document.querySelectorAll(".live-begin")[place - 1], cell = {State: "", Error: "", Output: "", Text: ""};
		for (let e = mark.nextElementSibling; e && !e.matches(".live-end"); e = e.nextElementSibling) {
			if (e.hidden) continue;
			const own = (kind) => e.matches(kind) ? e : e.querySelector(kind); // the code may be folded
			const bar = own(".live-bar"), error = own(".live-error"), box = own("textarea");
			if (bar) cell.State = bar.innerText;
			if (error) cell.Error += error.innerText;
			if (box) cell.Text = box.value;
			if (!bar && !error && !box && !e.matches("pre")) cell.Output += e.innerText.trim() + "\n" +
				[...e.querySelectorAll("img")].map((image) => "[" + image.alt + "]").join("");
		}
		return cell;
	}`, place)
}

// push presses the button of a cell.
func (p livePlayer) push(place int, label string) {
	p.Helper()
	if !evaluate[bool](p.T, p.window, `(name) => {
		const button = [...document.querySelectorAll(".live-bar button")].find((b) => b.ariaLabel === name && !b.hidden);
		if (button) button.click();
		return Boolean(button);
	}`, label+", cell "+strconv.Itoa(place)) {
		p.Fatalf("cell %d has no button %q", place, label)
	}
}

// write writes a text into a cell that is being edited.
func (p livePlayer) write(place int, text string) {
	p.Helper()
	evaluate[bool](p.T, p.window, `(place, text) => {
		let e = document.querySelectorAll(".live-begin")[place - 1];
		while (!e.matches("textarea")) e = e.nextElementSibling.querySelector("textarea") || e.nextElementSibling;
		e.value = text;
		e.dispatchEvent(new Event("input"));
		return true;
	}`, place, text)
}

// ran runs a cell, and returns what a reader then sees of it.
func (p livePlayer) ran(place int) liveCell {
	p.Helper()
	p.wait(place)
	return p.see(place)
}

// wait runs a cell, and waits for the end of the run.
func (p livePlayer) wait(place int) {
	p.Helper()
	p.waitFor(func() { p.push(place, "Run") })
}

// waitFor calls begin, which starts a run, and waits for the end of the run.
func (p livePlayer) waitFor(begin func()) {
	p.Helper()
	runs := `() => Number(document.documentElement.dataset.liveRuns || 0)`
	before := evaluate[int](p.T, p.window, runs)
	begin()
	waitLonger(p.T, "the run ends", func() bool { return evaluate[int](p.T, p.window, runs) > before })
}

// waitLonger waits for a condition, longer than tests usually wait for a page.
func waitLonger(t *testing.T, what string, is func() bool) {
	t.Helper()
	for end := time.Now().Add(liveWait); !is(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("after %v: not yet: %s", liveWait, what)
		}
	}
}

// liveEdits are the texts that readers write into cells of testdata/live, one after another, and what they then see.
// The text of a cell stays until the next edit of the cell.
var liveEdits = []struct {
	place int
	text  string
	// want must be in the State, the Error or the Output of the cell, or of the cell number at if at is not 0.
	want string
	at   int
}{
	{2, "fmt.Println(\"twice\", 2*n)", "twice 20", 0},
	{1, "n := 4", "twice 8", 2},
	{1, "n := 5", "rising to 25 at 5", 4},
	{1, "n := 6", "Halves number half 6 3", 6},
	{2, "n / 2 // a value", "3", 0},
	{2, "func double(x int) int { return 2 * x }\nfmt.Println(double(n), strings.Repeat(\"go\", 3))", "12 gogogo", 0},
	{2, "fmt.Print(\"<img src=x onerror=alert(1)>\")", "<img src=x onerror=alert(1)>", 0},
	{2, "time.Sleep(time.Hour)\nfmt.Println(\"awake\")", "awake", 0},
	{2, "show.Text(\"%d is <b>even</b>\", n)", "6 is <b>even</b>", 0},
	{2, "fmt.Println(n +)", "Line 1: expected operand, found ')'", 0},
	{2, "\nfmt.Println(n + m)", "Line 2: undefined: m: m is not declared above; Go distinguishes capital", 0},
	{2, "x := 1 + \"y\"", "Line 1: ", 0},
	{2, "import \"net/http\"\nfmt.Println(http.MethodGet)", "Line 1: the package \"net/http\" is not available in " +
		"this page", 0},
	{2, "var a []int\nfmt.Println(a[n])", "Line 2: panic: runtime error: index out of range [6] with length 0", 0},
	{2, "panic(\"<b>no</b>\")", "Line 1: panic: <b>no</b>", 0},
	{2, "os.Exit(3)", "the program exits here with code 3", 0},
	{2, "go func() { panic(\"aside\") }()\n<-make(chan int)", "panic: aside", 0},
	{2, "<-make(chan int)", "all goroutines are asleep - deadlock!", 0},
	{2, "for i := range 1000000 { fmt.Println(\"line\", i) }", "The program was stopped because it printed more than " +
		"4 MB.", 0},
	{2, "var all [][]byte\nfor range 100 { all = append(all, make([]byte, 100<<20)) }", "out of memory", 0},
	{2, "show.Figure(figure.Lines{Title: \"no lines\"})", "Line 1: ", 0},
	{1, "m := 1", "Line 2: undefined: n", 4},
	{1, "n := 7", "Line 1: ", 2},
	{2, "fmt.Println(n)", "rising to 49 at 7", 4},
}

// liveSite builds the book in testdata/live with lines of its book.yaml, and returns the folder of its pages.
func liveSite(t *testing.T, lines ...string) (site string) {
	t.Helper()
	dir := t.TempDir()
	book, site := filepath.Join(dir, "book"), filepath.Join(dir, "site")
	must.Do(t, os.CopyFS(book, os.DirFS(filepath.Join("testdata", "live"))))
	if len(lines) > 0 {
		must.Do(t, os.WriteFile(filepath.Join(book, "book.yaml"), []byte(strings.Join(lines, "\n")), 0o600))
	}
	cmd := exec.Command("go", "run", "-buildvcs=false", "./cmd/genreport", "build", "--live", "--out", site, book)
	cmd.Dir, cmd.Env = filepath.Join("..", ".."), append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return site
}

// TestLive checks that readers can edit the cells of a page on the disk, and run them with Go in the page. Whatever
// they write, the page keeps working, and Reset restores the original text.
func TestLive(t *testing.T) {
	t.Parallel()
	site := liveSite(t)
	page := "file://" + filepath.Join(site, "01-sums.html")
	axeCore := axeSource(t)
	inBrowsers(t, true, func(t *testing.T, w window) {
		p := livePlayer{t, w}
		p.open(page)
		before := p.see(4)
		const parts = `() => [...document.scripts].filter((script) => script.src.includes("live-")).length`
		if n := evaluate[int](t, w, parts); n > 0 {
			t.Errorf("%d parts are loaded before anybody edits", n)
		}
		p.push(1, "Edit")
		p.push(2, "Edit")
		for _, e := range liveEdits {
			p.write(e.place, e.text)
			p.ran(e.place)
			c := p.see(cmp.Or(e.at, e.place))
			got := strings.Join(strings.Fields(c.State+" "+c.Error+" "+c.Output), " ")
			if !strings.Contains(got, e.want) {
				t.Errorf("cell %d with %q: %q is not in %q", e.place, e.text, e.want, got)
			}
		}

		// By keyboard, on a telephone: Control and Enter run the cell, and Tab indents.
		p.resize(390, 800)
		p.write(2, "")
		evaluate[bool](t, w, `() => {
			const box = document.querySelectorAll("textarea")[1];
			box.focus();
			box.setSelectionRange(0, 0);
			return true;
		}`)
		p.press(0, input.Tab, input.KeyX)
		if text := p.see(2).Text; text != "\tx" {
			t.Errorf("Tab and x write %q", text)
		}
		p.press(input.ControlLeft, input.Enter)
		waitLonger(t, "a mistake is told", func() bool { return strings.Contains(p.see(2).Error, "undefined: x") })
		if evaluate[bool](t, w, `() => document.documentElement.scrollWidth > innerWidth`) {
			t.Error("the page is wider than a telephone")
		}
		_, err := p.eval("() => {" + axeCore + "\n}")
		must.Do(t, err)
		if a := evaluate[audit](t, w, axeRun, "all", ""); len(a.Findings) > 0 || len(a.Passed) < 10 {
			t.Errorf("axe finds %q", a.Findings)
		}
		p.resize(1280, 800)

		// An endless program can be stopped, and the page still works.
		p.write(2, "fmt.Println(\"begun\")\nfor {\n}")
		p.push(2, "Run")
		waitLonger(t, "the program runs", func() bool { return strings.Contains(p.see(2).State, "Running.") })
		p.push(2, "Stop")
		waittest.Until(t, "it is stopped", func() bool { return strings.Contains(p.see(2).State, "Stopped.") })
		p.write(2, "fmt.Println(\"on\")")
		if c := p.ran(2); !strings.Contains(c.Output, "on") {
			t.Errorf("after Stop, the cell is %+v", c)
		}

		// A control that the reader has written works.
		p.push(5, "Edit")
		p.write(5, strings.Replace(p.see(5).Text, "\"waves\", 1, 12, 3", "\"hills\", 1, 9, 2", 1))
		p.ran(5)
		waittest.Until(t, "the control answers", func() bool { return strings.Contains(p.see(5).Output, "hills = 2") })
		evaluate[bool](t, w, `() => {
			const box = [...document.querySelectorAll(".explorable input[type=number]")].find((e) => e.offsetParent);
			box.value = "8";
			return box.dispatchEvent(new Event("input"));
		}`)
		waittest.Until(t, "the control moves", func() bool { return strings.Contains(p.see(5).Output, "hills = 8") })
		if c := p.see(4); !strings.Contains(c.Output, "rising to 49 at 7") {
			t.Errorf("before Reset, the figure is %q", c.Output)
		}
		p.push(2, "Copy link")
		waittest.Until(t, "the link is there", func() bool { return strings.Contains(p.see(2).State, "The link is") })
		address := evaluate[string](t, w, `() => location.href`)
		for _, place := range []int{1, 2, 5} {
			p.push(place, "Reset")
		}
		if after := p.see(4); after != before {
			t.Errorf("after Reset, the figure's cell is\n%+v\nand was\n%+v", after, before)
		}
		if note := evaluate[bool](t, w, `() => document.querySelector(".live-note").hidden`); !note {
			t.Error("after Reset, the page says that it is edited")
		}

		// A link contains the texts. Following it loads nothing and runs nothing.
		p.open(address)
		c := p.see(2)
		if c.Text != "fmt.Println(\"on\")" || !strings.Contains(c.Output, "the sum is 55") ||
			evaluate[int](t, w, parts) > 0 || evaluate[bool](t, w, `() => document.querySelector(".live-note").hidden`) {
			t.Errorf("of the link the cell is %+v", c)
		}

		// The cells of a notebook also form one program.
		p.open(strings.Replace(page, "01-sums", "02-notebook", 1))
		p.push(1, "Edit")
		p.write(1, "func triple(n int) int { return 30 * n }")
		if p.ran(1); !strings.Contains(p.see(2).Output, "120") {
			t.Errorf("the cells of the notebook are %+v and %+v", p.see(1), p.see(2))
		}
		if problems := append(p.problems(), overheard(t, w)...); len(problems) > 0 {
			t.Errorf("%q", problems)
		}
	})
}
