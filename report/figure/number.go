package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

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

// valueText writes a value for prose: up to six significant digits, integers in full.
func valueText(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return Thousands(strconv.FormatFloat(v, 'f', 0, 64))
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// count writes an integer with thousands separators.
func count(n int) string { return Thousands(strconv.Itoa(n)) }

// Thousands puts commas between the thousands of a decimal number.
func Thousands(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, frac, found := strings.Cut(s, ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if found {
		b.WriteByte('.')
		b.WriteString(frac)
	}
	return sign + b.String()
}

// share writes part of whole as a percentage that is 0 or 100 only when it is exactly that.
func share(part, whole int) string {
	p := 100 * float64(part) / float64(whole)
	switch {
	case part == 0 || part == whole:
		return fmt.Sprintf("%.0f %%", p)
	case p < 0.1:
		return "under 0.1 %"
	case p > 99.9:
		return "over 99.9 %"
	}
	return fmt.Sprintf("%.1f %%", p)
}

// plural chooses the form of a noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// list joins parts as "a, b and c".
func list(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
