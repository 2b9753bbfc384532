package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/faulttest"
)

// sweepTo writes one of two tables, "old" or "new", to a file.
func sweepTo(which, file string) *exec.Cmd {
	soldiers := map[string]string{"old": "1:24", "new": "2:25"}[which]
	return exec.Command("siegebook", "sweep", "castle", "--soldiers", soldiers, "--castle", "1:80", "--defenders",
		"1:40", "--out", file)
}

// endless is a sweep that would take long: nearly as many rows as a Parquet file has.
func endless(file string) *exec.Cmd {
	return exec.Command("siegebook", "sweep", "castle", "--soldiers", "1:4000000", "--castle", "1:1000", "--defenders",
		"1", "--out", file)
}

// TestKilledWhileWriting kills sweeps that would take long, after more and more rows: the old table stays, half a table
// is left beside it, and the next sweep puts that away, whatever the clock says.
func TestKilledWhileWriting(t *testing.T) {
	t.Run("CSV", func(t *testing.T) { killWhileWriting(t, "table.csv", 25, 20_000) })
	t.Run("Parquet", func(t *testing.T) { killWhileWriting(t, "table.parquet", 7, 20_000) })
}

func killWhileWriting(t *testing.T, name string, kills, step int) {
	dir := t.TempDir()
	file := filepath.Join(dir, name)
	faulttest.Run(t, sweepTo("old", file), 0)
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for n := range kills {
		rows := int64(n * n * step)
		out := faulttest.Signal(t, endless(file), syscall.SIGKILL,
			func() bool { return temporaryRows(dir, name) > rows })
		if left := faulttest.Entries(dir); !out.Killed || len(left) < 2 {
			t.Fatalf("after %d bytes: killed: %v, exit code %d, left %q: %s", rows, out.Killed, out.Code, left,
				out.Output)
		}
		if now, err := os.ReadFile(file); err != nil || !bytes.Equal(now, old) {
			t.Fatalf("after %d bytes the table is not the old one: %d bytes, %v", rows, len(now), err)
		}
		faulttest.Age(t, dir)
		if n%3 == 0 {
			faulttest.Run(t, sweepTo("old", file), 0)
			if names := faulttest.Entries(dir); len(names) != 1 {
				t.Fatalf("the next sweep leaves %q", names)
			}
		}
	}
}

// TestSweepOntoAFullDisk: the old table stays, nothing is left, and the message says what to do.
func TestSweepOntoAFullDisk(t *testing.T) {
	for _, name := range []string{"table.csv", "table.parquet"} {
		t.Run(name, func(t *testing.T) { sweepOntoAFullDisk(t, name) })
	}
}

func sweepOntoAFullDisk(t *testing.T, name string) {
	dir := faulttest.SmallDisk(t, "8m")
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	room := faulttest.Fill(t, dir, 10_000)
	if out := faulttest.Run(t, sweepTo("new", file), exitFailed); !strings.Contains(out,
		"no space left on device; make room, or name another place") {
		t.Error(out)
	}
	room()
	if data, err := os.ReadFile(file); err != nil || string(data) != "old" || len(faulttest.Entries(dir)) != 1 {
		t.Errorf("%q, %v, left %q", data, err, faulttest.Entries(dir))
	}
	faulttest.ReadOnly(t, dir)
	if out := faulttest.Run(t, sweepTo("new", file), exitFailed); !strings.Contains(out,
		"read-only file system; name a place that you may write to") {
		t.Error(out)
	}
}
