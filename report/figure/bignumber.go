package figure

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// total adds the counts that there are.
func total(counts []*big.Int) *big.Int {
	sum := new(big.Int)
	for _, n := range counts {
		if n != nil {
			sum.Add(sum, n)
		}
	}
	return sum
}

// bigText writes a count in full up to 15 digits, and to three digits beyond.
func bigText(n *big.Int) string {
	s := n.String()
	if len(s) <= 15 {
		return Thousands(s)
	}
	mantissa, exponent, _ := strings.Cut(new(big.Float).SetInt(n).Text('e', 2), "e+")
	return "about " + mantissa + "×10" + raised.Replace(exponent)
}

// scientific splits n > 0 into m·10^e with 1 <= m < 10, m to 17 digits.
func scientific(n *big.Int) (m float64, e int) {
	s := n.String()
	e = len(s) - 1
	digits := s[:min(len(s), 17)]
	m, err := strconv.ParseFloat(digits[:1]+"."+digits[1:]+"0", 64)
	if err != nil {
		panic("figure: the digits of an integer do not parse: " + err.Error())
	}
	return m, e
}

// log10 is the decimal logarithm of n > 0.
func log10(n *big.Int) float64 {
	m, e := scientific(n)
	return math.Log10(m) + float64(e)
}

// ratio is a/b for 0 <= a <= b, b > 0, however large.
func ratio(a, b *big.Int) float64 {
	f, _ := new(big.Float).Quo(new(big.Float).SetInt(a), new(big.Float).SetInt(b)).Float64()
	return f
}
