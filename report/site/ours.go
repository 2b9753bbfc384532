package site

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/limitedread"
)

// checkOurs refuses a target that holds anything which Publish has not put there, or which was changed since.
func (f Folder) checkOurs(target string) error {
	info, err := os.Lstat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().IsRegular():
		return atomicfile.Refuse("the output %s is a file: give the path of a folder", target)
	case !info.IsDir():
		return atomicfile.Refuse("the output %s is %s: give the path of a folder", target, atomicfile.Kind(info))
	case info.Mode().Perm()&0o200 == 0:
		return atomicfile.Refuse("the output folder %s is read-only, as its owner wants it: make it writable, or give another", target)
	}
	root, err := atomicfile.OpenFolder(target)
	if err != nil {
		return err
	}
	defer root.Close()
	found, err := listFiles(root.FS())
	if err != nil || len(found) == 0 {
		return err
	}
	sums, kept, err := readRecord(root)
	if err != nil {
		return atomicfile.Refuse("the output folder %s is not empty and was not written by siegebook (%w): empty it, or give another", target, err)
	}
	if !kept && !f.Force {
		return atomicfile.Refuse("the record of the output folder %s (%s) was changed since siegebook wrote it: move away what is yours, and build with --force", target, sumsName)
	}
	for _, name := range found {
		sum, listed := sums[name]
		if name != sumsName && !listed {
			return atomicfile.Refuse("the output folder %s holds %s, which siegebook has not written: move it away, or give another folder", target, name)
		}
		if listed && !f.Force && !hasSum(root, name, sum) {
			return atomicfile.Refuse("the output folder %s holds %s, which was changed since siegebook wrote it: move it away, or build with --force", target, name)
		}
	}
	return nil
}

// isPublished says whether a folder has the record of a build.
func isPublished(dir string) bool {
	root, err := atomicfile.OpenFolder(dir)
	if err != nil {
		return false
	}
	defer root.Close()
	_, _, err = readRecord(root)
	return err == nil
}

// removeOurs removes a folder that Publish has written, or half written, or half removed. If there is anything in it
// that was not written by us, or was changed since and is not to be removed by force, all of it stays.
func removeOurs(dir string, force bool) error {
	root, err := atomicfile.OpenFolder(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	found, err := listFiles(root.FS())
	if err != nil {
		return err
	}
	sums, err := listedSums(root)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, kept, err := readRecord(root); err == nil && !kept && !force {
		return fmt.Errorf("the record of %s was changed", dir)
	}
	for _, name := range found {
		sum, listed := sums[name]
		switch {
		case name == sumsName, name == unfinishedName:
		case listed && (force || hasSum(root, name, sum)):
		case isFolder(root, name) && leadsTo(sums, name):
		default:
			return fmt.Errorf("%s holds %s, which siegebook has not written", dir, name)
		}
	}
	// The record goes last: what is left of a removal that is killed can still be told to be ours.
	slices.SortFunc(found, func(a, b string) int { return lastOf(a) - lastOf(b) })
	for _, name := range found {
		if err := removeUp(root, name); err != nil {
			return err
		}
	}
	return os.Remove(dir)
}

// lastOf orders files for their removal.
func lastOf(name string) int { return slices.Index([]string{markName, sumsName}, name) }

// removeUp removes a file or an empty folder, and the folders above it that are empty then.
func removeUp(root *os.Root, name string) error {
	if err := root.Remove(name); err != nil {
		return err
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if root.Remove(dir) != nil {
			break // something is left in it
		}
	}
	return nil
}

func isFolder(root *os.Root, name string) bool {
	info, err := root.Lstat(name)
	return err == nil && info.IsDir()
}

// leadsTo says whether a listed file is below a folder.
func leadsTo(sums map[string]string, dir string) bool {
	for name := range sums {
		if strings.HasPrefix(name, dir+"/") {
			return true
		}
	}
	return false
}

// hasSum says whether a name is that of a regular file with a checksum.
func hasSum(root *os.Root, name, sum string) bool {
	file, err := atomicfile.OpenIn(root, name)
	if err != nil {
		return false
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || info.Size() > maxFile {
		return false
	}
	hash := sha256.New()
	n, err := io.Copy(hash, io.LimitReader(file, maxFile+1))
	return err == nil && n <= maxFile && hex.EncodeToString(hash.Sum(nil)) == sum
}

// What a build writes has fewer bytes than these. What has more is not ours, whatever a record says, and is not read.
const (
	maxFile = 1024 * limitedread.MiB
	maxSums = 16 * limitedread.MiB
	maxMark = limitedread.MiB
)

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// readIn returns what is in a regular file of an open folder.
func readIn(root *os.Root, name string, most int64) ([]byte, error) {
	file, err := atomicfile.OpenIn(root, name)
	if err != nil {
		return nil, err
	}
	return limitedread.Read(file, name, most)
}

// readRecord returns the checksums of a published folder by name, and whether the record is as siegebook wrote it. Who
// writes it anew with sha256sum lists files of his own, which are not ours for that. One of an earlier version has no
// seal: it passes.
func readRecord(root *os.Root) (sums map[string]string, kept bool, err error) {
	mark, err := readIn(root, markName, maxMark)
	seal, ok := strings.CutPrefix(string(mark), markText)
	if err != nil || !ok {
		return nil, false, fmt.Errorf("it has no file %s", markName)
	}
	sums, err = listedSums(root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, fmt.Errorf("it has no file %s", sumsName)
	}
	if err != nil {
		return nil, false, err
	}
	data, err := readIn(root, sumsName, maxSums)
	return sums, seal == "" || seal == sealOf(data), err
}

// sealOf returns the seal of a record, which is in the mark. The mark's own line in the record is not sealed.
func sealOf(sums []byte) string {
	var others []byte
	for line := range bytes.Lines(sums) {
		if !bytes.HasSuffix(line, []byte("  "+markName+"\n")) {
			others = append(others, line...)
		}
	}
	return fmt.Sprintf("The SHA-256 of the other lines in %s is %s.\n", sumsName, sumOf(others))
}

// listedSums reads the file of checksums.
func listedSums(root *os.Root) (map[string]string, error) {
	data, err := readIn(root, sumsName, maxSums)
	if err != nil {
		return nil, err
	}
	sums := map[string]string{}
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(sum) != hex.EncodedLen(sha256.Size) {
			return nil, fmt.Errorf("its file %s is damaged", sumsName)
		}
		sums[name] = sum
	}
	return sums, nil
}

// listFiles returns the slash-separated names of everything in a folder that is no folder, and of empty folders,
// sorted.
func listFiles(dir fs.FS) ([]string, error) {
	var names []string
	err := fs.WalkDir(dir, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if entry.IsDir() {
			inside, err := fs.ReadDir(dir, name)
			if err != nil || len(inside) > 0 {
				return err
			}
		}
		names = append(names, filepath.ToSlash(name))
		return nil
	})
	slices.Sort(names)
	return names, err
}
