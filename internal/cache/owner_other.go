//go:build !unix

package cache

import "io/fs"

// ownerOf knows no owners: the user's cache folder is in his profile, which the system keeps others from.
func ownerOf(fs.FileInfo) (user, group int, known bool) { return 0, 0, false }

func trusted(int, bool) bool { return true }
