package main

import (
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/dustin/go-humanize"

	"github.com/siegebook/siegebook/analysis/castle"
	"github.com/siegebook/siegebook/analysis/grid"
	"github.com/siegebook/siegebook/analysis/listing"
	"github.com/siegebook/siegebook/analysis/listing/games"
	"github.com/siegebook/siegebook/internal/command"
	"github.com/siegebook/siegebook/internal/shard"
)

// positive is an integer of at least 1. The zero value means that the argument was not given.
type positive int64

func (p *positive) UnmarshalText(text []byte) error {
	number, err := grid.ParseNumber(string(text), 1)
	*p = positive(number)
	return err
}

func (p *positive) UnmarshalJSON(text []byte) error { return p.UnmarshalText(text) }

// natural is an integer of at least 0.
type natural int64

func (n *natural) UnmarshalText(text []byte) error {
	number, err := grid.ParseNumber(string(text), 0)
	*n = natural(number)
	return err
}

func (n *natural) UnmarshalJSON(text []byte) error { return n.UnmarshalText(text) }

// span is a range of positive integers, A:B or A.
type span struct{ grid.Range }

func (s *span) UnmarshalText(text []byte) (err error) {
	if strings.Contains(string(text), ",") || strings.Count(string(text), ":") > 1 {
		return fmt.Errorf("range %q: steps and lists are not allowed here: write A:B, or use siegebook sweep", text)
	}
	s.Range, err = grid.ParseRange(string(text), 1)
	return err
}

func (s span) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// stretch holds the numbers of a range from First in steps of Step, up to Last.
type stretch struct {
	grid.Range
	Step int64
}

func (s stretch) size() int64 { return (s.Last-s.First)/s.Step + 1 }

// numbers are increasing positive integers: A:B, A:B:STEP, A, or several of these separated by commas.
type numbers []stretch

func (n *numbers) UnmarshalText(text []byte) error {
	var list numbers
	for part := range strings.SplitSeq(string(text), ",") {
		next := stretch{Step: 1}
		ends := part
		if at := strings.LastIndexByte(part, ':'); strings.Count(part, ":") == 2 {
			step, err := grid.ParseNumber(part[at+1:], 1)
			if err != nil {
				return fmt.Errorf("range %q: step %w", part, err)
			}
			ends, next.Step = part[:at], step
		}
		var err error
		if next.Range, err = grid.ParseRange(ends, 1); err != nil {
			return err
		}
		if next.Last -= (next.Last - next.First) % next.Step; next.First == next.Last {
			next.Step = 1
		}
		if last := len(list) - 1; last >= 0 && next.First <= list[last].Last {
			return fmt.Errorf("%q: %d is not greater than %d: write each number once, in increasing order", text,
				next.First, list[last].Last)
		}
		list = append(list, next)
	}
	*n = list
	return nil
}

func (n numbers) String() string {
	texts := make([]string, len(n))
	for i, s := range n {
		if texts[i] = s.Range.String(); s.Step > 1 {
			texts[i] += ":" + strconv.FormatInt(s.Step, 10)
		}
	}
	return strings.Join(texts, ",")
}

func (n numbers) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// size returns how many numbers there are.
func (n numbers) size() (size int64) {
	for _, s := range n {
		size += s.size()
	}
	return size
}

// numberAt returns the number with a 0-based index.
func (n numbers) numberAt(index int64) int64 {
	for _, s := range n {
		if index < s.size() {
			return s.First + index*s.Step
		}
		index -= s.size()
	}
	panic("no such number")
}

// byteSize is an amount of memory in bytes. As text it may have a unit (2GiB, 500MB).
type byteSize int64

func (b *byteSize) UnmarshalText(text []byte) error {
	size, err := humanize.ParseBytes(string(text))
	if err != nil || size < 1 || size > math.MaxInt64 {
		return fmt.Errorf("%q: not an amount of memory of at least one byte: write one like 2GiB, 500MB or 65536", text)
	}
	*b = byteSize(size)
	return nil
}

// memoryLimit is the flag that limits the memory of a command.
type memoryLimit struct {
	Memory byteSize `json:"-" default:"2GiB" aliases:"limit" placeholder:"SIZE"`
}

// effort limits the memory and the steps for one value of a row.
type effort struct {
	memoryLimit `embed:""`
	MaxSteps    positive `json:"-" default:"100000000" placeholder:"N"`
}

// castle returns the effort for an algorithm of the castle game.
func (e effort) castle() castle.Effort {
	return castle.Effort{Steps: int64(e.MaxSteps), Memory: int64(e.Memory)}
}

// jsonFlag is the flag of commands that can print JSON.
type jsonFlag struct {
	JSON bool `name:"json" json:"-"`
}

// names returns the names of values, separated by commas.
func names[T fmt.Stringer](values []T) string { return joined(values, ", ") }

func joined[T fmt.Stringer](values []T, between string) string {
	list := make([]string, len(values))
	for i, value := range values {
		list[i] = value.String()
	}
	return strings.Join(list, between)
}

// named returns the value with the given name. Errors use the noun for the values.
func named[T fmt.Stringer](name []byte, noun string, values []T) (T, error) {
	for _, value := range values {
		if value.String() == string(name) {
			return value, nil
		}
	}
	return *new(T), fmt.Errorf("%q: unknown %s, use one of %s", name, noun, names(values))
}

// anyOf returns the names of three or more values as "a (note), b or c". The note is about the first value.
func anyOf[T fmt.Stringer](values []T, note string) string {
	last := len(values) - 1
	return fmt.Sprintf("%v (%s), %s or %v", values[0], note, names(values[1:last]), values[last])
}

// listed sets a list from text: "all", or names separated by commas, no more than most.
func listed[List ~[]T, T any, P interface {
	*T
	encoding.TextUnmarshaler
}](list *List, text []byte, most int, all []T) error {
	if string(text) == "all" {
		*list = all
		return nil
	}
	var some List
	for _, name := range strings.SplitN(string(text), ",", most) {
		var one T
		if err := P(&one).UnmarshalText([]byte(name)); err != nil {
			return fmt.Errorf("%w, or all", err)
		}
		some = append(some, one)
	}
	*list = some
	return nil
}

// listText returns the text that listed reads.
func listText[T interface {
	comparable
	fmt.Stringer
}](list, all []T) ([]byte, error) {
	if slices.Equal(list, all) {
		return []byte("all"), nil
	}
	return commas(list), nil
}

// commas returns the names of values in the form of flags.
func commas[T fmt.Stringer](values []T) []byte {
	return []byte(joined(values, ","))
}

// waveNumbers returns "15" for one wave and "2-14" for several.
func waveNumbers(first, last int64) string {
	if first == last {
		return strconv.FormatInt(first, 10)
	}
	return fmt.Sprintf("%d-%d", first, last)
}

// recipeOf returns the recipe of a command. The JSON fields of the command are the fields on which its result depends.
func recipeOf(name string, c any) shard.Recipe {
	return shard.Recipe{Command: name, Arguments: shard.Object(inJSON(c))}
}

// inJSON returns the JSON text of a value. It panics if the value has no JSON text.
func inJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// listingEnding is the ending of the files with the user's own algorithms.
const listingEnding = ".star"

// listingDigest separates the name of such a file from the digest of its text in recipes and messages.
const listingDigest = "@sha256:"

// ownAlgorithm is a user's own algorithm with its reference: the file and the digest of its text.
type ownAlgorithm struct {
	castle.Algorithm
	reference string
}

func (a ownAlgorithm) String() string { return a.reference }

// isListing reports whether the name of an algorithm is the name of a file, or a reference.
func isListing(name string) bool {
	file, _, _ := strings.Cut(name, listingDigest)
	return strings.HasSuffix(file, listingEnding)
}

// readAlgorithm reads the listing in a file, or for a reference. The text must have the digest of the reference. If
// the file of a reference is missing, it returns an algorithm that cannot answer, which suffices for a merge.
func readAlgorithm(name string) (ownAlgorithm, error) {
	file, digest, pinned := strings.Cut(name, listingDigest)
	text, err := readListing(file)
	if pinned && errors.Is(err, os.ErrNotExist) {
		missing := fmt.Errorf("%s: the listing is missing: put the file with this digest there", name)
		a := castle.Algorithm{
			Name: listing.Name(file), Kind: castle.Heuristic, Question: castle.PlaysLine,
			Answer: func(context.Context, castle.Battle, castle.Effort) (castle.Answer, error) {
				return castle.Answer{}, missing
			},
		}
		return ownAlgorithm{a, name}, nil
	}
	if err != nil {
		return ownAlgorithm{}, fmt.Errorf("algorithm %w; name a file that can be read", ofFile(err))
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(text))
	if pinned && sum != digest {
		return ownAlgorithm{}, fmt.Errorf("algorithm %s: the file's digest is %s, which is not the expected one",
			name, sum)
	}
	l, err := watchedListing(file, text, games.CastleSignature)
	if err != nil {
		return ownAlgorithm{}, err
	}
	return ownAlgorithm{games.Castle(l), file + listingDigest + sum}, nil
}

// readPlayer reads the listing of a player from a file.
func readPlayer(file string, of listing.Signature) (*listing.Listing, error) {
	text, err := readListing(file)
	if err != nil {
		return nil, fmt.Errorf("algorithm %w; name a file that can be read", ofFile(err))
	}
	return watchedListing(file, text, of)
}

// watchedListing reads a listing, and ends the program if a call of the listing does not return.
func watchedListing(file string, text []byte, of listing.Signature) (*listing.Listing, error) {
	var read atomic.Pointer[listing.Listing]
	var failed atomic.Int64
	command.Watch("siegebook", file, func() (begun, ended int64) {
		if l := read.Load(); l != nil {
			return l.Calls()
		}
		return 1, failed.Load() // reading also counts as a call
	})
	l, err := listing.Read(file, text, of, listing.Limits{})
	if err != nil {
		failed.Store(1)
		return nil, err
	}
	read.Store(l)
	return l, nil
}

// readListing reads a file up to one byte more than the maximum length of a listing.
func readListing(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: not a regular file", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, int64(listing.DefaultLimits.Text)+1))
}

// atFault marks an error in a listing as a user error, and returns any other error unchanged.
func atFault(err error) error {
	if fault, is := errors.AsType[*listing.Error](err); is {
		return command.Usage(fault)
	}
	return err
}
