package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// checkers returns the folder in which npm.sh has installed axe-core and html-validate. Where there is none the test
// ends: skipped, or failed if CI=true.
func checkers(t *testing.T) string {
	t.Helper()
	folder, err := checkersFolder()
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, "node_modules", "axe-core", "axe.min.js"))
	}
	if err == nil {
		return folder
	}
	const format = "no axe-core and html-validate (%v): run make setup"
	if os.Getenv("CI") == "true" {
		t.Fatalf(format, err)
	}
	t.Skipf(format, err)
	return ""
}

// checkersFolder is the folder that npm.sh names after the checksum of the lock file.
func checkersFolder() (string, error) {
	lock, err := os.Open(filepath.Join("npm", "package-lock.json"))
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
	store := os.Getenv("XDG_CACHE_HOME")
	if store == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		store = filepath.Join(home, ".cache")
	}
	return filepath.Join(store, "siegebook", "npm-"+strings.Join(strings.Fields(string(sum)), "-")), nil
}

// TestLockFileNamesNoHost: whoever installs the checkers takes them from the registry of their own choice.
func TestLockFileNamesNoHost(t *testing.T) {
	lock, err := os.ReadFile(filepath.Join("npm", "package-lock.json"))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(lock), `"resolved"`) {
		t.Error("npm/package-lock.json says from where its packages came: write it with npm install --omit-lockfile-registry-resolved")
	}
	for _, pinned := range []string{`"axe-core": "4.14.1"`, `"html-validate": "10.9.0"`, `"subset-font": "2.9.0"`, `"@fontsource/stix-two-math": "5.3.0"`} {
		if !strings.Contains(string(lock), pinned) {
			t.Errorf("npm/package-lock.json has no %s", pinned)
		}
	}
}
