package jupyter

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestSetupAtOnce: several who set up one kernel wait for one another, the first builds it, and what a killed one has
// left is gone.
func TestSetupAtOnce(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no Go toolchain on the PATH")
	}
	t.Setenv("GOFLAGS", "-buildvcs=false")
	t.Setenv("GOPROXY", "off")
	data := t.TempDir()
	o := SetupOptions{Repo: fakeModule(t), Dir: filepath.Join(data, "kernels", ProjectKernel)}
	left := filepath.Join(data, ".siegebook-kernel.siegebook-part-17", "new", "bin")
	if err := os.MkdirAll(left, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(filepath.Dir(left)), ".lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(left, time.Time{}, time.Now().AddDate(90, 0, 0)); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			if spec, err := Setup(t.Context(), o); err != nil || spec.DisplayName != ProjectKernelTitle {
				t.Errorf("%+v, %v", spec, err)
			}
		})
	}
	group.Wait()
	if entries, err := os.ReadDir(data); err != nil || len(entries) != 1 {
		t.Errorf("left beside the kernels: %v, error %v", entries, err)
	}
}
