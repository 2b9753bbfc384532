package content

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestThousands(t *testing.T) {
	for s, want := range map[string]string{
		"": "", "0": "0", "999": "999", "1000": "1000", "9999": "9999", "-9999": "−9999", "10000": "10,000",
		"-1234567": "−1,234,567", "123456.78901": "123,456.78901",
		"0.12345": "0.12345", "1e-9": "1e-9", "12345e6": "12,345e6",
		"340282366920938463463374607431768211456": "340,282,366,920,938,463,463,374,607,431,768,211,456",
	} {
		if got := Thousands(s); got != want {
			t.Errorf("%q is written %q, want %q", s, got, want)
		}
	}
}

// TestForPeople: numbers get their form, and nothing else does.
func TestForPeople(t *testing.T) {
	for text, want := range map[string]string{
		"":                            "",
		"20736 fleets, 1234 ships":    "20,736 fleets, 1234 ships",
		"(-20000, 12345.67890)":       "(−20,000, 12,345.67890)",
		"0.123456 and x-12345":        "0.123456 and x-12345",
		"1:20000 of #123456":          "1:20,000 of #123456",
		"n12345, 12345th, a/12345":    "n12345, 12345th, a/12345",
		"12345/67890: done, in 10000": "12,345/67,890: done, in 10,000",
	} {
		if got := ForPeople(text); got != want {
			t.Errorf("%q is written %q, want %q", text, got, want)
		}
	}
}

func TestCounted(t *testing.T) {
	for n, want := range map[int]string{
		0: "0 waves", 1: "1 wave", 2: "2 waves", 10_000: "10,000 waves",
		-1: "−1 waves",
	} {
		if got := Counted(n, "wave", "waves"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// The same forms as regular expressions, which would be a tenth of the explorables' engine.
var (
	idForm      = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	longDigits  = regexp.MustCompile(`[0-9]{5,}`)
	hyphen      = regexp.MustCompile(`(^|[\s(\[=,:;<>≤≥])-([0-9])`)
	decimalForm = regexp.MustCompile(`^[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)([eE][+-]?[0-9]+)?$`)
	percentForm = regexp.MustCompile(`^[0-9.]+ ?%$`)
)

func forPeople(text string) string {
	var out strings.Builder
	end := 0
	for _, at := range longDigits.FindAllStringIndex(text, -1) {
		number := text[at[0]:at[1]]
		if isNumber(text[:at[0]], text[at[1]:]) {
			number = Thousands(number)
		}
		out.WriteString(text[end:at[0]] + number)
		end = at[1]
	}
	return hyphen.ReplaceAllString(out.String()+text[end:], "$1−$2")
}

// TestForms compares the forms of numbers and ids with regular expressions.
func TestForms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("aé0123456789-+.eE% (=≤,/#_\n"))).Draw(t, "text")
		if got, want := ForPeople(s), forPeople(s); got != want {
			t.Errorf("%q is written %q, want %q", s, got, want)
		}
		if isDecimal(s) != decimalForm.MatchString(s) || isPercentage(s) != percentForm.MatchString(s) ||
			ValidID(s) != idForm.MatchString(s) {
			t.Errorf("%q: decimal %t, percentage %t, id %t", s, isDecimal(s), isPercentage(s), ValidID(s))
		}
	})
}
