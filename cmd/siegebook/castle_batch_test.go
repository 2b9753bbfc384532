package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/faulttest"
)

// FuzzCastleReader: whatever the input, no panic, errors of one line; and what is read, printed and read again is the
// same.
func FuzzCastleReader(f *testing.F) {
	const header = "soldiers,castle_hits,defenders_per_wave\n"
	for _, seed := range []string{
		"", header, header + "10,43,8\n", header + "10,43,8\r\n\r\n1,2,3", "\xef\xbb\xbf" + header + "\"10\",43,8\n",
		header + "10,43\n", header + "10,43,8,9\n", header + "1e3,1,1\n", header + "-1,0,9223372036854775808\n",
		header + "\"1\n2\",3,4\n", header + "\"1,3,4\n", header +
			"1,\"2\"3,4\n", "n,s,d\n", "\"soldiers\ncastle\",b,c\n", ",\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, input string) {
		battles, err := readAll(input)
		if err != nil {
			if command.ExitCode(err) != exitUsage {
				t.Errorf("error %T %q", err, err)
			}
			return
		}
		printed := header
		for _, b := range battles {
			printed += fmt.Sprintf("%d,%d,%d\n", b.Soldiers, b.CastleHits, b.DefendersPerWave)
			if err := b.Validate(); err != nil {
				t.Errorf("read a battle that is none: %v", err)
			}
		}
		again, err := readAll(printed)
		if err != nil || !slices.Equal(battles, again) {
			t.Errorf("read %v, printed it and read %v, %v", battles, again, err)
		}
		out := mustRun(t, input, "solve", "castle", "--batch", "-", "--columns",
			"soldiers,castle_hits,defenders_per_wave")
		if out != printed {
			t.Errorf("the batch prints %q for %q", out, printed)
		}
	})
}

func readAll(input string) ([]castle.Battle, error) {
	reader, err := newCastleReader("input", strings.NewReader(input))
	if err != nil {
		return nil, err
	}
	var battles []castle.Battle
	for {
		battle, err := reader.next()
		if err == io.EOF {
			return battles, nil
		}
		if err != nil {
			return nil, err
		}
		battles = append(battles, battle)
	}
}

// TestReadErrorIsNoUsageError: input that breaks off because of the system is not the user's fault.
func TestReadErrorIsNoUsageError(t *testing.T) {
	broken := errors.New("the disk is on fire")
	input := io.MultiReader(strings.NewReader("soldiers,castle_hits,defenders_per_wave\n1,2,3\n"),
		&failingReader{broken})
	var stdout, stderr strings.Builder
	code := run(t.Context(), []string{"solve", "castle", "--batch", "-"}, input, &stdout, &stderr)
	if want := "siegebook: standard input: the disk is on fire\n"; code != exitFailed || stdout.String() != "" ||
		stderr.String() != want {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout.String(), stderr.String())
	}
}

type failingReader struct{ err error }

func (f *failingReader) Read([]byte) (int, error) { return 0, f.err }

// TestBattleStore: however the battles are split between memory and disk, every block reads back.
func TestBattleStore(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.Int64Min(1)
		want := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) castle.Battle {
			return castle.Battle{
				Soldiers: number.Draw(t, "n"), CastleHits: number.Draw(t, "s"),
				DefendersPerWave: number.Draw(t, "d"),
			}
		}), 0, 30).Draw(t, "battles")
		store := &battleStore{capacity: rapid.IntRange(0, 40).Draw(t, "capacity")}
		defer store.close()
		for _, battle := range want {
			if err := store.add(battle); err != nil {
				t.Fatal(err)
			}
		}
		if err := store.finish(); err != nil {
			t.Fatal(err)
		}
		first := rapid.Int64Range(0, store.size).Draw(t, "first")
		size := rapid.Int64Range(0, store.size-first).Draw(t, "size")
		got, err := store.read(nil, grid.Block{First: first, Size: size})
		if err != nil || !slices.Equal(got, want[first:first+size]) {
			t.Fatalf("block %d+%d: %v, %v, want %v", first, size, got, err, want[first:first+size])
		}
	})
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
}

// TestBatchLargerThanItsMemory goes through the temporary file.
func TestBatchLargerThanItsMemory(t *testing.T) {
	input, want := strings.Builder{}, strings.Builder{}
	input.WriteString("soldiers,castle_hits,defenders_per_wave\n")
	want.WriteString("min_waves,soldiers\n")
	for i := int64(1); i <= 5000; i++ {
		fmt.Fprintf(&input, "%d,%d,1\n", i, 2*i)
		b := castle.Battle{Soldiers: i, CastleHits: 2 * i, DefendersPerWave: 1}
		fmt.Fprintf(&want, "%s,%d\n", strings.Split(expectedRow(b), ",")[3], i)
	}
	for _, limit := range []string{"2GiB", "12000", "1"} {
		got := mustRun(t, input.String(), "solve", "castle", "--batch", "-", "--limit", limit, "--columns",
			"min_waves,soldiers")
		if got != want.String() {
			t.Errorf("--limit %s: %s", limit, firstDifference(got, want.String()))
		}
	}
}

// TestBatchWithoutRoom: where the temporary file does not fit, the message names the variable that chooses its folder.
func TestBatchWithoutRoom(t *testing.T) {
	dir := faulttest.SmallDisk(t, "1m")
	defer faulttest.Fill(t, dir, 0)()
	t.Setenv("TMPDIR", dir)
	batch := "soldiers,castle_hits,defenders_per_wave\n" + strings.Repeat("10,43,8\n", 100_000)
	code, stdout, stderr := siegebook(t.Context(), batch, "solve", "castle", "--batch", "-", "--limit", "1")
	if want := "no space left on device; make room, or name another place\n"; code != exitFailed || stdout != "" ||
		!strings.HasPrefix(stderr, "siegebook: TMPDIR "+dir+": ") || !strings.HasSuffix(stderr, want) {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}
