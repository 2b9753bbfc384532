package site

import "math/bits"

// squeezed returns a text without zero bytes in less than a quarter of its size. The result is printable ASCII without
// &, < and >, so that nothing in it can end the block that holds it. It is a number in base 91, by arithmetic coding:
// an interval is cut at each bit of the text, by the chance that a [mixer] gives the bit. A zero byte ends the text.
// The script of the search has the inverse.
func squeezed(text []byte) string {
	m := newMixer()
	var digits []uint64
	low, width := uint64(0), uint64(1) // of the interval, in units of the last digit; low is not yet in the digits
	carry := func() {
		for i := len(digits) - 1; low > 0; i-- {
			low += digits[i]
			digits[i] = low % base
			low /= base
		}
	}
	for _, b := range append(text[:len(text):len(text)], 0) {
		for shift := 7; shift >= 0; shift-- {
			for width < leastWidth {
				carry()
				digits, width = append(digits, 0), width*base
			}
			part := width / one * uint64(m.chance())
			bit := int(b) >> shift & 1
			if bit == 1 {
				width = part
			} else {
				low, width = low+part, width-part
			}
			m.learn(bit)
		}
	}
	carry()
	out := make([]byte, len(digits))
	for i, digit := range digits {
		out[i] = printable[digit]
	}
	return string(out)
}

const (
	base       = 91
	leastWidth = base * base * base * base * base
	one        = 1 << 16 // a chance of 1
)

// printable are the digits of base 91.
var printable = func() (list []byte) {
	for c := byte('!'); c <= '~'; c++ {
		if c != '&' && c != '<' && c != '>' {
			list = append(list, c)
		}
	}
	return list
}()

// A mixer predicts the bits of a text, the highest of each byte first. It has chances for what follows the last byte,
// the last three bytes, the word so far, and the last place with the same six bytes. Their logarithms of odds are added
// up, with weights that change with each bit. Sums, products and quotients alone are computed, without fused steps, so
// that each machine and each browser gets the same.
type mixer struct {
	// That a bit is 1, in 12 bits, and in the lowest 4 how often it was learnt, up to 15. The last 64 are for
	// repetitions, by their length and the bit that they expect.
	chances []uint16
	weights [256 + 16][inputs]float64 // by the bits of the byte so far, or by the length of a repetition
	text    []byte
	hashes  [7]uint32 // of the last bytes, by their number
	word    uint32    // hash of the word so far
	last    []int32   // the place behind six bytes, by their hash
	repeats int       // the place that is expected to come again
	length  int       // of what has come again so far

	node   int                // 1 and the bits of the byte so far
	nibble int                // 1 and the bits of its half so far
	slots  [inputs - 1]uint32 // where the chances of these bits begin
	at     [inputs]uint32     // places of the chances of the next bit
	logits [inputs]float64
	set    int    // of weights
	mixed  uint16 // the chance of the next bit
}

const (
	inputs    = 4
	tableBits = 22
	lastBits  = 18
	multiply  = 0x2F0B4C47
)

func newMixer() *mixer {
	m := &mixer{
		chances: make([]uint16, 1<<tableBits+64), last: make([]int32, 1<<lastBits),
		node: 1,
	}
	for i := range m.chances {
		m.chances[i] = one / 2
	}
	for i := range m.weights {
		m.weights[i] = [inputs]float64{0.4, 0.4, 0.4, 0.4}
	}
	return m
}

// logistic has the chances of the logarithms of odds from -8 to 8, in steps of 1/256; logit is its inverse, in steps of
// 1/4096.
var logistic, logit = func() (chances [4096]uint16, odds [4096]float64) {
	next := 0
	for i, power := 1, 0.0003367755915052735; i < 4096; i++ { // exp(-2047/256)
		chances[i] = uint16(one * power / (1 + power))
		for ; next < 4096 && next*16 <= int(chances[i]); next++ {
			odds[next] = float64(i-2048) / 256
		}
		power *= 1.0039138893383475 // exp(1/256)
	}
	for ; next < 4096; next++ {
		odds[next] = 2047.0 / 256
	}
	return chances, odds
}()

// rates are how much of a miss a chance learns, by how often it was learnt.
var rates = func() (list [16]float64) {
	for i := range list {
		list[i] = 1 / (float64(i) + 1.5)
	}
	return list
}()

// chance returns the chance that the next bit is 1, of 65,536.
func (m *mixer) chance() uint16 {
	length, expected := 0, 0
	if m.length > 0 {
		left := 8 - bits.Len(uint(m.node)) // bits after the next one
		if wanted := int(m.text[m.repeats]) | 256; wanted>>(left+1) == m.node {
			length, expected = min(m.length, 31), wanted>>left&1
		} else {
			m.length = 0
		}
	}
	if m.node == 1 || m.node>>4 == 1 {
		m.nibble = 1
		for i, hash := range [inputs - 1]uint32{m.hashes[1], m.hashes[3], m.word} {
			x := (hash + uint32(m.node)) * (multiply + 2*uint32(i))
			m.slots[i] = (x ^ x>>15) * multiply >> (32 - tableBits) &^ 15
		}
	}
	m.set = m.node
	if length > 0 {
		m.set = 256 + min(length, 15)
	}
	weights, sum := &m.weights[m.set], 0.0
	for i, slot := range m.slots {
		m.at[i] = slot + uint32(m.nibble)
	}
	m.at[inputs-1] = uint32(1<<tableBits + 2*length + expected)
	for i := range inputs {
		m.logits[i] = logit[m.chances[m.at[i]]>>4]
		sum += float64(weights[i] * m.logits[i])
	}
	m.mixed = logistic[int(max(1, min(4095, sum*256+2048.5)))]
	return m.mixed
}

// learn tells what the next bit is.
func (m *mixer) learn(bit int) {
	weights := &m.weights[m.set]
	missed := (float64(bit) - float64(m.mixed)/one) * 0.008
	target := float64(bit * (one - 1))
	for i, at := range m.at {
		weights[i] += float64(missed * m.logits[i])
		old, seen := float64(m.chances[at]), m.chances[at]&15
		m.chances[at] = uint16(old+float64((target-old)*rates[seen]))&^15 | min(15, seen+1)
	}
	m.node, m.nibble = 2*m.node+bit, 2*m.nibble+bit
	if m.node < 256 {
		return
	}
	b := uint32(m.node - 256)
	m.text, m.node = append(m.text, byte(b)), 1
	if m.word = (m.word + b) * multiply; b < '0' {
		m.word = 0
	}
	for i := len(m.hashes) - 1; i > 0; i-- {
		x := (m.hashes[i-1] + b + 1) * multiply
		m.hashes[i] = x ^ x>>15
	}
	last := &m.last[m.hashes[6]>>(32-lastBits)]
	if m.length > 0 {
		m.repeats, m.length = m.repeats+1, m.length+1
	} else {
		m.repeats = int(*last)
		for m.length < 40 && m.length < m.repeats &&
			m.text[m.repeats-1-m.length] == m.text[len(m.text)-1-m.length] {
			m.length++
		}
	}
	*last = int32(len(m.text))
}
