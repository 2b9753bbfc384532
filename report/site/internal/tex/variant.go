package tex

import (
	"cmp"
	"slices"
	"strings"
)

// alphabet is where one mathvariant keeps its letters in Unicode; 0 where it has none.
type alphabet struct{ upper, lower, digit, greekUpper, greekLower rune }

// alphabets are the Mathematical Alphanumeric Symbols (U+1D400 to U+1D7FF) by MathML's names of variants.
var alphabets = map[string]alphabet{
	"bold":                   {0x1d400, 0x1d41a, 0x1d7ce, 0x1d6a8, 0x1d6c2},
	"italic":                 {0x1d434, 0x1d44e, 0, 0x1d6e2, 0x1d6fc},
	"bold-italic":            {0x1d468, 0x1d482, 0, 0x1d71c, 0x1d736},
	"script":                 {0x1d49c, 0x1d4b6, 0, 0, 0},
	"bold-script":            {0x1d4d0, 0x1d4ea, 0, 0, 0},
	"fraktur":                {0x1d504, 0x1d51e, 0, 0, 0},
	"double-struck":          {0x1d538, 0x1d552, 0x1d7d8, 0, 0},
	"bold-fraktur":           {0x1d56c, 0x1d586, 0, 0, 0},
	"sans-serif":             {0x1d5a0, 0x1d5ba, 0x1d7e2, 0, 0},
	"bold-sans-serif":        {0x1d5d4, 0x1d5ee, 0x1d7ec, 0x1d756, 0x1d770},
	"sans-serif-italic":      {0x1d608, 0x1d622, 0, 0, 0},
	"sans-serif-bold-italic": {0x1d63c, 0x1d656, 0, 0x1d790, 0x1d7aa},
	"monospace":              {0x1d670, 0x1d68a, 0x1d7f6, 0, 0},
}

// letterlike are the letters that Unicode had before the block above; their places in the block are empty.
var letterlike = map[rune]rune{
	0x1d455: 'ℎ',
	0x1d49d: 'ℬ', 0x1d4a0: 'ℰ', 0x1d4a1: 'ℱ', 0x1d4a3: 'ℋ', 0x1d4a4: 'ℐ', 0x1d4a7: 'ℒ', 0x1d4a8: 'ℳ', 0x1d4ad: 'ℛ',
	0x1d4ba: 'ℯ', 0x1d4bc: 'ℊ', 0x1d4c4: 'ℴ',
	0x1d506: 'ℭ', 0x1d50b: 'ℌ', 0x1d50c: 'ℑ', 0x1d515: 'ℜ', 0x1d51d: 'ℨ',
	0x1d53a: 'ℂ', 0x1d53f: 'ℍ', 0x1d545: 'ℕ', 0x1d547: 'ℙ', 0x1d548: 'ℚ', 0x1d549: 'ℝ', 0x1d551: 'ℤ',
}

// greekVariants follow omega in each Greek alphabet, in this order.
const greekVariants = "∂ϵϑϰϕϱϖ"

// inVariant returns s in the letters of a mathvariant; characters that the variant lacks stay as they are.
func inVariant(variant, s string) string {
	return strings.Map(alphabets[variant].letter, s)
}

func (a alphabet) letter(r rune) rune {
	switch variant := slices.Index([]rune(greekVariants), r); {
	case r == 'ϴ' && a.greekUpper != 0:
		return a.greekUpper + 17
	case r == '∇' && a.greekUpper != 0:
		return a.greekUpper + 25
	case variant >= 0 && a.greekLower != 0:
		return a.greekLower + 25 + rune(variant)
	}
	for _, row := range []struct{ first, last, base rune }{
		{'A', 'Z', a.upper}, {'a', 'z', a.lower}, {'0', '9', a.digit}, {'Α', 'Ω', a.greekUpper}, {'α', 'ω', a.greekLower},
	} {
		if row.base != 0 && row.first <= r && r <= row.last {
			letter := row.base + r - row.first
			return cmp.Or(letterlike[letter], letter)
		}
	}
	return r
}
