// Package limitedread reads whole files that a user names. By mistake, a user may name a disk image or an endless
// device. So every kind of file has a maximum size, and larger files are rejected before they fill the memory. A user
// may also name a pipe to which nobody writes, so a file that is opened by name must be a regular file or a link to a
// regular file.
package limitedread

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// MiB is a unit for limits.
const MiB = 1 << 20

// TooLarge is the error for a file with more bytes than its kind may have.
type TooLarge struct {
	Name string
	Most int64 // the maximum number of bytes
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf(
		"%s: larger than %d MiB, the maximum for such a file: check that it is the right one", e.Name,
		e.Most/MiB,
	)
}

// ReadFile returns the content of a regular file. The error, including the error for files that are not regular, is a
// *[TooLarge] or a *fs.PathError.
func ReadFile(name string, most int64) ([]byte, error) {
	file, err := atomicfile.OpenNamed(name)
	if err != nil {
		return nil, err
	}
	return Read(file, name, most)
}

// ReadFS does the same as [ReadFile] for a file in fs.FS.
func ReadFS(files fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(files, name) // checks before opening, because opening a pipe would block
	if err != nil {
		return nil, err
	}
	if err := atomicfile.WantRegular(name, info); err != nil {
		return nil, err
	}
	file, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	return Read(file, name, most)
}

// Read returns the rest of an open file, and closes the file. The error is a *[TooLarge] or an error of the file.
func Read(file fs.File, name string, most int64) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() <= most { // the size of a device is 0
		data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead)) // large enough to avoid copying
		if _, err := data.ReadFrom(io.LimitReader(file, most+1)); err != nil || int64(data.Len()) <= most {
			return data.Bytes(), err
		}
	}
	return nil, &TooLarge{name, most}
}
