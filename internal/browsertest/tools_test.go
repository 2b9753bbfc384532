package browsertest

import (
	"testing"

	"github.com/siegebook/siegebook/internal/npmtest"
)

// checkers returns the folder of the packages of npm that look at pages, and make the font of formulas.
func checkers(t *testing.T) string {
	t.Helper()
	return npmtest.Modules(t, "npm", "axe-core/axe.min.js")
}

func TestLockFile(t *testing.T) {
	npmtest.CheckLock(t, "npm", map[string]string{
		"axe-core": "4.14.1", "html-validate": "10.9.0", "subset-font": "2.9.0", "@fontsource/stix-two-math": "5.3.0",
	})
}
