package grid

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Range is the whole numbers First, First+1, ..., Last. First must not be above Last.
type Range struct {
	First, Last int64
}

// String returns "A:B", or "A" if the range is a single number: what ParseRange reads.
func (r Range) String() string {
	if r.First == r.Last {
		return strconv.FormatInt(r.First, 10)
	}
	return strconv.FormatInt(r.First, 10) + ":" + strconv.FormatInt(r.Last, 10)
}

// ParseRange reads an inclusive range "A:B", or "A" for a single number, whose numbers are least or more (math.MinInt64
// for no such demand).
//
// The error is one line that names the text, the rule it breaks and what to write instead.
func ParseRange(text string, least int64) (Range, error) {
	first, last, two := strings.Cut(text, ":")
	if !two {
		last = first
	}
	var r Range
	var err error
	if r.First, err = ParseNumber(first, least); err == nil {
		r.Last, err = ParseNumber(last, least)
	}
	switch {
	case err != nil && first == text:
		if r, is := misspelt(text, least); is {
			return Range{}, fmt.Errorf("range %q: has a colon between its ends, write %v", text, r)
		}
		return Range{}, err
	case err != nil:
		return Range{}, fmt.Errorf("range %q: %w", text, err)
	case r.First > r.Last:
		return Range{}, fmt.Errorf("range %q: runs backwards, write the smaller number first: %v", text,
			Range{r.Last, r.First})
	}
	return r, nil
}

// misspelt returns the range that somebody means who writes another sign than a colon.
func misspelt(text string, least int64) (Range, bool) {
	for _, sign := range []string{"-", "–", ".."} {
		first, last, two := strings.Cut(text, sign)
		from, err := ParseNumber(first, max(least, 0))
		to, wrong := ParseNumber(last, from)
		if two && err == nil && wrong == nil {
			return Range{from, to}, true
		}
	}
	return Range{}, false
}

// ParseNumber reads one whole number in decimal digits that is least or more and fits in 64 bits with a sign.
//
// The error is one line that names the text, the rule it breaks and what to write instead.
func ParseNumber(text string, least int64) (int64, error) {
	number, err := strconv.ParseInt(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange) && !strings.HasPrefix(text, "-"):
		return 0, fmt.Errorf("%q: too large, use %d or less", text, int64(math.MaxInt64))
	case err != nil && !errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%q: not a whole number, use decimal digits only, like %d", text, max(least, 10))
	case err != nil || number < least:
		return 0, fmt.Errorf("%q: too small, use %d or more", text, least)
	}
	return number, nil
}
