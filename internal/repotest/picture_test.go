package repotest

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the pictures of the README")

// pictures are the README's pictures, and the files of the report that they are.
var pictures = map[string]string{
	"phase-map.svg":      "assets/index/fig-phase.svg",
	"phase-map-dark.svg": "assets/index/fig-phase.dark.svg",
}

// TestReadmePicture builds the front page of the report and compares its first figure with the picture of the README.
func TestReadmePicture(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("builds the report, which takes seconds; leave out -short")
	}
	site := filepath.Join(t.TempDir(), "site")
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/genreport", "build", "--only", "about", "--out", site,
		"--cache", "off")
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("genreport build: %v\n%s", err, out)
	}
	for name, source := range pictures {
		drawn, err := os.ReadFile(filepath.Join(site, filepath.FromSlash(source)))
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.Join(root(t), "docs", "images", name)
		if *update {
			if err := os.WriteFile(name, drawn, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(kept, drawn) {
			t.Errorf("%s is not what the report draws (%d bytes, drawn %d): look at both, then run make golden", name, len(kept),
				len(drawn))
		}
	}
}
