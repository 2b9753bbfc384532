// Package exactjson reads and writes exact results as JSON. Equal results have equal bytes, and reading returns what
// was written, or an error.
package exactjson

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/big"
	"reflect"
	"slices"
	"strconv"
)

// Read reads one JSON object. It must have exactly the members of the value, each in the form in which it is written.
// White space and the order of the members do not matter. The error names a member that is missing, unknown or in
// another form.
func Read(text []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errors.New("more than one JSON value, leave only one")
	}
	written, err := json.Marshal(value)
	if err != nil {
		return err
	}
	got, err := membersOf(text)
	if err != nil {
		return err
	}
	want, err := membersOf(written)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if value, there := got[name]; !there || !reflect.DeepEqual(value, want[name]) {
			return fmt.Errorf("member %q is missing, incomplete or changed: use the file as it was "+
				"written", name)
		}
	}
	return nil
}

// membersOf reads the members of an object; numbers keep their digits.
func membersOf(text []byte) (members map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return members, decoder.Decode(&members)
}

// Counts is a JSON object that maps numbers to counts, in numerical, not alphabetical, order.
type Counts map[int64]int64

// MarshalJSON returns {"2":5,"10":1}.
func (c Counts) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for i, number := range slices.Sorted(maps.Keys(c)) {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, '"'), number, 10)
		out = strconv.AppendInt(append(out, `":`...), c[number], 10)
	}
	return append(out, '}'), nil
}

// Sum is a checksum of 64 bits, written as 16 hexadecimal digits.
type Sum uint64

func (s Sum) String() string               { return fmt.Sprintf("%016x", uint64(s)) }
func (s Sum) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
func (s *Sum) UnmarshalText(text []byte) error {
	value, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil || Sum(value).String() != string(text) {
		return fmt.Errorf("checksum %q: must be 16 hexadecimal digits in lower case", text)
	}
	*s = Sum(value)
	return nil
}

// Big returns the 128-bit number that consists of two words.
func Big(high, low uint64) *big.Int {
	number := new(big.Int).SetUint64(high)
	return number.Lsh(number, 64).Or(number, new(big.Int).SetUint64(low))
}

// Words reads a 128-bit number from decimal digits, as [Big] prints it. Errors use the noun for the number.
func Words(noun string, text []byte) (high, low uint64, err error) {
	number, ok := new(big.Int).SetString(string(text), 10)
	if !ok || number.Sign() < 0 || number.BitLen() > 128 || number.String() != string(text) {
		return 0, 0, fmt.Errorf("%s %q: not a whole number from 0 to 2^128-1, write its decimal digits", noun, text)
	}
	low = new(big.Int).And(number, new(big.Int).SetUint64(1<<64-1)).Uint64()
	return number.Rsh(number, 64).Uint64(), low, nil
}

// NotData is embedded in types that describe work in progress. Without it their JSON would be {}, which is useless.
type NotData struct{}

// MarshalJSON returns an error.
func (NotData) MarshalJSON() ([]byte, error) {
	return nil, errors.New("unfinished work cannot be saved: save its arguments instead")
}
