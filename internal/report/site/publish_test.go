package site

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/must"
)

var (
	oldTree = Tree{"index.html": []byte("old"), "assets/a/x.svg": []byte("<svg/>")}
	newTree = Tree{"index.html": []byte("new"), "rules.html": []byte("rules")}
)

func mustPublish(t *testing.T, dir string, tree Tree) {
	t.Helper()
	must.Do(t, (Folder{Dir: dir}).Publish(context.Background(), tree))
}

// wantHolds checks that dir contains exactly the files of a tree, and that no temporary files are left next to dir.
func wantHolds(t *testing.T, dir string, tree Tree) {
	t.Helper()
	if diff, err := Check(dir, tree); err != nil || !diff.Empty() || !(Folder{Dir: dir}).Holds(tree.Sums()) {
		t.Errorf("%s differs (%v):\n%s", dir, err, diff)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(dir), ".*siegebook*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// wantRefusal checks that both Check and Publish refuse a folder.
func wantRefusal(t *testing.T, dir, want string) {
	t.Helper()
	for _, err := range []error{Folder{Dir: dir}.Check(), Folder{Dir: dir}.Publish(t.Context(), newTree)} {
		if !atomicfile.Refused(err) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: err = %v, want %s", dir, err, want)
		}
	}
}

func TestPublishReplaces(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "parent", "site")
	for _, tree := range []Tree{oldTree, newTree, newTree, {}, oldTree} {
		mustPublish(t, dir, tree)
		wantHolds(t, dir, tree)
	}
	sums, err := os.ReadFile(filepath.Join(dir, sumsName))
	// echo -n old | sha256sum
	if want := "cba06b5736faf67e54b07b561eae94395e774c517a7d910a54369e1263ccfbd4  index.html\n"; err != nil ||
		!strings.Contains(string(sums), want) {
		t.Errorf("sums:\n%s%v", sums, err)
	}
	empty := t.TempDir()
	mustPublish(t, empty, newTree)
	wantHolds(t, empty, newTree)
	if err := os.RemoveAll(filepath.Join(dir, "assets")); err != nil { // Publish must restore removed files
		t.Fatal(err)
	}
	mustPublish(t, dir, oldTree)
	wantHolds(t, dir, oldTree)
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

// TestPublishFailureKeepsTheOld checks that the old files stay if writing any file fails, or if the build is cancelled
// at any file.
func TestPublishFailureKeepsTheOld(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	full := errors.New("no space left on device")
	for n := range len(newTree.withManifest()) {
		ctx, cancel := context.WithCancel(t.Context())
		for want, stop := range map[error]func() error{
			full:             func() error { return full },
			context.Canceled: func() error { cancel(); return nil },
		} {
			written := 0
			f := Folder{Dir: dir, write: func(name string, data []byte) error {
				if written++; written == n+1 {
					if err := stop(); err != nil {
						return err
					}
				}
				return writeFile(name, data)
			}}
			run := t.Context()
			if want == context.Canceled {
				run = ctx
			}
			if err := f.Publish(run, newTree); !errors.Is(err, want) {
				t.Errorf("file %d: err = %v, want %v", n, err, want)
			}
			wantHolds(t, dir, oldTree)
		}
	}
}

// TestPublishRefuses checks that Publish refuses a folder with a file that it did not write, or that has been changed
// since. With Force, it must move the folder aside.
func TestPublishRefuses(t *testing.T) {
	for _, row := range must.Rows(t, "testdata/tables.txt", "TestPublishRefuses") {
		t.Run(row[0], func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "site")
			does, name, _ := strings.Cut(row[0], " ")
			full, moved := filepath.Join(dir, name), filepath.Join(filepath.Dir(dir), "equal")
			if does != "new" {
				mustPublish(t, dir, oldTree)
			}
			switch does {
			case "new", "write":
				must.Write(t, full, "x\n")
			case "remove":
				must.Do(t, os.Remove(full))
			case "link":
				must.Do(t, os.Symlink("/", full))
			case "move": // and make a link to the moved file
				must.Do(t, os.Rename(full, moved), os.Symlink(moved, full))
			}
			before, _ := os.Stat(dir)
			wantRefusal(
				t, dir,
				row[1]+": move it away, give another folder, or build with --force, which moves the folder aside",
			)
			if after, err := os.Stat(dir); err != nil || !os.SameFile(before, after) {
				t.Errorf("the folder is gone, %v", err)
			}
			must.Write(t, dir+".old", "taken")
			kept := ""
			f := Folder{Dir: dir, Force: true, Kept: func(path string) { kept = path }}
			must.Do(t, f.Publish(t.Context(), newTree))
			wantHolds(t, dir, newTree)
			if after, err := os.Stat(dir + ".old-2"); err != nil || !os.SameFile(before, after) ||
				kept != dir+".old-2" {
				t.Errorf("the folder is not aside, %s: %v", kept, err)
			}
		})
	}
}

// TestPublishKeepsWhatCameMeanwhile checks that if a file appears in the old folder while the new one is being written,
// the old folder is moved aside.
func TestPublishKeepsWhatCameMeanwhile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	kept := ""
	f := Folder{Dir: dir, Kept: func(path string) { kept = path }, write: func(name string, data []byte) error {
		must.Write(t, filepath.Join(dir, "notes.txt"), "x")
		return writeFile(name, data)
	}}
	must.Do(t, f.Publish(t.Context(), newTree))
	wantHolds(t, dir, newTree)
	if _, err := os.Stat(filepath.Join(kept, "notes.txt")); err != nil || kept != dir+".old" {
		t.Errorf("%s: %v", kept, err)
	}
}

// TestPublishRefusesPlaces checks that folders that cannot or must not be replaced are refused.
func TestPublishRefusesPlaces(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "site")
	mustPublish(t, dir, oldTree)
	wantRefusal(t, "", "has no name")
	wantRefusal(t, "/", "is the root of a file system")
	must.Write(t, filepath.Join(base, "file"), "")
	wantRefusal(t, filepath.Join(base, "file"), "is a regular file: give the path of a folder")
	wantRefusal(t, filepath.Join(base, strings.Repeat("x", 250)), "give a shorter name")
	must.Do(t, os.Chmod(dir, 0o555))
	wantRefusal(t, dir, "is read-only")
	must.Do(t, os.Chmod(dir, 0o755))
	t.Chdir(filepath.Join(dir, "assets"))
	for _, name := range []string{"..", dir, "../../site"} {
		wantRefusal(t, name, "is the working folder, or contains it")
	}
	t.Chdir(base)
	mustPublish(t, "site", newTree)
	wantHolds(t, dir, newTree)
}

func TestPublishRefusesPaths(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "site")
	for _, name := range []string{
		"", ".", "..", "../x", "/etc/x", "a/../b", "a//b", "a/", `a\b`, "c:x", "a\nb", sumsName, markName,
	} {
		if err := (Folder{Dir: dir}).Publish(t.Context(), Tree{name: nil}); err == nil {
			t.Errorf("published %q", name)
		}
	}
	for _, tree := range []Tree{{"a": nil, "a/b": nil}, {"A.html": nil, "a.html": nil}, {"A/x": nil, "a/y": nil}} {
		must.ErrorContains(t, Folder{Dir: dir}.Publish(t.Context(), tree), "collides", tree)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something was written: %v", err)
	}
}

// TestPublishKeepsReaders checks that a new report has the permissions, owner and group of the old one, and that nobody
// else can read it while it is being written.
func TestPublishKeepsReaders(t *testing.T) {
	if !atomicfile.HasModes {
		t.Skip("there are no permissions here")
	}
	for _, c := range []struct{ folder, front, want fs.FileMode }{
		{0o755, 0o644, 0o644}, {0o700, 0o600, 0o600}, {0o750 | fs.ModeSetgid, 0o640, 0o640}, {0o750, 0, 0o640},
	} {
		dir := filepath.Join(t.TempDir(), "site")
		first := oldTree
		if c.front == 0 {
			first = Tree{"rules.html": nil}
		}
		mustPublish(t, dir, first)
		user, group := os.Geteuid(), os.Getegid()
		if user == 0 {
			user, group = 4711, 4712
			must.Do(t, os.Chown(dir, user, group))
		}
		if c.front != 0 {
			must.Do(t, os.Chmod(filepath.Join(dir, "index.html"), c.front))
		}
		must.Do(t, os.Chmod(dir, c.folder))
		f := Folder{Dir: dir, write: func(name string, data []byte) error {
			if info, err := os.Stat(filepath.Dir(filepath.Dir(name))); err == nil && info.Name() != "next" &&
				info.Mode().Perm() != 0o700 {
				t.Errorf("while it is written, others can look into it: %v", info.Mode())
			}
			return writeFile(name, data)
		}}
		must.Do(t, f.Publish(t.Context(), newTree))
		for name, want := range map[string]fs.FileMode{
			".": c.folder | fs.ModeDir, "rules.html": c.want,
			sumsName: c.want,
		} {
			info := must.Get(os.Stat(filepath.Join(dir, name)))
			if haveUser, haveGroup, _ := atomicfile.Owner(info); info.Mode() != want || haveUser != user ||
				haveGroup != group {
				t.Errorf(
					"%s: %v of %d, %d; want %v of %d, %d", name, info.Mode(), haveUser, haveGroup, want, user, group,
				)
			}
		}
		wantHolds(t, dir, newTree)
	}
}

// TestSha256sumReadsTheManifest checks that sha256sum can check the manifest, and that the manifest covers the mark.
func TestSha256sumReadsTheManifest(t *testing.T) {
	program, err := exec.LookPath("sha256sum")
	if err != nil {
		t.Skip(err)
	}
	dir := filepath.Join(t.TempDir(), "site")
	mustPublish(t, dir, oldTree)
	cmd := exec.CommandContext(t.Context(), program, "--strict", "--warn", "-c", sumsName)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil || bytes.Count(out, []byte(": OK\n")) != len(oldTree)+1 ||
		bytes.Count(out, []byte("\n")) != len(oldTree)+1 {
		t.Errorf("%v: %s", err, out)
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
	want := "missing: rules.html\nextra: assets/a/x.svg\ndifferent: SHA256SUMS\ndifferent: index.html\n"
	if err != nil || listed(diff) != want {
		t.Errorf("%v\n%swant\n%s", err, listed(diff), want)
	}
	page, moved := filepath.Join(dir, "index.html"), filepath.Join(filepath.Dir(dir), "equal")
	if err := errors.Join(os.Rename(page, moved), os.Symlink(moved, page)); err != nil {
		t.Skip(err)
	}
	if diff, err := Check(dir, oldTree); err != nil || listed(diff) != "not a file: index.html\n" {
		t.Errorf("%s%v", listed(diff), err)
	}
}

// TestFolderHoldsTree checks that if a folder differs from the published tree in one file, Holds returns false and
// Check reports a difference.
func TestFolderHoldsTree(t *testing.T) {
	sums := oldTree.Sums()
	if sums.Files != len(oldTree) || sums.Bytes != 9 {
		t.Errorf("%d files of %d bytes", sums.Files, sums.Bytes)
	}
	if (Folder{}).Holds(sums) || (Folder{Dir: filepath.Join(t.TempDir(), "none")}).Holds(sums) {
		t.Error("no folder holds something")
	}
	writing := func(name, text string) func(string) error {
		return func(dir string) error { return os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644) }
	}
	for name, change := range map[string]func(dir string) error{
		"nothing":      func(string) error { return nil },
		"a byte":       writing("index.html", "olD"),
		"one more":     writing("assets/more", ""),
		"one less":     func(dir string) error { return os.Remove(filepath.Join(dir, "assets/a/x.svg")) },
		"the mark":     func(dir string) error { return os.Remove(filepath.Join(dir, markName)) },
		"the manifest": func(dir string) error { return os.Truncate(filepath.Join(dir, sumsName), 90) },
	} {
		dir := filepath.Join(t.TempDir(), "site")
		mustPublish(t, dir, oldTree)
		must.Do(t, change(dir))
		diff, err := Check(dir, oldTree)
		holds := Folder{Dir: dir}.Holds(sums)
		if err != nil || holds != diff.Empty() || holds != (name == "nothing") {
			t.Errorf("%s is changed: holds %t, differs %q (%v)", name, holds, diff.Lines(), err)
		}
		if (Folder{Dir: dir}).Holds(newTree.Sums()) {
			t.Errorf("%s is changed: it holds another tree", name)
		}
	}
}

// listed formats a difference as commands print it.
func listed(diff Diff) string {
	var b strings.Builder
	for _, line := range diff.Lines() {
		b.WriteString(line + "\n")
	}
	return b.String()
}

func TestCheckSingle(t *testing.T) {
	s := Site{Title: "t", Stamp: []Field{{"data", "1"}}, Pages: []Page{
		{
			Slug:   "index",
			Title:  "Start",
			Source: "one",
		}, {Slug: "rules", Title: "Rules", Source: "two"}, {Slug: "end", Title: "End", Source: "three"},
	}}
	want := singleOf(t, s)
	if diff := CheckSingle(bytes.Clone(want), want); !diff.Empty() {
		t.Errorf("the same differs: %v", diff)
	}
	page := string(want)
	rules, end := strings.Index(page, `<article class="chapter" id="rules--top">`),
		strings.Index(page, `<article class="chapter" id="end--top">`)
	text, ok := unsealed(want)
	if !ok || Untouched(want) != nil {
		t.Error("the file does not have its own checksum")
	}
	for name, test := range map[string][2]string{
		"a word":          {page[:rules] + strings.Replace(page[rules:], "two", "zwei", 1), "different: rules\n"},
		"the stamp":       {strings.Replace(page, "<dd>1</dd>", "<dd>2</dd>", 1), "different: " + partFoot + "\n"},
		"the style":       {strings.Replace(page, "<style>", "<style> ", 1), "different: " + partHead + "\n"},
		"a chapter gone":  {page[:rules] + page[end:], "missing: rules\n"},
		"a chapter twice": {page[:end] + page[rules:end] + page[end:], "different: rules\n"},
		"a chapter renamed": {
			strings.Replace(page, `id="rules--top"`, `id="rulez--top"`, 1), "missing: rules\nextra: rulez\n",
		},
		"no checksum":   {string(text), "different: " + partFoot + "\n"},
		"a line behind": {page + "x", "different: " + partFoot + "\n"},
		"cut off":       {page[:end+10], "missing: end\ndifferent: rules\ndifferent: " + partFoot + "\n"},
		"nothing": {"", "missing: end\nmissing: index\nmissing: rules\ndifferent: " + partHead + "\ndifferent: " +
			partFoot + "\n"},
	} {
		if Untouched([]byte(test[0])) == nil {
			t.Errorf("%s: taken for untouched", name)
		}
		if got := listed(CheckSingle([]byte(test[0]), want)); got != test[1] {
			t.Errorf("%s:\n%swant\n%s", name, got, test[1])
		}
	}
}
