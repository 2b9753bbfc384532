package report

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"path"

	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/report/lesson"
	"github.com/siegebook/siegebook/report/proofs"
	"github.com/siegebook/siegebook/report/site"
)

// Draft is a report that is being written. The data, claims and figures of its pages are computed once, when a page is
// wanted; after that a build takes the texts from files.
type Draft struct {
	book    Book
	options Options
	work    *work
}

// NewDraft begins a draft. Its errors are those of Validate, save about lessons: which there are is said to Build.
func NewDraft(b Book, o Options) (*Draft, error) {
	only := o.Only
	o.Only = nil
	o, err := b.normal(o)
	o.Only = only
	return newDraft(b, o), err
}

func newDraft(b Book, o Options) *Draft { return &Draft{b, o, newWork(b.units(o.Settings), o)} }

// Build returns what the function Build does for the draft's options with these lessons, run by this kernel. Texts are
// read each time.
func (d *Draft) Build(ctx context.Context, lessons []lesson.Lesson, kernel string) (site.Tree, error) {
	o := d.options
	o.Lessons, o.Kernel = lessons, kernel
	o, err := d.book.normal(o)
	if err != nil {
		return nil, err
	}
	return d.build(ctx, o)
}

// Part is Build for some of the pages, those of Options.Only: what they show is all that is computed, and they lead to
// the others. It may be called while another goroutine builds.
func (d *Draft) Part(ctx context.Context, lessons []lesson.Lesson, kernel string, only []string) (site.Tree, error) {
	o := d.options
	o.Lessons, o.Kernel, o.Only, o.Lazy = lessons, kernel, only, true
	o, err := d.book.normal(o)
	if err != nil {
		return nil, err
	}
	return d.build(ctx, o)
}

func (d *Draft) build(ctx context.Context, o Options) (site.Tree, error) {
	s, err := d.book.assemble(ctx, d.work, o, o.Lessons)
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
				text, err := limitedread.ReadFS(o.Texts, name, mostText)
				fmt.Fprintf(hash, "%s %d %v\n%s", name, len(text), err, text)
			}
			return nil
		})
	}
	return hash.Sum(nil)
}
