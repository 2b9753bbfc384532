package content

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/siegebook/siegebook/internal/plural"
)

// Thousands writes a decimal number for people: with commas between the thousands of a whole part of five digits and
// more, and a true minus in front of a negative one. The fraction and the unit stay as they are.
//
// All that the report shows has this form, in prose, tables, formulas and figures: commas are what English readers
// know, drawings and alternative texts can hold them, and those who listen hear one number. Data for
// programs, CSV and JSON, has plain digits.
func Thousands(s string) string { return plural.Thousands(s) }

// Counted writes a number of things as Thousands does, with their noun: "1 wave", "10,000 waves".
func Counted[T plural.Integer](n T, one, many string) string {
	return Thousands(fmt.Sprint(n)) + " " + plural.Of(n, one, many)
}

// ForPeople gives the numbers in a text the form of Thousands: commas and a true minus. Digits that belong to a word or
// an address, or stand behind a decimal point, are no number of their own.
func ForPeople(text string) string {
	var out strings.Builder
	for at := 0; at < len(text); {
		after := strings.TrimLeft(text[at:], digits)
		end := len(text) - len(after)
		number := text[at:end]
		if len(number) >= 5 && isNumber(text[:at], after) {
			number = Thousands(number)
		}
		next := strings.IndexAny(after, digits)
		if next < 0 {
			next = len(after)
		}
		out.WriteString(number + after[:next])
		at = end + next
	}
	return Minus(out.String())
}

// Minus gives the negative numbers in a text a true minus.
// In a range or a word another character is before a hyphen.
func Minus(text string) string {
	if !strings.Contains(text, "-") {
		return text
	}
	var out strings.Builder
	before := ' '
	for i, r := range text {
		if r == '-' && strings.ContainsRune(" \t\n\f\r([=,:;<>≤≥", before) && i+1 < len(text) && isDigit(text[i+1]) {
			r = '−'
		}
		out.WriteRune(r)
		before = r
	}
	return out.String()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isNumber says whether digits between two pieces of text are a number, or half of a fraction.
func isNumber(before, after string) bool {
	last, size := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	joins := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	if joins(last) || joins(next) || last == '#' ||
		(last == '/' || next == '/') && strings.ContainsFunc(word(before, after), unicode.IsLetter) {
		return false
	}
	beforeLast, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !strings.ContainsRune(".-", last) || !joins(beforeLast)
}

// word returns what stands around a place up to the next spaces.
func word(before, after string) string {
	if start := strings.LastIndexFunc(before, unicode.IsSpace); start >= 0 {
		before = before[start:]
	}
	if end := strings.IndexFunc(after, unicode.IsSpace); end >= 0 {
		after = after[:end]
	}
	return before + after
}

// Capital returns a text that begins with a capital letter.
func Capital(text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return strings.ToUpper(text[:size]) + text[size:]
}
