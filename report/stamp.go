package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/explore"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// The names in a report's stamp that say how to build it again, besides those of the chapters' parameters.
const (
	stampChapters = "chapters"
	stampLessons  = "lessons"
	stampEngine   = "engine"
)

// noEngine stands in the stamp of a report whose figures are drawings alone.
const noEngine = "none"

// engineStamp is a short hash of the engines.
func engineStamp(engines explore.Engines) string {
	if len(engines) == 0 {
		return noEngine
	}
	hash := sha256.New()
	for _, m := range explore.Modules() {
		sum := sha256.Sum256(engines[m.Name])
		hash.Write(sum[:])
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}

// allChapters stands in the stamp where nothing was left out.
const allChapters = "all"

// toolchain is what compiled the program. Floating-point arithmetic may differ between processors, so they are named.
func toolchain() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// stamp names versions, parameters and data of a report.
func (o Options) stamp(b Book, pages []site.Page) []site.Field {
	chapters := allChapters
	if len(o.Only) > 0 {
		chapters = strings.Join(o.Only, ", ")
	}
	fields := append(slices.Clone(b.Stamp),
		site.Field{Name: "siegebook", Value: Version},
		site.Field{Name: "toolchain", Value: toolchain()})
	for _, p := range b.Parameters() {
		if value := p.Shown(o.Settings.Of(p)); value != "" {
			fields = append(fields, site.Field{Name: p.Name, Value: value})
		}
	}
	fields = append(fields, site.Field{Name: stampChapters, Value: chapters})
	if len(b.Games) > 0 {
		fields = append(fields,
			site.Field{Name: "seed", Value: seedStamp(b.Games)},
			site.Field{Name: stampLessons, Value: lessonStamp(o.Lessons)})
	}
	fields = append(fields, site.Field{Name: stampEngine, Value: engineStamp(o.Engines)})
	if o.Kernel != "" && (ranLessons(o.Lessons) > 0 || len(b.Games) == 0) {
		fields = append(fields, site.Field{Name: "kernel", Value: o.Kernel})
	}
	return append(fields, site.Field{Name: "data", Value: dataHash(pages)})
}

// seedStamp names the seed of each chapter that draws at random.
func seedStamp(games []chapter.Game) string {
	var seeds []string
	for _, g := range games {
		if g.Seed != 0 {
			seeds = append(seeds, fmt.Sprintf("%s %d", g.Name, g.Seed))
		}
	}
	return strings.Join(seeds, ", ")
}

// lessonStamp says how many notebooks are in the report, and whether their results are.
func lessonStamp(lessons []lesson.Lesson) string {
	return fmt.Sprintf("%d, of which %d were run", len(lessons), ranLessons(lessons))
}

func ranLessons(lessons []lesson.Lesson) int {
	ran := 0
	for _, l := range lessons {
		if l.Ran {
			ran++
		}
	}
	return ran
}

// Recipe is what a stamp says about how its report was built.
type Recipe struct {
	// Settings has a value for every parameter; for what was in a file, the text that stands for it.
	Settings chapter.Settings
	// Only is as in Options.
	Only []string
	// Lessons and Ran are the numbers of lessons, and of those that show results.
	Lessons, Ran int
	// Explorable says whether readers can play with figures.
	Explorable bool
}

// ReadRecipe returns the recipe in the stamp of a page of a report. The error says what the stamp lacks.
func (b Book) ReadRecipe(page []byte) (Recipe, error) {
	fields, err := site.ReadStamp(page)
	if err != nil {
		return Recipe{}, err
	}
	values := map[string]string{}
	for _, field := range fields {
		values[field.Name] = field.Value
	}
	r := Recipe{Settings: chapter.Settings{}, Explorable: values[stampEngine] != noEngine && values[stampEngine] != ""}
	for _, p := range b.Parameters() {
		if r.Settings[p.Name] = values[p.Name]; values[p.Name] == "" && p.Default != "" {
			return Recipe{}, fmt.Errorf("its stamp names no %s: write it like %s with --%s", p.Name, p.Default, p.Name)
		}
	}
	if chapters := values[stampChapters]; chapters != allChapters && chapters != "" {
		r.Only = strings.Split(chapters, ", ")
	}
	if len(b.Games) == 0 {
		return r, nil
	}
	if _, err := fmt.Sscanf(values[stampLessons], "%d, of which %d were run", &r.Lessons, &r.Ran); err != nil {
		return Recipe{}, fmt.Errorf("its stamp does not tell the number of lessons: %w", err)
	}
	return r, nil
}
