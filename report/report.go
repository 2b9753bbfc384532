// Package report assembles the report: one register of chapters, the front page, and the stamp.
//
// The pages of a game are made by report/<game>, HTML by report/site; this package decides what is in the report and in
// which order. [Build] is a pure function of its options: the same options give the same bytes.
package report

import (
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/gob"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/content"

	"github.com/siegebook/siegebook/internal/cache"
	coq "github.com/siegebook/siegebook/proofs"
	"github.com/siegebook/siegebook/report/ants"
	"github.com/siegebook/siegebook/report/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/ledger"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/machine"
	"github.com/siegebook/siegebook/report/naval"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
	"github.com/siegebook/siegebook/report/terms"
	"github.com/siegebook/siegebook/report/tower"
)

// Version is the version of siegebook that stands in the report's stamp.
const Version = "0.1.0"

//go:embed about.md
var aboutSource string

// Options say what is built. All but Cache, Workers and Progress change the result.
type Options struct {
	// Settings are what was chosen of the chapters' parameters; see Parameters.
	Settings chapter.Settings
	// Lessons are the pages of the notebooks; see lesson.Course.
	Lessons []lesson.Lesson
	// Kernel names the programs and versions that ran the lessons, for the stamp; empty means that nothing was run.
	Kernel string
	// Engine is what explorables ask, as explore.Compile makes it; empty for a report whose figures are drawings alone.
	Engine []byte
	// Only names the chapters to write: a page such as "castle-counts", or a game for all its pages. The front
	// page is always written. Empty means everything.
	Only []string
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

// macros are the TeX macros of all pages.
var macros = map[string]string{
	`\ceil`:  `\left\lceil #1\right\rceil`,
	`\floor`: `\left\lfloor #1\right\rfloor`,
}

// games is the register: what is in the report besides the front page, the lessons and the pages about the report
// itself.
var games = []chapter.Game{castle.Game, tower.Game, ants.Game, naval.Game}

// Parameters are what may be chosen in the chapters, in the order of the register.
func Parameters() []chapter.Parameter {
	var all []chapter.Parameter
	for _, g := range games {
		all = append(all, g.Parameters...)
	}
	return all
}

// Validate returns an error if the options cannot be built: what a user has to correct.
func (o Options) Validate() error {
	_, err := o.normal()
	return err
}

// normal returns valid options with the value of every parameter in its normal form, and the errors of Validate.
func (o Options) normal() (Options, error) {
	settings := chapter.Settings{}
	for _, p := range Parameters() {
		value, err := p.Normal(o.Settings.Of(p))
		if err != nil {
			return o, fmt.Errorf("%s: %w", p.Name, err)
		}
		if p.File != nil && p.File.Is(value) {
			// Without its page the report would not have the file, and nobody could check it.
			if slug := path.Base(path.Dir(p.File.Kept[0])); !o.Wants(slug) {
				return o, fmt.Errorf("%s: a report keeps it with the page %s, which is not among the chapters %s: add that one, or leave the %s out", p.Name, slug, strings.Join(o.Only, ","), p.Name)
			}
		}
		settings[p.Name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(o.Settings)) {
		if _, ok := settings[name]; !ok {
			return o, fmt.Errorf("parameter %q: no chapter has it, use %s", name, strings.Join(slices.Sorted(maps.Keys(settings)), ", "))
		}
	}
	o.Settings = settings
	known := append(Chapters(), "lesson")
	for _, l := range o.Lessons {
		known = append(known, l.Page.Slug)
	}
	for _, name := range o.Only {
		if !slices.Contains(known, name) {
			return o, fmt.Errorf("chapter %q: there is no such chapter, use %s", name, strings.Join(known, ", "))
		}
	}
	return o, nil
}

// Chapters returns the names that Options.Only understands: games and the proofs, then pages.
func Chapters() []string {
	var names, slugs []string
	for _, g := range games {
		names, slugs = append(names, g.Name), append(slugs, g.Slugs...)
	}
	return slices.Concat(names, []string{proofs.Prefix}, slugs, proofs.Slugs(), []string{proofs.MachineSlug, questionsSlug, ledger.Slug, terms.SymbolsSlug, terms.GlossarySlug, aboutSlug})
}

const aboutSlug = "about"

// Build computes the report. The errors are those of Validate, of a claim that does not hold, of a text (with
// file and line), and of the context.
func Build(ctx context.Context, o Options) (site.Tree, error) {
	o, err := o.normal()
	if err != nil {
		return nil, err
	}
	packed, err := o.cached("report-2", func() ([]byte, error) {
		tree, err := o.build(ctx)
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
func BuildSingle(ctx context.Context, o Options) ([]byte, error) {
	o, err := o.normal()
	if err != nil {
		return nil, err
	}
	return o.cached("single-1", func() ([]byte, error) {
		s, err := o.site(ctx)
		if err != nil {
			return nil, err
		}
		return site.RenderSingle(ctx, s, o.rendering())
	})
}

// cached asks the cache for what the same program has computed of the same options before.
func (o Options) cached(kind string, compute func() ([]byte, error)) ([]byte, error) {
	if len(o.Program) == 0 {
		return compute()
	}
	inputs := [][]byte{o.Program, []byte(strings.Join(o.Only, ",")), lesson.Digest(o.Lessons), []byte(o.Kernel), o.Engine, o.textsDigest()}
	for _, p := range Parameters() {
		inputs = append(inputs, []byte(p.Name), []byte(o.Settings.Of(p)))
	}
	return o.Cache.Do(cache.NewKey(kind, inputs...), compute)
}

func (o Options) build(ctx context.Context) (site.Tree, error) {
	s, err := o.site(ctx)
	if err != nil {
		return nil, err
	}
	return site.Render(ctx, s, o.rendering())
}

func (o Options) rendering() site.Options {
	return site.Options{Cache: o.Cache, Workers: o.Workers, Progress: o.Progress}
}

// site computes what is in the report.
func (o Options) site(ctx context.Context) (site.Site, error) {
	chapters, err := o.chapters(ctx)
	if err != nil {
		return site.Site{}, err
	}
	return o.assemble(chapters)
}

// chapters computes the chapters of all games: the slow part of a report.
func (o Options) chapters(ctx context.Context) ([]chapter.Chapter, error) {
	chapters := make([]chapter.Chapter, len(games))
	for i, g := range games {
		var err error
		if chapters[i], err = g.Build(ctx, o.Settings); err != nil {
			return nil, err
		}
	}
	return chapters, nil
}

// assemble puts the pages in the order of the book. It leaves the chapters as they are.
func (o Options) assemble(chapters []chapter.Chapter) (site.Site, error) {
	s := site.Site{Title: "siegebook", Macros: macros, Aids: []string{terms.SymbolsSlug, terms.GlossarySlug}}
	if len(o.Engine) > 0 {
		s.Explorer = &site.Explorer{Script: explore.Script(), Style: explore.Style(), Engine: explore.Text(o.Engine)}
	}
	var fronts []chapter.Front
	var questions []chapter.Question
	var open []chapter.OpenQuestion
	var claims []chapter.Entry
	for i, c := range chapters {
		fronts, questions, open, claims = append(fronts, c.Front), append(questions, c.Questions...), append(open, c.Open...), append(claims, c.Ledger...)
		s.Pages = append(s.Pages, inPart(games[i].Title, slices.Clone(c.Pages))...)
	}
	s.Pages = append(s.Pages, inPart(lessonsPart, lessonPages(o.Lessons))...)
	s.Pages = slices.Concat(s.Pages, proofs.Pages(), []site.Page{questionsPage(questions, open), o.aboutPage()})
	titles := map[string]string{}
	for _, p := range s.Pages {
		titles[p.Slug] = p.Title
	}
	title := func(slug string) string { return titles[slug] }
	s.Pages = append(s.Pages, terms.SymbolsPage(title), terms.GlossaryPage(title))
	theorems, err := coq.Theorems(coq.Texts)
	if err != nil {
		return site.Site{}, err
	}
	claims, err = ledger.Attach(append(claims, ledger.Derived()...), theorems)
	if err != nil {
		return site.Site{}, err
	}
	titles[ledger.Slug], titles[proofs.MachineSlug] = ledger.Title, machine.Title
	claimsPage, err := ledger.Page(claims, theorems, title)
	if err != nil {
		return site.Site{}, err
	}
	checked, err := machine.New(claims, title)
	if err != nil {
		return site.Site{}, err
	}
	machinePage, err := checked.Page()
	if err != nil {
		return site.Site{}, err
	}
	ordered := inOrder(append(s.Pages, claimsPage, machinePage))
	s.Pages = slices.Concat([]site.Page{o.frontPage(fronts, ordered)}, ordered)
	if o.Texts != nil {
		if err := readTexts(s.Pages, o.Lessons, o.Texts); err != nil {
			return site.Site{}, err
		}
	}
	if s.Pages, err = checked.Mark(s.Pages); err != nil {
		return site.Site{}, err
	}
	s.Stamp = o.stamp(s.Pages)
	for i := range s.Pages {
		s.Pages[i].Omit = !o.Wants(s.Pages[i].Slug)
	}
	return s, nil
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

// aboutPart groups the pages about the report and the posts.
const aboutPart = "About"

func lessonPages(lessons []lesson.Lesson) []site.Page {
	pages := make([]site.Page, len(lessons))
	for i, l := range lessons {
		pages[i] = l.Page
		pages[i].Series = lessonSeries
	}
	return pages
}

func (o Options) aboutPage() site.Page {
	return site.Page{
		Slug: aboutSlug, Title: "How this report is made", Nav: "This report", Part: aboutPart, Unnumbered: true,
		Description: "What is computed, how it is verified, and how to build the report again.",
		Source:      aboutSource, File: "report/about.md",
		Funcs: map[string]any{"parameters": o.choices},
	}
}

// choice is a parameter's value, as the page About shows it.
type choice struct {
	Name  string
	Value content.Markdown
}

func (o Options) choices() []choice {
	var all []choice
	for _, p := range Parameters() {
		all = append(all, choice{p.Name, content.Markdown("`" + p.Shown(o.Settings.Of(p)) + "`")})
	}
	return all
}

// dataHash is a short hash of the numbers behind all figures and tables.
func dataHash(pages []site.Page) string {
	hash := sha256.New()
	for _, page := range pages {
		for _, f := range page.Figures {
			data := f.Data.CSV()
			fmt.Fprintf(hash, "%s/%s %d\n%s", page.Slug, f.ID, len(data), data)
		}
		for _, t := range page.Tables {
			fmt.Fprintf(hash, "%s/%s %v\n", page.Slug, t.ID, t.Rows)
		}
		for _, name := range slices.Sorted(maps.Keys(page.Values)) {
			fmt.Fprintf(hash, "%s %q = %q\n", page.Slug, name, fmt.Sprint(page.Values[name]))
		}
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
