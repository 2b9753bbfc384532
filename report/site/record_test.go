package site

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// renewSums lists all files of a folder anew, as sha256sum does: a user's file too.
func renewSums(t *testing.T, dir string) {
	t.Helper()
	found, err := listFiles(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	all := Tree{}
	for _, name := range found {
		if name != sumsName {
			data, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			all[name] = data
		}
	}
	if err := os.WriteFile(filepath.Join(dir, sumsName), all.sums(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestPublishRefusesRenewedRecord: a file that its owner has listed in our record is not ours for that.
func TestPublishRefusesRenewedRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	renewSums(t, dir) // a record that says the same is the same
	mustPublish(t, dir, newTree)
	own := filepath.Join(dir, "CNAME")
	if err := os.WriteFile(own, []byte("example.org\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	renewSums(t, dir)
	for _, err := range []error{Folder{Dir: dir}.Check(t.Context()), Folder{Dir: dir}.Publish(t.Context(), oldTree)} {
		if want := "(SHA256SUMS) was changed since siegebook wrote it: move away what is yours, and build with --force"; !atomicfile.Refused(err) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("err = %v", err)
		}
	}
	if _, err := os.Stat(own); err != nil {
		t.Error(err)
	}
	wantNoLeftovers(t, dir)
	if diff, err := Check(dir, newTree); err != nil || listed(diff) != "extra: CNAME\ndifferent: SHA256SUMS\n" {
		t.Errorf("%v: %s", err, diff)
	}
	if err := os.Rename(own, filepath.Join(filepath.Dir(dir), "CNAME")); err != nil {
		t.Fatal(err)
	}
	if err := (Folder{Dir: dir, Force: true}).Publish(t.Context(), oldTree); err != nil {
		t.Error(err)
	}
	wantHolds(t, dir, oldTree)
}

// TestPublishKeepsLeftoversOfRenewedRecord: neither does a report that lies beside the target go with such a file.
func TestPublishKeepsLeftoversOfRenewedRecord(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	left := sibling(dir, "old-7")
	mustPublish(t, dir, oldTree)
	mustPublish(t, left, oldTree)
	own := filepath.Join(left, "CNAME")
	if err := os.WriteFile(own, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	renewSums(t, left)
	mustPublish(t, dir, newTree)
	if _, err := os.Stat(own); err != nil {
		t.Error(err)
	}
}

// TestPublishOverEarlierVersion: a record without a seal is that of an earlier version, which is replaced.
func TestPublishOverEarlierVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	earlier := maps.Clone(oldTree)
	earlier[markName] = []byte("This folder was written by siegebook. The next build replaces it and everything in it.\n")
	earlier[sumsName] = earlier.sums()
	for _, name := range slices.Sorted(maps.Keys(earlier)) {
		full := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(full), 0o755), os.WriteFile(full, earlier[name], 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	mustPublish(t, dir, oldTree)
	wantHolds(t, dir, oldTree)
}

// TestSha256sumReadsTheRecord: the record needs no tool of ours, and covers the mark.
func TestSha256sumReadsTheRecord(t *testing.T) {
	program, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	cmd := exec.CommandContext(t.Context(), program, "--strict", "--warn", "-c", sumsName)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Count(out, []byte(": OK\n")) != len(oldTree)+1 || bytes.Count(out, []byte("\n")) != len(oldTree)+1 {
		t.Errorf("%v: %s", err, out)
	}
}
