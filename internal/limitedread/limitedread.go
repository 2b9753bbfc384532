// Package limitedread reads whole files that a user names. A slip of the pen can name a disk image or a device that
// never ends, so every kind of file has a size beyond which it is refused, before it takes the memory. It can also name
// a pipe that nobody writes to, so what is opened by its name must be a regular file, or a link to one.
package limitedread

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"

	"github.com/siegebook/siegebook/internal/atomicfile"
)

// MiB is a unit for bounds.
const MiB = 1 << 20

// TooLarge is a file with more bytes than its kind may have.
type TooLarge struct {
	Name string
	Most int64 // bytes
}

func (e *TooLarge) Error() string {
	return fmt.Sprintf(
		"%s: larger than %d MiB, which is the most that is read of such a file: is it the right one?", e.Name,
		e.Most/MiB,
	)
}

// ReadFile returns what is in a regular file. The error is a *[TooLarge], or a *fs.PathError, also for what is no such
// file.
func ReadFile(name string, most int64) ([]byte, error) {
	file, err := atomicfile.OpenNamed(name)
	if err != nil {
		return nil, err
	}
	return Read(file, name, most)
}

// ReadFS is [ReadFile] for a file of a file system.
func ReadFS(files fs.FS, name string, most int64) ([]byte, error) {
	info, err := fs.Stat(files, name) // opening a pipe would block
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

// Read returns what is left in an open file, and closes it. The error is a *[TooLarge], or that of the file.
func Read(file fs.File, name string, most int64) ([]byte, error) {
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() <= most { // of a device it is 0
		data := bytes.NewBuffer(make([]byte, 0, info.Size()+bytes.MinRead)) // so that no part is copied
		if _, err := data.ReadFrom(io.LimitReader(file, most+1)); err != nil || int64(data.Len()) <= most {
			return data.Bytes(), err
		}
	}
	return nil, &TooLarge{name, most}
}
