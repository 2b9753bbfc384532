package main

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// sample is what one round measured, by the benchmark's name without "Benchmark" and unit: "Map/fill ns/op".
type sample map[string]float64

// cores is what go test appends to a benchmark's name.
var cores = regexp.MustCompile(`-\d+$`)

// parse reads the lines of benchmarks in the output of go test.
func parse(text string) sample {
	s := sample{}
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) < 4 || !strings.HasPrefix(fields[0], "Benchmark") {
			continue
		}
		name := cores.ReplaceAllLiteralString(strings.TrimPrefix(fields[0], "Benchmark"), "")
		for i := 2; i+1 < len(fields); i += 2 {
			if value, err := strconv.ParseFloat(fields[i], 64); err == nil {
				s[name+" "+fields[i+1]] = value
			}
		}
	}
	return s
}

// median returns the median of some values.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
