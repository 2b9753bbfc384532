// Package cache keeps the results of slow pure functions on disk, addressed by the hash of their inputs.
//
// A cache never causes a failure or a wrong answer. An entry that is truncated, altered or half-written is a miss, and
// the next Put replaces it. A folder that cannot be read or written only costs time. So callers need no second code
// path: they call Do, and Do computes missing values.
//
// The checksums guard against accidents only: anybody who can write to the folder can write a wrong entry with the
// right checksum. So a folder that others can write to must not be used, see [Secure]. A check that must not trust even
// the user's own entries must compute everything.
//
// Entries are whole files, put in place by a rename. Goroutines and processes may share one folder: two writers of one
// key write the same value, because a key names everything the value depends on. The next writer removes the unfinished
// files of killed processes.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
	"golang.org/x/sync/singleflight"
)

// magic begins every entry. Its number changes with the layout, so that entries of another layout are misses.
const magic = "siegebook cache 1\n"

// Cache is a folder of entries. All its methods are safe for concurrent use, and work on a nil *Cache, which stores
// nothing. The zero value is not usable: call Open.
type Cache struct {
	dir    string
	flight singleflight.Group
	swept  sync.Once
}

// Open returns the cache in the folder dir. The folder is created when the first entry is written. If dir is empty, the
// result is nil, the cache that stores nothing. Open touches no file and cannot fail.
func Open(dir string) *Cache {
	if dir == "" {
		return nil
	}
	return &Cache{dir: filepath.Clean(dir)}
}

// Folder returns the folder of the cache, or "" if there is none.
func (c *Cache) Folder() string {
	if c == nil {
		return ""
	}
	return c.dir
}

// Key names one result: the kind of computation and the hash of all its inputs. Create one with NewKey.
type Key struct {
	kind string
	sum  [sha256.Size]byte
}

// NewKey returns the key of a computation. The kind names the function and its version ("mathml-1"), in letters,
// digits, '-', '.' and '_'; other characters are hashed but left out of the file name. The inputs are everything that
// the result depends on. Their boundaries matter, so ("ab", "c") and ("a", "bc") give different keys.
func NewKey(kind string, inputs ...[]byte) Key {
	h := sha256.New()
	for _, part := range append([][]byte{[]byte(kind)}, inputs...) {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	k := Key{kind: folderName(kind)}
	h.Sum(k.sum[:0])
	return k
}

// folderName keeps the characters of kind that are safe in a file name everywhere, at most 40 of them. It always starts
// with "k-", so that no kind can name "." or "..".
func folderName(kind string) string {
	name := []byte("k-")
	for _, c := range []byte(kind) {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '-', c == '.', c == '_':
			name = append(name, c)
		}
	}
	return string(name[:min(len(name), 40)])
}

// String returns the path of the key's entry in the cache's folder: kind and hash.
func (k Key) String() string { return k.kind + "/" + hex.EncodeToString(k.sum[:]) }

// maxEntry is the maximum size of an entry in bytes. A larger entry must be damaged. The largest entries are reports.
const maxEntry = 1024 * limitedread.MiB

// Get returns the bytes stored under k, and whether there are any. An entry is absent if it is damaged, or if it is not
// a regular file. The caller may change the bytes.
func (c *Cache) Get(k Key) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	path := c.path(k)
	file, err := atomicfile.Open(path)
	if err != nil {
		return nil, false
	}
	entry, err := limitedread.Read(file, path, maxEntry)
	if err != nil {
		return nil, false
	}
	return decode(k, entry)
}

// Put stores value under k. A failure only costs time, because the next caller computes the value again.
func (c *Cache) Put(k Key, value []byte) error {
	if c == nil {
		return nil
	}
	return c.write(c.path(k), encode(k, value))
}

// unfinished is the folder of entries that are being written. It is on the same file system as finished entries. No
// kind has this name.
const unfinished = "unfinished"

// write puts an entry in place. It does not sync, because an entry that a crash of the machine damages is just a miss.
func (c *Cache) write(path string, entry []byte) error {
	dir := filepath.Join(c.dir, unfinished)
	if err := errors.Join(os.MkdirAll(dir, 0o755), os.MkdirAll(filepath.Dir(path), 0o755)); err != nil {
		return err
	}
	c.swept.Do(func() { atomicfile.Sweep(dir, "") })
	file, err := atomicfile.CreateIn(dir, path, 0o644)
	if err != nil {
		return err
	}
	if _, err := file.Write(entry); err != nil {
		return errors.Join(err, file.Discard())
	}
	return file.KeepUnsynced()
}

// Do returns the bytes stored under k. If there are none, it calls compute and stores the result. Goroutines that
// request the same key at the same time share one call of compute, and its error. Errors are not stored. The caller may
// change the bytes.
func (c *Cache) Do(k Key, compute func() ([]byte, error)) ([]byte, error) {
	if c == nil {
		return compute()
	}
	if value, ok := c.Get(k); ok {
		return value, nil
	}
	value, err, shared := c.flight.Do(k.String(), func() (any, error) {
		// Another call for this key may have finished between the Get above and here.
		if value, ok := c.Get(k); ok {
			return value, nil
		}
		value, err := compute()
		if err == nil {
			_ = c.Put(k, value)
		}
		return value, err
	})
	if err != nil {
		return nil, err
	}
	if shared {
		return slices.Clone(value.([]byte)), nil
	}
	return value.([]byte), nil
}

// Value does the same as [Cache.Do] for a value that encoding/gob can write.
func Value[T any](c *Cache, k Key, compute func() (T, error)) (value T, err error) {
	if c == nil {
		return compute()
	}
	computed := false
	stored, err := c.Do(k, func() ([]byte, error) {
		if value, err = compute(); err != nil {
			return nil, err
		}
		computed = true
		return Pack(value)
	})
	if err != nil || computed {
		return value, err
	}
	return Unpack[T](stored)
}

// Pack returns a value as the bytes that [Value] stores.
func Pack[T any](value T) ([]byte, error) {
	var packed bytes.Buffer
	err := gob.NewEncoder(&packed).Encode(value)
	return packed.Bytes(), err
}

// Unpack returns the value that [Pack] has encoded.
func Unpack[T any](packed []byte) (value T, err error) {
	if err = gob.NewDecoder(bytes.NewReader(packed)).Decode(&value); err != nil {
		err = fmt.Errorf("the cached value does not have the type %T: %w", value, err)
	}
	return value, err
}

func (c *Cache) path(k Key) string {
	sum := hex.EncodeToString(k.sum[:])
	return filepath.Join(c.dir, k.kind, sum[:2], sum[2:])
}

// encode returns an entry: the magic line, a checksum, and the value. The checksum covers the key, so an entry that was
// copied or renamed to another key's path is a miss there.
func encode(k Key, value []byte) []byte {
	return slices.Concat([]byte(magic), checksum(k, value), value)
}

func decode(k Key, entry []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(entry, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	value := rest[sha256.Size:]
	if !bytes.Equal(checksum(k, value), rest[:sha256.Size]) {
		return nil, false
	}
	return value, true
}

func checksum(k Key, value []byte) []byte {
	hash := sha256.New()
	hash.Write(k.sum[:])
	hash.Write(value)
	return hash.Sum(nil)
}
