package castle

import "github.com/siegebook/siegebook/analysis/internal/exactjson"

// Checksum sums up the exact answers of many battles. All arithmetic is modulo 2^64, on numbers 0..2^64-1:
//
//	checksum = the sum over all battles (n, s, d) with w fewest waves, 0 if the soldiers cannot win, of
//	           (2 mix(mix(mix(n) + d) + s) + 1) (w + 1)
//	mix(x):    twice x := x K, then x := x + x div 2^32, with K = 0x9e3779b97f4a7c15 (2^64/φ)
//
// Each battle has an odd factor of its own, so that an answer that changes, whichever it is, changes the checksum. That
// two answers change places, or several change, goes unnoticed as rarely as 64 bits by chance are equal. The sum
// is the same in any order and from any parts.
type Checksum uint64

// checksumFactor is K, an odd number.
const checksumFactor = 0x9e3779b97f4a7c15

func mix(x uint64) uint64 {
	x *= checksumFactor
	x += x >> 32
	x *= checksumFactor
	return x + x>>32
}

// checksumOf is the share of one battle, with the soldiers' fewest waves.
func checksumOf(b Battle, waves int64) Checksum {
	return checksumRow(b.Soldiers, b.DefendersPerWave).term(b.CastleHits, waves)
}

// Add adds the share of one battle, with the fewest waves of the side whose waves are summed up, 0 if it cannot win.
func (c *Checksum) Add(b Battle, waves int64) {
	b.must()
	refuse(natural("waves", waves))
	*c += checksumOf(b, waves)
}

// rowChecksum is what the shares of all battles with the same soldiers and defenders have in common.
type rowChecksum uint64

func checksumRow(soldiers, defenders int64) rowChecksum {
	return rowChecksum(mix(mix(uint64(soldiers)) + uint64(defenders)))
}

func (r rowChecksum) term(castleHits, waves int64) Checksum {
	return Checksum((2*mix(uint64(r)+uint64(castleHits)) + 1) * (uint64(waves) + 1))
}

// String returns the checksum as 16 hexadecimal digits: the text that is also marshalled and read.
func (c Checksum) String() string                   { return exactjson.Sum(c).String() }
func (c Checksum) MarshalText() ([]byte, error)     { return exactjson.Sum(c).MarshalText() }
func (c *Checksum) UnmarshalText(text []byte) error { return (*exactjson.Sum)(c).UnmarshalText(text) }
