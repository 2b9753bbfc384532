package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/command"
)

// TestCheckComputes: what a cache says wrongly, with the right checksum, build believes and check finds.
func TestCheckComputes(t *testing.T) {
	withToys(t)
	dir := t.TempDir()
	folder, site := filepath.Join(dir, "cache"), filepath.Join(dir, "site")
	must := func(want int, args ...string) string {
		t.Helper()
		args = append(args, "--cache", folder, "--notebooks", "off")
		code, stdout, stderr := run(t.Context(), args...)
		if code != want {
			t.Fatalf("%q: exit code %d: %s%s", args, code, stdout, stderr)
		}
		return stdout
	}
	must(0, "build", "--out", site)
	entries, _ := filepath.Glob(filepath.Join(folder, "k-report-*", "*", "*"))
	if len(entries) != 1 {
		t.Fatalf("%d reports in the cache", len(entries))
	}
	if err := os.Remove(entries[0]); err != nil {
		t.Fatal(err)
	}
	forged := 0
	for name, entry := range readTree(t, filepath.Join(folder, "k-mathml")) {
		path := filepath.Join(folder, "k-mathml", name)
		forged += forge(t, path, entry, regexp.MustCompile(`mi\\u003ex\\u003c/mi`), `mi\u003ey\u003c/mi`)
	}
	if forged == 0 {
		t.Fatal("there is no formula with an x")
	}
	must(0, "build", "--out", site)
	if listed := must(1, "check", "--out", site); !strings.Contains(listed, "different: toy-rules.html") {
		t.Error(listed)
	}
	must(0, "check", "--out", site, "--trust-cache")
}

// forge replaces something in an entry of the cache, as somebody would who knows its layout, and returns how often.
func forge(t *testing.T, path string, entry []byte, find *regexp.Regexp, by string) int {
	t.Helper()
	const magic = "siegebook cache 1\n"
	sum := len(magic) + sha256.Size
	key, err := hex.DecodeString(filepath.Base(filepath.Dir(path)) + filepath.Base(path))
	if err != nil || !bytes.HasPrefix(entry, []byte(magic)) {
		t.Fatalf("%s: no entry, %v", path, err)
	}
	found := len(find.FindAll(entry[sum:], -1))
	value := find.ReplaceAll(entry[sum:], []byte(by))
	checksum := sha256.Sum256(slices.Concat(key, value))
	if err := os.WriteFile(path, slices.Concat([]byte(magic), checksum[:], value), 0o644); err != nil {
		t.Fatal(err)
	}
	return found
}

// TestForeignCache: a folder that others could put something into is refused if it was named, and left alone if not.
func TestForeignCache(t *testing.T) {
	withToys(t)
	dir := t.TempDir()
	planted := filepath.Join(dir, "siegebook", kernelFolder, "kernels", "siegebook", "bin", "gonb")
	if err := os.MkdirAll(filepath.Dir(planted), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(planted, []byte("#!/bin/sh\ntouch owned\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	build := []string{"build", "--out", filepath.Join(dir, "site"), "--notebooks", "off"}
	named := append(slices.Clone(build), "--cache", filepath.Join(dir, "siegebook"))
	if code, _, stderr := run(t.Context(), named...); code != 0 {
		t.Fatalf("a folder of one's own: exit code %d, %s", code, stderr)
	}
	for what, mode := range map[string]os.FileMode{
		"siegebook": 0o777, "siegebook/jupyter/kernels": 0o757,
		"siegebook/jupyter/kernels/siegebook/bin/gonb": 0o777,
	} {
		path := filepath.Join(dir, filepath.FromSlash(what))
		before, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		t.Setenv("XDG_CACHE_HOME", dir)
		for _, verb := range []string{"build", "check", "serve"} {
			args := slices.Clone(named)
			if args[0] = verb; verb == "serve" {
				args = append([]string{"serve"}, args[3:]...)
			}
			code, _, stderr := run(t.Context(), args...)
			if want := "genreport: --cache: others may write to " + path +
				", and so put wrong results and programs there: chmod go-w it, or name another folder, or " +
				"off\n"; code != 1 || stderr != want {
				t.Errorf("%s, %s: exit code %d, %s", what, verb, code, stderr)
			}
		}
		if what == "siegebook" {
			code, stdout, stderr := run(t.Context(), build...)
			if code != 0 || !strings.HasPrefix(stderr, "genreport: warning: going on without a cache, which takes "+
				"longer: others may write to "+path) {
				t.Errorf("%s, not named: exit code %d, %s%s", what, code, stdout, stderr)
			}
		}
		if err := os.Chmod(path, before.Mode()); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat("owned"); err == nil {
		t.Error("a planted program was run")
	}
}

// TestForeignCacheOfRuns: notebooks run by hand do not start what others could have put into the cache either.
func TestForeignCacheOfRuns(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", dir)
	folder := filepath.Join(dir, "siegebook")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	files, err := notebookFiles{Files: []string{filepath.Join("..", "..", "notebooks",
		"01-battle-by-hand.ipynb")}}.read()
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range []os.FileMode{0o755, 0o777} {
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		var warnings strings.Builder
		k := kernels{streams: command.Streams{Err: &warnings}, own: map[string]ownKernel{}}
		if _, err := k.of(files[0]); err != nil {
			t.Fatal(err)
		}
		k.close()
		if got, want := strings.Contains(warnings.String(), "others may write to "+folder), mode == 0o777; got != want {
			t.Errorf("mode %o: %q", mode, warnings.String())
		}
	}
}
