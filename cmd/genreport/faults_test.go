package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/faulttest"
	"github.com/siegebook/siegebook/internal/must"
	"github.com/siegebook/siegebook/internal/waittest"
)

// yard is a folder in which the test builds the toy report and kills the processes that build it.
type yard struct {
	*testing.T
	dir, cache string
	built      map[string]string // SHA256SUMS of each kind of report, or the file itself
}

// A and B are two reports that tests build alternately. Nearly all of their files differ.
var blocksOf, other = map[string]string{"A": "3", "B": "4"}, map[string]string{"A": "B", "B": "A"}

// newYard returns an empty yard. All yards share a cache, which soon contains both reports.
func newYard(t *testing.T) *yard {
	return &yard{t, t.TempDir(), filepath.Join(testCacheFolder, "yards"), map[string]string{}}
}

// command builds one of the reports into a target: out/ for a folder, or a single file.
func (y *yard) command(which, target string) *exec.Cmd {
	flag := map[bool]string{true: "--single", false: "--out"}[strings.HasSuffix(target, ".html")]
	return exec.Command("toyreport", "build", "--notebooks", "off", "--cache", y.cache, "--blocks", blocksOf[which],
		flag, filepath.Join(y.dir, target))
}

// prepare builds both reports once, so that their files are known and in the cache, and leaves A in place.
func (y *yard) prepare(target string) {
	y.Helper()
	for _, which := range []string{"B", "A"} {
		faulttest.Run(y, y.command(which, target), 0)
		y.built[which] = y.content(target)
	}
	if y.built["A"] == y.built["B"] {
		y.Fatal("the two reports are the same: nothing would be shown")
	}
}

// content returns the content of the single file, or the checked sums of a folder.
func (y *yard) content(target string) string {
	y.Helper()
	if strings.HasSuffix(target, ".html") {
		return string(must.Get(os.ReadFile(filepath.Join(y.dir, target))))
	}
	return checkSums(y, filepath.Join(y.dir, target))
}

// checkSums checks that a folder contains exactly the files listed in its SHA256SUMS, unchanged, and returns the sums.
func checkSums(t testing.TB, dir string) string {
	t.Helper()
	sums := must.Get(os.ReadFile(filepath.Join(dir, "SHA256SUMS")))
	listed := map[string]bool{"SHA256SUMS": true}
	for line := range strings.Lines(string(sums)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		data, err := os.ReadFile(filepath.Join(dir, name))
		if got := sha256.Sum256(data); err != nil || hex.EncodeToString(got[:]) != sum {
			t.Fatalf("%s is not what SHA256SUMS says (%v)", name, err)
		}
		listed[name] = true
	}
	for name := range readTree(t, dir) {
		if !listed[name] {
			t.Fatalf("%s is not in SHA256SUMS", name)
		}
	}
	return string(sums)
}

// reportName returns the name of the report in the target, which must be complete.
func (y *yard) reportName(target string) string {
	y.Helper()
	content := y.content(target)
	for name, built := range y.built {
		if content == built {
			return name
		}
	}
	y.Fatal("there is neither the old report nor the new one")
	return ""
}

// onlyTarget checks that the folder of the yard contains only the report, and that the cache has no unfinished entry.
func (y *yard) onlyTarget(target string) {
	y.Helper()
	if left := faulttest.Entries(y.dir); !slices.Equal(left, []string{target}) {
		y.Errorf("left in the folder: %q", left)
	}
	if left := faulttest.Entries(filepath.Join(y.cache, "unfinished")); len(left) > 0 {
		y.Errorf("left in the cache: %q", left)
	}
}

// heals checks that the next build succeeds and removes everything that an earlier build left behind.
func (y *yard) heals(which, target string) {
	y.Helper()
	faulttest.Run(y, y.command(which, target), 0)
	if got := y.reportName(target); got != which {
		y.Fatalf("the next build left %s", got)
	}
	y.onlyTarget(target)
}

// TestKilledBuilds kills builds at moments from the first to the last, with and without a cache. Each time, the old or
// the new report must be complete, and the next build must remove what is left of the killed one, whatever the time is.
func TestKilledBuilds(t *testing.T) {
	const target = "site"
	wanted := 50
	if testing.Short() {
		wanted = 8
	}
	y := newYard(t)
	y.prepare(target)
	y.cache = filepath.Join(t.TempDir(), "cache")
	// whole is the duration of a build, and writing is the duration of its writing in polls. Both shrink when a kill
	// comes too late.
	whole, writing := 400*time.Millisecond, 300
	random := rand.New(rand.NewPCG(1, uint64(wanted)))
	tally := map[string]int{}
	begin := time.Now()
	for n := 0; tally["killed"] < wanted || tally["while writing, the old report"] == 0; n++ {
		if time.Since(begin) > 2*waittest.Patience {
			t.Fatalf("too few kills come in time: %v", tally)
		}
		if n%8 == 0 {
			must.Do(t, os.RemoveAll(y.cache))
		}
		old := y.reportName(target)
		when, moment := faulttest.After(whole*time.Duration(n%wanted)/time.Duration(wanted)), "at some time"
		if n%2 == 0 { // kill during writing, which is short
			when, moment = y.writing(target, random.IntN(writing)), "while writing"
		}
		begin := time.Now()
		out := faulttest.Signal(t, y.command(other[old], target), syscall.SIGKILL, when)
		now := y.reportName(target)
		switch {
		case !out.Killed && (out.Code != 0 || now == old):
			t.Fatalf("a build that was not killed: exit code %d, left %s: %s", out.Code, now, out.Output)
		case !out.Killed && n%2 == 0:
			writing = max(writing*3/4, 1)
		case !out.Killed:
			whole = min(whole, time.Since(begin))
		default:
			tally[moment+", "+map[bool]string{true: "the old report", false: "the new report"}[now == old]]++
			tally["killed"]++
		}
		if n%4 == 0 {
			faulttest.Age(t, y.dir)
			faulttest.Age(t, y.cache)
			y.heals(other[old], target)
		}
	}
	y.heals("A", target)
	t.Logf("a build takes up to %v; %v", whole.Round(time.Millisecond), tally)
}

// writing returns a condition that holds a moment after a build has begun to write. An empty file or folder does not
// count, because a build first tests whether it can write.
func (y *yard) writing(target string, moment int) func() bool {
	begun, leftovers := false, faulttest.Entries(y.dir)
	return func() bool {
		begun = begun || slices.ContainsFunc(faulttest.Entries(y.dir), func(name string) bool {
			if !strings.HasPrefix(name, "."+target+".siegebook-") || slices.Contains(leftovers, name) {
				return false
			}
			name = filepath.Join(y.dir, name)
			info, err := os.Lstat(name)
			if err == nil && info.IsDir() {
				_, err = os.Lstat(filepath.Join(name, "next"))
			}
			return err == nil && info.Size() > 0
		})
		moment--
		if !begun {
			moment++
		}
		return begun && moment < 0
	}
}

// TestKilledLessons kills builds while a notebook's program is built and runs. The old report must stay, or the new one
// must be there if the kill came after the last rename. No process or temporary folder may be left, and the next build
// must run the notebook.
func TestKilledLessons(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a notebook, and kills processes")
	}
	y := newYard(t)
	y.prepare("site")
	course, temp := t.TempDir(), t.TempDir()
	copyCourse(t, course)
	notebooks := filepath.Join(course, "notebooks")
	must.Write(t, filepath.Join(notebooks, "01-battle.ipynb"), shortNotebook)
	mark := "SIEGEBOOK_KILLED=" + temp
	build := func() *exec.Cmd {
		cmd := exec.Command("toyreport", "build", "--notebooks", notebooks, "--lessons", "run", "--only", "lesson",
			"--cache", filepath.Join(course, "cache"), "--blocks", blocksOf["A"], "--out", filepath.Join(y.dir, "site"))
		cmd.Env = append(os.Environ(), mark, "TMPDIR="+temp)
		return cmd
	}
	kills, delay, reports := 0, 25*time.Millisecond, map[string]time.Duration{}
	for ; ; delay *= 2 {
		if out := faulttest.Signal(t, build(), syscall.SIGKILL, faulttest.After(delay)); !out.Killed {
			// The number would be 0 if a killed build had kept its results.
			if out.Code != 0 || !strings.Contains(out.Output, " of 1 notebook") {
				t.Fatalf("the build that was not killed: exit code %d: %s", out.Code, out.Output)
			}
			break
		}
		kills++
		reports[y.content("site")] = delay
		if !waittest.Comes(func() bool { return len(processesWith(mark)) == 0 }) {
			t.Fatalf("killed after %v, the build left %s", delay, processesWith(mark))
		}
	}
	t.Logf("%d builds killed, the last of them at most %v after it began", kills, delay.Round(time.Millisecond))
	if kills < 3 {
		t.Errorf("only %d kills came in time", kills)
	}
	if left := faulttest.Entries(temp); len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %q", left)
	}
	y.built["new"] = y.content("site")
	for content, delay := range reports {
		if content != y.built["A"] && content != y.built["new"] {
			t.Errorf("killed after %v, the build left neither the old report nor the new one", delay)
		}
	}
	y.onlyTarget("site")
}

// TestInterruptedBuilds sends Ctrl-C. It expects exit code 130, the old report, and no leftover files.
func TestInterruptedBuilds(t *testing.T) {
	const target = "site"
	y := newYard(t)
	y.prepare(target)
	interrupted, tries := 0, 0
	for begin := time.Now(); tries < 8 || interrupted == 0; tries++ {
		if time.Since(begin) > waittest.Patience {
			t.Fatal("no build was interrupted")
		}
		old := y.reportName(target)
		out := faulttest.Signal(t, y.command(other[old], target), syscall.SIGINT, y.writing(target, 5*(tries%8)))
		now := y.reportName(target)
		switch {
		case out.Killed:
			t.Fatal("the signal was not caught")
		case out.Code == 130 && now == old:
			interrupted++
		case out.Code != 0 || now == old:
			t.Fatalf("exit code %d, the old report: %v: %s", out.Code, now == old, out.Output)
		}
		y.onlyTarget(target)
	}
	t.Logf("%d of %d interrupted before the report was in place", interrupted, tries)
}

// TestBuildsAtOnce builds two reports into one place at the same time. Both must succeed, and one of the reports must
// be there and complete.
func TestBuildsAtOnce(t *testing.T) {
	for _, target := range []string{"site", "report.html"} {
		y := newYard(t)
		y.prepare(target)
		for range 2 {
			var group sync.WaitGroup
			for _, which := range []string{"A", "B", "A"} {
				group.Go(func() {
					if out, err := y.command(which, target).CombinedOutput(); err != nil {
						t.Errorf("%s: %v: %s", target, err, out)
					}
				})
			}
			group.Wait()
			y.reportName(target)
			y.onlyTarget(target)
		}
	}
}

// TestFullDisk checks that a full disk only prevents the new report from being written, and that a build succeeds as
// soon as there is room.
func TestFullDisk(t *testing.T) {
	for _, target := range []string{"site", "report.html"} {
		t.Run(target, func(t *testing.T) {
			y := newYard(t)
			y.dir = faulttest.SmallDisk(t, "8m")
			y.prepare(target)
			for _, leave := range []int{0, 4_000, 100_000} {
				room := faulttest.Fill(t, y.dir, leave)
				if target != "site" && leave > 4_000 { // the toy report in a single file is small
					room()
					continue
				}
				out := faulttest.Run(t, y.command("B", target), 1)
				if !strings.Contains(out, "no space left on device; make room, or name another place") {
					t.Errorf("with %d bytes left: %s", leave, out)
				}
				room()
				if y.reportName(target) != "A" {
					t.Error("the old report is gone")
				}
				y.onlyTarget(target)
			}
			y.heals("B", target)
		})
	}
}

// TestReadOnlyDisk checks that on a read-only disk the existing report can still be checked.
func TestReadOnlyDisk(t *testing.T) {
	y := newYard(t)
	y.dir = faulttest.SmallDisk(t, "8m")
	for _, target := range []string{"site", "report.html"} {
		y.prepare(target)
	}
	faulttest.ReadOnly(t, y.dir)
	for target, flag := range map[string]string{"site": "--out", "report.html": "--single"} {
		if out := faulttest.Run(t, y.command("B", target), 1); !strings.Contains(out,
			"read-only file system; name a place that you can write to") {
			t.Errorf("%s: %s", target, out)
		}
		check := exec.Command("toyreport", "check", flag, filepath.Join(y.dir, target), "--cache", y.cache)
		if out := faulttest.Run(t, check, 0); !strings.Contains(out, "is identical to a new build") {
			t.Errorf("%s: %s", target, out)
		}
	}
}
