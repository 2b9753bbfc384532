package cache

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/internal/must"
	_ "github.com/siegebook/siegebook/internal/rapidseed"
)

func ExampleCache_Do() {
	dir := must.Get(os.MkdirTemp("", "cache"))
	defer os.RemoveAll(dir)
	c := Open(dir)
	key := NewKey("square-1", []byte("12"))
	for range 2 {
		value, err := c.Do(key, func() ([]byte, error) {
			fmt.Println("computing")
			return []byte("144"), nil
		})
		fmt.Println(string(value), err)
	}
	// Output:
	// computing
	// 144 <nil>
	// 144 <nil>
}

func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(rt *rapid.T) {
		kind := rapid.String().Draw(rt, "kind")
		input := rapid.SliceOf(rapid.Byte()).Draw(rt, "input")
		value := rapid.SliceOf(rapid.Byte()).Draw(rt, "value")
		c, k := Open(dir), NewKey(kind, input)
		err := c.Put(k, value)
		if got, ok := Open(dir).Get(k); !ok || !bytes.Equal(got, value) {
			rt.Fatalf("Get = %q, %v, want %q", got, ok, value)
		}
		must.Do(rt, err)
	})
}

func TestKeysDistinguish(t *testing.T) {
	keys := map[Key]string{}
	for _, in := range [][]string{
		{"k"},
		{"k", ""},
		{"k", "", ""},
		{"k", "ab", "c"},
		{"k", "a", "bc"},
		{"k", "abc"},
		{"ka", "bc"},
		{"k!"},
	} {
		var inputs [][]byte
		for _, s := range in[1:] {
			inputs = append(inputs, []byte(s))
		}
		k := NewKey(in[0], inputs...)
		if other, dup := keys[k]; dup {
			t.Errorf("%q and %s share a key", in, other)
		}
		keys[k] = fmt.Sprintf("%q", in)
	}
}

func TestKindStaysInTheFolder(t *testing.T) {
	dir := t.TempDir()
	for _, kind := range []string{"", ".", "..", "../../x", "/etc", "a\x00b", "ü"} {
		rel, err := filepath.Rel(dir, Open(dir).path(NewKey(kind)))
		if err != nil || !filepath.IsLocal(rel) || strings.Count(rel, string(filepath.Separator)) != 2 {
			t.Errorf("kind %q is stored at %q (%v)", kind, rel, err)
		}
	}
}

// TestDamageHeals cuts an entry at every length and flips every byte. Each damaged entry is a miss, and the next
// computation repairs it.
func TestDamageHeals(t *testing.T) {
	dir := t.TempDir()
	c, k, want := Open(dir), NewKey("kind", []byte("in")), []byte("the value")
	c.Put(k, want)
	good := must.Get(os.ReadFile(c.path(k)))
	var damaged [][]byte
	for i := range good {
		flipped := bytes.Clone(good)
		flipped[i] ^= 0x20
		damaged = append(damaged, good[:i], flipped)
	}
	damaged = append(damaged, append(bytes.Clone(good), 'x'))
	for _, entry := range damaged {
		must.Write(t, c.path(k), entry)
		if got, ok := c.Get(k); ok {
			t.Fatalf("damaged entry %q gave %q", entry, got)
		}
		got, err := c.Do(k, func() ([]byte, error) { return want, nil })
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("Do = %q, %v", got, err)
		}
		if got, ok := c.Get(k); !ok || !bytes.Equal(got, want) {
			t.Fatalf("entry %q did not heal: %q, %v", entry, got, ok)
		}
	}
}

func TestEntryOfAnotherKeyIsAMiss(t *testing.T) {
	c, a, b := Open(t.TempDir()), NewKey("kind", []byte("a")), NewKey("kind", []byte("b"))
	c.Put(a, []byte("for a"))
	c.Put(b, []byte("for b"))
	must.Do(t, os.Rename(c.path(a), c.path(b)))
	if got, ok := c.Get(b); ok {
		t.Fatalf("Get gave %q, stored under another key", got)
	}
}

func TestUnusableFolderDegrades(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Write(t, file, "")
	for name, c := range map[string]*Cache{
		"nil": nil, "disabled": Open(""),
		"under a file": Open(filepath.Join(file, "x")),
	} {
		calls := 0
		for range 2 {
			got, err := c.Do(NewKey("k"), func() ([]byte, error) { calls++; return []byte("v"), nil })
			if err != nil || string(got) != "v" {
				t.Errorf("%s: Do = %q, %v", name, got, err)
			}
		}
		if calls != 2 {
			t.Errorf("%s: computed %d times, want 2", name, calls)
		}
		if err := c.Put(NewKey("k"), nil); (err != nil) != (c != nil) {
			t.Errorf("%s: Put = %v", name, err)
		}
	}
}

func TestErrorsAreNotStored(t *testing.T) {
	c, k, boom := Open(t.TempDir()), NewKey("k"), errors.New("boom")
	if _, err := c.Do(k, func() ([]byte, error) { return nil, boom }); !errors.Is(err, boom) {
		t.Fatalf("err = %v", err)
	}
	got, err := c.Do(k, func() ([]byte, error) { return []byte("ok"), nil })
	if err != nil || string(got) != "ok" {
		t.Fatalf("Do after an error = %q, %v", got, err)
	}
}

func TestConcurrentDoComputesOnce(t *testing.T) {
	c, k := Open(t.TempDir()), NewKey("k")
	var calls atomic.Int32
	started := make(chan struct{})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := c.Do(k, func() ([]byte, error) {
				if calls.Add(1) == 1 {
					close(started)
				}
				<-started
				runtime.Gosched()
				return []byte("value"), nil
			})
			if err != nil || string(got) != "value" {
				t.Errorf("Do = %q, %v", got, err)
				return
			}
			got[0] = 'X' // got must be the caller's own copy
		})
	}
	wg.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("computed %d times, want 1", n)
	}
	if got, ok := c.Get(k); !ok || string(got) != "value" {
		t.Errorf("stored %q, %v", got, ok)
	}
}

// TestProcesses lets several processes write and read the same keys, and checks that none of them ever sees a wrong
// value.
func TestProcesses(t *testing.T) {
	if dir := os.Getenv("CACHE_TEST_DIR"); dir != "" {
		hammer(t, dir)
		return
	}
	dir := t.TempDir()
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestProcesses$")
			cmd.Env = append(os.Environ(), "CACHE_TEST_DIR="+dir)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	wg.Wait()
}

func hammer(t *testing.T, dir string) {
	c := Open(dir)
	for i := range 60 {
		in := []byte{byte(i % 6)}
		want := bytes.Repeat(in, 1<<14)
		k := NewKey("k", in)
		if got, ok := c.Get(k); ok && !bytes.Equal(got, want) {
			t.Fatalf("round %d: wrong bytes", i)
		}
		must.Do(t, c.Put(k, want))
	}
}

func FuzzDecode(f *testing.F) {
	k := NewKey("k", []byte("in"))
	f.Add(encode(k, []byte("value")))
	f.Add([]byte(magic))
	f.Fuzz(func(t *testing.T, entry []byte) {
		if value, ok := decode(k, entry); ok && !bytes.Equal(encode(k, value), entry) {
			t.Errorf("decode(%q) = %q, which encodes otherwise", entry, value)
		}
	})
}
