package jupyter

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/goproxytest"

	"github.com/siegebook/siegebook/internal/must"
)

// moduleOfTest is what the proxy of the tests has, once as paper and once as ink. A cell imports a package that needs
// paper; only another package needs ink. In the repository Go does not read the go.mod of ink for the sake of a cell,
// and in a workspace it does.
const moduleOfTest = `module example.com/%[1]s@v1.0.0
-- .mod --
module example.com/%[1]s
go 1.26.0
-- .info --
{"Version":"v1.0.0"}
-- go.mod --
module example.com/%[1]s
go 1.26.0
-- %[1]s.go --
package %[1]s
`

// moduleProxy serves these modules and counts how often it is asked.
func moduleProxy(t *testing.T) (address string, asked *atomic.Int64) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"paper", "ink"} {
		must.Write(t, filepath.Join(dir, "example.com_"+name+"_v1.0.0.txtar"), fmt.Sprintf(moduleOfTest, name))
	}
	server := must.Get(goproxytest.NewServer(dir, "127.0.0.1:0"))
	t.Cleanup(server.Close)
	target := must.Get(url.Parse(server.URL))
	asked = new(atomic.Int64)
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(&url.URL{Scheme: target.Scheme, Host: target.Host}) },
	}
	counting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(counting.Close)
	return counting.URL + target.Path, asked
}

// emptyModuleCache makes Go use a new module cache.
func emptyModuleCache(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("GOMODCACHE", dir)
	t.Cleanup(func() { _ = exec.Command("chmod", "-R", "u+w", dir).Run() })
	return dir
}

// buildCell does what gonb does for a cell that imports a package of the repository: without a proxy, in a workspace.
func buildCell(t *testing.T, repo string) error {
	t.Helper()
	dir := t.TempDir()
	for _, args := range [][]string{
		{"mod", "init", "cell"},
		{"work", "init"},
		{"work", "use", repo, "."},
		{"get"},
		{"build", "-o", "cell", "."},
	} {
		if args[0] == "get" {
			must.Write(t, filepath.Join(dir, "main.go"), "package main\n\nimport _ "+
				"\"example.com/book/show\"\n\nfunc main() {}\n")
		}
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off", "GOSUMDB=off", "GOFLAGS=-buildvcs=false", "GOWORK=")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Logf("go %s: %s", strings.Join(args, " "), out)
			return err
		}
	}
	return nil
}

// compiled says whether the build cache has the package that cells import, as cells build it.
func compiled(t *testing.T, repo string) bool {
	t.Helper()
	cmd := exec.Command("go", "build", "-n", "./show") // tells what it would do
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+cellFlags)
	out, err := cmd.CombinedOutput()
	return err == nil && !strings.Contains(string(out), "-p example.com/book/show ")
}

// TestSetupGetsModules: an emptied module cache is filled again, also where the kernel is in place, by the user's own
// settings; if all is there, nobody is asked; and what cannot be had is said in one line.
func TestSetupGetsModules(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	needGo(t)
	repo := fakeModule(t)
	for name, imported := range map[string]string{"show": "paper", "other": "ink"} {
		must.Do(t, os.MkdirAll(filepath.Join(repo, name), 0o755))
		text := "package " + name + "\n\nimport _ \"example.com/" + imported + "\"\n"
		must.Write(t, filepath.Join(repo, name, name+".go"), text)
	}
	address, asked := moduleProxy(t)
	t.Setenv("GOPROXY", address)
	t.Setenv("GONOSUMDB", "example.com")
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "")
	emptyModuleCache(t)
	tidy := exec.Command("go", "get", "example.com/paper@v1.0.0", "example.com/ink@v1.0.0")
	tidy.Dir = repo
	if out, err := tidy.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Setenv("GOFLAGS", "-mod=mod") // which Go does not take in a workspace
	o := SetupOptions{
		Repo:    repo,
		Dir:     filepath.Join(t.TempDir(), "kernels", ProjectKernel),
		Imports: []string{"./show/..."},
	}
	check := func(when string) {
		t.Helper()
		if err := buildCell(t, repo); err != nil {
			t.Errorf("%s: a cell that imports the repository: %v", when, err)
		}
	}
	setup := func(when string) {
		t.Helper()
		if _, err := Setup(t.Context(), o); err != nil {
			t.Errorf("%s: %v", when, err)
		}
		check(when)
	}
	emptyModuleCache(t)
	if err := buildCell(t, repo); err == nil {
		t.Error("a cell is built without the modules: the test shows nothing")
	}
	if compiled(t, repo) {
		t.Error("the package is compiled before: the test shows nothing")
	}
	if _, err := Setup(t.Context(), o); err != nil {
		t.Error(err)
	}
	if !compiled(t, repo) {
		t.Error("the package is not compiled: a cell would have to do it in its time")
	}
	check("the first time")
	before := asked.Load()
	setup("with all in place")
	if now := asked.Load(); now != before || now == 0 {
		t.Errorf("the proxy was asked %d times, then %d times more", before, now-before)
	}
	full := emptyModuleCache(t)
	setup("the module cache was emptied")
	emptyModuleCache(t)
	if _, err := GetModules(t.Context(), o); err != nil {
		t.Error(err)
	}
	check("the module cache was emptied before a run")
	emptyModuleCache(t)
	if got := unmet(CheckSetup(t.Context(), o)); strings.Contains(got, "modules") {
		t.Errorf("checked: %s", got)
	}
	check("the module cache was emptied before a check")
	must.Do(t, exec.Command("chmod", "-R", "a-w", full).Run())
	t.Setenv("GOMODCACHE", full)
	for _, proxy := range []string{"off", "http://127.0.0.1:1", "file://" + filepath.Join(full, "cache", "download")} {
		t.Setenv("GOPROXY", proxy)
		setup("a full module cache that cannot be written, and GOPROXY=" + proxy)
	}
	emptyModuleCache(t)
	setup("a file proxy")
	for _, proxy := range []string{"off", "http://127.0.0.1:1"} {
		t.Setenv("GOPROXY", proxy)
		emptyModuleCache(t)
		_, err := Setup(t.Context(), o)
		const fix = "run it once with the network, or set GOPROXY to a proxy that has them"
		if err == nil || !strings.HasPrefix(err.Error(), "cannot get the modules that cells need: ") ||
			!strings.HasSuffix(err.Error(), fix) ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("nothing to be had: error %v", err)
		}
		if got := unmet(CheckSetup(t.Context(), o)); !strings.Contains(got, "MISSING  modules: cannot get") ||
			!strings.Contains(got, fix) {
			t.Errorf("nothing to be had: the check says %s", got)
		}
	}
	// The set-up does not report faults in the source of a package.
	t.Setenv("GOPROXY", address)
	for _, text := range []string{"package show\n\nimport _ \"example.com/none\"\n", "package show\n\nimport x\n"} {
		must.Write(t, filepath.Join(repo, "show", "draft.go"), text)
		if _, err := Setup(t.Context(), o); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
