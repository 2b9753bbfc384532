package npmtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/must"
)

// TestInstalledWhereTheScriptPutsIt runs npm.sh with an npm that makes one file.
func TestInstalledWhereTheScriptPutsIt(t *testing.T) {
	bin, pinned := t.TempDir(), t.TempDir()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Setenv("PATH", bin+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for name, text := range map[string]string{
		filepath.Join(bin, "npm"): "#!/bin/sh\nmkdir -p node_modules/tool && echo \"$@\" " +
			">node_modules/tool/main.js\n",
		filepath.Join(bin, "node"):                 "#!/bin/sh\nexit 0\n",
		filepath.Join(pinned, "package.json"):      "{}",
		filepath.Join(pinned, "package-lock.json"): `{"tool": "1.0.0"}`,
	} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o755))
	}
	install := func() string {
		t.Helper()
		out, err := exec.CommandContext(t.Context(), "sh", filepath.Join("..", "setup", "npm.sh"), pinned, "a tool",
			"tool/main.js").CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	if out := install(); out != "installing a tool\n" {
		t.Errorf("at first: %q", out)
	}
	call, err := os.ReadFile(filepath.Join(Modules(t, pinned, "tool/main.js"), "tool", "main.js"))
	if err != nil || !strings.HasPrefix(string(call), "ci --ignore-scripts") {
		t.Errorf("npm %s, %v", call, err)
	}
	if out := install(); out != "" {
		t.Errorf("again: %q", out)
	}
	CheckLock(t, pinned, map[string]string{"tool": "1.0.0"})

	// A failed installation leaves no complete-looking folder, and later runs are not blocked.
	must.Write(t, filepath.Join(pinned, "package-lock.json"), `{"tool": "2.0.0"}`)
	must.Do(t, os.WriteFile(filepath.Join(bin, "npm"),
		[]byte("#!/bin/sh\nmkdir -p node_modules/tool\necho no registry >&2\nexit 1\n"), 0o755))
	if out := install(); out != "installing a tool\nno a tool (npm failed: no registry)\n" {
		t.Errorf("a failure: %q", out)
	}
	folder := must.Get(installed(pinned))
	if _, err := os.Stat(folder); err == nil {
		t.Error("a failure leaves its folder in place")
	}
}
