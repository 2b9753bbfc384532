package program

import "regexp"

// hints lists explanations of the Go compiler's messages for beginners. A reader's cell shows the first hint that
// matches.
var hints = []struct {
	message *regexp.Regexp
	words   string // a sentence that may contain groups of the pattern, such as $1
}{
	{
		regexp.MustCompile(`^undefined: (\w+)$`),
		"$1 is not declared above; Go distinguishes capital letters from small ones",
	},
	{regexp.MustCompile(`^undefined: (\w+)\.(\w+)$`), "package $1 has no $2"},
	{regexp.MustCompile(`^declared and not used: (\w+)$`), "use $1, or remove it"},
	{regexp.MustCompile(`imported and not used$`), "remove the import"},
	{regexp.MustCompile(`^missing return$`), "every path through a function with a result must end with return"},
	{regexp.MustCompile(`\(mismatched types (\S+) and (\S+)\)$`), "convert one of the two, as in $1(x)"},
	{
		regexp.MustCompile(`^cannot use .* as (\w+) value in`),
		"the value does not have the type $1; convert a number as in $1(x)",
	},
	{
		regexp.MustCompile(`^no new variables on left side of :=$`),
		"the variable exists already, so write = instead of :=",
	},
	{regexp.MustCompile(`^assignment mismatch: `), "each value needs a variable on the left; _ discards a value"},
	{regexp.MustCompile(`^non-boolean condition in `), "compare two values, as in x == 1"},
	{regexp.MustCompile(`^(\w+) redeclared in this block$`), "give one of the two another name"},
	{regexp.MustCompile(`^not enough arguments in call to (\S+)`), "$1 needs more values between its parentheses"},
	{regexp.MustCompile(`^too many arguments in call to (\S+)`), "$1 takes fewer values between its parentheses"},
	{
		regexp.MustCompile(`(?:expected|missing) '?[{]'?|unexpected newline, expected`),
		"an opening brace { must be at the end of its line",
	},
	{
		regexp.MustCompile(`^(?:rune|string) literal not terminated|^newline in string`),
		"a string must end with a quotation mark",
	},
}

// hint returns a sentence that explains a compiler message to beginners, or "" if there is none.
func hint(message string) string {
	for _, h := range hints {
		if m := h.message.FindStringSubmatchIndex(message); m != nil {
			return string(h.message.ExpandString(nil, h.words, message, m))
		}
	}
	return ""
}
