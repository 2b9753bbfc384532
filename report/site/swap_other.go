//go:build !linux

package site

// replaceDir puts the folder next in target's place.
func replaceDir(next, target, old string) error { return renameTwice(next, target, old) }
