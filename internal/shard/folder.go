// Package shard divides a computation into shards, and stores the result of each shard in a file in a folder.
package shard

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"

	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
)

// Folder is the folder that holds the shards of a computation.
type Folder struct {
	Dir    string
	Mark   Mark   // the mark of the shards; its field Shard is empty
	Parts  int64  // the number of shards
	Ending string // the ending of the file names, such as "csv"
}

// Name returns the file name of a shard.
func (f Folder) Name(p Shard) string {
	width := len(strconv.FormatInt(p.Of, 10))
	return fmt.Sprintf("part-%0*d-of-%d.%s", width, p.Number, p.Of, f.Ending)
}

// MarkOf returns the mark of a shard.
func (f Folder) MarkOf(p Shard) Mark {
	mark := f.Mark
	mark.Shard = p.String()
	return mark
}

// Path returns the path of a shard's file.
func (f Folder) Path(p Shard) string { return filepath.Join(f.Dir, f.Name(p)) }

// plainEnding is the ending of shards in a format without metadata. If such a file contained a mark, other programs
// would read the mark as a row, so it is in a hidden file next to the shard.
const plainEnding = "csv"

// markPath returns the path of the hidden file that contains a shard's mark.
func (f Folder) markPath(p Shard) string { return filepath.Join(f.Dir, "."+f.Name(p)+".json") }

// beside is the content of the hidden file that contains a shard's mark and checksum.
type beside struct {
	SHA256 string `json:"sha256"` // the hash of the whole shard
}

// partName matches file names that Name returns.
var partName = regexp.MustCompile(`^part-([0-9]+)-of-([0-9]+)\.([a-z]+)$`)

// OtherError is the error for a folder with other content. The user must choose another folder.
type OtherError struct{ reason error }

func (e *OtherError) Error() string { return e.reason.Error() }

// Unwrap returns the reason.
func (e *OtherError) Unwrap() error { return e.reason }

func other(format string, args ...any) error { return &OtherError{fmt.Errorf(format, args...)} }

// Check returns an OtherError if the folder contains a file that is not a shard of this computation. It checks the
// names of all files, and the mark of the first shard whose mark can be read. That suffices, because the folder was
// checked before each shard was written, so the marks of all shards agree. Check ignores hidden files. It does not take
// a damaged shard for a shard of another computation. A missing folder counts as empty. If ctx is done, the error is
// the context's.
func (f Folder) Check(ctx context.Context) error {
	entries, err := os.ReadDir(f.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case errors.Is(err, syscall.ENOTDIR):
		return other("%s: this is a file, or in a file, not a folder: name a folder that contains only shards", f.Dir)
	case err != nil:
		return err
	}
	marked := false
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		form := partName.FindStringSubmatch(e.Name())
		if form == nil || !e.Type().IsRegular() {
			return other("%s: the folder contains %s, which is not a shard: name a folder that contains only "+
				"shards", f.Dir, e.Name())
		}
		number, err := Parse(strings.TrimLeft(form[1], "0") + "/" + form[2])
		if err != nil || number.Of != f.Parts || f.Name(number) != e.Name() {
			return other("%s: the folder contains %s, a shard of another computation: name another folder, or use "+
				"--shards %s to continue that computation", f.Dir, e.Name(), form[2])
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

// peek reports whether a shard has the expected mark. If an undamaged shard has a different mark, the error is an
// OtherError. A damaged shard causes no error.
func (f Folder) peek(ctx context.Context, p Shard) (bool, error) {
	file, err := f.openMark(p)
	if err != nil {
		return false, nil
	}
	defer file.Close()
	if mark, err := peekMark(file); err != nil || mark == f.MarkOf(p) {
		return err == nil, nil
	}
	_, _, err = f.Inspect(ctx, p)
	return false, err
}

// openMark opens the file with the mark of a shard: the hidden file or the shard itself.
func (f Folder) openMark(p Shard) (*os.File, error) {
	if f.Ending == plainEnding {
		file, err := atomicfile.OpenNamed(f.markPath(p))
		if !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return f.Open(p)
}

// same returns an OtherError unless mark is the mark of the shard.
func (f Folder) same(p Shard, mark Mark) error {
	want := f.MarkOf(p)
	if mark == want {
		return nil
	}
	return other("%s: this shard was made by %s, shard %s, siegebook %s; expected %s, shard %s, siegebook %s: name "+
		"another folder",
		f.Path(p), mark.Recipe, mark.Shard, mark.Version, want.Recipe, want.Shard, want.Version)
}

// Open opens the file of a shard for reading.
func (f Folder) Open(p Shard) (*os.File, error) { return atomicfile.OpenNamed(f.Path(p)) }

// State is the state of a shard's file.
type State int8

// These are the states.
const (
	Missing State = iota
	Damaged       // the file exists, but is incomplete or cannot be read
	Whole
)

// Inspect returns the state of a shard, and the reason if it is damaged. The error is an OtherError for a shard with a
// different recipe, or the error of ctx if ctx is done.
func (f Folder) Inspect(ctx context.Context, p Shard) (state State, reason, err error) {
	switch mark, err := f.read(ctx, p); {
	case canceled.Cause(ctx) != nil:
		return Damaged, err, canceled.Cause(ctx)
	case errors.Is(err, fs.ErrNotExist):
		return Missing, nil, nil
	case err != nil:
		return Damaged, err, nil
	default:
		if err := f.same(p, mark); err != nil {
			return Damaged, nil, err
		}
		return Whole, nil, nil
	}
}

// read returns the mark of a shard that is complete and undamaged. The error says that the shard is missing or damaged,
// or that ctx is done.
func (f Folder) read(ctx context.Context, p Shard) (Mark, error) {
	file, err := f.Open(p)
	if err != nil {
		return Mark{}, err
	}
	defer file.Close()
	if f.Ending != plainEnding {
		return ReadMark(ctx, file)
	}
	hidden, err := atomicfile.OpenNamed(f.markPath(p))
	if errors.Is(err, fs.ErrNotExist) { // the shard was written to the standard output, so it contains its mark
		mark, err := ReadMark(ctx, file)
		if errors.Is(err, errNoShard) {
			err = fmt.Errorf("the shard's mark %s is missing: copy hidden files, too", filepath.Base(f.markPath(p)))
		}
		return mark, err
	}
	if err != nil {
		return Mark{}, err
	}
	defer hidden.Close()
	mark, err := ReadMark(ctx, hidden)
	if err != nil {
		return Mark{}, fmt.Errorf("the shard's mark %s: %w", filepath.Base(f.markPath(p)), err)
	}
	var said beside
	if _, err := hidden.Seek(0, io.SeekStart); err != nil {
		return Mark{}, err
	}
	if err := ReadJSON(hidden, &said); err != nil {
		return Mark{}, err
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, reader{ctx, file}); err != nil {
		return Mark{}, err
	}
	if hex.EncodeToString(sum.Sum(nil)) != said.SHA256 {
		return Mark{}, errDamaged
	}
	return mark, nil
}

// Clean removes the temporary files that killed processes have left in the folder, for all shards.
func (f Folder) Clean() { atomicfile.Sweep(f.Dir, "") }

// Write writes the file of a shard. If there is an error, no file is left; the file is never incomplete. The function
// write writes the whole file with the given mark, and with NoSum in place of the checksum. If that mark is empty, it
// writes neither a mark nor a checksum.
func (f Folder) Write(p Shard, write func(w io.Writer, mark Mark) error) error {
	if err := os.MkdirAll(f.Dir, 0o777); err != nil {
		return err
	}
	if f.Ending != plainEnding {
		return writeFile(f.Path(p), func(w io.Writer) error {
			return Seal(w, func(w io.Writer) error { return write(w, f.MarkOf(p)) })
		})
	}
	return writeFile(f.Path(p), func(w io.Writer) error {
		sum := sha256.New()
		if err := write(io.MultiWriter(w, sum), Mark{}); err != nil {
			return err
		}
		// The mark is written before the shard, so an existing shard always has a mark. If the mark belongs to another
		// version of the shard, the shard counts as damaged.
		return writeFile(f.markPath(p), func(w io.Writer) error {
			said := beside{hex.EncodeToString(sum.Sum(nil))}
			return Seal(w, func(w io.Writer) error { return WriteJSON(w, said, f.MarkOf(p)) })
		})
	})
}

// writeFile writes a file so that it is either complete or absent.
func writeFile(name string, write func(w io.Writer) error) error {
	file, err := atomicfile.Target{Name: name}.Create(0o666)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.Keep()
}

// OpenFolder returns the folder of a computation. It determines the computation from the shards. If that is impossible,
// the error explains why. If ctx is done, the error is the context's.
func OpenFolder(ctx context.Context, dir string) (Folder, error) {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Folder{}, other("%s: there is no such folder: name the folder that was given to --out", dir)
	case errors.Is(err, syscall.ENOTDIR):
		return Folder{}, other("%s: this is a file, or in a file, not a folder: name the folder that was given to "+
			"--out", dir)
	case err != nil:
		return Folder{}, err
	}
	why := ""
	for _, e := range entries {
		form := partName.FindStringSubmatch(e.Name())
		if form == nil {
			continue
		}
		part, err := Parse(strings.TrimLeft(form[1], "0") + "/" + form[2])
		if err != nil {
			continue
		}
		f := Folder{Dir: dir, Parts: part.Of, Ending: form[3]}
		mark, err := f.read(ctx, part)
		if done := canceled.Cause(ctx); done != nil {
			return Folder{}, done
		}
		if err != nil {
			why = cmp.Or(why, fmt.Sprintf(" (%s: %v)", e.Name(), err))
			continue
		}
		mark.Shard = ""
		f.Mark = mark
		return f, f.Check(ctx)
	}
	return Folder{}, other("%s: the folder contains no complete shard%s: name the folder that was given to "+
		"--out", dir, why)
}

// Mark is the metadata in a shard's file.
type Mark struct {
	Recipe  Recipe `json:"recipe"`
	Version string `json:"version"` // the version of the program; it differs if the results might differ
	Shard   string `json:"shard"`   // the shard in the format of Shard.String
}

// Recipe is the command that computes the whole result on one machine, with every value that the result depends on.
type Recipe struct {
	Command   string `json:"command"` // the command, such as "sweep castle"
	Arguments Object `json:"arguments"`
}

// Object is a JSON object that contains the values of flags. The names of flags have underscores instead of hyphens.
type Object string

// MarshalJSON returns the text unchanged.
func (o Object) MarshalJSON() ([]byte, error) { return []byte(o), nil }

// UnmarshalJSON stores the text unchanged.
func (o *Object) UnmarshalJSON(text []byte) error {
	*o = Object(text)
	return nil
}

// String returns the command line as a user would type it.
func (r Recipe) String() string {
	line := strings.TrimSpace("siegebook " + r.Command)
	values := json.NewDecoder(strings.NewReader(string(r.Arguments)))
	values.UseNumber()
	_, _ = values.Token() // skips the opening brace
	for values.More() {
		name, err := values.Token()
		if err != nil {
			break
		}
		var value any
		if values.Decode(&value) != nil {
			break
		}
		line += fmt.Sprintf(" --%s %v", strings.ReplaceAll(fmt.Sprint(name), "_", "-"), value)
	}
	return line
}

// These are the keys for a file's mark, which is a JSON object, and for its checksum, which has 64 hexadecimal digits.
// The checksum is the SHA-256 of all bytes of the file with zeros in place of these digits. Both keys occur once in the
// last 64 KiB, in the file format's own notation for strings. Only CSV shards in a folder have them in a separate file.
const (
	MarkKey = "siegebook.shard"
	SumKey  = "siegebook.sha256"
)

// NoSum takes the place of the checksum while a file is being written.
var NoSum = strings.Repeat("0", 2*sha256.Size)

// tailSize is the size of the part at the end of a file that is searched.
const tailSize = 64 << 10

var (
	sealForm = regexp.MustCompile(regexp.QuoteMeta(SumKey) + `[^0-9a-f]{1,8}([0-9a-f]{64})`)
	markForm = regexp.MustCompile(`(?s)` + regexp.QuoteMeta(MarkKey) + `.{1,8}?\{"`)
)

// errDamaged means that a file was changed after it was written.
var errDamaged = errors.New("the checksum is wrong")

// errNoShard means that a file does not end like a shard.
var errNoShard = errors.New("the end marker of a shard is missing: the file is truncated or is not a shard")

// tail passes bytes on, except that it holds back the last bytes, which contain the mark and the checksum.
type tail struct {
	to   io.Writer
	sum  hash.Hash // the hash of the bytes that were passed on
	held []byte
}

func newTail(to io.Writer) *tail { return &tail{to: to, sum: sha256.New()} }

func (t *tail) Write(p []byte) (int, error) {
	t.held = append(t.held, p...)
	// It passes bytes on only rarely, because each time it must move the bytes that it still holds.
	if ready := len(t.held) - tailSize; ready > 3*tailSize {
		t.sum.Write(t.held[:ready])
		if _, err := t.to.Write(t.held[:ready]); err != nil {
			return 0, err
		}
		t.held = append(t.held[:0], t.held[ready:]...)
	}
	return len(p), nil
}

// digits returns the digits of the checksum in the held-back bytes.
func (t *tail) digits() ([]byte, error) {
	found := sealForm.FindAllSubmatchIndex(t.held, -1)
	if found == nil {
		return nil, errNoShard
	}
	last := found[len(found)-1]
	return t.held[last[2]:last[3]], nil
}

// mark returns the mark in the held-back bytes.
func (t *tail) mark() (Mark, error) {
	found := markForm.FindAllIndex(t.held, -1)
	if found == nil {
		return Mark{}, errNoShard
	}
	var m Mark
	object := t.held[found[len(found)-1][1]-len(`{"`):]
	if err := json.NewDecoder(bytes.NewReader(object)).Decode(&m); err != nil {
		return Mark{}, fmt.Errorf("%w: %w", errNoShard, err)
	}
	return m, nil
}

// Seal writes a file to w with its checksum. The function write writes the file with its mark, and with NoSum in place
// of the checksum.
func Seal(w io.Writer, write func(io.Writer) error) error {
	end := newTail(w)
	if err := write(end); err != nil {
		return err
	}
	digits, err := end.digits()
	if err == nil {
		_, err = end.mark()
	}
	if err != nil || string(digits) != NoSum {
		panic(fmt.Sprintf("shard: what was written has no room for a checksum (%q), or no mark: %v", digits, err))
	}
	end.sum.Write(end.held)
	hex.Encode(digits, end.sum.Sum(nil))
	_, err = w.Write(end.held)
	return err
}

// reader is a reader that fails when a context is done.
type reader struct {
	ctx context.Context
	io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := canceled.Cause(r.ctx); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// ReadMark returns the mark of a file. The error explains why the file is not a shard, or says that the file is damaged
// or that ctx is done. ReadMark reads the end first, so it rejects other files quickly, even large ones.
func ReadMark(ctx context.Context, file io.ReadSeeker) (Mark, error) {
	if _, err := peekMark(file); err != nil {
		return Mark{}, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return Mark{}, err
	}
	end := newTail(io.Discard)
	if _, err := io.Copy(end, reader{ctx, file}); err != nil {
		return Mark{}, err
	}
	digits, err := end.digits()
	if err != nil {
		return Mark{}, err
	}
	named := string(digits)
	copy(digits, NoSum)
	end.sum.Write(end.held)
	if hex.EncodeToString(end.sum.Sum(nil)) != named {
		return Mark{}, errDamaged
	}
	return end.mark()
}

// peekMark returns the mark without verifying the checksum. It reads only the end of the file.
func peekMark(file io.ReadSeeker) (Mark, error) {
	if _, err := file.Seek(-tailSize, io.SeekEnd); err != nil { // the file is shorter than tailSize
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return Mark{}, err
		}
	}
	end := newTail(io.Discard)
	if _, err := io.Copy(end, io.LimitReader(file, tailSize)); err != nil {
		return Mark{}, err
	}
	if _, err := end.digits(); err != nil {
		return Mark{}, err
	}
	return end.mark()
}

// foundKey is the key of the result in a JSON shard.
const foundKey = "siegebook.found"

// WriteJSON writes a JSON shard with its result, its mark, and NoSum in place of the checksum.
func WriteJSON(w io.Writer, found any, mark Mark) error {
	texts := make([][]byte, 2)
	for i, value := range []any{found, mark} {
		var err error
		if texts[i], err = json.Marshal(value); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(w, "{\n%q: %s,\n%q: %s,\n%q: %q\n}\n", foundKey, texts[0], MarkKey, texts[1], SumKey, NoSum)
	return err
}

// ReadJSON reads the result of a JSON shard into found.
func ReadJSON(file io.Reader, found any) error {
	text, err := io.ReadAll(file)
	if err != nil {
		return fmt.Errorf("cannot be read: %v", err) // not wrapped, because it is not a system error about the output
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return err
	}
	part, ok := members[foundKey]
	if !ok {
		return fmt.Errorf("the object has no member %q", foundKey)
	}
	return json.Unmarshal(part, found)
}

// Most is the maximum number of shards of a computation. More files would overload file systems, and more tasks would
// overload schedulers.
const Most = 100_000

// Shard identifies a shard by its number and the number of shards, 1 <= Number <= Of <= Most.
type Shard struct{ Number, Of int64 }

// String returns the shard in the form "3/20", which Parse reads.
func (p Shard) String() string { return fmt.Sprintf("%d/%d", p.Number, p.Of) }

// Parse parses a shard such as "3/20". It reads "0/20" as "20/20", for schedulers that number twenty tasks from 0 to
// 19.
func Parse(text string) (Shard, error) {
	number, of, cut := strings.Cut(text, "/")
	i, err1 := wholeNumber(number)
	n, err2 := wholeNumber(of)
	if !cut || err1 != nil || err2 != nil {
		return Shard{}, fmt.Errorf("shard %q: write I/N with whole numbers, such as 3/20 for the third of twenty", text)
	}
	if i == 0 {
		i = n
	}
	p := Shard{i, n}
	return p, p.Validate()
}

// wholeNumber parses a nonnegative integer in decimal digits.
func wholeNumber(text string) (int64, error) {
	n, err := strconv.ParseUint(text, 10, 63) // does not accept a sign
	return int64(n), err
}

// Validate returns an error that names the rule that the shard violates.
func (p Shard) Validate() error {
	switch {
	case p.Of < 1 || p.Of > Most:
		return fmt.Errorf("shard %v: %d shards are not possible, use 1 to %d", p, p.Of, Most)
	case p.Number < 1 || p.Number > p.Of:
		return fmt.Errorf("shard %v: there is no such shard, use 1/%d to %d/%d", p, p.Of, p.Of, p.Of)
	}
	return nil
}

// Cost returns the total cost of the first items of a computation, in any unit. The cost of 0 items is 0. Cost never
// decreases.
type Cost func(items int64) *big.Int

// Even implements Cost for items that all have the same cost.
func Even(items int64) *big.Int { return big.NewInt(items) }

// Block returns the items that belong to a valid shard of a computation with size items. All shards have about the same
// cost: none differs from its fair share by more than one item. The blocks are consecutive and cover all items. ok is
// false if there are more shards than items.
func (p Shard) Block(size int64, cost Cost) (block grid.Block, ok bool) {
	if p.Of > size {
		return grid.Block{}, false
	}
	first, end := p.cut(p.Number-1, size, cost), p.cut(p.Number, size, cost)
	return grid.Block{First: first, Size: end - first}, true
}

// cut returns the number of items in the first k shards: the smallest number of items that cost at least k/Of of the
// total.
func (p Shard) cut(k, size int64, cost Cost) int64 {
	if k == p.Of {
		return size // even if the last items cost nothing
	}
	fair := new(big.Int).Mul(cost(size), big.NewInt(k)) // the fair share, multiplied by Of
	of := big.NewInt(p.Of)
	fewest, enough := int64(0), size
	for fewest < enough {
		half := fewest + (enough-fewest)/2
		if new(big.Int).Mul(cost(half), of).Cmp(fair) >= 0 {
			enough = half
		} else {
			fewest = half + 1
		}
	}
	return enough
}
