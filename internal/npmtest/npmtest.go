// Package npmtest finds the npm packages and the gopls that tests use. The scripts npm.sh and gopls.sh in
// internal/setup install them before the tests. The package-lock.json in a folder pins the packages.
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

// Modules returns the folder node_modules with the packages that the lock file in the folder pinned specifies. If the
// given file is missing there, it skips the test, or fails it if CI=true.
func Modules(t testing.TB, pinned, file string) string {
	t.Helper()
	folder, err := installed(pinned)
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, file))
	}
	if err != nil {
		must.SkipMissing(t, "no packages of %s (%v): run make setup", pinned, err)
	}
	return folder
}

// installed returns the folder into which npm.sh installs the packages. Its name contains the checksum of the lock
// file.
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
	store, err := store()
	if err != nil {
		return "", err
	}
	return filepath.Join(store, "npm-"+strings.Join(strings.Fields(string(sum)), "-"), "node_modules"), nil
}

// GoplsOnPath puts the gopls that jupyter.Gopls names first on the PATH of a test. If that gopls is missing, it skips
// the test, or fails it if CI=true.
func GoplsOnPath(t *testing.T, gopls string) {
	t.Helper()
	store, err := store()
	_, version, _ := strings.Cut(gopls, "@")
	folder := filepath.Join(store, "gopls-"+version)
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, "gopls"))
	}
	if err != nil {
		must.SkipMissing(t, "no gopls for tests (%v): run make setup", err)
	}
	t.Setenv("PATH", folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// store returns the folder into which the scripts of internal/setup install programs for tests.
func store() (string, error) {
	if store := os.Getenv("XDG_CACHE_HOME"); store != "" {
		return filepath.Join(store, "siegebook"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".cache", "siegebook"), err
}

// CheckLock checks that a lock file names no registry, so that users choose their own, and that it pins the given
// versions of packages.
func CheckLock(t testing.TB, pinned string, versions map[string]string) {
	t.Helper()
	lock := must.Get(os.ReadFile(filepath.Join(pinned, "package-lock.json")))
	if strings.Contains(string(lock), `"resolved"`) {
		t.Errorf("%s/package-lock.json records where its packages came from: write it with npm install "+
			"--omit-lockfile-registry-resolved", pinned)
	}
	for name, version := range versions {
		if !strings.Contains(string(lock), fmt.Sprintf("%q: %q", name, version)) {
			t.Errorf("%s/package-lock.json has no %s at version %s", pinned, name, version)
		}
	}
}
