package shard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"regexp"
	"strings"
)

// Mark is what the file of a shard says of itself.
type Mark struct {
	Command string `json:"command"` // that gives the whole on one machine, with every value that the result depends on
	Version string `json:"version"` // of the program
	Shard   string `json:"shard"`   // as Part.String writes it
}

// The keys under which a file holds its mark, a JSON object, and its checksum, 64 hexadecimal digits: the SHA-256 of
// all bytes of the file, with zeros in place of these digits. They stand in its last 64 KiB, once, in whatever way its
// format holds texts.
const (
	MarkKey = "siegebook.shard"
	SumKey  = "siegebook.sha256"
)

// NoSum stands for the checksum while a file is written.
var NoSum = strings.Repeat("0", 2*sha256.Size)

// tailSize is how much of the end of a file is looked through.
const tailSize = 64 << 10

var (
	sealForm = regexp.MustCompile(regexp.QuoteMeta(SumKey) + `[^0-9a-f]{1,8}([0-9a-f]{64})`)
	markForm = regexp.MustCompile(regexp.QuoteMeta(MarkKey) + `[^{]{1,8}\{`)
)

// errNoShard says that a file does not end as ours do.
var errNoShard = errors.New("it does not end as a shard does: it is cut short, or something else")

// tail is the end of what went by.
type tail struct {
	bytes []byte
	size  int64 // of all
}

func (t *tail) Write(p []byte) (int, error) {
	t.size += int64(len(p))
	t.bytes = append(t.bytes, p...)
	if extra := len(t.bytes) - 2*tailSize; extra > 0 {
		t.bytes = append(t.bytes[:0], t.bytes[len(t.bytes)-tailSize:]...)
	}
	return len(p), nil
}

// sum returns where in the file the digits of the checksum are, and what they are.
func (t *tail) sum() (at int64, digits string, err error) {
	found := sealForm.FindAllSubmatchIndex(t.bytes, -1)
	if found == nil {
		return 0, "", errNoShard
	}
	last := found[len(found)-1]
	return t.size - int64(len(t.bytes)-last[2]), string(t.bytes[last[2]:last[3]]), nil
}

// mark returns the mark.
func (t *tail) mark() (Mark, error) {
	found := markForm.FindAllIndex(t.bytes, -1)
	if found == nil {
		return Mark{}, errNoShard
	}
	var m Mark
	end := found[len(found)-1][1] - 1
	if err := json.NewDecoder(bytes.NewReader(t.bytes[end:])).Decode(&m); err != nil {
		return Mark{}, fmt.Errorf("%w: %w", errNoShard, err)
	}
	return m, nil
}

// sealed writes a file that holds its mark and its checksum. The function write writes all of it, with NoSum for the
// checksum.
func sealed(file *os.File, write func(io.Writer) error) error {
	end, sum := &tail{}, sha256.New()
	if err := write(io.MultiWriter(file, sum, end)); err != nil {
		return err
	}
	at, digits, err := end.sum()
	if err == nil {
		_, err = end.mark()
	}
	if err != nil || digits != NoSum {
		panic(fmt.Sprintf("shard: what was written has no room for a checksum (%q), or no mark: %v", digits, err))
	}
	_, err = file.WriteAt([]byte(hex.EncodeToString(sum.Sum(nil))), at)
	return err
}

// ReadMark returns what a file says of itself. The error says why it is no shard, or that it is damaged.
func ReadMark(file io.Reader) (Mark, error) {
	var end tail
	// The digits are known when all is read, so the bytes go into the sum late.
	late := &delayed{sum: sha256.New()}
	if _, err := io.Copy(io.MultiWriter(&end, late), file); err != nil {
		return Mark{}, err
	}
	at, digits, err := end.sum()
	if err != nil {
		return Mark{}, err
	}
	if late.finish(at) != digits {
		return Mark{}, errors.New("it is damaged: its checksum is not that of its bytes")
	}
	return end.mark()
}

// delayed hashes what went by but for its end.
type delayed struct {
	sum  hash.Hash
	held []byte
	done int64
}

func (d *delayed) Write(p []byte) (int, error) {
	d.held = append(d.held, p...)
	if ready := len(d.held) - 2*tailSize; ready > 0 {
		d.sum.Write(d.held[:ready])
		d.done += int64(ready)
		d.held = append(d.held[:0], d.held[ready:]...)
	}
	return len(p), nil
}

// finish returns the checksum, given where its digits are.
func (d *delayed) finish(at int64) string {
	copy(d.held[at-d.done:], NoSum)
	d.sum.Write(d.held)
	return hex.EncodeToString(d.sum.Sum(nil))
}
