package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// Each published folder has a manifest: a mark that names the program that wrote the folder, and the checksums of all
// other files in the format of sha256sum -c.
const (
	markName = ".siegebook"
	sumsName = "SHA256SUMS"
	markText = "This folder was written by siegebook. The next build replaces it and everything in it.\n"
)

// Folder is a folder to which a tree is published.
type Folder struct {
	Dir string
	// Force allows Publish to replace a folder that contains files not written by Publish. Publish does not remove such
	// a folder, but moves it aside; see Kept.
	Force bool
	// Kept, if not nil, is called with the new path of a folder that was moved aside.
	Kept func(path string)

	write func(name string, data []byte) error // set by tests; nil means writeFile
}

// Publish makes the folder contain exactly the files of tree and their manifest.
//
// Publish writes the files to a new folder next to the old one, which the new folder then replaces in one step. Readers
// see either the old files or the new files. After any failure, including a cancelled ctx, the old files are still
// there. The next build removes the files that a killed build has left behind. The folder keeps its permissions, and
// its files get the permissions of the front page. Owner and group stay the same if the system allows it.
//
// Publish does not touch a folder that already contains exactly these files. Without Force, it refuses a folder that
// contains a file that Publish did not write, or that has been changed since. The error is then an atomicfile.Refusal.
func (f Folder) Publish(ctx context.Context, tree Tree) error {
	if err := tree.validate(); err != nil {
		return err
	}
	tree = tree.withManifest()
	if f.Holds(Sums{Text: tree[sumsName]}) {
		return nil
	}
	target, ours, err := f.target()
	if err != nil {
		return err
	}
	parent := filepath.Dir(target)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	work, err := atomicfile.NewFolder(parent, filepath.Base(target))
	if err != nil {
		return err
	}
	defer func() { _ = work.Remove() }() // if this fails, the next build removes the folder
	next := filepath.Join(work.Path, "next")
	if err := f.fill(ctx, next, tree); err != nil {
		return err
	}
	if err := keepReaders(next, target); err != nil {
		return err
	}
	if err := canceled.Cause(ctx); err != nil {
		return err
	}
	if err := f.replace(next, target, ours); err != nil {
		return err
	}
	atomicfile.SyncFolder(parent)
	return nil
}

// Holds reports whether the folder contains exactly the files of a tree and their manifest.
func (f Folder) Holds(tree Sums) bool {
	dir, err := filepath.EvalSymlinks(f.Dir)
	if err != nil || f.Dir == "" || !bytes.Equal(tree.Text, manifest(dir)) {
		return false
	}
	for name := range sumsOf(tree.Text) {
		if _, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return false
		}
	}
	name, _, err := stranger(dir)
	return err == nil && name == ""
}

// Check returns an error if Publish would refuse the folder now. Callers can use it before a long computation.
func (f Folder) Check() error {
	target, _, err := f.target()
	if err != nil {
		return err
	}
	work, err := atomicfile.NewFolder(filepath.Dir(target), filepath.Base(target))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil // Publish creates the parent folder
	case err != nil:
		return err
	}
	return work.Remove()
}

// exchanges is the maximum number of times that Publish examines a folder again because another build has replaced it.
const exchanges = 100

// target resolves symbolic links and returns the absolute path of the folder, and whether it contains only files that
// Publish wrote.
func (f Folder) target() (target string, ours bool, err error) {
	if f.Dir == "" {
		return "", false, atomicfile.Refuse("the output folder has no name: give a path such as \"site\"")
	}
	if target, err = filepath.Abs(f.Dir); err != nil {
		return "", false, err
	}
	if target, err = atomicfile.Follow(target); err != nil {
		return "", false, err
	}
	if direct, err := filepath.EvalSymlinks(target); err == nil {
		target = direct
	}
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return target, true, nil
	case err != nil:
		return "", false, err
	case filepath.Dir(target) == target:
		return "", false, atomicfile.Refuse("the output folder %q is the root of a file system: give a folder of its "+
			"own", f.Dir)
	case !info.IsDir():
		return "", false, atomicfile.Refuse("the output %s is %s: give the path of a folder", target,
			atomicfile.Kind(info))
	case info.Mode().Perm()&0o200 == 0:
		return "", false, atomicfile.Refuse("the output folder %s is read-only: make it writable, or name "+
			"another", target)
	case holdsWorkingFolder(info):
		return "", false, atomicfile.Refuse("the output folder is the working folder, or contains it, and would be " +
			"replaced while you work in it: change to another folder, and name it from there")
	}
	name, what, err := stranger(target)
	// If another build has replaced the folder in the meantime, target examines the new folder.
	for range exchanges {
		now, fault := os.Lstat(target)
		if fault != nil || os.SameFile(now, info) {
			break
		}
		info = now
		name, what, err = stranger(target)
	}
	if name != "" && !f.Force {
		return "", false, atomicfile.Refuse("the output folder %s contains %s, which %s: move it away, give another "+
			"folder, or build with --force, which moves the folder aside", target, name, what)
	}
	return target, name == "", err
}

// holdsWorkingFolder reports whether a folder is the working folder or contains it.
func holdsWorkingFolder(folder fs.FileInfo) bool {
	here, err := os.Getwd()
	if err == nil {
		here, err = filepath.EvalSymlinks(here)
	}
	for ; err == nil; here = filepath.Dir(here) {
		if info, err := os.Stat(here); err == nil && os.SameFile(info, folder) {
			return true
		}
		if filepath.Dir(here) == here {
			return false
		}
	}
	return false
}

// stranger returns the first file in a folder that Publish did not write, or that has been changed since, with the
// reason. It returns "" if there is no such file.
func stranger(dir string) (name, what string, err error) {
	sums := sumsOf(manifest(dir))
	var files []string // the files to compare with their checksums
	err = eachEntry(dir, func(relative, _ string, entry fs.DirEntry) error {
		switch _, listed := sums[relative]; {
		case entry.IsDir():
			return nil
		case !listed:
			name, what = relative, "siegebook did not write"
		case !entry.Type().IsRegular():
			name, what = relative, changed
		default:
			if relative != sumsName {
				files = append(files, relative)
			}
			return nil
		}
		return fs.SkipAll
	})
	same := make([]bool, len(files))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, file := range files {
		group.Go(func() error {
			same[i] = hasSum(filepath.Join(dir, filepath.FromSlash(file)), sums[file])
			return nil
		})
	}
	_ = group.Wait()
	if i := slices.Index(same, false); i >= 0 { // this file precedes the file at which the walk ended
		name, what = files[i], changed
	}
	return name, what, err
}

const changed = "was changed since siegebook wrote it"

// eachEntry calls do for every entry below a folder. name is the entry's path relative to the folder, with slashes, and
// full is its full path.
func eachEntry(dir string, do func(name, full string, entry fs.DirEntry) error) error {
	return filepath.WalkDir(dir, func(full string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, full)
		if err != nil {
			return err
		}
		return do(filepath.ToSlash(name), full, entry)
	})
}

// manifest returns the manifest of a published folder, or nil if it has none.
func manifest(dir string) []byte {
	mark, err1 := limitedread.ReadFile(filepath.Join(dir, markName), limitedread.MiB)
	lines, err2 := limitedread.ReadFile(filepath.Join(dir, sumsName), 16*limitedread.MiB)
	if err1 != nil || err2 != nil || !bytes.HasPrefix(mark, []byte(markText)) { // older marks are longer
		return nil
	}
	return lines
}

// sumsOf returns the checksums in a manifest by file name. The checksum of the manifest itself is "". If manifest is
// nil, the result is nil.
func sumsOf(manifest []byte) map[string]string {
	if manifest == nil {
		return nil
	}
	sums := map[string]string{sumsName: ""}
	for line := range strings.Lines(string(manifest)) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		sums[name] = sum
	}
	return sums
}

// hasSum reports whether a file has the given checksum.
func hasSum(name, sum string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	hash := sha256.New()
	_, err = io.Copy(hash, file)
	return err == nil && hex.EncodeToString(hash.Sum(nil)) == sum
}

// fill creates a folder and writes the files of a tree into it.
func (f Folder) fill(ctx context.Context, dir string, tree Tree) error {
	write := f.write
	if write == nil {
		write = writeFile
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	folders := map[string]bool{dir: true}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		folders[filepath.Dir(full)] = true
		if err := write(full, tree[name]); err != nil {
			return err
		}
	}
	for folder := range folders {
		atomicfile.SyncFolder(folder)
	}
	return nil
}

// writeFile writes a file and waits until it is on the disk, because the contents must reach the disk before the later
// rename.
func writeFile(name string, data []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	return errors.Join(err, file.Sync(), file.Close())
}

// keepReaders gives a new folder the permissions of the folder that it replaces, regardless of the process's umask. The
// files get the permissions of the front page, or of the folder if there is no front page. keepReaders also sets the
// owner and the group, if the process is allowed to. A file whose group cannot be set gets no permissions for its
// group.
func keepReaders(next, target string) error {
	old, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist) || !atomicfile.HasModes:
		return nil
	case err != nil:
		return err
	}
	readers := old
	if front, err := os.Lstat(filepath.Join(target, "index.html")); err == nil && front.Mode().IsRegular() {
		readers = front
	}
	folderMode := old.Mode() & (fs.ModePerm | fs.ModeSetgid | fs.ModeSticky)
	return eachEntry(next, func(_, full string, entry fs.DirEntry) error {
		mode := readers.Mode()&0o666 | 0o600
		if entry.IsDir() {
			mode = folderMode | 0o700
		}
		if !atomicfile.GiveOwner(full, old) {
			mode &^= 0o070 | fs.ModeSetgid
		}
		return os.Chmod(full, mode)
	})
}

// replace puts the folder next in target's place. If the old folder contains only files that Publish wrote, it is
// removed; otherwise it is moved aside.
func (f Folder) replace(next, target string, ours bool) error {
	if err := os.Rename(next, target); !errors.Is(err, fs.ErrExist) {
		return err // nil if there was no old folder
	}
	old := next
	if !ours || exchange(next, target) != nil {
		old = aside(target)
		err := os.Rename(target, old)
		switch {
		case errors.Is(err, syscall.EBUSY):
			return atomicfile.Refuse("the output folder is a mount point, which cannot be replaced: name a folder "+
				"inside it, such as %s", filepath.Join(target, "site"))
		case err != nil:
			return err
		}
		if err := os.Rename(next, target); err != nil {
			return errors.Join(err, os.Rename(old, target))
		}
	}
	if name, _, err := stranger(old); err == nil && name == "" {
		return os.RemoveAll(old)
	}
	if old == next { // a file was added to the old folder, or changed in it, since the build began
		old = aside(target)
		if err := os.Rename(next, old); err != nil {
			return err
		}
	}
	if f.Kept != nil {
		f.Kept(old)
	}
	return nil
}

// aside returns an unused name next to a folder: the folder's name with ".old", followed by a number if that name is
// taken.
func aside(target string) string {
	name := target + ".old"
	for i := 2; ; i++ {
		if _, err := os.Lstat(name); err != nil {
			return name
		}
		name = fmt.Sprintf("%s.old-%d", target, i)
	}
}

// validate checks that all paths stay inside the output folder and can coexist, even on case-insensitive file systems.
func (t Tree) validate() error {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		switch {
		case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00\n\r"):
			return fmt.Errorf("output file %q: use a relative path with slashes and without . or .. parts", name)
		case name == markName || name == sumsName:
			return fmt.Errorf("output file %q: this name is reserved for the record of the build: use another "+
				"name", name)
		}
		for p := name; p != "."; p = path.Dir(p) {
			folded := strings.ToLower(p)
			if other, ok := seen[folded]; ok && (other != p || p == name) {
				return fmt.Errorf("output file %q collides with %q", name, other)
			}
			if p != name {
				if _, isFile := t[p]; isFile {
					return fmt.Errorf("output file %q collides with the file %q", name, p)
				}
			}
			seen[folded] = p
		}
	}
	return nil
}

// withManifest returns the tree with a manifest added.
func (t Tree) withManifest() Tree {
	full := Tree{markName: []byte(markText)}
	maps.Copy(full, t)
	var sums bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(full)) {
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(full[name]), name)
	}
	full[sumsName] = sums.Bytes()
	return full
}

// Sums contains the checksums that identify a tree.
type Sums struct {
	Text  []byte // the text of the manifest
	Files int
	Bytes int64
}

// Sums returns the checksums of the tree.
func (t Tree) Sums() Sums {
	return Sums{Text: t.withManifest()[sumsName], Files: len(t), Bytes: t.Bytes()}
}

// Bytes returns the total size of all files.
func (t Tree) Bytes() (n int64) {
	for _, data := range t {
		n += int64(len(data))
	}
	return n
}

// Diff describes how a report differs from another one, as sorted lists of the names of files, or of parts of a single
// file.
type Diff struct {
	Missing, Extra, Different []string
	// NoFile lists the names of entries that are not regular files, including links to files with the same content.
	NoFile []string
}

// Empty reports whether there are no differences.
func (d Diff) Empty() bool { return len(d.Lines()) == 0 }

// Lines lists the differences, one file per line. A name may contain any characters, even a line feed.
func (d Diff) Lines() []string {
	var lines []string
	for _, list := range []struct {
		what  string
		names []string
	}{{"missing", d.Missing}, {"extra", d.Extra}, {"different", d.Different}, {"not a file", d.NoFile}} {
		for _, name := range list.names {
			lines = append(lines, list.what+": "+name)
		}
	}
	return lines
}

// Check compares the folder dir with the files that Publish would write there. If dir does not exist, every file is
// missing. The error means that the folder could not be read.
func Check(dir string, tree Tree) (Diff, error) {
	var d Diff
	want := tree.withManifest()
	dir, err := filepath.EvalSymlinks(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return Diff{Missing: slices.Sorted(maps.Keys(want))}, nil
	}
	if err != nil {
		return d, err
	}
	found := map[string]bool{}
	err = eachEntry(dir, func(name, full string, entry fs.DirEntry) error {
		data, wanted := want[name]
		switch {
		case wanted && !entry.Type().IsRegular():
			d.NoFile = append(d.NoFile, name)
		case wanted:
			same, err := hasContent(full, data)
			if err != nil {
				return err
			}
			if !same {
				d.Different = append(d.Different, name)
			}
		case !entry.IsDir():
			d.Extra = append(d.Extra, name)
		}
		found[name] = true
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if !found[name] {
			d.Missing = append(d.Missing, name)
		}
	}
	return d, err
}

// hasContent reports whether a file has the expected content. It does not read a file of a different size.
func hasContent(name string, want []byte) (bool, error) {
	file, err := atomicfile.Open(name)
	if err != nil {
		return false, err
	}
	if info, err := file.Stat(); err != nil || info.Size() != int64(len(want)) {
		return false, errors.Join(err, file.Close())
	}
	data, err := limitedread.Read(file, name, int64(len(want)))
	if large := new(limitedread.TooLarge); errors.As(err, &large) {
		return false, nil
	}
	return bytes.Equal(data, want), err
}

// CheckSingle compares a single file with the result of RenderSingle. It lists the slugs of chapters, and the names of
// the parts around them, that are missing, extra or different.
func CheckSingle(have, want []byte) Diff {
	var d Diff
	if bytes.Equal(have, want) {
		return d
	}
	// The checksums are not compared, because they differ whenever anything else does.
	bareHave, _ := unsealed(have)
	bareWant, _ := unsealed(want)
	theirs, ours := partsOfSingle(bareHave), partsOfSingle(bareWant)
	for name := range maps.Keys(ours) {
		switch part, ok := theirs[name]; {
		case !ok:
			d.Missing = append(d.Missing, name)
		case !bytes.Equal(part, ours[name]):
			d.Different = append(d.Different, name)
		}
	}
	for name := range maps.Keys(theirs) {
		if _, ok := ours[name]; !ok {
			d.Extra = append(d.Extra, name)
		}
	}
	switch {
	case d.Empty() && bytes.Equal(bareHave, bareWant):
		d.Different = []string{partFoot}
	case d.Empty():
		d.Different = []string{"order of the chapters"}
	}
	for _, names := range [][]string{d.Missing, d.Extra, d.Different} {
		slices.Sort(names)
	}
	return d
}

var articleStart = regexp.MustCompile(`<article class="chapter[a-z ]*" id="([^"]+)--top">`)

// These are the names that CheckSingle uses for the parts of a single file other than its chapters.
const (
	partHead = "head, style and contents"
	partFoot = "stamp and end"
)

// partsOfSingle returns the parts of a single file by name: its chapters by their slugs, and the other parts. If a
// chapter occurs twice, its part contains both texts.
func partsOfSingle(page []byte) map[string][]byte {
	parts := map[string][]byte{}
	name, start := partHead, 0
	add := func(end int) { parts[name] = append(parts[name], page[start:end]...) }
	for _, at := range articleStart.FindAllSubmatchIndex(page, -1) {
		add(at[0])
		name, start = string(page[at[2]:at[3]]), at[0]
	}
	end := start + max(bytes.LastIndex(page[start:], []byte("</main>")), 0)
	add(end)
	name, start = partFoot, end
	add(len(page))
	return parts
}
