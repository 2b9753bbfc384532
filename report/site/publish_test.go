package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

var (
	oldTree = Tree{"index.html": []byte("old"), "assets/a/x.svg": []byte("<svg/>")}
	newTree = Tree{"index.html": []byte("new"), "rules.html": []byte("rules")}
)

func mustPublish(t *testing.T, dir string, tree Tree) {
	t.Helper()
	if err := (Folder{Dir: dir}).Publish(context.Background(), tree); err != nil {
		t.Fatal(err)
	}
}

// wantHolds checks that dir holds a tree exactly, and that nothing of ours is left beside it.
func wantHolds(t *testing.T, dir string, tree Tree) {
	t.Helper()
	diff, err := Check(dir, tree)
	if err != nil || !diff.Empty() {
		t.Errorf("%s differs (%v):\n%s", dir, err, diff)
	}
	wantNoLeftovers(t, dir)
}

func wantNoLeftovers(t *testing.T, dir string) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*siegebook*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestPublishReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "parent", "site")
	for _, tree := range []Tree{oldTree, newTree, newTree, {}, oldTree} {
		mustPublish(t, dir, tree)
		wantHolds(t, dir, tree)
	}
	sums, err := os.ReadFile(filepath.Join(dir, sumsName))
	if err != nil {
		t.Fatal(err)
	}
	// echo -n old | sha256sum
	if want := "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4  index.html\n"; !strings.Contains(string(sums), want) {
		t.Errorf("sums:\n%s", sums)
	}
}

func TestPublishIntoEmptyFolder(t *testing.T) {
	dir := t.TempDir()
	mustPublish(t, dir, newTree)
	wantHolds(t, dir, newTree)
}

func TestPublishBehindLink(t *testing.T) {
	base := t.TempDir()
	target, link := filepath.Join(base, "real"), filepath.Join(base, "link")
	mustPublish(t, target, oldTree)
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	mustPublish(t, link, newTree)
	wantHolds(t, target, newTree)
	if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
}

// TestPublishFailureKeepsTheOld lets the writing of each file fail in turn.
func TestPublishFailureKeepsTheOld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	full := errors.New("no space left on device")
	for n := range len(newTree.withSums()) {
		written := 0
		p := publication{write: func(root *os.Root, name string, data []byte) error {
			if written == n {
				return full
			}
			written++
			return writeFile(root, name, data)
		}}
		if err := p.publish(context.Background(), Folder{Dir: dir}, newTree); !errors.Is(err, full) {
			t.Fatalf("file %d: err = %v", n, err)
		}
		wantHolds(t, dir, oldTree)
	}
}

func TestPublishCancelledKeepsTheOld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	for name := range newTree.withSums() {
		ctx, cancel := context.WithCancel(context.Background())
		p := publication{write: func(root *os.Root, file string, data []byte) error {
			if file == name {
				cancel()
			}
			return writeFile(root, file, data)
		}}
		if err := p.publish(ctx, Folder{Dir: dir}, newTree); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at %s: err = %v", name, err)
		}
		wantHolds(t, dir, oldTree)
	}
}

func TestPublishRefusesForeignFolders(t *testing.T) {
	tests := map[string]func(dir string) error{
		"a folder of somebody's": func(dir string) error {
			return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "thesis.tex"), []byte("x"), 0o644))
		},
		"a folder in a folder": func(dir string) error { return os.MkdirAll(filepath.Join(dir, "empty"), 0o755) },
		"sums without the mark": func(dir string) error {
			return errors.Join(Folder{Dir: dir}.Publish(context.Background(), oldTree), os.Remove(filepath.Join(dir, markName)))
		},
		"damaged sums": func(dir string) error {
			return errors.Join(Folder{Dir: dir}.Publish(context.Background(), oldTree), os.WriteFile(filepath.Join(dir, sumsName), []byte("x\n"), 0o644))
		},
		"a file added to ours": func(dir string) error {
			return errors.Join(Folder{Dir: dir}.Publish(context.Background(), oldTree), os.WriteFile(filepath.Join(dir, "assets", "notes.txt"), []byte("x"), 0o644))
		},
		"a link added to ours": func(dir string) error {
			return errors.Join(Folder{Dir: dir}.Publish(context.Background(), oldTree), os.Symlink("/", filepath.Join(dir, "root")))
		},
		"a file": func(dir string) error { return os.WriteFile(dir, []byte("x"), 0o644) },
	}
	for name, prepare := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "site")
			if err := prepare(dir); err != nil {
				t.Fatal(err)
			}
			before, _ := listFiles(os.DirFS(dir))
			err := Folder{Dir: dir}.Publish(context.Background(), newTree)
			if err == nil || !strings.Contains(err.Error(), "site") || strings.Contains(err.Error(), "\n") {
				t.Errorf("err = %v", err)
			}
			if after, _ := listFiles(os.DirFS(dir)); strings.Join(after, " ") != strings.Join(before, " ") {
				t.Errorf("the folder changed: %v, before %v", after, before)
			}
			wantNoLeftovers(t, dir)
		})
	}
}

// TestPublishKeepsWhatCameMeanwhile: a file that appears in the old folder while the new one is written stops the
// build.
func TestPublishKeepsWhatCameMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	notes := filepath.Join(dir, "notes.txt")
	p := publication{write: func(root *os.Root, name string, data []byte) error {
		return errors.Join(writeFile(root, name, data), os.WriteFile(notes, []byte("x"), 0o644))
	}}
	if err := p.publish(context.Background(), Folder{Dir: dir}, newTree); err == nil {
		t.Error("published over a foreign file")
	}
	if _, err := os.Stat(notes); err != nil {
		t.Error(err)
	}
}

// TestPublishRefusesChangedFiles: what somebody has changed since we wrote it is his, until he lets it go.
func TestPublishRefusesChangedFiles(t *testing.T) {
	tests := map[string]func(page string) error{
		"an edit": func(page string) error { return os.WriteFile(page, []byte("my notes"), 0o644) },
		"a link": func(page string) error {
			equal := page + ".equal"
			moved := filepath.Join(filepath.Dir(filepath.Dir(page)), "equal")
			return errors.Join(os.Rename(page, equal), os.Rename(equal, moved), os.Symlink(moved, page))
		},
		"a folder": func(page string) error { return errors.Join(os.Remove(page), os.Mkdir(page, 0o755)) },
	}
	for name, change := range tests {
		dir := filepath.Join(t.TempDir(), "site")
		mustPublish(t, dir, oldTree)
		page := filepath.Join(dir, "index.html")
		if err := change(page); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(page)
		for _, err := range []error{Folder{Dir: dir}.Check(t.Context()), Folder{Dir: dir}.Publish(t.Context(), newTree)} {
			if !atomicfile.Refused(err) || !strings.Contains(err.Error(), "index.html, which was changed since siegebook wrote it: move it away, or build with --force") {
				t.Errorf("%s: err = %v", name, err)
			}
		}
		if after, err := os.Lstat(page); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s: the page is gone, %v", name, err)
		}
		wantNoLeftovers(t, dir)
		if err := (Folder{Dir: dir, Force: true}).Publish(t.Context(), newTree); err != nil {
			t.Errorf("%s: by force: %v", name, err)
		}
		wantHolds(t, dir, newTree)
	}
}

// TestPublishWithoutSomePages: a page that somebody has removed is no loss, and comes back.
func TestPublishWithoutSomePages(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	if err := os.RemoveAll(filepath.Join(dir, "assets")); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, dir, oldTree)
	wantHolds(t, dir, oldTree)
}

// TestPublishForceKeepsForeignFiles: force is for our pages, not for what we have not written.
func TestPublishForceKeepsForeignFiles(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	notes := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(notes, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (Folder{Dir: dir, Force: true}).Publish(t.Context(), newTree); !atomicfile.Refused(err) {
		t.Errorf("err = %v", err)
	}
	if _, err := os.Stat(notes); err != nil {
		t.Error(err)
	}
}

// TestPublishKeepsFoldersOfOurNames: a folder that is called like one of ours, beside the target, is not ours for that.
func TestPublishKeepsFoldersOfOurNames(t *testing.T) {
	for _, role := range []string{"next", "old", "next-1", "old-1"} {
		dir := filepath.Join(t.TempDir(), "site")
		thesis := filepath.Join(sibling(dir, role), "thesis.tex")
		if err := errors.Join(os.Mkdir(filepath.Dir(thesis), 0o755), os.WriteFile(thesis, []byte("years of work"), 0o644)); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			mustPublish(t, dir, oldTree)
			mustPublish(t, dir, newTree)
		}
		if data, err := os.ReadFile(thesis); err != nil || string(data) != "years of work" {
			t.Errorf("%s: %q, %v", role, data, err)
		}
		if diff, err := Check(dir, newTree); err != nil || !diff.Empty() {
			t.Errorf("%s: %v, %v", role, diff, err)
		}
	}
}

// TestPublishKeepsChangedLeftovers: a report that a killed build has moved away stays if somebody has worked on it
// since.
func TestPublishKeepsChangedLeftovers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	left := sibling(dir, "old-7")
	mustPublish(t, dir, oldTree)
	mustPublish(t, left, oldTree)
	page := filepath.Join(left, "index.html")
	if err := os.WriteFile(page, []byte("my notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	mustPublish(t, dir, newTree)
	if data, err := os.ReadFile(page); err != nil || string(data) != "my notes" {
		t.Errorf("%q, %v", data, err)
	}
}

// TestPublishRemovesHalfRemoved goes through all the states in which a kill can leave a folder that is being removed.
func TestPublishRemovesHalfRemoved(t *testing.T) {
	all := len(oldTree.withSums())
	for gone := range all + 1 {
		dir := filepath.Join(t.TempDir(), "site")
		mustPublish(t, dir, newTree)
		left := sibling(dir, "next-7")
		mustPublish(t, left, oldTree)
		order := append(slices.Sorted(maps.Keys(oldTree)), markName, sumsName)
		root, err := atomicfile.OpenFolder(left)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range order[:gone] {
			if err := removeUp(root, name); err != nil {
				t.Fatal(err)
			}
		}
		mustPublish(t, dir, newTree)
		wantHolds(t, dir, newTree)
	}
}

// TestPublishKeepsPermissions: the folder has an owner, who has decided who may look into it.
func TestPublishKeepsPermissions(t *testing.T) {
	if !atomicfile.HasModes {
		t.Skip("there are no permissions here")
	}
	for _, mode := range []fs.FileMode{0o700, 0o755, 0o750 | fs.ModeSetgid} {
		dir := filepath.Join(t.TempDir(), "site")
		mustPublish(t, dir, oldTree)
		want := mode
		user, group := os.Geteuid(), os.Getegid()
		if user == 0 {
			user, group = 4711, 4712
			if err := os.Chown(dir, user, group); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		var during fs.FileMode
		p := publication{write: func(root *os.Root, name string, data []byte) error {
			info, err := root.Stat(".")
			during |= info.Mode().Perm()
			return errors.Join(err, writeFile(root, name, data))
		}}
		if err := p.publish(t.Context(), Folder{Dir: dir}, newTree); err != nil {
			t.Fatal(err)
		}
		if during != 0o700 {
			t.Errorf("while it is written, others can look into it: %v", during)
		}
		for _, name := range []string{".", "rules.html"} {
			info, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			haveUser, haveGroup, _ := atomicfile.Owner(info)
			if name == "." && info.Mode() != want|fs.ModeDir || haveUser != user || haveGroup != group {
				t.Errorf("%s: %v of %d, %d; want %v of %d, %d", name, info.Mode(), haveUser, haveGroup, want, user, group)
			}
		}
		wantHolds(t, dir, newTree)
	}
}

func TestPublishRefusesReadOnlyFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755) // else the test cannot tidy up
	if err := (Folder{Dir: dir}).Publish(t.Context(), newTree); !atomicfile.Refused(err) || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("err = %v", err)
	}
	wantHolds(t, dir, oldTree)
}

func TestPublishRefusesPaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	for _, name := range []string{"", ".", "..", "../x", "/etc/x", "a/../b", "a//b", "a/", `a\b`, "c:x", "a\nb", sumsName, markName} {
		if err := (Folder{Dir: dir}).Publish(context.Background(), Tree{name: nil}); err == nil {
			t.Errorf("published %q", name)
		}
	}
	for _, tree := range []Tree{{"a": nil, "a/b": nil}, {"A.html": nil, "a.html": nil}, {"A/x": nil, "a/y": nil}} {
		if err := (Folder{Dir: dir}).Publish(context.Background(), tree); err == nil || !strings.Contains(err.Error(), "collides") {
			t.Errorf("%v: err = %v", tree, err)
		}
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
	for _, dir := range []string{"", "/"} {
		if err := (Folder{Dir: dir}).Publish(context.Background(), newTree); err == nil {
			t.Errorf("published to %q", dir)
		}
	}
}

// TestPublishHealsKilledRuns sets up what runs leave behind that are killed at each step.
func TestPublishHealsKilledRuns(t *testing.T) {
	tests := map[string]func(dir string) error{
		"while writing": func(dir string) error {
			next := sibling(dir, "next-1")
			return errors.Join(Folder{Dir: next}.Publish(context.Background(), newTree), os.Remove(filepath.Join(next, "index.html")),
				os.Remove(filepath.Join(next, markName)), os.WriteFile(filepath.Join(next, unfinishedName), []byte("ha"), 0o644))
		},
		"when it began to write": func(dir string) error {
			next := sibling(dir, "next-1")
			return errors.Join(os.Mkdir(next, 0o700), os.WriteFile(filepath.Join(next, unfinishedName), nil, 0o644))
		},
		"between the renames": func(dir string) error {
			return errors.Join(os.Rename(dir, sibling(dir, "old-1")), Folder{Dir: sibling(dir, "next-1")}.Publish(context.Background(), newTree))
		},
		"before the old one was removed": func(dir string) error { return os.Mkdir(sibling(dir, "old"), 0o755) },
		"holding the lock":               func(dir string) error { return os.WriteFile(sibling(dir, "lock"), nil, 0o644) },
	}
	for name, kill := range tests {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "site")
			mustPublish(t, dir, oldTree)
			if err := kill(dir); err != nil {
				t.Fatal(err)
			}
			failing := publication{write: func(*os.Root, string, []byte) error { return errors.New("disk full") }}
			if err := failing.publish(context.Background(), Folder{Dir: dir}, newTree); err == nil {
				t.Fatal("no error")
			}
			wantHolds(t, dir, oldTree)
			mustPublish(t, dir, newTree)
			wantHolds(t, dir, newTree)
		})
	}
}

func TestRenameTwice(t *testing.T) {
	base := t.TempDir()
	next, target, old := filepath.Join(base, "next"), filepath.Join(base, "target"), filepath.Join(base, "old")
	for _, dir := range []string{next, target} {
		if err := errors.Join(os.Mkdir(dir, 0o755), os.WriteFile(filepath.Join(dir, filepath.Base(dir)), nil, 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	if err := renameTwice(filepath.Join(base, "missing"), target, old); err == nil {
		t.Error("no error for a missing folder")
	}
	if _, err := os.Stat(filepath.Join(target, "target")); err != nil {
		t.Errorf("the failure was not undone: %v", err)
	}
	if err := renameTwice(next, target, old); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(target, "next")); err != nil {
		t.Error(err)
	}
}

func TestPublishWaitsForTheLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	unlock, err := atomicfile.Lock(t.Context(), sibling(dir, "lock"))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	if err := (Folder{Dir: dir}).Publish(ctx, newTree); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	unlock()
	mustPublish(t, dir, newTree)
}

// TestPublishConcurrently lets goroutines and processes publish to one folder; it always holds one tree in full.
func TestPublishConcurrently(t *testing.T) {
	if dir := os.Getenv("PUBLISH_TEST_DIR"); dir != "" {
		publishMany(t, dir, "process")
		return
	}
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, bigTree("first"))
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Go(func() { publishMany(t, dir, fmt.Sprint(i)) })
	}
	wg.Go(func() {
		cmd := exec.Command(os.Args[0], "-test.run=^TestPublishConcurrently$")
		cmd.Env = append(os.Environ(), "PUBLISH_TEST_DIR="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	})
	wg.Wait()
	data, err := os.ReadFile(filepath.Join(dir, "0.html"))
	if err != nil {
		t.Fatal(err)
	}
	wantHolds(t, dir, bigTree(string(data)))
}

func publishMany(t *testing.T, dir, text string) {
	for range 8 {
		if err := (Folder{Dir: dir}).Check(context.Background()); err != nil {
			t.Error(err)
		}
		if err := (Folder{Dir: dir}).Publish(context.Background(), bigTree(text)); err != nil {
			t.Error(err)
		}
	}
}

func bigTree(text string) Tree {
	tree := Tree{}
	for i := range 5 {
		tree[fmt.Sprintf("%d.html", i)] = []byte(text)
	}
	return tree
}

// TestCheckLooksAtTheKind: what leads somewhere else is no page, even if it is equal there, and nothing is waited for.
func TestCheckLooksAtTheKind(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	page, moved := filepath.Join(dir, "index.html"), filepath.Join(filepath.Dir(dir), "equal")
	if err := errors.Join(os.Rename(page, moved), os.Symlink(moved, page)); err != nil {
		t.Skip(err)
	}
	if diff, err := Check(dir, oldTree); err != nil || listed(diff) != "not a file: index.html\n" {
		t.Errorf("%s%v", diff, err)
	}
}

// foreignGroup gives a file to a group that is not its owner's private one.
func foreignGroup(t *testing.T, name string) {
	t.Helper()
	group := os.Geteuid() + 1
	if err := os.Lchown(name, -1, group); err != nil {
		t.Skip(err) // only root may
	}
}

func TestCheckLooksAtPermissions(t *testing.T) {
	if !atomicfile.HasModes {
		t.Skip("there are no permissions here")
	}
	for _, c := range []struct {
		name   string
		mode   fs.FileMode
		want   string
		mended bool // by a build, which keeps who may read, and lets nobody else write
	}{
		{"index.html", 0o664, "others may write: index.html\n", true},
		{"index.html", 0o646, "others may write: index.html\n", true},
		{"index.html", 0o600, "not as readable as the rest: index.html\n", false},
		{"index.html", 0o444, "", true},
		{"assets", 0o777, "others may write: assets\n", true},
		{"assets", 0o700, "not as readable as the rest: assets\n", false},
		{".", 0o700, "", true}, // its owner's business
		{".", 0o777, "", true},
	} {
		t.Run(fmt.Sprintf("%s %o", c.name, c.mode), func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "site")
			mustPublish(t, dir, oldTree)
			if c.mode&0o022 == 0o020 {
				foreignGroup(t, filepath.Join(dir, c.name))
			}
			if err := os.Chmod(filepath.Join(dir, c.name), c.mode); err != nil {
				t.Fatal(err)
			}
			if diff, err := Check(dir, oldTree); err != nil || listed(diff) != c.want {
				t.Errorf("%s%v", diff, err)
			}
			mustPublish(t, dir, oldTree)
			if c.mended {
				wantHolds(t, dir, oldTree)
			} else if diff, err := Check(dir, oldTree); err != nil || listed(diff) != c.want {
				t.Errorf("after a build: %s%v", diff, err)
			}
		})
	}
}

func TestCheck(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	diff, err := Check(dir, newTree)
	if err != nil || len(diff.Missing) != 4 || len(diff.Extra)+len(diff.Different) != 0 {
		t.Errorf("a missing folder: %+v, %v", diff, err)
	}
	mustPublish(t, dir, oldTree)
	diff, err = Check(dir, newTree)
	if err != nil {
		t.Fatal(err)
	}
	want := "missing: rules.html\nextra: assets/a/x.svg\ndifferent: .siegebook\ndifferent: SHA256SUMS\ndifferent: index.html\n"
	if listed(diff) != want {
		t.Errorf("got\n%swant\n%s", diff, want)
	}
}

// listed is how a command prints a difference.
func listed(diff Diff) string {
	var b strings.Builder
	for _, line := range diff.Lines() {
		b.WriteString(line + "\n")
	}
	return b.String()
}
