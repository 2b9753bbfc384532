package main

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestEstimatedBytes: what --dry-run says of a sweep's file is about what it is: a tenth off as CSV, by two as Parquet.
func TestEstimatedBytes(t *testing.T) {
	for _, ranges := range []string{
		"--soldiers 1:100 --castle 1:100 --defenders 1:60", "--soldiers 1000:1009 --castle 1:10000 --defenders 90:99",
		"--soldiers 7:9 --castle 5:99 --defenders 3:4",
	} {
		for _, columns := range []string{
			"soldiers,min_waves", "castle_first_winner,published_waves,defenders_per_wave",
		} {
			for name, most := range map[string]float64{"x.csv": 1.1, "x.parquet": 2} {
				c := parsed(t, "sweep castle "+ranges+" --columns "+columns+" --out "+filepath.Join(t.TempDir(),
					name)).(*sweepCastle)
				w, err := c.work()
				if err != nil {
					t.Fatal(err)
				}
				estimated, err := w.output(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if err := c.Run(t.Context(), streams{
					Out: new(strings.Builder),
					Err: new(strings.Builder),
				}); err != nil {
					t.Fatal(err)
				}
				info, err := os.Stat(c.Out)
				if err != nil {
					t.Fatal(err)
				}
				if ratio := float64(estimated) / float64(info.Size()); ratio > most || ratio < 1/most {
					t.Errorf("%s, %s, %s: %d bytes, estimated %d", name, ranges, columns, info.Size(), estimated)
				}
			}
		}
	}
}

// TestEstimatedSurvey: no survey is larger than what --dry-run says.
func TestEstimatedSurvey(t *testing.T) {
	for _, ranges := range []string{
		"--soldiers 1:30 --castle 1:300 --defenders 1:30",
		"--soldiers 50 --castle 1:3000 --defenders 20:60", "--soldiers 1 --castle 1 --defenders 1",
	} {
		args := strings.Fields("survey castle " + ranges + " --json")
		var says struct {
			Output int64 `json:"output_bytes"`
			Size   int64
		}
		if err := json.Unmarshal([]byte(mustRun(t, "", append(args, "--dry-run")...)), &says); err != nil {
			t.Fatal(err)
		}
		if text := mustRun(t, "", args...); int64(len(text)) > says.Output {
			t.Errorf("%s: %d bytes, estimated %d", ranges, len(text), says.Output)
		}
	}
}

// parsed returns a command with its arguments, not run.
func parsed(t *testing.T, line string) any {
	t.Helper()
	c, err := grammar().Selected(strings.Fields(line))
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestTasks: tasks take an hour until there are a thousand, then up to a day, and no task has less than an item.
func TestTasks(t *testing.T) {
	const hour = 3600
	for _, test := range []struct{ size, seconds, most, want int64 }{
		{1, 1, 0, 1},
		{1000, hour, 0, 1},
		{1000, hour + 1, 0, 2},
		{10, 100 * hour, 0, 10},
		{1 << 40, 1000 * hour, 0, 1000},
		{1 << 40, 24 * 1000 * hour, 0, 1000},
		{1 << 40, 25 * 1000 * hour, 0, 1042},
		{1 << 62, 24 * 200_000 * hour, 0, 100_000},
		{1 << 40, hour, 1 << 32, 256},
		{1 << 60, hour, 1 << 32, 100_000},
	} {
		w := work{size: test.size, mostItems: test.most}
		if got := w.tasks(float64(test.seconds)); got != test.want {
			t.Errorf("%d items of %d seconds in all: %d tasks, want %d", test.size, test.seconds, got, test.want)
		}
	}
}

// TestSample: the time of a work is told from its first items, by what they cost, and the sample is the whole of a work
// that is short.
func TestSample(t *testing.T) {
	double := func(items int64) *big.Int { return new(big.Int).Mul(big.NewInt(2), big.NewInt(items)) }
	w := work{size: 1 << 40, cost: double}
	if got := w.secondsOf(sample{items: 1 << 20, seconds: 0.5}); got != 1<<19 {
		t.Errorf("%v seconds", got)
	}
	for line, most := range map[string]int64{
		"sweep castle --soldiers 1:3 --castle-hits 1:4 --defenders-per-wave 1:2":                          24,
		"sweep castle --soldiers 1:300000 --castle-hits 1:400 --defenders-per-wave 1:200 --out x.parquet": 1 << 26,
		"survey castle --soldiers 1:300000 --castle-hits 1:400 --defenders-per-wave 1:200":                1 << 26,
		"measure naval --placements 36 --fleets 1000000000":                                               1 << 20,
	} {
		c := parsed(t, line).(sharded)
		w, err := c.work()
		if err != nil {
			t.Fatal(err)
		}
		taken, err := takeSample(t.Context(), c, w)
		if err != nil || taken.items > most || taken.items < min(w.size, 8) || taken.seconds < sampleSeconds &&
			taken.items < w.size {
			t.Errorf("%s: %+v, %v", line, taken, err)
		}
	}
}

func TestDuration(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "less than a second", 0.94: "less than a second", 0.96: "1 s", 99: "99 s", 100: "2 minutes",
		3600: "60 minutes", 6000: "1.7 hours", 359_000: "99.7 hours", 360_000: "100 hours", 3.6e9: "1,000,000 hours",
		3.6e12: "1,000,000,000 hours", 1e13: "more than 1,000,000,000 hours", 1e308: "more than 1,000,000,000 hours",
		math.Inf(1): "more than 1,000,000,000 hours",
	} {
		if got := duration(seconds); got != want {
			t.Errorf("%s seconds: %s, want %s", strconv.FormatFloat(seconds, 'g', -1, 64), got, want)
		}
	}
	for seconds, want := range map[float64]string{5.8e-8: "58 ns", 1.2e-5: "12 µs", 0.25: "250 ms", 7: "7 s"} {
		if got := smallDuration(seconds); got != want {
			t.Errorf("%v seconds: %s, want %s", seconds, got, want)
		}
	}
}
