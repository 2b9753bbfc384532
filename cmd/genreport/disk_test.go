package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
)

// TestFullDisk: a disk without room costs the new report and nothing else, and room heals it.
func TestFullDisk(t *testing.T) {
	for _, target := range []string{"site", "report.html"} {
		t.Run(target, func(t *testing.T) {
			y := newYard(t)
			y.dir = faulttest.SmallDisk(t, "4m")
			y.prepare(target)
			for _, leave := range []int{0, 20_000, 100_000} {
				room := faulttest.Fill(t, y.dir, leave)
				out := faulttest.Run(t, y.command("B", target), 1)
				if !strings.Contains(out, "no space left on device; make room, or name another place") {
					t.Errorf("with %d bytes left: %s", leave, out)
				}
				room()
				if y.which(target) != "A" {
					t.Error("the old report is gone")
				}
				y.onlyTarget(target)
			}
			faulttest.Run(t, y.command("B", target), 0)
			if y.which(target) != "B" {
				t.Error("with room again the new report is not there")
			}
			y.onlyTarget(target)
		})
	}
}

// TestFullCache: a cache without room costs time, not the report.
func TestFullCache(t *testing.T) {
	y := newYard(t)
	y.prepare("site")
	y.cache = faulttest.SmallDisk(t, "1m")
	room := faulttest.Fill(t, y.cache, 0)
	defer room()
	faulttest.Run(t, y.command("B", "site"), 0)
	if y.which("site") != "B" {
		t.Error("the new report is not there")
	}
	if left := faulttest.Entries(filepath.Join(y.cache, "unfinished")); len(left) > 0 {
		t.Errorf("left in the cache: %q", left)
	}
}

// TestFileSizeLimit is TestFullDisk where nobody may mount a small one: no file may be larger than a few blocks.
func TestFileSizeLimit(t *testing.T) {
	for _, target := range []string{"site", "report.html"} {
		y := newYard(t)
		y.prepare(target)
		limited := y.command("B", target)
		limited.Args = append([]string{"sh", "-c", `ulimit -f 20; exec "$@"`, "sh"}, limited.Args...)
		limited.Path, limited.Err = shell(t), nil
		if out := faulttest.Run(t, limited, 1); !strings.Contains(out, "file too large; make room, or name another place") {
			t.Errorf("%s: %s", target, out)
		}
		if y.which(target) != "A" {
			t.Errorf("%s: the old report is gone", target)
		}
		y.onlyTarget(target)
	}
}

func shell(t *testing.T) string {
	t.Helper()
	path, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	return path
}

// TestReadOnlyDisk: nothing can be written, and the report that is there can still be checked.
func TestReadOnlyDisk(t *testing.T) {
	y := newYard(t)
	y.dir = faulttest.SmallDisk(t, "4m")
	for _, target := range []string{"site", "report.html"} {
		y.prepare(target)
	}
	faulttest.ReadOnly(t, y.dir)
	for target, flag := range map[string]string{"site": "--out", "report.html": "--single"} {
		if out := faulttest.Run(t, y.command("B", target), 1); !strings.Contains(out, "read-only file system; name a place that you may write to") {
			t.Errorf("%s: %s", target, out)
		}
		check := exec.Command("genreport", "check", flag, filepath.Join(y.dir, target), "--cache", y.cache)
		if out := faulttest.Run(t, check, 0); !strings.Contains(out, "is what a build would write") {
			t.Errorf("%s: %s", target, out)
		}
	}
}

// TestDamagedCache damages every entry of every kind, each in another way. The report is the same, and the entries
// heal.
func TestDamagedCache(t *testing.T) {
	if testing.Short() {
		t.Skip("computes the report several times")
	}
	y := newYard(t)
	y.prepare("site")
	y.cache = filepath.Join(t.TempDir(), "cache")
	faulttest.Run(t, y.command("B", "site"), 0)
	entries := map[string][]byte{}
	kinds := map[string]int{}
	walkFiles(t, y.cache, func(path string, data []byte) {
		entries[path] = data
		kinds[filepath.Base(filepath.Dir(filepath.Dir(path)))]++
	})
	if kinds["k-mathml"] == 0 || kinds["k-report-2"] != 1 {
		t.Fatalf("kinds of entries: %v", kinds)
	}
	harms := []func(data []byte) []byte{
		func([]byte) []byte { return nil },
		func(data []byte) []byte { return data[:len(data)/2] },
		func(data []byte) []byte { return data[:len(data)-1] },
		func(data []byte) []byte { return append(bytes.Clone(data), 0) },
		func(data []byte) []byte { return flipped(data, len(data)-1) },
		func(data []byte) []byte { return flipped(data, 0) },
		func(data []byte) []byte { return make([]byte, len(data)) },
	}
	n := 0
	for path, data := range entries {
		n++
		if err := os.WriteFile(path, harms[n%len(harms)](data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	faulttest.Run(t, y.command("B", "site"), 0)
	if got := y.which("site"); got != "B" {
		t.Errorf("the damaged cache gave %s", got)
	}
	for path, data := range entries {
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
			t.Errorf("%s did not heal, %v", path, err)
		}
	}
}

func flipped(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 0x40
	return data
}

func walkFiles(t *testing.T, root string, visit func(path string, data []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		visit(path, data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
