package listing

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"go.starlark.net/starlark"
)

// The interpreter counts steps, but one step may take any amount of time and memory: s + s doubles a string, a == b
// visits everything in two lists, which may contain the same list a thousand times, and x * x doubles the digits. So
// two counts limit a call: steps, which the interpreter counts, and elements, which this package counts and never
// subtracts. A step for which this package counts nothing takes limited time and memory in any program:
//
//   - Arithmetic of numbers and comparisons with a number: either the text of the program shows that a number has at
//     most 256 bits (guard.go), or a guard checks the operands first, limits the bits of the result, and counts words.
//   - Comparing, in, sorting, min and max, and converting a value to a string: all elements in the values are counted
//     first, as often as the values contain them. So are the results of key=, and keys to look up in a dictionary.
//   - Strings, lists and slices that an operation, a function or a method creates: their length is counted, if possible
//     before they are created. Literal lists take a step for each of their elements.
//   - Moving the elements of a list (insert, pop): one element for each 32 that are moved.
//   - Dictionaries: their elements, 32 elements for a new dictionary, and keys of the same class,
//     which take longer to look up.
//   - Calls of functions: a function has at most 100 parameters. The parts of a large function are counted, and fewer
//     calls of it may be nested.
//   - Reading the text, once: it has at most 64 KB, and its nesting is limited, as is the nesting of the values that it
//     defines.

// spending is the cost of the current call in a thread.
type spending struct {
	thread  *starlark.Thread
	limits  Limits
	items   int
	start   uint64 // the thread's steps when the call began
	end     uint64 // the thread's steps at which the call must end
	alike   int    // the maximum number of keys of a class
	before  int    // the same in the values that the text defines outside of functions
	classes *[keyClasses]int
	keys    int  // the number of keys of all classes
	alone   bool // the call holds many, so other calls that need much memory must wait
}

const spendingKey = "spending"

func spent(thread *starlark.Thread) *spending { return thread.Local(spendingKey).(*spending) }

// renew begins a call.
func (s *spending) renew() {
	if s.thread.Uncancel(); s.thread.Steps > math.MaxUint64/2 {
		s.thread.Steps = 0
	}
	*s = spending{thread: s.thread, limits: s.limits, alike: s.before, before: s.before}
	s.start, s.end = s.thread.Steps, s.thread.Steps+s.dearer(s.limits.Steps)
	s.thread.SetMaxExecutionSteps(s.end)
}

// steps returns the number of steps of the call so far. Each counted element is a step too.
func (s *spending) steps() int64 { return int64(s.thread.Steps-s.start) + int64(s.items) }

// many lets only one call at a time use much memory, so that a machine with many cores needs no more memory than a
// machine with few cores.
var many sync.Mutex

// release ends a call.
func (s *spending) release() {
	if s.alone {
		s.alone = false
		many.Unlock()
	}
}

// count counts elements that are created or visited.
func (s *spending) count(items int) error {
	if s.items += min(items, math.MaxInt32); s.items > s.limits.Total {
		return fmt.Errorf("more than %d elements in one call: make fewer, or compare fewer", s.limits.Total)
	}
	if !s.alone && s.items > s.limits.Total/8 {
		many.Lock()
		s.alone = true
	}
	return nil
}

// made counts the elements of a new value, if possible before it is created.
func (s *spending) made(items int) error {
	if items > s.limits.Items {
		return fmt.Errorf("a value of %d elements: at most %d", items, s.limits.Items)
	}
	return s.count(items)
}

// looked counts the elements that an operation visits: all elements in its values, as often as the values contain
// them.
func (s *spending) looked(values ...starlark.Value) error {
	_, err := s.weighed(values...)
	return err
}

// weighed does the same as looked, and returns the number of elements.
func (s *spending) weighed(values ...starlark.Value) (int, error) {
	items := 0
	for _, v := range values {
		items += weight(v, s.limits.Items-items, MaxLevels)
	}
	if items >= tooDeep {
		return 0, fmt.Errorf("lists nested more than %d levels deep: perhaps a list contains itself", MaxLevels)
	}
	if err := s.made(items); err != nil || s.alike <= fewKeys {
		return items, err
	}
	return items, s.count(items * (s.alike / fewKeys)) // comparing dictionaries looks up their keys in each other
}

const (
	// MaxLevels is the maximum nesting depth of values that an operation visits.
	MaxLevels = 100
	tooDeep   = math.MaxInt >> 8
)

// weight returns how many values a value contains, including itself, up to a limit. Long numbers and strings count
// more.
func weight(v starlark.Value, bound, levels int) int {
	if levels == 0 {
		return tooDeep
	}
	items := 1
	switch v := v.(type) {
	case starlark.Int:
		items += bitLen(v) / 64
	case starlark.String:
		items += v.Len() / 16
	case starlark.Tuple:
		for _, e := range v {
			if items > bound {
				break
			}
			items += weight(e, bound-items, levels-1)
		}
	case *starlark.List:
		for i := range v.Len() {
			if items > bound {
				break
			}
			items += weight(v.Index(i), bound-items, levels-1)
		}
	case *starlark.Dict:
		if items += 2 * v.Len(); items > bound {
			break
		}
		for key, value := range v.Entries() {
			if items > bound {
				break
			}
			items += weight(key, bound-items, levels-1) + weight(value, bound-items, levels-1)
		}
	}
	return items
}

// bitLen returns the number of bits of a number.
func bitLen(i starlark.Int) int {
	if n, ok := i.Int64(); ok {
		return bits.Len64(uint64(max(n, -n)))
	}
	return i.BigInt().BitLen()
}

// checked counts a new number.
func (s *spending) checked(number starlark.Int) (starlark.Value, error) {
	if _, ok := number.Int64(); ok {
		return number, nil
	}
	size := number.BigInt().BitLen()
	if size > s.limits.Bits {
		return nil, s.tooLong()
	}
	if size <= smallBits {
		return number, nil
	}
	return number, s.count(size / 64)
}

func (s *spending) tooLong() error { return fmt.Errorf("a number of more than %d bits", s.limits.Bits) }

// A dictionary compares a key with the keys of its class, one by one. It adds classes as it grows, but a program can
// choose keys of the same class. The classes counted here are coarser than the classes of a large dictionary, and are
// shared by all dictionaries of a call. Each step may look up a key, so the more keys a class has beyond its share,
// the more a step costs.
const (
	keyClasses = 1024
	fewKeys    = 8
)

// added counts a key before it is put in a dictionary.
func (s *spending) added(d *starlark.Dict, key starlark.Value) error {
	if err := s.count(4); err != nil || d.Len() < fewKeys {
		return err
	}
	if s.classes == nil {
		s.classes = new([keyClasses]int)
	}
	size := weight(key, s.limits.Items, MaxLevels)
	of := &s.classes[class(key)%keyClasses]
	*of += size
	s.keys += size
	alike := min(*of, d.Len()*size) - fewKeys - 2*s.keys/keyClasses
	if alike > max(s.alike, fewKeys) {
		s.alike = alike
		if end := s.thread.Steps + s.dearer(s.limits.Steps); end < s.end {
			s.end = end
			s.thread.SetMaxExecutionSteps(end)
		}
	}
	return s.count(max(0, alike))
}

// removed subtracts a key before it is removed from a dictionary.
func (s *spending) removed(d *starlark.Dict, key starlark.Value) {
	if d.Len() > fewKeys && s.classes != nil {
		size := weight(key, s.limits.Items, MaxLevels)
		of := &s.classes[class(key)%keyClasses]
		*of, s.keys = max(0, *of-size), max(0, s.keys-size)
	}
}

// dearer returns how many steps a budget buys at the current cost of a step.
func (s *spending) dearer(steps uint64) uint64 {
	if s.alike <= fewKeys {
		return steps
	}
	high, low := bits.Mul64(steps, fewKeys)
	steps, _ = bits.Div64(high, low, uint64(s.alike)) // no overflow, because alike is greater than fewKeys
	return steps
}

// class returns the hash of a key. Hashes of long strings differ from run to run, so it computes its own hash of
// strings.
func class(key starlark.Value) uint32 {
	switch key := key.(type) {
	case starlark.String:
		h := uint32(2166136261)
		for i := range min(len(key), 1024) {
			h = (h ^ uint32(key[i])) * 16777619
		}
		return h
	case starlark.Callable:
		return class(starlark.String(key.Name()))
	case starlark.Tuple: // hashed as in the interpreter
		x, mult := uint32(0x345678), uint32(1000003)
		for _, e := range key {
			x ^= class(e) * mult
			mult += 82520 + uint32(2*len(key))
		}
		return x
	}
	h, _ := key.Hash() // every key has a hash
	return h
}
