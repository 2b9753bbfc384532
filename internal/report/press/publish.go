package press

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
	"github.com/siegebook/siegebook/internal/report/book"
	"github.com/siegebook/siegebook/internal/report/printer"
	"github.com/siegebook/siegebook/internal/report/site"
)

// Target is a folder that a report is built for. Nothing is built if the cache says that the folder holds it already.
type Target struct {
	site.Folder
	// Moved is the new path of a replaced folder with files that siegebook has not written; "" for none.
	Moved string
	// Sums are the checksums of the report, after Build.
	Sums site.Sums
}

// NewTarget returns a folder to publish to, and what is wrong with it now.
func NewTarget(dir string, force bool) (*Target, error) {
	t := &Target{Folder: site.Folder{Dir: dir, Force: force}}
	t.Kept = func(path string) { t.Moved = path }
	return t, t.Check()
}

// Build calls book.Build, for [Make]. It returns no tree if the folder holds it.
func (t *Target) Build(ctx context.Context, b book.Book, o book.Options) (site.Tree, error) {
	var known bool
	if t.Sums, known = b.Sums(o); known && b.Languages == nil && t.Holds(t.Sums) {
		return nil, nil
	}
	return book.Build(ctx, b, o)
}

// Put publishes what Build has returned.
func (t *Target) Put(ctx context.Context, tree site.Tree) error {
	if tree == nil {
		return nil
	}
	t.Sums = site.Sums{Files: len(tree), Bytes: tree.Bytes()}
	return t.Publish(ctx, tree)
}

// MaxPage is the most bytes of a page, or of a report of one file.
const MaxPage = 256 * limitedread.MiB

// SingleFile returns where a report of one file goes. An older file has to be one that a build has written, and nobody
// has changed since, or an empty one, unless it is forced.
func SingleFile(name string, force bool) atomicfile.Target {
	return oneFile(name, force, site.Untouched)
}

// PDFFile returns where a PDF goes, in the same way.
func PDFFile(name string, force bool) atomicfile.Target {
	return oneFile(name, force, printer.Untouched)
}

// EPUBFile returns where an e-book goes, in the same way.
func EPUBFile(name string, force bool) atomicfile.Target {
	return oneFile(name, force, site.UntouchedEPUB)
}

func oneFile(name string, force bool, untouched func([]byte) error) atomicfile.Target {
	target := atomicfile.Target{Name: name, Ours: func(old *os.File) error { return builtFile(old, untouched) }}
	if force {
		target.Ours = nil
	}
	return target
}

func builtFile(old *os.File, untouched func([]byte) error) error {
	page, err := limitedread.Read(old, old.Name(), MaxPage)
	var large *limitedread.TooLarge
	switch {
	case errors.As(err, &large):
		err = fmt.Errorf("it is larger than %d MiB, so siegebook did not write it", MaxPage/limitedread.MiB)
	case err != nil:
		return err
	case len(page) == 0:
		return nil
	default:
		err = untouched(page)
	}
	if err != nil {
		return atomicfile.Refuse("%w: move it away, name another file, or overwrite it with --force", err)
	}
	return nil
}

// Holds says whether a folder is another one, or above it.
func Holds(folder, other string) bool {
	direct := func(name string) string {
		if full, err := filepath.Abs(name); err == nil {
			name = full
		}
		if full, err := filepath.EvalSymlinks(name); err == nil {
			name = full
		}
		return name
	}
	rel, err := filepath.Rel(direct(folder), direct(other))
	return err == nil && filepath.IsLocal(rel)
}
