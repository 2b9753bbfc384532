// Package book builds a book: it orders the pages, computes their content, and stamps them.
//
// A [Book] is a value that the caller makes; this package contains no book. Package internal/report/site renders the
// HTML. [Build] is a pure function of its options: the same options give the same bytes.
package book

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/internal/report/chapter"
	"github.com/siegebook/siegebook/internal/report/lesson"
	"github.com/siegebook/siegebook/internal/report/printer"
	"github.com/siegebook/siegebook/internal/report/site"
	"github.com/siegebook/siegebook/report/content"
	"github.com/siegebook/siegebook/report/explore"
)

// Options says what to build. All fields except Program, Cache and Memo influence the result.
type Options struct {
	// Settings are the chosen values of the chapters' parameters; see Parameters.
	Settings chapter.Settings
	// Lessons are the pages of the notebooks; see lesson.Course.
	Lessons []lesson.Lesson
	// Kernel names the programs and versions that ran the lessons, for the stamp. Empty means that nothing was run.
	Kernel string
	// Engines are the engines of explorables, compiled by package compile. Without engines, all figures are static.
	Engines explore.Engines
	// Only names the chapters to write: a page such as "tank-counts", or a game for all its pages. The front
	// page is always written. If it is empty, the build writes everything.
	Only []string
	// LinkOmitted means that the other chapters are made on request, so menus and links still lead to them.
	LinkOmitted bool
	// Texts is the folder of the repository from which the texts of pages are read, under the names that Book.TextFiles
	// returns; nil means the texts that are compiled into the program.
	Texts fs.FS
	// Program identifies the program that builds, for example by its hash. If the same program has already built a
	// report with the same options, Build takes the report from the cache. If Program is empty, it never does.
	Program []byte
	// Cache keeps formulas and whole reports between builds; nil means no cache.
	Cache *cache.Cache
	// Memo keeps pages between builds in this process, see site.Memo; nil means no memo. With a memo, the cache does
	// not keep whole reports.
	Memo *site.Memo
}

// Validate returns an error if a user has to correct the options.
func (b Book) Validate(o Options) error {
	_, err := b.normal(o)
	return err
}

// normal validates the options, and returns them with the value of every parameter in its normal form. It returns the
// errors of Validate.
func (b Book) normal(o Options) (Options, error) {
	settings := chapter.Settings{}
	for _, p := range b.Parameters() {
		value, err := p.Normal(o.Settings.Of(p))
		if err != nil {
			return o, fmt.Errorf("%s: %w", p.Name, err)
		}
		if p.File != nil && p.File.Is(value) {
			// Without the page, the report would not contain the file, and nobody could check the value.
			if slug := path.Base(path.Dir(p.File.Kept[0])); !o.Wants(slug) {
				return o, fmt.Errorf(
					"%s: the report publishes its file with the page %s, which is not among the chapters %s: add "+
						"that page, or leave the %s out", p.Name, slug, strings.Join(o.Only, ","), p.Name,
				)
			}
		}
		settings[p.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		if _, ok := settings[name]; !ok {
			return o, fmt.Errorf(
				"parameter %q: no chapter has this parameter: use "+
					"%s", name, strings.Join(slices.Sorted(maps.Keys(settings)), ", "),
			)
		}
	}
	o.Settings = settings
	known := append(b.Chapters(), "lesson")
	for _, l := range o.Lessons {
		known = append(known, l.Slug)
	}
	for _, name := range o.Only {
		if name != FrontSlug && !slices.Contains(known, name) {
			return o, fmt.Errorf("there is no chapter %q: use %s", name, strings.Join(known, ", "))
		}
	}
	return o, nil
}

// Build computes a report of a book. It returns the errors of Validate, the context's error, an error for a claim that
// does not hold, and errors in texts, with file and line.
func Build(ctx context.Context, b Book, o Options) (site.Tree, error) {
	o, err := b.normal(o)
	if err != nil {
		return nil, err
	}
	store, key := b.kept(o)
	return cache.Value(store, key("report-4"), func() (site.Tree, error) {
		tree, err := newDraft(b, o).build(ctx, o)
		if err != nil || store == nil {
			return tree, err
		}
		if packed, err := cache.Pack(tree.Sums()); err == nil {
			_ = store.Put(key(sumsKind), packed) // a failure only costs time
		}
		return tree, nil
	})
}

// sumsKind is the kind of cache entries with the checksums of reports. They are stored separately from the reports
// because they are quicker to read.
const sumsKind = "report-sums-1"

// Sums returns the checksums of the report that [Build] would return, if the cache has it.
func (b Book) Sums(o Options) (sums site.Sums, known bool) {
	o, err := b.normal(o)
	if err != nil {
		return sums, false
	}
	store, key := b.kept(o)
	packed, _ := store.Get(key(sumsKind))
	sums, err = cache.Unpack[site.Sums](packed)
	return sums, err == nil
}

// BuildSingle builds the report as one HTML file that needs no other file. It returns the same errors as Build.
func BuildSingle(ctx context.Context, b Book, o Options) ([]byte, error) {
	return b.oneFile(ctx, o, "single-1", site.RenderSingle)
}

// BuildEPUB builds the report as an e-book, in which all figures are static. It returns the same errors as Build.
func BuildEPUB(ctx context.Context, b Book, o Options) ([]byte, error) {
	o.Engines = nil
	return b.oneFile(ctx, o, "epub-1", site.RenderEPUB)
}

// BuildPDF builds the report as a PDF, which the installed browser prints. It returns the errors of Build and of
// package printer. The PDF is not cached, because another version of the browser may print it differently.
func BuildPDF(ctx context.Context, b Book, o Options) ([]byte, error) {
	browser, err := printer.Find()
	if err != nil {
		return nil, err
	}
	o.Engines = nil
	if o, err = b.normal(o); err != nil {
		return nil, err
	}
	s, err := b.assemble(ctx, b.explorer(o), o, o.Lessons)
	if err != nil {
		return nil, err
	}
	paper, err := site.RenderPaper(ctx, s, o.rendering())
	if err != nil {
		return nil, err
	}
	return printer.Print(ctx, browser, paper.HTML)
}

func (b Book) oneFile(
	ctx context.Context, o Options, kind string,
	render func(context.Context, site.Site, site.Options) ([]byte, error),
) ([]byte, error) {
	o, err := b.normal(o)
	if err != nil {
		return nil, err
	}
	store, key := b.kept(o)
	return store.Do(key(kind), func() ([]byte, error) {
		s, err := b.assemble(ctx, b.explorer(o), o, o.Lessons)
		if err != nil {
			return nil, err
		}
		return render(ctx, s, o.rendering())
	})
}

// kept returns the cache, and a function that returns the key for a kind of result. The key covers the program and the
// options.
func (b Book) kept(o Options) (*cache.Cache, func(kind string) cache.Key) {
	if len(o.Program) == 0 || o.Memo != nil { // a preview has a newer report soon
		return nil, func(string) cache.Key { return cache.Key{} }
	}
	inputs := [][]byte{
		o.Program, []byte(strings.Join(o.Only, ",")), []byte(o.Kernel), []byte(b.engineStamp(o.Engines)),
		b.textsDigest(o.Texts), b.Hash(),
	}
	for _, p := range b.Parameters() {
		inputs = append(inputs, []byte(p.Name), []byte(o.Settings.Of(p)))
	}
	for _, l := range o.Lessons {
		inputs = append(inputs, []byte(l.Slug), l.Digest[:])
	}
	return o.Cache, func(kind string) cache.Key { return cache.NewKey(kind, inputs...) }
}

func (o Options) rendering() site.Options {
	return site.Options{Cache: o.Cache, Memo: o.Memo}
}

// explorer returns a function that makes the code of explorable figures on its first call, and returns the same code
// afterwards.
func (b Book) explorer(o Options) func() *site.Explorer {
	return sync.OnceValue(func() *site.Explorer { return explorer(b.Explorables, o.Engines) })
}

func explorer(set explore.Set, engines explore.Engines) *site.Explorer {
	e := &site.Explorer{Script: set.Script(), Style: set.Style()}
	for i, m := range set.Modules {
		engine := site.Engine{Name: m.Name, Text: explore.Text(engines[m.Name])}
		if i > 0 { // the first engine handles all kinds that no other engine lists
			engine.Kinds = m.Kinds()
		}
		e.Engines = append(e.Engines, engine)
	}
	if set.Live != nil {
		e.LiveHead = explore.License()
		for i, part := range set.Live.Parts() {
			e.Live = append(e.Live, site.Engine{Name: explore.PartName(i + 1), Text: part})
		}
	}
	return e
}

// Wants reports whether the page with the given slug has to be written.
func (o Options) Wants(slug string) bool {
	if len(o.Only) == 0 || slug == "index" || slices.Contains(o.Only, slug) {
		return true
	}
	game, _, _ := strings.Cut(slug, "-")
	return slices.Contains(o.Only, game)
}

// Notebooks returns the pages of lessons, in the part NotebooksPart.
func Notebooks(lessons []lesson.Lesson) ([]site.Page, error) {
	pages := make([]site.Page, len(lessons))
	for i, l := range lessons {
		page, err := l.Page()
		if err != nil {
			return nil, err
		}
		page.Part, page.Series = NotebooksPart, notebookSeries
		pages[i] = page
	}
	return pages, nil
}

// These are keys in a report's stamp, in addition to the chapters' parameters. They say how to build the report again,
// and give the hash of its data.
const (
	stampChapters = "stamp-chapters"
	stampLessons  = "lessons" // used in the stamp of our own book
	stampEngine   = "stamp-engine"
	stampData     = "stamp-data"
)

// StampParameter begins the key of a parameter in the stamp of a folder's report; the name of the parameter follows.
const StampParameter = "stamp-parameter"

// noEngine is the value in the stamp of a report whose figures are static.
const noEngine = "stamp-none"

// engineStamp returns a short hash of the engines, or noEngine.
func (b Book) engineStamp(engines explore.Engines) string {
	if len(engines) == 0 {
		return noEngine
	}
	hash := sha256.New()
	for _, m := range b.Explorables.Modules {
		sum := sha256.Sum256(engines[m.Name])
		hash.Write(sum[:])
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// allChapters is the value in the stamp of a complete report.
const allChapters = "stamp-all"

// toolchain returns the toolchain that compiled the program. Floating-point arithmetic may differ between processors,
// so the platform is included.
func toolchain() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// stamp returns the stamp of a report: its versions and parameters.
func (o Options) stamp(b Book) []site.Field {
	say := func(key string) string { return b.Words.Say(key) }
	chapters, engine := say(allChapters), say(noEngine)
	if len(o.Only) > 0 {
		chapters = strings.Join(o.Only, ", ")
	}
	fields := append(slices.Clone(b.Stamp),
		site.Field{Name: "siegebook", Value: content.Version},
		site.Field{Name: say("stamp-toolchain"), Value: toolchain()})
	for _, p := range b.Parameters() {
		if value := p.Shown(o.Settings.Of(p)); value != "" {
			fields = append(fields, site.Field{Name: p.Name, Value: value})
		}
	}
	fields = append(fields, site.Field{Name: say(stampChapters), Value: chapters})
	if len(b.Games) > 0 {
		fields = append(fields,
			site.Field{Name: "seed", Value: seedStamp(b.Games)},
			site.Field{Name: stampLessons, Value: fmt.Sprintf(lessonStamp, len(o.Lessons), ranLessons(o.Lessons))})
	}
	if len(o.Engines) > 0 {
		engine = b.engineStamp(o.Engines)
	}
	fields = append(fields, site.Field{Name: say(stampEngine), Value: engine})
	if o.Kernel != "" && (ranLessons(o.Lessons) > 0 || len(b.Games) == 0) {
		fields = append(fields, site.Field{Name: say("stamp-kernel"), Value: o.Kernel})
	}
	return fields
}

// seedStamp lists the seed of each chapter that draws random numbers.
func seedStamp(games []chapter.Game) string {
	var seeds []string
	for _, g := range games {
		if g.Seed != 0 {
			seeds = append(seeds, fmt.Sprintf("%s %d", g.Name, g.Seed))
		}
	}
	return strings.Join(seeds, ", ")
}

// lessonStamp formats the number of notebooks in the report, and how many of them have results.
const lessonStamp = "%d, of which %d were run"

func ranLessons(lessons []lesson.Lesson) int {
	ran := 0
	for _, l := range lessons {
		if l.Ran {
			ran++
		}
	}
	return ran
}

// Recipe is the information in a stamp about how its report was built.
type Recipe struct {
	// Settings has a value for every parameter. For a value from a file, it has the checksum.
	Settings chapter.Settings
	// Only has the same meaning as in Options.
	Only []string
	// Lessons and Ran are the number of lessons, and the number of lessons that show results.
	Lessons, Ran int
	// Parameters are the values that were chosen for the parameters of a folder's pages, by their names.
	Parameters map[string]string
	// Explorable reports whether readers can explore figures.
	Explorable bool
}

// ReadRecipe returns the recipe in the stamp of a page of a report. The error says what is missing in the stamp.
func (b Book) ReadRecipe(page []byte) (Recipe, error) {
	fields, err := site.ReadStamp(page)
	if err != nil {
		return Recipe{}, err
	}
	values, parameters := map[string]string{}, map[string]string{}
	for _, field := range fields {
		values[field.Name] = field.Value
		if name, is := strings.CutPrefix(field.Name, b.Words.Say(StampParameter)+" "); is {
			parameters[name] = field.Value
		}
	}
	engine, all := values[b.Words.Say(stampEngine)], b.Words.Say(allChapters)
	r := Recipe{
		Settings: chapter.Settings{}, Parameters: parameters,
		Explorable: engine != b.Words.Say(noEngine) && engine != "",
	}
	for _, p := range b.Parameters() {
		if r.Settings[p.Name] = values[p.Name]; values[p.Name] == "" && p.Default != "" {
			return Recipe{}, fmt.Errorf("the stamp has no value for %s: give one such as %s with "+
				"--%s", p.Name, p.Default, p.Name)
		}
	}
	if chapters := values[b.Words.Say(stampChapters)]; chapters != all && chapters != "" {
		r.Only = strings.Split(chapters, ", ")
	}
	if len(b.Games) == 0 {
		return r, nil
	}
	if _, err := fmt.Sscanf(values[stampLessons], lessonStamp, &r.Lessons, &r.Ran); err != nil {
		return Recipe{}, fmt.Errorf("the stamp does not contain the number of lessons: %w", err)
	}
	return r, nil
}
