package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/faulttest"
)

// sweepTo writes one of two tables, "old" or "new", to a file.
func sweepTo(which, file string) *exec.Cmd {
	soldiers := map[string]string{"old": "1:24", "new": "2:25"}[which]
	return exec.Command("siegebook", "sweep", "castle", "--soldiers", soldiers, "--castle", "1:80", "--defenders", "1:40", "--out", file)
}

// TestKilledSweeps kills sweeps at moments from the first to the last: each leaves the old table or the new one, whole, and
// the next sweep puts away what was left, whatever the clock says.
func TestKilledSweeps(t *testing.T) {
	if testing.Short() {
		t.Skip("kills many processes")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "table.csv")
	tables := map[string]string{}
	content := func() string {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	for _, which := range []string{"new", "old"} {
		faulttest.Run(t, sweepTo(which, file), 0)
		tables[which] = content()
	}
	const wanted = 50
	whole, killed, half := time.Second, 0, 0
	for n := 0; killed < wanted; n++ {
		if n == 20*wanted {
			t.Fatalf("only %d kills come in time", killed)
		}
		begin := time.Now()
		out := faulttest.Signal(t, sweepTo("new", file), syscall.SIGKILL, faulttest.After(whole*time.Duration(n%wanted)/wanted))
		now := content()
		left := slices.DeleteFunc(faulttest.Entries(dir), func(name string) bool { return name == "table.csv" })
		switch {
		case now != tables["old"] && now != tables["new"]:
			t.Fatalf("after %v the table is neither the old one nor the new one: %d bytes", time.Since(begin), len(now))
		case !out.Killed && (out.Code != 0 || now != tables["new"] || len(left) > 0):
			t.Fatalf("a sweep that was not killed: exit code %d, left %q: %s", out.Code, left, out.Output)
		case !out.Killed:
			whole = min(whole, time.Since(begin))
		default:
			killed++
			if len(left) > 0 {
				half++
			}
		}
		faulttest.Age(t, dir)
		if n%3 == 0 || now == tables["new"] {
			faulttest.Run(t, sweepTo("old", file), 0)
			if names := faulttest.Entries(dir); content() != tables["old"] || len(names) != 1 {
				t.Fatalf("the next sweep leaves %q", names)
			}
		}
	}
	t.Logf("a sweep takes up to %v; %d of %d kills left half a table, which the next sweep removed", whole.Round(time.Millisecond), half, killed)
	if half == 0 {
		t.Error("no kill came in the middle of writing: the test shows nothing")
	}
}

// TestSweepOntoAFullDisk: the old table stays, nothing is left, and the message says what to do.
func TestSweepOntoAFullDisk(t *testing.T) {
	dir := faulttest.SmallDisk(t, "8m")
	file := filepath.Join(dir, "table.csv")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	room := faulttest.Fill(t, dir, 100_000)
	if out := faulttest.Run(t, sweepTo("new", file), exitFailed); !strings.Contains(out, "no space left on device; choose a folder that can be written and has room") {
		t.Error(out)
	}
	room()
	if data, err := os.ReadFile(file); err != nil || string(data) != "old" || len(faulttest.Entries(dir)) != 1 {
		t.Errorf("%q, %v, left %q", data, err, faulttest.Entries(dir))
	}
	faulttest.ReadOnly(t, dir)
	if out := faulttest.Run(t, sweepTo("new", file), exitFailed); !strings.Contains(out, "read-only file system; choose a folder that can be written") {
		t.Error(out)
	}
}
