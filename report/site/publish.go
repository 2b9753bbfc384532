package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/canceled"
)

// The files that Publish adds to a tree. Both must be there, and the sums must list every other file, before a folder
// counts as one of ours.
const (
	markName = ".siegebook"
	sumsName = "SHA256SUMS"
)

// unfinishedName is the file that is being written, in a folder that is not in its place yet.
const unfinishedName = ".siegebook-unfinished"

// A mark is this text and the seal of the record. Earlier versions wrote no seal.
const markText = "This folder was written by siegebook. The next build replaces it and everything in it.\n"

// Folder is a folder to publish to.
type Folder struct {
	Dir string
	// Force lets pages be replaced that somebody has changed since they were written. It does so for no other file.
	Force bool
}

// Publish makes the folder hold exactly the files of tree, together with their checksums (SHA256SUMS, for sha256sum
// -c).
//
// The files are written to a folder beside it, which then takes its place: whoever reads it sees the old files or
// the new ones, and any failure, a cancelled ctx included, leaves the old ones as they were. What a killed run left
// behind is removed by the next. Builds of the same folder wait for one another. The folder and what is in it keep
// their permissions, and owner and group where we may give them.
//
// A folder that holds just these files already is not touched. One that holds anything Publish has not written, or that
// has been changed since, is refused and left alone: such an error is a atomicfile.Refusal.
func (f Folder) Publish(ctx context.Context, tree Tree) error {
	p := publication{write: writeFile}
	return p.publish(ctx, f, tree)
}

// Check says whether the folder can be published to now: for the time before a long computation.
func (f Folder) Check(ctx context.Context) error {
	target, err := resolveTarget(f.Dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Dir(target)); errors.Is(err, fs.ErrNotExist) {
		return nil // it is made in the end
	}
	unlock, err := atomicfile.Lock(ctx, sibling(target, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	return f.checkOurs(target)
}

// publication carries the one operation that tests let fail.
type publication struct {
	write func(root *os.Root, name string, data []byte) error
}

func (p publication) publish(ctx context.Context, f Folder, tree Tree) error {
	if err := tree.validate(); err != nil {
		return err
	}
	target, err := resolveTarget(f.Dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(target)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	unlock, err := atomicfile.Lock(ctx, sibling(target, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	heal(target)
	if err := f.checkOurs(target); err != nil {
		return err
	}
	if diff, err := Check(target, tree); err == nil && diff.Empty() {
		return nil // it is all there already
	}
	next, err := os.MkdirTemp(parent, filepath.Base(sibling(target, "next-*")))
	if err != nil {
		return err
	}
	old := sibling(target, "old-"+strings.TrimPrefix(next, sibling(target, "next-")))
	defer func() {
		// What is there now was half written, or has been replaced. If it cannot be removed now, the next run does it.
		_ = removeOurs(next, f.Force)
		_ = removeOurs(old, f.Force)
	}()
	if err := p.fill(ctx, next, target, tree.withSums()); err != nil {
		return err
	}
	// Writing takes a while: what somebody put into the old folder meanwhile must not be lost with it.
	if err := f.checkOurs(target); err != nil {
		return err
	}
	if err := replaceDir(next, target, old); err != nil {
		return err
	}
	atomicfile.SyncFolder(parent)
	return nil
}

// resolveTarget returns the absolute path of the folder that dir names, behind symbolic links.
func resolveTarget(dir string) (string, error) {
	if dir == "" {
		return "", atomicfile.Refuse("the output folder has no name: give a path such as \"site\"")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if err := atomicfile.RoomBeside(abs, 0); err != nil {
		return "", err
	}
	if abs, err = atomicfile.Follow(abs); err != nil {
		return "", err
	}
	if target, err := filepath.EvalSymlinks(abs); err == nil {
		abs = target
	}
	if filepath.Dir(abs) == abs {
		return "", atomicfile.Refuse("the output folder %q is the root of a file system: give a folder of its own", dir)
	}
	return abs, mayMove(abs)
}

// sibling names a hidden file or folder of ours beside target: on the same file system, where a rename is atomic.
func sibling(target, role string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".siegebook-"+role)
}

// heal removes what killed runs have left beside target, and puts the old folder back where it was moved away and
// nothing took its place. The lock is held, so nobody is at work there. What is not surely ours stays, and is in
// nobody's way.
func heal(target string) {
	entries, err := os.ReadDir(filepath.Dir(target))
	if err != nil {
		return
	}
	for _, entry := range entries {
		full := filepath.Join(filepath.Dir(target), entry.Name())
		old := hasRole(target, full, "old")
		if !old && !hasRole(target, full, "next") {
			continue
		}
		info, err := os.Lstat(full)
		if err != nil || !info.IsDir() {
			continue
		}
		there, missing := os.Lstat(target)
		switch {
		case !atomicfile.Own(info) && (missing != nil || !sameOwner(info, there)):
		case old && errors.Is(missing, fs.ErrNotExist) && isPublished(full):
			_ = os.Rename(full, target)
		default:
			_ = removeOurs(full, false)
		}
	}
}

// hasRole says whether a path is a sibling of target in a role, with or without a number.
func hasRole(target, full, role string) bool {
	number, ok := strings.CutPrefix(full, sibling(target, role))
	return ok && (number == "" || number[0] == '-' && strings.Trim(number[1:], "0123456789") == "")
}

func sameOwner(a, b fs.FileInfo) bool {
	user, _, ok1 := atomicfile.Owner(a)
	other, _, ok2 := atomicfile.Owner(b)
	return ok1 && ok2 && user == other
}

// fill writes the files into the new folder dir, which then gets permissions and owner of the folder that it is to
// replace.
func (p publication) fill(ctx context.Context, dir, target string, tree Tree) error {
	root, err := atomicfile.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := p.writeTree(ctx, root, tree); err != nil {
		return err
	}
	if err := errors.Join(canceled.Cause(ctx), syncFolders(dir)); err != nil {
		return err
	}
	return adopt(root, target)
}

// writeTree writes the files, their record first, so that whatever of them is there can be told to be ours.
func (p publication) writeTree(ctx context.Context, root *os.Root, tree Tree) error {
	names := slices.Sorted(maps.Keys(tree))
	names = slices.DeleteFunc(names, func(name string) bool { return name == sumsName })
	for _, name := range append([]string{sumsName}, names...) {
		if err := canceled.Cause(ctx); err != nil {
			return err
		}
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
			return err
		}
		if err := p.write(root, name, tree[name]); err != nil {
			return err
		}
	}
	return nil
}

// syncFolders waits until the names of all files below dir are on the disk, as writeFile does for their contents.
func syncFolders(dir string) error {
	return filepath.WalkDir(dir, func(full string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			atomicfile.SyncFolder(full)
		}
		return err
	})
}

// writeFile writes a file and waits until it is on the disk, so that the rename never overtakes its contents. It has
// its name when it is whole: one that differs from its recorded sum was changed by somebody else.
func writeFile(root *os.Root, name string, data []byte) error {
	f, err := root.OpenFile(unfinishedName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return root.Rename(unfinishedName, name)
}

// validate checks that all paths stay inside of the output folder and can exist side by side, on file systems without
// upper and lower case too.
func (t Tree) validate() error {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		switch {
		case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00\n\r"):
			return fmt.Errorf("output file %q: use a relative path with slashes and without . or .. parts", name)
		case name == markName || name == sumsName || name == unfinishedName:
			return fmt.Errorf("output file %q: the name is taken by the record of the build", name)
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

// withSums returns the tree with the mark and the checksums of all files, sorted by name.
func (t Tree) withSums() Tree {
	full := maps.Clone(t)
	if full == nil {
		full = Tree{}
	}
	full[markName] = []byte(markText + sealOf(full.sums()))
	full[sumsName] = full.sums()
	return full
}

// sums returns a line for each file, as sha256sum writes it, sorted by name.
func (t Tree) sums() []byte {
	var sums bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(&sums, "%s  %s\n", sumOf(t[name]), name)
	}
	return sums.Bytes()
}
