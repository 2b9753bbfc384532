package jupyter

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keptPrograms are what one kernel has built, in a folder of its own that nobody else may enter and that ends with the
// kernel: programs of cells, and plans (goplan.go). A program knows the folder of its kernel, where the lines of its
// errors are looked up, so no other kernel could use it.
//
// A program is kept under its key, its size and the time at which it was made. One that has another size or time by now
// is thrown away. Whatever cannot be kept or read costs time alone.
type keptPrograms struct{ folder string }

// mostKept bounds the bytes of all programs; the oldest go first.
var mostKept = int64(256 << 20)

// mostPlans bounds the plans, which have some 30 kB each.
const mostPlans = 200

// take gives the program of a key another name too.
func (k keptPrograms) take(key, out string) error {
	found, err := filepath.Glob(filepath.Join(k.folder, key+"-*"))
	if err != nil || len(found) == 0 {
		return fs.ErrNotExist
	}
	info, err := os.Stat(found[0])
	if err != nil {
		return err
	}
	if filepath.Base(found[0]) != programName(key, info) {
		_ = os.Remove(found[0])
		return fmt.Errorf("%s is damaged", found[0])
	}
	if err := os.Remove(out); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Link(found[0], out)
}

// programName is the name under which the program of a key is kept.
func programName(key string, info fs.FileInfo) string {
	return fmt.Sprintf("%s-%x-%x", key, info.Size(), info.ModTime().UnixNano())
}

// keep keeps a program, and makes room for it.
func (k keptPrograms) keep(program, key string) {
	info, err := os.Stat(program)
	if err != nil || info.Size() > mostKept {
		return
	}
	k.makeRoom(info.Size())
	_ = os.Link(program, filepath.Join(k.folder, programName(key, info)))
}

// makeRoom removes the oldest programs until there is room for so many bytes more.
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

// answer returns what go env has said. Its last line ends it: one that was cut is none.
func (k keptPrograms) answer(key string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(k.folder, "env-"+key))
	if err == nil && !bytes.HasSuffix(text, []byte("}\n")) {
		err = io.ErrUnexpectedEOF
	}
	return text, err
}

func (k keptPrograms) keepAnswer(key string, text []byte) {
	_ = os.WriteFile(filepath.Join(k.folder, "env-"+key), text, 0o600)
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
