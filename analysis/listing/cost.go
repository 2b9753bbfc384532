package listing

import (
	"fmt"
	"math"
	"math/bits"
	"sync"

	"go.starlark.net/starlark"
)

// The interpreter counts steps, but one step may take any time and memory: s + s doubles a text, a == b walks through
// everything that two lists hold, which may be one list a thousand times, and x * x doubles the digits. Two accounts
// bound a call: steps, which the interpreter counts, and elements, which are counted here and never given back. A step
// that is not counted here takes a time and makes a memory that do not depend on the program:
//
//   - Arithmetic of numbers and comparisons with a number: the text of the program shows that a number has at most
//     256 bits (bits.go), else a guard looks at the operands first, bounds the bits of the result, and counts words.
//   - Comparing, in, sorting, min and max, writing a value as a text: all that the values hold is counted first, as
//     often as they hold it. So are the results of key=, and what is looked for in a dictionary.
//   - Texts, lists and slices that an operation, a function or a method makes: their length is counted, if possible
//     before they are made. Texts and lists in brackets take a step for each of their elements.
//   - Moving the elements of a list (insert, pop): one for 32 that are moved.
//   - Dictionaries: what they hold, 32 for a new one, and keys of one class, whose search takes longer.
//   - A call of a function: a function has at most 100 parameters; a large one counts its parts, and fewer calls of
//     it may be inside of each other.
//   - Reading the text, once: it has at most 64 KB, and a bounded depth. What it defines is bounded in depth.

// spending is what the call of a thread has done so far.
type spending struct {
	thread  *starlark.Thread
	limits  Limits
	items   int
	start   uint64 // the steps of the thread when the call began
	end     uint64 // the steps of the thread that end the call
	alike   int    // the most keys of a class
	before  int    // the same in what the text defines outside of functions
	classes *[keyClasses]int
	keys    int  // in all classes
	alone   bool // no other call may need so much memory at the same time
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

// steps is how many steps the call has taken; looking at an element is one too.
func (s *spending) steps() int64 { return int64(s.thread.Steps-s.start) + int64(s.items) }

// many lets one call at a time need much memory, so that a machine with many cores needs no more than one with few.
var many sync.Mutex

// release ends a call.
func (s *spending) release() {
	if s.alone {
		s.alone = false
		many.Unlock()
	}
}

// count counts elements that are made or looked at.
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

// made counts the elements of a value that is made, if possible before it is made.
func (s *spending) made(items int) error {
	if items > s.limits.Items {
		return fmt.Errorf("a value of %d elements: at most %d", items, s.limits.Items)
	}
	return s.count(items)
}

// looked counts what an operation looks through, which is all that its values hold, as often as they hold it.
func (s *spending) looked(values ...starlark.Value) error {
	_, err := s.weighed(values...)
	return err
}

// weighed counts as looked does, and returns the number.
func (s *spending) weighed(values ...starlark.Value) (int, error) {
	items := 0
	for _, v := range values {
		items += weight(v, s.limits.Items-items, MaxLevels)
	}
	if items >= tooDeep {
		return 0, fmt.Errorf("lists more than %d deep inside of each other: perhaps a list holds itself", MaxLevels)
	}
	if err := s.made(items); err != nil || s.alike <= fewKeys {
		return items, err
	}
	return items, s.count(items * (s.alike / fewKeys)) // dictionaries look for the keys of each other
}

const (
	// MaxLevels is how deep the values that an operation looks through hold each other at most.
	MaxLevels = 100
	tooDeep   = math.MaxInt >> 8
)

// weight is how many values a value holds, itself included, counted no farther than the bound. Long numbers and texts
// count more.
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

// bitLen is how many bits a number has.
func bitLen(i starlark.Int) int {
	if n, ok := i.Int64(); ok {
		return bits.Len64(uint64(max(n, -n)))
	}
	return i.BigInt().BitLen()
}

// checked counts a number that is made.
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

// A dictionary looks for a key among those of its class, one by one. It has as many classes as it needs for keys as
// they come; a program can choose keys of one class. The classes that are counted here are coarser than those of a
// large dictionary, and those of all dictionaries of a call together. Since each step may look for a key, steps get
// dearer the more keys a class has beyond its share.
const (
	keyClasses = 1024
	fewKeys    = 8
)

// added counts a key that a dictionary is about to get.
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

// removed takes a key back that a dictionary is about to lose.
func (s *spending) removed(d *starlark.Dict, key starlark.Value) {
	if d.Len() > fewKeys && s.classes != nil {
		size := weight(key, s.limits.Items, MaxLevels)
		of := &s.classes[class(key)%keyClasses]
		*of, s.keys = max(0, *of-size), max(0, s.keys-size)
	}
}

// dearer is for how many steps a number of them lasts.
func (s *spending) dearer(steps uint64) uint64 {
	if s.alike <= fewKeys {
		return steps
	}
	high, low := bits.Mul64(steps, fewKeys)
	steps, _ = bits.Div64(high, low, uint64(s.alike)) // alike is greater than fewKeys
	return steps
}

// class is the hash of a key, but for long texts, of which it differs from run to run.
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
	case starlark.Tuple: // as the interpreter does
		x, mult := uint32(0x345678), uint32(1000003)
		for _, e := range key {
			x ^= class(e) * mult
			mult += 82520 + uint32(2*len(key))
		}
		return x
	}
	h, _ := key.Hash() // a key has one
	return h
}
