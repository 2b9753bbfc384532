package shard

import (
	"bytes"
	"context"
	"crypto/sha256"
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

// written returns a folder with shard 2 of 3, and the path of that shard. The rows of the shard have the given number
// of bytes. With the ending csv, the mark is in a file next to the shard.
func written(t *testing.T, ending string, size int) (Folder, string) {
	t.Helper()
	f := Folder{
		Dir:  filepath.Join(t.TempDir(), "new", "shards"),
		Mark: Mark{Recipe: Recipe{"sweep castle", `{"soldiers":"1:3"}`}, Version: "1.2.3"}, Parts: 3, Ending: ending,
	}
	must.Do(t, f.Write(Shard{2, 3}, func(w io.Writer, mark Mark) error {
		if _, err := w.Write(bytes.Repeat([]byte{'7'}, size)); err != nil || mark == (Mark{}) {
			return err
		}
		text, err := json.Marshal(map[string]any{MarkKey: mark, SumKey: NoSum})
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(w, "\n# %s\n", text)
		return err
	}))
	return f, filepath.Join(f.Dir, "part-2-of-3."+ending)
}

func wantState(t *testing.T, f Folder, want State, reason string) {
	t.Helper()
	got, why, err := f.Inspect(t.Context(), Shard{2, 3})
	if err != nil || got != want || (why == nil) != (reason == "") || why != nil &&
		!strings.Contains(why.Error(), reason) {
		t.Errorf("state %d, %v, %v; want %d, %s", got, why, err, want, reason)
	}
}

// TestShard checks that a shard that was just written is whole, and that it is not whole if any byte is changed or cut
// off, in the shard or in the mark next to it.
func TestShard(t *testing.T) {
	for _, ending := range []string{"json", "csv"} {
		for _, size := range []int{1, 10, tailSize, 5*tailSize + 3} {
			f, name := written(t, ending, size)
			wantState(t, f, Whole, "")
			if state, why, err := f.Inspect(t.Context(), Shard{1, 3}); state != Missing || why != nil || err != nil {
				t.Errorf("part 1: %d %v %v", state, why, err)
			}
			files := []string{name}
			if ending == "csv" {
				files = append(files, f.markPath(Shard{2, 3}))
			}
			for _, name := range files {
				data := must.Get(os.ReadFile(name))
				step := max(1, len(data)/100)
				for at := 0; at < len(data); at += step {
					damaged := bytes.Clone(data)
					damaged[at] ^= 1
					for _, other := range [][]byte{damaged, data[:at]} {
						must.Do(t, os.WriteFile(name, other, 0o666))
						if state, _, err := f.Inspect(t.Context(), Shard{2, 3}); state != Damaged || err != nil {
							t.Fatalf("%s, %d bytes, at %d: %d, %v", filepath.Base(name), len(data), at, state, err)
						}
					}
				}
				must.Do(t, os.WriteFile(name, data, 0o666))
			}
			wantState(t, f, Whole, "")
		}
	}
	f, name := written(t, "json", 10)
	must.Do(t, os.Truncate(name, 9))
	wantState(t, f, Damaged, "truncated")
}

// TestPlainShard checks that a CSV shard has exactly the written content, that its mark contains its SHA-256, and that
// a missing mark is reported. It also checks that a shard that contains its mark, as written to the standard output, is
// whole.
func TestPlainShard(t *testing.T) {
	f, name := written(t, "csv", 10)
	rows := must.Get(os.ReadFile(name))
	if string(rows) != "7777777777" {
		t.Errorf("the file is %q", rows)
	}
	mark := f.markPath(Shard{2, 3})
	if text := string(must.Get(os.ReadFile(mark))); !strings.Contains(text, fmt.Sprintf("%x", sha256.Sum256(rows))) {
		t.Errorf("the mark is %s", text)
	}
	must.Do(t, os.Remove(mark))
	wantState(t, f, Damaged, "the shard's mark .part-2-of-3.csv.json is missing: copy hidden files, too")
	other, embedded := written(t, "json", 10)
	must.Do(t, os.WriteFile(name, must.Get(os.ReadFile(embedded)), 0o666))
	wantState(t, f, Whole, "")
	other.Ending, other.Dir = f.Ending, f.Dir
	if got, err := OpenFolder(t.Context(), f.Dir); err != nil || got != other {
		t.Errorf("%+v, %v", got, err)
	}
	must.Do(t, os.Remove(name))
	wantMissing(t, f)
}

func wantMissing(t *testing.T, f Folder) {
	t.Helper()
	if state, why, err := f.Inspect(t.Context(), Shard{2, 3}); state != Missing || why != nil || err != nil {
		t.Errorf("%d, %v, %v", state, why, err)
	}
}

// TestHalfAPlainShard checks that an incomplete shard never counts as whole. It tests a process that is killed after
// writing the mark but before writing the shard, and two processes that write the same shard.
func TestHalfAPlainShard(t *testing.T) {
	f, name := written(t, "csv", 10)
	old := must.Get(os.ReadFile(name))
	must.Do(t, f.Write(Shard{2, 3}, func(w io.Writer, _ Mark) error {
		_, err := w.Write([]byte("other rows"))
		return err
	}))
	wantState(t, f, Whole, "")
	must.Do(t, os.WriteFile(name, old, 0o666)) // the new mark exists, but the new shard does not exist yet
	wantState(t, f, Damaged, "checksum")
	must.Do(t, os.Remove(name))
	wantMissing(t, f)
	broken := errors.New("no room")
	if err := f.Write(Shard{2, 3}, func(io.Writer, Mark) error { return broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
	wantMissing(t, f)
	if entries := must.Get(os.ReadDir(f.Dir)); len(entries) != 1 || entries[0].Name() != ".part-2-of-3.csv.json" {
		t.Errorf("left: %v", entries)
	}
}

// TestOtherFolders checks that a folder with other content is rejected, and that the error names the content.
func TestOtherFolders(t *testing.T) {
	var wrong *OtherError
	f, _ := written(t, "csv", 10)
	if err := f.Check(t.Context()); err != nil {
		t.Error(err)
	}
	for _, name := range []string{
		"notes.txt", "logs/", "part-2-of-3.json", "part-02-of-3.csv", "part-4-of-3.csv", "part-1-of-3.csv/",
	} {
		f, _ := written(t, "csv", 10)
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

// TestOpenFolder checks that the computation is determined from the shards.
func TestOpenFolder(t *testing.T) {
	f, name := written(t, "csv", 10)
	if got, err := OpenFolder(t.Context(), f.Dir); err != nil || got != f {
		t.Errorf("%+v, %v; want %+v", got, err, f)
	}
	must.Do(t, os.Truncate(name, 5))
	var wrong *OtherError
	if _, err := OpenFolder(t.Context(), f.Dir); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "(part-2-of-3.csv: the checksum is wrong") {
		t.Error(err)
	}
	if _, err := OpenFolder(t.Context(), name); !errors.As(err, &wrong) ||
		!strings.Contains(err.Error(), "this is a file, or in a file, not a folder") {
		t.Error(err)
	}
}

// TestDamagedMark checks that a shard with a damaged mark counts as damaged, and not as a shard of another computation.
func TestDamagedMark(t *testing.T) {
	f, name := written(t, "json", 3*tailSize)
	data := must.Get(os.ReadFile(name))
	must.Do(t, os.WriteFile(name, bytes.Replace(data, []byte(`"soldiers"`), []byte(`"sOldiers"`), 1),
		0o666))
	if err := f.Check(t.Context()); err != nil {
		t.Error(err)
	}
	wantState(t, f, Damaged, "checksum")
}

// TestAnyMark checks that a mark is found whatever it contains, and whatever bytes are between the mark and its key.
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

// TestLargeFile checks that a large file that is not a shard is recognized by its end, and that reading a file that
// ends like a shard can be interrupted.
func TestLargeFile(t *testing.T) {
	f, name := written(t, "json", 10)
	end := must.Get(os.ReadFile(name))
	large := func(end []byte) *os.File {
		file := must.Get(os.Create(name))
		must.Get(file.WriteAt(end, 1<<40)) // the bytes before it are a hole in the file
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
	if _, _, err := f.Inspect(ctx, Shard{2, 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupt is not the shard's fault: %v", err)
	}
	if _, err := OpenFolder(ctx, f.Dir); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
