package report

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/siegebook/siegebook/internal/bounded"
	"github.com/siegebook/siegebook/report/chapter"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
)

// Draft is a report that is being written. The chapters' data, claims and figures are computed once; after that a build
// takes the texts from files.
type Draft struct {
	options  Options
	chapters []chapter.Chapter
}

// NewDraft computes the chapters. Its errors are those of Build that do not come from texts or lessons.
func NewDraft(ctx context.Context, o Options) (*Draft, error) {
	chapters, err := o.chapters(ctx)
	return &Draft{options: o, chapters: chapters}, err
}

// Build returns what the function Build does for the draft's options with these lessons, run by this kernel. Texts are
// read each time.
func (d *Draft) Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error) {
	o := d.options
	o.Lessons, o.Kernel = lessons, kernel
	o, err := o.normal()
	if err != nil {
		return nil, err
	}
	s, err := o.assemble(d.chapters)
	if err != nil {
		return nil, err
	}
	return site.Render(ctx, s, o.rendering())
}

// textsDigest is a hash of all texts that a page may have; nil if they are those of the program.
func (o Options) textsDigest() []byte {
	if o.Texts == nil {
		return nil
	}
	hash := sha256.New()
	for _, folder := range []string{"report", proofs.Folder} {
		_ = fs.WalkDir(o.Texts, folder, func(name string, _ fs.DirEntry, err error) error {
			if err == nil && path.Ext(name) == ".md" {
				text, err := bounded.ReadFS(o.Texts, name, mostText)
				fmt.Fprintf(hash, "%s %d %v\n%s", name, len(text), err, text)
			}
			return nil
		})
	}
	return hash.Sum(nil)
}

// mostText is the most bytes of a text.
const mostText = 16 * bounded.MiB

// readTexts replaces the texts of pages by those of their files.
func readTexts(pages []site.Page, lessons []lesson.Lesson, texts fs.FS) error {
	var faults site.Errors
	for i := range pages {
		name := pages[i].File
		if name == "" || slices.ContainsFunc(lessons, func(l lesson.Lesson) bool { return l.Page.Slug == pages[i].Slug }) {
			continue
		}
		text, err := bounded.ReadFS(texts, name, mostText)
		if err != nil {
			faults = append(faults, &site.Error{File: name, Msg: fmt.Sprintf("the chapter's text cannot be read: %v", err)})
		}
		if pages[i].Body == nil {
			pages[i].Source = string(text)
		} else {
			p := proofs.Page(name, string(text))
			pages[i].Title, pages[i].Description, pages[i].Body = p.Title, p.Description, p.Body
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}
