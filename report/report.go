// Package report assembles the report: one register of chapters, the front page, and the stamp.
//
// The pages of a game are made by report/<game>, HTML by report/site; this package decides what is in the report and in
// which order. [Build] is a pure function of its options: the same options give the same bytes.
package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// Version is the version of siegebook that stands in the report's stamp.
const Version = "0.1.0"

// Options say what is built. All but Cache, Workers and Progress change the result.
type Options struct {
	// Settings are what was chosen of the chapters' parameters; see Parameters.
	Settings chapter.Settings
	// Lessons are the pages of the notebooks; see lesson.Course.
	Lessons []lesson.Lesson
	// Kernel names the programs and versions that ran the lessons, for the stamp; empty means that nothing was run.
	Kernel string
	// Engines are what explorables ask, as explore.CompileAll makes them; nil for a report whose figures are drawings
	// alone.
	Engines explore.Engines
	// Only names the chapters to write: a page such as "castle-counts", or a game for all its pages. The front
	// page is always written. Empty means everything.
	Only []string
	// Lazy says that the others can be had when somebody asks for them, so that menus and links lead to them.
	Lazy bool
	// Texts is the folder of the repository, whose texts the pages have, under names such as report/front.md; nil for
	// those that are compiled into the program.
	Texts fs.FS
	// Program identifies the program that builds, for instance by its hash. A report that the same program has built
	// with the same options before is taken from the cache; empty means never.
	Program []byte
	// Cache keeps formulas and whole reports between builds; nil means none.
	Cache *cache.Cache
	// Workers is the number of goroutines that render pages; 0 means one per core.
	Workers int
	// Progress, if not nil, is told how many of the steps are done, and what comes next.
	Progress func(done, total int, next string)
}

// Validate returns an error if the options cannot be built: what a user has to correct.
func (b Book) Validate(o Options) error {
	_, err := b.normal(o)
	return err
}

// normal returns valid options with the value of every parameter in its normal form, and the errors of Validate.
func (b Book) normal(o Options) (Options, error) {
	settings := chapter.Settings{}
	for _, p := range b.Parameters() {
		value, err := p.Normal(o.Settings.Of(p))
		if err != nil {
			return o, fmt.Errorf("%s: %w", p.Name, err)
		}
		if p.File != nil && p.File.Is(value) {
			// Without its page the report would not have the file, and nobody could check it.
			if slug := path.Base(path.Dir(p.File.Kept[0])); !o.Wants(slug) {
				return o, fmt.Errorf(
					"%s: a report keeps it with the page %s, which is not among the chapters %s: add that one, or "+
						"leave the %s out", p.Name, slug, strings.Join(o.Only, ","), p.Name,
				)
			}
		}
		settings[p.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		if _, ok := settings[name]; !ok {
			return o, fmt.Errorf(
				"parameter %q: no chapter has it, use %s", name, strings.Join(slices.Sorted(maps.Keys(settings)), ", "),
			)
		}
	}
	o.Settings = settings
	known := append(b.Chapters(), "lesson")
	for _, l := range o.Lessons {
		known = append(known, l.Page.Slug)
	}
	for _, name := range o.Only {
		if name != frontSlug && !slices.Contains(known, name) {
			return o, fmt.Errorf("chapter %q: there is no such chapter, use %s", name, strings.Join(known, ", "))
		}
	}
	return o, nil
}

// Build computes a report of a book. The errors are those of Validate, of a claim that does not hold, of a text (with
// file and line), and of the context.
func Build(ctx context.Context, b Book, o Options) (site.Tree, error) {
	o, err := b.normal(o)
	if err != nil {
		return nil, err
	}
	packed, err := b.cached(o, "report-2", func() ([]byte, error) {
		tree, err := newDraft(b, o).build(ctx, o)
		if err != nil {
			return nil, err
		}
		return pack(tree)
	})
	if err != nil {
		return nil, err
	}
	return unpack(packed)
}

// BuildSingle computes the report as one HTML file that needs no other. Its errors are those of Build.
func BuildSingle(ctx context.Context, b Book, o Options) ([]byte, error) {
	o, err := b.normal(o)
	if err != nil {
		return nil, err
	}
	return b.cached(o, "single-1", func() ([]byte, error) {
		s, err := b.assemble(ctx, newWork(b.units(o.Settings), o), o, o.Lessons)
		if err != nil {
			return nil, err
		}
		return site.RenderSingle(ctx, s, o.rendering())
	})
}

// cached asks the cache for what the same program has computed of the same options before.
func (b Book) cached(o Options, kind string, compute func() ([]byte, error)) ([]byte, error) {
	if len(o.Program) == 0 {
		return compute()
	}
	inputs := [][]byte{
		o.Program, []byte(strings.Join(o.Only, ",")), lesson.Digest(o.Lessons), []byte(o.Kernel),
		[]byte(engineStamp(o.Engines)), o.textsDigest(), b.Digest,
	}
	for _, p := range b.Parameters() {
		inputs = append(inputs, []byte(p.Name), []byte(o.Settings.Of(p)))
	}
	return o.Cache.Do(cache.NewKey(kind, inputs...), compute)
}

func (o Options) rendering() site.Options {
	return site.Options{Cache: o.Cache, Workers: o.Workers, Progress: o.Progress}
}

// explorer is what explorable figures run on.
func explorer(engines explore.Engines) *site.Explorer {
	e := &site.Explorer{Script: explore.Script(), Style: explore.Style()}
	for _, m := range explore.Modules() {
		e.Engines = append(e.Engines, site.Engine{Name: m.Name, Kinds: m.Kinds, Text: explore.Text(engines[m.Name])})
	}
	return e
}

// inPart puts pages below one title in menus.
func inPart(title string, pages []site.Page) []site.Page {
	for i := range pages {
		pages[i].Part = title
	}
	return pages
}

// Wants reports whether the page of that slug is to be written.
func (o Options) Wants(slug string) bool {
	if len(o.Only) == 0 || slug == "index" || slices.Contains(o.Only, slug) {
		return true
	}
	game, _, _ := strings.Cut(slug, "-")
	return slices.Contains(o.Only, game)
}

func lessonPages(lessons []lesson.Lesson) []site.Page {
	pages := make([]site.Page, len(lessons))
	for i, l := range lessons {
		pages[i] = l.Page
		pages[i].Series = lessonSeries
	}
	return pages
}

// dataHash is a short hash of the numbers behind all figures and tables.
func dataHash(pages []site.Page) string {
	texts := make([]bytes.Buffer, len(pages))
	var writing sync.WaitGroup
	for i, page := range pages {
		writing.Go(func() {
			text := &texts[i]
			for _, f := range page.Figures {
				data := f.Data.CSV()
				fmt.Fprintf(text, "%s/%s %d\n%s", page.Slug, f.ID, len(data), data)
			}
			for _, t := range page.Tables {
				fmt.Fprintf(text, "%s/%s %v\n", page.Slug, t.ID, t.Rows)
			}
			for _, name := range slices.Sorted(maps.Keys(page.Values)) {
				fmt.Fprintf(text, "%s %q = %q\n", page.Slug, name, fmt.Sprint(page.Values[name]))
			}
		})
	}
	writing.Wait()
	hash := sha256.New()
	for i := range texts {
		hash.Write(texts[i].Bytes())
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// file is a file of a packed tree.
type file struct {
	Path string
	Data []byte
}

func pack(tree site.Tree) ([]byte, error) {
	var files []file
	for _, path := range slices.Sorted(maps.Keys(tree)) {
		files = append(files, file{path, tree[path]})
	}
	var packed bytes.Buffer
	err := gob.NewEncoder(&packed).Encode(files)
	return packed.Bytes(), err
}

func unpack(packed []byte) (site.Tree, error) {
	var files []file
	if err := gob.NewDecoder(bytes.NewReader(packed)).Decode(&files); err != nil {
		return nil, err
	}
	tree := site.Tree{}
	for _, f := range files {
		tree[f.Path] = f.Data
	}
	return tree, nil
}
