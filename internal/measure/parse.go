package main

import (
	"fmt"
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

// value returns one measurement.
func (s sample) value(key string) (float64, error) {
	value, ok := s[key]
	if !ok || value <= 0 {
		return 0, fmt.Errorf("no benchmark has measured %q", key)
	}
	return value, nil
}

// medianOf returns the median over the rounds of what f computes from each.
func medianOf(samples []sample, f func(sample) (float64, error)) (float64, error) {
	var values []float64
	for _, s := range samples {
		value, err := f(s)
		if err != nil {
			return 0, err
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		return 0, fmt.Errorf("no round was measured")
	}
	slices.Sort(values)
	return values[len(values)/2], nil
}

// median returns the median of one measurement.
func median(samples []sample, key string) (float64, error) {
	return medianOf(samples, func(s sample) (float64, error) { return s.value(key) })
}

// ratio returns the median of the quotient of two measurements of one round.
func ratio(samples []sample, over, under string) (float64, error) {
	return medianOf(samples, func(s sample) (float64, error) {
		a, err := s.value(over)
		if err != nil {
			return 0, err
		}
		b, err := s.value(under)
		return a / b, err
	})
}
