package atomicfile

import (
	"errors"
	"os"
	"path/filepath"
)

// Folder is a folder for passing use.
type Folder struct {
	// Path is its absolute path.
	Path string
	lock *os.File
}

// lockName is the file in a scratch folder that is locked while its process lives.
const lockName = ".lock"

// NewFolder makes a folder in parent, the system's folder for temporary files if it is empty, and removes the orphans
// of the same name there.
func NewFolder(parent, name string) (*Folder, error) {
	if parent == "" {
		parent = os.TempDir()
	}
	parent, err := filepath.Abs(parent)
	if err != nil {
		return nil, err
	}
	Sweep(parent, name)
	for {
		path, err := os.MkdirTemp(parent, orphanPrefix(name))
		if err != nil {
			return nil, err
		}
		lock, err := os.OpenFile(filepath.Join(path, lockName), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		switch {
		case errors.Is(err, os.ErrNotExist): // swept before it was locked
		case err != nil:
			return nil, errors.Join(err, os.RemoveAll(path))
		case locked(lock):
			return &Folder{path, lock}, nil
		default:
			_ = lock.Close()
		}
	}
}

// Remove removes the folder and all that is in it.
func (f *Folder) Remove() error {
	return release(f.lock, func() error { return os.RemoveAll(f.Path) })
}
