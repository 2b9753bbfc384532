//go:build unix

package site

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// wantRefusal checks that a folder is refused before the work, and after it.
func wantRefusal(t *testing.T, dir, want string) {
	t.Helper()
	for _, err := range []error{Folder{Dir: dir}.Check(t.Context()), Folder{Dir: dir}.Publish(t.Context(), newTree)} {
		if !atomicfile.Refused(err) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: err = %v", dir, err)
		}
	}
}

func TestPublishRefusesLongNames(t *testing.T) {
	base := t.TempDir()
	fits := filepath.Join(base, strings.Repeat("x", 228))
	for _, n := range []int{229, 230, 255, 256, 300} {
		wantRefusal(t, filepath.Join(base, strings.Repeat("x", n)), "give a shorter name")
	}
	mustPublish(t, fits, oldTree)
	mustPublish(t, fits, newTree)
	wantHolds(t, fits, newTree)
}

// TestPublishRefusesWorkingFolder: who works in a folder would stand in one that is gone.
func TestPublishRefusesWorkingFolder(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "site")
	mustPublish(t, dir, oldTree)
	link := filepath.Join(base, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, "assets"))
	for _, name := range []string{"..", dir, link, "../../site"} {
		wantRefusal(t, name, "is the one that you work in, or above it")
	}
	t.Chdir(dir)
	wantRefusal(t, ".", "is the one that you work in, or above it")
	wantHolds(t, dir, oldTree)
	t.Chdir(base)
	mustPublish(t, "site", newTree)
	wantHolds(t, dir, newTree)
}

// TestPublishRefusesMountPoint asks for a folder that is a mount point on nearly every Linux: nothing is to be written
// there.
func TestPublishRefusesMountPoint(t *testing.T) {
	const place = "/dev/shm"
	if mounts, err := os.ReadFile("/proc/self/mounts"); err != nil || !strings.Contains(string(mounts), " "+place+" ") {
		t.Skipf("nothing is mounted at %s on this %s", place, runtime.GOOS)
	}
	before, err := os.ReadDir(place)
	if err != nil {
		t.Skip(err)
	}
	// Without the check this is refused where the folder is not empty: so publishing is tried where no file can be
	// lost.
	err = Folder{Dir: place}.Check(t.Context())
	if !atomicfile.Refused(err) || !strings.Contains(err.Error(), "name a folder inside it, such as /dev/shm/site") {
		t.Errorf("err = %v, with %d files", err, len(before))
	}
}

// TestPublishRefusesFolderOfAnother: in a sticky folder nobody moves what is another's.
func TestPublishRefusesFolderOfAnother(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can play another user")
	}
	base := t.TempDir()
	shared := filepath.Join(base, "shared")
	dir := filepath.Join(shared, "site")
	program, err := os.ReadFile(os.Args[0])
	helper := filepath.Join(base, "helper")
	err = errors.Join(err, os.WriteFile(helper, program, 0o755), os.Chmod(base, 0o755), os.Chmod(filepath.Dir(base), 0o755),
		os.Mkdir(shared, 0o777), os.Chmod(shared, 0o777|os.ModeSticky), os.Mkdir(dir, 0o777), os.Chmod(dir, 0o777), os.Lchown(dir, 4711, 4711))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), helper, "-test.run=^TestHelperChecks$")
	cmd.Env = append(os.Environ(), "PUBLISH_TEST_CHECK="+dir, "TMPDIR="+shared)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 4713, Gid: 4713}}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, os.ErrPermission) {
		t.Skip(err) // the test itself is where others may not go
	}
	if !strings.Contains(string(out), "REFUSED: the output folder belongs to another user") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestHelperChecks is no test of its own: it asks for a folder as another user.
func TestHelperChecks(t *testing.T) {
	if dir := os.Getenv("PUBLISH_TEST_CHECK"); dir != "" {
		if err := (Folder{Dir: dir}).Check(t.Context()); atomicfile.Refused(err) {
			_, _ = io.WriteString(os.Stdout, "\nREFUSED: "+err.Error()+"\n")
		}
	}
}
