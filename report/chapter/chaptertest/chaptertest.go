// Package chaptertest is what the tests of all chapters have in common.
package chaptertest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/siegebook/siegebook/internal/cache"
	"github.com/siegebook/siegebook/report/chapter"
)

// Formulas keeps converted formulas between the builds of a package's tests, once Main has begun.
var Formulas *cache.Cache

// Main is the TestMain of a chapter.
func Main(m *testing.M) {
	folder, err := os.MkdirTemp("", "siegebook-test")
	if err == nil {
		Formulas = cache.Open(folder)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// CheckClaims makes sure that claims have what their page needs, names of their own that begin with the prefix among it, and that they hold.
func CheckClaims(t *testing.T, prefix string, claims []chapter.Claim) {
	t.Helper()
	ids := map[string]bool{}
	for _, c := range claims {
		if c.ID == "" || !strings.HasPrefix(c.ID, prefix) || c.Where == "" || c.Printed == "" || ids[c.ID] {
			t.Errorf("claim %+v: incomplete, or its id is taken", c)
		}
		ids[c.ID] = true
		place := chapter.Refute("claim", c.ID, c.Where, c.Check, errors.New("no")).Place
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(place.File))); err != nil || place.Line == 0 {
			t.Errorf("claim %s: its check is said to be at %+v: %v", c.ID, place, err)
		}
		f, err := c.Check(t.Context())
		if err != nil {
			t.Errorf("claim %s: %v", c.ID, err)
		}
		if f.Checked == "" || c.Verdict != "" && (f.Truth == "" || f.Example == "" || c.Title == "") {
			t.Errorf("claim %s: finding %+v is incomplete", c.ID, f)
		}
	}
}
