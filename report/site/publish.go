package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/scratch"
)

// The files that Publish adds to a tree. Both must be there, and the sums must list every other file, before a folder
// counts as one of ours.
const (
	markName = ".siegebook"
	sumsName = "SHA256SUMS"
)

const markText = "This folder was written by siegebook. The next build replaces it and everything in it.\n"

// Publish makes dir hold exactly the files of tree, together with their checksums (SHA256SUMS, for sha256sum -c).
//
// The files are written to a folder beside dir, which then takes dir's place: whoever reads dir sees the old files or
// the new ones, and any failure, a cancelled ctx included, leaves the old ones as they were. What a killed run left
// behind is removed by the next. Builds of the same dir wait for one another.
//
// A dir that holds just these files already is not touched. A dir that holds anything Publish has not written is refused and left alone.
func Publish(ctx context.Context, dir string, tree Tree) error {
	p := publication{write: writeFile}
	return p.publish(ctx, dir, tree)
}

// publication carries the one operation that tests let fail.
type publication struct {
	write func(name string, data []byte) error
}

func (p publication) publish(ctx context.Context, dir string, tree Tree) error {
	if err := tree.validate(); err != nil {
		return err
	}
	target, err := resolveTarget(dir)
	if err != nil {
		return err
	}
	parent := filepath.Dir(target)
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return err
	}
	unlock, err := scratch.Lock(ctx, sibling(target, "lock"))
	if err != nil {
		return err
	}
	defer unlock()
	// Nobody else writes here while the lock is held, so a folder of these names was left by a run that was killed.
	next, old := sibling(target, "next"), sibling(target, "old")
	if err := putBack(target, next, old); err != nil {
		return err
	}
	if err := checkOurs(target); err != nil {
		return err
	}
	if diff, err := Check(target, tree); err == nil && diff.Empty() {
		return nil // it is all there already
	}
	if err := p.writeTree(ctx, next, tree.withSums()); err != nil {
		return errors.Join(err, os.RemoveAll(next))
	}
	// Writing takes a while: what somebody put into the old folder meanwhile must not be lost with it.
	if err := checkOurs(target); err != nil {
		return errors.Join(err, os.RemoveAll(next))
	}
	if err := replaceDir(next, target, old); err != nil {
		return errors.Join(err, os.RemoveAll(next))
	}
	scratch.SyncFolder(parent)
	// The new files are in place; an old folder that cannot be removed now is removed by the next run.
	_ = os.RemoveAll(next)
	_ = os.RemoveAll(old)
	return nil
}

// resolveTarget returns the absolute path of the folder that dir names, behind symbolic links.
func resolveTarget(dir string) (string, error) {
	if dir == "" {
		return "", errors.New("the output folder has no name: give a path such as \"site\"")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	if filepath.Dir(abs) == abs {
		return "", fmt.Errorf("the output folder %q is the root of a file system: give a folder of its own", dir)
	}
	return abs, nil
}

// sibling names a hidden file or folder of ours beside target: on the same file system, where a rename is atomic.
func sibling(target, role string) string {
	return filepath.Join(filepath.Dir(target), "."+filepath.Base(target)+".siegebook-"+role)
}

// putBack puts back what a killed run left: the old folder, where it was moved away and nothing took its place.
func putBack(target, next, old string) error {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		if _, err := os.Lstat(old); err == nil {
			if err := os.Rename(old, target); err != nil {
				return err
			}
		}
	}
	return errors.Join(os.RemoveAll(next), os.RemoveAll(old))
}

// writeTree writes the files below dir, a new folder.
func (p publication) writeTree(ctx context.Context, dir string, tree Tree) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			return err
		}
		if err := p.write(full, tree[name]); err != nil {
			return err
		}
	}
	return errors.Join(ctx.Err(), syncFolders(dir))
}

// syncFolders waits until the names of all files below dir are on the disk, as writeFile does for their contents.
func syncFolders(dir string) error {
	return filepath.WalkDir(dir, func(full string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() {
			scratch.SyncFolder(full)
		}
		return err
	})
}

// writeFile writes a file and waits until it is on the disk, so that the rename never overtakes its contents.
func writeFile(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// validate checks that all paths stay inside of the output folder and can exist side by side, on file systems without
// upper and lower case too.
func (t Tree) validate() error {
	seen := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(t)) {
		switch {
		case !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00\n\r"):
			return fmt.Errorf("output file %q: use a relative path with slashes and without . or .. parts", name)
		case name == markName || name == sumsName:
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
	full[markName] = []byte(markText)
	var sums bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(full)) {
		sum := sha256.Sum256(full[name])
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), name)
	}
	full[sumsName] = sums.Bytes()
	return full
}

// checkOurs refuses a target that holds anything which Publish has not put there.
func checkOurs(target string) error {
	info, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("the output %s is a file: give the path of a folder", target)
	}
	found, err := listFiles(target)
	if err != nil || len(found) == 0 {
		return err
	}
	listed, err := readSums(target)
	if err != nil {
		return fmt.Errorf("the output folder %s is not empty and was not written by siegebook (%w): empty it, or give another", target, err)
	}
	for _, name := range found {
		if name != sumsName && !listed[name] {
			return fmt.Errorf("the output folder %s holds %s, which siegebook has not written: move it away, or give another folder", target, name)
		}
	}
	return nil
}

// readSums returns the names that the checksums of a published folder list.
func readSums(dir string) (map[string]bool, error) {
	if mark, err := os.ReadFile(filepath.Join(dir, markName)); err != nil || string(mark) != markText {
		return nil, fmt.Errorf("it has no file %s", markName)
	}
	data, err := os.ReadFile(filepath.Join(dir, sumsName))
	if err != nil {
		return nil, fmt.Errorf("it has no file %s", sumsName)
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(sum) != hex.EncodedLen(sha256.Size) {
			return nil, fmt.Errorf("its file %s is damaged", sumsName)
		}
		names[name] = true
	}
	return names, nil
}

// listFiles returns the slash-separated names of everything below dir that is no folder, and of empty folders, sorted.
func listFiles(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(full string, entry fs.DirEntry, err error) error {
		if err != nil || full == dir {
			return err
		}
		if entry.IsDir() {
			inside, err := os.ReadDir(full)
			if err != nil || len(inside) > 0 {
				return err
			}
		}
		rel, err := filepath.Rel(dir, full)
		names = append(names, filepath.ToSlash(rel))
		return err
	})
	slices.Sort(names)
	return names, err
}
