package shard

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/must"
)

// written returns a folder with part 2 of 3, whose rows are so many bytes, and the file of that part.
func written(t *testing.T, size int) (Folder, string) {
	t.Helper()
	f := Folder{
		Dir:  filepath.Join(t.TempDir(), "new", "shards"),
		Mark: Mark{Recipe: Recipe{"sweep castle", `{"soldiers":"1:3"}`}, Version: "1.2.3"}, Parts: 3, Ending: "csv",
	}
	p := Part{2, 3}
	must.Do(t, f.Write(p, func(w io.Writer, mark Mark) error {
		if _, err := w.Write(bytes.Repeat([]byte{'7'}, size)); err != nil {
			return err
		}
		text, err := json.Marshal(map[string]any{MarkKey: mark, SumKey: NoSum})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "\n# %s\n", text)
		return err
	}))
	return f, filepath.Join(f.Dir, "part-2-of-3.csv")
}

func wantState(t *testing.T, f Folder, want State, reason string) {
	t.Helper()
	got, why, err := f.Look(t.Context(), Part{2, 3})
	if err != nil || got != want || (why == nil) != (reason == "") || why != nil &&
		!strings.Contains(why.Error(), reason) {
		t.Errorf("state %d, %v, %v; want %d, %s", got, why, err, want, reason)
	}
}

// TestShard: what was written is whole, and nothing else is: not with any byte changed, not cut anywhere.
func TestShard(t *testing.T) {
	for _, size := range []int{0, 10, tailSize, 5*tailSize + 3} {
		f, name := written(t, size)
		wantState(t, f, Whole, "")
		if state, why, err := f.Look(t.Context(), Part{1, 3}); state != Missing || why != nil || err != nil {
			t.Errorf("part 1: %d %v %v", state, why, err)
		}
		data := must.Get(os.ReadFile(name))
		step := max(1, len(data)/300)
		for at := 0; at < len(data); at += step {
			damaged := bytes.Clone(data)
			damaged[at] ^= 1
			if _, err := ReadMark(t.Context(), bytes.NewReader(damaged)); err == nil {
				t.Errorf("of %d bytes, number %d may be changed", len(data), at)
			}
			if _, err := ReadMark(t.Context(), bytes.NewReader(data[:at])); err == nil {
				t.Errorf("of %d bytes, the last %d may be missing", len(data), len(data)-at)
			}
		}
		must.Do(t, os.WriteFile(name, data[:len(data)/5], 0o666))
		wantState(t, f, Damaged, "cut short")
	}
}

// TestOtherFolders: a folder with something else is refused, with what is in it.
func TestOtherFolders(t *testing.T) {
	var wrong *OtherError
	f, _ := written(t, 10)
	if err := f.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for _, name := range []string{
		"notes.txt", "part-2-of-3.json", "part-02-of-3.csv", "part-4-of-3.csv", "part-1-of-3.csv/",
	} {
		f, _ := written(t, 10)
		path := filepath.Join(f.Dir, name)
		if strings.HasSuffix(name, "/") {
			must.Do(t, os.Mkdir(path, 0o777))
		} else if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := f.Check(t.Context()); !errors.As(err, &wrong) ||
			!strings.Contains(err.Error(), strings.TrimSuffix(name, "/")) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{".part-1-of-3.csv.siegebook-part-1234567890123456", ".nfs000"} {
		must.Write(t, filepath.Join(f.Dir, name), "")
	}
	if err := f.Check(t.Context()); err != nil {
		t.Errorf("hidden files: %v", err)
	}
	if err := (Folder{Dir: filepath.Join(t.TempDir(), "none")}).Check(t.Context()); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestOpenFolder: the shards say what they are of.
func TestOpenFolder(t *testing.T) {
	f, name := written(t, 10)
	if got, err := OpenFolder(t.Context(), f.Dir); err != nil || got != f {
		t.Errorf("%+v, %v; want %+v", got, err, f)
	}
	must.Do(t, os.Truncate(name, 5))
	var wrong *OtherError
	if _, err := OpenFolder(t.Context(), f.Dir); !errors.As(err, &wrong) {
		t.Error(err)
	}
}

// TestDamagedMark: a shard whose damage is in its mark is damaged, and not one of another computation.
func TestDamagedMark(t *testing.T) {
	f, name := written(t, 3*tailSize)
	data := must.Get(os.ReadFile(name))
	must.Do(t, os.WriteFile(name, bytes.Replace(data, []byte(`"soldiers"`), []byte(`"sOldiers"`), 1),
		0o666))
	if err := f.Check(t.Context()); err != nil {
		t.Error(err)
	}
	wantState(t, f, Damaged, "checksum")
}

// TestAnyMark: whatever the mark is, and whatever bytes stand between it and its key, it is found.
func TestAnyMark(t *testing.T) {
	for size := range 300 {
		want := Mark{Recipe: Recipe{strings.Repeat("x", size), "{}"}, Version: "{", Shard: "1/1"}
		var file bytes.Buffer
		must.Do(t, Seal(&file, func(w io.Writer) error {
			text, err := json.Marshal(want)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(w, "%s\x18%s%s and %s\x18\x40%s", MarkKey, []byte{byte(len(text))}, text, SumKey,
				NoSum)
			return err
		}))
		if got, err := ReadMark(t.Context(), bytes.NewReader(file.Bytes())); err != nil || got != want {
			t.Errorf("of %d bytes: %+v, %v", size, got, err)
		}
	}
}

// TestLargeFile: a file that is no shard is told by its end, however large it is, and the reading of one that ends as a
// shard does can be interrupted.
func TestLargeFile(t *testing.T) {
	f, name := written(t, 10)
	end := must.Get(os.ReadFile(name))
	large := func(end []byte) *os.File {
		file := must.Get(os.Create(name))
		must.Get(file.WriteAt(end, 1<<40)) // behind a hole
		return file
	}
	file := large(bytes.Repeat([]byte{'7'}, tailSize))
	defer file.Close()
	if _, err := ReadMark(t.Context(), file); !errors.Is(err, errNoShard) {
		t.Error(err)
	}
	file = large(end)
	defer file.Close()
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(10*time.Millisecond, func() { cancel(io.ErrNoProgress) })
	if _, err := ReadMark(ctx, file); !errors.Is(err, context.Canceled) || !errors.Is(err, io.ErrNoProgress) {
		t.Error(err)
	}
	if _, _, err := f.Look(ctx, Part{2, 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt is not the shard's fault: %v", err)
	}
	if _, err := OpenFolder(ctx, f.Dir); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
