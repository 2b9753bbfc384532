package castle

import (
	"slices"
	"strings"
	"testing"
)

// TestErrataInOrder: the errata come in the order of the posts.
func TestErrataInOrder(t *testing.T) {
	var posts []string
	for _, e := range allClaims().Errata {
		post, _, _ := strings.Cut(e.Where, ",")
		first, _, _ := strings.Cut(post, " ")
		posts = append(posts, first)
	}
	if len(posts) < 10 || !slices.IsSorted(posts) { // I, II and III sort as text too
		t.Errorf("the errata are in the order %v", posts)
	}
}
