package atomicfile

import "io/fs"

// OthersMayWrite says whether anybody but its owner may write a file or folder. The private group of an owner, which
// has his number, is he himself: under a mask of 002, which its users have, all that is made is open to it.
func OthersMayWrite(info fs.FileInfo) bool {
	owner, group, known := Owner(info)
	switch info.Mode() & 0o022 {
	case 0:
		return false
	case 0o020:
		return !known || owner != group
	}
	return true
}
