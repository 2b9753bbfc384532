package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/siegebook/siegebook/report/site"
)

// edition is what serve shows at a moment. It never changes; a newer one takes its place.
type edition struct {
	tree   site.Tree // the last good report; nil before there is one
	faults []fault   // of the newest sources; none if the tree is made of them
	newer  chan struct{}
}

// version names what a reader of a page sees: the page, its own files, the style, the faults. Pages whose version stays
// the same need not be loaded again.
func (e *edition) version(page string) string {
	hash := sha256.New()
	fmt.Fprintf(hash, "%q %v\n", e.faults, e.tree == nil)
	if _, ok := e.tree[page]; !ok {
		fmt.Fprintf(hash, "%q", slices.Sorted(maps.Keys(e.tree)))
	}
	assets := "assets/" + strings.TrimSuffix(page, ".html") + "/"
	for _, name := range slices.Sorted(maps.Keys(e.tree)) {
		if name == page || strings.HasPrefix(name, assets) || strings.HasSuffix(name, ".css") {
			fmt.Fprintf(hash, "%s %d\n", name, len(e.tree[name]))
			hash.Write(e.tree[name])
		}
	}
	return hex.EncodeToString(hash.Sum(nil)[:8])
}
