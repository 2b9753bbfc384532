package main

import (
	"archive/zip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstalled installs the program from a proxy of modules, as somebody without a clone does, and builds a folder
// with it in an empty environment: the first time from that proxy, then without any.
func TestInstalled(t *testing.T) {
	if testing.Short() {
		t.Skip("installs the program and builds the kernel, which takes minutes; leave out -short")
	}
	settings := goSettings(t)
	work, proxy := t.TempDir(), t.TempDir()
	writeModule(t, filepath.Join(proxy, ownModule, "@v"), "v0.9.0")
	downloaded := "file://" + filepath.Join(settings["GOMODCACHE"], "cache", "download")
	modules := filepath.Join(t.TempDir(), "modules")
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", modules).Run() })
	env := []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + work, "GOCACHE=" + settings["GOCACHE"], "GOMODCACHE=" + modules,
		"GOSUMDB=off", "GOBIN=" + filepath.Join(work, "bin"), "GOFLAGS=-trimpath",
	}
	do := func(goProxy string, line ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), line[0], line[1:]...)
		cmd.Dir, cmd.Env = work, append(env[:len(env):len(env)], "GOPROXY="+goProxy)
		text, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", line, err, text)
		}
		return string(text)
	}
	online := strings.Join([]string{"file://" + proxy, downloaded, settings["GOPROXY"]}, ",")
	do(online, "go", "install", ownModule+"/cmd/genreport@v0.9.0")
	program := filepath.Join(work, "bin", "genreport")
	do(online, program, "new", "book")
	if said := do(online, program, "build", "book", "--out", "out"); !strings.Contains(said,
		"ran the cells of 2 of 2 pages") {
		t.Errorf("it says %s", said)
	}
	page := filepath.Join(work, "book", "01-first-page.md")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte(strings.ReplaceAll(string(text), "odd(10)", "odd(12)")), 0o600); err != nil {
		t.Fatal(err)
	}
	if said := do("off", program, "build", "book", "--out", "out"); !strings.Contains(said,
		"ran the cells of 1 of 2 pages") {
		t.Errorf("offline it says %s", said)
	}
	if made, err := os.ReadFile(filepath.Join(work, "out", "01-first-page.html")); err != nil ||
		!strings.Contains(string(made), "add up to 144.") {
		t.Errorf("the page has no new value, error %v", err)
	}
}

// writeModule writes this module into the folder of a proxy, as it is in the repository now.
func writeModule(t *testing.T, dir, version string) {
	t.Helper()
	repo, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("git", "ls-files", "--cached", "--others", "--exclude-standard")
	list.Dir = repo
	names, err := list.Output()
	if err != nil {
		t.Skipf("no git, or no repository: %v", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	archive, err := os.Create(filepath.Join(dir, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	defer archive.Close()
	zipped := zip.NewWriter(archive)
	for name := range strings.FieldsSeq(string(names)) {
		data, err := os.ReadFile(filepath.Join(repo, name))
		if err != nil || strings.HasPrefix(name, "examples/continued-fractions/") { // gone, or another module
			continue
		}
		file, err := zipped.Create(ownModule + "@" + version + "/" + name)
		if err == nil {
			_, err = file.Write(data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := zipped.Close(); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile(filepath.Join(repo, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"list": version + "\n", version + ".info": `{"Version": "` + version + `"}`, version + ".mod": string(mod),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
