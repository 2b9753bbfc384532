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

// Target is the folder to which a report is published. Nothing is built if, according to the cache, the folder already
// contains the report.
type Target struct {
	site.Folder
	// Moved is the new path of a replaced folder that contained files not written by siegebook, or "" if there was
	// none.
	Moved string
	// Sums are the checksums of the report, after Build.
	Sums site.Sums
}

// NewTarget returns the target for a folder. The error is the reason why the folder cannot be used.
func NewTarget(dir string, force bool) (*Target, error) {
	t := &Target{Folder: site.Folder{Dir: dir, Force: force}}
	t.Kept = func(path string) { t.Moved = path }
	return t, t.Check()
}

// Build calls book.Build, for [Make]. It returns a nil tree if the folder already contains the report.
func (t *Target) Build(ctx context.Context, b book.Book, o book.Options) (site.Tree, error) {
	var known bool
	if t.Sums, known = b.Sums(o); known && b.Languages == nil && t.Holds(t.Sums) {
		return nil, nil
	}
	return book.Build(ctx, b, o)
}

// Put publishes the tree that Build has returned.
func (t *Target) Put(ctx context.Context, tree site.Tree) error {
	if tree == nil {
		return nil
	}
	t.Sums = site.Sums{Files: len(tree), Bytes: tree.Bytes()}
	return t.Publish(ctx, tree)
}

// MaxPage is the maximum size in bytes of a page, or of a report in one file.
const MaxPage = 256 * limitedread.MiB

// SingleFile returns the target for a report in one file. Unless force is true, an existing file must be empty, or must
// have been written by a build and not changed since.
func SingleFile(name string, force bool) atomicfile.Target {
	return oneFile(name, force, site.Untouched)
}

// PDFFile returns the target for a PDF. The rule for existing files is as for SingleFile.
func PDFFile(name string, force bool) atomicfile.Target {
	return oneFile(name, force, printer.Untouched)
}

// EPUBFile returns the target for an e-book. The rule for existing files is as for SingleFile.
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
		err = fmt.Errorf("the file is larger than %d MiB, so siegebook did not write it", MaxPage/limitedread.MiB)
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

// Holds reports whether folder is the same folder as other, or contains it.
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
