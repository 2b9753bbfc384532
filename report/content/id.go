package content

import (
	"errors"
	"strings"
)

// ValidID says whether an id has lower-case letters, digits and single hyphens only, so that it can be a part of paths
// and anchors.
func ValidID(id string) bool {
	for word := range strings.SplitSeq(id, "-") {
		if word == "" || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz0123456789") != "" {
			return false
		}
	}
	return true
}

var errBadID = errors.New("an id has lower-case letters, digits and single hyphens only")
