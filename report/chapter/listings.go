package chapter

import (
	"regexp"
	"strings"
)

// listingRule finds the listings of a page's text.
var listingRule = regexp.MustCompile("(?ms)^```python\n(.*?)^```$")

// Listings returns the listings of a page's text as one program, with empty lines between them.
func Listings(text string) string {
	var all strings.Builder
	for _, match := range listingRule.FindAllStringSubmatch(text, -1) {
		all.WriteString(match[1] + "\n\n")
	}
	return all.String()
}
