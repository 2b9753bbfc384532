//go:build !wasip1

package page

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/siegebook/siegebook/internal/atomicfile"
	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/notebooks/show/internal/host"
)

// sharedVariable is the environment variable that contains the name of the store's file.
const sharedVariable = "SIEGEBOOK_SHARED"

// store describes where the values that pages share are stored. Package internal/report/program writes it.
type store struct {
	Run    string // the folder for the run
	Cache  string // the folder of the cache; "" means none
	Module string // the folder in which the functions run
	// Sums maps each package, and each function that a cell declares, to a hash of everything that its values depend
	// on. If the hash is "", the values are stored only for the run. If it begins with "!", the rest is the reason why
	// the values are not stored.
	Sums map[string]string
}

// openStore returns the store that the generator has named, or nil if it has named none.
func openStore() *store {
	data, err := os.ReadFile(os.Getenv(sharedVariable))
	_ = os.Unsetenv(sharedVariable)
	var s store
	if err != nil || json.Unmarshal(data, &s) != nil {
		return nil
	}
	return &s
}

// Shared returns the value of a call from the store, or computes and stores it. Other pages wait in the meantime.
func (s *Session) Shared(path, call string, compute func() []byte) ([]byte, error) {
	if s.store == nil {
		return compute(), nil
	}
	function, _, _ := strings.Cut(call, "(")
	sum, inCell := s.store.Sums[function]
	known := inCell
	if !known {
		sum, known = s.store.Sums[path]
	}
	why, bad := strings.CutPrefix(sum, "!")
	switch {
	case bad:
		return nil, errors.New(why)
	case !known:
		return nil, host.ErrNotShared
	}
	folder := s.store.Cache
	if sum == "" || folder == "" {
		folder = filepath.Join(s.store.Run, "shared")
	}
	values, key := cache.Open(folder), cache.NewKey("shared-json-2", []byte(sum), []byte(call))
	value, kept := values.Get(key)
	if !kept {
		unlock, err := atomicfile.Lock(context.Background(), filepath.Join(s.store.Run, filepath.Base(key.String())))
		if err == nil {
			defer unlock()
		} // without the lock, two pages may compute the same value
		if value, kept = values.Get(key); !kept {
			if inCell {
				value = compute() // runs in the folder of the page
			} else {
				value = s.inModule(compute)
			}
			_ = values.Put(key, value) // if this fails, the next page computes the value again
		}
	}
	s.share(call, value)
	return value, nil
}

// inModule runs compute in the folder of the module, so that pages in other folders get the same value.
func (s *Session) inModule(compute func() []byte) []byte {
	if here, err := os.Getwd(); err == nil && s.store.Module != "" && os.Chdir(s.store.Module) == nil {
		defer func() { _ = os.Chdir(here) }()
	}
	return compute()
}
