package show

import (
	"errors"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// scripted gives cells a script, or an error, during a test.
func scripted(t *testing.T, cell explore.Cell, err error) {
	t.Helper()
	before := script
	t.Cleanup(func() { script = before })
	script = func() (explore.Cell, error) { return cell, err }
}

// TestExplore: the output has the figure as without script, followed by the script.
func TestExplore(t *testing.T) {
	cell := explore.ForCell([]byte("the engine"))
	scripted(t, cell, nil)
	still, _ := capture(t, func() { Figure(legended) })
	rich, plain := capture(t, func() { Explore(legended, "castle-map", "n=24&s=36&d=24") })
	want := `<div class="siegebook-explorable" data-script="` + cell.Name +
		`" data-kind="castle-map" data-start="n=24&amp;s=36&amp;d=24">` + "\n" + still[0] + "</div>\n<script>\n" +
		cell.Script + "</script>\n"
	if len(rich) != 1 || rich[0] != want {
		t.Errorf("%.500q, want %.500q", rich, want)
	}
	if strings.Contains(plain[0], "script") {
		t.Errorf("as text it is %q", plain[0])
	}
	if engine := explore.Text([]byte("the engine")); strings.Count(rich[0], engine) != 1 {
		t.Errorf("the engine stands %d times in the output", strings.Count(rich[0], engine))
	}
	if tags := regexp.MustCompile(`(?i)</?script|<!--`).FindAllString(rich[0], -1); len(tags) != 2 {
		t.Errorf("a browser sees another end of the script than we: %q", tags)
	}

	list := blocks(func() { Explore(legended, "castle-map", "n=24&s=36&d=24") })
	data, err := content.Marshal(list[0])
	must.Do(t, err)
	if len(data) > 100_000 {
		t.Errorf("the report gets %d bytes: the engine is none of its business", len(data))
	}
	block, err := content.Unmarshal(data)
	must.Do(t, err)
	if f := block.(*content.Figure); f.Explore == nil || f.Explore.Kind != "castle-map" ||
		f.Explore.Address() != "n=24&s=36&d=24" {
		t.Errorf("the report gets %+v", f.Explore)
	}
}

// TestExploreWithoutGo: without Go the drawing is shown.
func TestExploreWithoutGo(t *testing.T) {
	scripted(t, explore.Cell{}, explore.ErrNoGo)
	still, _ := capture(t, func() { Figure(legended) })
	rich, _ := capture(t, func() { Explore(legended, "castle-map", "n=24") })
	if rich[0] != still[0] {
		t.Errorf("%q, want %q", rich[0], still[0])
	}
}

func TestExploreFails(t *testing.T) {
	scripted(t, explore.Cell{}, errors.New("no space left"))
	for _, test := range []struct{ kind, start, want string }{
		{"castle-maps", "n=24", `show: nothing to play with: "castle-maps" is no kind of explorable: choose one of `},
		{"", "n=24", `show: nothing to play with: "" is no kind of explorable`},
		{"castle-map", "n", `show: nothing to play with: "n": settings are name=value&name=value`},
		{"castle-map", "", `show: nothing to play with: "": settings are name=value&name=value`},
		{"castle-map", `n="><img src=x>`, "show: nothing to play with: explorable castle-map: n = "},
		{"castle-map", "n1=2", "show: nothing to play with: explorable castle-map: the setting "},
		{"castle-map", "n=24", "show: nothing to play with: no space left"},
	} {
		var got string
		rich, _ := capture(t, func() { got = panicOf(func() { Explore(legended, test.kind, test.start) }) })
		if !strings.HasPrefix(got, test.want) {
			t.Errorf("%q of %q: panics with %q, want %q", test.kind, test.start, got, test.want)
		}
		if len(rich) > 0 {
			t.Errorf("shows %q before it panics", rich)
		}
	}
}

// TestRepositoryOf: the module that the kernel makes of cells says where the repository is.
func TestRepositoryOf(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip(err)
	}
	repo := must.Get(filepath.Abs(filepath.Join("..", "..")))
	cells := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module cells\n\ngo 1.26\n",
		"go.work": "go 1.26.0\n\nuse (\n\t.\n\t" + repo + "\n)\n",
	} {
		must.Write(t, filepath.Join(cells, name), text)
	}
	for name, value := range map[string]string{"GOWORK": "", "GOFLAGS": "", "GOPROXY": "off", "GOTOOLCHAIN": "local"} {
		t.Setenv(name, value)
	}
	if got, err := repositoryOf(t.Context(), cells); err != nil || got != repo {
		t.Errorf("%q, %v, want %q", got, err, repo)
	}
	if got, err := repositoryOf(t.Context(), t.TempDir()); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("without a module: %q, %v; want an error of one line", got, err)
	}
}

// TestExplored: a drawing names its explorable with the current values; a notebook shows the drawing.
func TestExplored(t *testing.T) {
	cell := func() {
		Slider("n", 1, 60, 24, func(n int64) Drawing { return Explored(line(n), "castle-map", "n=%d&s=36", n) })
	}
	all := blocks(cell)
	f, ok := all[len(all)-1].(*content.Figure)
	if !ok || f.Explore == nil || f.Explore.Kind != "castle-map" || f.Explore.Address() != "n=24&s=36" {
		t.Errorf("the report gets %+v", all[len(all)-1])
	}
	rich, _ := capture(t, cell)
	still, _ := capture(t, func() { Slider("n", 1, 60, 24, line) })
	if len(rich) != 1 || rich[0] != still[0] {
		t.Errorf("%d outputs, which differ from the drawing's", len(rich))
	}
	for want, call := range map[string]func(){
		`show: nothing to play with: "castle-maps" is no kind`: func() { Explored(line(1), "castle-maps", "n=24") },
		`show: nothing to play with: "n": settings are`:        func() { Explored(line(1), "castle-map", "n") },
		"show: nothing to see: the drawing is nil":             func() { Figure(Explored(nil, "castle-map", "n=24")) },
	} {
		if got := panicOf(call); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
