package program

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/report/compile"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/pictures"
)

// Control is a figure on a page that readers can change.
type Control struct {
	// Name is the name of its picture.
	Name   string           `json:"name"`
	Fields []pictures.Field `json:"fields"`
}

// Module is the program of the pages that have controls, as WebAssembly. When readers move a control, the page calls
// the module.
type Module struct {
	// Bytes is the compressed module. It is nil if no page has controls that move.
	Bytes    []byte
	Pictures []pictures.Picture
	// Left maps the name of each page whose controls do not move to the reason.
	Left map[string]Fault
	// Near maps the name of a page to the place of a cell if the last digits of the cell's floats differ between the
	// program and the module. The page then shows the results of the module.
	Near map[string]Fault
}

// moduleKind is the kind of cache entries that hold modules.
const moduleKind = "page-module-3"

// keptModule is the cached form of a Module.
type keptModule struct {
	Bytes      []byte
	Left, Near map[string]Fault
}

// module makes the module of the pages that have run and have controls. It checks the module by running each page and
// drawing each control. The controls of a page move only if the module and the program give the same results.
func (b *builder) module(ctx context.Context, pages []*made, onlyKept bool) (Module, error) {
	m := Module{Left: map[string]Fault{}}
	pages = slices.DeleteFunc(slices.Clone(pages), func(p *made) bool { return len(p.controls()) == 0 })
	if len(pages) == 0 {
		return m, nil
	}
	var inputs [][]byte
	for _, p := range pages {
		inputs = append(inputs, []byte(p.key.String()))
		inputs = append(inputs, sumOf(p.result.Cells))
	}
	kept, err := cache.Value(b.Cache, cache.NewKey(moduleKind, inputs...), func() (keptModule, error) {
		if onlyKept {
			return keptModule{}, errNotKept
		}
		return b.makeModule(ctx, pages)
	})
	if err != nil {
		return m, err
	}
	m.Bytes, m.Left, m.Near = kept.Bytes, kept.Left, kept.Near
	for _, p := range pages {
		if _, left := m.Left[p.page.Name]; left {
			continue
		}
		for _, c := range p.controls() {
			m.Pictures = append(m.Pictures, pictures.Picture{Name: c.Name, Fields: c.Fields})
		}
	}
	return m, nil
}

// errNotKept means that the cache does not have the module.
var errNotKept = errors.New("the module is not in the cache")

// sumOf returns a hash of results.
func sumOf(cells []Result) []byte {
	sum := sha256.New()
	for _, c := range cells {
		fmt.Fprintf(sum, "%q %q %+v %q\n", c.Type, c.Text, c.Controls, c.Shared)
		for _, o := range c.Outputs {
			fmt.Fprintf(sum, "%q %q %q %q\n", o.Type, o.Name, o.Text, o.Data) // fmt sorts the keys of the data
		}
	}
	return sum.Sum(nil)
}

// controls returns the controls of a page that has run.
func (m *made) controls() (all []Control) {
	for _, r := range m.result.Cells {
		all = append(all, r.Controls...)
	}
	return all
}

// makeModule builds the module of all pages whose results in the module are the same as in the program. It uses the
// verdicts on pages that earlier builds have stored in the cache.
func (b *builder) makeModule(ctx context.Context, pages []*made) (k keptModule, err error) {
	k.Left, k.Near = map[string]Fault{}, map[string]Fault{}
	work, done, err := b.workFolder()
	if err != nil {
		return k, err
	}
	defer done()
	verdicts := map[*made]verdict{}
	for {
		pages = slices.DeleteFunc(pages, func(p *made) bool {
			v, known := verdicts[p]
			if !known {
				if v, known = b.keptVerdict(p); known {
					verdicts[p] = v
				}
			}
			if v.Fault != nil {
				k.Left[p.page.Name] = *v.Fault
			}
			if v.Near != nil {
				k.Near[p.page.Name] = *v.Near
			}
			return v.Fault != nil
		})
		var wasm []byte
		if wasm, pages, err = b.buildModule(ctx, work, pages, k.Left); err != nil || len(pages) == 0 {
			return k, err
		}
		var unknown []*made
		for _, p := range pages {
			if _, known := verdicts[p]; !known {
				unknown = append(unknown, p)
			}
		}
		same := true
		if err := b.check(ctx, wasm, unknown, func(p *made, v verdict) {
			verdicts[p], same = v, same && v.Fault == nil
			if v.Near != nil {
				k.Near[p.page.Name] = *v.Near
			}
			if packed, err := cache.Pack(v); err == nil {
				_ = b.Cache.Put(b.verdictKey(p), packed) // after an error, the next build checks the page again
			}
		}); err != nil {
			return k, err
		}
		if same {
			k.Bytes = compile.Compress(wasm)
			return k, nil
		}
	}
}

// verdict is the result of checking a page in the module. Fault is nil if the results are the same. Near is also nil if
// the results agree to the last digit.
type verdict struct{ Fault, Near *Fault }

func (b *builder) verdictKey(p *made) cache.Key {
	return cache.NewKey("page-verdict-3", []byte(p.key.String()), sumOf(p.result.Cells))
}

func (b *builder) keptVerdict(p *made) (v verdict, known bool) {
	packed, ok := b.Cache.Get(b.verdictKey(p))
	if !ok {
		return v, false
	}
	v, err := cache.Unpack[verdict](packed)
	return v, err == nil
}

// buildModule builds the module of the pages that compile for a browser, and returns these pages. It adds the reasons
// why other pages do not compile to left.
func (b *builder) buildModule(ctx context.Context, work string, pages []*made, left map[string]Fault) (
	wasm []byte, good []*made, err error,
) {
	unlock, err := atomicfile.Lock(ctx, filepath.Join(work, "lock"))
	if err != nil {
		return nil, nil, err
	}
	defer unlock()
	if err := b.write(ctx, work, pages); err != nil {
		return nil, nil, err
	}
	own := make([]*made, len(pages)) // copies of the pages, because their faults concern only the module
	for i, p := range pages {
		own[i] = &made{
			page: p.page, text: p.text, locals: p.locals, silent: p.silent, result: &PageResult{Cells: p.result.Cells},
		}
	}
	built, err := b.link(ctx, work, own, "init", compile.WebAssembly, "-buildmode=c-shared", "-trimpath",
		"-gcflags=std=-l", "-ldflags=-s -w")
	if err != nil {
		return nil, nil, err
	}
	for i, p := range own {
		if slices.Contains(built, p) {
			good = append(good, pages[i])
		} else if len(p.result.Faults) > 0 {
			fault := p.result.Faults[0]
			if plots.MatchString(fault.Message) {
				fault.Message = "the reader's page cannot show plots of gonum.org/v1/plot: draw with package figure"
			}
			left[p.page.Name] = fault
		}
	}
	if len(good) == 0 {
		return nil, nil, nil
	}
	wasm, err = os.ReadFile(filepath.Join(work, "module", "program"))
	return wasm, good, err
}

// plots matches the compiler's message about a page that shows gonum plots.
var plots = regexp.MustCompile(`^undefined: (figure\.Plot|show\.Plot|figure\.Drawer)$`)

// differs returns the verdict on a page with a fault in the given cell.
func (b *builder) differs(p *made, cell int, format string, args ...any) verdict {
	c := p.page.Cells[cell]
	why := ""
	for _, w := range whys {
		if strings.Contains(p.text, w.uses) {
			why = ", which has no " + w.lacks
			break
		}
	}
	return verdict{Fault: &Fault{
		Cell: cell, Line: c.Line, Column: c.Column,
		Message: fmt.Sprintf("in the reader's page%s, ", why) + fmt.Sprintf(format, args...),
	}}
}

// whys lists code that uses things which are not available to a page in a browser.
var whys = []struct{ uses, lacks string }{
	{"os.ReadFile", "files"},
	{"os.Open", "files"},
	{"ioutil.", "files"},
	{"http.", "network"},
	{"net.", "network"},
	{"exec.", "other programs"},
	{"time.Now", "clock"},
	{"time.Since", "clock"},
	{"rand.", "random numbers"},
	{"os.Getenv", "environment variables"},
}

// Has reports whether one of the controls has the given name.
func (r Result) Has(name string) bool {
	return slices.ContainsFunc(r.Controls, func(c Control) bool { return c.Name == name })
}

// shown returns the figure of the control with the given name from the outputs, or nil if there is none.
func (r Result) shown(name string) *content.Figure {
	for _, o := range r.Outputs {
		data, _ := o.Data.Text(content.MediaType)
		block, err := content.Unmarshal([]byte(data))
		if f, is := block.(*content.Figure); err == nil && is && f.Explore != nil && f.Explore.Kind == name {
			return f
		}
	}
	return nil
}

// draws reports whether the view that a module returned draws a figure exactly as pictures.Picture.Figure does.
func draws(view string, f *content.Figure) bool {
	var answer pictures.View
	if json.Unmarshal([]byte(view), &answer) != nil {
		return false
	}
	at := slices.IndexFunc(answer.Parts, func(part pictures.Part) bool { return part.Plate != nil })
	return at >= 0 && answer.Parts[at].Plate.Drawn != nil && answer.Parts[at].Plate.Drawn.SVG == string(f.Light)
}
