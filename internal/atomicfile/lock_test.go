package atomicfile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// TestLock lets many count in a file, which goes wrong unless they wait for one another.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	name, counter := filepath.Join(dir, "lock"), filepath.Join(dir, "counter")
	var group sync.WaitGroup
	for range 5 {
		group.Go(func() {
			for range 4 {
				unlock, err := Lock(t.Context(), name)
				if err != nil {
					t.Error(err)
					return
				}
				data, _ := os.ReadFile(counter)
				time.Sleep(time.Millisecond)
				if err := os.WriteFile(counter, append(data, '.'), 0o644); err != nil {
					t.Error(err)
				}
				unlock()
			}
		})
	}
	group.Wait()
	if data, err := os.ReadFile(counter); len(data) != 20 || err != nil || names(t, dir) != "counter" {
		t.Errorf("counted to %d, %v, left %s", len(data), err, names(t, dir))
	}
}

func TestLockEndsWithTheContext(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	unlock, err := Lock(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	defer unlock()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := Lock(ctx, name); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("err = %v", err)
	}
	if _, err := Lock(t.Context(), filepath.Join(name, "x")); err == nil {
		t.Error("no error below a file")
	}
}

// TestLockOfRemovedFile: who waited for a lock file that its holder then removed must not think to hold the lock.
func TestLockOfRemovedFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lock")
	first, err1 := os.Create(name)
	err2 := os.Remove(name)
	stale, err3 := os.Create(name)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	defer stale.Close()
	if hasName(first) || !hasName(stale) {
		t.Error("a lock on the removed file is taken for one on the new file")
	}
	if err := os.Remove(name); err != nil || hasName(stale) {
		t.Errorf("a lock on a removed file is taken for one that excludes others, %v", err)
	}
}

// TestLockKeepsText: a file of the user's that is called like a lock does its work, and stays with what is in it.
func TestLockKeepsText(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	write(t, lock, "kept")
	unlock, err := Lock(t.Context(), lock)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
	if data, err := os.ReadFile(lock); err != nil || string(data) != "kept" {
		t.Errorf("%q, %v", data, err)
	}
}
