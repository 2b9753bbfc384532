// Package npmtest finds the packages of npm that tests use. They are pinned by a package-lock.json in a folder, and
// internal/setup/npm.sh installs them, outside of the tests.
package npmtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// Modules returns the folder node_modules with the packages that are pinned in a folder. If a file is missing, the
// test is skipped, or fails if CI=true.
func Modules(t testing.TB, pinned, file string) string {
	t.Helper()
	folder, err := installed(pinned)
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, file))
	}
	if err == nil {
		return folder
	}
	format := "no packages of " + pinned + " (%v): run make setup"
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, err)
	}
	t.Skipf(format, err)
	return ""
}

// installed is the folder that npm.sh names after the checksum of the lock file.
func installed(pinned string) (string, error) {
	lock, err := os.Open(filepath.Join(pinned, "package-lock.json"))
	if err != nil {
		return "", err
	}
	defer lock.Close()
	cmd := exec.Command("cksum")
	cmd.Stdin = lock
	sum, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("cksum: %w", err)
	}
	store, err := Store()
	if err != nil {
		return "", err
	}
	return filepath.Join(store, "npm-"+strings.Join(strings.Fields(string(sum)), "-"), "node_modules"), nil
}

// Store is the folder into which the scripts of internal/setup install programs for tests.
func Store() (string, error) {
	if store := os.Getenv("XDG_CACHE_HOME"); store != "" {
		return filepath.Join(store, "siegebook"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".cache", "siegebook"), err
}

// CheckLock checks that a lock file names no registry, so that users choose their own, and that it has these packages
// with their versions.
func CheckLock(t testing.TB, pinned string, versions map[string]string) {
	t.Helper()
	lock := must.Get(os.ReadFile(filepath.Join(pinned, "package-lock.json")))
	if strings.Contains(string(lock), `"resolved"`) {
		t.Errorf("%s/package-lock.json says from where its packages came: write it with npm install "+
			"--omit-lockfile-registry-resolved", pinned)
	}
	for name, version := range versions {
		if !strings.Contains(string(lock), fmt.Sprintf("%q: %q", name, version)) {
			t.Errorf("%s/package-lock.json has no %s at version %s", pinned, name, version)
		}
	}
}
