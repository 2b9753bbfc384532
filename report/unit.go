package report

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/site"
)

// work computes units: each once, when it is wanted. A unit that the same program has computed under the same settings
// comes from the cache.
type work struct {
	units   []chapter.Unit
	options Options
	mu      sync.Mutex
	parts   map[string]chapter.Part
}

func newWork(units []chapter.Unit, o Options) *work {
	return &work{units: units, options: o, parts: map[string]chapter.Part{}}
}

// want computes units of some names, on all cores. Of several errors it returns that of the first unit of the book.
func (w *work) want(ctx context.Context, wanted func(name string) bool) error {
	w.mu.Lock()
	missing := slices.DeleteFunc(slices.Clone(w.units), func(u chapter.Unit) bool {
		_, done := w.parts[u.Name]
		return done || !wanted(u.Name)
	})
	w.mu.Unlock()
	return chapter.Each(ctx, len(missing), func(i int) error {
		part, err := w.compute(ctx, missing[i])
		if err != nil {
			return err
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		w.parts[missing[i].Name] = part
		return nil
	})
}

// part returns what a unit has computed that was wanted; nothing if there is no such unit.
func (w *work) part(name string) chapter.Part {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.parts[name]
}

// compute asks the cache, or the unit.
func (w *work) compute(ctx context.Context, u chapter.Unit) (part chapter.Part, err error) {
	plain := func() (chapter.Part, error) {
		part, err := u.Compute(ctx)
		if err != nil {
			return chapter.Part{}, err
		}
		front := site.Page{Values: part.Front.Values}
		for _, page := range []*site.Page{&part.Page, &front} {
			if err := page.Plain(); err != nil {
				return chapter.Part{}, &chapter.PageError{Slug: u.Name, Err: err}
			}
		}
		return part, nil
	}
	if len(w.options.Program) == 0 || w.options.Cache == nil {
		return plain()
	}
	inputs := [][]byte{w.options.Program, []byte(u.Name)}
	for _, p := range u.Needs {
		inputs = append(inputs, []byte(p.Name), []byte(w.options.Settings.Of(p)))
	}
	computed := false
	packed, err := w.options.Cache.Do(cache.NewKey("unit-1", inputs...), func() ([]byte, error) {
		if part, err = plain(); err != nil {
			return nil, err
		}
		computed = true
		return packPart(part)
	})
	if err != nil || computed {
		return part, err
	}
	if part, err = unpackPart(packed); err != nil {
		return chapter.Part{}, fmt.Errorf("unit %s: %w", u.Name, err)
	}
	return part, nil
}

// kept is a part as it is kept in a file. Lists in the order of names take the place of maps, so that the same part has
// the same bytes.
type kept struct {
	Part                chapter.Part // without what follows
	Values, FrontValues []entry[content.Markdown]
	Lookups             []entry[[]entry[string]]
	Lists               []entry[[][]entry[string]]
	Assets, Downloads   []entry[[]byte]
}

type entry[V any] struct {
	Name  string
	Value V
}

func entries[V, W any](all map[string]V, entryOf func(V) W) []entry[W] {
	var list []entry[W]
	for _, name := range slices.Sorted(maps.Keys(all)) {
		list = append(list, entry[W]{name, entryOf(all[name])})
	}
	return list
}

func mapOf[V, W any](list []entry[V], valueOf func(V) W) map[string]W {
	if list == nil {
		return nil
	}
	all := map[string]W{}
	for _, e := range list {
		all[e.Name] = valueOf(e.Value)
	}
	return all
}

func each[V, W any](list []V, of func(V) W) []W {
	var all []W
	for _, v := range list {
		all = append(all, of(v))
	}
	return all
}

func same[V any](v V) V { return v }

// packPart writes a part whose values are Markdown.
func packPart(part chapter.Part) ([]byte, error) {
	p := part.Page
	markdown := func(v any) content.Markdown { return v.(content.Markdown) }
	texts := func(all map[string]string) []entry[string] { return entries(all, same) }
	k := kept{
		Part: part, Values: entries(p.Values, markdown), FrontValues: entries(part.Front.Values, markdown),
		Lookups: entries(p.Lookups, texts),
		Lists:   entries(p.Lists, func(rows []map[string]string) [][]entry[string] { return each(rows, texts) }),
		Assets:  entries(p.Assets, same), Downloads: entries(p.Downloads, same),
	}
	page := &k.Part.Page
	page.Values, page.Lookups, page.Lists, page.Assets, page.Downloads = nil, nil, nil, nil, nil
	k.Part.Front.Values = nil
	var packed bytes.Buffer
	err := gob.NewEncoder(&packed).Encode(k)
	return packed.Bytes(), err
}

func unpackPart(packed []byte) (chapter.Part, error) {
	var k kept
	if err := gob.NewDecoder(bytes.NewReader(packed)).Decode(&k); err != nil {
		return chapter.Part{}, err
	}
	value := func(m content.Markdown) any { return m }
	texts := func(list []entry[string]) map[string]string { return mapOf(list, same) }
	p := &k.Part.Page
	p.Values, k.Part.Front.Values, p.Lookups = mapOf(k.Values, value), mapOf(k.FrontValues, value),
		mapOf(k.Lookups, texts)
	p.Lists = mapOf(k.Lists, func(rows [][]entry[string]) []map[string]string { return each(rows, texts) })
	p.Assets, p.Downloads = mapOf(k.Assets, same), mapOf(k.Downloads, same)
	return k.Part, nil
}
