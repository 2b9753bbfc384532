package site

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
)

// digest tells values apart.
type digest [sha256.Size]byte

// digestOf goes through values in depth: pointers count for what they lead to, and fields that have no export too. There
// must be no cycle and no function.
func digestOf(values ...reflect.Value) digest {
	hash := sha256.New()
	w := digester{bufio.NewWriterSize(hash, 1<<16)}
	for _, v := range values {
		w.value(v)
	}
	_ = w.Flush() // a hash takes everything
	return digest(hash.Sum(nil))
}

type digester struct{ *bufio.Writer }

func (w digester) number(n uint64) {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], n)
	_, _ = w.Write(buf[:])
}

// text writes the length first, so that boundaries count.
func (w digester) text(s string) {
	w.number(uint64(len(s)))
	_, _ = w.WriteString(s)
}

func (w digester) value(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		w.number(map[bool]uint64{true: 1}[v.Bool()])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.number(uint64(v.Int()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.number(v.Uint())
	case reflect.Float32, reflect.Float64:
		w.number(math.Float64bits(v.Float()))
	case reflect.String:
		w.text(v.String())
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.text("nil")
			return
		}
		w.text(v.Elem().Type().String())
		w.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			w.value(v.Field(i))
		}
	case reflect.Slice, reflect.Array:
		w.list(v)
	case reflect.Map:
		w.mapping(v)
	default:
		panic(fmt.Sprintf("site: no digest of a %v", v.Type()))
	}
}

func (w digester) list(v reflect.Value) {
	if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
		w.number(uint64(v.Len()))
		_, _ = w.Write(v.Bytes())
		return
	}
	w.number(uint64(v.Len()))
	for i := range v.Len() {
		w.value(v.Index(i))
	}
}

// mapping goes through a map in the order of its keys, which are strings in all maps of pages.
func (w digester) mapping(v reflect.Value) {
	w.number(uint64(v.Len()))
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	for _, key := range keys {
		w.value(key)
		w.value(v.MapIndex(key))
	}
}
