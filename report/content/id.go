package content

import (
	"errors"
	"regexp"
)

// idRule is the form of everything that ends up in a path or an anchor.
var idRule = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// ValidID says whether an id has lower-case letters, digits and single hyphens only, so that it can be a part of paths
// and anchors.
func ValidID(id string) bool { return idRule.MatchString(id) }

var errBadID = errors.New("an id has lower-case letters, digits and single hyphens only")
