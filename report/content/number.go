package content

import "strings"

// fewestGrouped is how many digits a whole number has at least whose digits are set in threes. One of four digits is
// read at a glance, and may be a year.
const fewestGrouped = 5

// Thousands writes a decimal number for people: with commas between the thousands of a whole part of five digits and
// more, and a true minus in front of a negative one. What follows the whole part stays as it is.
//
// All that the report shows has this form, in prose, tables, formulas and figures: commas are what English readers
// know, drawings and alternative texts can hold them, and those who listen hear one number. What programs read, CSV
// and JSON, has plain digits.
func Thousands(s string) string {
	if positive, found := strings.CutPrefix(s, "-"); found {
		return "−" + Thousands(positive)
	}
	whole := len(s)
	if end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); end >= 0 {
		whole = end
	}
	if whole < fewestGrouped {
		return s
	}
	var b strings.Builder
	for i, r := range s[:whole] {
		if i > 0 && (whole-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	return b.String() + s[whole:]
}
