package figure

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"github.com/siegebook/siegebook/report/content"
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

// number writes v with the decimals that multiples of step need, thousands separated by commas.
func number(v, step float64) string {
	if math.Abs(v) < step/1e6 {
		v = 0
	}
	if a := math.Abs(v); a >= 1e15 || (step < 1e-9 && a > 0) {
		return strconv.FormatFloat(v, 'g', 4, 64)
	}
	decimals := 0
	for s := step; decimals < 9 && math.Abs(s-math.Round(s)) > 1e-6*s; decimals++ {
		s *= 10
	}
	return Thousands(strconv.FormatFloat(v, 'f', decimals, 64))
}

// Decimal writes a number for people, thousands separated by commas: integers below 10^15 in full, other numbers to six
// significant digits, but never without their whole part. Where that is 0.0000... or has more than 15 digits, it writes
// a power of ten.
func Decimal(v float64) string { return Thousands(content.Float(v, 6).Text) }

// count writes an integer with thousands separators.
func count(n int) string { return Thousands(strconv.Itoa(n)) }

// Thousands is content.Thousands.
func Thousands(s string) string { return content.Thousands(s) }

func share(part, whole int) string { return Share(int64(part), int64(whole)) }

// Share writes part of whole as a percentage that is 0 or 100 only when it is exactly that: "33.3 %".
func Share(part, whole int64) string {
	switch {
	case part == 0 || part == whole:
		return Percent(part, whole, 0) + " %"
	case 1000*part < whole:
		return "under 0.1 %"
	case 1000*(whole-part) < whole:
		return "over 99.9 %"
	}
	return Percent(part, whole, 1) + " %"
}

// Ratio writes a fraction with so many decimals. It rounds the fraction itself, halves away from zero, so that 3/40 is
// 0.08, where the nearest float is a little less and would become 0.07. The denominator must not be 0.
func Ratio[T int | int64](numerator, denominator T, decimals int) string {
	return big.NewRat(int64(numerator), int64(denominator)).FloatString(decimals)
}

// Percent writes part of whole as a percentage with so many decimals, rounded as by Ratio. It is for parts up to 10^16.
func Percent[T int | int64](part, whole T, decimals int) string {
	return Ratio(100*part, whole, decimals)
}

// Fixed writes v, which is finite, with so many decimals. It rounds the shortest decimal number that is v, halves away
// from zero as Ratio does: 0.285 is 0.29, though the float is a little less.
func Fixed(v float64, decimals int) string { return shortest(v).FloatString(decimals) }

// Percentage writes a share from 0 to 1 as a percentage with so many decimals, rounded as by Fixed.
func Percentage(v float64, decimals int) string {
	return new(big.Rat).Mul(shortest(v), big.NewRat(100, 1)).FloatString(decimals)
}

// shortest returns the decimal number with the fewest digits that is v.
func shortest(v float64) *big.Rat {
	r, ok := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	if !ok {
		panic("figure: " + strconv.FormatFloat(v, 'g', -1, 64) + " is no finite number")
	}
	return r
}

// list joins parts as "a, b and c".
func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// capital makes the first letter large, unless it stands alone: n is not N.
func capital(s string) string {
	r := []rune(s)
	if len(r) == 0 || s[0] != 'a' && (len(r) == 1 || !unicode.IsLetter(r[1])) {
		return s
	}
	return strings.ToUpper(string(r[:1])) + string(r[1:])
}
