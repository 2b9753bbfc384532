package report

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/siegebook/siegebook/report/castle"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/site"
)

// The names in a report's stamp that say how to build it again.
const (
	StampGrid     = "grid"
	StampChapters = "chapters"
	StampLessons  = "lessons"
)

// allChapters stands in the stamp where nothing was left out.
const allChapters = "all"

// toolchain is what compiled the program. Floating-point arithmetic may differ between processors, so they are named.
func toolchain() string { return runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH }

// stamp names versions, parameters and data of a report.
func (o Options) stamp(pages []site.Page, seeds string) []site.Field {
	chapters := allChapters
	if len(o.Only) > 0 {
		chapters = strings.Join(o.Only, ", ")
	}
	fields := []site.Field{
		{Name: "siegebook", Value: Version},
		{Name: "toolchain", Value: toolchain()},
		{Name: StampGrid, Value: o.grid().String()},
		{Name: StampChapters, Value: chapters},
		{Name: "seed", Value: seeds},
		{Name: StampLessons, Value: lessonStamp(o.Lessons)},
	}
	if o.Kernel != "" && ranLessons(o.Lessons) > 0 {
		fields = append(fields, site.Field{Name: "kernel", Value: o.Kernel})
	}
	return append(fields, site.Field{Name: "data", Value: dataHash(pages)})
}

// seedStamp names the seed of each chapter that draws at random.
func seedStamp(chapters []chapter.Chapter) string {
	var seeds []string
	for i, c := range chapters {
		if c.Seed != 0 {
			seeds = append(seeds, fmt.Sprintf("%s %d", games[i].name, c.Seed))
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
	// Grid is in the form of castle.Params.String.
	Grid string
	// Only is as in Options.
	Only []string
	// Lessons and Ran are the numbers of lessons, and of those that show results.
	Lessons, Ran int
}

// ReadRecipe returns the recipe in the stamp of a page of a report. The error says what the stamp lacks.
func ReadRecipe(page []byte) (Recipe, error) {
	fields, err := site.ReadStamp(page)
	if err != nil {
		return Recipe{}, err
	}
	values := map[string]string{}
	for _, field := range fields {
		values[field.Name] = field.Value
	}
	r := Recipe{Grid: values[StampGrid]}
	if r.Grid == "" {
		return Recipe{}, fmt.Errorf("its stamp names no grid: write it like %v with --grid", castle.Default)
	}
	if chapters := values[StampChapters]; chapters != allChapters && chapters != "" {
		r.Only = strings.Split(chapters, ", ")
	}
	if _, err := fmt.Sscanf(values[StampLessons], "%d, of which %d were run", &r.Lessons, &r.Ran); err != nil {
		return Recipe{}, fmt.Errorf("its stamp does not tell the number of lessons: %w", err)
	}
	return r, nil
}
