//go:build !wasip1

package show

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/notebooks/show/values"
)

// keptFolder is the folder for values in siegebook's cache.
const keptFolder = "values"

// keptHere returns the value of a call from the user's cache, or computes and stores it. Outside a notebook, it only
// computes the value.
func keptHere(_, call string, compute func() []byte) ([]byte, error) {
	function, _, _ := strings.Cut(call, "(")
	sum, reads := values.FunctionSum(function)
	if why, bad := strings.CutPrefix(sum, "!"); bad {
		return nil, errors.New(why)
	}
	store := cache.Open(ownCache(keptFolder))
	if sum == "" || store == nil {
		return compute(), nil
	}
	inputs := [][]byte{[]byte(sum), []byte(call)}
	if reads {
		files, err := sumFiles(".")
		if err != nil {
			return compute(), nil
		}
		inputs = append(inputs, files)
	}
	key := cache.NewKey("shared-cell-1", inputs...)
	value, kept := store.Get(key)
	if !kept {
		value = compute()
		_ = store.Put(key, value) // if this fails, the next cell computes the value again
	}
	return value, nil
}

// sumFiles returns a hash of the sizes and times of the files in a folder, except for notebooks and hidden files.
func sumFiles(dir string) ([]byte, error) {
	here, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	fmt.Fprintf(sum, "%q\n", here)
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") || filepath.Ext(entry.Name()) == ".ipynb" {
			continue
		}
		info, err := os.Stat(filepath.Join(dir, entry.Name()))
		if err == nil && !info.IsDir() {
			fmt.Fprintf(sum, "%q %d %d\n", entry.Name(), info.Size(), info.ModTime().UnixNano())
		}
	}
	return sum.Sum(nil), nil
}
