package jupyter

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keptPrograms are what one kernel has built, in a folder of its own that nobody else may enter and that ends with the
// kernel: programs of cells, and plans (goplan.go). A program knows the folder of its kernel, where the lines of its
// errors are looked up, so no other kernel could use it.
//
// A program is kept under its key and the checksum of its bytes. One that has other bytes by now is thrown away.
// Whatever cannot be kept or read costs time alone.
type keptPrograms struct{ folder string }

// mostKept bounds the bytes of all programs; those that were not taken for the longest time go first.
var mostKept = int64(256 << 20)

// mostPlans bounds the plans, which have some 30 kB each.
const mostPlans = 200

// take gives the program of a key another name too.
func (k keptPrograms) take(key, out string) error {
	found, err := filepath.Glob(filepath.Join(k.folder, key+"-*"))
	if err != nil || len(found) == 0 {
		return fs.ErrNotExist
	}
	text, err := os.ReadFile(found[0])
	if err != nil {
		return err
	}
	if filepath.Base(found[0]) != programName(key, text) {
		_ = os.Remove(found[0])
		return fmt.Errorf("%s is damaged", found[0])
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Link(found[0], out); err != nil {
		return err
	}
	now := time.Now()
	_ = os.Chtimes(out, now, now)
	return nil
}

// programName is the name under which the program of a key is kept.
func programName(key string, text []byte) string {
	return fmt.Sprintf("%s-%08x", key, crc32.Checksum(text, crc32.MakeTable(crc32.Castagnoli)))
}

// keep keeps a program, and makes room for it.
func (k keptPrograms) keep(program, key string) {
	text, err := os.ReadFile(program)
	if err != nil || int64(len(text)) > mostKept {
		return
	}
	k.makeRoom(int64(len(text)))
	_ = os.Link(program, filepath.Join(k.folder, programName(key, text)))
}

// makeRoom removes what was not taken for the longest time until there is room for so many bytes more.
func (k keptPrograms) makeRoom(size int64) {
	entries, err := os.ReadDir(k.folder)
	if err != nil {
		return
	}
	var programs []fs.FileInfo
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			programs = append(programs, info)
			size += info.Size()
		}
	}
	slices.SortFunc(programs, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for _, info := range programs {
		if size <= mostKept {
			return
		}
		if os.Remove(filepath.Join(k.folder, info.Name())) == nil {
			size -= info.Size()
		}
	}
}

// newPlan makes a folder in which a plan is recorded.
func (k keptPrograms) newPlan() (string, error) { return os.MkdirTemp(k.folder, "recording-") }

// plan returns the folder of a plan.
func (k keptPrograms) plan(key string) string { return filepath.Join(k.folder, "plan-"+key) }

// keepPlan keeps what was recorded, if it is all there.
func (k keptPrograms) keepPlan(recorded, key string) {
	if !isFile(filepath.Join(recorded, "compile")) || !isFile(filepath.Join(recorded, "link")) {
		return
	}
	entries, _ := os.ReadDir(k.folder)
	plans := slices.DeleteFunc(entries, func(entry fs.DirEntry) bool { return !strings.HasPrefix(entry.Name(), "plan-") })
	if len(plans) >= mostPlans {
		for _, entry := range plans {
			_ = os.RemoveAll(filepath.Join(k.folder, entry.Name()))
		}
	}
	_ = os.RemoveAll(k.plan(key))
	_ = os.Rename(recorded, k.plan(key))
}
