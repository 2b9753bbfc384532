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

// moduleOfTest is the module that the tests' proxy serves, once as paper and once as ink. A cell imports a package that
// needs paper. ink is needed only by another package. To build the cell, Go needs ink's go.mod in a workspace, but not
// in the repository.
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

// moduleProxy serves paper and ink, and counts its requests.
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

// compiled reports whether the build cache contains the package that cells import, compiled with the settings of cells.
func compiled(t *testing.T, repo string) bool {
	t.Helper()
	cmd := exec.Command("go", "build", "-n", "./show") // only prints the commands
	cmd.Dir = repo
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="+cellFlags)
	out, err := cmd.CombinedOutput()
	return err == nil && !strings.Contains(string(out), "-p example.com/book/show ")
}

// TestSetupGetsModules checks that Setup compiles the packages that cells import. If nothing is missing, Setup makes no
// requests and writes nothing. Setup does not report errors in the source of a package. The script
// cmd/genreport/testdata/fresh/emptied.txtar empties the module cache.
func TestSetupGetsModules(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the Go toolchain many times; leave out -short")
	}
	needGo(t)
	repo := fakeModule(t)
	for name, imported := range map[string]string{"show": "paper", "other": "ink"} {
		must.Write(t, filepath.Join(repo, name, name+".go"),
			"package "+name+"\n\nimport _ \"example.com/"+imported+"\"\n")
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
	t.Setenv("GOFLAGS", "-mod=mod") // Go rejects this flag in a workspace
	full := emptyModuleCache(t)
	if compiled(t, repo) {
		t.Error("the package is compiled before: the test shows nothing")
	}
	o := SetupOptions{
		Repo: repo, Dir: filepath.Join(t.TempDir(), "kernels", ProjectKernel), Imports: []string{"./show/..."},
	}
	must.Get(Setup(t.Context(), o))
	if !compiled(t, repo) {
		t.Error("the package is not compiled: a cell would have to do it in its time")
	}
	before := asked.Load()
	must.Get(Setup(t.Context(), o))
	if now := asked.Load(); now != before || now == 0 {
		t.Errorf("the proxy was asked %d times, then %d times more", before, now-before)
	}
	must.Do(t, exec.Command("chmod", "-R", "a-w", full).Run())
	files := "file://" + filepath.Join(full, "cache", "download")
	for _, proxy := range []string{"off", "http://127.0.0.1:1", files} {
		t.Setenv("GOPROXY", proxy)
		must.Get(Setup(t.Context(), o))
	}
	emptyModuleCache(t)
	must.Get(Setup(t.Context(), o)) // the modules now come from files
	for _, text := range []string{"package show\n\nimport _ \"example.com/none\"\n", "package show\n\nimport x\n"} {
		must.Write(t, filepath.Join(repo, "show", "draft.go"), text)
		if _, err := Setup(t.Context(), o); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}
