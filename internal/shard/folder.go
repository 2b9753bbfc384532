package shard

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Folder is where the shards of one computation are.
type Folder struct {
	Dir    string
	Mark   Mark   // of its shards, whose Shard is empty
	Parts  int64  // how many there are
	Ending string // of their names, such as "csv"
}

// Name returns the name of the file of a part.
func (f Folder) Name(p Part) string {
	width := len(strconv.FormatInt(p.Of, 10))
	return fmt.Sprintf("part-%0*d-of-%d.%s", width, p.Number, p.Of, f.Ending)
}

// MarkOf returns the mark of a part.
func (f Folder) MarkOf(p Part) Mark {
	mark := f.Mark
	mark.Shard = p.String()
	return mark
}

// Path returns where the file of a part is.
func (f Folder) Path(p Part) string { return filepath.Join(f.Dir, f.Name(p)) }

// partName is the form of Name.
var partName = regexp.MustCompile(`^part-([0-9]+)-of-([0-9]+)\.([a-z]+)$`)

// OtherError is the error for a folder that holds something else: the user names another one.
type OtherError struct{ reason error }

func (e *OtherError) Error() string { return e.reason.Error() }

// Unwrap returns what the file's system said, if anything.
func (e *OtherError) Unwrap() error { return e.reason }

func other(format string, args ...any) error { return &OtherError{fmt.Errorf(format, args...)} }

// Check returns an OtherError if there is anything in the folder that is no shard of this computation, as far as names
// tell, and the mark of the first shard that has one: what was checked before each shard was written needs no more.
// Hidden files do not count. A shard that is damaged is none of another computation. A folder that is not there is
// empty. The error is that of ctx if it is done.
func (f Folder) Check(ctx context.Context) error {
	entries, err := os.ReadDir(f.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return other("%s: it is a file, or in one, and no folder: name a folder for shards alone", f.Dir)
	case err != nil:
		return err
	}
	marked := false
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") || e.IsDir() && e.Name() == LogFolder {
			continue
		}
		form := partName.FindStringSubmatch(e.Name())
		if form == nil || !e.Type().IsRegular() {
			return other("%s: it holds %s, which is no shard: name a folder for shards alone", f.Dir, e.Name())
		}
		number, err := ParsePart(strings.TrimLeft(form[1], "0") + "/" + form[2])
		if err != nil || number.Of != f.Parts || f.Name(number) != e.Name() {
			return other("%s: it holds %s, a shard of another computation: name another folder, or use --shards %s "+
				"to go on with that one", f.Dir, e.Name(), form[2])
		}
		if marked {
			continue
		}
		same, err := f.peek(ctx, number)
		if err != nil {
			return err
		}
		marked = same
	}
	return nil
}

// peek reports whether a part has the mark that it should have. The error is an OtherError for a whole shard with
// another one; one that is damaged has none.
func (f Folder) peek(ctx context.Context, p Part) (bool, error) {
	file, err := f.Open(p)
	if err != nil {
		return false, nil
	}
	defer file.Close()
	if mark, err := peekMark(file); err != nil || mark == f.MarkOf(p) {
		return err == nil, nil
	}
	_, _, err = f.Look(ctx, p)
	return false, err
}

// same returns an OtherError unless a mark is that of a part.
func (f Folder) same(p Part, mark Mark) error {
	want := f.MarkOf(p)
	if mark == want {
		return nil
	}
	return other("%s: it was made by %s, shard %s, siegebook %s; here it is %s, shard %s, siegebook %s: name "+
		"another folder",
		f.Path(p), mark.Recipe, mark.Shard, mark.Version, want.Recipe, want.Shard, want.Version)
}

// Open opens the file of a part to be read.
func (f Folder) Open(p Part) (*os.File, error) { return atomicfile.OpenNamed(f.Path(p)) }

// LogFolder is a folder in the folder of shards for what their tasks print.
const LogFolder = "logs"

// State is how a shard is.
type State int8

// The states.
const (
	Missing State = iota
	Damaged       // it is there, but not whole, or cannot be read
	Whole
)

// Look returns how a part is, and what is wrong with it if it is damaged. The error is an OtherError for a shard of
// another recipe, or that of ctx if it is done.
func (f Folder) Look(ctx context.Context, p Part) (state State, reason, err error) {
	file, err := f.Open(p)
	if errors.Is(err, fs.ErrNotExist) {
		return Missing, nil, nil
	}
	if err != nil {
		return Damaged, err, nil
	}
	defer file.Close()
	mark, err := ReadMark(ctx, file)
	if err != nil {
		return Damaged, err, canceled.Cause(ctx)
	}
	if err := f.same(p, mark); err != nil {
		return Damaged, nil, err
	}
	return Whole, nil, nil
}

// Sweep removes what processes that were killed have left in the folder, whichever part they were writing.
func (f Folder) Sweep() { atomicfile.Sweep(f.Dir, "") }

// Write makes the file of a part: whatever goes wrong, it is complete or not there. The function write writes all of
// it, with the mark that it gets, and NoSum for the checksum.
func (f Folder) Write(p Part, write func(w io.Writer, mark Mark) error) error {
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return err
	}
	file, err := atomicfile.Target{Name: f.Path(p)}.Create(0o666)
	if err != nil {
		return err
	}
	if err := Seal(file, func(w io.Writer) error { return write(w, f.MarkOf(p)) }); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Keep()
}

// OpenFolder returns the folder of a computation that is told from its shards. The error says why there is none, or is
// that of ctx.
func OpenFolder(ctx context.Context, dir string) (Folder, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return Folder{}, other("%s: there is no such folder: name the one that --out of the shards has named", dir)
	case err != nil:
		return Folder{}, err
	}
	var names []string
	for _, e := range entries {
		if partName.MatchString(e.Name()) {
			names = append(names, e.Name())
		}
	}
	slices.Sort(names)
	for _, name := range names {
		file, err := atomicfile.OpenNamed(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		mark, err := ReadMark(ctx, file)
		_ = file.Close()
		if done := canceled.Cause(ctx); done != nil {
			return Folder{}, done
		}
		if err != nil {
			continue
		}
		part, err := ParsePart(mark.Shard)
		if err != nil {
			continue
		}
		form := partName.FindStringSubmatch(name)
		mark.Shard = ""
		f := Folder{Dir: dir, Mark: mark, Parts: part.Of, Ending: form[3]}
		return f, f.Check(ctx)
	}
	return Folder{}, other("%s: there is no shard in it that is whole: name the folder that --out of the shards "+
		"has named", dir)
}
